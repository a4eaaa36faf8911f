/*
 * Runs one command: resolves its targets, checks the caller's role, calls the
 * body, runs its hooks.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "server/cmd/cmd.h"
#include "server/cmd/resolve.h"
#include "server/face/people.h"
#include "server/face/role.h"
#include "server/run/audit.h"

typedef enum cmd_result (*cmd_exec_fn)(struct cmd_context *c);

/* Made from the table: a command without a body is a link error. */
static const cmd_exec_fn cmd_exec[COMMAND_COUNT] = {
#define X(id, ...) [COMMAND_##id] = cmd_exec_##id,
#include "conf/command.def"
#undef X
};

/* Runs the hook of the command, unless a hook has run the command. */
static void
cmd_after(struct cmd_context *c)
{
	const struct options *o;
	char text[OPTION_NAME_MAX];
	struct session *s;

	if (c->hook == NULL || (c->state->flags & CMD_STATE_NOHOOKS) != 0)
		return;
	snprintf(text, sizeof(text), "after-%s", c->hook);
	/* The target may be gone: use what is left of it. */
	s = mux_session(c->sv->run.mux, c->after.session);
	o = s != NULL ? &s->options : &c->sv->run.mux->session_options;
	if (s == NULL)
		c->after = *c->state;
	cmd_run_hook(c, text, o, &c->after);
}

/* Runs the hook that set-hook -R names. */
static void
cmd_then(struct cmd_context *c)
{
	const struct mux *m = c->sv->run.mux;
	const struct options *o = &m->session_options;
	struct option_name name;

	if (c->then != NULL && option_match(c->then, &name, NULL) == 0) {
		if (name.row != NULL && (name.row->scope & OPT_PANE) != 0 &&
		    c->target.p != NULL)
			o = &c->target.p->options;
		else if (name.row != NULL &&
			 (name.row->scope & OPT_WINDOW) != 0)
			o = c->target.w != NULL ? &c->target.w->options
						: &m->window_options;
		else if (c->target.s != NULL)
			o = &c->target.s->options;
		cmd_run_hook(c, name.text, o, c->state);
	}
	mem_free(c->then);
}

/* Runs the hook command-error. */
static void
cmd_failed(struct cmd_context *c)
{
	struct session *s = mux_session(c->sv->run.mux, c->after.session);

	if ((c->state->flags & CMD_STATE_NOHOOKS) != 0)
		return;
	cmd_run_hook(c, "command-error",
	    s != NULL ? &s->options : &c->sv->run.mux->session_options,
	    &c->after);
}

/* The pane in which the caller was started, or NULL. */
static const struct pane *
caller_pane(const struct cmd_context *c)
{
	const char *const *e;
	int64_t id;

	if (c->conn == NULL)
		return NULL;
	for (e = conn_env(c->conn); *e != NULL; e++)
		if (strncmp(*e, "RMUX_PANE=%", 11) == 0 &&
		    str_to_int(*e + 11, 0, UINT32_MAX - 1, &id) == 0)
			return mux_pane(c->sv->run.mux, (uint32_t)id);
	return NULL;
}

/*
 * Records a command that a guest has caused: by a key, by a hook, or in the shell
 * of a pane into which the guest typed last. Appends the guest to OUT.
 */
static void
cmd_record(const struct cmd_context *c, struct buf *out)
{
	struct mux *m = c->sv->run.mux;
	const struct client *who = mux_client(m, c->state->client);
	const struct pane *p = caller_pane(c);
	const char *user = conn_stranger(c->conn),
		   *via = (c->state->flags & CMD_STATE_NOHOOKS) != 0 ? "hook"
								     : "key";

	if (p != NULL && p->typed_by != MUX_NONE &&
	    controller_client(c->conn) == NULL) {
		who = mux_client(m, p->typed_by);
		via = "shell";
		(void)buf_addf(out, " (from %%%u, where %s typed)", p->id,
		    who == NULL ? "a guest" : who->name);
	} else if (user != NULL && who == NULL) {
		via = "shell";
		(void)buf_addf(out, " (from user %s)", user);
	} else if (user == NULL && (who == NULL || !people_watched(who)))
		return;
	else if ((c->state->flags & CMD_STATE_NOHOOKS) != 0)
		(void)buf_addf(out, " (because of %s)", who->name);
	audit_say(c->sv->run.audit, "command", who, "via", via, "command",
	    c->cmd->row->name, "user", user, NULL);
}

/* For show-messages. */
static void
cmd_log(const struct cmd_context *c)
{
	struct buf b;

	buf_init(&b, MESSAGES_TEXT_MAX);
	cmd_print(c->cmd, &b);
	cmd_record(c, &b);
	run_message(&c->sv->run, "%s%scommand: %s",
	    c->viewer == NULL ? "" : c->client->name,
	    c->viewer == NULL ? "" : " ", buf_cstr(&b));
	buf_fini(&b);
}

/*
 * security: a process with read access, without a client of its own. Asked before
 * targets are looked up: errors would tell their names.
 */
static bool
reader_refused(const struct cmd_context *c, struct cause *why)
{
	if ((c->state->flags & CMD_STATE_READER) == 0 ||
	    (c->state->flags & CMD_STATE_NOHOOKS) != 0 ||
	    mux_client(c->sv->run.mux, c->state->client) != NULL ||
	    controller_client(c->conn) != NULL ||
	    role_reader(c->cmd->row, c->args, why) == 0)
		return false;
	audit_say(c->sv->run.audit, "refuse", NULL, "user",
	    conn_stranger(c->conn), "command", c->cmd->row->name, NULL);
	return true;
}

/*
 * The role of the caller counts, not that of the target client. Commands of a
 * hook were written by an admin.
 */
static bool
cmd_refused(const struct cmd_context *c, struct cause *why)
{
	struct role_ask ask = {
		.caller = mux_client(c->sv->run.mux, c->state->client),
		.client = c->client,
		.window = c->target.w,
		.pane = c->target.p,
		.row = c->cmd->row,
		.args = c->args,
	};

	if ((c->state->flags & CMD_STATE_NOHOOKS) != 0)
		return false;
	if (ask.caller == NULL)
		ask.caller = controller_client(c->conn);
	if (ask.caller == NULL || role_command(&ask, why) == 0)
		return false;
	audit_refused(c->sv->run.audit, ask.caller, c->cmd->row->name);
	return true;
}

enum cmd_result
cmd_run(struct server *sv, struct cmdq_item *item, struct cmd *cmd)
{
	struct cmd_context c = {
		.sv = sv,
		.item = item,
		.state = cmdq_state(item),
		.cmd = cmd,
		.args = cmd->args,
	};
	struct cmd_ids ids = {
		.conn = c.state->conn,
		.flags = c.state->flags,
	};
	struct cause why = { NULL };
	enum cmd_result r;

	run_set_now(&sv->run);
	c.conn = conn_find(&sv->conns, c.state->conn);
	c.after = *c.state;
	c.hook = (cmd->row->what & CMD_AFTER) != 0 ? cmd->row->name : NULL;
	r = CMD_NORMAL;
	if (reader_refused(&c, &why) || resolve_context(&c, &why) != 0)
		r = CMD_ERROR;
	ids.client = c.client == NULL ? MUX_NONE : c.client->id;
	c.sink = cmd_sink(sv, &ids);
	if (r == CMD_ERROR || cmd_refused(&c, &why)) {
		r = cmd_cause(&c, &why);
	} else {
		cmd_log(&c);
		if (c.target.s != NULL)
			cmd_set_after(&c, &c.target);
		r = cmd_exec[cmd->row->id](&c);
	}
	/* The hook of a command that waits runs when the wait has ended. */
	if (r == CMD_NORMAL || r == CMD_WAIT)
		cmd_after(&c);
	else if (r == CMD_ERROR)
		cmd_failed(&c);
	cmd_then(&c);
	return r;
}
