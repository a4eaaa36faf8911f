/*
 * server/core/hooks.h - events that commands wait for.
 *
 * Purpose:   wait-for -E and set-hook -E: an event is a hook's name or a
 *            user's (@name).
 * Ownership: struct hooks owns its waiters.
 * Units:     times of variables are seconds since 1970.
 * Errors:    -ERR_LIMIT past HOOKS_WAITERS_MAX; -ERR_SYNTAX: "invalid event: X".
 * Source:    tmux(1), set-hook and wait-for of its versions after 3.7.
 * Tests:     regress/unit/check_core.c, regress/e2e/hook.sh, wait.sh
 */
#ifndef SERVER_CORE_HOOKS_H
#define SERVER_CORE_HOOKS_H

#include "base/err.h"
#include "base/io/loop.h"
#include "conf/option.h"
#include "server/run/cmdq.h"

#define HOOKS_WAITERS_MAX 10000

struct hooks;
struct server;

struct hooks *hooks_new(struct server *sv);
void hooks_free(struct hooks *h);

/* --- events ----------------------------------------------------------------- */

/* Checks NAME: 0, or -ERR_SYNTAX if it is neither a hook nor @name. */
int hooks_check(const char *name, struct cause *cause);

/* Returns whether a command waits for event NAME. */
bool hooks_waited(const struct hooks *h, const char *name);

/*
 * Fires event NAME: continues its waiters. RAN: its commands were run, which
 * show-hooks counts.
 */
void hooks_tell(
    struct hooks *h, const char *name, const struct cmd_state *st, bool ran);

/* Returns how often NAME's commands were run; *TIME: when last. */
unsigned hooks_count(const struct hooks *h, const char *name, int64_t *time);

/*
 * Returns the commands of the user's event NAME at ST (cmdlist_unref), or NULL.
 * Reports parse errors in show-messages.
 */
struct cmdlist *hooks_user_commands(
    struct hooks *h, const char *name, const struct cmd_state *st);

struct hooks_wait {
	uint64_t token; /* of cmdq_wait */
	uint64_t conn;  /* gets the variables; 0: none */
	char *who;      /* taken over */
	char *name;     /* taken over */
	char *filter;   /* taken over, or NULL */
};

/* Takes W over, also when it fails. */
int hooks_wait_add(struct hooks *h, const struct hooks_wait *w);

/* Lists the waiters of NAME, a line each. */
void hooks_wait_list(struct hooks *h, const char *name, struct buf *out);

/* Continues the first waiter of NAME called WHO; false: there is none. */
bool hooks_wait_wake(struct hooks *h, const char *name, const char *who);

#endif
