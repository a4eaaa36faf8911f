/*
 * mux/layout_float.h - floating leaves of a layout.
 *
 * Purpose:   adds floating leaves, makes tiled leaves float and tiles them
 *            again, computes the places of new ones.
 * Ownership: as layout.h.
 * Units:     cells of the window. The rectangle of a leaf is that of its pane,
 *            without the border. It may lie outside the window in part or as a
 *            whole.
 * Errors:    -ERR_NOTFOUND when the pane is not in the tree, -ERR_STATE when it
 *            floats (or is tiled) already, -ERR_LIMIT when there is no room;
 *            the tree is then unchanged.
 * Source:    tmux(1), new-pane, break-pane -W, join-pane, move-pane; sizes and
 *            places as tmux 3.8 computes them (regress/ref/floats.py).
 * Tests:     regress/unit/check_layout_float.c
 */
#ifndef MUX_LAYOUT_FLOAT_H
#define MUX_LAYOUT_FLOAT_H

#include "base/types.h"
#include "mux/layout.h"

/* Adds a floating leaf of ADDED after the leaf of BESIDE in the tree. */
int layout_float_add(struct layout *l, uint32_t beside, uint32_t added,
    const struct cell_rect *r);

/* Adds a floating leaf as the root's last child; a leaf becomes a column. */
void layout_float_append(
    struct layout *l, uint32_t added, const struct cell_rect *r);

/* Adds a floating leaf to PARENT after its child BEHIND, or first (NULL). */
struct layout_cell *layout_float_insert(struct layout_cell *parent,
    struct layout_cell *behind, uint32_t added, const struct cell_rect *r);

/* Makes a tiled leaf float; its neighbour grows. */
int layout_float(struct layout *l, uint32_t pane, const struct cell_rect *r);

/*
 * Tiles a floating leaf at its place in the tree; its neighbour shrinks. The
 * leaf's member saved keeps the place where it floated.
 */
int layout_tile(struct layout *l, uint32_t pane);

/* Places a floating leaf. */
int layout_float_place(
    struct layout *l, uint32_t pane, const struct cell_rect *r);

/*
 * Moves R with its BORDER into a window of COLS by ROWS, and makes it smaller
 * if it is too large.
 */
void layout_float_clamp(struct cell_rect *r, int border, int cols, int rows);

/* How to split the place of a floating leaf. */
struct layout_float_split {
	enum layout_kind kind;
	bool before;
	bool full; /* the new one as wide or high as the window */
};

/*
 * Computes a place for a new leaf beside OLD: of its size, or else both share
 * the room of the window. -ERR_LIMIT if there is none.
 */
int layout_float_split(const struct layout_float_split *how,
    struct cell_rect *old, struct cell_rect *added, int cols, int rows);

#endif
