/*
 * server/io/listen.h - the listening socket of the server.
 *
 * Purpose:   accepts client processes and makes their connections.
 * Ownership: the server owns it; it owns the socket, the lock and a spare
 *            descriptor, which it closes to refuse a caller when none is left.
 * Errors:    without descriptors it sheds connections that have not sent HELLO,
 *            else refuses, else pauses until listen_resume.
 * Tests:     regress/unit/check_listen.c, regress/e2e/fault_limits.sh
 */
#ifndef SERVER_IO_LISTEN_H
#define SERVER_IO_LISTEN_H

#include <stdbool.h>

struct conns;
struct listen;

/* Takes over the listening socket FD at PATH and its LOCK. */
struct listen *listen_new(struct conns *cs, const char *path, int fd, int lock);
void listen_free(struct listen *l);

/* Accepts the callers that wait. */
void listen_accept(struct listen *l);

/* Makes the socket again, after its file was removed (SIGUSR1). */
void listen_reopen(struct listen *l);

/* Removes the socket: another server may take its place. */
void listen_close(struct listen *l);

/* Returns whether it has paused for lack of descriptors; listens again. */
bool listen_paused(const struct listen *l);
void listen_resume(struct listen *l);

#endif
