#include "mux/vt/output.h"

#include "base/err.h"
#include "mux/vt/pack.h"
#include "mux/vt/select.h"

#define ENDS (VT_LINE_PROMPT | VT_LINE_DONE)

/* Prompts of several lines have no more rows than this. */
#define PROMPT_ROWS 256

/* --- flags of rows ---------------------------------------------------------------- */

struct flags {
	struct text *t;
	struct vt_page page;
	bool paged;
};

static unsigned
paged_flags(const struct flags *f, vt_row row)
{
	unsigned lo = 0, hi = f->page.lines, mid;

	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		if (f->page.start[mid] <= row)
			lo = mid;
		else
			hi = mid;
	}
	/* A line has its marks in its first row. */
	if (f->page.start[lo] != row)
		return 0;
	return vt_pack_framed_flags(f->page.bytes + f->page.off[lo],
	    f->page.off[lo + 1] - f->page.off[lo]);
}

/* No other call may use the text meanwhile: F borrows a page. */
static unsigned
flags_of(struct flags *f, vt_row row)
{
	const struct vt_line *line;

	if (f->paged && row >= f->page.start[0] &&
	    row < f->page.start[f->page.lines])
		return paged_flags(f, row);
	f->paged =
	    f->t->ops->page != NULL && f->t->ops->page(f->t, row, &f->page);
	if (f->paged)
		return paged_flags(f, row);
	line = text_row(f->t, row);
	return line == NULL ? 0 : line->flags;
}

/* Finds a row with one of the flags MASK from ROW on, ROW too. */
static bool
find_after(struct text *t, vt_row row, unsigned mask, vt_row *out)
{
	struct flags f = { .t = t };

	for (; row < text_end(t); row++)
		if ((flags_of(&f, row) & mask) != 0) {
			*out = row;
			return true;
		}
	return false;
}

/* The same from ROW backwards, at most MAX rows. */
static bool
find_before(struct text *t, vt_row row, unsigned mask, vt_row max, vt_row *out)
{
	struct flags f = { .t = t };
	const vt_row first = text_first(t);

	for (; max > 0 && row >= first; row--, max--) {
		if ((flags_of(&f, row) & mask) != 0) {
			*out = row;
			return true;
		}
		if (row == first)
			break;
	}
	return false;
}

/* --- outputs ------------------------------------------------------------------------ */

static struct vt_pos
end_at(struct text *t, vt_row row)
{
	const struct vt_line *line = text_row(t, row);

	return (struct vt_pos){ row,
		line == NULL ? 0 : MIN_OF(line->ended, text_cols(t)) };
}

/* The place after the last row with text. */
static struct vt_pos
last_text(struct text *t, vt_row from)
{
	vt_row end = text_end(t);
	const struct vt_line *line;

	while (end > from && (line = text_row(t, end - 1)) != NULL &&
	       vt_line_written(line) == 0)
		end--;
	return (struct vt_pos){ end, 0 };
}

int
vt_output_at(struct text *t, vt_row row, struct vt_output *out)
{
	vt_row end;

	row = CLAMP(row, text_first(t), text_end(t) - 1);
	if (!find_before(t, row, VT_LINE_OUTPUT, UINT64_MAX, &row))
		return -ERR_NOTFOUND;
	*out = (struct vt_output){ .prompt = row, .start = { row, 0 } };
	if (find_after(t, row, ENDS, &end)) {
		out->end = end_at(t, end);
	} else {
		out->running = true;
		out->end = last_text(t, row);
	}
	if (row > text_first(t))
		(void)find_before(
		    t, row - 1, VT_LINE_PROMPT, PROMPT_ROWS, &out->prompt);
	return 0;
}

int
vt_output_previous(
    struct text *t, const struct vt_output *out, struct vt_output *previous)
{
	if (out->start.row <= text_first(t))
		return -ERR_NOTFOUND;
	return vt_output_at(t, out->start.row - 1, previous);
}

int
vt_output_last(struct text *t, struct vt_output *out)
{
	struct vt_output last;
	int r = vt_output_at(t, text_end(t) - 1, out);

	if (r != 0 || !out->running)
		return r;
	last = *out;
	return vt_output_previous(t, &last, out);
}

int
vt_output_text(
    struct buf *out, struct text *t, struct vt_pos start, struct vt_pos end)
{
	struct vt_range range = { start, end, false };
	const size_t before = out->len;
	int r;

	if (vt_pos_compare(start, end) >= 0)
		return 0;
	if (end.col > 0)
		range.end.col--;
	else
		range.end = (struct vt_pos){ end.row - 1, text_cols(t) - 1 };
	r = vt_select_text(out, t, &range);
	while (out->len > before && out->data[out->len - 1] == ' ')
		buf_truncate(out, out->len - 1);
	return r;
}
