/*
 * client/connect.h - the far end of ssh: `rmux __connect`.
 *
 * Purpose:   takes the request of an rmux far away from standard input, has
 *            the server make a connection for it, answers with one line, and
 *            carries sealed datagrams between ssh and the server until
 *            standard input ends.
 * Ownership: the descriptor is taken over.
 * Units:     none.
 * Errors:    told on standard error; the result is the exit code.
 * Source:    doc/PROTOCOL.md, A.1 and A.8.
 * Tests:     regress/e2e/remote.sh
 */
#ifndef CLIENT_CONNECT_H
#define CLIENT_CONNECT_H

#include <stdbool.h>

/* Gives the control socket; FRESH: the server was started for this. */
typedef int (*connect_open_fn)(void *arg, bool *fresh);

int connect_run(connect_open_fn open, void *arg);

#endif
