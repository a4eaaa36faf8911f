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

/* 0, or -ERR_SYNTAX: neither a hook's name nor @name. */
int hooks_check(const char *name, struct cause *cause);

/* Whether somebody waits for event NAME. */
bool hooks_waited(const struct hooks *h, const char *name);

/*
 * Says that NAME has happened: who waits for it goes on.  RAN: commands that
 * hang on it do run, which show-hooks counts.
 */
void hooks_tell(
    struct hooks *h, const char *name, const struct cmd_state *st, bool ran);

/* How often NAME's commands were run, and when last. */
unsigned hooks_count(const struct hooks *h, const char *name, int64_t *time);

/*
 * The commands of the user's event NAME where ST is (cmdlist_unref), or NULL;
 * what is wrong with them is said in the messages.
 */
struct cmdlist *hooks_user_commands(
    struct hooks *h, const char *name, const struct cmd_state *st);

struct hooks_wait {
	uint64_t token; /* of cmdq_wait */
	uint64_t conn;  /* told the variables, 0: nobody */
	char *who;      /* taken over */
	char *name;     /* taken over */
	char *filter;   /* taken over, or NULL */
};

/* Takes W over, also when it fails. */
int hooks_wait_add(struct hooks *h, const struct hooks_wait *w);

/* Those that wait for NAME, a line each. */
void hooks_wait_list(struct hooks *h, const char *name, struct buf *out);

/* Lets the first WHO that waits for NAME go on; false if there is none. */
bool hooks_wait_wake(struct hooks *h, const char *name, const char *who);

#endif
