#include "mux/mode/copy_text.h"

#include "base/mem.h"

static struct copy_text *
of(const struct text *t)
{
	return container_of(t, struct copy_text, text);
}

static vt_row
copy_text_first(const struct text *t)
{
	const struct copy_text *ct = of(t);
	vt_row first;

	if (ct->grid == NULL)
		return ct->base;
	first = vt_grid_first(ct->grid);
	return first < ct->base ? first : ct->base;
}

static vt_row
copy_text_end(const struct text *t)
{
	return of(t)->base + of(t)->rows;
}

static unsigned
copy_text_cols(const struct text *t)
{
	return of(t)->cols;
}

static uint64_t
copy_text_remade(const struct text *t)
{
	return of(t)->grid == NULL ? 0 : vt_grid_remade(of(t)->grid);
}

static const struct vt_line *
copy_text_row(struct text *t, vt_row row)
{
	struct copy_text *ct = of(t);

	if (row >= ct->base)
		return ct->lines[row - ct->base];
	return vt_grid_row(ct->grid, row);
}

static const struct text_ops copy_text_ops = {
	.first = copy_text_first,
	.end = copy_text_end,
	.cols = copy_text_cols,
	.remade = copy_text_remade,
	.row = copy_text_row,
};

void
copy_text_fini(struct copy_text *t)
{
	unsigned y;

	for (y = 0; y < t->rows; y++)
		vt_line_unref(NULL, t->lines[y]);
	mem_free(t->lines);
	t->lines = NULL;
	t->rows = 0;
}

void
copy_text_take(struct copy_text *t, const struct vt_term *term, unsigned cols,
    unsigned rows)
{
	const struct vt_grid *shown = vt_term_grid(term);
	unsigned y;

	copy_text_fini(t);
	t->grid = vt_term_main_grid(term);
	t->text.ops = &copy_text_ops;
	t->text.pool = t->grid->pool;
	t->base = vt_grid_screen(t->grid);
	t->cols = cols;
	t->rows = rows;
	t->lines = mem_calloc(rows, sizeof(*t->lines));
	for (y = 0; y < rows; y++)
		t->lines[y] = y < shown->rows
				  ? vt_line_ref(vt_grid_line(shown, y))
				  : vt_line_new(NULL);
}
