/*
 * client/desk/frame.h - requests and answers on a descriptor.
 *
 * Purpose:   reads and writes one frame, a length of four bytes and the bytes,
 *            and not a byte more: a copy of files may follow.
 * Units:     milliseconds.
 * Errors:    -ERR_CLOSED; -ERR_TIMEOUT; -ERR_PEER: too long.
 * Tests:     regress/e2e/desk.sh
 */
#ifndef CLIENT_DESK_FRAME_H
#define CLIENT_DESK_FRAME_H

#include "base/buf.h"
#include "base/err.h"

int desk_frame_put(int fd, const struct buf *b) WARN_UNUSED;

/* Appends the frame to B, within MS. */
int desk_frame_get(int fd, struct buf *b, int ms) WARN_UNUSED;

/* Exactly N bytes. */
int desk_bytes_put(int fd, const void *p, size_t n) WARN_UNUSED;
int desk_bytes_get(int fd, void *p, size_t n, int ms) WARN_UNUSED;

#endif
