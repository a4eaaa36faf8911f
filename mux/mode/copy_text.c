#include "mux/mode/copy_text.h"

#include "base/mem.h"

void
copy_text_fini(struct copy_text *t)
{
	vt_grid_free(t->rows.grid);
	t->rows.grid = NULL;
}

void
copy_text_take(struct copy_text *t, const struct vt_term *term, unsigned cols,
    unsigned rows)
{
	const struct vt_term_cursor at = vt_term_cursor(term);

	copy_text_fini(t);
	text_grid_init(&t->rows,
	    vt_grid_snapshot(vt_term_main_grid(term), vt_term_grid(term)));
	t->point = (struct vt_point){ at.x, at.y, at.pending };
	copy_text_resize(t, cols, rows, NULL, 0);
}

void
copy_text_resize(struct copy_text *t, unsigned cols, unsigned rows,
    struct vt_pos *places, size_t n)
{
	struct vt_grid *g = t->rows.grid;
	struct vt_anchor *anchors = mem_calloc(n + 1, sizeof(*anchors));
	size_t i;

	for (i = 0; i < n; i++)
		vt_grid_anchor(g, &anchors[i], places[i].row, places[i].col);
	vt_grid_resize(g, cols, rows, true, &t->point, 1);
	for (i = 0; i < n; i++) {
		vt_grid_unanchor(g, &anchors[i]);
		places[i].row = anchors[i].row;
		places[i].col = anchors[i].col;
	}
	mem_free(anchors);
	t->base = vt_grid_screen(g);
}
