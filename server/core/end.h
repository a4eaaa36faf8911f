/*
 * server/core/end.h - the end of the server.
 *
 * Purpose:   destroys the sessions, waits until clients have confirmed the end,
 *            stops the loop; ends an empty server (exit-empty).
 * Units:     milliseconds.
 * Source:    tmux(1): exit-empty, exit-unattached, kill-server.
 * Tests:     regress/e2e/session.sh
 */
#ifndef SERVER_CORE_END_H
#define SERVER_CORE_END_H

#include <stdbool.h>

#include "base/types.h"

struct loop_timer;
struct server;

struct end {
	struct loop_timer *timer;
	mono_ms at;       /* time at which the loop stops at the latest */
	bool had_session; /* exit-empty may end the server */
};

/* Begins the end. */
void end_begin(struct server *sv);

/*
 * Ends a server without sessions soon, if exit-empty is on and there is no
 * connection, job or queued command.
 */
void end_if_empty(struct server *sv);

#endif
