/*
 * mux/vt/frame.h - an immutable picture of a pane, for synchronisation.
 *
 * Purpose:   visible lines, cursor, the modes a client must know, palette and
 *            strings; also the surface on which chrome (borders, status lines,
 *            overlays) is drawn.
 * Ownership: reference-counted; immutable once it has several owners.  A frame
 *            refers to lines, strings and a palette, so a snapshot costs
 *            O(rows).
 * Units:     cells; 0-based.
 * Errors:    sizes are clamped as in grid.h.
 * Source:    idea 2 of ARCHITECTURE.md.
 * Tests:     regress/unit/check_vt_frame.c
 */
#ifndef MUX_VT_FRAME_H
#define MUX_VT_FRAME_H

#include "base/buf.h"
#include "mux/vt/grid.h"

/* --- shared immutable values --------------------------------------------- */

/* Text with a length, shared.  NULL is the empty string. */
struct vt_str {
	uint32_t refs;
	uint32_t len;
	char text[]; /* NUL-terminated */
};

struct vt_str *vt_str_new(const char *s, size_t n); /* NULL if n is 0 */
struct vt_str *vt_str_ref(struct vt_str *s);
void vt_str_unref(struct vt_str *s);
bool vt_str_equal(const struct vt_str *a, const struct vt_str *b);
const char *vt_str_text(const struct vt_str *s); /* never NULL */

/* Palette entries and dynamic colours set by a program (OSC 4, 10..19). */
enum vt_dynamic {
	VT_DYN_FG = 256, /* OSC 10; the others follow in order up to OSC 19 */
	VT_DYN_BG,
	VT_DYN_CURSOR,
	VT_DYN_POINTER_FG,
	VT_DYN_POINTER_BG,
	VT_DYN_TEK_FG,
	VT_DYN_TEK_BG,
	VT_DYN_HIGHLIGHT_BG,
	VT_DYN_TEK_CURSOR,
	VT_DYN_HIGHLIGHT_FG,
	VT_DYN_BOLD, /* OSC 5;0.. : bold, underline, blink, reverse, italic */
	VT_DYN_UNDERLINE,
	VT_DYN_BLINK,
	VT_DYN_REVERSE,
	VT_DYN_ITALIC,
	VT_PALETTE_SIZE,
};

#define VT_PALETTE_UNSET UINT32_C(0xffffffff)
#define VT_PALETTE_INDEX UINT32_C(0x01000000) /* | n: the user's colour n */

struct vt_palette {
	uint32_t refs;
	/* 0xRRGGBB, VT_PALETTE_UNSET, or (from styles) VT_PALETTE_INDEX */
	uint32_t rgb[VT_PALETTE_SIZE];
};

struct vt_palette *vt_palette_ref(struct vt_palette *p);
void vt_palette_unref(struct vt_palette *p);

/*
 * Returns the palette in *SLOT (NULL: nothing set) for writing: clones it if it
 * has other owners.
 */
struct vt_palette *vt_palette_own(struct vt_palette **slot);
uint32_t vt_palette_get(const struct vt_palette *p, unsigned index);
bool vt_palette_equal(const struct vt_palette *a, const struct vt_palette *b);

/* --- state of the terminal beside its lines ------------------------------- */

enum vt_frame_mode {
	VT_FRAME_CURSOR_VISIBLE = 1 << 0, /* DECTCEM */
	VT_FRAME_CURSOR_BLINK = 1 << 1,
	VT_FRAME_WRAP_PENDING = 1 << 2,     /* the cursor is after its column */
	VT_FRAME_APP_CURSOR = 1 << 3,       /* DECCKM */
	VT_FRAME_APP_KEYPAD = 1 << 4,       /* DECKPAM */
	VT_FRAME_BRACKETED_PASTE = 1 << 5,  /* 2004 */
	VT_FRAME_FOCUS = 1 << 6,            /* 1004 */
	VT_FRAME_REVERSE_VIDEO = 1 << 7,    /* DECSCNM */
	VT_FRAME_ALTERNATE = 1 << 8,        /* the alternate screen is shown */
	VT_FRAME_ALTERNATE_SCROLL = 1 << 9, /* 1007 */
	VT_FRAME_INSERT = 1 << 10,          /* IRM */
	VT_FRAME_AUTOWRAP = 1 << 11,        /* DECAWM */
	VT_FRAME_NEWLINE = 1 << 12,         /* LNM */
	VT_FRAME_BACKSPACE_DEL = 1 << 13,   /* DECBKM is reset */
	VT_FRAME_ECHO = 1 << 14,            /* the pty echoes */
	VT_FRAME_CANONICAL = 1 << 15,       /* the pty edits lines */
	VT_FRAME_SYNC = 1 << 16,            /* 2026: an update is under way */
	VT_FRAME_THEME_NOTIFY = 1 << 17,    /* 2031 */
	VT_FRAME_SIZE_NOTIFY = 1 << 18,     /* 2048 */
	VT_FRAME_CLUSTERS = 1 << 19,        /* 2027 */
	VT_FRAME_BIDI = 1 << 20, /* of a view: rows may be turned (turn.h) */
};

enum vt_cursor_shape {
	VT_CURSOR_DEFAULT,
	VT_CURSOR_BLOCK,
	VT_CURSOR_UNDERLINE,
	VT_CURSOR_BAR,
};

enum vt_mouse_mode {
	VT_MOUSE_OFF,
	VT_MOUSE_X10,    /* 9: presses */
	VT_MOUSE_NORMAL, /* 1000: presses and releases */
	VT_MOUSE_BUTTON, /* 1002: also motion with a button pressed */
	VT_MOUSE_ANY,    /* 1003: also all motion */
};

enum vt_mouse_encoding {
	VT_MOUSE_DEFAULT,
	VT_MOUSE_UTF8,       /* 1005 */
	VT_MOUSE_SGR,        /* 1006 */
	VT_MOUSE_URXVT,      /* 1015 */
	VT_MOUSE_SGR_PIXELS, /* 1016 */
};

/* The shell's state in a command, as marked by OSC 133. */
enum vt_prompt_state {
	VT_PROMPT_NONE,
	VT_PROMPT_PROMPT, /* after A */
	VT_PROMPT_INPUT,  /* after B */
	VT_PROMPT_OUTPUT, /* after C */
	VT_PROMPT_DONE,   /* after D */
};

/* ConEmu's OSC 9;4. */
enum vt_progress_state {
	VT_PROGRESS_NONE,
	VT_PROGRESS_NORMAL,
	VT_PROGRESS_ERROR,
	VT_PROGRESS_BUSY,
	VT_PROGRESS_PAUSED,
};

/* The plain part of a frame.  Strings and palette are references. */
struct vt_frame_state {
	uint16_t x; /* cursor */
	uint16_t y;
	uint32_t modes;             /* enum vt_frame_mode */
	uint8_t cursor_shape;       /* enum vt_cursor_shape */
	uint8_t mouse_mode;         /* enum vt_mouse_mode */
	uint8_t mouse_encoding;     /* enum vt_mouse_encoding */
	uint8_t kitty_flags;        /* kitty keyboard protocol, 0..31 */
	uint8_t modify_other;       /* modifyOtherKeys 0, 1, 2 */
	uint8_t prompt;             /* enum vt_prompt_state */
	uint8_t progress;           /* enum vt_progress_state */
	uint8_t progress_percent;   /* 0..100 */
	uint8_t pointer;            /* enum vt_pointer, OSC 22 */
	uint8_t exit_status;        /* of the last command, OSC 133;D;n */
	uint32_t bells;             /* bells rung since the pane was created */
	struct vt_palette *palette; /* NULL: nothing set */
	struct vt_str *title;       /* OSC 0, 2 */
	struct vt_str *icon;        /* OSC 0, 1 */
	struct vt_str *cwd;         /* OSC 7, as sent */
};

/* Sets the initial state: visible cursor, autowrap, nothing else. */
void vt_frame_state_init(struct vt_frame_state *st);
void vt_frame_state_fini(struct vt_frame_state *st);

/* Makes DST, which is initialised, equal to SRC. */
void vt_frame_state_copy(
    struct vt_frame_state *dst, const struct vt_frame_state *src);
bool vt_frame_state_equal(
    const struct vt_frame_state *a, const struct vt_frame_state *b);

/* --- frames ---------------------------------------------------------------- */

struct vt_frame {
	uint32_t refs;
	uint16_t cols;
	uint16_t rows;
	uint64_t version; /* the owner's count of changes; not compared */
	struct vt_frame_state state;
	struct vt_line **lines;     /* [rows] */
	struct vt_frame_memo *memo; /* NULL unless shared; see below */
};

/* Cached differences: clients differ in the frame that they confirmed last. */
#define VT_FRAME_DIFFS 4

/*
 * The cache of a frame that is sent to several clients: its serialisation and
 * its differences to older frames.  Only the first client computes them.
 */
struct vt_frame_memo {
	struct {
		struct vt_frame *old; /* or NULL */
		bool moves;           /* of this kind (mux/sync/frame.h) */
		struct buf bytes;
	} diffs[VT_FRAME_DIFFS];
	unsigned next;
	struct buf save; /* empty: not yet made */
};

/* A blank frame to write into. */
struct vt_frame *vt_frame_new(unsigned cols, unsigned rows);

/*
 * Takes a snapshot of G's screen with a copy of ST (NULL: the initial state).
 * SCROLL shows rows so many lines further up (0: the screen itself).
 */
struct vt_frame *vt_frame_snapshot(struct vt_grid *g, size_t scroll,
    const struct vt_frame_state *st, uint64_t version);

struct vt_frame *vt_frame_ref(const struct vt_frame *f);
void vt_frame_unref(struct vt_frame *f); /* NULL is fine */

/* Returns a copy for writing: O(rows), shares the lines. */
struct vt_frame *vt_frame_clone(const struct vt_frame *f);

/* Compares everything that a client can see (not the version). */
bool vt_frame_equal(const struct vt_frame *a, const struct vt_frame *b);

/* --- drawing chrome; the frame must have one owner ------------------------- */

/* Returns row Y for writing. */
struct vt_line *vt_frame_own(struct vt_frame *f, unsigned y);

/*
 * Changes the size: cuts rows and columns or adds blank ones; clamps the
 * cursor.
 */
void vt_frame_resize(struct vt_frame *f, unsigned cols, unsigned rows);

/* Fills a rectangle with spaces (blanks if PEN is NULL) in PEN. */
void vt_frame_fill(
    struct vt_frame *f, const struct vt_rect *r, const struct pen *pen);

/*
 * Writes UTF-8 text at (x, y), cluster by cluster, up to column END; a wide
 * cluster that would cross END is left out.  Skips control bytes.  Returns the
 * column after the text.
 */
struct grapheme_table;
unsigned vt_frame_text(struct vt_frame *f, const struct grapheme_table *gt,
    unsigned x, unsigned y, unsigned end, const char *s, size_t n,
    const struct pen *pen);

/* The same as a hyperlink to URI; "", or one with control bytes, is none. */
unsigned vt_frame_link(struct vt_frame *f, const struct grapheme_table *gt,
    unsigned x, unsigned y, unsigned end, const char *s, size_t n,
    const struct pen *pen, const char *uri);

/* Writes a code point of width 1 N times, from (x, y) to the right. */
void vt_frame_repeat(struct vt_frame *f, unsigned x, unsigned y, unsigned n,
    uint32_t cp, const struct pen *pen);

/* Makes all rows below Y equal to row Y; they share one line. */
void vt_frame_same_rows(struct vt_frame *f, unsigned y);

/* Copies the part R of SRC to (x, y) of F. */
void vt_frame_blit(struct vt_frame *f, unsigned x, unsigned y,
    const struct vt_frame *src, const struct vt_rect *r);

/*
 * Gives F a cache for its serialisation and differences.  F must not change any
 * more.
 */
void vt_frame_share(struct vt_frame *f);

/* Returns the cached difference to OLD of a kind, or NULL. */
const struct buf *vt_frame_kept_diff(
    const struct vt_frame *f, const struct vt_frame *old, bool moves);

/* Caches a copy of N bytes as the difference between two shared frames. */
void vt_frame_keep_diff(const struct vt_frame *f, const struct vt_frame *old,
    bool moves, const void *diff, size_t n);

/* Returns NULL, or the name of a broken invariant. */
const char *vt_frame_check(const struct vt_frame *f);

#endif
