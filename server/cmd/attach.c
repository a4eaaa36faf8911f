/* attach-session, and how a client comes to a session. */
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "server/cmd/cmd.h"
#include "server/cmd/shared.h"
#include "server/face/guest.h"
#include "server/face/message.h"
#include "server/face/output.h"
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

/* Sets the role of a new client, after its flags. */
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
	/* security: as for a terminal; see cmd_attach_to. */
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
	ct->errors = !cl->guest;
	return CMD_NORMAL;
}

enum cmd_result
cmd_attach_to(struct cmd_context *c, struct session *s, bool detach,
    bool hangup, const char *flags)
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
	client_begin_size(cl, conn_size(c->conn));
	if ((vw = viewer_new(&c->sv->viewers, c->conn, cl, &why)) == NULL) {
		client_free(cl);
		return cmd_cause(c, &why);
	}
	client_set_session(cl, s);
	if (!cl->guest)
		show_first_words(c->sv, vw);
	return CMD_NORMAL;
}

bool
cmd_nested(const struct cmd_context *c)
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
	if (cmd_nested(c))
		return cmd_error(c,
		    "sessions should be nested with care, unset $RMUX to "
		    "force");
	/* security: who only reads changes nothing that others see. */
	if (conn_access(c->conn) != ACCESS_WRITE)
		return cmd_attach_to(c, s, false, false,
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
		cmd_update_environment(c->sv, c->conn, s);
	return cmd_attach_to(c, s, args_has(c->args, 'd') != 0,
	    args_has(c->args, 'x') != 0,
	    args_has(c->args, 'r') ? "read-only,ignore-size"
				   : args_get(c->args, 'f'));
}
