/* new-session, and the commands that leave a session or the server. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "mux/alert.h"
#include "server/cmd/cmd.h"
#include "server/cmd/resolve.h"
#include "server/cmd/shared.h"
#include "server/core/end.h"

/* --- new-session ------------------------------------------------------------ */

/* The sizes of a new session. */
struct new_size {
	int w, h;                 /* of its first window */
	int default_w, default_h; /* of the option default-size, with -x, -y */
};

/* Gets the cells of the caller's terminal; false: it has none. */
static bool
caller_size(struct cmd_context *c, int *w, int *h)
{
	const uint16_t *size;

	if (c->viewer != NULL) {
		*w = c->client->w;
		*h = c->client->h;
		return true;
	}
	if (c->conn == NULL || controller_of_conn(c->conn) != NULL)
		return false;
	size = conn_size(c->conn);
	*w = size[0];
	*h = size[1];
	return *w > 0 && *h > 0;
}

/* Reads -x or -y ("-": CALLER) to *SIDE; without one *SIDE stays. */
static int
new_session_side(struct cmd_context *c, int flag, const char *what, int caller,
    int *side, struct cause *why)
{
	const char *text = args_get(c->args, flag);
	struct cause bad = { NULL };
	int64_t n;
	int r;

	if (text == NULL)
		return 0;
	if (strcmp(text, "-") == 0) {
		*side = caller;
		return 0;
	}
	if ((r = args_number(c->args, flag, 1, 10000, &n, &bad)) == 0) {
		*side = (int)n;
		return 0;
	}
	cause_fini(&bad);
	return cause_set(why, r, "%s %s", what, cmd_fault_name(r));
}

/*
 * In a terminal the window begins with the size that the client gives it, so
 * that programs start with that; -x and -y are for windows made later.
 */
static int
new_session_size(struct cmd_context *c, struct new_size *n, struct cause *why)
{
	struct mux *m = c->sv->run.mux;
	const bool manual = options_number(&m->window_options,
				OPTION_WINDOW_SIZE) == WINDOW_SIZE_MANUAL;
	int w = 80, h = 24, r;
	bool shown = caller_size(c, &w, &h) && !args_has(c->args, 'd');

	client_new_window_size(
	    m, NULL, controller_client(c->conn), &n->w, &n->h);
	n->default_w = n->w;
	n->default_h = n->h;
	/* The window begins with the cells of that terminal, too. */
	if (shown && c->viewer == NULL)
		outer_size(&m->outer, conn_size(c->conn));
	if (shown) {
		n->w = w;
		n->h = h;
		client_new_session_size(m, &n->w, &n->h);
		n->default_w = n->w;
		n->default_h = n->h;
	}
	if ((r = new_session_side(c, 'x', "width", w, &n->default_w, why)) !=
		0 ||
	    (r = new_session_side(c, 'y', "height", h, &n->default_h, why)) !=
		0)
		return r;
	if (!shown || manual) {
		n->w = n->default_w;
		n->h = n->default_h;
	}
	if (shown && manual && !args_has(c->args, 'x') &&
	    !args_has(c->args, 'y'))
		client_new_window_size(m, NULL, NULL, &n->w, &n->h);
	return 0;
}

/* -x, -y: sets default-size too, for windows made without a client. */
static int
session_default_size(struct cmd_context *c, struct session *s,
    const struct new_size *n, struct cause *why)
{
	char text[32];

	if (!args_has(c->args, 'x') && !args_has(c->args, 'y'))
		return 0;
	snprintf(text, sizeof(text), "%dx%d", n->default_w, n->default_h);
	return options_set_text(&s->options, "default-size", text, why);
}

/* -e: sets variables for all programs of the session. */
static void
session_environ(struct cmd_context *c, struct session *s)
{
	const struct args_value *v;
	size_t i, n;

	v = args_values(c->args, 'e', &n);
	for (i = 0; i < n; i++)
		environ_put(&s->environ, v[i].text);
}

/* Where the formats of a new session's names are expanded. */
static const struct cmd_target nowhere = { .index = -1 };

/* Makes the first window of a session. */
static int
first_window(struct cmd_context *c, struct session *s,
    const struct new_size *size, struct cause *why)
{
	struct pane_start st = { .history = (size_t)options_number(
				     &s->options, OPTION_HISTORY_LIMIT) };
	char *argv[256], *path;
	struct winlink *wl;
	struct window *w;
	int r;

	path = cmd_start_path(c, &c->current, true);
	cmd_pane_start(c, &st, argv, ARRAY_LEN(argv));
	st.path = path;
	w = window_new(c->sv->run.mux, size->w, size->h, &st);
	mem_free(s->path);
	s->path = path;
	if ((r = session_link(s, w, -1, &wl, why)) != 0) {
		window_free(w);
		return r;
	}
	session_select(wl);
	cmd_name_window(c, s, w, &nowhere);
	return cmd_spawn(c, s, w->active, why);
}

enum cmd_result
cmd_exec_new_session(struct cmd_context *c)
{
	struct cause why = { NULL };
	struct session_group *g = NULL;
	struct cmd_target t;
	struct session *s;
	const char *name = args_get(c->args, 's');
	const char *group = args_get(c->args, 't');
	char *clean = NULL;
	enum cmd_result r = CMD_NORMAL;
	struct new_size size;

	client_see(c->sv->run.mux, &c->seen);
	if (!args_has(c->args, 'd') && cmd_nested(c))
		return cmd_error(c,
		    "sessions should be nested with care, unset $RMUX to "
		    "force");
	if (!args_has(c->args, 'd') && conn_reads(c->conn) &&
	    (conn_flags(c->conn) & CONTROL_FLAG_TTY) == 0)
		return cmd_error(c, "open terminal failed: not a terminal");
	if (group != NULL &&
	    (c->args->count > 0 || args_get(c->args, 'n') != NULL))
		return cmd_error(c, "command or window name given with target");
	if (name != NULL) {
		clean = cmd_format_new(c, &nowhere, name);
		name = clean;
		s = mux_session_named(c->sv->run.mux, name);
		if (s != NULL && args_has(c->args, 'A')) {
			mem_free(clean);
			return cmd_attach_to(c, s, args_has(c->args, 'D') != 0,
			    args_has(c->args, 'X') != 0,
			    args_get(c->args, 'f'));
		}
	}
	if (name != NULL &&
	    session_name_check(c->sv->run.mux, name, &why) != 0) {
		mem_free(clean);
		return cmd_cause(c, &why);
	}
	if (group != NULL) {
		s = mux_session_named(c->sv->run.mux, group);
		g = session_group_get(c->sv->run.mux, group);
		if (s != NULL && s->group == NULL)
			session_group_add(g, s);
	}
	/* As in tmux 3.8, a session of a group spends the numbers of a window. */
	if (g != NULL && g->sessions.count > 0) {
		c->sv->run.mux->next_window++;
		c->sv->run.mux->next_pane++;
	}
	/* A size that is wrong takes no number of a session. */
	if (new_session_size(c, &size, &why) != 0 ||
	    session_new(c->sv->run.mux, name, g, &s, &why) != 0) {
		mem_free(clean);
		return cmd_cause(c, &why);
	}
	mem_free(clean);
	if (!args_has(c->args, 'E'))
		cmd_update_environment(c->sv, c->conn, s);
	session_environ(c, s);
	if (s->path == NULL)
		s->path = cmd_start_path(c, &c->current, true);
	if (session_default_size(c, s, &size, &why) != 0 ||
	    (s->current == NULL && first_window(c, s, &size, &why) != 0)) {
		session_destroy(s);
		return cmd_cause(c, &why);
	}
	t = resolve_session(s);
	cmd_set_after(c, &t);
	/* As in tmux, a place that commands have is not left for -d. */
	if (!args_has(c->args, 'd') || c->current.s == NULL ||
	    c->state->session == MUX_NONE)
		cmd_set_current(c, &t);
	if (!args_has(c->args, 'd'))
		r = cmd_attach_to(c, s, false, false, args_get(c->args, 'f'));
	cmd_say_target(c, &t, "#{session_name}:");
	return r;
}

/* --- leaving ----------------------------------------------------------------------- */

static void
leave_one(struct controller *ct, const char *exec)
{
	if (exec != NULL && ct->exec == NULL)
		ct->exec = mem_strdup(exec);
	controller_leave(ct, 0, NULL);
}

/* Detaches the control clients of S (NULL: all) but EXCEPT. */
static void
leave_all(struct cmd_context *c, const struct session *s,
    const struct client *except, const char *exec)
{
	struct list_node *n;
	struct controller *ct;

	LIST_FOREACH(n, &c->sv->controllers.list) {
		ct = container_of(n, struct controller, node);
		if (ct->client != NULL && ct->client != except &&
		    (s == NULL || ct->client->session == s))
			leave_one(ct, exec);
	}
}

static void
detach_one(struct viewer *vw, bool hangup, const char *exec)
{
	char *text;

	if (exec != NULL) {
		vw->detaching = true;
		viewer_send(vw, CONTROL_EXEC, 0, exec);
		return;
	}
	text = mem_printf("detached (from session %s)",
	    vw->client->session == NULL ? "" : vw->client->session->name);
	viewer_detach(vw, hangup, text);
	mem_free(text);
}

enum cmd_result
cmd_exec_detach_client(struct cmd_context *c)
{
	const char *exec = args_get(c->args, 'E');
	bool hangup = args_has(c->args, 'P') != 0;
	struct list_node *n, *tmp;
	struct controller *ct;
	struct viewer *vw;

	if (args_get(c->args, 's') != NULL) {
		LIST_FOREACH_SAFE(n, &c->sv->viewers.list, tmp) {
			vw = container_of(n, struct viewer, node);
			if (vw->client->session == c->source.s)
				detach_one(vw, hangup, exec);
		}
		leave_all(c, c->source.s, NULL, exec);
		return CMD_STOP;
	}
	ct = controller_of(&c->sv->controllers, c->client);
	if (c->viewer == NULL && ct == NULL)
		return cmd_error(c, "no current client");
	if (args_has(c->args, 'a')) {
		LIST_FOREACH_SAFE(n, &c->sv->viewers.list, tmp) {
			vw = container_of(n, struct viewer, node);
			if (vw != c->viewer)
				detach_one(vw, hangup, exec);
		}
		leave_all(c, NULL, c->client, exec);
		return CMD_NORMAL;
	}
	if (ct != NULL) {
		leave_one(ct, exec);
		return CMD_STOP;
	}
	detach_one(c->viewer, hangup, exec);
	return CMD_STOP;
}

enum cmd_result
cmd_exec_suspend_client(struct cmd_context *c)
{
	if (controller_of(&c->sv->controllers, c->client) != NULL)
		return CMD_NORMAL;
	if (c->viewer == NULL)
		return cmd_error(c, "no current client");
	viewer_send(c->viewer, CONTROL_SUSPEND, 0, NULL);
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_kill_server(struct cmd_context *c)
{
	end_begin(c->sv);
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_start_server(UNUSED struct cmd_context *c)
{
	return CMD_NORMAL;
}

/* Returns whether -f admits S; true without -f. */
static bool
kill_wanted(struct cmd_context *c, struct session *s)
{
	struct cmd_target t = resolve_session(s);

	return cmd_filter(c, &t);
}

/* Returns the next session to kill: any but KEEP, of GROUP if given. */
static struct session *
kill_next(struct cmd_context *c, const struct session *keep,
    const struct session_group *group)
{
	struct map_entry *e;
	struct session *s;

	MAP_FOREACH(e, &c->sv->run.mux->sessions) {
		s = e->value;
		if (s != keep && (group == NULL || s->group == group) &&
		    kill_wanted(c, s))
			return s;
	}
	return NULL;
}

enum cmd_result
cmd_exec_kill_session(struct cmd_context *c)
{
	struct session *s = c->target.s, *other;
	struct session_group *g = s->group;

	if (args_has(c->args, 'f') &&
	    (!args_has(c->args, 'a') || args_has(c->args, 'C')))
		return cmd_error(c, "-f only valid with -a");
	if (args_has(c->args, 'C')) {
		alert_clear_session(s);
		return CMD_NORMAL;
	}
	if (args_has(c->args, 'a')) {
		while ((other = kill_next(c, s, NULL)) != NULL)
			session_destroy(other);
		return CMD_NORMAL;
	}
	if (args_has(c->args, 'g') && g != NULL) {
		while ((other = kill_next(c, s, g)) != NULL)
			session_destroy(other);
	}
	if (kill_wanted(c, s))
		session_destroy(s);
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_has_session(UNUSED struct cmd_context *c)
{
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_rename_session(struct cmd_context *c)
{
	struct cause why = { NULL };
	char *name = cmd_format_new(c, &c->target, args_string(c->args, 0));
	int r;

	r = session_rename(c->target.s, name, &why);
	mem_free(name);
	return r == 0 ? CMD_NORMAL : cmd_cause(c, &why);
}
