/*
 * server/core/monitors.h - formats that fire an event when their value changes.
 *
 * Purpose:   set-hook -B: a monitor expands its format once a second and fires
 *            its event @name when the value has changed.
 * Ownership: struct monitors owns the monitors.  A monitor lives as long as
 *            the @option in its tree that holds its commands.
 * Units:     milliseconds.
 * Errors:    -ERR_LIMIT past MONITORS_MAX; -ERR_SYNTAX: "invalid monitor: X".
 * Source:    tmux(1), set-hook of its versions after 3.7.
 * Tests:     regress/unit/check_core.c, regress/e2e/monitor.sh
 */
#ifndef SERVER_CORE_MONITORS_H
#define SERVER_CORE_MONITORS_H

#include "base/err.h"
#include "base/types.h"
#include "conf/option.h"
#include "server/run/cmdq.h"

#define MONITORS_MAX 256
#define MONITORS_PERIOD_MS 1000

struct monitors;
struct server;

struct monitors *monitors_new(struct server *sv);
void monitors_free(struct monitors *ms); /* NULL is fine */

/* name:what:format, cut in place. */
struct monitor_spec {
	char *name;
	char *what;
	char *format;
};
int monitor_spec_cut(
    char *text, struct monitor_spec *spec, struct cause *cause);

/*
 * Watches for the commands of NAME in TREE.
 * In:      ids         session, window and pane that trees were taken from
 *          only_true   fires only when the new value is true
 */
int monitors_add(struct monitors *ms, const struct options *tree,
    const struct cmd_state *ids, const struct monitor_spec *spec,
    bool only_true, struct cause *cause);

/* Calls FN for each monitor of TREE by name; NAME (or NULL): that one only. */
typedef void (*monitors_fn)(void *arg, const struct monitor_spec *spec);
void monitors_each(struct monitors *ms, const struct options *tree,
    const char *name, monitors_fn fn, void *arg);

/* Expands all formats, if it is time, and fires the events of new values. */
void monitors_tick(struct monitors *ms, mono_ms now);

/* There is a monitor. */
bool monitors_want_tick(const struct monitors *ms);

#endif
