/*
 * ssp/io/stream_fd.h - between a stream of records and a descriptor.
 *
 * Purpose:   datagrams that travel by ssh: both of its ends read and write
 *            the pipe in the same way.
 * Ownership: none; the stream and the descriptor stay the caller's.
 * Units:     bytes.
 * Errors:    0 or -ERR_*; -ERR_AGAIN: the descriptor has or takes no more now.
 * Tests:     regress/unit/check_stream_fd.c, regress/e2e/remote_net.sh
 */
#ifndef SSP_IO_STREAM_FD_H
#define SSP_IO_STREAM_FD_H

#include "ssp/stream_link.h"

/*
 * Reads once from FD into the stream; ssp_stream_link_next has the records.
 * Returns: 0, -ERR_AGAIN, or an error when nothing will come any more.
 */
int stream_fd_read(struct ssp_stream_link *l, int fd);

/*
 * Writes to FD what the stream has pending.
 * Returns: 0 when all is written, -ERR_AGAIN when FD takes no more now (wait
 * for it to be writable), or an error.
 */
int stream_fd_write(struct ssp_stream_link *l, int fd);

#endif
