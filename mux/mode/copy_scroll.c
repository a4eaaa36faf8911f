/*
 * Commands that scroll, jump, and match brackets.
 */
#include <string.h>

#include "base/str.h"
#include "base/utf8.h"
#include "mux/mode/copy_int.h"
#include "mux/mode/slider.h"

static bool
at_bottom(const struct copy *c)
{
	return c->top == copy_base(c);
}

static enum copy_did
exits(const struct copy *c, bool wanted)
{
	return wanted && at_bottom(c) && !c->selecting ? COPY_CANCEL
						       : COPY_NOTHING;
}

static bool
scroll_exit(const struct copy *c)
{
	return (c->flags & COPY_OPEN_SCROLL_EXIT) != 0;
}

/* --- scrolling --------------------------------------------------------------- */

/*
 * Scrolls by N lines.  With a selection only the view moves, and the selection
 * no longer follows the cursor.
 */
static void
scroll_view(struct copy *c, bool up, unsigned n)
{
	const uint64_t left =
	    up ? c->top - copy_first(c) : copy_base(c) - c->top;
	unsigned i;

	n = (unsigned)MIN_OF(left, n);
	if (n == 0)
		return;
	if (c->selecting) {
		c->drag = COPY_DRAG_NONE;
		c->line = COPY_LINE_NONE;
		c->top = up ? c->top - n : c->top + n;
		copy_off_tail(c);
		return;
	}
	for (i = 0; i < n; i++)
		if (up)
			copy_cursor_up(c, true);
		else
			copy_cursor_down(c, true);
}

DO(scroll_up)
{
	scroll_view(c, true, a->repeat);
	return COPY_REDRAW;
}

DO(scroll_down)
{
	scroll_view(c, false, a->repeat);
	return exits(c, scroll_exit(c));
}

DO(scroll_down_and_cancel)
{
	if (c->selecting) {
		c->drag = COPY_DRAG_NONE;
		c->line = COPY_LINE_NONE;
	}
	scroll_view(c, false, a->repeat);
	return exits(c, true);
}

/* Scrolls until the line of the cursor is row TO of the screen. */
static enum copy_did
scroll_line(struct copy *c, unsigned to)
{
	const vt_row row = copy_row_here(c);

	/* All or nothing, as in tmux. */
	if (row >= copy_first(c) + to && row - to <= copy_base(c)) {
		c->top = row - to;
		c->cy = to;
	}
	copy_update_selection(c, false);
	return COPY_REDRAW;
}

DO(scroll_top)
{
	return scroll_line(c, 0);
}

DO(scroll_middle)
{
	return scroll_line(c, (c->rows - 1) / 2);
}

DO(scroll_bottom)
{
	return scroll_line(c, c->rows - 1);
}

DO(recentre_top_bottom)
{
	const unsigned rows[] = { (c->rows - 1) / 2, 0, c->rows - 1 };
	const vt_row row = copy_row_here(c);

	if (c->recentre_row != row)
		c->recentre = 0;
	c->recentre_row = row;
	c->cy = rows[c->recentre++ % 3];
	c->top = row < copy_first(c) + c->cy ? copy_first(c) : row - c->cy;
	c->top = MIN_OF(c->top, copy_base(c));
	c->cy = (unsigned)(row - c->top);
	copy_update_selection(c, false);
	return COPY_REDRAW;
}

DO(page_up)
{
	unsigned i;

	for (i = 0; i < a->repeat; i++)
		copy_page_up(c, false);
	return COPY_NOTHING;
}

DO(halfpage_up)
{
	unsigned i;

	for (i = 0; i < a->repeat; i++)
		copy_page_up(c, true);
	return COPY_NOTHING;
}

static enum copy_did
pages_down(struct copy *c, const struct copy_args *a, bool half, bool exit)
{
	unsigned i;

	for (i = 0; i < a->repeat; i++)
		if (copy_page_down(c, half, exit))
			return COPY_CANCEL;
	return COPY_NOTHING;
}

DO(page_down)
{
	return pages_down(c, a, false, scroll_exit(c));
}

DO(page_down_and_cancel)
{
	return pages_down(c, a, false, true);
}

DO(halfpage_down)
{
	return pages_down(c, a, true, scroll_exit(c));
}

DO(halfpage_down_and_cancel)
{
	return pages_down(c, a, true, true);
}

DO(scroll_exit_on)
{
	c->flags |= COPY_OPEN_SCROLL_EXIT;
	return COPY_NOTHING;
}

DO(scroll_exit_off)
{
	c->flags &= ~(unsigned)COPY_OPEN_SCROLL_EXIT;
	return COPY_NOTHING;
}

DO(scroll_exit_toggle)
{
	c->flags ^= COPY_OPEN_SCROLL_EXIT;
	return COPY_NOTHING;
}

bool
copy_slide(struct copy *c, int y)
{
	const uint64_t n = copy_base(c) - copy_first(c);
	const vt_row top =
	    copy_first(c) + slider_above(c->rows, n, y - c->slide_grab);

	/* The last rows are enough to move the cursor as tmux does. */
	if (c->top > top)
		c->top = MIN_OF(c->top, top + c->rows);
	else if (top - c->top > c->rows)
		c->top = top - c->rows;
	while (c->top > top)
		copy_cursor_up(c, true);
	while (c->top < top)
		copy_cursor_down(c, true);
	return c->slide_exit && at_bottom(c) && !c->selecting;
}

/* The slider of the scrollbar follows the mouse. */
DO(scroll_to_mouse)
{
	if (a->cmd->mouse == NULL)
		return COPY_NOTHING;
	c->slide = true;
	c->slide_exit = a->exit;
	c->slide_grab = a->cmd->grab;
	return copy_slide(c, a->cmd->mouse->y) ? COPY_CANCEL : COPY_REDRAW;
}

DO(goto_line)
{
	int64_t line;

	if (a->word[0] == NULL || *a->word[0] == '\0' ||
	    str_to_int(a->word[0], -1, INT32_MAX, &line) != 0)
		return COPY_NOTHING;
	copy_go_number(c, line < 0 ? UINT64_MAX : (uint64_t)line);
	copy_update_selection(c, false);
	return COPY_REDRAW;
}

DO(set_mark)
{
	c->at[COPY_AT_MARK] = copy_here(c);
	c->mark_shown = true;
	return COPY_REDRAW;
}

DO(jump_to_mark)
{
	const struct vt_pos here = copy_here(c), to = c->at[COPY_AT_MARK];

	c->cx = to.col;
	if (to.row < copy_base(c)) {
		c->top = MAX_OF(to.row, copy_first(c));
		c->cy = 0;
	} else {
		c->top = copy_base(c);
		c->cy = (unsigned)(to.row - c->top);
	}
	copy_clamp(c);
	c->at[COPY_AT_MARK] = here;
	c->mark_shown = true;
	copy_update_selection(c, false);
	return COPY_REDRAW;
}

/* --- jumps ------------------------------------------------------------------- */

static void
jump(struct copy *c, enum copy_jump kind)
{
	struct vt_pos p = copy_here(c);
	const char *text = c->jump_char;

	switch (kind) {
	case COPY_JUMP_FORWARD:
		p.col++;
		if (copy_find_char(c, &p, text))
			copy_go(c, p);
		break;
	case COPY_JUMP_TO_FORWARD:
		p.col += 2;
		if (copy_find_char(c, &p, text))
			copy_go(c, copy_left(c, p, true));
		break;
	case COPY_JUMP_BACKWARD:
		p = copy_left(c, p, false);
		if (copy_find_char_back(c, &p, text))
			copy_go(c, p);
		break;
	case COPY_JUMP_TO_BACKWARD:
		p = copy_left(c, copy_left(c, p, false), false);
		if (copy_find_char_back(c, &p, text))
			copy_go(c, copy_right(c, p, true, false));
		break;
	case COPY_JUMP_NONE:
	default:
		break;
	}
}

static enum copy_did
jumps(struct copy *c, const struct copy_args *a, enum copy_jump kind)
{
	unsigned i;

	for (i = 0; i < a->repeat; i++)
		jump(c, kind);
	return COPY_NOTHING;
}

static enum copy_did
jump_new(struct copy *c, const struct copy_args *a, enum copy_jump kind)
{
	uint32_t cp;
	size_t n;

	if (a->word[0] == NULL || *a->word[0] == '\0')
		return COPY_NOTHING;
	n = utf8_decode_final(
	    (const uint8_t *)a->word[0], strlen(a->word[0]), &cp);
	memcpy(c->jump_char, a->word[0], n);
	c->jump_char[n] = '\0';
	c->jump = kind;
	return jumps(c, a, kind);
}

DO(jump_forward)
{
	return jump_new(c, a, COPY_JUMP_FORWARD);
}

DO(jump_backward)
{
	return jump_new(c, a, COPY_JUMP_BACKWARD);
}

DO(jump_to_forward)
{
	return jump_new(c, a, COPY_JUMP_TO_FORWARD);
}

DO(jump_to_backward)
{
	return jump_new(c, a, COPY_JUMP_TO_BACKWARD);
}

DO(jump_again)
{
	return jumps(c, a, c->jump);
}

DO(jump_reverse)
{
	static const enum copy_jump other[] = {
		[COPY_JUMP_NONE] = COPY_JUMP_NONE,
		[COPY_JUMP_FORWARD] = COPY_JUMP_BACKWARD,
		[COPY_JUMP_BACKWARD] = COPY_JUMP_FORWARD,
		[COPY_JUMP_TO_FORWARD] = COPY_JUMP_TO_BACKWARD,
		[COPY_JUMP_TO_BACKWARD] = COPY_JUMP_TO_FORWARD,
	};

	return jumps(c, a, other[c->jump]);
}

/* --- brackets ------------------------------------------------------------------ */

static const char opening[] = "{[(", closing[] = "}])";

/* The byte of the cell at P, 0 if it is no ASCII character. */
static char
ascii(struct copy *c, struct vt_pos p)
{
	char text[VT_CLUSTER_MAX + 1];

	return copy_cell(c, p, text) == 1 ? text[0] : '\0';
}

/* The place of the bracket at P in SET, or -1. */
static int
bracket(struct copy *c, struct vt_pos p, const char *set)
{
	const char ch = ascii(c, p);
	const char *at = ch == '\0' ? NULL : strchr(set, ch);

	return at == NULL ? -1 : (int)(at - set);
}

/* The next cell, or the first one of the next line; false at the end. */
static bool
step_right(struct copy *c, struct vt_pos *p)
{
	if (p->col <= copy_len(c, p->row)) {
		p->col++;
		return true;
	}
	if (copy_ends(c, p->row, 1))
		return false;
	*p = (struct vt_pos){ p->row + 1, 0 };
	return true;
}

/* The cell before, or the last one of a line before; false at the start. */
static bool
step_left(struct copy *c, struct vt_pos *p)
{
	unsigned n = 0;

	if (p->col > 0) {
		p->col--;
		return true;
	}
	while (n == 0 && !copy_ends(c, p->row, -1))
		n = copy_len(c, --p->row);
	if (n == 0)
		return false;
	p->col = n - 1;
	return true;
}

/* Goes from the bracket KIND at P to its partner; false if it has none. */
static bool
go_partner(struct copy *c, struct vt_pos p, int kind, bool right)
{
	const char own = right ? opening[kind] : closing[kind];
	const char other = right ? closing[kind] : opening[kind];
	unsigned depth = 1;
	char ch;

	while (depth > 0) {
		if (!(right ? step_right(c, &p) : step_left(c, &p)))
			return false;
		ch = ascii(c, p);
		if (ch == own)
			depth++;
		else if (ch == other)
			depth--;
	}
	copy_scroll_to(c, p);
	return true;
}

/*
 * Goes to the bracket that opens the one at the cursor; with emacs keys of the
 * one before the cursor, or to a word.
 */
static void
previous_bracket(struct copy *c)
{
	struct vt_pos p = copy_here(c);
	int kind = bracket(c, p, closing);

	if (kind < 0 && copy_is_vi(c))
		return;
	if (kind < 0 && p.col > 0) {
		p.col--;
		kind = bracket(c, p, closing);
	}
	if (kind < 0)
		copy_go(c,
		    copy_previous_word(c, copy_here(c), closing, true, true));
	else
		(void)go_partner(c, p, kind, false);
}

/* With emacs keys: the bracket under or after the cursor, or the next word. */
static void
next_bracket_emacs(struct copy *c)
{
	struct vt_pos p = copy_here(c);
	int kind = bracket(c, p, opening);

	if (kind < 0 && p.col <= copy_len(c, p.row)) {
		p.col++;
		kind = bracket(c, p, opening);
	}
	if (kind < 0)
		copy_go(c, copy_word_end_move(c, copy_here(c), opening));
	else
		(void)go_partner(c, p, kind, true);
}

/* With vi keys: the next bracket of the line; of a closing one its partner. */
static bool
next_bracket_vi(struct copy *c)
{
	const struct vt_pos from = copy_here(c);
	struct vt_pos p = from;
	int kind;

	for (;;) {
		kind = bracket(c, p, closing);
		if (kind >= 0) {
			copy_scroll_to(c, p);
			if (!go_partner(c, p, kind, false))
				copy_scroll_to(c, from);
			return false;
		}
		kind = bracket(c, p, opening);
		if (kind >= 0) {
			(void)go_partner(c, p, kind, true);
			return true;
		}
		if (p.col <= copy_len(c, p.row))
			p.col++;
		else if (p.row < copy_last(c) && copy_wrapped(c, p.row))
			p = (struct vt_pos){ p.row + 1, 0 };
		else
			return true;
	}
}

static bool
on_empty_line(struct copy *c)
{
	return copy_len(c, copy_row_here(c)) == 0;
}

DO(next_matching_bracket)
{
	unsigned i;

	for (i = 0; i < a->repeat && !on_empty_line(c); i++)
		if (!copy_is_vi(c))
			next_bracket_emacs(c);
		else if (!next_bracket_vi(c))
			break;
	return COPY_NOTHING;
}

DO(previous_matching_bracket)
{
	unsigned i;

	for (i = 0; i < a->repeat && !on_empty_line(c); i++)
		previous_bracket(c);
	return COPY_NOTHING;
}
