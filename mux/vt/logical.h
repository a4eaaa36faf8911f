/*
 * mux/vt/logical.h - a wrapped line of a text as one line.
 *
 * Purpose:   joins the rows of a wrapped line for searching and selecting, and
 *            converts between its cells and places in the text.
 * Ownership: the caller embeds struct vt_logical (zero-initialised), fills it
 *            as often as it likes and calls vt_logical_fini.
 * Units:     cells of the joined line; bytes of its UTF-8.
 * Tests:     regress/unit/check_vt_search.c
 *
 * Lines that exceed the limits in wrap.h come in pieces.
 */
#ifndef MUX_VT_LOGICAL_H
#define MUX_VT_LOGICAL_H

#include "mux/vt/text.h"

struct vt_logical {
	struct vt_line *line; /* a reference */
	vt_row first;         /* its first row */
	size_t rows;
	unsigned *start; /* the cell at which each row begins, [rows] */
	size_t capstart;
	char *text; /* see vt_logical_text */
	size_t textlen;
	size_t captext;
};

/* Fills LG with the line that ROW (first..end-1 of the text) is part of. */
void vt_logical_get(struct text *t, vt_row row, struct vt_logical *lg);
void vt_logical_fini(struct text *t, struct vt_logical *lg);

/* Returns the place of a cell; cells after the end count from the last row. */
struct vt_pos vt_logical_pos(const struct vt_logical *lg, unsigned cell);

/* Returns the cell at a place within the rows of the line. */
unsigned vt_logical_cell(const struct vt_logical *lg, struct vt_pos pos);

/*
 * Returns the text up to the last written cell, NUL-terminated, with a space
 * for each erased cell and each padding; valid until LG is filled again.
 */
const char *vt_logical_text(struct vt_logical *lg, size_t *len);

/*
 * Advances *cell, whose text begins at byte *at, to the cell whose text holds
 * byte OFFSET; updates both.
 */
void vt_logical_walk(
    const struct vt_logical *lg, size_t offset, unsigned *cell, size_t *at);

#endif
