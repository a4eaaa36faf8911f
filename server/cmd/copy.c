/*
 * Copy mode: copy-mode, and what its commands ask for.
 */
#include "server/cmd/copy.h"

#include "base/mem.h"
#include "base/str.h"
#include "mux/mode/copy.h"
#include "mux/paste.h"
#include "server/cmd/cmd.h"
#include "server/face/clipboard.h"
#include "server/face/redraw.h"
#include "server/io/job.h"

/* Gives text to the terminals that show the pane. */
static void
to_clipboard(struct cmd_context *c, const struct mode_effect *e)
{
	if (options_number(&c->sv->run.mux->server_options,
		OPTION_SET_CLIPBOARD) != SET_CLIPBOARD_OFF)
		clipboard_set_window(
		    &c->sv->viewers, c->target.w, NULL, e->text, e->len);
}

static void
to_buffer(struct cmd_context *c, const struct mode_effect *e)
{
	struct paste *ps = c->sv->run.mux->paste;
	struct paste_buffer *top = paste_top(ps);
	struct cause why = { NULL };

	if (e->append && top != NULL) {
		if (paste_append(ps, top->name, e->text, e->len, &why) != 0)
			(void)cmd_cause(c, &why);
		return;
	}
	if (paste_add(ps, e->prefix, e->text, e->len) != 0)
		(void)cmd_error(c, "the text is too large for a buffer");
}

static void
to_program(struct cmd_context *c, const struct mode_effect *e)
{
	const char *command = e->command;
	struct job_spec spec = {
		.cwd = c->target.s == NULL ? NULL : c->target.s->path,
		.input = e->text,
		.input_len = e->len,
	};
	char *text;

	if (command == NULL)
		command = options_string(
		    &c->sv->run.mux->server_options, OPTION_COPY_COMMAND);
	if (command == NULL || *command == '\0')
		return;
	text = cmd_format_new(c, &c->target, command);
	spec.command = text;
	if (job_start(&c->sv->jobs, &spec, NULL, NULL) == NULL)
		(void)cmd_error(c, "cannot run %s", text);
	mem_free(text);
}

void
cmd_mode_effects(struct cmd_context *c, struct mode_effects *effects)
{
	const struct list_node *n;
	const struct mode_effect *e;

	LIST_FOREACH(n, &effects->list) {
		e = container_of(n, const struct mode_effect, node);
		if (e->clipboard)
			to_clipboard(c, e);
		if (e->buffer || e->append)
			to_buffer(c, e);
		if (e->pipe)
			to_program(c, e);
	}
}

/* -M and -S: the mouse drags the end of a selection, or the slider. */
static void
begin_drag(struct cmd_context *c, struct pane *p)
{
	struct mouse_event from, to;

	cmd_mouse_in_pane(c, p, &from, &to);
	if (args_has(c->args, 'S'))
		copy_mode_slide_begin(
		    p, to.y, mouse_grab(c->viewer, p), args_has(c->args, 'e'));
	else
		copy_mode_drag(p, &from, &to);
	if (to.action == MOUSE_MOTION)
		mouse_drag_mode(c->viewer, p);
}

enum cmd_result
cmd_exec_copy_mode(struct cmd_context *c)
{
	struct pane *p = c->target.p;
	struct pane *from =
	    args_get(c->args, 's') != NULL ? c->source.p : c->target.p;
	unsigned flags = 0;

	if (args_has(c->args, 'q')) {
		pane_pop_modes(p);
		return CMD_NORMAL;
	}
	if (args_has(c->args, 'M') || args_has(c->args, 'S')) {
		if ((c->state->flags & CMD_STATE_MOUSE) == 0 ||
		    (p = mux_pane(c->sv->run.mux, c->state->mouse_pane)) ==
			NULL ||
		    c->viewer == NULL)
			return CMD_NORMAL;
		if (args_get(c->args, 's') == NULL)
			from = p;
	}
	if (args_has(c->args, 'e'))
		flags |= COPY_OPEN_SCROLL_EXIT;
	if (args_has(c->args, 'H'))
		flags |= COPY_OPEN_HIDE_POSITION;
	if (args_has(c->args, 'k'))
		flags |= COPY_OPEN_KILL;
	if ((c->state->flags & CMD_STATE_MOUSE) != 0)
		flags |= COPY_OPEN_NO_NUMBERS;
	if (copy_mode_open(p, from, flags) != 0)
		return cmd_error(c, "too many modes in the pane");
	if (args_has(c->args, 'M') || args_has(c->args, 'S'))
		begin_drag(c, p);
	if (args_has(c->args, 'u'))
		copy_mode_page_up(p);
	if (args_has(c->args, 'd'))
		copy_mode_page_down(p, args_has(c->args, 'e'));
	return CMD_NORMAL;
}

void
cmd_mouse_in_pane(struct cmd_context *c, const struct pane *p,
    struct mouse_event *from, struct mouse_event *to)
{
	const int x = c->viewer->builder.window_x + p->x;
	const int y = c->viewer->builder.window_y + p->y;

	*from = *to = c->state->mouse;
	from->x = c->viewer->mouse.x - x;
	from->y = c->viewer->mouse.y - y;
	to->x -= x;
	to->y -= y;
}
