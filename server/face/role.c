#include "server/face/role.h"

#include <string.h>

#include "conf/cmdlist.h"
#include "mux/session.h"
#include "mux/window.h"

/* --- events ------------------------------------------------------------------- */

/* The least role that may send each kind of event. */
static const struct role_event_row {
	enum sync_event_kind kind;
	enum client_role least;
} event_rows[] = {
	/* Keys are checked again later: bindings may be allowed. */
	{ SYNC_TEXT, CLIENT_VIEW },
	{ SYNC_KEY, CLIENT_VIEW },
	{ SYNC_PASTE, CLIENT_TYPE },
	{ SYNC_MOUSE, CLIENT_VIEW },
	{ SYNC_FOCUS, CLIENT_TYPE },
	{ SYNC_RESIZE, CLIENT_VIEW },
	{ SYNC_REPLY, CLIENT_VIEW },
	{ SYNC_CAPS, CLIENT_VIEW },
	{ SYNC_HELLO, CLIENT_VIEW },
	{ SYNC_SHOWN, CLIENT_VIEW },
	/* It is kept until its person may type. */
	{ SYNC_ME, CLIENT_VIEW },
	{ SYNC_PREDICTED, CLIENT_VIEW },
};

bool
role_event(const struct client *c, const struct sync_event *ev)
{
	size_t i;

	if (c->role == CLIENT_ADMIN)
		return true;
	/* security: replies of a guest's terminal are not the user's. */
	if (ev->kind == SYNC_REPLY && ev->flags != SYNC_REPLY_DARK &&
	    ev->flags != SYNC_REPLY_LIGHT && ev->flags != SYNC_REPLY_UNLOCKED)
		return false;
	for (i = 0; i < ARRAY_LEN(event_rows); i++)
		if (event_rows[i].kind == ev->kind)
			return c->role >= event_rows[i].least;
	return false;
}

/* --- commands ------------------------------------------------------------------ */

enum role_how {
	ROLE_SELF = 1 << 0, /* only on the client itself */
	ROLE_OWN = 1 << 1,  /* only if it has its own active panes */
	ROLE_HERE = 1 << 2, /* only in the window that it shows */
};

/*
 * security: commands that clients other than admins may run, with the allowed
 * flags.  open_to_user decides on all other commands.
 */
static const struct role_row {
	enum command_id id;
	enum client_role least;
	const char *flags;
	unsigned how; /* enum role_how */
} command_rows[] = {
	{ COMMAND_detach_client, CLIENT_VIEW, "t", ROLE_SELF },
	{ COMMAND_follow_client, CLIENT_VIEW, "tu", ROLE_SELF },
	{ COMMAND_last_pane, CLIENT_VIEW, "tZ", ROLE_OWN | ROLE_HERE },
	{ COMMAND_refresh_client, CLIENT_VIEW, "cDLRSUt", ROLE_SELF },
	{ COMMAND_resize_pane, CLIENT_VIEW, "tZ", ROLE_OWN | ROLE_HERE },
	{ COMMAND_select_pane, CLIENT_VIEW, "DLRUltZ", ROLE_OWN | ROLE_HERE },
	{ COMMAND_send_prefix, CLIENT_TYPE, "2t", ROLE_HERE },
	{ COMMAND_suspend_client, CLIENT_VIEW, "t", ROLE_SELF },
};

/*
 * security: commands that a process with read access may run while no client is
 * attached by it. tmux has send-keys and switch-client here, too, and any flag:
 * with them it can type, become a writer and run programs by formats.
 */
static const struct role_row reader_rows[] = {
	{ COMMAND_attach_session, CLIENT_VIEW, "Efrt", 0 },
	{ COMMAND_list_clients, CLIENT_VIEW, "Ort", 0 },
};

static const struct role_row *
command_row_of(enum command_id id)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(command_rows); i++)
		if (command_rows[i].id == id)
			return &command_rows[i];
	return NULL;
}

static bool
flags_within(const struct args *args, const char *allowed)
{
	size_t i;

	for (i = 0; i < args->flag_count; i++)
		if (strchr(allowed, args->flags[i].flag) == NULL)
			return false;
	return true;
}

/*
 * Whether tmux allows the command to read-only clients (attach-session -r).
 * Not for guests: only the server's own user could run it from a shell as well.
 */
static bool
open_to_user(const struct role_ask *ask)
{
	if (ask->caller->guest || (ask->row->what & CMD_READONLY) == 0)
		return false;
	/* send-keys types, except for -X, which is for modes. */
	return ask->row->id != COMMAND_send_keys ||
	       ask->caller->role >= CLIENT_TYPE || args_has(ask->args, 'X');
}

/* Whether the command and its flags are allowed, whatever the target. */
static bool
command_open(const struct role_ask *ask)
{
	const struct role_row *row = command_row_of(ask->row->id);

	if (row == NULL)
		return open_to_user(ask);
	if (ask->caller->role < row->least ||
	    !flags_within(ask->args, row->flags))
		return false;
	return (row->how & ROLE_OWN) == 0 || client_own_panes(ask->caller);
}

/* Whether the command gives keys to a pane's program. */
static bool
command_types(const struct role_ask *ask)
{
	return ask->row->id == COMMAND_send_prefix ||
	       ask->row->id == COMMAND_paste_buffer ||
	       (ask->row->id == COMMAND_send_keys && !args_has(ask->args, 'X'));
}

/* Whether the target of the command is allowed. */
static bool
target_open(const struct role_ask *ask)
{
	const struct role_row *row = command_row_of(ask->row->id);
	const struct winlink *wl = client_link(ask->caller);

	/* security: set-role type:%3 is for this pane only. */
	if (command_types(ask) && ask->caller->role == CLIENT_TYPE &&
	    ask->pane != NULL && !client_may_type(ask->caller, ask->pane))
		return false;
	if (row == NULL)
		return true;
	if ((row->how & ROLE_SELF) != 0 && ask->client != ask->caller)
		return false;
	return (row->how & ROLE_HERE) == 0 ||
	       (wl != NULL && wl->window == ask->window);
}

int
role_command(const struct role_ask *ask, struct cause *why)
{
	/*
	 * As in tmux, a read-only client in control mode may not type; its user
	 * could run the other commands from a shell as well.
	 */
	if ((ask->caller->flags & CLIENT_CONTROL) != 0 && !ask->caller->guest &&
	    !command_types(ask))
		return 0;
	if (ask->caller->role == CLIENT_ADMIN ||
	    (command_open(ask) && target_open(ask)))
		return 0;
	if (ask->caller->role == CLIENT_VIEW)
		return cause_set(why, -ERR_DENIED, "client is read-only");
	return cause_set(
	    why, -ERR_DENIED, "this client may view and type only");
}

int
role_reader(
    const struct command_row *row, const struct args *args, struct cause *why)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(reader_rows); i++)
		if (reader_rows[i].id == row->id &&
		    flags_within(args, reader_rows[i].flags))
			return 0;
	return cause_set(why, -ERR_DENIED, "client is read-only");
}

int
role_control(const struct client *c, struct cause *why)
{
	/* security: its lines are commands, and it sees all events. */
	if (c->guest && c->uid < 0)
		return cause_set(
		    why, -ERR_DENIED, "control mode is not for guests");
	return 0;
}

bool
role_list(const struct client *c, const struct cmdlist *list)
{
	struct role_ask ask = { .caller = c };
	size_t i;

	if (c->role == CLIENT_ADMIN)
		return true;
	for (i = 0; i < list->count; i++) {
		ask.row = list->cmds[i]->row;
		ask.args = list->cmds[i]->args;
		if (!command_open(&ask))
			return false;
	}
	return true;
}
