/*
 * Commands of copy mode that copy, and those for the mode itself.
 */
#include "base/mem.h"
#include "mux/mode/copy_int.h"
#include "mux/mode/copy_take.h"

/* --- copying ----------------------------------------------------------------- */

enum {
	TO_BUFFER = 1,
	TO_PIPE = 2,
	APPENDED = 4
};

/* Takes the selected text as an effect; false if there is too much of it. */
static bool
take(struct copy *c, const struct copy_args *a, unsigned to)
{
	struct mode_effect *e;
	struct mode_text *rest = NULL;
	struct buf text;
	const char *command = NULL, *prefix = NULL;
	int r;

	if (a->out == NULL || a->cmd->read_only)
		return true;
	if (to & TO_PIPE) {
		command = a->word[0];
		prefix = a->word[1];
	} else {
		prefix = a->word[0];
	}
	buf_init(&text, MODE_TEXT_MAX);
	/* Without a selection: the match at the cursor. */
	if (c->selecting || c->line != COPY_LINE_NONE)
		r = copy_take(c, &text, &rest);
	else
		r = copy_search_text(c, &text);
	if (r != 0) {
		buf_fini(&text);
		(void)cause_set(
		    a->why, r, MODE_TEXT_TOO_LONG, MODE_TEXT_MAX >> 20);
		return false;
	}
	if (text.len == 0 && rest == NULL) {
		buf_fini(&text);
		return true;
	}
	e = mem_zalloc(sizeof(*e));
	e->rest = rest;
	e->buffer = (to & TO_BUFFER) != 0 && !a->no_buffer;
	e->append = (to & APPENDED) != 0;
	e->clipboard = (to & (TO_BUFFER | APPENDED)) != 0 && !a->no_clipboard;
	e->pipe = (to & TO_PIPE) != 0;
	if (rest == NULL)
		e->text = buf_steal(&text, &e->len);
	if (prefix != NULL)
		e->prefix = mem_strdup(prefix);
	if (command != NULL && *command != '\0')
		e->command = mem_strdup(command);
	list_push_back(&a->out->list, &e->node);
	return true;
}

static enum copy_did
copy_and(
    struct copy *c, const struct copy_args *a, unsigned to, enum copy_did did)
{
	if (!take(c, a, to))
		return COPY_NOTHING;
	copy_clear_selection(c);
	return did;
}

DO(copy_selection)
{
	return copy_and(c, a, TO_BUFFER, COPY_REDRAW);
}

DO(copy_selection_no_clear)
{
	(void)take(c, a, TO_BUFFER);
	return COPY_NOTHING;
}

DO(copy_selection_and_cancel)
{
	return copy_and(c, a, TO_BUFFER, COPY_CANCEL);
}

DO(copy_pipe)
{
	return copy_and(c, a, TO_BUFFER | TO_PIPE, COPY_REDRAW);
}

DO(copy_pipe_no_clear)
{
	(void)take(c, a, TO_BUFFER | TO_PIPE);
	return COPY_NOTHING;
}

DO(copy_pipe_and_cancel)
{
	return copy_and(c, a, TO_BUFFER | TO_PIPE, COPY_CANCEL);
}

DO(pipe)
{
	return copy_and(c, a, TO_PIPE, COPY_REDRAW);
}

DO(pipe_no_clear)
{
	(void)take(c, a, TO_PIPE);
	return COPY_NOTHING;
}

DO(pipe_and_cancel)
{
	return copy_and(c, a, TO_PIPE, COPY_CANCEL);
}

DO(append_selection)
{
	return copy_and(c, a, APPENDED, COPY_REDRAW);
}

DO(append_selection_and_cancel)
{
	return copy_and(c, a, APPENDED, COPY_CANCEL);
}

/* Copies a whole line, or (END) the rest of it; the cursor stays. */
static enum copy_did
copy_lines(struct copy *c, const struct copy_args *a, bool end, unsigned to,
    enum copy_did did)
{
	const unsigned cx = c->cx, cy = c->cy;
	const vt_row top = c->top;
	unsigned i;

	if (!end) {
		c->unit = COPY_CHAR;
		copy_go(c, copy_line_start(c, copy_here(c), true));
	}
	copy_start_selection(c);
	for (i = 1; i < a->repeat; i++)
		copy_cursor_down(c, false);
	copy_go(c, copy_line_end(c, copy_here(c), true, c->rect));
	(void)take(c, a, to);
	copy_clear_selection(c);
	c->cx = cx;
	c->cy = cy;
	c->top = top;
	return did;
}

DO(copy_line)
{
	return copy_lines(c, a, false, TO_BUFFER, COPY_REDRAW);
}

DO(copy_line_and_cancel)
{
	return copy_lines(c, a, false, TO_BUFFER, COPY_CANCEL);
}

DO(copy_pipe_line)
{
	return copy_lines(c, a, false, TO_BUFFER | TO_PIPE, COPY_REDRAW);
}

DO(copy_pipe_line_and_cancel)
{
	return copy_lines(c, a, false, TO_BUFFER | TO_PIPE, COPY_CANCEL);
}

DO(copy_end_of_line)
{
	return copy_lines(c, a, true, TO_BUFFER, COPY_REDRAW);
}

DO(copy_end_of_line_and_cancel)
{
	return copy_lines(c, a, true, TO_BUFFER, COPY_CANCEL);
}

DO(copy_pipe_end_of_line)
{
	return copy_lines(c, a, true, TO_BUFFER | TO_PIPE, COPY_REDRAW);
}

DO(copy_pipe_end_of_line_and_cancel)
{
	return copy_lines(c, a, true, TO_BUFFER | TO_PIPE, COPY_CANCEL);
}

/* --- the mode itself ------------------------------------------------------------- */

DO(cancel)
{
	return COPY_CANCEL;
}

DO(toggle_position)
{
	c->flags ^= COPY_OPEN_HIDE_POSITION;
	return COPY_NOTHING;
}

DO(refresh_from_pane)
{
	return copy_do_refresh_now(c, a);
}

/* The text of view mode is its own: there is nothing to take. */
DO(refresh_now)
{
	if (c->own != NULL)
		return COPY_NOTHING;
	copy_refresh(c);
	return COPY_REDRAW;
}

DO(refresh_on)
{
	c->refresh = c->own == NULL;
	return COPY_NOTHING;
}

DO(refresh_off)
{
	c->refresh = false;
	return COPY_NOTHING;
}

DO(refresh_toggle)
{
	return c->refresh ? copy_do_refresh_off(c, a)
			  : copy_do_refresh_on(c, a);
}
