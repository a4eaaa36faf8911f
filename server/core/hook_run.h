/*
 * server/core/hook_run.h - runs the hooks of events.
 *
 * Purpose:   queues the commands of an event's hook, which are options of the
 *            pane, window or session that the event tells of.
 * Ownership: hooks_kept owns references to the commands that it keeps.
 * Units:     it keeps two lists of commands at most for each pane that ends
 *            between two drains.
 * Source:    tmux 3.8 looks a hook up when its event happens.
 * Tests:     regress/e2e/hook.sh
 */
#ifndef SERVER_CORE_HOOK_RUN_H
#define SERVER_CORE_HOOK_RUN_H

#include "base/list.h"

struct hook_entry;
struct pane;
struct server;

/*
 * Keeps the commands of hooks that tell of the end of P, whose program has
 * ended: the options of P, and maybe those of its window, are gone when the
 * events are handled.
 */
void hook_keep(struct server *sv, const struct pane *p);

/* Drops all that is kept. */
void hooks_kept_clear(struct server *sv);

/* Queues the commands of the event's hook. */
void hook_run(struct server *sv, const struct hook_entry *he);

#endif
