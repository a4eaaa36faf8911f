#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "mux/alert.h"
#include "mux/client.h"
#include "server/cmd/cmd.h"
#include "server/cmd/resolve.h"
#include "server/cmd/shared.h"
#include "server/io/spawn.h"

/*
 * -S: selects the window at the index, or else the one of that name; *R: the
 * command's result.
 */
static bool
select_named(struct cmd_context *c, enum cmd_result *r)
{
	const char *name = args_get(c->args, 'n');
	struct winlink *wl, *found = NULL;
	struct list_node *n;
	unsigned count = 0;
	char *text;

	*r = CMD_NORMAL;
	if (!args_has(c->args, 'S') || name == NULL)
		return false;
	if (c->target.index >= 0) {
		found = session_link_at(c->target.s, c->target.index);
		if (found != NULL && !args_has(c->args, 'd'))
			(void)session_select(found);
		return found != NULL;
	}
	text = cmd_format_new(c, &c->target, name);
	SESSION_FOREACH_LINK(wl, n, c->target.s)
	if (strcmp(wl->window->name, text) == 0) {
		found = wl;
		count++;
	}
	mem_free(text);
	if (count > 1)
		*r = cmd_error(c, "multiple windows named %s", name);
	else if (count == 1 && !args_has(c->args, 'd'))
		(void)session_select(found);
	return count > 0;
}

/* Finds the new window's index; false after an error was reported. */
static bool
new_index(struct cmd_context *c, int *index)
{
	struct session *s = c->target.s;
	struct winlink *wl;

	/* A free index is taken, a window looked for by name has no neighbour. */
	*index = c->target.index;
	if (!(args_has(c->args, 'S') && args_get(c->args, 'n') != NULL) &&
	    (*index < 0 || session_link_at(s, *index) != NULL) &&
	    !cmd_window_index(c, &c->target, index))
		return false;
	if (*index < 0 || (wl = session_link_at(s, *index)) == NULL)
		return true;
	if (!args_has(c->args, 'k')) {
		(void)cmd_error(
		    c, "create window failed: index %d in use", *index);
		return false;
	}
	return true;
}

/* Links W at INDEX, replacing the window that is there. */
static int
link_new(struct cmd_context *c, struct window *w, int index,
    struct winlink **wl, struct cause *why)
{
	struct session *s = c->target.s;
	struct winlink *old = index < 0 ? NULL : session_link_at(s, index);
	bool was_target = old != NULL && old == c->target.wl;
	bool was_caller = old != NULL && old == c->current.wl;
	int r;

	if (old == NULL)
		return session_link(s, w, index, wl, why);
	if ((r = session_replace(old, w, wl, why)) != 0)
		return r;
	/* The context's window is gone: point to the new one. */
	if (was_target)
		c->target = resolve_winlink(*wl);
	if (was_caller)
		c->current = resolve_winlink(*wl);
	return 0;
}

enum cmd_result
cmd_exec_new_window(struct cmd_context *c)
{
	struct session *s = c->target.s;
	const char *word = args_string(c->args, 0);
	struct pane_start st = { 0 };
	struct cause why = { NULL };
	char *argv[256], *text;
	enum cmd_result result;
	struct client *who;
	struct cmd_target t;
	struct winlink *wl;
	struct window *w;
	int index, cols, rows;

	if (select_named(c, &result))
		return result;
	if (cmd_empty_conflict(c) || !new_index(c, &index))
		return CMD_ERROR;
	st.empty = args_has(c->args, 'E') ||
		   (c->args->count == 1 && word != NULL && *word == '\0');
	st.history = (size_t)options_number(&s->options, OPTION_HISTORY_LIMIT);
	text = cmd_start_path(c, &c->target, false);
	st.path = text;
	cmd_pane_start(c, &st, argv, ARRAY_LEN(argv));
	who = resolve_client(c, NULL);
	client_new_window_size(c->sv->run.mux, s, who, &cols, &rows);
	w = window_new(c->sv->run.mux, cols, rows, &st);
	client_made_window(who, w);
	mem_free(text);
	if (link_new(c, w, index, &wl, &why) != 0) {
		window_kill(w);
		cause_prefix(&why, "create window failed");
		return cmd_cause(c, &why);
	}
	cmd_name_window(c, s, w, &c->target);
	if (st.empty)
		spawn_title(w->active);
	else if (cmd_spawn(c, s, w->active, &why) != 0) {
		window_kill(w);
		cause_prefix(&why, "create window failed");
		return cmd_cause(c, &why);
	}
	t = resolve_winlink(wl);
	cmd_set_after(c, &t);
	if (!args_has(c->args, 'd') || s->current == NULL) {
		(void)session_select(wl);
		cmd_set_current(c, &t);
	}
	/* A new window out of sight counts as activity. */
	alert_output(w->active);
	(void)alert_run(c->sv->run.mux);
	cmd_say_target(c, &t, "#{session_name}:#{window_index}.#{pane_index}");
	return CMD_NORMAL;
}

/* Returns a window of the session to kill, other than W. */
static struct winlink *
kill_next(struct cmd_context *c, struct session *s, const struct window *w)
{
	struct list_node *n;
	struct winlink *wl;
	struct cmd_target t;

	SESSION_FOREACH_LINK(wl, n, s)
	{
		t = resolve_winlink(wl);
		if (wl->window != w && cmd_filter(c, &t))
			return wl;
	}
	return NULL;
}

enum cmd_result
cmd_exec_kill_window(struct cmd_context *c)
{
	struct window *w = c->target.w;
	struct list_node *n;
	struct winlink *wl;
	unsigned same = 0;

	if (args_has(c->args, 'f') && !args_has(c->args, 'a'))
		return cmd_error(c, "-f only valid with -a");
	if (!args_has(c->args, 'a')) {
		(void)window_unzoom(w);
		window_kill(w);
	} else if (c->target.s->links.count > 1) {
		while ((wl = kill_next(c, c->target.s, w)) != NULL) {
			(void)window_unzoom(wl->window);
			window_kill(wl->window);
		}
		SESSION_FOREACH_LINK(wl, n, c->target.s)
		same += wl->window == w;
		/* Linked twice in the session: kill it too, as tmux does. */
		if (same > 1)
			window_kill(w);
	}
	cmd_renumber_all(c->sv->run.mux);
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_rename_window(struct cmd_context *c)
{
	char *name = cmd_format_new(c, &c->target, args_string(c->args, 0));

	if (!utf8_is_name(name)) {
		(void)cmd_error(c, "invalid window name: %s", name);
		mem_free(name);
		return CMD_ERROR;
	}
	/* As in tmux, it is an event even if the name stays. */
	if (strcmp(c->target.w->name, name) == 0)
		mux_say(c->sv->run.mux, MUX_EVENT_WINDOW_RENAMED, NULL,
		    c->target.w, NULL, name);
	window_set_name(c->target.w, name);
	(void)options_set_text(
	    &c->target.w->options, "automatic-rename", "off", NULL);
	mem_free(name);
	return CMD_NORMAL;
}

/*
 * Makes the session's current window the target of the commands that follow.
 * All that select a window run the hook of select-window, as in tmux.
 */
static enum cmd_result
selected(struct cmd_context *c)
{
	struct cmd_target t = resolve_session(c->target.s);

	if (c->viewer != NULL)
		client_use_window(c->client, c->target.s);
	c->hook = "select-window";
	cmd_set_current(c, &t);
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
		(void)session_select(c->target.wl);
	if (r == 0)
		return selected(c);
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
	return selected(c);
}

enum cmd_result
cmd_exec_previous_window(struct cmd_context *c)
{
	if (session_previous(c->target.s, args_has(c->args, 'a') != 0) != 0)
		return cmd_error(c, "no previous window");
	return selected(c);
}

enum cmd_result
cmd_exec_last_window(struct cmd_context *c)
{
	if (session_last(c->target.s) != 0)
		return cmd_error(c, "no last window");
	return selected(c);
}
