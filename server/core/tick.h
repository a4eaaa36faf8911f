/*
 * server/core/tick.h - periodic work, twice a second.
 *
 * Purpose:   automatic names, silence alerts, lock-after-time, monitors, and
 *            listening again after descriptors ran out.  Without clients and
 *            monitors the timer runs after changes only.
 * Ownership: the server owns it.
 * Tests:     regress/e2e/options_time.sh
 */
#ifndef SERVER_CORE_TICK_H
#define SERVER_CORE_TICK_H

struct server;
struct tick;

struct tick *tick_new(struct server *sv);
void tick_free(struct tick *t); /* NULL is fine */

/* Sets the timer if something needs it. */
void tick_arm(struct tick *t);

#endif
