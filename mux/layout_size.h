/*
 * mux/layout_size.h - arithmetic of the layout tree.
 *
 * Purpose:   distributes cells when a window, a pane or a border changes;
 *            computes positions from sizes.
 * Ownership: as layout.h.
 * Units:     cells; a positive change grows.
 * Errors:    -ERR_NOTFOUND when the pane does not exist, -ERR_LIMIT when
 *            nothing could change.
 * Source:    tmux(1), resize-pane and resize-window; rounding as in tmux 3.8
 *            (regress/ref/floats.py).
 * Tests:     regress/unit/check_layout.c
 */
#ifndef MUX_LAYOUT_SIZE_H
#define MUX_LAYOUT_SIZE_H

#include "mux/layout.h"

/*
 * Resizes the window: cells give or get one after another. A layout that cannot
 * become so small stays larger than asked.
 */
void layout_resize(struct layout *l, int w, int h);

/*
 * Moves the border right of (ROW) or below (COLUMN) a pane by CHANGE. The last
 * pane moves the border before it. Implements resize-pane -R, -D (and -L, -U
 * with a negative change).
 */
int layout_resize_pane(
    struct layout *l, uint32_t pane, enum layout_kind kind, int change);

/* Makes a pane SIZE wide or high where its neighbours allow. */
int layout_resize_pane_to(
    struct layout *l, uint32_t pane, enum layout_kind kind, int size);

/* Moves the border after a cell (found by layout_border_at). */
int layout_resize_cell(
    struct layout *l, struct layout_cell *c, enum layout_kind kind, int change);

/*
 * Spreads the siblings of PANE evenly (select-layout -E), in the nearest row or
 * column that can change. Returns whether anything changed.
 */
bool layout_spread(struct layout *l, uint32_t pane);

/* --- for the other layout_*.c -------------------------------------------- */

/* Returns the cells that C can give away. */
int layout_can_shrink(
    const struct layout *l, const struct layout_cell *c, enum layout_kind kind);

/* Tells whether C can have SIZE. */
bool layout_can_be(const struct layout *l, const struct layout_cell *c,
    enum layout_kind kind, int size);

/* Changes the size of C and of all cells below it by CHANGE. */
void layout_adjust(
    struct layout *l, struct layout_cell *c, enum layout_kind kind, int change);

/* Fits the children of C to its new size. */
void layout_fit_children(struct layout *l, struct layout_cell *c);

/* Spreads the children of one cell; returns whether anything changed. */
bool layout_spread_cell(struct layout *l, struct layout_cell *c);

/* Computes the positions of all cells from their sizes. */
void layout_fix_offsets(struct layout *l);

/* Tells whether C gives a row to border text at the window's edge. */
bool layout_edge_row(const struct layout *l, const struct layout_cell *c);

#endif
