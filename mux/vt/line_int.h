/*
 * mux/vt/line_int.h - what the files of line.h share among themselves.
 *
 * Purpose:   room in a line's cells, and entering styles without compaction.
 * Ownership: as in line.h.
 * Units:     columns.
 * Errors:    none.
 * Source:    our own.
 * Tests:     regress/unit/check_vt_line.c
 */
#ifndef MUX_VT_LINE_INT_H
#define MUX_VT_LINE_INT_H

#include <string.h>

#include "mux/vt/line.h"

/* Room for CAP cells at least. */
void vt_line_grow(struct vt_line *line, unsigned cap);

/*
 * Enters a style, never compacting, so that indices taken earlier stay good.
 * Returns 0 (the default style) should the table be full.
 */
unsigned vt_line_style_add(
    struct vt_line *line, const struct pen *pen, struct vt_link *link);

/* Drops unused styles and links if there are more than the cells can use. */
void vt_line_styles_trim(struct vt_pool *pool, struct vt_line *line);

/* Room for N bytes of cluster text, garbage collected first. */
void vt_line_text_room(struct vt_line *line, size_t n);

/* Writes a cluster into the line's text and gives the cell value for it. */
uint32_t vt_line_text_add(struct vt_line *line, const void *p, size_t n);

/* Makes a wide cell across the border before COL two spaces. */
static inline void
vt_line_cut(struct vt_line *line, unsigned col)
{
	if (col < line->len && unlikely(line->cells[col].width == VT_TAIL)) {
		struct vt_cell *c = &line->cells[col];

		c[-1].ch = c[0].ch = ' ';
		c[-1].width = c[0].width = VT_NARROW;
	}
}

/*
 * Makes cells from..to-1 writable: grows, blanks the gap before, takes wide
 * cells across the edges apart.  The cells themselves may be garbage.
 */
static inline struct vt_cell *
vt_line_open(struct vt_line *line, unsigned from, unsigned to)
{
	if (unlikely(to > line->cap))
		vt_line_grow(line, to);
	vt_line_cut(line, from);
	vt_line_cut(line, to);
	if (to > line->len) {
		if (from > line->len)
			memset(line->cells + line->len, 0,
			    (from - line->len) * sizeof(struct vt_cell));
		line->len = (uint16_t)to;
	}
	return line->cells + from;
}

#endif
