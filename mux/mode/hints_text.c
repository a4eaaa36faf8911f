#include "mux/mode/hints_text.h"

#include "base/mem.h"

static const struct hints_text *
of(const struct text *t)
{
	return container_of(t, const struct hints_text, text);
}

static vt_row
kept_first(UNUSED const struct text *t)
{
	return 0;
}

static vt_row
kept_end(const struct text *t)
{
	return of(t)->count;
}

static unsigned
kept_cols(const struct text *t)
{
	return of(t)->cols;
}

static uint64_t
kept_remade(UNUSED const struct text *t)
{
	return 0;
}

static const struct vt_line *
kept_row(struct text *t, vt_row row)
{
	return of(t)->lines[row];
}

static const struct text_ops kept_ops = {
	.first = kept_first,
	.end = kept_end,
	.cols = kept_cols,
	.remade = kept_remade,
	.row = kept_row,
};

static bool
wraps(struct text *src, vt_row row)
{
	const struct vt_line *l = text_row(src, row);

	return l != NULL && (l->flags & VT_LINE_WRAPPED) != 0;
}

void
hints_text_take(
    struct hints_text *t, struct text *src, vt_row top, unsigned rows)
{
	vt_row first = CLAMP(top, text_first(src), text_end(src) - 1);
	vt_row end = MIN_OF(first + rows, text_end(src));
	unsigned more, i;

	top = first;
	for (more = 0; more < HINTS_TEXT_MORE && first > text_first(src) &&
		       wraps(src, first - 1);
	     more++)
		first--;
	for (more = 0; more < HINTS_TEXT_MORE && end < text_end(src) &&
		       wraps(src, end - 1);
	     more++)
		end++;
	hints_text_fini(t);
	t->text.ops = &kept_ops;
	t->text.pool = src->pool;
	t->cols = text_cols(src);
	t->top = (unsigned)(top - first);
	t->count = (unsigned)(end - first);
	t->lines = mem_calloc(t->count, sizeof(struct vt_line *));
	for (i = 0; i < t->count; i++)
		t->lines[i] = vt_line_ref(text_row(src, first + i));
}

void
hints_text_fini(struct hints_text *t)
{
	unsigned i;

	for (i = 0; i < t->count; i++)
		vt_line_unref(t->text.pool, t->lines[i]);
	mem_free(t->lines);
	t->lines = NULL;
	t->count = 0;
}
