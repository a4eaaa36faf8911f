/*
 * mux/vt/term.h - a terminal: bytes of a program in, a screen and effects out.
 *
 * Purpose:   the facade of mux/vt: write, resize, snapshot, modes, effects.
 * Ownership: vt_term_new gives the caller a terminal; pool and grapheme table
 *            in its options are borrowed for its life and may be shared by all
 *            terminals of a process.  Frames taken outlive the terminal.
 * Units:     cells; columns and rows from 0.
 * Errors:    none: whatever bytes come, the screen stays sound.  What is not
 *            understood is counted (struct vt_stats).
 * Source:    ECMA-48, DEC's manuals, xterm's ctlseqs, the kitty protocols; rows
 *            of {c0,esc,csi,osc,dcs,mode,sgr}.def name theirs.
 * Tests:     regress/unit/check_vt_term.c, regress/vt/
 *
 * Where terminals differ in what a byte stream leaves behind, xterm's behaviour
 * holds.  Deviations from it, each where it is coded:
 *  - DECCOLM clears and homes but does not change the size (COLUMNS effect).
 *  - DECDWL, DECDHL and the VT52 mode are consumed without effect.
 *  - The raw bytes 0x80..0x9f are never controls (parser.c).
 *  - Reverse wrap (45) follows current xterm: only over wrapped lines.
 *  - Clusters (2027) are on: xterm joins code points only of width 0.
 */
#ifndef MUX_VT_TERM_H
#define MUX_VT_TERM_H

#include "base/grapheme.h"
#include "base/types.h"
#include "mux/vt/effects.h"
#include "mux/vt/frame.h"

#define VT_STRING_MAX (1u << 20)     /* bytes of an OSC or DCS by default */
#define VT_TITLE_MAX 4096            /* bytes of a title; more is cut */
#define VT_TITLE_STACK_MAX 10        /* as xterm */
#define VT_KITTY_STACK_MAX 16        /* keyboard flags pushed, per screen */
#define VT_SGR_STACK_MAX 10          /* XTPUSHSGR, as xterm */
#define VT_TERM_VERSION "rmux 0.1.0" /* XTVERSION */

struct vt_term;

/* One row of mode.def each, fixed ones left out. */
enum vt_mode {
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

/* The colours the outer terminal shows by default, for OSC 10, 11, 12. */
struct vt_theme {
	uint32_t fg; /* 0xRRGGBB, or VT_PALETTE_UNSET: unknown */
	uint32_t bg;
	uint32_t cursor;
	bool dark;
};

struct vt_stats {
	uint64_t unknown;       /* sequences no row is for */
	uint64_t malformed;     /* sequences with bytes out of place */
	uint64_t aborted;       /* strings without a proper end, or too long */
	uint64_t string_excess; /* bytes of strings over their maximum */
	uint64_t ill_formed;    /* U+FFFD put for ill-formed UTF-8 */
	uint64_t effects_dropped;
	char last_unknown[24]; /* the last unknown one: "CSI ? 5 z" */
};

struct vt_term *vt_term_new(const struct vt_term_options *opt);
void vt_term_free(struct vt_term *t); /* NULL is fine */

/* Takes N bytes of the program's output. */
void vt_term_write(struct vt_term *t, const void *p, size_t n);

/*
 * The bytes of a sequence that has not ended yet (vt_parser_pending); borrowed
 * until the next write.
 */
const uint8_t *vt_term_pending(const struct vt_term *t, size_t *n);

/* Another size; margins are reset, the main screen is reflowed. */
void vt_term_resize(struct vt_term *t, unsigned cols, unsigned rows);

/* Size of a cell in pixels (0: unknown), for reports; no other effect. */
void vt_term_set_cell_pixels(struct vt_term *t, unsigned w, unsigned h);

/* Default colours; tells the program if it asked to know (mode 2031). */
void vt_term_set_theme(struct vt_term *t, const struct vt_theme *theme);

/* Whether ED 2 first moves the screen into the history (tmux; not xterm). */
void vt_term_set_scroll_on_clear(struct vt_term *t, bool on);

/* Whether programs may change to the alternate screen (they may). */
void vt_term_set_alternate(struct vt_term *t, bool on);

/* The most bytes of one OSC or DCS from now on; 0: VT_STRING_MAX. */
void vt_term_set_string_max(struct vt_term *t, size_t max);

/* RIS without a byte of output. */
void vt_term_reset(struct vt_term *t);

/* The oldest waiting effect, now the caller's (vt_effect_fini). */
bool vt_term_next_effect(struct vt_term *t, struct vt_effect *out);

/* --- looking ------------------------------------------------------------- */

unsigned vt_term_cols(const struct vt_term *t);
unsigned vt_term_rows(const struct vt_term *t);

/* The grid shown now; the main one also while the alternate is shown. */
struct vt_grid *vt_term_grid(const struct vt_term *t);
struct vt_grid *vt_term_main_grid(const struct vt_term *t);
bool vt_term_alternate(const struct vt_term *t);

struct vt_term_cursor {
	unsigned x;
	unsigned y;
	bool pending; /* the wrap is pending */
	bool visible;
	bool blink;
	enum vt_cursor_shape shape;
};
struct vt_term_cursor vt_term_cursor(const struct vt_term *t);

bool vt_term_mode(const struct vt_term *t, enum vt_mode m);

/* Margins in force: half-open. */
struct vt_rect vt_term_margins(const struct vt_term *t);

/* The pen in force and whether column X is a tab stop (for tests, status). */
const struct pen *vt_term_pen(const struct vt_term *t);
bool vt_term_tab(const struct vt_term *t, unsigned x);

/* What a frame says beyond the lines; borrowed until the next write. */
const struct vt_frame_state *vt_term_state(struct vt_term *t);

/* The working directory (OSC 7), "" if none was set; until the next write. */
const char *vt_term_cwd(const struct vt_term *t);

/* Grows whenever bytes or calls may have changed what is shown. */
uint64_t vt_term_version(const struct vt_term *t);

/*
 * A snapshot: O(rows).  Rows SCROLL further up are shown (0: the screen);
 * ECHO and CANONICAL bits of the pty are the caller's to set.
 */
struct vt_frame *vt_term_frame(struct vt_term *t, size_t scroll);

/*
 * Whether a synchronised update (2026) is under way: the owner shows the frame
 * from before it until it ends or a time of its own has passed, and then calls
 * vt_term_sync_expire.
 */
bool vt_term_sync_pending(const struct vt_term *t);
void vt_term_sync_expire(struct vt_term *t);

void vt_term_stats(const struct vt_term *t, struct vt_stats *out);

/* Heap bytes of screens and history. */
size_t vt_term_bytes(const struct vt_term *t);

/* NULL, or which invariant is broken. */
const char *vt_term_check(struct vt_term *t);

/*
 * Runs FN for every row of the tables, for coverage checks and manuals:
 * FAMILY is "c0", "esc", "csi", "osc", "dcs", "mode" or "sgr".
 */
typedef void (*vt_row_fn)(void *arg, const char *family, const char *mnemonic,
    const char *sequence, const char *help);
void vt_term_each_row(vt_row_fn fn, void *arg);

#endif
