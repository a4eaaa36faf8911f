/* Commands that move panes: break, join, move, swap. */
#include "base/mem.h"
#include "mux/client.h"
#include "server/cmd/cmd.h"
#include "server/cmd/pane_float.h"
#include "server/cmd/resolve.h"
#include "server/cmd/shared.h"

/* Moves the whole window if the pane is its only one. */
static enum cmd_result
break_window(struct cmd_context *c, int index)
{
	struct cause why = { NULL };
	struct winlink *wl;
	struct cmd_target t;

	if (session_link_window(c->source.wl, c->target.s, index, false,
		!args_has(c->args, 'd'), &wl, &why) != 0)
		return cmd_cause(c, &why);
	if (args_get(c->args, 'n') != NULL)
		cmd_name_window(c, c->target.s, wl->window, NULL);
	session_unlink(c->source.wl);
	mux_step(c->sv->run.mux);
	mux_say(c->sv->run.mux, MUX_EVENT_PANE_MOVED, NULL, wl->window,
	    c->source.p, NULL);
	mux_step(c->sv->run.mux);
	client_fit_windows(c->sv->run.mux);
	t = resolve_winlink(wl);
	if (!args_has(c->args, 'd'))
		cmd_set_current(c, &t);
	cmd_say_target(c, &t, "#{session_name}:#{window_index}.#{pane_index}");
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_break_pane(struct cmd_context *c)
{
	struct cause why = { NULL };
	struct session *s = c->target.s;
	struct cmd_target t;
	struct winlink *wl;
	struct window *w;
	int index;

	if (args_has(c->args, 'W'))
		return cmd_float_pane(c);
	if (c->source.p == c->source.w->modal)
		return cmd_error(c, "pane is modal");
	if (!cmd_window_index(c, &c->target, &index))
		return CMD_ERROR;
	(void)window_unzoom(c->source.w);
	if (c->source.w->panes.count == 1)
		return break_window(c, index);
	if (index >= 0 && session_link_at(s, index) != NULL)
		return cmd_error(c, "index in use: %d", index);
	w = window_break(c->source.p);
	client_made_window(resolve_client(c, NULL), w);
	if (session_link(s, w, index, &wl, &why) != 0) {
		window_kill(w);
		return cmd_cause(c, &why);
	}
	cmd_name_window(c, s, w, NULL);
	t = resolve_winlink(wl);
	if (!args_has(c->args, 'd')) {
		(void)session_select(wl);
		cmd_set_current(c, &t);
	}
	mux_step(c->sv->run.mux);
	client_fit_windows(c->sv->run.mux);
	client_update_focus(c->sv->run.mux);
	cmd_say_target(c, &t, "#{session_name}:#{window_index}.#{pane_index}");
	return CMD_NORMAL;
}

/* Returns whether a flag that moves a floating pane was given. */
static bool
moves_floating(const struct args *args)
{
	static const char flags[] = "DLMPRUXYz";
	size_t i;

	for (i = 0; flags[i] != '\0'; i++)
		if (args_has(args, flags[i]))
			return true;
	return false;
}

static enum cmd_result
join_pane(struct cmd_context *c)
{
	struct winlink *to = c->target.wl;
	struct session *s = to->session;
	const int index = to->index;
	struct pane *p = c->source.p;
	struct layout_split how = { 0 };
	struct cause why = { NULL };
	struct cmd_target t;

	if (p == p->window->modal)
		return cmd_error(c, "pane is modal");
	(void)window_unzoom(c->target.w);
	(void)window_unzoom(c->source.w);
	if (p == c->target.p && !p->floating)
		return cmd_error(
		    c, "source and target panes must be different");
	if (p != c->target.p && c->target.p->floating)
		return cmd_error(
		    c, "size or position can't split a floating pane");
	if (cmd_split_how(c, &how) != 0)
		return CMD_ERROR;
	if (p == c->target.p && !args_has(c->args, 'd')) {
		(void)window_set_active(p->window, p);
		mux_step(c->sv->run.mux);
	}
	if ((p == c->target.p
		    ? window_tile(p, &why)
		    : window_join(p, c->target.p, &how,
			  args_has(c->args, 'd') ? NULL : to, &why)) != 0) {
		cause_fini(&why);
		return cmd_error(c, "size or position no space for a new pane");
	}
	if (!args_has(c->args, 'd')) {
		/* A window of the group that is gone has replaced its links. */
		t = resolve_winlink(session_link_at(s, index));
		cmd_set_current(c, &t);
	}
	cmd_renumber_all(c->sv->run.mux);
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_join_pane(struct cmd_context *c)
{
	return join_pane(c);
}

enum cmd_result
cmd_exec_move_pane(struct cmd_context *c)
{
	if (moves_floating(c->args))
		return cmd_move_float(c);
	return join_pane(c);
}

/* The next tiled pane after P, or (UP) before it; P if there is no other. */
static struct pane *
next_tiled(struct pane *p, bool up)
{
	struct pane *q = p;

	do
		q = up ? window_prev_pane(p->window, q, 1)
		       : window_next_pane(p->window, q, 1);
	while (q != p && q->floating);
	return q;
}

enum cmd_result
cmd_exec_swap_pane(struct cmd_context *c)
{
	struct pane *src = c->source.p, *dst = c->target.p;
	struct window *to = dst->window, *from;
	bool again = args_has(c->args, 'Z') != 0;
	bool keep = args_has(c->args, 'd') != 0;
	bool down = args_has(c->args, 'D') != 0;
	bool zoom_to = to->zoomed && again, zoom_from;

	if (down || args_has(c->args, 'U')) {
		if (dst->floating)
			return cmd_error(c, "cannot swap %s on floating pane",
			    down ? "down" : "up");
		src = next_tiled(dst, !down);
	}
	from = src->window;
	if (src == from->modal || dst == to->modal)
		return cmd_error(c, "pane is modal");
	zoom_from = from != to && from->zoomed && again;
	(void)window_unzoom(to);
	(void)window_unzoom(from);
	if (src != dst) {
		bool here = keep && from == to &&
			    (from->active == src || from->active == dst);

		(void)window_swap_panes(src, dst, keep);
		/* As in tmux: if either was active, SRC becomes active. */
		if (here) {
			(void)window_set_active(from, dst);
			(void)window_set_active(from, src);
		}
	}
	if (zoom_to)
		(void)window_zoom(to->active);
	if (zoom_from)
		(void)window_zoom(from->active);
	return CMD_NORMAL;
}
