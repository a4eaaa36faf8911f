#include <string.h>

#include "base/mem.h"
#include "server/cmd/cmd.h"
#include "server/cmd/resolve.h"
#include "server/pane_io.h"
#include "server/spawn.h"

enum cmd_result
cmd_exec_new_window(struct cmd_context *c)
{
	struct session *s = c->target.s;
	struct pane_start st = { 0 };
	struct cause why = { NULL };
	const char *name = args_get(c->args, 'n');
	char *argv[256], *text;
	struct cmd_target t;
	struct winlink *wl;
	struct window *w;
	int index = c->target.index, cols, rows, r;

	if (s == NULL)
		return cmd_error(c, "no current session");
	if (args_get(c->args, 't') == NULL)
		index = -1;
	if (c->target.wl != NULL &&
	    (args_has(c->args, 'a') || args_has(c->args, 'b'))) {
		r = session_shuffle(
		    c->target.wl, args_has(c->args, 'b') != 0, &index);
		if (r != 0)
			return cmd_error(c, "couldn't move window");
	}
	if (index >= 0 && args_has(c->args, 'k') &&
	    (wl = session_link_at(s, index)) != NULL)
		session_unlink(wl);
	st.history = (size_t)options_number(&s->options, OPTION_HISTORY_LIMIT);
	text = cmd_start_path(c, &c->target, false);
	st.path = text;
	cmd_pane_start(c, &st, argv, ARRAY_LEN(argv));
	client_new_window_size(c->sv->mux, s, c->client, &cols, &rows);
	w = window_new(c->sv->mux, cols, rows, &st);
	mem_free(text);
	if ((r = session_link(s, w, index, &wl, &why)) != 0) {
		window_free(w);
		cause_prefix(&why, "create window failed");
		return cmd_cause(c, &why);
	}
	if (name != NULL) {
		text = cmd_format_new(c, &c->target, name);
		window_set_name(w, text);
		mem_free(text);
		(void)options_set_text(
		    &w->options, "automatic-rename", "off", NULL);
	}
	if (cmd_spawn(c, s, w->active, &why) != 0) {
		window_kill(w);
		return cmd_cause(c, &why);
	}
	if (!args_has(c->args, 'd') || s->current == NULL)
		session_select(wl);
	t = resolve_winlink(wl);
	cmd_say_target(c, &t, "#{session_name}:#{window_index}.#{pane_index}");
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_kill_window(struct cmd_context *c)
{
	struct list_node *n;
	struct winlink *wl, *other;

	if (!args_has(c->args, 'a')) {
		window_kill(c->target.w);
		return CMD_NORMAL;
	}
	for (;;) {
		other = NULL;
		SESSION_FOREACH_LINK(wl, n, c->target.s)
		if (wl->window != c->target.w)
			other = wl;
		if (other == NULL)
			return CMD_NORMAL;
		window_kill(other->window);
	}
}

enum cmd_result
cmd_exec_rename_window(struct cmd_context *c)
{
	char *name = cmd_format_new(c, &c->target, args_string(c->args, 0));

	window_set_name(c->target.w, name);
	(void)options_set_text(
	    &c->target.w->options, "automatic-rename", "off", NULL);
	mem_free(name);
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_select_window(struct cmd_context *c)
{
	struct session *s = c->target.s;
	int r = 0;

	if (args_has(c->args, 'n'))
		r = session_next(s, args_has(c->args, 'a') != 0);
	else if (args_has(c->args, 'p'))
		r = session_previous(s, args_has(c->args, 'a') != 0);
	else if (args_has(c->args, 'l') ||
		 (args_has(c->args, 'T') && c->target.wl == s->current))
		r = session_last(s);
	else
		session_select(c->target.wl);
	if (r == 0)
		return CMD_NORMAL;
	return cmd_error(c, "no %s window",
	    args_has(c->args, 'n')   ? "next"
	    : args_has(c->args, 'p') ? "previous"
				     : "last");
}

enum cmd_result
cmd_exec_next_window(struct cmd_context *c)
{
	if (session_next(c->target.s, args_has(c->args, 'a') != 0) != 0)
		return cmd_error(c, "no next window");
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_previous_window(struct cmd_context *c)
{
	if (session_previous(c->target.s, args_has(c->args, 'a') != 0) != 0)
		return cmd_error(c, "no previous window");
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_last_window(struct cmd_context *c)
{
	if (session_last(c->target.s) != 0)
		return cmd_error(c, "no last window");
	return CMD_NORMAL;
}
