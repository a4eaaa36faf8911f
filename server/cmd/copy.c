/*
 * Copy mode: copy-mode, and what its commands ask for.
 */
#include "server/cmd/copy.h"

#include "base/io/sys.h"
#include "base/mem.h"
#include "base/str.h"
#include "mux/mode/copy.h"
#include "mux/paste.h"
#include "mux/view/show.h"
#include "server/cmd/cmd.h"
#include "server/face/clipboard.h"
#include "server/face/redraw.h"
#include "server/face/slices.h"
#include "server/io/job.h"

/* Effects on their way: the commands that copy may end before their text. */
struct copying {
	struct list_node node; /* in sv->copies */
	struct cmd_late late;
	struct mode_effects effects; /* their commands are expanded */
	uint32_t window;
	char *cwd; /* of programs, or NULL */
};

/* Gives text to the terminals that show the window. */
static void
to_clipboard(struct copying *k, const struct mode_effect *e)
{
	struct server *sv = k->late.sv;
	struct window *w = mux_window(sv->run.mux, k->window);

	if (w != NULL && options_number(&sv->run.mux->server_options,
			     OPTION_SET_CLIPBOARD) != SET_CLIPBOARD_OFF)
		clipboard_set_window(&sv->viewers, w, NULL, e->text, e->len);
}

/* Gives text to a program, whose command is expanded. */
static void
to_program(struct copying *k, const struct mode_effect *e)
{
	struct job_spec spec = {
		.command = e->command,
		.cwd = k->cwd,
		.input = e->text,
		.input_len = e->len,
	};

	if (e->command != NULL && *e->command != '\0' &&
	    job_start(&k->late.sv->jobs, &spec, NULL, NULL) == NULL)
		cmd_late_error(&k->late, "cannot run %s", e->command);
}

/* Makes a paste buffer of the text, which it takes, or appends to one. */
static void
to_buffer(struct copying *k, struct mode_effect *e)
{
	struct paste *ps = k->late.sv->run.mux->paste;
	struct paste_buffer *top = paste_top(ps);
	struct cause why = { NULL };

	if (!e->append || top == NULL) {
		paste_give(ps, e->prefix, e->text, e->len);
		e->text = NULL;
	} else if (paste_append(ps, top->name, e->text, e->len, &why) != 0) {
		cmd_late_error(&k->late, "%s", cause_text(&why));
		cause_fini(&why);
	}
}

/* Does what is asked with the texts, which are whole. */
static void
finish(struct copying *k)
{
	const struct list_node *n;
	struct mode_effect *e;

	LIST_FOREACH(n, &k->effects.list) {
		e = container_of(n, struct mode_effect, node);
		if (e->failed)
			cmd_late_error(
			    &k->late, MODE_TEXT_TOO_LONG, MODE_TEXT_MAX >> 20);
		if (e->text == NULL || e->len == 0)
			continue;
		if (e->clipboard)
			to_clipboard(k, e);
		if (e->pipe)
			to_program(k, e);
		if (e->buffer || e->append)
			to_buffer(k, e);
	}
}

static void
copying_free(struct copying *k)
{
	list_remove(&k->late.sv->copies, &k->node);
	mode_effects_fini(&k->effects);
	mem_free(k->cwd);
	mem_free(k);
}

void
cmd_copies_free(struct server *sv)
{
	struct list_node *n;
	struct copying *k;

	while ((n = list_first(&sv->copies)) != NULL) {
		k = container_of(n, struct copying, node);
		loop_defer_cancel(sv->run.loop, k);
		copying_free(k);
	}
}

/* Collects text for a while. */
static void
copying_turn(void *arg)
{
	struct copying *k = arg;
	struct cmd_late late;
	const uint64_t begin = sys_now_us();

	while (mode_effects_more(&k->effects))
		if (sys_now_us() - begin > SLICES_US) {
			loop_defer_new(k->late.sv->run.loop, copying_turn, k);
			return;
		}
	finish(k);
	late = k->late;
	copying_free(k);
	cmd_late_end(&late, false);
	run_drain(&late.sv->run); /* the caller may be gone */
}

/* Expands the command of an effect while its target exists. */
static void
expand_command(struct cmd_context *c, struct mode_effect *e)
{
	const char *command = e->command;
	char *text;

	if (command == NULL)
		command = options_string(
		    &c->sv->run.mux->server_options, OPTION_COPY_COMMAND);
	if (!e->pipe || command == NULL)
		return;
	text = cmd_format_new(c, &c->target, command);
	mem_free(e->command);
	e->command = text;
}

enum cmd_result
cmd_mode_effects(struct cmd_context *c, struct mode_effects *effects)
{
	struct copying *k = mem_zalloc(sizeof(*k));
	struct list_node *n;
	struct mode_effect *e;
	bool rest = false;

	cmd_late_init(&k->late, c, false);
	mode_effects_init(&k->effects);
	list_push_back(&c->sv->copies, &k->node);
	k->window = c->target.w->id;
	/* A session of a configuration may have no path. */
	if (c->target.s != NULL && c->target.s->path != NULL)
		k->cwd = mem_strdup(c->target.s->path);
	while ((n = list_first(&effects->list)) != NULL) {
		e = container_of(n, struct mode_effect, node);
		expand_command(c, e);
		rest |= e->rest != NULL;
		list_remove(&effects->list, n);
		list_push_back(&k->effects.list, n);
	}
	if (!rest) {
		finish(k);
		copying_free(k);
		return CMD_NORMAL;
	}
	k->late.token = cmdq_wait(c->item);
	loop_defer_new(c->sv->run.loop, copying_turn, k);
	return CMD_WAIT;
}

/*
 * -M and -S: returns the pane under the mouse, which is *DRAG; NULL: there is
 * nothing to do.  Without a mouse, -S selects P, as in tmux.
 */
static struct pane *
pane_of_mouse(struct cmd_context *c, struct pane *p, bool *drag)
{
	*drag = (c->state->flags & CMD_STATE_MOUSE) != 0;
	if (!*drag && !args_has(c->args, 'M')) {
		(void)window_set_active(p->window, p);
		return p;
	}
	return !*drag || c->viewer == NULL
		   ? NULL
		   : mux_pane(c->sv->run.mux, c->state->mouse_pane);
}

/* -M and -S: the mouse drags the end of a selection, or the slider. */
static void
begin_drag(struct cmd_context *c, struct pane *p)
{
	struct mouse_event from, to;

	cmd_mouse_in_pane(c, p, &from, &to);
	if (args_has(c->args, 'S')) {
		/* As in tmux. */
		(void)window_set_active(p->window, p);
		copy_mode_slide_begin(
		    p, to.y, mouse_grab(c->viewer, p), args_has(c->args, 'e'));
	} else
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
	bool kills, drag = false;

	kills = copy_mode_kills(p);
	if (args_has(c->args, 'q')) {
		pane_pop_modes(p);
		if (kills)
			window_close_pane(p);
		return CMD_NORMAL;
	}
	if (args_has(c->args, 'M') || args_has(c->args, 'S')) {
		if ((p = pane_of_mouse(c, p, &drag)) == NULL)
			return CMD_NORMAL;
		if (drag && args_get(c->args, 's') == NULL)
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
	kills = copy_mode_kills(p);
	if (drag)
		begin_drag(c, p);
	if (args_has(c->args, 'u'))
		copy_mode_page_up(p);
	if (args_has(c->args, 'd'))
		copy_mode_page_down(p, args_has(c->args, 'e'));
	/* As in tmux: without a mouse, the slider goes to the top. */
	if (args_has(c->args, 'S') && !drag && copy_mode_top(p) != NULL) {
		copy_mode_slide_begin(p, 0, 0, args_has(c->args, 'e'));
		copy_mode_drag_end(p);
	}
	viewers_redraw_window(&c->sv->viewers, p->window);
	if (kills && !copy_mode_kills(p))
		window_close_pane(p);
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
	from->x = view_show_column(&c->viewer->builder, p, from->x, from->y);
	to->x = view_show_column(&c->viewer->builder, p, to->x, to->y);
}
