/*
 * mux/vt/logical.h - a wrapped line of screen or history as one line.
 *
 * Purpose:   what searching and selecting work on: the joined line, and where
 *            each of its cells is on the grid.
 * Ownership: the caller embeds struct vt_logical (zero-initialised) and calls
 *            vt_logical_fini; it may be filled again and again.
 * Units:     cells of the joined line; grid addresses.
 * Errors:    none.  Lines longer than VT_WRAP_CELLS come in pieces.
 * Source:    our own.
 * Tests:     regress/unit/check_vt_search.c
 */
#ifndef MUX_VT_LOGICAL_H
#define MUX_VT_LOGICAL_H

#include "mux/vt/grid.h"

/* A cell of screen or history. */
struct vt_pos {
	vt_row row;
	unsigned col;
};

static inline int
vt_pos_compare(struct vt_pos a, struct vt_pos b)
{
	if (a.row != b.row)
		return a.row < b.row ? -1 : 1;
	return a.col < b.col ? -1 : a.col > b.col;
}

struct vt_logical {
	struct vt_line *line; /* a reference */
	vt_row first;         /* its first row */
	size_t rows;
	unsigned *start; /* cell each row begins at, [rows] */
	size_t capstart;
	char *text; /* UTF-8 of the cells, see vt_logical_text */
	size_t textlen;
	size_t captext;
};

/* The line ROW (first..end-1 of the grid) is part of. */
void vt_logical_get(struct vt_grid *g, vt_row row, struct vt_logical *lg);
void vt_logical_fini(struct vt_grid *g, struct vt_logical *lg);

/* Where cell CELL is; cells after the end count from the last row. */
struct vt_pos vt_logical_pos(const struct vt_logical *lg, unsigned cell);

/* The cell at a position within the rows of the line. */
unsigned vt_logical_cell(const struct vt_logical *lg, struct vt_pos pos);

/*
 * The text up to the last written cell, erased ones as spaces, NUL-terminated;
 * valid until LG is filled again.
 */
const char *vt_logical_text(struct vt_logical *lg, size_t *len);

/*
 * Walks on from *cell, whose text begins at byte *at, to the cell whose text
 * holds byte OFFSET; both are changed.
 */
void vt_logical_walk(
    const struct vt_logical *lg, size_t offset, unsigned *cell, size_t *at);

#endif
