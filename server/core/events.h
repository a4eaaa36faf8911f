/*
 * server/core/events.h - what follows from a change of the model.
 *
 * Purpose:   one row an event type: redraws, pty sizes, programs to end,
 *            clients to detach, hooks to run.
 * Ownership: nothing is kept.
 * Units:     milliseconds.
 * Errors:    none.
 * Source:    idea 6 of ARCHITECTURE.md.
 * Tests:     regress/e2e
 */
#ifndef SERVER_CORE_EVENTS_H
#define SERVER_CORE_EVENTS_H

struct server;

/* Takes all waiting events. */
void events_drain(struct server *sv);

/*
 * Applies the EFFECTS (enum option_effect) of an option that was set; the
 * caller has called mux_option_changed.
 */
void events_options_changed(struct server *sv, unsigned effects);

#endif
