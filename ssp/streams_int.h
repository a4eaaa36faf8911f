/*
 * ssp/streams_int.h - the reliable streams of a transport.
 *
 * Purpose:   tells streams apart by id, writes their frames behind everything
 *            else, the urgent ones first and equal ones in turn, and repeats
 *            what was lost.
 * Ownership: the transport owns struct ssp_streams.
 * Units:     milliseconds; bytes.
 * Errors:    -ERR_PEER for frames that do not parse or break the bounds.
 * Source:    our own; ssp/stream.h for one stream.  RFC 9002 section 6.2 for
 *            the repetition of what was sent last.
 * Tests:     regress/unit/check_ssp_streams.c, regress/fuzz/fuzz_ssp_payload.c
 *
 * All frames begin with the varint id of their stream.  STREAM and CREDIT: then
 * the body of a data or credit frame (ssp/stream.h).  OPEN: then bytes that say
 * what the stream is for.  END: varint offset behind its last byte.  RESET:
 * varint reason, text.
 */
#ifndef SSP_STREAMS_INT_H
#define SSP_STREAMS_INT_H

#include "ssp/core.h"
#include "ssp/stream.h"
#include "ssp/streams.h"

#define SSP_STREAMS_FIXED 65536 /* credit at first of streams without OPEN */
#define SSP_STREAMS_GAPS 64     /* pieces in flight or lost of those */
#define SSP_STREAMS_FIRST 32768 /* credit at first of the others */
#define SSP_STREAMS_PIECES 8192 /* pieces in flight or lost of those */
#define SSP_STREAMS_POOL (24u << 20) /* credit beyond, all streams together */
/*
 * Bytes put and not confirmed, of all streams that share them: many, a few (one of
 * which can fill a long fast link); of each at least.
 */
#define SSP_STREAMS_KEPT (9u << 20)
#define SSP_STREAMS_KEPT_FEW (16u << 20)
#define SSP_STREAMS_FEW 16
#define SSP_STREAMS_KEPT_LEAST 8192
#define SSP_STREAMS_OPENS 1000 /* ids behind an unconfirmed OPEN */
#define SSP_STREAMS_TAILS 4    /* repetitions of the last bytes */
#define SSP_STREAMS_LATE 20  /* ms beyond 9/8 of the round trip: ack overdue */
#define SSP_STREAMS_COPY 400 /* bytes; longer pieces are not copied */

/* Kinds of frames that ssp_streams_write has written. */
enum ssp_streams_wrote {
	SSP_STREAMS_CONTROL = 1, /* CREDIT, OPEN, END, RESET */
	SSP_STREAMS_DATA = 2
};

/* CLIENT: this end's ids are even. */
struct ssp_streams *ssp_streams_new(struct ssp_core *core, bool client);
void ssp_streams_free(struct ssp_streams *ss); /* NULL is fine */

/* Sets which frames the peer reads; none at first. */
void ssp_streams_allow(struct ssp_streams *ss, enum ssp_streams_allow allow);

/* Returns whether no frame waits to be sent and no byte waits for an ack. */
bool ssp_streams_still(const struct ssp_streams *ss);

/*
 * Returns when a frame should go; MONO_NEVER: none.  ROOM is when the link takes
 * a datagram of bulk.
 */
mono_ms ssp_streams_time(struct ssp_streams *ss, mono_ms now, mono_ms room);

/*
 * Writes the frames that are due (see ssp_streams_time) for datagram PN.
 * Returns: enum ssp_streams_wrote.
 */
unsigned ssp_streams_write(struct ssp_streams *ss, mono_ms now, uint64_t pn,
    struct wr *w, mono_ms room);

/*
 * Returns when a second path may help: more than ENOUGH bytes wait for which
 * nobody waits byte by byte.  MONO_NEVER: they do not.
 */
mono_ms ssp_streams_wide(
    const struct ssp_streams *ss, mono_ms now, uint64_t enough);

/*
 * The peer is silent, so that one datagram at a time goes: returns whether the
 * next one is for a second path.
 */
bool ssp_streams_turn(const struct ssp_streams *ss);

/* Writes such bytes for datagram PN, by a second path; false: none. */
bool ssp_streams_spread(
    struct ssp_streams *ss, mono_ms now, uint64_t pn, struct wr *w);

/* The fate of a datagram.  SILENT: nothing is heard of the peer. */
void ssp_streams_acked(struct ssp_streams *ss, uint64_t pn);
void ssp_streams_lost(
    struct ssp_streams *ss, mono_ms now, uint64_t pn, bool silent);

/* The peer is heard, or the path is new. */
void ssp_streams_heard(struct ssp_streams *ss);

/*
 * Processes the body of a frame; that of a stream that is not open is dropped.
 * TYPE: enum ssp_frame_type.
 */
int ssp_streams_read(struct ssp_streams *ss, uint64_t type, const uint8_t *body,
    size_t n) WARN_UNUSED;

/* Returns whether bytes wait to be sent. */
bool ssp_streams_more(const struct ssp_streams *ss);

/* Returns whether bytes are in flight. */
bool ssp_streams_flying(const struct ssp_streams *ss);

/* Returns whether all bytes put, and all ends, have arrived. */
bool ssp_streams_flushed(const struct ssp_streams *ss);

/* Checks the invariants; false is a bug. */
bool ssp_streams_check(const struct ssp_streams *ss);

#endif
