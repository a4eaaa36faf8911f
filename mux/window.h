/*
 * mux/window.h - a window: panes in a layout.
 *
 * Purpose:   makes, splits, closes, zooms, resizes and names windows; knows the
 *            active pane and the ones before; exchanges panes with other
 *            windows.
 * Ownership: a window owns its panes and its layout. It lives while a session
 *            links it (session.h); window_free is for a window without links.
 * Units:     cells; indexes are without pane-base-index unless stated.
 * Errors:    -ERR_LIMIT when there is no room, -ERR_STATE when the state of the
 *            window forbids it; the window is then unchanged.
 * Source:    tmux(1), WINDOWS AND PANES.
 * Tests:     regress/unit/check_window.c
 */
#ifndef MUX_WINDOW_H
#define MUX_WINDOW_H

#include "mux/layout.h"
#include "mux/mux.h"
#include "mux/pane.h"

#define WINDOW_NAME_MAX 4096 /* bytes; more is cut */
#define WINDOW_CELL_W 16 /* pixels of a cell when the terminal does not tell */
#define WINDOW_CELL_H 32

struct winlink;

struct window {
	uint32_t id;
	struct mux *mux;
	char *name;
	struct options options;
	struct list panes;      /* struct pane, in order of their index */
	struct list last_panes; /* panes once active, latest first */
	struct list stack;      /* all panes by z_node; floats: front first */
	struct list links;      /* struct winlink by window_node */
	struct pane *active;    /* never NULL if there are panes */
	struct layout layout; /* the full layout, also while a pane is zoomed */
	bool zoomed;          /* one pane fills the window ... */
	struct pane *zoom;    /* ... this one, or NULL */
	struct pane *modal;   /* the only one that can be active, or NULL */
	int cascade_x;        /* place of the last float without -X or -Y */
	int cascade_y;
	int w;
	int h;
	int manual_w; /* size by resize-window, for window-size manual */
	int manual_h;
	struct outer outer; /* its cells are never unknown */
	int preset;         /* last preset applied, or -1 */
	char *old_layout;   /* for select-layout -o, or NULL */
	uint32_t latest;    /* client that was used last here, or MUX_NONE */
	int64_t created;    /* wall clock */
	/* The last output, or when it became current; wall clock. */
	int64_t activity;
	mono_ms activity_at; /* last output or visit, for monitor-silence */
	unsigned alerts;     /* enum alert_kind recorded and not reported yet */
	bool silence_told;   /* no output since the last ALERT_SILENCE */
};

/* Makes a window with one pane, in no session yet. */
struct window *window_new(
    struct mux *m, int cols, int rows, const struct pane_start *start);

/* Removes a window without links, with its panes. */
void window_free(struct window *w);

/* Unlinks a window everywhere, which frees it and sessions left empty. */
void window_kill(struct window *w);

/* Sets the name, without control characters. */
void window_set_name(struct window *w, const char *name);

/*
 * The same for a name that a program chose: "#(" becomes "_(", as a prompt that
 * holds the name would hand it to a command that expands formats.
 */
void window_set_foreign_name(struct window *w, const char *name);

/*
 * Splits TARGET and starts a pane there; unzooms first.
 * Out:     *out the new pane, not active yet
 * Returns: 0, -ERR_LIMIT with "no space for a new pane" in CAUSE.
 */
int window_split(struct window *w, struct pane *target,
    const struct layout_split *how, const struct pane_start *start,
    struct pane **out, struct cause *cause);

/*
 * Closes a pane; the last one closes its window too (window_kill). Returns
 * whether the window still exists.
 */
bool window_close_pane(struct pane *p);

/* Closes a pane that is not the last of its window. */
void window_remove_pane(struct pane *p);

/*
 * Makes P active; a zoom moves to it if it is hidden. Returns false if it was
 * active or another pane is modal.
 */
bool window_set_active(struct window *w, struct pane *p);

/* Fills the window with P; -ERR_STATE if zoomed or the only tiled pane. */
int window_zoom(struct pane *p);

/* Places P anew behind a change of its modes: pane_whole may be different. */
void window_mode_changed(struct pane *p);

/* Shows all panes again; returns false if nothing was zoomed. */
bool window_unzoom(struct window *w);

/* Resizes; a layout that cannot shrink so far stays larger. */
void window_resize(struct window *w, int cols, int rows);

/*
 * Sets what programs of the window learn of the user's terminal; unknown cells
 * leave those that the window has.  MUX_EVENT_PANE_OUTER tells of each pane.
 */
void window_set_outer(struct window *w, const struct outer *o);

/* Columns of a scrollbar, and of the space beside it. */
#define SCROLLBAR_COLS_MAX 100

/* Gives P the columns of its scrollbar while it shows the alternate screen. */
void window_bar_changed(struct pane *p);

/*
 * Applies pane-border-status and pane-scrollbars, and places the panes. The
 * caller calls client_fit_window for window-size.
 */
void window_options_changed(struct window *w);

/* Places a pane as the layout says, before window_layout_changed does. */
void window_place_pane(struct pane *p);

/* Places the panes as the layout says; returns whether one moved. */
bool window_place_panes(struct window *w);

/*
 * Makes the window as large as its layout and places the panes. Returns whether
 * its size changes; the caller tells of it.
 */
bool window_take_layout(struct window *w);

/* Says that the panes have new places. */
void window_say_layout(struct window *w);

/* Applies a changed layout: size, panes, event. */
void window_layout_changed(struct window *w);
/* The same where panes have only changed places: no hook hears of it. */
void window_turned(struct window *w);

/* Returns the pane with that #{pane_index}, or NULL. */
struct pane *window_pane_at_index(const struct window *w, int index);

/* Returns the Nth pane after (before) P in order, around the ends. */
struct pane *window_next_pane(
    const struct window *w, const struct pane *p, unsigned n);
struct pane *window_prev_pane(
    const struct window *w, const struct pane *p, unsigned n);

/* Returns the pane active before, or NULL. */
struct pane *window_last_pane(const struct window *w);

/*
 * Removes P from all lists but the layout, and chooses another pane if P is
 * active; P still exists.
 */
void window_unlist_pane(struct window *w, struct pane *p);

/* Inserts P, in no list yet, into W's order as the split of TARGET asks. */
void window_list_pane(struct window *w, struct pane *target, struct pane *p,
    const struct layout_split *how);

/* Returns the first pane in order. */
struct pane *window_first_pane(const struct window *w);

/* Returns the pane beside P; of several, the one used last. */
enum window_side {
	WINDOW_UP,
	WINDOW_DOWN,
	WINDOW_LEFT,
	WINDOW_RIGHT
};
struct pane *window_neighbour(const struct pane *p, enum window_side side);

/* Returns the pane that covers a place of the window, with its border. */
struct pane *window_pane_at(const struct window *w, int x, int y);

/* Returns the pane at "top", "bottom-left" ...; or NULL. */
struct pane *window_pane_described(const struct window *w, const char *where);

/* Runs the body with `struct pane *p`; N is a struct list_node *. */
/* clang-format off */
#define WINDOW_FOREACH_PANE(p, n, w) \
	LIST_FOREACH(n, &(w)->panes) \
		if (((p) = container_of(n, struct pane, node)) != NULL)
/* clang-format on */

/* --- moving (window_move.c) ------------------------------------------------ */

/*
 * Exchanges two panes, also of different windows. Unless KEEP, the pane that
 * came to A's place becomes active in its window.
 */
int window_swap_panes(struct pane *a, struct pane *b, bool keep);

/* Rotates the panes through the places, tiled or not. */
void window_rotate(struct window *w, bool up);

/*
 * Moves a pane beside TARGET (another pane).  With a link of its window, SELECT,
 * both become current.  A window left empty is killed.
 * Returns: 0, -ERR_LIMIT with "no space for a new pane" in CAUSE, -ERR_STATE for
 *          the same pane.
 */
int window_join(struct pane *p, struct pane *target,
    const struct layout_split *how, struct winlink *select,
    struct cause *cause);

/*
 * Moves a pane into a new window of its own, in no session yet. Returns NULL if
 * it is the only pane; move its window instead.
 */
struct window *window_break(struct pane *p);

/* --- layouts (window_layout.c) --------------------------------------------- */

/* Applies preset N of layout_preset.def with the window's options. */
int window_apply_preset(struct window *w, int preset);

/* Applies the next or previous preset (next-layout). */
int window_cycle_preset(struct window *w, bool forward);

/*
 * Applies a layout string. A layout with more places than panes loses places.
 * CAUSE: "invalid layout", "have 3 panes but need 2" ...
 */
int window_apply_text(struct window *w, const char *text, struct cause *cause);

/*
 * Stores the layout for select-layout -o; returns the one stored before
 * (mem_free), or NULL.
 */
char *window_remember_layout(struct window *w);

/*
 * Moves a border of P by CHANGE cells (resize-pane -R -D, negative for -L -U),
 * or makes P SIZE wide or high; unzooms. SIZE does not count the row of
 * pane-border-status.
 */
int window_resize_pane(struct pane *p, enum layout_kind kind, int change);
int window_resize_pane_to(struct pane *p, enum layout_kind kind, int size);

/*
 * Moves the borders at (*X, *Y), at a corner those beside it too, towards
 * another place (mouse), as far as panes can shrink. Stores the place of the
 * borders then, or the other place for a direction in which none moves;
 * -ERR_NOTFOUND if there is no border.
 */
int window_drag_border(struct window *w, int *x, int *y, int to_x, int to_y);

/* Spreads P and its neighbours evenly (select-layout -E). */
bool window_spread(struct pane *p);

/* --- floating panes (window_float.c) ----------------------------------------- */

/* A coordinate or size that a user gave, or none. */
struct window_given {
	bool x, y, w, h;
};

/*
 * Computes the place of a new floating pane with BORDER: AT has the members that
 * GIVEN tells; the others get defaults, with cascading positions.
 * Returns: 0, -ERR_RANGE with a cause ("invalid width").
 */
int window_float_rect(struct window *w, const struct window_given *given,
    int border, struct cell_rect *at, struct cause *cause);

/*
 * Starts a floating pane at R after TARGET in the order of the layout and
 * before NEXT in that of the panes (NULL: the last one); unzooms unless FLAGS
 * has PANE_ABOVE_ZOOM. MODAL: no other pane can be active; the window has no
 * modal pane yet.
 */
int window_float_new(struct window *w, struct pane *target, struct pane *next,
    const struct cell_rect *r, unsigned flags, bool modal,
    const struct pane_start *start, struct pane **out, struct cause *cause);

/* Splits the floating TARGET; the new pane floats beside it. */
int window_float_split(struct window *w, struct pane *target,
    const struct layout_split *how, const struct pane_start *start,
    struct pane **out, struct cause *cause);

/* Makes a tiled pane float at R. */
int window_float(struct pane *p, const struct cell_rect *r);

/* Tiles a floating pane at its place in the layout. */
int window_tile(struct pane *p, struct cause *cause);

/* Places a floating pane. */
int window_float_place(struct pane *p, const struct cell_rect *r);

/* Returns #{pane_z}: the number of floats before P, one more if P is tiled. */
int window_pane_z(const struct pane *p);

/* Returns the number of floats before P in the stack; *count that of all. */
int window_float_depth(const struct pane *p, int *count);

/*
 * Moves P in the stack before the float number Z; 0: to the front. A modal pane
 * stays in front of the others.
 */
void window_restack(struct pane *p, int z);

/* Moves the floats into the window (after a resize). */
void window_floats_clamp(struct window *w);

/* Returns the floating pane whose area or border has the place, or NULL. */
struct pane *window_float_at(const struct window *w, int x, int y);

/*
 * Returns the layout as text (mem_free); VISIBLE: as shown when zoomed. OLD: of
 * version 1, for control clients.
 */
char *window_layout_text(const struct window *w, bool visible);
char *window_layout_text_old(const struct window *w, bool visible);

#endif
