/*
 * ssp/stream_link.h - records over a byte stream.
 *
 * Purpose:   cuts the bytes of a Unix socket or of ssh's stdio into records for
 *            ssp_conn_input, and prefixes records of ssp_conn_output with their
 *            length.
 * Ownership: the user embeds struct ssp_stream_link; _fini frees its buffers.
 * Units:     bytes; a record is 1..SSP_STREAM_RECORD_MAX long.
 * Errors:    -ERR_PEER for a length of 0 or above the maximum: the stream is
 *            unusable from there on (sticky); -ERR_LIMIT when the output
 *            backlog is full.
 * Source:    our own; lengths are the varints of base/wire.h.
 * Tests:     regress/unit/check_ssp_stream_link.c
 */
#ifndef SSP_STREAM_LINK_H
#define SSP_STREAM_LINK_H

#include "base/buf.h"

#define SSP_STREAM_RECORD_MAX 65536
#define SSP_STREAM_BACKLOG 262144

struct ssp_stream_link {
	struct buf in;  /* bytes not yet cut into records */
	struct buf out; /* bytes not yet written */
	size_t used;    /* bytes of IN in the last returned record */
	int err;
};

void ssp_stream_link_init(struct ssp_stream_link *l);
void ssp_stream_link_fini(struct ssp_stream_link *l);

/*
 * Returns space for bytes to read from the stream, at *P; 0 only after an
 * error.  Then call _commit.
 */
size_t ssp_stream_link_room(struct ssp_stream_link *l, uint8_t **p);
void ssp_stream_link_commit(struct ssp_stream_link *l, size_t n);

/*
 * Returns the next whole record, in place and writable until the next call.
 * Returns: 1 and the record, 0 if it needs more bytes, or -ERR_PEER.
 */
int ssp_stream_link_next(struct ssp_stream_link *l, uint8_t **p, size_t *len);

/* Queues a record. */
int ssp_stream_link_put(
    struct ssp_stream_link *l, const uint8_t *p, size_t len) WARN_UNUSED;

/* Return the bytes to write, and consume the N written. */
size_t ssp_stream_link_pending(
    const struct ssp_stream_link *l, const uint8_t **p);
void ssp_stream_link_written(struct ssp_stream_link *l, size_t n);

#endif
