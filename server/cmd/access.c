/* server-access: the Unix users and groups that may use this server. */
#include "server/run/access.h"

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include "base/mem.h"
#include "server/cmd/cmd.h"
#include "server/run/audit.h"

/* --- listing ------------------------------------------------------------------ */

static void
say_user(struct cmd_context *c, uid_t uid, bool write)
{
	const struct passwd *pw = getpwuid(uid);

	if (pw != NULL)
		cmd_say(c, "%s (U,%c)", pw->pw_name, write ? 'W' : 'R');
	else
		cmd_say(c, "%lu (U,%c)", (unsigned long)uid, write ? 'W' : 'R');
}

static void
say_group(struct cmd_context *c, gid_t gid, bool write)
{
	const struct group *gr = getgrgid(gid);

	if (gr != NULL)
		cmd_say(c, "%s (G,%c)", gr->gr_name, write ? 'W' : 'R');
	else
		cmd_say(c, "%lu (G,%c)", (unsigned long)gid, write ? 'W' : 'R');
}

/* As in tmux the owner is in the list, in its place; root is not. */
static enum cmd_result
list_access(struct cmd_context *c)
{
	const struct access_list *l = &c->sv->run.access;
	const struct access_entry *e = l->entries, *end = e + l->count;
	bool owner = getuid() == 0;

	for (; e < end && !e->group; e++) {
		if (!owner && e->id > getuid()) {
			say_user(c, getuid(), true);
			owner = true;
		}
		say_user(c, e->id, e->write);
	}
	if (!owner)
		say_user(c, getuid(), true);
	for (; e < end; e++)
		say_group(c, e->id, e->write);
	return CMD_NORMAL;
}

/* --- cutting off ---------------------------------------------------------------- */

/*
 * security: ends a client whose user has lost access. It has no session and no
 * rights from here on, however long its farewell takes.
 */
static void
cut_viewer(struct viewer *vw, const char *text)
{
	vw->client->guest = true;
	client_set_role(vw->client, CLIENT_VIEW);
	viewer_detach(vw, 0, text);
	client_set_session(vw->client, NULL);
}

/* The same for one in control mode, whose connection may have no socket. */
static void
cut_controller(struct controller *ct, const char *text)
{
	struct client *c = ct->client;

	controller_leave(ct, 1, text);
	if (c == NULL)
		return;
	c->guest = true;
	client_set_role(c, CLIENT_VIEW);
	client_set_session(c, NULL);
}

/*
 * Ends the connections of users whose access has changed. A client that may do
 * less, or more, attaches anew: its state would be that of another role.
 */
static void
apply_access(struct server *sv)
{
	const char *text;
	struct list_node *n, *tmp;
	struct controller *ct;
	struct viewer *vw;
	struct conn *cn;
	enum access a;

	LIST_FOREACH_SAFE(n, &sv->conns.all, tmp) {
		cn = conn_of_node(n);
		a = conn_access_new(cn);
		if (a == conn_access(cn))
			continue;
		text = a == ACCESS_NONE ? "access not allowed"
					: "access has changed: attach again";
		if ((vw = viewer_of_conn(cn)) != NULL)
			cut_viewer(vw, text);
		if ((ct = controller_of_conn(cn)) != NULL)
			cut_controller(ct, text);
		conn_cut(cn, text);
	}
}

/* --- the command -------------------------------------------------------------------- */

/* Finds the user or group of the argument. */
static enum cmd_result
find_name(struct cmd_context *c, const char *name, bool group, id_t *id)
{
	const struct passwd *pw;
	const struct group *gr;

	if (group) {
		if ((gr = getgrnam(name)) == NULL)
			return cmd_error(c, "unknown group: %s", name);
		*id = gr->gr_gid;
		return CMD_NORMAL;
	}
	if ((pw = getpwnam(name)) == NULL)
		return cmd_error(c, "unknown user: %s", name);
	if (pw->pw_uid == 0 || pw->pw_uid == getuid())
		return cmd_error(
		    c, "%s owns the server, can't change access", name);
	*id = pw->pw_uid;
	return CMD_NORMAL;
}

static enum cmd_result
check_flags(struct cmd_context *c)
{
	if (args_has(c->args, 'a') && args_has(c->args, 'd'))
		return cmd_error(c, "-a and -d cannot be used together");
	if (args_has(c->args, 'r') && args_has(c->args, 'w'))
		return cmd_error(c, "-r and -w cannot be used together");
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_server_access(struct cmd_context *c)
{
	struct access_list *l = &c->sv->run.access;
	const char *name = args_string(c->args, 0), *now = "none";
	const bool group = args_has(c->args, 'g') != 0;
	const char *kind = group ? "group" : "user";
	const bool add = args_has(c->args, 'a') != 0;
	id_t id = 0;

	if (args_has(c->args, 'l'))
		return list_access(c);
	if (name == NULL)
		return cmd_error(c, "missing user or group argument");
	if (find_name(c, name, group, &id) != CMD_NORMAL ||
	    check_flags(c) != CMD_NORMAL)
		return CMD_ERROR;
	if (args_has(c->args, 'd')) {
		if (!access_remove(l, group, id))
			return cmd_error(c, "%s %s not found", kind, name);
	} else if (add && access_find(l, group, id) != NULL)
		return cmd_error(c, "%s %s is already added", kind, name);
	else if (!add && !args_has(c->args, 'r') && !args_has(c->args, 'w'))
		return CMD_NORMAL;
	else if (access_set(l, group, id, !args_has(c->args, 'r')) != 0)
		return cmd_error(c,
		    "server-access: %d users and groups have access: remove "
		    "one with -d first",
		    ACCESS_MAX);
	else
		now = args_has(c->args, 'r') ? "read" : "write";
	audit_say(c->sv->run.audit, "access", NULL, kind, name, "now", now,
	    "by", conn_stranger(c->conn), NULL);
	apply_access(c->sv);
	return CMD_NORMAL;
}
