/*
 * server/face/role.h - what a client's role lets its person do.
 *
 * Purpose:   the one place that says yes or no to every way in which a client
 *            acts on the server: events of its input log, commands, prompts.
 * Ownership: nothing is kept; the role is the model's (mux/client.h).
 * Units:     none.
 * Errors:    refusals, with a cause to be shown to who asked.
 * Source:    doc/SECURITY.md, "Guests".
 * Tests:     regress/unit/check_role.c, regress/e2e/people.sh
 *
 * An admin may do all; what is not allowed to the others by name is refused.
 */
#ifndef SERVER_FACE_ROLE_H
#define SERVER_FACE_ROLE_H

#include "base/err.h"
#include "conf/args.h"
#include "mux/client.h"
#include "mux/sync/input.h"

struct cmdlist;

/* Whether an event of the input log may have an effect at all. */
bool role_event(const struct client *c, const struct sync_event *ev);

/* Whether keys, pastes and the mouse reach programs. */
static inline bool
role_types(const struct client *c)
{
	return c->role >= CLIENT_TYPE;
}

/* Whether prompts, menus and choosers may open for it and take its keys. */
static inline bool
role_prompts(const struct client *c)
{
	return c->role == CLIENT_ADMIN;
}

/* A command that CALLER asks for, with what it was resolved to. */
struct role_ask {
	const struct client *caller;
	const struct client *client; /* that it is about, or NULL */
	const struct window *window; /* its target's, or NULL */
	const struct command_row *row;
	const struct args *args;
};

/* 0 or -ERR_DENIED. */
int role_command(const struct role_ask *ask, struct cause *why) WARN_UNUSED;

/* Whether all of LIST may be asked for, targets aside. */
bool role_list(const struct client *c, const struct cmdlist *list);

#endif
