/*
 * Changing the size of a grid.
 */
#include "base/mem.h"
#include "mux/vt/grid.h"

void
vt_grid_resize(struct vt_grid *g, unsigned cols, unsigned rows, bool reflow,
    struct vt_point *pts, size_t npts)
{
	struct vt_line **old = g->store, **lines;
	unsigned y, drop;
	size_t i;

	(void)reflow;
	cols = CLAMP(cols, 1u, (unsigned)VT_COLS_MAX);
	rows = CLAMP(rows, 1u, (unsigned)VT_ROWS_MAX);
	drop = npts > 0 && pts[0].y >= rows ? pts[0].y - rows + 1 : 0;
	g->capstore = rows * 2 + 32;
	lines = mem_calloc(g->capstore, sizeof(*lines));
	for (y = 0; y < g->rows; y++) {
		if (y < drop && g->history != NULL)
			vt_history_push(g->history, g->lines[y]);
		else if (y < drop || y - drop >= rows)
			vt_line_unref(g->pool, g->lines[y]);
		else
			lines[y - drop] = g->lines[y];
	}
	for (y = 0; y < rows; y++) {
		if (lines[y] == NULL)
			lines[y] = vt_line_ref(g->blank);
		if (lines[y]->len > cols)
			vt_line_truncate(vt_line_own(g->pool, &lines[y]), cols);
	}
	mem_free(old);
	g->store = g->lines = lines;
	g->rows = rows;
	g->cols = cols;
	for (i = 0; i < npts; i++) {
		pts[i].y = pts[i].y < drop ? 0 : pts[i].y - drop;
		pts[i].y = MIN_OF(pts[i].y, rows - 1);
		if (pts[i].x >= cols)
			pts[i].x = cols - 1;
	}
}
