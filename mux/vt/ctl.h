/*
 * mux/vt/ctl.h - inside a terminal: its state and the handlers of its tables.
 *
 * Purpose:   struct vt_term and what the files of the terminal share: ctl.c,
 *            ctl_*.c, screen.c, print.c, reset.c, burst.c, dispatch.c, term.c.
 *            No other file includes this header.
 * Ownership: struct vt_term owns its parser, grids, effects and strings.
 * Units:     columns and rows are ints from 0; margins are inclusive.
 * Source:    as named in the rows of the .def files.
 * Tests:     regress/vt/
 */
#ifndef MUX_VT_CTL_H
#define MUX_VT_CTL_H

#include "base/utf8.h"
#include "mux/vt/charset.h"
#include "mux/vt/parser.h"
#include "mux/vt/pointer.h"
#include "mux/vt/tabs.h"
#include "mux/vt/term.h"

#define VT_MODE_WORDS ((VT_MODE_COUNT + 63) / 64)

#define VT_MODES_ODD (UINT64_C(1) << VT_MODE_ODD_ROWS)

/* The state that DECSC saves; each screen has one. */
struct vt_saved {
	struct pen pen;
	struct vt_charsets charsets;
	int x;
	int y;
	bool valid;
	bool wrap;
	bool origin;
};

/* Keyboard flags of the kitty protocol; flags[depth] is in force. */
struct vt_kitty {
	uint8_t depth;
	uint8_t flags[VT_KITTY_STACK_MAX + 1];
};

struct vt_screen {
	struct vt_grid *grid; /* alternate screen: NULL until first shown */
	bool odd;             /* VT_MODES_ODD while it is hidden */
	struct vt_saved saved;
	struct vt_kitty kitty;
};

/* The last printed cluster, which a combining mark joins and REP repeats. */
struct vt_last {
	bool joinable;    /* nothing but printing has happened since */
	bool repeatable;  /* no control has followed: REP may repeat it */
	bool state_known; /* `state` is valid; else derive it from `prev` */
	bool simple;   /* no simple character joins it: see grapheme_closed */
	uint8_t width; /* 1 or 2; 0: nothing has been printed */
	uint8_t len;   /* bytes of text; 0: `first` is all of it */
	int x;
	int y;
	uint32_t first;
	uint32_t prev;
	uint32_t count;
	struct grapheme_state state;
	char text[VT_CLUSTER_MAX + UTF8_MAX];
};

/*
 * Protection that ED, EL and ECH observe (ISO), or only DECSED, DECSEL and
 * DECSERA (DEC).
 */
enum vt_protect {
	VT_PROTECT_OFF,
	VT_PROTECT_DEC,
	VT_PROTECT_ISO
};

/* Bits of XTCHECKSUM; the others, about masks and blanks, change nothing. */
enum vt_checksum {
	VT_CHECKSUM_POSITIVE = 1, /* not negated */
	VT_CHECKSUM_NO_ATTRS = 2,
	VT_CHECKSUM_NO_BLANKS = 8 /* cells never written do not count */
};

/* What a click into the user's input does (OSC 133;A). */
enum vt_click {
	VT_CLICK_NONE,
	VT_CLICK_KEYS,  /* cl: cursor keys move the cursor there */
	VT_CLICK_EVENTS /* click_events=1: the shell gets the click */
};

struct vt_title_pair {
	struct vt_str *title;
	struct vt_str *icon;
};

/* The stack of pointer shapes; the last one is in force. */
struct vt_pointers {
	uint8_t depth;
	uint8_t shape[VT_POINTER_STACK_MAX];
};

/* State that few programs use; allocated on first use. */
struct vt_rare {
	unsigned ntitles;
	struct vt_title_pair titles[VT_TITLE_STACK_MAX];
	unsigned nsgr;
	struct {
		struct pen pen;
		uint32_t mask; /* the attributes that a pop restores */
	} sgr[VT_SGR_STACK_MAX];
	unsigned npalettes;     /* the top */
	unsigned palettes_last; /* the highest place of a push */
	uint16_t palettes_set;  /* bits 1 to 10: places in use */
	struct vt_palette *palettes[VT_SGR_STACK_MAX];
	struct vt_pointers pointers[2]; /* main, alternate screen */
};

struct vt_term {
	struct vt_parser parser;
	struct vt_pool *pool;
	const struct grapheme_table *graphemes;
	struct vt_grid *grid; /* of the visible screen */
	int cols;
	int rows;
	int x;
	int y;
	bool wrap; /* a wrap is pending */
	bool alternate;
	int top;
	int bottom;
	int left;
	int right;
	bool whole;         /* the margins are the screen's edges */
	uint8_t odd_missed; /* see vt_odd_meets */
	uint64_t modes[VT_MODE_WORDS];
	uint64_t saved_modes[VT_MODE_WORDS];
	struct pen pen;
	struct vt_link *link;
	bool pen_plain;   /* default pen, no link: style 0 of any line */
	uint32_t pen_gen; /* line generation that `pen_style` belongs to */
	unsigned pen_style;
	struct vt_charsets charsets;
	struct vt_last last;
	struct vt_screen screens[2]; /* main, alternate */
	struct vt_tabs tabs;
	struct vt_effects effects;
	struct vt_frame_state state; /* strings, palette, plain values */
	struct vt_rare *rare;
	struct vt_theme theme;
	struct vt_palette *base; /* colours that options give, or NULL */
	enum vt_protect protect;
	uint8_t title_modes;  /* bits 0..3 of XTSMTITLE */
	uint8_t sace;         /* DECSACE: 2 is a rectangle, else a stream */
	uint8_t cursor_style; /* last DECSCUSR, 0..6 */
	uint8_t click;        /* enum vt_click */
	uint16_t click_x;     /* where the user's input begins */
	int8_t modkeys[8];    /* XTMODKEYS values by resource; -1: default */
	bool bel;             /* the current string ended in BEL */
	bool scroll_on_clear;
	uint8_t checksum;  /* VT_CHECKSUM_... */
	bool title_report; /* programs may read titles */
	bool no_alternate; /* 47, 1047, 1049 are ignored */
	unsigned cell_w;   /* pixels */
	unsigned cell_h;
	size_t string_max;
	char *term_name;
	struct vt_str *host; /* OSC 7, OSC 1337 RemoteHost */
	uint64_t version;
	struct vt_stats stats;
};

/* --- handlers named in the tables ---------------------------------------- */

typedef void (*vt_control_fn)(struct vt_term *t);
typedef void (*vt_esc_fn)(struct vt_term *t, const struct vt_seq *seq);
typedef void (*vt_csi_fn)(struct vt_term *t, const struct vt_params *p);
/* NUM is the number of the command, S[0..n) the text after its semicolon. */
typedef void (*vt_osc_fn)(struct vt_term *t, int num, const char *s, size_t n);
typedef void (*vt_dcs_fn)(
    struct vt_term *t, const struct vt_params *p, const char *s, size_t n);
typedef void (*vt_mode_fn)(struct vt_term *t, enum vt_mode m, bool on);
/* Applies the parameter at SLOT; returns the number of slots used. */
typedef int (*vt_sgr_fn)(
    struct pen *pen, const struct vt_params *p, int slot, uint32_t arg);

/* A prototype for each table row; the help text of the row describes it. */
#define Y(...)
#define S X
#define X(mn, code, fn, help) void vt_ctl_##fn(struct vt_term *t);
#include "mux/vt/c0.def"
#undef X
#define X(mn, inter, final, fn, help) \
 void vt_ctl_##fn(struct vt_term *t, const struct vt_seq *seq);
#include "mux/vt/esc.def"
#undef X
#define X(mn, prefix, inter, final, min, max, fn, help) \
 void vt_ctl_##fn(struct vt_term *t, const struct vt_params *p);
#include "mux/vt/csi.def"
#undef X
#define X(mn, code, fn, help) \
 void vt_osc_##fn(struct vt_term *t, int num, const char *s, size_t n);
#include "mux/vt/osc.def"
#undef X
#define X(mn, prefix, inter, final, max, fn, help) \
 void vt_dcs_##fn(                                 \
     struct vt_term *t, const struct vt_params *p, const char *s, size_t n);
#include "mux/vt/dcs.def"
#undef X
#undef Y
#undef S

/* --- shared by the handlers ---------------------------------------------- */

static inline bool
vt_mode_on(const struct vt_term *t, enum vt_mode m)
{
	return (t->modes[m / 64] >> m % 64 & 1) != 0;
}

/* Changes the bit of a mode, without side effects. */
static inline void
vt_mode_put(struct vt_term *t, enum vt_mode m, bool on)
{
	uint64_t bit = UINT64_C(1) << m % 64;

	if (on)
		t->modes[m / 64] |= bit;
	else
		t->modes[m / 64] &= ~bit;
}

/* Sets or resets a mode with its side effects (ctl_mode.c). */
void vt_mode_set(struct vt_term *t, enum vt_mode m, bool on);

/* Gives all modes their initial values (ctl_mode.c). */
void vt_mode_reset_all(struct vt_term *t);

/* Queues formatted bytes for the program, at most 511 (ctl.c). */
void vt_reply(struct vt_term *t, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Queues N bytes for the program. */
void vt_reply_bytes(struct vt_term *t, const void *p, size_t n);

/* Sends the in-band report of mode 2048 (ctl.c). */
void vt_report_size(struct vt_term *t);

/* Sends the colour scheme report of mode 2031 (ctl.c). */
void vt_report_theme(struct vt_term *t);

/* Whether the background is dark: the program's, the options', or the theme's. */
bool vt_is_dark(const struct vt_term *t);

/* Writes the SGR parameters of a pen, "0;1;38:5:9", to OUT (ctl_sgr.c). */
void vt_sgr_format(const struct pen *pen, char *out, size_t size);

/* Applies SGR parameters from slot FROM on to a pen (ctl_sgr.c). */
void vt_sgr_apply(struct pen *pen, const struct vt_params *p, int from);

/*
 * A row of sgr.def as data: masks that each field keeps, and bits that it gets.
 */
#define VT_SGR_CODES 108
struct vt_sgr_change {
	struct pen keep; /* attrs 0: no row, or a code with parameters */
	struct pen set;
};
extern const struct vt_sgr_change vt_sgr_changes[VT_SGR_CODES];

/* Applies SGR CODE, a row that is data. */
static inline void
vt_sgr_change(struct pen *pen, unsigned code)
{
	const struct vt_sgr_change *c = &vt_sgr_changes[code];

	pen->fg = (pen->fg & c->keep.fg) | c->set.fg;
	pen->bg = (pen->bg & c->keep.bg) | c->set.bg;
	pen->ul = (pen->ul & c->keep.ul) | c->set.ul;
	pen->attrs = (pen->attrs & c->keep.attrs) | c->set.attrs;
}

/* Applies SGR 38;2;r;g;b, or 48 (BG). */
static inline void
vt_sgr_rgb(struct vt_term *t, bool bg, uint32_t rgb)
{
	*(bg ? &t->pen.bg : &t->pen.fg) =
	    colour_rgb(rgb >> 16, rgb >> 8 & 255, rgb & 255);
	t->pen_plain = false;
	t->pen_gen = 0;
}

/* Returns the rarely used state, allocated on first use (ctl.c). */
struct vt_rare *vt_rare(struct vt_term *t);
void vt_rare_free(struct vt_term *t);

/*
 * Appends at most MAX bytes of text without control characters; ill-formed
 * bytes become U+FFFD (ctl.c).
 */
void vt_plain_text(struct buf *out, const char *s, size_t n, size_t max);

/*
 * Sets a title string: cuts it at VT_TITLE_MAX and drops control characters.
 * SLOT NULL is the window name of screen's ESC k (ctl.c).
 */
void vt_set_title(
    struct vt_term *t, struct vt_str **slot, const char *s, size_t n);

/* Returns the shape of the pointer, enum vt_pointer (ctl_pointer.c). */
uint8_t vt_pointer_now(const struct vt_term *t);

/* Counts and records a sequence that no table has (ctl.c). */
COLD void vt_unknown(struct vt_term *t, const char *family, uint8_t prefix,
    uint8_t inter, uint8_t inter2, uint8_t final, int num);

/* Soft and full reset, DECSTR and RIS (reset.c). */
void vt_reset_soft(struct vt_term *t);
void vt_reset_full(struct vt_term *t);

#endif
