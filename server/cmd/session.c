#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "mux/alert.h"
#include "server/cmd/cmd.h"
#include "server/cmd/resolve.h"
#include "server/cmd/shared.h"
#include "server/core/end.h"
#include "server/face/guest.h"
#include "server/face/message.h"
#include "server/face/output.h"
#include "server/face/redraw.h"
#include "server/face/role.h"
#include "server/io/scope.h"
#include "server/run/notes.h"

/* --- attaching ------------------------------------------------------------------ */

/*
 * security: the client of a user with read access is a guest: its name, terminal
 * and environment are not the owner's, and it gets a guest's rights and limits.
 */
static struct client *
client_for_reader(struct conn *cn, struct client *cl)
{
	const char *user = conn_stranger(cn);
	char *text;

	cl->guest = true;
	client_set_text(cl, &cl->user, user);
	text = guest_word_new(cl, conn_term(cn), strlen(conn_term(cn)));
	client_set_text(cl, &cl->term, text);
	mem_free(text);
	text = mem_printf("%s-%ld", user, (long)conn_pid(cn));
	client_set_text(cl, &cl->name, text);
	mem_free(text);
	return cl;
}

/* The role of a new client, behind its flags. */
static void
set_access(struct cmd_context *c, struct client *cl)
{
	if (conn_access(c->conn) != ACCESS_WRITE)
		client_set_role(cl, CLIENT_VIEW);
}

/* Makes the model's client for the process behind a connection. */
static struct client *
client_for_conn(struct cmd_context *c)
{
	const bool reader = conn_access(c->conn) != ACCESS_WRITE;
	struct conn *cn = c->conn;
	struct client *cl;
	const char *const *e;
	struct passwd *pw;
	char name[64];

	snprintf(name, sizeof(name), "client-%ld", (long)conn_pid(cn));
	cl = client_new_at(c->sv->run.mux,
	    !reader && *conn_tty(cn) != '\0' ? conn_tty(cn) : name, &c->seen);
	cl->pid = conn_pid(cn);
	cl->uid = conn_uid(cn);
	cl->flags |= CLIENT_FOCUSED; /* no event: it begins so */
	client_set_flags(
	    cl, CLIENT_UTF8, (conn_flags(cn) & CONTROL_FLAG_UTF8) != 0);
	if (reader)
		return client_for_reader(cn, cl);
	client_set_text(cl, &cl->tty, conn_tty(cn));
	client_set_text(cl, &cl->term, conn_term(cn));
	for (e = conn_env(cn); *e != NULL; e++)
		environ_put(&cl->environ, *e);
	if ((pw = getpwuid(conn_uid(cn))) != NULL)
		client_set_text(cl, &cl->user, pw->pw_name);
	return cl;
}

/* Display time of the hint for a first session. */
#define HINT_MS 8000

/*
 * Shows errors of the configuration, in view mode, or the hint to the first
 * client.
 */
static void
show_first_words(struct server *sv, struct viewer *vw)
{
	bool hint;
	char *text = notes_take(sv->run.notes, &hint), *expanded;

	if (text != NULL && hint) {
		expanded =
		    scope_expand_client_new(sv->scope, vw->client, text, 0);
		message_show(vw, HINT_MS, expanded);
		mem_free(expanded);
	} else if (text != NULL)
		output_client(vw, text, strlen(text));
	mem_free(text);
}

static void
detach_others(struct cmd_context *c, struct session *s,
    const struct client *except, bool hangup)
{
	struct list_node *n, *tmp;
	struct controller *ct;
	struct viewer *vw;
	char *text = mem_printf("detached (from session %s)", s->name);

	LIST_FOREACH_SAFE(n, &c->sv->viewers.list, tmp) {
		vw = container_of(n, struct viewer, node);
		if (vw->client != except && vw->client->session == s)
			viewer_detach(vw, hangup, text);
	}
	LIST_FOREACH(n, &c->sv->controllers.list) {
		ct = container_of(n, struct controller, node);
		if (ct->client != NULL && ct->client != except &&
		    ct->client->session == s)
			controller_leave(ct, 0, NULL);
	}
	mem_free(text);
}

/* Shows errors of the configuration to the first control client. */
static void
say_first_words(struct server *sv, struct controller *ct)
{
	bool hint;
	char *text = notes_take(sv->run.notes, &hint);

	if (text != NULL && !hint)
		controller_config_error(ct, text);
	mem_free(text);
}

/* The same for a client in control mode. */
static enum cmd_result
attach_control(struct cmd_context *c, struct controller *ct, struct session *s,
    const char *flags)
{
	struct cause why = { NULL };
	struct client *cl = ct->client;

	if (cl != NULL) {
		if (flags != NULL && client_parse_flags(cl, flags, &why) != 0)
			return cmd_cause(c, &why);
		controller_flags(ct);
		client_set_session(cl, s);
		return CMD_NORMAL;
	}
	/* security: as for a terminal; see attach_to. */
	if (getuid() != 0 && conn_uid(c->conn) == 0)
		return cmd_error(c, "access not allowed");
	cl = client_for_conn(c);
	client_set_flags(cl, CLIENT_CONTROL, true);
	if (role_control(cl, &why) != 0 ||
	    (flags != NULL && client_parse_flags(cl, flags, &why) != 0)) {
		client_free(cl);
		return cmd_cause(c, &why);
	}
	set_access(c, cl);
	controller_attach(ct, cl);
	client_set_session(cl, s);
	if (!cl->guest)
		say_first_words(c->sv, ct);
	return CMD_NORMAL;
}

/* Shows session S on the caller's terminal, or moves its client there. */
static enum cmd_result
attach_to(struct cmd_context *c, struct session *s, bool detach, bool hangup,
    const char *flags)
{
	struct cause why = { NULL };
	struct controller *ct;
	struct client *cl;
	struct viewer *vw;

	if (c->conn == NULL)
		return CMD_NORMAL;
	if ((ct = controller_of_conn(c->conn)) != NULL) {
		if (detach || hangup)
			detach_others(c, s, ct->client, hangup);
		return attach_control(c, ct, s, flags);
	}
	if ((vw = viewer_of_conn(c->conn)) != NULL) {
		if (detach || hangup)
			detach_others(c, s, vw->client, hangup);
		client_set_session(vw->client, s);
		vw->builder.status_dirty = vw->builder.chrome_dirty = true;
		viewer_dirty(vw);
		return CMD_NORMAL;
	}
	if ((conn_flags(c->conn) & CONTROL_FLAG_TTY) == 0)
		return cmd_error(c, "open terminal failed: not a terminal");
	if (getuid() != 0 && conn_uid(c->conn) == 0)
		return cmd_error(c, "access not allowed");
	if (detach || hangup)
		detach_others(c, s, NULL, hangup);
	cl = client_for_conn(c);
	if (flags != NULL && client_parse_flags(cl, flags, &why) != 0) {
		client_free(cl);
		return cmd_cause(c, &why);
	}
	set_access(c, cl);
	if ((vw = viewer_new(&c->sv->viewers, c->conn, cl, &why)) == NULL) {
		client_free(cl);
		return cmd_cause(c, &why);
	}
	client_set_session(cl, s);
	if (!cl->guest)
		show_first_words(c->sv, vw);
	return CMD_NORMAL;
}

/* Returns whether the caller runs inside a pane of rmux. */
static bool
nested(const struct cmd_context *c)
{
	const char *const *e, *tty;
	const struct map_entry *p;
	bool inside = false;

	/* A control client draws nothing in its pane. */
	if (c->conn == NULL || !conn_reads(c->conn))
		return false;
	for (e = conn_env(c->conn); *e != NULL; e++)
		inside |= strncmp(*e, "RMUX=", 5) == 0 && (*e)[5] != '\0';
	tty = conn_tty(c->conn);
	if (!inside || tty == NULL)
		return false;
	/* A pane of another server may show this one. */
	MAP_FOREACH(p, &c->sv->run.mux->panes) {
		const struct pane *own = p->value;

		if (own->tty != NULL && strcmp(own->tty, tty) == 0)
			return true;
	}
	return false;
}

enum cmd_result
cmd_exec_attach_session(struct cmd_context *c)
{
	struct session *s = c->target.s;
	const char *cwd = args_get(c->args, 'c');
	char *path;

	client_see(c->sv->run.mux, &c->seen);
	if (nested(c))
		return cmd_error(c,
		    "sessions should be nested with care, unset $RMUX to "
		    "force");
	/* security: who only reads changes nothing that others see. */
	if (conn_access(c->conn) != ACCESS_WRITE)
		return attach_to(c, s, false, false,
		    args_has(c->args, 'r') ? NULL : args_get(c->args, 'f'));
	if (c->target.wl != NULL && args_get(c->args, 't') != NULL) {
		if (c->target.p != NULL)
			window_set_active(c->target.w, c->target.p);
		mux_step(c->sv->run.mux);
		session_select(c->target.wl);
	}
	if (cwd != NULL) {
		path = cmd_format_new(c, &c->target, cwd);
		mem_free(s->path);
		s->path = path;
	}
	if (!args_has(c->args, 'E'))
		cmd_update_environment(c->conn, s);
	return attach_to(c, s, args_has(c->args, 'd') != 0,
	    args_has(c->args, 'x') != 0,
	    args_has(c->args, 'r') ? "read-only,ignore-size"
				   : args_get(c->args, 'f'));
}

/* Reads -x or -y; without a value or with "-" *SIDE stays. */
static int
new_session_side(struct cmd_context *c, int flag, const char *what, int *side,
    struct cause *why)
{
	const char *text = args_get(c->args, flag);
	struct cause bad = { NULL };
	int64_t n;
	int r;

	if (text == NULL || strcmp(text, "-") == 0)
		return 0;
	if ((r = args_number(c->args, flag, 1, 10000, &n, &bad)) == 0) {
		*side = (int)n;
		return 0;
	}
	cause_fini(&bad);
	return cause_set(why, r, "%s %s", what, cmd_fault_name(r));
}

static int
new_session_size(struct cmd_context *c, int *w, int *h, struct cause *why)
{
	int r;

	client_new_window_size(
	    c->sv->run.mux, NULL, controller_client(c->conn), w, h);
	if ((r = new_session_side(c, 'x', "width", w, why)) != 0)
		return r;
	return new_session_side(c, 'y', "height", h, why);
}

/* -x, -y: sets default-size too, for windows made without a client. */
static int
session_default_size(
    struct cmd_context *c, struct session *s, struct cause *why)
{
	char text[32];
	int w, h, r;

	if (!args_has(c->args, 'x') && !args_has(c->args, 'y'))
		return 0;
	if ((r = new_session_size(c, &w, &h, why)) != 0)
		return r;
	snprintf(text, sizeof(text), "%dx%d", w, h);
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
first_window(struct cmd_context *c, struct session *s, struct cause *why)
{
	struct pane_start st = { .history = (size_t)options_number(
				     &s->options, OPTION_HISTORY_LIMIT) };
	char *argv[256], *path;
	struct winlink *wl;
	struct window *w;
	int cols, rows, r;

	if ((r = new_session_size(c, &cols, &rows, why)) != 0)
		return r;
	path = cmd_start_path(c, &c->current, true);
	cmd_pane_start(c, &st, argv, ARRAY_LEN(argv));
	st.path = path;
	w = window_new(c->sv->run.mux, cols, rows, &st);
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
	int w, h;

	client_see(c->sv->run.mux, &c->seen);
	if (!args_has(c->args, 'd') && nested(c))
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
			return attach_to(c, s, args_has(c->args, 'D') != 0,
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
	if (new_session_size(c, &w, &h, &why) != 0 ||
	    session_new(c->sv->run.mux, name, g, &s, &why) != 0) {
		mem_free(clean);
		return cmd_cause(c, &why);
	}
	mem_free(clean);
	if (!args_has(c->args, 'E'))
		cmd_update_environment(c->conn, s);
	session_environ(c, s);
	if (s->path == NULL)
		s->path = cmd_start_path(c, &c->current, true);
	if (session_default_size(c, s, &why) != 0 ||
	    (s->current == NULL && first_window(c, s, &why) != 0)) {
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
		r = attach_to(c, s, false, false, args_get(c->args, 'f'));
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
