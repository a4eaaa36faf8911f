/*
 * base/io/sock.h - Unix stream sockets between one user's processes.
 *
 * Purpose:   listens, connects and identifies the peer process.
 * Ownership: the caller owns the descriptors; all are close-on-exec, and all
 *            but lock_fd non-blocking.
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
 * Listens at PATH.  Replaces a stale socket (without listener); a live one is
 * -ERR_EXISTS.  The lock file "PATH.lock" serialises two servers that start at
 * once; keep *lock_fd open while the server lives.
 */
int sock_listen(const char *path, int *fd, int *lock_fd, struct cause *c);

/* Connects to PATH; -ERR_NOTFOUND without socket or listener. */
int sock_connect(const char *path, int *fd, struct cause *c);

/* Accepts a connection; -ERR_AGAIN if none waits, -ERR_SYS with errno set. */
int sock_accept(int listen_fd, int *fd);

/* Returns the effective user and the process (or -1) of the peer. */
int sock_peer(int fd, uid_t *uid, pid_t *pid);

/* Returns all groups of the peer: *COUNT in a new array *GIDS (mem_free). */
int sock_peer_groups(int fd, gid_t **gids, size_t *count);

#endif
