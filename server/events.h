/*
 * server/events.h - what follows from a change of the model.
 *
 * Purpose:   one row an event type: redraws, pty sizes, programs to end,
 *            clients to detach, hooks to run.
 * Ownership: nothing is kept.
 * Units:     milliseconds.
 * Errors:    none.
 * Source:    idea 6 of ARCHITECTURE.md.
 * Tests:     regress/e2e
 */
#ifndef SERVER_EVENTS_H
#define SERVER_EVENTS_H

#include <stdbool.h>

struct server;

/* Takes all waiting events. */
void events_drain(struct server *sv);

/* What happens with time: automatic names, silence. */
void events_tick(struct server *sv);

/* Whether that is needed at all. */
bool events_want_tick(struct server *sv);

#endif
