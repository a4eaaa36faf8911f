/*
 * server/core/hook_order.h - the order in which hooks of one command run.
 *
 * Purpose:   keeps the hooks of the events that a command has caused, with
 *            their hook_* variables, and sorts them as tmux 3.8 runs them.
 * Ownership: hook_batch_fini frees the entries; texts are copied.
 * Units:     a batch is what one drain takes, at most MUX_EVENT_MAX events.
 * Source:    observed order of tmux 3.8 (regress/diff/gen_hooks.py).
 * Tests:     regress/unit/check_hook_order.c, regress/e2e/hook.sh
 */
#ifndef SERVER_CORE_HOOK_ORDER_H
#define SERVER_CORE_HOOK_ORDER_H

#include "mux/fmt/vars.h"
#include "mux/mux.h"

struct hook_entry {
	struct mux_event event;  /* without its text */
	struct vars_event *vars; /* as they were when the event was handled */
	unsigned rank;
	size_t seq;
	bool dropped;
};

struct hook_batch {
	struct hook_entry *entries;
	size_t count;
	size_t room;
};

void hook_batch_init(struct hook_batch *b);
void hook_batch_fini(struct hook_batch *b);

/* Adds the hook of E unless it has none. */
void hook_batch_add(
    struct hook_batch *b, const struct mux *m, const struct mux_event *e);

/*
 * Sorts the entries of each command; drops those that only tell what a new pane
 * or window begins with, and all but the last layout of a window whose panes
 * have changed.
 */
void hook_batch_sort(struct hook_batch *b);

#endif
