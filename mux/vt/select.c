/* Selections. */
#include "mux/vt/select.h"

#include <string.h>

#include "base/err.h"
#include "mux/vt/dump.h"

enum word_class {
	CLASS_SPACE,
	CLASS_SEPARATOR,
	CLASS_WORD,
};

/* Returns the class of a cell of a joined line. */
static enum word_class
cell_class(const struct vt_line *line, unsigned cell, const char *separators)
{
	char text[VT_CLUSTER_MAX + 1];

	if (cell > 0 && vt_line_cell(line, cell).width == VT_TAIL)
		cell--;
	vt_line_text(line, cell, text);
	if (text[0] == '\0' || strcmp(text, " ") == 0)
		return CLASS_SPACE;
	if (separators != NULL && strstr(separators, text) != NULL)
		return CLASS_SEPARATOR;
	return CLASS_WORD;
}

static struct vt_pos
pos_clamp(struct text *t, struct vt_pos pos)
{
	vt_row first = text_first(t), last = text_end(t) - 1;

	if (pos.row < first)
		return (struct vt_pos){ first, 0 };
	if (pos.row > last)
		return (struct vt_pos){ last, text_cols(t) - 1 };
	pos.col = MIN_OF(pos.col, text_cols(t) - 1);
	return pos;
}

struct vt_range
vt_select_word(struct text *t, struct vt_pos pos, const char *separators)
{
	struct vt_logical lg = { 0 };
	struct vt_range r = { pos, pos, false };
	unsigned from, to, last, end;
	enum word_class class;

	pos = pos_clamp(t, pos);
	vt_logical_get(t, pos.row, &lg);
	from = to = vt_logical_cell(&lg, pos);
	class = cell_class(lg.line, from, separators);
	/* Columns after the text are spaces up to the end of the row. */
	last = lg.start[lg.rows - 1] + text_cols(t) - 1;
	end = vt_line_written(lg.line);
	while (from > 0 && cell_class(lg.line, from - 1, separators) == class)
		from--;
	while (to < last && (to + 1 < end || class == CLASS_SPACE) &&
	       cell_class(lg.line, to + 1, separators) == class)
		to++;
	r.start = vt_logical_pos(&lg, from);
	r.end = vt_logical_pos(&lg, to);
	r.end.col = MIN_OF(r.end.col, text_cols(t) - 1);
	vt_logical_fini(t, &lg);
	return r;
}

/* Returns the width of a cell; narrow for rows that do not exist. */
static unsigned
cell_width(struct text *t, vt_row row, unsigned col)
{
	const struct vt_line *line = text_row(t, row);

	return line == NULL ? VT_NARROW : vt_line_cell(line, col).width;
}

/* Moves both ends so that they cut no wide cell. */
static void
range_whole_cells(struct text *t, struct vt_range *r)
{
	if (cell_width(t, r->start.row, r->start.col) == VT_TAIL)
		r->start.col--;
	if (cell_width(t, r->end.row, r->end.col) == VT_WIDE)
		r->end.col++;
}

static void
range_lines(struct text *t, struct vt_range *r)
{
	r->start.row = text_line_first(t, r->start.row);
	r->start.col = 0;
	r->end.row = text_line_last(t, r->end.row);
	r->end.col = text_cols(t) - 1;
}

struct vt_range
vt_select_range(
    struct text *t, const struct vt_selection *sel, const char *separators)
{
	struct vt_range r = { pos_clamp(t, sel->a), pos_clamp(t, sel->b),
		sel->kind == VT_SELECT_BLOCK };
	unsigned left = MIN_OF(r.start.col, r.end.col);
	struct vt_pos tmp = r.start;

	if (r.block) {
		r.start.row = MIN_OF(tmp.row, r.end.row);
		r.end.row = MAX_OF(tmp.row, r.end.row);
		r.end.col = MAX_OF(tmp.col, r.end.col);
		r.start.col = left;
		return r;
	}
	if (vt_pos_compare(r.start, r.end) > 0) {
		r.start = r.end;
		r.end = tmp;
	}
	switch (sel->kind) {
	case VT_SELECT_WORD:
		r.start = vt_select_word(t, r.start, separators).start;
		r.end = vt_select_word(t, r.end, separators).end;
		break;
	case VT_SELECT_LINE:
		range_lines(t, &r);
		break;
	default:
		range_whole_cells(t, &r);
		break;
	}
	return r;
}

bool
vt_select_columns(struct text *t, const struct vt_range *range, vt_row row,
    unsigned *from, unsigned *to)
{
	if (row < range->start.row || row > range->end.row)
		return false;
	*from = range->block || row == range->start.row ? range->start.col : 0;
	*to = range->block || row == range->end.row ? range->end.col + 1
						    : text_cols(t);
	if (range->block) {
		if (cell_width(t, row, *from) == VT_TAIL)
			(*from)--;
		if (cell_width(t, row, *to) == VT_TAIL)
			(*to)++;
	}
	return *from < *to;
}

int
vt_select_text(struct buf *out, struct text *t, const struct vt_range *range)
{
	const struct vt_line *line;
	unsigned from, to;
	vt_row row;
	bool joined;

	for (row = range->start.row; row <= range->end.row; row++) {
		if (!vt_select_columns(t, range, row, &from, &to) ||
		    (line = text_row(t, row)) == NULL || out->overflow)
			break;
		joined = !range->block && row < range->end.row &&
			 (line->flags & VT_LINE_WRAPPED) != 0;
		vt_dump_line(out, line, from, to, 0);
		if (!joined && row < range->end.row)
			buf_add_u8(out, '\n');
	}
	return out->overflow ? -ERR_LIMIT : 0;
}
