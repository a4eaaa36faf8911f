/*
 * The cursor of copy mode and what part of the text is shown.
 */
#include <string.h>

#include "mux/mode/copy_int.h"

/* --- scrolling -------------------------------------------------------------- */

static unsigned
scroll_down(struct copy *c, uint64_t n)
{
	n = MIN_OF(n, c->top - copy_first(c));
	c->top -= n;
	return (unsigned)n;
}

static unsigned
scroll_up(struct copy *c, uint64_t n)
{
	n = MIN_OF(n, copy_base(c) - c->top);
	c->top += n;
	return (unsigned)n;
}

/* The last column of a row that the cursor may stand in. */
static unsigned
limit(struct copy *c, vt_row row)
{
	struct vt_pos p = { row, copy_len(c, row) };

	if (copy_is_vi(c) && p.col > 0)
		p.col--;
	while (p.col > 0 && copy_is_tail(c, p))
		p.col--;
	return p.col;
}

static bool
is_rect(const struct copy *c)
{
	return c->selecting && c->rect;
}

/* Unlike in tmux, the cursor never stands in the second half of a character. */
void
copy_off_tail(struct copy *c)
{
	const unsigned from = c->cx;

	while (c->cx > 0 && c->cx < c->cols && copy_is_half(c, copy_here(c)))
		c->cx--;
	if (c->cx == from)
		return;
	c->pulled = copy_here(c);
	c->pulled_from = from;
}

void
copy_limit(struct copy *c)
{
	if (!c->rect)
		c->cx = MIN_OF(c->cx, limit(c, copy_row_here(c)));
	copy_off_tail(c);
}

/*
 * Moves the cursor; the selection is another matter.  The column to return to
 * is that of the lines on the way, as in tmux.
 */
static void
place(struct copy *c, struct vt_pos p)
{
	while (p.row < c->top && c->top > copy_first(c))
		copy_cursor_up(c, true);
	while (p.row >= c->top + c->rows && c->top < copy_base(c))
		copy_cursor_down(c, true);
	c->cx = p.col;
	c->cy = (unsigned)(p.row - c->top);
	copy_clamp(c);
	copy_limit(c);
}

void
copy_go(struct copy *c, struct vt_pos p)
{
	place(c, p);
	copy_update_selection(c, false);
}

void
copy_go_keep(struct copy *c, struct vt_pos p)
{
	place(c, p);
	copy_update_selection(c, true);
}

void
copy_scroll_to(struct copy *c, struct vt_pos p)
{
	const vt_row first = copy_first(c);
	const unsigned gap = MAX_OF(c->rows / 4, 1U);

	c->cx = p.col;
	if (p.row >= c->top && p.row < c->top + c->rows) {
		c->cy = (unsigned)(p.row - c->top);
	} else if (p.row - first < c->rows) {
		c->top = first;
		c->cy = (unsigned)(p.row - first);
	} else if (p.row > copy_base(c) + c->rows - gap) {
		c->top = copy_base(c);
		c->cy = (unsigned)(p.row - c->top);
	} else {
		/* tmux's cursor leaves a screen of less than four rows. */
		c->cy = MIN_OF(c->rows - gap, c->rows - 1);
		c->top = p.row - c->cy;
	}
	copy_clamp(c);
	copy_update_selection(c, false);
}

/* --- up and down -------------------------------------------------------------- */

static void
remember_column(struct copy *c, vt_row row)
{
	const unsigned n = copy_len(c, row);
	const unsigned cx = vt_pos_compare(c->pulled, copy_here(c)) == 0
				? c->pulled_from
				: c->cx;

	if (!is_rect(c) && cx != n) {
		c->lastcx = cx;
		c->lastsx = n;
	}
}

/* Puts the cursor at the end of its line, if it was at one or is beyond it. */
static void
snap_column(struct copy *c)
{
	const unsigned n = copy_len(c, copy_row_here(c));

	if (is_rect(c))
		return;
	if ((c->cx >= c->lastsx && c->cx != n) || c->cx > n) {
		c->cx = n;
		copy_limit(c);
	}
	copy_off_tail(c);
}

static void
line_column(struct copy *c)
{
	if (c->line == COPY_LINE_LEFT_RIGHT)
		c->cx = c->rect ? c->cols : limit(c, copy_row_here(c));
	else if (c->line == COPY_LINE_RIGHT_LEFT)
		c->cx = 0;
}

/* After a move up or down: the column, and the selection. */
static void
settle(struct copy *c, bool moved)
{
	unsigned cx = c->cx;

	if (moved)
		copy_update_selection(c, false);
	snap_column(c);
	line_column(c);
	if (c->cx != cx || c->line != COPY_LINE_NONE)
		copy_update_selection(c, false);
}

/* As in tmux, only a cursor that moves to another row of the screen is limited. */
static void
row_limit(struct copy *c)
{
	if (!is_rect(c))
		copy_limit(c);
}

void
copy_cursor_up(struct copy *c, bool scroll_only)
{
	const vt_row row = copy_row_here(c);
	const unsigned cx = c->cx;
	bool moved = true;

	remember_column(c, row);
	if (!scroll_only && c->line == COPY_LINE_LEFT_RIGHT &&
	    row == c->at[COPY_AT_SEL].row)
		copy_other_end(c);
	if (!is_rect(c))
		c->cx = c->lastcx;
	if (scroll_only || c->cy == 0) {
		moved = scroll_down(c, 1) > 0;
		if (!moved && scroll_only) {
			c->cx = cx;
			return;
		}
		if (scroll_only && copy_is_vi(c) && c->cy < c->rows - 1)
			c->cy++;
		settle(c, moved);
	} else {
		c->cy--;
		row_limit(c);
		settle(c, true);
	}
}

void
copy_cursor_down(struct copy *c, bool scroll_only)
{
	const vt_row row = copy_row_here(c);
	const unsigned cx = c->cx;
	bool moved = true;

	remember_column(c, row);
	if (!scroll_only && c->line == COPY_LINE_RIGHT_LEFT &&
	    row == c->at[COPY_AT_END].row)
		copy_other_end(c);
	if (!is_rect(c))
		c->cx = c->lastcx;
	if (scroll_only || c->cy == c->rows - 1) {
		moved = scroll_up(c, 1) > 0;
		if (!moved && scroll_only) {
			c->cx = cx;
			return;
		}
		if (scroll_only && copy_is_vi(c) && c->cy > 0)
			c->cy--;
		settle(c, moved);
	} else {
		c->cy++;
		row_limit(c);
		settle(c, true);
	}
}

/* --- pages ---------------------------------------------------------------------- */

static unsigned
page_rows(const struct copy *c, bool half)
{
	if (c->rows <= 2)
		return 1;
	return half ? c->rows / 2 : c->rows - 2;
}

/* Returns to the column that the last moves up and down have left. */
static void
page_column(struct copy *c)
{
	const unsigned n = copy_len(c, copy_row_here(c));

	if (c->cx != n) {
		c->lastcx = c->cx;
		c->lastsx = n;
	}
	c->cx = c->lastcx;
}

/* A cursor beyond the end of its line goes to where the line ends, wrapped. */
static void
page_snap(struct copy *c)
{
	const unsigned n = copy_len(c, copy_row_here(c));
	struct vt_pos p;

	if (!is_rect(c) && ((c->cx >= c->lastsx && c->cx != n) || c->cx > n)) {
		p = copy_line_end(c, copy_here(c), true, false);
		p.col = limit(c, p.row);
		copy_go(c, p);
	}
	copy_update_selection(c, false);
}

void
copy_page_up(struct copy *c, bool half)
{
	const unsigned n = page_rows(c, half);

	page_column(c);
	if (c->top - copy_first(c) < n) {
		c->top = copy_first(c);
		c->cy -= MIN_OF(c->cy, n);
	} else {
		c->top -= n;
	}
	page_snap(c);
}

bool
copy_page_down(struct copy *c, bool half, bool scroll_exit)
{
	const unsigned n = page_rows(c, half);
	const uint64_t left = copy_base(c) - c->top;

	page_column(c);
	if (left < n) {
		c->top = copy_base(c);
		c->cy = MIN_OF(c->cy + n, c->rows - 1);
	} else {
		c->top += n;
	}
	page_snap(c);
	return scroll_exit && c->top == copy_base(c) && !c->selecting;
}

/* --- commands: cells and lines ------------------------------------------------- */

static bool
goes_past(const struct copy *c)
{
	return is_rect(c);
}

DO(cursor_left)
{
	unsigned i;

	for (i = 0; i < a->repeat; i++)
		copy_go(c, copy_left(c, copy_here(c), true));
	return COPY_NOTHING;
}

DO(cursor_right)
{
	unsigned i;

	for (i = 0; i < a->repeat; i++)
		copy_go(c, copy_right(c, copy_here(c), true, goes_past(c)));
	return COPY_NOTHING;
}

DO(cursor_up)
{
	unsigned i;

	for (i = 0; i < a->repeat; i++)
		copy_cursor_up(c, false);
	return COPY_NOTHING;
}

DO(cursor_down)
{
	unsigned i;

	for (i = 0; i < a->repeat; i++)
		copy_cursor_down(c, false);
	return COPY_NOTHING;
}

DO(cursor_down_and_cancel)
{
	const unsigned cy = c->cy;

	(void)copy_do_cursor_down(c, a);
	return cy == c->cy && c->top == copy_base(c) ? COPY_CANCEL
						     : COPY_NOTHING;
}

DO(start_of_line)
{
	copy_go(c, copy_line_start(c, copy_here(c), true));
	return COPY_NOTHING;
}

DO(end_of_line)
{
	struct vt_pos p = copy_line_end(c, copy_here(c), true, goes_past(c));

	if (!goes_past(c))
		p.col = MIN_OF(p.col, limit(c, p.row));
	copy_go(c, p);
	return COPY_NOTHING;
}

DO(back_to_indentation)
{
	copy_go(c, copy_indentation(c, copy_here(c)));
	return COPY_NOTHING;
}

static enum copy_did
go_line(struct copy *c, unsigned y)
{
	c->cx = 0;
	c->cy = y;
	copy_update_selection(c, false);
	return COPY_REDRAW;
}

DO(top_line)
{
	return go_line(c, 0);
}

DO(middle_line)
{
	return go_line(c, (c->rows - 1) / 2);
}

DO(bottom_line)
{
	return go_line(c, c->rows - 1);
}

DO(cursor_centre_vertical)
{
	c->cy = c->rows / 2;
	copy_limit(c);
	copy_update_selection(c, false);
	return COPY_REDRAW;
}

DO(cursor_centre_horizontal)
{
	c->cx = c->cols / 2;
	copy_limit(c);
	copy_update_selection(c, false);
	return COPY_REDRAW;
}

DO(history_top)
{
	if (c->line == COPY_LINE_LEFT_RIGHT &&
	    copy_row_here(c) == c->at[COPY_AT_SEL].row)
		copy_other_end(c);
	c->top = copy_first(c);
	c->cx = c->cy = 0;
	copy_update_selection(c, false);
	return COPY_REDRAW;
}

DO(history_bottom)
{
	if (c->line == COPY_LINE_RIGHT_LEFT &&
	    copy_row_here(c) == c->at[COPY_AT_END].row)
		copy_other_end(c);
	c->top = copy_base(c);
	c->cy = c->rows - 1;
	c->cx = limit(c, copy_row_here(c));
	copy_update_selection(c, false);
	return COPY_REDRAW;
}

/* --- commands: words ------------------------------------------------------------ */

static enum copy_did
each_word(struct copy *c, const struct copy_args *a, const char *separators,
    struct vt_pos (*fn)(struct copy *, struct vt_pos, const char *))
{
	unsigned i;

	for (i = 0; i < a->repeat; i++)
		copy_go(c, fn(c, copy_here(c), separators));
	return COPY_NOTHING;
}

static struct vt_pos
back(struct copy *c, struct vt_pos p, const char *separators)
{
	return copy_previous_word(c, p, separators, true, !copy_is_vi(c));
}

DO(next_word)
{
	return each_word(c, a, c->separators, copy_next_word);
}

DO(next_word_end)
{
	return each_word(c, a, c->separators, copy_word_end_move);
}

DO(next_space)
{
	return each_word(c, a, "", copy_next_word);
}

DO(next_space_end)
{
	return each_word(c, a, "", copy_word_end_move);
}

DO(previous_word)
{
	return each_word(c, a, c->separators, back);
}

DO(previous_space)
{
	return each_word(c, a, "", back);
}

/* --- commands: paragraphs, prompts ---------------------------------------------- */

DO(next_paragraph)
{
	vt_row row;
	unsigned i;

	for (i = 0; i < a->repeat; i++) {
		row = copy_row_here(c);
		while (!copy_ends(c, row, 1) && copy_len(c, row) == 0)
			row++;
		while (!copy_ends(c, row, 1) && copy_len(c, row) > 0)
			row++;
		copy_scroll_to(c, (struct vt_pos){ row, copy_len(c, row) });
	}
	return COPY_NOTHING;
}

DO(previous_paragraph)
{
	vt_row row;
	unsigned i;

	for (i = 0; i < a->repeat; i++) {
		row = copy_row_here(c);
		while (!copy_ends(c, row, -1) && copy_len(c, row) == 0)
			row--;
		while (!copy_ends(c, row, -1) && copy_len(c, row) > 0)
			row--;
		copy_scroll_to(c, (struct vt_pos){ row, 0 });
	}
	return COPY_NOTHING;
}

static enum copy_did
go_prompt(struct copy *c, const struct copy_args *a, int dir)
{
	const unsigned mask =
	    a->output ? VT_LINE_OUTPUT : VT_LINE_PROMPT | VT_LINE_MARK;
	const vt_row edge = dir > 0 ? copy_last(c) : copy_first(c);
	const struct vt_line *l;
	vt_row row = copy_row_here(c);

	for (;;) {
		if (row == edge)
			return COPY_NOTHING;
		row = dir > 0 ? row + 1 : row - 1;
		l = text_row(&c->text.text, row);
		if (l != NULL && (l->flags & mask) != 0)
			break;
	}
	/* A prompt in the history goes to the top of the pane. */
	c->cx = 0;
	c->top = MIN_OF(row, copy_base(c));
	c->cy = (unsigned)(row - c->top);
	copy_update_selection(c, false);
	return COPY_NOTHING;
}

DO(next_prompt)
{
	return go_prompt(c, a, 1);
}

DO(previous_prompt)
{
	return go_prompt(c, a, -1);
}
