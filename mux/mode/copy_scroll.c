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

DO(scroll_up)
{
	unsigned i;

	for (i = 0; i < a->repeat; i++)
		copy_cursor_up(c, true);
	return COPY_NOTHING;
}

DO(scroll_down)
{
	unsigned i;

	for (i = 0; i < a->repeat; i++)
		copy_cursor_down(c, true);
	return exits(c, scroll_exit(c));
}

DO(scroll_down_and_cancel)
{
	unsigned i;

	for (i = 0; i < a->repeat; i++)
		copy_cursor_down(c, true);
	return exits(c, true);
}

/* Scrolls until the line of the cursor is row TO of the screen. */
static enum copy_did
scroll_line(struct copy *c, unsigned to)
{
	const vt_row row = copy_row_here(c);

	/* All or nothing, as in tmux. */
	if (row < copy_first(c) + to || row - to > copy_base(c))
		return COPY_NOTHING;
	c->top = row - to;
	c->cy = to;
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
	const vt_row row = copy_row_here(c);

	if (c->recentre_row != row)
		c->recentre = 0;
	c->recentre_row = row;
	switch (c->recentre++ % 3) {
	case 0:
		return copy_do_scroll_middle(c, a);
	case 1:
		return copy_do_scroll_top(c, a);
	default:
		return copy_do_scroll_bottom(c, a);
	}
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

static const char *
bracket(const char *set, char ch)
{
	return ch == '\0' ? NULL : strchr(set, ch);
}

/* Finds the bracket that closes the one at *P; DIR -1: that opens it. */
static bool
match_bracket(struct copy *c, struct vt_pos *p, int dir)
{
	const char *own = dir > 0 ? opening : closing;
	const char *other = dir > 0 ? closing : opening;
	const char *at = bracket(own, ascii(c, *p));
	struct vt_pos q = *p;
	unsigned depth = 1;
	char ch;

	if (at == NULL)
		return false;
	while (depth > 0) {
		if (dir > 0) {
			if (q.col + 1 < MAX_OF(1U, copy_len(c, q.row))) {
				q.col++;
			} else {
				if (copy_ends(c, q.row, 1))
					return false;
				q.row++;
				q.col = 0;
			}
		} else if (q.col > 0) {
			q.col--;
		} else {
			do {
				if (copy_ends(c, q.row, -1))
					return false;
				q.row--;
			} while (copy_len(c, q.row) == 0);
			q.col = copy_len(c, q.row) - 1;
		}
		ch = ascii(c, q);
		if (ch == *at)
			depth++;
		else if (ch == other[at - own])
			depth--;
	}
	*p = q;
	return true;
}

static void
previous_bracket(struct copy *c)
{
	struct vt_pos p = copy_here(c);

	if (bracket(closing, ascii(c, p)) == NULL && p.col > 0)
		p.col--;
	if (match_bracket(c, &p, -1))
		copy_scroll_to(c, p);
	else if (bracket(closing, ascii(c, p)) == NULL && !copy_is_vi(c) &&
		 c->cx > 0)
		copy_go(c,
		    copy_previous_word(c, copy_here(c), closing, true, true));
}

/* With emacs keys: the bracket under or after the cursor, or the next word. */
static void
next_bracket_emacs(struct copy *c)
{
	struct vt_pos p = copy_here(c);

	if (bracket(opening, ascii(c, p)) == NULL)
		p.col++;
	if (bracket(opening, ascii(c, p)) == NULL)
		copy_go(c, copy_word_end_move(c, copy_here(c), opening));
	else if (match_bracket(c, &p, 1))
		copy_scroll_to(c, p);
}

/* With vi keys: the next bracket of the line; of a closing one its partner. */
static void
next_bracket_vi(struct copy *c)
{
	struct vt_pos p = copy_here(c);

	for (;;) {
		if (bracket(closing, ascii(c, p)) != NULL) {
			if (match_bracket(c, &p, -1))
				copy_scroll_to(c, p);
			return;
		}
		if (bracket(opening, ascii(c, p)) != NULL)
			break;
		if (p.col < copy_len(c, p.row)) {
			p.col++;
		} else if (copy_wrapped(c, p.row)) {
			p.row++;
			p.col = 0;
		} else {
			return;
		}
	}
	if (match_bracket(c, &p, 1))
		copy_scroll_to(c, p);
}

DO(next_matching_bracket)
{
	unsigned i;

	for (i = 0; i < a->repeat; i++)
		if (copy_is_vi(c))
			next_bracket_vi(c);
		else
			next_bracket_emacs(c);
	return COPY_NOTHING;
}

DO(previous_matching_bracket)
{
	unsigned i;

	for (i = 0; i < a->repeat; i++)
		previous_bracket(c);
	return COPY_NOTHING;
}
