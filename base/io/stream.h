/*
 * base/io/stream.h - non-blocking reads and writes of byte streams.
 *
 * Purpose:   the system calls below ssp/stream_link.h: pipes, ssh's standard
 *            input and output, Unix sockets.
 * Ownership: the caller owns the descriptors.
 * Units:     bytes.
 * Errors:    -ERR_AGAIN (would block), -ERR_CLOSED (end of file, or the reader
 *            has closed), -ERR_SYS with errno set.
 * Source:    POSIX.
 * Tests:     regress/unit/check_udp.c
 */
#ifndef BASE_IO_STREAM_H
#define BASE_IO_STREAM_H

#include <stdbool.h>

#include "base/err.h"

/* Makes FD non-blocking and close-on-exec. */
int stream_prepare(int fd) WARN_UNUSED;

/* Returns whether FD is a file or a device, always ready: epoll refuses it. */
bool stream_is_file(int fd);

/* Reads at most N bytes (N > 0) to P; on 0, *got is their number. */
int stream_read(int fd, void *p, size_t n, size_t *got) WARN_UNUSED;

/* Writes up to N bytes; on 0, *put is their number. */
int stream_write(int fd, const void *p, size_t n, size_t *put) WARN_UNUSED;

#endif
