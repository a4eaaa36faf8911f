/*
 * ssp/stream_link.h - records over a byte stream.
 *
 * Purpose:   cuts what a Unix socket or ssh's stdio delivers into the records
 *            that ssp_conn_input takes, and puts a length before those that
 *            ssp_conn_output writes.
 * Ownership: struct ssp_stream_link is embedded by its user; _fini frees what
 *            it buffers.
 * Units:     bytes; a record is 1..SSP_STREAM_RECORD_MAX long.
 * Errors:    -ERR_PEER for a length of 0 or above the maximum: the stream can
 *            not be trusted from there on (sticky); -ERR_LIMIT when the output
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
	size_t used;    /* of IN: the record handed out last */
	int err;
};

void ssp_stream_link_init(struct ssp_stream_link *l);
void ssp_stream_link_fini(struct ssp_stream_link *l);

/*
 * Room for bytes just to be read from the stream: *P has space for the
 * returned number (never 0 unless the link failed).  Then _commit.
 */
size_t ssp_stream_link_room(struct ssp_stream_link *l, uint8_t **p);
void ssp_stream_link_commit(struct ssp_stream_link *l, size_t n);

/*
 * The next whole record, in place and writable until the next call.
 * Returns: 1 and the record, 0 when more bytes are needed, or -ERR_PEER.
 */
int ssp_stream_link_next(struct ssp_stream_link *l, uint8_t **p, size_t *len);

/* Queues a record. */
int ssp_stream_link_put(
    struct ssp_stream_link *l, const uint8_t *p, size_t len) WARN_UNUSED;

/* Bytes to be written, and that N of them were. */
size_t ssp_stream_link_pending(
    const struct ssp_stream_link *l, const uint8_t **p);
void ssp_stream_link_written(struct ssp_stream_link *l, size_t n);

#endif
