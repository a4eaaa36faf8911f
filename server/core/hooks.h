/*
 * server/core/hooks.h - events that commands wait for, and monitors that make some.
 *
 * Purpose:   wait-for -E, set-hook -E and -B: an event is a hook's name or a
 *            user's (@name); a monitor looks at a format once a second and
 *            fires its @name when the value has changed.
 * Ownership: struct hooks owns monitors and waiters.  A monitor lives as long
 *            as the @option in its tree that holds its commands.
 * Units:     milliseconds; times of variables are seconds since 1970.
 * Errors:    -ERR_LIMIT past HOOKS_MONITORS_MAX or HOOKS_WAITERS_MAX;
 *            -ERR_SYNTAX: "invalid monitor: X", "invalid event: X".
 * Source:    tmux(1), set-hook and wait-for of its versions after 3.7.
 * Tests:     regress/e2e/monitor.sh
 */
#ifndef SERVER_CORE_HOOKS_H
#define SERVER_CORE_HOOKS_H

#include "base/err.h"
#include "base/io/loop.h"
#include "conf/option.h"
#include "server/run/cmdq.h"

#define HOOKS_MONITORS_MAX 256
#define HOOKS_WAITERS_MAX 10000
#define HOOKS_PERIOD_MS 1000

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

/* --- monitors ---------------------------------------------------------------- */

/* name:what:format, cut in place. */
struct hooks_spec {
	char *name;
	char *what;
	char *format;
};
int hooks_spec_cut(char *text, struct hooks_spec *spec, struct cause *cause);

/*
 * Watches for the commands that NAME has in TREE.
 * In:      ids         session, window and pane that trees were taken from
 *          only_true   fires only when the new value is true
 */
int hooks_monitor_add(struct hooks *h, const struct options *tree,
    const struct cmd_state *ids, const struct hooks_spec *spec, bool only_true,
    struct cause *cause);

/* Calls FN for the monitors of TREE by name, NAME's alone if not NULL. */
typedef void (*hooks_monitor_fn)(void *arg, const struct hooks_spec *spec);
void hooks_monitor_each(struct hooks *h, const struct options *tree,
    const char *name, hooks_monitor_fn fn, void *arg);

/* Looks at all formats, if it is time; fires what has changed. */
void hooks_tick(struct hooks *h, mono_ms now);
bool hooks_want_tick(const struct hooks *h);

#endif
