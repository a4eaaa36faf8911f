#include "mux/mode/copy_take.h"

#include "base/mem.h"
#include "mux/mode/copy_int.h"

#define TAKE_ROWS 500 /* of a slice; fewer are copied at once */

struct take {
	struct mode_text text;
	struct copy copy; /* without a pane: what rows of text depend on */
	struct copy_span span;
	vt_row row; /* the next one */
};

static void
take_free(struct mode_text *text)
{
	struct take *t = container_of(text, struct take, text);

	copy_text_fini(&t->copy.text);
	mem_free(t);
}

static int
take_more(struct mode_text *text)
{
	struct take *t = container_of(text, struct take, text);
	int r =
	    copy_span_rows(&t->copy, &t->span, &t->row, TAKE_ROWS, &text->text);

	if (r == 0 && t->row <= t->span.b.row)
		return -ERR_AGAIN;
	if (r == 0)
		copy_span_end(&t->copy, &t->span, &text->text);
	return r;
}

static struct mode_text *
take_new(const struct copy *c, const struct copy_span *span, size_t max)
{
	struct take *t = mem_zalloc(sizeof(*t));

	buf_init(&t->text.text, max);
	t->text.more = take_more;
	t->text.free = take_free;
	t->copy.env = c->env;
	t->copy.cols = c->cols;
	t->copy.rows = c->rows;
	t->copy.text.base = c->text.base;
	text_grid_init(&t->copy.text.rows,
	    vt_grid_snapshot(c->text.rows.grid, c->text.rows.grid));
	t->span = *span;
	t->row = span->a.row;
	return &t->text;
}

int
copy_take(struct copy *c, struct buf *text, struct mode_text **rest)
{
	const struct copy_span span = copy_span(c);
	vt_row row = span.a.row;
	int r;

	if (c->mode.pane != NULL && span.b.row - row >= TAKE_ROWS) {
		*rest = take_new(c, &span, text->max);
		return 0;
	}
	r = copy_span_rows(c, &span, &row, SIZE_MAX, text);
	if (r == 0)
		copy_span_end(c, &span, text);
	return r;
}
