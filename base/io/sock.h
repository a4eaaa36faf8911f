/*
 * base/io/sock.h - Unix stream sockets between the user's own processes.
 *
 * Purpose:   listening, connecting and checking who is at the other end.
 * Ownership: descriptors are the caller's; all are close-on-exec and
 *            non-blocking unless said otherwise.
 * Units:     none.
 * Errors:    -ERR_* with a cause that names the path and what to do.
 * Source:    POSIX; SO_PEERCRED on Linux, getpeereid elsewhere.
 * Tests:     regress/unit/check_loop.c, regress/e2e
 */
#ifndef BASE_IO_SOCK_H
#define BASE_IO_SOCK_H

#include <sys/types.h>

#include "base/err.h"
#include "base/types.h"

/*
 * Listens at PATH.  A stale socket (nobody accepts) is replaced, a live one is
 * -ERR_EXISTS.  A lock file beside it ("PATH.lock") keeps two servers that
 * start at once apart; *lock_fd is to be kept open while the server lives.
 */
int sock_listen(const char *path, int *fd, int *lock_fd, struct cause *c);

/* Connects to PATH: -ERR_NOTFOUND if there is no socket or no listener. */
int sock_connect(const char *path, int *fd, struct cause *c);

/* Takes one connection: -ERR_AGAIN if none waits, -ERR_SYS (errno kept). */
int sock_accept(int listen_fd, int *fd);

/* Effective user (and process, or -1) at the other end. */
int sock_peer(int fd, uid_t *uid, pid_t *pid);

#endif
