/*
 * base/io/fdpass.h - descriptors that go with a message over a Unix socket.
 *
 * Purpose:   sends and receives SCM_RIGHTS in one place.
 * Ownership: the receiver owns the descriptors that it gets; all are
 *            close-on-exec. The sender keeps its own.
 * Errors:    as sendmsg and recvmsg: -1 with errno.
 * Source:    unix(7), cmsg(3).
 * Tests:     regress/unit/check_fdpass.c
 */
#ifndef BASE_IO_FDPASS_H
#define BASE_IO_FDPASS_H

#include <sys/types.h>

#include <stddef.h>

#define FDPASS_MAX 8 /* descriptors of one message */

/*
 * Sends P[0..N) and NFDS descriptors, FDPASS_MAX at most, and returns the number
 * of bytes. They go with the first byte. FLAGS are those of sendmsg; a peer
 * that has gone is EPIPE without a signal.
 */
ssize_t fdpass_send(
    int sock, const void *p, size_t n, const int *fds, size_t nfds, int flags);

/*
 * Receives up to N bytes into P, and up to MAX descriptors, *NFDS of them.
 * Returns the number of bytes, or 0 at the end. FLAGS are those of recvmsg.
 *
 * A message with more descriptors, or with more than the kernel could pass, is
 * one without any: all that came are closed.
 */
ssize_t fdpass_recv(
    int sock, void *p, size_t n, int *fds, size_t max, size_t *nfds, int flags);

#endif
