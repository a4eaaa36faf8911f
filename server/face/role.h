/*
 * server/face/role.h - permissions of a client by its role.
 *
 * Purpose:   the only place that allows or refuses the actions of a client:
 *            events of its input log, commands, prompts, control mode.  The model keeps the
 *            role (mux/client.h).
 * Errors:    a refusal has a cause to show to the client.
 * Source:    doc/SECURITY.md, "Guests".
 * Tests:     regress/unit/check_role.c, check_role_table.c,
 *            regress/e2e/people.sh
 *
 * An admin may do everything; other roles only what is explicitly allowed.
 */
#ifndef SERVER_FACE_ROLE_H
#define SERVER_FACE_ROLE_H

#include "base/err.h"
#include "conf/args.h"
#include "mux/client.h"
#include "mux/sync/input.h"

struct cmdlist;

/* Whether the server may handle an event of the client's input log. */
bool role_event(const struct client *c, const struct sync_event *ev);

/* Whether the client's keys, pastes and mouse events reach pane P. */
static inline bool
role_types(const struct client *c, const struct pane *p)
{
	return client_may_type(c, p);
}

/* Whether the client may use prompts, menus and choosers. */
static inline bool
role_prompts(const struct client *c)
{
	return c->role == CLIENT_ADMIN;
}

/* A command to run for CALLER, with its resolved targets. */
struct role_ask {
	const struct client *caller;
	const struct client *client; /* target client, or NULL */
	const struct window *window; /* target window, or NULL */
	const struct pane *pane;     /* target pane, or NULL */
	const struct command_row *row;
	const struct args *args;
};

/* 0 or -ERR_DENIED. */
int role_command(const struct role_ask *ask, struct cause *why) WARN_UNUSED;

/*
 * The same for a process whose user has read access by server-access and that
 * has no client.
 */
int role_reader(const struct command_row *row, const struct args *args,
    struct cause *why) WARN_UNUSED;

/*
 * 0 if the client may be in control mode, or -ERR_DENIED: a guest who joined by
 * a ticket may not.
 */
int role_control(const struct client *c, struct cause *why) WARN_UNUSED;

/* Whether CALLER may run all commands of LIST, apart from their targets. */
bool role_list(const struct client *c, const struct cmdlist *list);

#endif
