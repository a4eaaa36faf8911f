/*
 * mux/vt/grid.h - the rows of a screen, with or without a history above them.
 *
 * Purpose:   scrolling, clearing, copying and resizing of whole rows and of
 *            rectangles; everything that needs more than one line.
 * Ownership: the grid owns one reference to each of its lines; rows that are
 *            blank may share one line.  The pool stays the caller's.
 * Units:     columns and rows from 0; rectangles half-open.  A grid address
 *            (vt_row) counts rows from the first one ever written: it stays
 *            good while the text scrolls up.
 * Errors:    sizes are clamped to 1..VT_COLS_MAX and 1..VT_ROWS_MAX;
 *            rectangles are clipped to the grid.
 * Source:    our own; what resizing does follows xterm and VTE.
 * Tests:     regress/unit/check_vt_grid.c, check_vt_reflow.c
 */
#ifndef MUX_VT_GRID_H
#define MUX_VT_GRID_H

#include "mux/vt/history.h"

typedef uint64_t vt_row;

/* A rectangle of cells, half-open. */
struct vt_rect {
	unsigned left;
	unsigned top;
	unsigned right;
	unsigned bottom;
};

/* A place on the screen that a resize has to keep: a cursor. */
struct vt_point {
	unsigned x;
	unsigned y;
	bool pending; /* the wrap is pending: after column x, the last one */
};

struct vt_grid {
	struct vt_pool *pool;
	struct vt_history *history; /* NULL: none (the alternate screen) */
	struct vt_line **lines;     /* lines[0..rows-1], top to bottom */
	struct vt_line **store;     /* allocation `lines` slides in */
	struct vt_line *blank;      /* shared by rows never written */
	unsigned capstore;
	unsigned cols;
	unsigned rows;
};

/* A blank grid; history limits 0 for a grid without one. */
struct vt_grid *vt_grid_new(struct vt_pool *pool, unsigned cols, unsigned rows,
    size_t history_rows, size_t history_bytes);
void vt_grid_free(struct vt_grid *g);

/* Screen row Y to look at. */
static inline const struct vt_line *
vt_grid_line(const struct vt_grid *g, unsigned y)
{
	return g->lines[y];
}

/* Screen row Y to write; its cached hash is forgotten. */
static inline struct vt_line *
vt_grid_own(struct vt_grid *g, unsigned y)
{
	return vt_line_own(g->pool, &g->lines[y]);
}

/* --- the screen --------------------------------------------------------- */

/*
 * Moves the contents of R up (down) by N rows; the rows that come free are
 * blank in ERASE's background.  Rectangles as wide as the grid move lines,
 * others copy cells.
 * In: keep   scroll_up of full-width rows from row 0: what leaves goes to the
 *            history, if there is one
 *     erase  NULL for the default pen
 */
void vt_grid_scroll_up(struct vt_grid *g, const struct vt_rect *r, unsigned n,
    const struct pen *erase, bool keep);
void vt_grid_scroll_down(struct vt_grid *g, const struct vt_rect *r, unsigned n,
    const struct pen *erase);

/* Erases a rectangle; full-width rows also lose their flags. */
void vt_grid_erase(
    struct vt_grid *g, const struct vt_rect *r, const struct pen *erase);

/* Moves all rows down to the last one used (or Y - 1) into the history. */
void vt_grid_keep_screen(struct vt_grid *g, const struct pen *erase);

/* Copies a rectangle to (x, y) (DECCRA); the areas may overlap. */
void vt_grid_copy_rect(
    struct vt_grid *g, const struct vt_rect *r, unsigned x, unsigned y);

/* Puts a line (reference taken) at row Y. */
void vt_grid_set(struct vt_grid *g, unsigned y, struct vt_line *line);

/* --- size ---------------------------------------------------------------- */

/*
 * Changes the size.
 * In: reflow  rejoin and rewrap lines, history included, when COLS changes;
 *             otherwise rows are cut (and stay cut)
 *     pts     places to keep, pts[0] the cursor, which stays on the screen;
 *             all are changed in place and clamped into the new size
 */
void vt_grid_resize(struct vt_grid *g, unsigned cols, unsigned rows,
    bool reflow, struct vt_point *pts, size_t npts);

/* --- screen and history together ------------------------------------------ */

/* First row still held, first row of the screen, one past the last row. */
vt_row vt_grid_first(const struct vt_grid *g);
vt_row vt_grid_screen(const struct vt_grid *g);
vt_row vt_grid_end(const struct vt_grid *g);

/* See vt_history_remade. */
uint64_t vt_grid_remade(const struct vt_grid *g);

/*
 * Row at an address in first..end-1, NULL outside.  Borrowed until the next
 * call for this grid.
 */
const struct vt_line *vt_grid_row(struct vt_grid *g, vt_row row);

void vt_grid_clear_history(struct vt_grid *g);

/*
 * Work on the history that can wait (see vt_history_settle), to be called when
 * idle.  Returns true if there is more to do.
 */
bool vt_grid_settle(struct vt_grid *g);

/* Heap bytes of screen and history. */
size_t vt_grid_bytes(const struct vt_grid *g);

/* NULL, or which invariant is broken. */
const char *vt_grid_check(struct vt_grid *g);

#endif
