/*
 * base/io/stream.h - reading and writing what a descriptor takes now.
 *
 * Purpose:   the shell below ssp/stream_link.h: pipes, ssh's standard input
 *            and output, Unix sockets, as bytes without blocking.
 * Ownership: descriptors are the caller's.
 * Units:     bytes.
 * Errors:    -ERR_AGAIN (nothing now), -ERR_CLOSED (end of file, or the
 *            reader is gone), -ERR_SYS with errno kept.
 * Source:    POSIX.
 * Tests:     regress/unit/check_udp.c
 */
#ifndef BASE_IO_STREAM_H
#define BASE_IO_STREAM_H

#include "base/err.h"

/* Makes FD non-blocking and close-on-exec. */
int stream_prepare(int fd) WARN_UNUSED;

/* Reads at most N bytes (N > 0) to P; *got of them when 0 is returned. */
int stream_read(int fd, void *p, size_t n, size_t *got) WARN_UNUSED;

/* Writes what fits of N bytes; *put of them when 0 is returned. */
int stream_write(int fd, const void *p, size_t n, size_t *put) WARN_UNUSED;

#endif
