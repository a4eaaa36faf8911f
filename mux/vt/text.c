/* The rows of a grid as a text; the rows of a wrapped line. */
#include "mux/vt/text.h"

static struct vt_grid *
grid_of(const struct text *t)
{
	return container_of(t, const struct text_grid, text)->grid;
}

static vt_row
grid_first(const struct text *t)
{
	return vt_grid_first(grid_of(t));
}

static vt_row
grid_end(const struct text *t)
{
	return vt_grid_end(grid_of(t));
}

static unsigned
grid_cols(const struct text *t)
{
	return grid_of(t)->cols;
}

static uint64_t
grid_remade(const struct text *t)
{
	return vt_grid_remade(grid_of(t));
}

static const struct vt_line *
grid_row(struct text *t, vt_row row)
{
	return vt_grid_row(grid_of(t), row);
}

static bool
grid_stored(struct text *t, vt_row row, struct vt_stored *out)
{
	struct vt_history *h = grid_of(t)->history;

	return h != NULL && vt_history_line(h, row, out);
}

static bool
grid_page(struct text *t, vt_row row, struct vt_page *out)
{
	struct vt_history *h = grid_of(t)->history;

	return h != NULL && vt_history_page(h, row, out);
}

static const struct text_ops grid_ops = {
	.first = grid_first,
	.end = grid_end,
	.cols = grid_cols,
	.remade = grid_remade,
	.row = grid_row,
	.stored = grid_stored,
	.page = grid_page,
};

void
text_grid_init(struct text_grid *t, struct vt_grid *g)
{
	t->text.ops = &grid_ops;
	t->text.pool = g->pool;
	t->grid = g;
}

vt_row
text_line_first(struct text *t, vt_row row)
{
	const struct vt_line *line;

	while (row > text_first(t) && (line = text_row(t, row - 1)) != NULL &&
	       (line->flags & VT_LINE_WRAPPED) != 0)
		row--;
	return row;
}

vt_row
text_line_last(struct text *t, vt_row row)
{
	const struct vt_line *line;

	while (row + 1 < text_end(t) && (line = text_row(t, row)) != NULL &&
	       (line->flags & VT_LINE_WRAPPED) != 0)
		row++;
	return row;
}
