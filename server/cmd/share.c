/* People: roles, invitations, following. */
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "server/cmd/cmd.h"
#include "server/cmd/resolve.h"
#include "server/core/invite.h"
#include "server/face/ask.h"
#include "server/face/input.h"
#include "server/face/people.h"
#include "server/face/prompt.h"
#include "server/face/redraw.h"

#define INVITE_LENGTH UINT64_C(3600000) /* without -f */
#define INVITE_LIST_MAX (1u << 20)

/* --- set-role ------------------------------------------------------------------- */

/* A role as set-role has it: "view", "type:%3", "type:@2". */
struct role_word {
	enum client_role role;
	uint32_t window; /* MUX_NONE, or TYPE in this window only */
	uint32_t pane;   /* the same with a pane */
};

static enum cmd_result
role_parse(struct cmd_context *c, const char *text, struct role_word *out)
{
	const struct mux *m = c->sv->run.mux;
	int64_t id;

	out->window = out->pane = MUX_NONE;
	if (strncmp(text, "type:", 5) != 0) {
		if (client_role_find(text, &out->role) != 0)
			return cmd_error(c, "unknown role: %s", text);
		return CMD_NORMAL;
	}
	out->role = CLIENT_TYPE;
	if ((text[5] != '%' && text[5] != '@') ||
	    str_to_int(text + 6, 0, UINT32_MAX - 1, &id) != 0)
		return cmd_error(c,
		    "unknown role: %s (use type:%%3 for a pane, type:@2 for a "
		    "window)",
		    text);
	if (text[5] == '%')
		out->pane = (uint32_t)id;
	else
		out->window = (uint32_t)id;
	if (text[5] == '%' ? mux_pane(m, out->pane) == NULL
			   : mux_window(m, out->window) == NULL)
		return cmd_error(c, "can't find %s: %s",
		    text[5] == '%' ? "pane" : "window", text + 5);
	return CMD_NORMAL;
}

/* The client that runs the command, for the audit log. */
static const char *
caller_name(const struct cmd_context *c)
{
	const struct client *who = mux_client(c->sv->run.mux, c->state->client);

	if (controller_client(c->conn) != NULL)
		who = controller_client(c->conn);
	return who != NULL ? who->name : c->conn != NULL ? "shell" : "server";
}

enum cmd_result
cmd_exec_set_role(struct cmd_context *c)
{
	struct viewer *vw = c->viewer;
	struct role_word word;
	enum client_role role;
	enum cmd_result r = role_parse(c, args_string(c->args, 0), &word);

	if (r != CMD_NORMAL)
		return r;
	if (c->client == NULL || vw == NULL)
		return cmd_error(c, "no current client");
	role = word.role;
	if (word.window != MUX_NONE || word.pane != MUX_NONE)
		client_set_role_in(c->client, word.window, word.pane);
	else
		client_set_role(c->client, role);
	audit_say(c->sv->run.audit, "role", c->client, "role",
	    args_string(c->args, 0), "by", caller_name(c), NULL);
	if (role == CLIENT_ADMIN)
		return CMD_NORMAL;
	/* security: end what was begun with more rights. */
	overlays_close(&vw->overlays, OVERLAY_ADMIN);
	pasting_drop(vw);
	mouse_drop(vw);
	keys_set_table(vw, NULL);
	return CMD_NORMAL;
}

/* --- invite ----------------------------------------------------------------------- */

static enum cmd_result
list_invites(struct cmd_context *c)
{
	struct buf out;

	buf_init(&out, INVITE_LIST_MAX);
	invite_list(c->sv->invites, &out);
	cmd_say_lines(c, &out);
	buf_fini(&out);
	return CMD_NORMAL;
}

static enum cmd_result
revoke_invite(struct cmd_context *c, const char *text)
{
	int64_t id = 0;

	if (strcmp(text, "all") != 0 &&
	    str_to_int(text, 1, INT32_MAX, &id) != 0)
		return cmd_error(c, "invitation invalid: %s", text);
	if (!invite_revoke(c->sv->invites, (unsigned)id) && id != 0)
		return cmd_error(c, "no invitation %s", text);
	return CMD_NORMAL;
}

/* The address to say: the first of -a, or else of IPv4, which is shorter. */
static size_t
said_address(const struct cmd_context *c, const struct ssp_ticket *t)
{
	size_t i;

	for (i = 0; i < t->naddrs && !args_has(c->args, 'a'); i++)
		if (strchr(t->addrs[i].host, ':') == NULL)
			return i;
	return 0;
}

/* Prints the ticket's line; it is neither kept nor logged. */
static enum cmd_result
say_ticket(struct cmd_context *c, struct ssp_ticket *t)
{
	struct buf line;
	int r;

	buf_init(&line, SSP_TICKET_TEXT_MAX + 32);
	buf_secret(&line, true);
	(void)buf_add_str(&line, "rmux join ");
	r = args_has(c->args, 'w')
		? ssp_ticket_say(t, said_address(c, t), &line)
		: ssp_ticket_format(t, &line);
	(void)buf_add(&line, "\n", 1);
	if (r == 0)
		conn_out_secret(c->conn, line.data, line.len);
	buf_fini(&line);
	ssp_ticket_wipe(t);
	return r == 0 ? CMD_NORMAL : cmd_error(c, "%s", err_text(r));
}

enum cmd_result
cmd_exec_invite(struct cmd_context *c)
{
	const char *addrs[SSP_TICKET_ADDRS_MAX + 1] = { NULL };
	struct invite_spec spec = {
		.role = args_has(c->args, 'y') ? CLIENT_TYPE : CLIENT_VIEW,
		.once = args_has(c->args, 'o') != 0,
		.words = args_has(c->args, 'w') != 0,
		.ask = args_has(c->args, 'A') ||
		       options_flag(&c->sv->run.mux->server_options,
			   OPTION_GUEST_APPROVAL),
		.length = INVITE_LENGTH,
		.name = args_get(c->args, 'n'),
		.addrs = addrs,
	};
	const char *length = args_get(c->args, 'f');
	const struct args_value *v;
	struct cause why = { NULL };
	struct ssp_ticket t;
	size_t i, n;

	if (args_has(c->args, 'l'))
		return list_invites(c);
	if (args_get(c->args, 'k') != NULL)
		return revoke_invite(c, args_get(c->args, 'k'));
	if (args_has(c->args, 'y') && args_has(c->args, 'v'))
		return cmd_error(c, "-v and -y exclude each other");
	/* security: the line holds a key: it goes to a standard output only. */
	if (!conn_reads(c->conn))
		return cmd_error(
		    c, "run invite in a shell: the ticket is secret");
	if (length != NULL &&
	    str_to_span(length, INVITE_TIME_MAX, &spec.length) != 0)
		return cmd_error(c, "time invalid: %s", length);
	if (c->target.s == NULL)
		return cmd_error(c, "can't find session: %s",
		    args_get(c->args, 't') == NULL ? ""
						   : args_get(c->args, 't'));
	spec.session = c->target.s->id;
	v = args_values(c->args, 'a', &n);
	for (i = 0; i < n && i < SSP_TICKET_ADDRS_MAX; i++)
		addrs[i] = v[i].text;
	if (invite_new(c->sv->invites, &spec, &t, &why) != 0)
		return cmd_cause(c, &why);
	return say_ticket(c, &t);
}

/* --- guest ------------------------------------------------------------------------ */

/* The guest called NAME that waits, or the first one. */
static struct viewer *
waiting_guest(const struct cmd_context *c, const char *name)
{
	struct viewers *vs = &c->sv->viewers;
	struct list_node *n;
	struct viewer *vw;

	if (name == NULL)
		return ask_first(vs);
	LIST_FOREACH(n, &vs->list) {
		vw = container_of(n, struct viewer, node);
		if (vw->guest.waits && strcmp(vw->client->name, name) == 0)
			return vw;
	}
	return NULL;
}

enum cmd_result
cmd_exec_guest(struct cmd_context *c)
{
	const char *name = args_get(c->args, 't');
	const bool admit = args_has(c->args, 'a');
	struct viewer *vw;
	struct buf out;

	if (admit && args_has(c->args, 'r'))
		return cmd_error(c, "-a and -r exclude each other");
	if (!admit && !args_has(c->args, 'r')) {
		buf_init(&out, INVITE_LIST_MAX);
		ask_list(&c->sv->viewers, &out);
		cmd_say_lines(c, &out);
		buf_fini(&out);
		return CMD_NORMAL;
	}
	if ((vw = waiting_guest(c, name)) == NULL)
		return cmd_error(c,
		    name == NULL ? "no guest waits" : "no guest %s waits",
		    name);
	if (admit)
		ask_admit(vw, caller_name(c));
	else
		ask_refuse(vw, caller_name(c), "the host does not let you in");
	return CMD_NORMAL;
}

/* --- follow-client ------------------------------------------------------------------ */

enum cmd_result
cmd_exec_follow_client(struct cmd_context *c)
{
	const char *name = args_get(c->args, 't');
	struct client *cl = c->client, *leader = NULL;

	if (cl == NULL || c->viewer == NULL)
		return cmd_error(c, "no current client");
	if (args_has(c->args, 'u')) {
		cl->follow = MUX_NONE;
	} else {
		leader =
		    name == NULL ? people_next(cl) : resolve_client(c, name);
		if (leader == NULL)
			return cmd_error(c, "no other client to follow");
		if (leader == cl)
			return cmd_error(c, "a client cannot follow itself");
		cl->follow = leader->id;
	}
	client_pan_reset(cl);
	client_update_focus(c->sv->run.mux);
	c->viewer->builder.chrome_dirty = c->viewer->builder.status_dirty =
	    true;
	viewer_dirty(c->viewer);
	return CMD_NORMAL;
}
