/*
 * ssp/io/stream_fd.h - copies between a record stream and a descriptor.
 *
 * Purpose:   reads and writes the pipe at both ends of an ssh connection that
 *            carries datagrams.
 * Ownership: the caller owns the stream and the descriptor.
 * Units:     bytes.
 * Errors:    0 or -ERR_*; -ERR_AGAIN: the descriptor would block.
 * Tests:     regress/unit/check_stream_fd.c, regress/e2e/remote_net.sh
 */
#ifndef SSP_IO_STREAM_FD_H
#define SSP_IO_STREAM_FD_H

#include "ssp/stream_link.h"

/*
 * Reads once from FD into the stream; ssp_stream_link_next returns the records.
 * Returns: 0, -ERR_AGAIN, or an error if the stream has ended.
 */
int stream_fd_read(struct ssp_stream_link *l, int fd);

/*
 * Writes the pending bytes of the stream to FD.
 * Returns: 0 when all are written, -ERR_AGAIN when FD is full (wait until it
 *          is writable), or an error.
 */
int stream_fd_write(struct ssp_stream_link *l, int fd);

#endif
