/*
 * The selection of copy mode and its text.
 */
#include <string.h>

#include "mux/mode/copy_int.h"

/* --- its ends ------------------------------------------------------------------ */

void
copy_start_selection(struct copy *c)
{
	c->at[COPY_AT_SEL] = c->at[COPY_AT_END] = copy_here(c);
	c->drag = COPY_DRAG_END;
	c->selecting = true;
}

void
copy_clear_selection(struct copy *c)
{
	c->selecting = false;
	c->drag = COPY_DRAG_NONE;
	c->line = COPY_LINE_NONE;
	c->unit = COPY_CHAR;
	c->cx = MIN_OF(c->cx, copy_len(c, copy_row_here(c)));
	copy_limit(c);
}

/* The end of the selection for the word under the cursor. */
static struct vt_pos
word_edge(struct copy *c, struct vt_pos p, bool *start)
{
	struct vt_pos next = p;

	if (vt_pos_compare(c->at[COPY_AT_DRAG], p) > 0) {
		*start = true;
		c->at[COPY_AT_END] = c->at[COPY_AT_END_RESET];
		return copy_previous_word(c, p, c->separators, false, false);
	}
	*start = false;
	c->at[COPY_AT_SEL] = c->at[COPY_AT_SEL_RESET];
	next.col++;
	if (next.col > c->cols - 1 && copy_wrapped(c, p.row)) {
		next.row++;
		next.col = 0;
	}
	if (p.col >= copy_len(c, p.row) || copy_blank(c, next) == 0)
		return copy_word_end_select(c, p, c->separators);
	return p;
}

static struct vt_pos
line_edge(struct copy *c, struct vt_pos p, bool *start)
{
	if (c->at[COPY_AT_DRAG].row > p.row) {
		*start = true;
		c->at[COPY_AT_END] = c->at[COPY_AT_END_RESET];
		p.col = 0;
		return p;
	}
	*start = false;
	c->at[COPY_AT_SEL] = c->at[COPY_AT_SEL_RESET];
	p.row = MAX_OF(p.row, c->at[COPY_AT_END_RESET].row);
	p.col = copy_len(c, p.row);
	return p;
}

void
copy_update_selection(struct copy *c, bool no_reset)
{
	struct vt_pos p = copy_here(c);
	bool start = c->drag == COPY_DRAG_START;

	if ((!c->selecting && c->line == COPY_LINE_NONE) ||
	    c->drag == COPY_DRAG_NONE)
		return;
	if (!no_reset && c->unit == COPY_WORD)
		p = word_edge(c, p, &start);
	else if (!no_reset && c->unit == COPY_LINE)
		p = line_edge(c, p, &start);
	c->at[start ? COPY_AT_SEL : COPY_AT_END] = p;
}

void
copy_other_end(struct copy *c)
{
	struct vt_pos to;

	if (!c->selecting && c->line == COPY_LINE_NONE)
		return;
	if (c->line == COPY_LINE_LEFT_RIGHT)
		c->line = COPY_LINE_RIGHT_LEFT;
	else if (c->line == COPY_LINE_RIGHT_LEFT)
		c->line = COPY_LINE_LEFT_RIGHT;
	c->drag = c->drag == COPY_DRAG_END ? COPY_DRAG_START : COPY_DRAG_END;
	to = c->at[c->drag == COPY_DRAG_START ? COPY_AT_SEL : COPY_AT_END];
	if (to.row < c->top)
		c->top = MAX_OF(to.row, copy_first(c));
	else if (to.row >= c->top + c->rows)
		c->top = MIN_OF(to.row - c->rows + 1, copy_base(c));
	/* As in tmux, a corner of a rectangle goes to the end of its line. */
	c->cx = MIN_OF(to.col, copy_len(c, to.row));
	c->cy = (unsigned)(to.row - c->top);
	copy_clamp(c);
	copy_limit(c);
	copy_update_selection(c, true);
}

/* --- commands -------------------------------------------------------------------- */

/* Time between two lines that a drag at an edge scrolls, as in tmux. */
#define DRAG_MS 50

static void
drag_to(struct copy *c, const struct mouse_event *ev)
{
	struct vt_pos at;

	at.row = c->top + (unsigned)CLAMP(ev->y, 0, (int)c->rows - 1);
	at.col =
	    (unsigned)CLAMP(ev->x - (int)copy_gutter(c), 0, (int)c->cols - 1);
	if (!c->rect)
		at.col = MIN_OF(at.col, copy_len(c, at.row));
	copy_go(c, at);
}

/* Whether the mouse is at an edge beyond which there is more text. */
static bool
drag_scrolls(const struct copy *c)
{
	return c->drag_mouse && !c->drag_along && c->rows > 1 &&
	       ((c->drag_at.y <= 0 && c->top > copy_first(c)) ||
		   (c->drag_at.y >= (int)c->rows - 1 && c->top < copy_base(c)));
}

/* Scrolls such a drag by a line. */
static void
drag_on(struct copy *c)
{
	if (!drag_scrolls(c))
		return;
	if (c->drag_at.y <= 0)
		c->top--;
	else
		c->top++;
	drag_to(c, &c->drag_at);
}

void
copy_drag(struct copy *c, const struct mouse_event *from,
    const struct mouse_event *to)
{
	const bool inside = to->y >= 0 && to->y < (int)c->rows;
	unsigned x, y;
	bool on;

	if (!c->drag_mouse) {
		drag_to(c, from == NULL ? to : from);
		if (c->unit == COPY_CHAR || !c->selecting) {
			c->line = COPY_LINE_NONE;
			c->unit = COPY_CHAR;
			copy_start_selection(c);
		}
		c->drag_mouse = true;
	}
	/* The mouse moves on beyond the edge: its clock goes on, too. */
	on = drag_scrolls(c) && !inside && (to->y < 0) == (c->drag_at.y <= 0);
	x = c->cx;
	y = c->cy;
	c->drag_at = *to;
	drag_to(c, to);
	/* As in tmux, so that text of the first row can be selected. */
	c->drag_along = inside && c->cy == y && c->cx != x;
	if (!on) {
		c->drag_due = MONO_NEVER;
		drag_on(c);
	}
	mode_dirty(&c->mode);
}

mono_ms
copy_drag_next(struct copy *c, mono_ms now)
{
	if (!drag_scrolls(c))
		c->drag_due = MONO_NEVER;
	else if (c->drag_due == MONO_NEVER)
		c->drag_due = mono_add(now, DRAG_MS);
	else if (now >= c->drag_due) {
		drag_on(c);
		mode_dirty(&c->mode);
		c->drag_due =
		    drag_scrolls(c) ? mono_add(now, DRAG_MS) : MONO_NEVER;
	}
	return c->drag_due;
}

DO(begin_selection)
{
	if (a->cmd->mouse != NULL) {
		copy_drag(c, a->cmd->mouse_from, a->cmd->mouse);
		return COPY_NOTHING;
	}
	c->line = COPY_LINE_NONE;
	c->unit = COPY_CHAR;
	copy_start_selection(c);
	return COPY_REDRAW;
}

DO(stop_selection)
{
	c->drag = COPY_DRAG_NONE;
	c->line = COPY_LINE_NONE;
	c->unit = COPY_CHAR;
	return COPY_NOTHING;
}

DO(clear_selection)
{
	copy_clear_selection(c);
	return COPY_REDRAW;
}

DO(other_end)
{
	c->unit = COPY_CHAR;
	if (a->repeat % 2 != 0)
		copy_other_end(c);
	return COPY_NOTHING;
}

DO(select_line)
{
	unsigned i;

	c->line = COPY_LINE_LEFT_RIGHT;
	c->rect = false;
	c->unit = COPY_LINE;
	if (a->cmd->mouse != NULL)
		drag_to(c, a->cmd->mouse);
	c->at[COPY_AT_DRAG] = copy_here(c);
	copy_go(c, copy_line_start(c, copy_here(c), true));
	c->at[COPY_AT_SEL_RESET] = copy_here(c);
	c->at[COPY_AT_END_RESET] = copy_here(c);
	copy_start_selection(c);
	copy_go(c, copy_line_end(c, copy_here(c), true, false));
	c->at[COPY_AT_END_RESET] =
	    (struct vt_pos){ copy_row_here(c), copy_len(c, copy_row_here(c)) };
	for (i = 1; i < a->repeat; i++) {
		copy_cursor_down(c, false);
		copy_go(c, copy_line_end(c, copy_here(c), true, false));
	}
	return COPY_REDRAW;
}

DO(select_word)
{
	struct vt_pos p, next;
	struct vt_pos *drag = &c->at[COPY_AT_DRAG];

	c->line = COPY_LINE_LEFT_RIGHT;
	c->rect = false;
	c->unit = COPY_WORD;
	if (a->cmd->mouse != NULL)
		drag_to(c, a->cmd->mouse);
	*drag = copy_here(c);
	p = copy_previous_word(c, *drag, c->separators, false, false);
	copy_go_keep(c, p);
	c->at[COPY_AT_SEL_RESET] = p;
	copy_start_selection(c);
	next = (struct vt_pos){ p.row, p.col + 1 };
	if (next.col > c->cols - 1 && copy_wrapped(c, p.row)) {
		next.row++;
		next.col = 0;
	}
	if (p.col >= copy_len(c, p.row) || copy_blank(c, next) == 0)
		p = copy_word_end_select(c, p, c->separators);
	copy_go_keep(c, p);
	c->at[COPY_AT_END_RESET] = copy_here(c);
	if (drag->row > copy_row_here(c))
		*drag = copy_here(c);
	else
		drag->col = MIN_OF(drag->col, c->cx);
	return COPY_REDRAW;
}

/* Extends the selection to whole lines; one that has stopped stays so. */
static void
widen_to_lines(struct copy *c)
{
	struct vt_pos *s = &c->at[COPY_AT_SEL], *e = &c->at[COPY_AT_END];
	const bool stopped = c->drag == COPY_DRAG_NONE;
	const struct vt_pos fixed = c->drag == COPY_DRAG_START ? *e : *s;
	const struct vt_pos moves = c->drag == COPY_DRAG_START ? *s : *e;
	const bool left = vt_pos_compare(moves, fixed) < 0;

	*s = copy_line_start(c, left ? moves : fixed, true);
	*e = copy_line_end(c, left ? fixed : moves, true, false);
	c->at[COPY_AT_SEL_RESET] = *s;
	c->at[COPY_AT_END_RESET] = *e;
	c->at[COPY_AT_DRAG] = fixed;
	c->rect = false;
	c->line =
	    left && !stopped ? COPY_LINE_RIGHT_LEFT : COPY_LINE_LEFT_RIGHT;
	if (stopped)
		return;
	c->drag = left ? COPY_DRAG_START : COPY_DRAG_END;
	copy_go(c, left ? *s : *e);
}

DO(selection_mode)
{
	const char *s = a->word[0];

	if (s == NULL || strcmp(s, "char") == 0 || strcmp(s, "c") == 0)
		c->unit = COPY_CHAR;
	else if (strcmp(s, "word") == 0 || strcmp(s, "w") == 0)
		c->unit = COPY_WORD;
	else if (strcmp(s, "line") == 0 || strcmp(s, "l") == 0) {
		c->unit = COPY_LINE;
		if (c->selecting)
			widen_to_lines(c);
	}
	return COPY_NOTHING;
}

static enum copy_did
set_rect(struct copy *c, bool on)
{
	const unsigned n = copy_len(c, copy_row_here(c));

	c->cx = MIN_OF(c->cx, n);
	c->rect = on;
	copy_limit(c);
	c->line = COPY_LINE_NONE;
	copy_update_selection(c, false);
	return COPY_REDRAW;
}

DO(rectangle_on)
{
	return set_rect(c, true);
}

DO(rectangle_off)
{
	return set_rect(c, false);
}

DO(rectangle_toggle)
{
	return set_rect(c, !c->rect);
}

/* --- its text ---------------------------------------------------------------------- */

struct copy_span
copy_span(struct copy *c)
{
	const bool vi = copy_is_vi(c);
	struct copy_span s = { .a = c->at[COPY_AT_SEL],
		.b = c->at[COPY_AT_END] };
	unsigned fixed;

	if (vt_pos_compare(s.a, s.b) > 0) {
		s.a = c->at[COPY_AT_END];
		s.b = c->at[COPY_AT_SEL];
	}
	s.a.row = CLAMP(s.a.row, copy_first(c), copy_last(c));
	s.b.row = CLAMP(s.b.row, copy_first(c), copy_last(c));
	if (c->rect) {
		fixed = c->drag == COPY_DRAG_END ? c->at[COPY_AT_SEL].col
						 : c->at[COPY_AT_END].col;
		s.first_start = s.rest_start = MIN_OF(fixed, c->cx);
		s.last_end = s.rest_end =
		    fixed < c->cx ? c->cx + (vi ? 1 : 0) : fixed + 1;
		return s;
	}
	s.b.col = MIN_OF(s.b.col, copy_len(c, s.b.row));
	s.first_start = s.a.col;
	s.rest_start = 0;
	s.rest_end = c->cols;
	s.last_end = vi ? s.b.col + 1 : s.b.col;
	return s;
}

/* Writes the text of a column of a tab: its first one has all of it. */
static size_t
add_tab(char *out, struct vt_cell cell)
{
	*out = '\t';
	return cell.width == VT_TAB;
}

/* Adds the text of columns FROM..TO-1 of a line. */
static int
add_cells(const struct vt_line *l, unsigned from, unsigned to, struct buf *out)
{
	char text[512 + VT_CLUSTER_MAX + 1];
	size_t n = 0;
	int r = 0;

	for (; r == 0 && from < to; from++) {
		/* ASCII is one byte; most else is left to vt_line_text. */
		if (from < l->len && l->cells[from].width >= VT_TAB)
			n += add_tab(text + n, l->cells[from]);
		else if (from < l->len && l->cells[from].flags == 0 &&
			 l->cells[from].ch - 1 < 0x7f)
			text[n++] = (char)l->cells[from].ch;
		else
			n += vt_line_text(l, from, text + n);
		if (n >= 512) {
			r = buf_add(out, text, n);
			n = 0;
		}
	}
	return r != 0 ? r : buf_add(out, text, n);
}

/* Adds columns FROM..TO-1 of a row, and a newline where the line ends. */
static int
add_row(struct copy *c, vt_row row, unsigned from, unsigned to, struct buf *out)
{
	const bool wrapped = copy_wrapped(c, row);
	const unsigned len = wrapped ? c->cols : copy_len(c, row);
	const struct vt_line *l;
	int r = 0;

	if (from > to)
		return 0;
	to = MIN_OF(to, len);
	l = text_row(&c->text.text, row);
	if (l != NULL)
		r = add_cells(l, MIN_OF(from, len), to, out);
	if (r == 0 && (!wrapped || to != len))
		r = buf_add_u8(out, '\n');
	return r;
}

int
copy_span_rows(struct copy *c, const struct copy_span *s, vt_row *row,
    size_t count, struct buf *out)
{
	int r = 0;

	for (; r == 0 && count > 0 && *row <= s->b.row; count--, ++*row)
		r = add_row(c, *row,
		    *row == s->a.row ? s->first_start : s->rest_start,
		    *row == s->b.row ? s->last_end : s->rest_end, out);
	return r;
}

void
copy_span_end(struct copy *c, const struct copy_span *s, struct buf *out)
{
	const unsigned len = copy_len(c, s->b.row);

	if (out->len > 0 && (!copy_is_vi(c) || s->last_end <= len) &&
	    (!copy_wrapped(c, s->b.row) || s->last_end != len))
		buf_truncate(out, out->len - 1);
}

int
copy_range(
    struct copy *c, struct vt_pos from, struct vt_pos to, struct buf *out)
{
	const size_t before = out->len;
	vt_row row;
	int r = 0;

	for (row = from.row; r == 0 && row <= to.row; row++)
		r = add_row(c, row, row == from.row ? from.col : 0,
		    row == to.row ? to.col : c->cols, out);
	if (r == 0 && out->len > before && out->data[out->len - 1] == '\n')
		buf_truncate(out, out->len - 1);
	return r;
}

bool
copy_selected_columns(struct copy *c, vt_row row, unsigned *from, unsigned *to)
{
	const struct vt_pos a = c->at[COPY_AT_SEL], b = c->at[COPY_AT_END];
	struct vt_pos last;
	struct copy_span s;

	if (!c->selecting)
		return false;
	s = copy_span(c);
	if (row < s.a.row || row > s.b.row)
		return false;
	*from = row == s.a.row ? s.first_start : s.rest_start;
	*to = row == s.b.row ? s.last_end : s.rest_end;
	/* An end after the end of its line is shown there, as in tmux. */
	last = vt_pos_compare(a, b) > 0 ? a : b;
	if (!c->rect && row == last.row)
		*to = MIN_OF(last.col + (copy_is_vi(c) ? 1 : 0), c->cols);
	return *from < *to;
}
