/*
 * server/core/events.h - the consequences of changes of the model.
 *
 * Purpose:   a row for each event type: redraws, pty sizes, programs to end,
 *            clients to detach, hooks to run.
 * Source:    idea 6 of ARCHITECTURE.md.
 * Tests:     regress/e2e/hook.sh, regress/e2e/session.sh
 */
#ifndef SERVER_CORE_EVENTS_H
#define SERVER_CORE_EVENTS_H

struct server;

/* Handles all waiting events (run_ops.drain; ARG is the server). */
void events_drain(void *arg);

/*
 * Applies the EFFECTS (enum option_effect) of an option that was set; the
 * caller has called mux_option_changed.
 */
void events_options_changed(struct server *sv, unsigned effects);

#endif
