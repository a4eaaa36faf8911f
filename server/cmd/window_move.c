/* Commands that move and size windows: move, link, unlink, swap, rotate. */
#include "base/mem.h"
#include "mux/client.h"
#include "server/cmd/cmd.h"
#include "server/cmd/resolve.h"
#include "server/cmd/shared.h"

static enum cmd_result
link_or_move(struct cmd_context *c, const struct cmd_target *to, bool move)
{
	struct winlink *from = c->source.wl;
	struct session *src = from->session;
	struct cause why = { NULL };
	uint32_t id = src->id;
	int index;

	if (!cmd_window_index(c, to, &index))
		return CMD_ERROR;
	if (session_link_window(from, to->s, index, args_has(c->args, 'k') != 0,
		!args_has(c->args, 'd'), NULL, &why) != 0)
		return cmd_cause(c, &why);
	mux_step(c->sv->run.mux);
	if (!move) {
		client_fit_windows(c->sv->run.mux);
		return CMD_NORMAL;
	}
	session_unlink(from);
	mux_step(c->sv->run.mux);
	client_fit_windows(c->sv->run.mux);
	/* With -s the index was given: do not renumber the others. */
	if (!args_has(c->args, 's') &&
	    (src = mux_session(c->sv->run.mux, id)) != NULL)
		cmd_renumber(src);
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_move_window(struct cmd_context *c)
{
	const char *text = args_get(c->args, 't');
	struct cause why = { NULL };
	struct cmd_target to;

	if (args_has(c->args, 'r')) {
		/* As in tmux, a target that is not there is no error. */
		if (resolve_target(c, TGT_SESSION, text, &to, &why) == 0)
			session_renumber(to.s);
		cause_fini(&why);
		return CMD_NORMAL;
	}
	if (resolve_target(c, TGT_WINDOW | TGT_INDEX, text, &to, &why) != 0)
		return cmd_cause(c, &why);
	return link_or_move(c, &to, true);
}

enum cmd_result
cmd_exec_link_window(struct cmd_context *c)
{
	return link_or_move(c, &c->target, false);
}

/* Returns whether W is linked in a session outside S and its group. */
static bool
linked_elsewhere(const struct session *s, const struct window *w)
{
	const struct list_node *n;
	const struct winlink *wl;

	LIST_FOREACH(n, &w->links) {
		wl = container_of(n, struct winlink, window_node);
		if (wl->session != s &&
		    (s->group == NULL || wl->session->group != s->group))
			return true;
	}
	return false;
}

enum cmd_result
cmd_exec_unlink_window(struct cmd_context *c)
{
	struct session *s = c->target.s;

	if (!args_has(c->args, 'k') && !linked_elsewhere(s, c->target.w) &&
	    (s->group != NULL || c->target.w->links.count == 1))
		return cmd_error(c, "window only linked to one session");
	session_unlink(c->target.wl);
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_swap_window(struct cmd_context *c)
{
	struct winlink *src = c->source.wl, *dst = c->target.wl;
	struct cause why = { NULL };

	if (session_swap(src, dst, args_has(c->args, 'd') != 0, &why) != 0)
		return cmd_cause(c, &why);
	client_fit_windows(c->sv->run.mux);
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_rotate_window(struct cmd_context *c)
{
	struct window *w = c->target.w;
	bool zoomed = w->zoomed;
	struct cmd_target t;

	window_rotate(w, !args_has(c->args, 'D'));
	if (zoomed && args_has(c->args, 'Z'))
		(void)window_zoom(w->active);
	t = resolve_winlink(c->target.wl);
	cmd_set_current(c, &t);
	return CMD_NORMAL;
}

/* Reads -x or -y; false after an error was reported. */
static bool
size_flag(struct cmd_context *c, int flag, const char *what, int *size)
{
	struct cause why = { NULL };
	int64_t n;
	int r;

	if (args_get(c->args, flag) == NULL)
		return true;
	if ((r = args_number(c->args, flag, 1, LAYOUT_SIZE_MAX, &n, &why)) !=
	    0) {
		(void)cmd_fault(c, what, r, &why);
		return false;
	}
	*size = (int)n;
	return true;
}

enum cmd_result
cmd_exec_resize_window(struct cmd_context *c)
{
	struct window *w = c->target.w;
	int cols = w->w, rows = w->h, by;
	const int was_cols = cols, was_rows = rows;

	if (!cmd_adjustment(c, &by) || !size_flag(c, 'x', "width", &cols) ||
	    !size_flag(c, 'y', "height", &rows))
		return CMD_ERROR;
	if (args_has(c->args, 'L'))
		cols -= cols >= by ? by : 0;
	else if (args_has(c->args, 'R'))
		cols += MIN_OF(by, LAYOUT_SIZE_MAX);
	else if (args_has(c->args, 'U'))
		rows -= rows >= by ? by : 0;
	else if (args_has(c->args, 'D'))
		rows += MIN_OF(by, LAYOUT_SIZE_MAX);
	if (args_has(c->args, 'A') || args_has(c->args, 'a')) {
		if (!client_window_limit(
			w, args_has(c->args, 'A') != 0, &cols, &rows))
			client_new_window_size(
			    c->sv->run.mux, c->target.s, NULL, &cols, &rows);
	}
	w->manual_w = MAX_OF(1, MIN_OF(cols, LAYOUT_SIZE_MAX));
	w->manual_h = MAX_OF(1, MIN_OF(rows, LAYOUT_SIZE_MAX));
	(void)options_set_text(&w->options, "window-size", "manual", NULL);
	client_fit_window(w);
	/* As in tmux, also if the size stays. */
	if (w->w == was_cols && w->h == was_rows) {
		window_say_layout(w);
		mux_say(w->mux, MUX_EVENT_WINDOW_RESIZED, NULL, w, NULL, NULL);
	}
	return CMD_NORMAL;
}
