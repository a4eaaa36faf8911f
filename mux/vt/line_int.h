/*
 * mux/vt/line_int.h - shared by the files that implement line.h.
 *
 * Purpose:   growing a line's cells, adding styles without compaction.
 * Ownership: as in line.h.
 * Units:     columns.
 * Tests:     regress/unit/check_vt_line.c
 */
#ifndef MUX_VT_LINE_INT_H
#define MUX_VT_LINE_INT_H

#include <string.h>

#include "mux/vt/line.h"

/* Makes room for at least CAP cells. */
void vt_line_grow(struct vt_line *line, unsigned cap);

/*
 * Adds a style without compacting the table, so earlier indices stay valid.
 * Returns 0 (the default style) if the table is full.
 */
unsigned vt_line_style_add(
    struct vt_line *line, const struct pen *pen, struct vt_link *link);

/*
 * Drops unused styles and links if the tables have more than the cells can use.
 */
void vt_line_styles_trim(struct vt_pool *pool, struct vt_line *line);

/* Makes room for N bytes of cluster text; collects garbage first. */
void vt_line_text_room(struct vt_line *line, size_t n);

/* Appends a cluster to the line's text and returns the cell value for it. */
uint32_t vt_line_text_add(struct vt_line *line, const void *p, size_t n);

/* Turns the tab that the cell at COL belongs to into spaces. */
void vt_line_untab(struct vt_line *line, unsigned col);

/*
 * Turns a wide cell or a tab that straddles the border before COL into spaces.
 */
static inline void
vt_line_cut(struct vt_line *line, unsigned col)
{
	if (col < line->len && unlikely(vt_cell_continues(line->cells[col]))) {
		struct vt_cell *c = &line->cells[col];

		if (c->width == VT_TAB_REST) {
			vt_line_untab(line, col);
			return;
		}
		c[-1].ch = c[0].ch = ' ';
		c[-1].width = c[0].width = VT_NARROW;
	}
}

/*
 * Makes cells from..to-1 writable: grows the line, blanks the gap before them,
 * splits wide cells across the edges.  The cells themselves may hold garbage.
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
