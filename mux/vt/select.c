/*
 * Selections.  See select.h.
 */
#include "mux/vt/select.h"

#include <string.h>

#include "base/err.h"
#include "mux/vt/dump.h"

enum word_class {
	CLASS_SPACE,
	CLASS_SEPARATOR,
	CLASS_WORD,
};

/* Which kind of character a cell of a joined line is. */
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
pos_clamp(struct vt_grid *g, struct vt_pos pos)
{
	vt_row first = vt_grid_first(g), last = vt_grid_end(g) - 1;

	if (pos.row < first)
		return (struct vt_pos){ first, 0 };
	if (pos.row > last)
		return (struct vt_pos){ last, g->cols - 1 };
	pos.col = MIN_OF(pos.col, g->cols - 1);
	return pos;
}

struct vt_range
vt_select_word(struct vt_grid *g, struct vt_pos pos, const char *separators)
{
	struct vt_logical lg = { 0 };
	struct vt_range r = { pos, pos, false };
	unsigned from, to, last, end;
	enum word_class class;

	pos = pos_clamp(g, pos);
	vt_logical_get(g, pos.row, &lg);
	from = to = vt_logical_cell(&lg, pos);
	class = cell_class(lg.line, from, separators);
	/* Columns after the text are spaces up to the end of the row. */
	last = lg.start[lg.rows - 1] + g->cols - 1;
	end = vt_line_written(lg.line);
	while (from > 0 && cell_class(lg.line, from - 1, separators) == class)
		from--;
	while (to < last && (to + 1 < end || class == CLASS_SPACE) &&
	       cell_class(lg.line, to + 1, separators) == class)
		to++;
	r.start = vt_logical_pos(&lg, from);
	r.end = vt_logical_pos(&lg, to);
	r.end.col = MIN_OF(r.end.col, g->cols - 1);
	vt_logical_fini(g, &lg);
	return r;
}

/* Both ends moved so that no wide cell is cut. */
static void
range_whole_cells(struct vt_grid *g, struct vt_range *r)
{
	const struct vt_line *line = vt_grid_row(g, r->start.row);

	if (vt_line_cell(line, r->start.col).width == VT_TAIL)
		r->start.col--;
	line = vt_grid_row(g, r->end.row);
	if (vt_line_cell(line, r->end.col).width == VT_WIDE)
		r->end.col++;
}

static void
range_lines(struct vt_grid *g, struct vt_range *r)
{
	r->start.row = vt_grid_logical_first(g, r->start.row);
	r->start.col = 0;
	r->end.row = vt_grid_logical_last(g, r->end.row);
	r->end.col = g->cols - 1;
}

struct vt_range
vt_select_range(
    struct vt_grid *g, const struct vt_selection *sel, const char *separators)
{
	struct vt_range r = { pos_clamp(g, sel->a), pos_clamp(g, sel->b),
		sel->kind == VT_SELECT_BLOCK };
	struct vt_pos tmp = r.start;
	unsigned left, right;

	if (r.block) {
		left = MIN_OF(r.start.col, r.end.col);
		right = MAX_OF(r.start.col, r.end.col);
		r.start.row = MIN_OF(tmp.row, r.end.row);
		r.end.row = MAX_OF(tmp.row, r.end.row);
		r.start.col = left;
		r.end.col = right;
		return r;
	}
	if (vt_pos_compare(r.start, r.end) > 0) {
		r.start = r.end;
		r.end = tmp;
	}
	switch (sel->kind) {
	case VT_SELECT_WORD:
		r.start = vt_select_word(g, r.start, separators).start;
		r.end = vt_select_word(g, r.end, separators).end;
		break;
	case VT_SELECT_LINE:
		range_lines(g, &r);
		break;
	default:
		range_whole_cells(g, &r);
		break;
	}
	return r;
}

bool
vt_select_columns(struct vt_grid *g, const struct vt_range *range, vt_row row,
    unsigned *from, unsigned *to)
{
	const struct vt_line *line;

	if (row < range->start.row || row > range->end.row)
		return false;
	*from = range->block || row == range->start.row ? range->start.col : 0;
	*to = range->block || row == range->end.row ? range->end.col + 1
						    : g->cols;
	line = vt_grid_row(g, row);
	if (range->block && line != NULL) {
		if (vt_line_cell(line, *from).width == VT_TAIL)
			(*from)--;
		if (vt_line_cell(line, *to).width == VT_TAIL)
			(*to)++;
	}
	return *from < *to;
}

int
vt_select_text(struct buf *out, struct vt_grid *g, const struct vt_range *range)
{
	const struct vt_line *line;
	unsigned from, to;
	vt_row row;
	bool joined;

	for (row = range->start.row; row <= range->end.row; row++) {
		if (!vt_select_columns(g, range, row, &from, &to) ||
		    (line = vt_grid_row(g, row)) == NULL || out->overflow)
			break;
		joined = !range->block && row < range->end.row &&
			 (line->flags & VT_LINE_WRAPPED) != 0;
		vt_dump_line(out, line, from, to, 0);
		if (!joined && row < range->end.row)
			buf_add_u8(out, '\n');
	}
	return out->overflow ? -ERR_LIMIT : 0;
}

int
vt_select_mark(
    struct vt_grid *g, vt_row row, int dir, unsigned mask, vt_row *out)
{
	vt_row first = vt_grid_first(g), end = vt_grid_end(g);

	row = CLAMP(row, first, end - 1);
	while (dir > 0 ? row + 1 < end : row > first) {
		row = dir > 0 ? row + 1 : row - 1;
		if ((vt_grid_row(g, row)->flags & mask) != 0) {
			*out = row;
			return 0;
		}
	}
	return -ERR_NOTFOUND;
}

int
vt_select_output(struct vt_grid *g, vt_row row, struct vt_range *range)
{
	vt_row from = CLAMP(row, vt_grid_first(g), vt_grid_end(g) - 1), to;
	const struct vt_line *line;

	if ((vt_grid_row(g, from)->flags & VT_LINE_OUTPUT) == 0 &&
	    vt_select_mark(g, from, -1, VT_LINE_OUTPUT, &from) != 0)
		return -ERR_NOTFOUND;
	if (vt_select_mark(g, from, 1, VT_LINE_PROMPT | VT_LINE_OUTPUT, &to) !=
	    0) {
		/* The command still runs: down to the last row in use. */
		to = vt_grid_end(g);
		while (to > from + 1 &&
		       (line = vt_grid_row(g, to - 1)) != NULL &&
		       vt_line_written(line) == 0)
			to--;
	}
	range->start = (struct vt_pos){ from, 0 };
	range->end = (struct vt_pos){ to - 1, g->cols - 1 };
	range->block = false;
	return 0;
}
