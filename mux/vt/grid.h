/*
 * mux/vt/grid.h - the rows of a screen, with or without a history above them.
 *
 * Purpose:   scrolls, clears, copies and resizes whole rows and rectangles:
 *            everything that needs more than one line.
 * Ownership: the grid owns one reference to each of its lines; blank rows may
 *            share one line.  The caller owns the pool and the anchors.
 * Units:     columns and rows from 0; rectangles half-open.  A grid address
 *            (vt_row) counts rows from the first one ever written: it stays
 *            valid while the text scrolls up.
 * Errors:    sizes are clamped to 1..VT_COLS_MAX and 1..VT_ROWS_MAX;
 *            rectangles are clipped to the grid.
 * Source:    resizing follows xterm and VTE.
 * Tests:     regress/unit/check_vt_grid.c, check_vt_reflow.c
 */
#ifndef MUX_VT_GRID_H
#define MUX_VT_GRID_H

#include "base/list.h"
#include "mux/vt/history.h"

typedef uint64_t vt_row;

/* A rectangle of cells, half-open. */
struct vt_rect {
	unsigned left;
	unsigned top;
	unsigned right;
	unsigned bottom;
};

/*
 * A cell of screen or history that follows its text when the grid is resized,
 * or the column after the last one.
 * When the history drops its row, `row` lies before vt_grid_first.
 */
struct vt_anchor {
	struct list_node node;
	vt_row row;
	unsigned col;
	bool lost; /* its text was dropped; the place is the oldest one left */
};

/* A place on the screen that a resize must follow: a cursor. */
struct vt_point {
	unsigned x;
	unsigned y;
	bool pending; /* wrap pending: the place is after the last column, x */
};

struct vt_grid {
	struct vt_pool *pool;
	struct vt_history *history; /* NULL: none (the alternate screen) */
	struct vt_line **lines;     /* lines[0..rows-1], top to bottom */
	struct vt_line **store;     /* allocation within which `lines` moves */
	struct vt_line *blank;      /* shared by rows that were never written */
	unsigned capstore;
	unsigned cols;
	unsigned rows;
	size_t scrolled; /* rows that a taller screen takes back from history */
	struct list anchors;
};

/* Creates a blank grid; without a history if HISTORY_ROWS is 0. */
struct vt_grid *vt_grid_new(struct vt_pool *pool, unsigned cols, unsigned rows,
    size_t history_rows, size_t history_bytes);
void vt_grid_free(struct vt_grid *g);

/*
 * Returns a grid with a history: that of G above the screen SHOWN, which is G
 * or as wide.  G and SHOWN do not change it any more; it shares lines and pages
 * with them (see vt_history_snapshot).
 */
struct vt_grid *vt_grid_snapshot(
    const struct vt_grid *g, const struct vt_grid *shown);

/* Returns screen row Y for reading. */
static inline const struct vt_line *
vt_grid_line(const struct vt_grid *g, unsigned y)
{
	return g->lines[y];
}

/* Returns screen row Y for writing; drops its cached hash. */
static inline struct vt_line *
vt_grid_own(struct vt_grid *g, unsigned y)
{
	return vt_line_own(g->pool, &g->lines[y]);
}

/* --- the screen --------------------------------------------------------- */

/*
 * Moves the contents of R up (down) by N rows; the rows that become free are
 * blank in ERASE's background.  In rectangles as wide as the grid the functions
 * move lines, in others they copy cells.
 * In: keep   scroll_up of full-width rows from row 0: the rows that leave go to
 *            the history, if there is one
 *     erase  NULL for the default pen
 */
void vt_grid_scroll_up(struct vt_grid *g, const struct vt_rect *r, unsigned n,
    const struct pen *erase, bool keep);
void vt_grid_scroll_down(struct vt_grid *g, const struct vt_rect *r, unsigned n,
    const struct pen *erase);

/* Erases a rectangle; full-width rows also lose their flags. */
void vt_grid_erase(
    struct vt_grid *g, const struct vt_rect *r, const struct pen *erase);

/* Moves all rows up to the last used one into the history. */
void vt_grid_keep_screen(struct vt_grid *g, const struct pen *erase);

/* Copies a rectangle to (x, y) (DECCRA); the areas may overlap. */
void vt_grid_copy_rect(
    struct vt_grid *g, const struct vt_rect *r, unsigned x, unsigned y);

/* Puts a line (reference taken) at row Y. */
void vt_grid_set(struct vt_grid *g, unsigned y, struct vt_line *line);

/* --- size ---------------------------------------------------------------- */

/*
 * Changes the size.
 * In: reflow  rejoin and rewrap lines, history included, if COLS changes;
 *             otherwise rows are cut (and stay cut)
 *     pts     places to follow; pts[0] is the cursor, which a change of height
 *             keeps on the screen.  All are updated and clamped to the new
 *             size.  With REFLOW and another width a cursor behind its line's
 *             last character moves there, and a place that leaves the screen
 *             to its top left corner
 */
void vt_grid_resize(struct vt_grid *g, unsigned cols, unsigned rows,
    bool reflow, struct vt_point *pts, size_t npts);

/* --- screen and history together ------------------------------------------ */

/*
 * Return the first row kept, the first row of the screen, and the row after the
 * last.
 */
vt_row vt_grid_first(const struct vt_grid *g);
vt_row vt_grid_screen(const struct vt_grid *g);
vt_row vt_grid_end(const struct vt_grid *g);

/* See vt_history_remade. */
uint64_t vt_grid_remade(const struct vt_grid *g);

/*
 * Returns the row at an address in first..end-1, else NULL.  Borrowed until the
 * next call for this grid.
 */
const struct vt_line *vt_grid_row(struct vt_grid *g, vt_row row);

void vt_grid_clear_history(struct vt_grid *g);

/*
 * Does delayed work on the history (see vt_history_settle).  Call it when idle.
 * Returns true if work remains.
 */
bool vt_grid_settle(struct vt_grid *g);

/*
 * Start and stop to update an anchor.  The caller keeps it in place in between;
 * vt_grid_free stops all.
 */
void vt_grid_anchor(
    struct vt_grid *g, struct vt_anchor *a, vt_row row, unsigned col);
void vt_grid_unanchor(struct vt_grid *g, struct vt_anchor *a);

/* Returns the heap bytes of screen and history. */
size_t vt_grid_bytes(const struct vt_grid *g);

/* Returns NULL, or the name of a broken invariant. */
const char *vt_grid_check(struct vt_grid *g);

#endif
