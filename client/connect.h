/*
 * client/connect.h - the far end of ssh: `rmux __connect`.
 *
 * Purpose:   reads the request of a distant rmux from standard input, has the
 *            server open a connection for it, answers with one line, and
 *            carries sealed datagrams between ssh and the server until standard
 *            input ends.
 * Ownership: takes over the descriptor.
 * Errors:    printed on standard error; the result is the exit code.
 * Source:    doc/PROTOCOL.md, A.1 and A.8.
 * Tests:     regress/e2e/remote.sh
 */
#ifndef CLIENT_CONNECT_H
#define CLIENT_CONNECT_H

#include <stdbool.h>

/*
 * Opens the control socket, and starts a server if there is none and START is
 * set. FRESH: it did so.
 */
typedef int (*connect_open_fn)(void *arg, bool start, bool *fresh);

int connect_run(connect_open_fn open, void *arg);

#endif
