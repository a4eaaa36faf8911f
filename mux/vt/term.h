/*
 * mux/vt/term.h - a terminal: a program's bytes in, a screen and effects out.
 *
 * Purpose:   the facade of mux/vt: write, resize, snapshot, modes, effects.
 * Ownership: the caller owns the terminal.  It borrows pool and grapheme table
 *            of its options for life; all terminals of a process may share
 *            them.  Frames outlive the terminal.
 * Units:     cells; columns and rows from 0.
 * Errors:    none: no input breaks an invariant of the screen.  Unknown
 *            sequences are counted (struct vt_stats).
 * Source:    ECMA-48, DEC's manuals, xterm's ctlseqs, the kitty protocols, as
 *            named in the rows of {c0,esc,csi,osc,dcs,mode,sgr}.def.
 * Tests:     regress/unit/check_vt_term.c, regress/vt/
 *
 * Where terminals differ in the effect of a byte stream, this one follows
 * xterm.  Deviations, which the code documents, too:
 *  - DECCOLM clears and homes but does not change the size (COLUMNS effect).
 *  - The VT52 mode has no effect.
 *  - The raw bytes 0x80..0x9f are never controls (parser.c).
 *  - Reverse wrap (45) follows current xterm: only over wrapped lines.
 *  - Clusters (2027) are on: xterm joins only code points of width 0.
 */
#ifndef MUX_VT_TERM_H
#define MUX_VT_TERM_H

#include "base/grapheme.h"
#include "base/types.h"
#include "mux/vt/effects.h"
#include "mux/vt/frame.h"

#define VT_STRING_MAX (1u << 20) /* bytes of an OSC or DCS by default */
#define VT_TITLE_MAX 4096        /* bytes of a title; more is cut */
#define VT_TITLE_STACK_MAX 10    /* as xterm */
#define VT_KITTY_STACK_MAX 16    /* keyboard flags on the stack of a screen */
#define VT_USER_VAR_NAME_MAX 64  /* bytes of a user variable's name */
#define VT_USER_VAR_MAX 4096     /* bytes of its value */
#define VT_SGR_STACK_MAX 10      /* XTPUSHSGR, as xterm */
#define VT_TERM_VERSION "rmux 0.1.0" /* XTVERSION */

struct vt_term;

/* One value for each X row of mode.def. */
enum vt_mode {
	VT_MODE_ODD_ROWS, /* no mode, but tested with some: see odd.h */
#define X(name, private, number, def, setter, group, help) VT_MODE_##name,
#define F(name, private, number, answer)
#include "mux/vt/mode.def"
#undef X
#undef F
	VT_MODE_COUNT
};

struct vt_term_options {
	struct vt_pool *pool;                   /* required */
	const struct grapheme_table *graphemes; /* required */
	unsigned cols;                          /* clamped as in grid.h */
	unsigned rows;
	size_t history_rows; /* 0: no history */
	size_t history_bytes;
	size_t string_max;     /* 0: VT_STRING_MAX */
	const char *term_name; /* XTGETTCAP TN; NULL: "xterm-256color" */
};

/* The default colours of the outer terminal, for OSC 10, 11, 12. */
struct vt_theme {
	uint32_t fg; /* 0xRRGGBB, or VT_PALETTE_UNSET: white or black */
	uint32_t bg;
	uint32_t cursor;
	bool dark;
};

struct vt_stats {
	uint64_t unknown;       /* sequences that no table has */
	uint64_t malformed;     /* sequences with misplaced bytes */
	uint64_t aborted;       /* strings without a proper end, or too long */
	uint64_t string_excess; /* bytes of strings over their maximum */
	uint64_t ill_formed;    /* U+FFFD substituted for ill-formed UTF-8 */
	uint64_t effects_dropped;
	char last_unknown[24]; /* the last unknown sequence: "CSI ? 5 z" */
};

struct vt_term *vt_term_new(const struct vt_term_options *opt);
void vt_term_free(struct vt_term *t); /* NULL is fine */

/* Interprets N bytes of the program's output. */
void vt_term_write(struct vt_term *t, const void *p, size_t n);

/*
 * Returns the bytes of an unfinished sequence (vt_parser_pending), borrowed
 * until the next write.
 */
const uint8_t *vt_term_pending(const struct vt_term *t, size_t *n);

/* Changes the size: resets the margins and reflows the main screen. */
void vt_term_resize(struct vt_term *t, unsigned cols, unsigned rows);

/* Sets the size of a cell in pixels (0: unknown), which only reports use. */
void vt_term_set_cell_pixels(struct vt_term *t, unsigned w, unsigned h);

/*
 * Sets the default colours; notifies the program if it asked for it (mode
 * 2031).
 */
void vt_term_set_theme(struct vt_term *t, const struct vt_theme *theme);

/*
 * Takes over the colours that the pane has unless its program sets others (NULL:
 * none), which queries answer; notifies the program like vt_term_set_theme.
 */
void vt_term_set_base(struct vt_term *t, struct vt_palette *base);

struct vt_theme vt_term_theme(const struct vt_term *t);

/*
 * Records the title that a pane got elsewhere (its host's name, select-pane -T),
 * so that a program's XTWINOPS 22 and 23 save and restore it.
 */
void vt_term_set_title(struct vt_term *t, const char *title);

/*
 * If ON, ED 2 first moves the screen into the history (as in tmux, not xterm).
 */
void vt_term_set_scroll_on_clear(struct vt_term *t, bool on);

/* If ON (initially), programs may use the alternate screen. */
void vt_term_set_alternate(struct vt_term *t, bool on);

/* If ON (initially off), CSI 20 t and CSI 21 t answer the titles. */
void vt_term_set_title_report(struct vt_term *t, bool on);

/* Sets the maximum bytes of an OSC or DCS; 0: VT_STRING_MAX. */
void vt_term_set_string_max(struct vt_term *t, size_t max);

/* Executes RIS without output of the program. */
void vt_term_reset(struct vt_term *t);

/*
 * Gives the oldest waiting effect to the caller (vt_effect_fini); false if none
 * waits.
 */
bool vt_term_next_effect(struct vt_term *t, struct vt_effect *out);

/* --- state ---------------------------------------------------------------- */

unsigned vt_term_cols(const struct vt_term *t);
unsigned vt_term_rows(const struct vt_term *t);

/* Return the visible grid; the main screen's grid even if it is hidden. */
struct vt_grid *vt_term_grid(const struct vt_term *t);
struct vt_grid *vt_term_main_grid(const struct vt_term *t);
bool vt_term_alternate(const struct vt_term *t);

/* Gets the cursor of the main screen below the alternate one; false without. */
bool vt_term_saved(const struct vt_term *t, int *x, int *y);

struct vt_term_cursor {
	unsigned x;
	unsigned y;
	bool pending; /* a wrap is pending */
	bool visible;
	bool blink;
	enum vt_cursor_shape shape;
};
struct vt_term_cursor vt_term_cursor(const struct vt_term *t);

bool vt_term_mode(const struct vt_term *t, enum vt_mode m);

/* Returns the margins, half-open. */
struct vt_rect vt_term_margins(const struct vt_term *t);

/* Return the current pen, and whether column X is a tab stop (for tests). */
const struct pen *vt_term_pen(const struct vt_term *t);
bool vt_term_tab(const struct vt_term *t, unsigned x);

/* What a click into the line that a shell edits sends (OSC 133;A). */
struct vt_click_keys {
	bool report;    /* the click itself, as a press in SGR's form */
	bool back;      /* cursor left, else right ... */
	unsigned steps; /* ... so often */
};
#define VT_CLICK_STEPS_MAX 4096

/* Tells it for a click in a cell; false: nothing. */
bool vt_term_click(
    const struct vt_term *t, int x, int y, struct vt_click_keys *out);

/*
 * Returns the state that a frame has beside its lines; borrowed until the next
 * write.
 */
const struct vt_frame_state *vt_term_state(struct vt_term *t);

/*
 * Returns the working directory (OSC 7), "" if none was set; borrowed until the
 * next write.
 */
const char *vt_term_cwd(const struct vt_term *t);

/* Returns the machine that the program says it runs on, "" if none. */
const char *vt_term_host(const struct vt_term *t);

/* Returns a number that grows with every possible change of the screen. */
uint64_t vt_term_version(const struct vt_term *t);

/*
 * Takes a snapshot: O(rows).  SCROLL shows rows so many lines further up (0:
 * the screen).  The caller sets the ECHO and CANONICAL bits of the pty.
 */
struct vt_frame *vt_term_frame(struct vt_term *t, size_t scroll);

/*
 * True during a synchronised update (2026).  The owner then shows the previous
 * frame until the update ends or the owner's timer expires; on expiry it calls
 * vt_term_sync_expire.
 */
bool vt_term_sync_pending(const struct vt_term *t);
void vt_term_sync_expire(struct vt_term *t);

void vt_term_stats(const struct vt_term *t, struct vt_stats *out);

/* Returns the heap bytes of screens and history. */
size_t vt_term_bytes(const struct vt_term *t);

/* Returns NULL, or the name of a broken invariant. */
const char *vt_term_check(struct vt_term *t);

/*
 * Calls FN for every row of the tables, for coverage checks and manuals.
 * FAMILY is "c0", "esc", "csi", "osc", "dcs", "mode" or "sgr".
 */
typedef void (*vt_row_fn)(void *arg, const char *family, const char *mnemonic,
    const char *sequence, const char *help);
void vt_term_each_row(vt_row_fn fn, void *arg);

#endif
