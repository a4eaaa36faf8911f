/*
 * regress/unit/block_util.h - blocks in frames, for tests.
 *
 * Purpose:   writes a block as the server's views have it.
 * Units:     columns and rows.
 */
#ifndef REGRESS_UNIT_BLOCK_UTIL_H
#define REGRESS_UNIT_BLOCK_UTIL_H

#include <string.h>

#include "mux/vt/block.h"
#include "mux/vt/frame.h"

/* Whether a block of this size has room at (X, Y), beside double rows. */
static inline bool
block_util_fits(
    const struct vt_frame *f, unsigned x, unsigned y, const struct vt_block *b)
{
	unsigned i;

	if (x + (unsigned)b->scale * b->width > f->cols ||
	    y + b->scale > f->rows)
		return false;
	for (i = 0; i < b->scale; i++)
		if ((f->lines[y + i]->flags & VT_LINE_DOUBLE) != 0)
			return false;
	return true;
}

/* Writes a block, which must fit; its first cell shows the first byte. */
static inline void
block_util_put(struct vt_frame *f, unsigned x, unsigned y,
    const struct vt_block *size, const char *text, const struct pen *pen,
    struct vt_link *over)
{
	const unsigned cols = (unsigned)size->scale * size->width;
	struct vt_block b = *size;
	struct vt_line *line;
	struct vt_link *k;
	unsigned style;

	for (b.row = 0; b.row < b.scale; b.row++) {
		line = vt_frame_own(f, y + b.row);
		k = vt_block_new(&b, text, strlen(text), over);
		style = vt_line_style(NULL, line, pen, k);
		vt_line_fill(line, x, x + cols, 0, style);
		if (b.row == 0)
			vt_line_put(
			    line, x, (uint8_t)text[0], VT_NARROW, style);
		vt_block_mark(line, x, cols, k, 0);
		line->flags |= VT_LINE_SIZED;
		vt_link_unref(k);
	}
}

/* Lets the rows of F that may have blocks be sent with them. */
static inline void
block_util_sized(struct vt_frame *f)
{
	unsigned y;

	for (y = 0; y < f->rows; y++)
		if ((f->lines[y]->flags & VT_LINE_BLOCKS) != 0)
			vt_frame_own(f, y)->flags |= VT_LINE_SIZED;
}

#endif
