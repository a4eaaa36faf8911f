/*
 * regress/unit/vt_fill.h - a terminal that can only print and wrap.
 *
 * Purpose:   fills grids with text for tests that read them.
 * Ownership: plain values; the caller owns the grid.
 * Units:     columns.
 */
#ifndef REGRESS_VT_FILL_H
#define REGRESS_VT_FILL_H

#include "base/utf8.h"
#include "mux/vt/grid.h"

struct fill {
	struct vt_grid *g;
	struct vt_point pt;
};

static inline void
fill_newline(struct fill *t)
{
	struct vt_rect all = { 0, 0, t->g->cols, t->g->rows };

	t->pt.x = 0;
	t->pt.pending = false;
	if (t->pt.y + 1 < t->g->rows)
		t->pt.y++;
	else
		vt_grid_scroll_up(t->g, &all, 1, NULL, true);
}

static inline void
fill_put(struct fill *t, uint32_t cp, bool wide)
{
	unsigned w = wide ? 2 : 1;
	struct vt_line *line;

	if (w > t->g->cols)
		return;
	if (t->pt.pending || t->pt.x + w > t->g->cols) {
		line = vt_grid_own(t->g, t->pt.y);
		if (!t->pt.pending)
			vt_line_put_pad(line, t->pt.x, 0);
		line->flags |= VT_LINE_WRAPPED;
		fill_newline(t);
	}
	line = vt_grid_own(t->g, t->pt.y);
	vt_line_put(line, t->pt.x, cp, wide ? VT_WIDE : VT_NARROW, 0);
	t->pt.x += w;
	t->pt.pending = t->pt.x == t->g->cols;
	if (t->pt.pending)
		t->pt.x--;
}

/* Writes a tab of N columns, or up to the last column. */
static inline void
fill_tab(struct fill *t, unsigned n)
{
	if (t->pt.pending || t->pt.x + 1 >= t->g->cols)
		return;
	n = MIN_OF(n, t->g->cols - 1 - t->pt.x);
	vt_line_put_tab(vt_grid_own(t->g, t->pt.y), t->pt.x, n, 0);
	t->pt.x += n;
}

/*
 * Writes UTF-8; cells from U+1100 on are wide; a combining acute is appended.
 */
static inline void
fill_text(struct fill *t, const char *s)
{
	const uint8_t *p = (const uint8_t *)s;
	size_t n = strlen(s), k;
	uint32_t cp;

	for (; n > 0; p += k, n -= k) {
		k = utf8_decode_final(p, n, &cp);
		if (cp == '\n')
			fill_newline(t);
		else if (cp == 0x301)
			vt_line_append(t->g->pool, vt_grid_own(t->g, t->pt.y),
			    t->pt.pending ? t->pt.x : t->pt.x - 1, cp);
		else
			fill_put(t, cp, cp >= 0x1100);
	}
}

#endif
