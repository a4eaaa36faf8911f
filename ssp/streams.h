/*
 * ssp/streams.h - the reliable streams of a transport.
 *
 * Purpose:   tells the streams of a transport apart by id, writes their frames
 *            behind everything else, and repeats what was lost.
 * Ownership: private to ssp/; made when a transport opens its first stream.
 * Units:     milliseconds; bytes.
 * Errors:    -ERR_PEER for frames that do not parse or break the bounds.
 * Source:    our own; ssp/stream.h for one stream.  RFC 9002 section 6.2 for
 *            the repetition of what was sent last.
 * Tests:     regress/unit/check_ssp_streams.c, regress/fuzz/fuzz_ssp_payload.c
 *
 * STREAM frame: varint id, then the body of a data frame.  CREDIT frame: varint
 * id, then the body of a credit frame (ssp/stream.h).
 */
#ifndef SSP_STREAMS_H
#define SSP_STREAMS_H

#include "ssp/core.h"
#include "ssp/stream.h"

#define SSP_STREAMS_MAX 8    /* open at a time */
#define SSP_STREAMS_TAILS 4  /* repetitions of the last bytes */
#define SSP_STREAMS_LATE 20  /* ms beyond 9/8 of the round trip: ack overdue */
#define SSP_STREAMS_COPY 400 /* bytes; longer pieces are not copied */

/* Kinds of frames that ssp_streams_write has written. */
enum ssp_streams_wrote {
	SSP_STREAMS_CREDIT = 1,
	SSP_STREAMS_DATA = 2
};

struct ssp_streams;

struct ssp_streams *ssp_streams_new(struct ssp_core *core);
void ssp_streams_free(struct ssp_streams *ss); /* NULL is fine */

/* Opens stream ID; false if it is open, or too many are. */
bool ssp_streams_open(struct ssp_streams *ss, uint64_t id);

/* Returns an open stream, or NULL. */
struct ssp_stream *ssp_streams_find(const struct ssp_streams *ss, uint64_t id);

/* The peer reads stream frames: send them (false at first). */
void ssp_streams_allow(struct ssp_streams *ss, bool allow);

/*
 * Returns when a frame should go; MONO_NEVER: none.  ROOM is when the link takes
 * a datagram of bulk.
 */
mono_ms ssp_streams_time(
    const struct ssp_streams *ss, mono_ms now, mono_ms room);

/*
 * Writes the frames that are due (see ssp_streams_time) for datagram PN.
 * Returns: enum ssp_streams_wrote.
 */
unsigned ssp_streams_write(struct ssp_streams *ss, mono_ms now, uint64_t pn,
    struct wr *w, mono_ms room);

/* The fate of a datagram.  SILENT: nothing is heard of the peer. */
void ssp_streams_acked(struct ssp_streams *ss, uint64_t pn);
void ssp_streams_lost(
    struct ssp_streams *ss, mono_ms now, uint64_t pn, bool silent);

/* The peer is heard, or the path is new. */
void ssp_streams_heard(struct ssp_streams *ss);

/* Process the body of a frame; that of a stream that is not open is dropped. */
int ssp_streams_read(
    struct ssp_streams *ss, const uint8_t *body, size_t n) WARN_UNUSED;
int ssp_streams_credit_read(
    struct ssp_streams *ss, const uint8_t *body, size_t n) WARN_UNUSED;

/* Whether bytes wait to be sent. */
bool ssp_streams_more(const struct ssp_streams *ss);

/* Whether bytes are in flight. */
bool ssp_streams_flying(const struct ssp_streams *ss);

/* Whether all bytes put have arrived. */
bool ssp_streams_flushed(const struct ssp_streams *ss);

/* Checks the invariants; false is a bug. */
bool ssp_streams_check(const struct ssp_streams *ss);

#endif
