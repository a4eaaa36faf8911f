/*
 * ssp/stream.h - one reliable ordered stream of bytes over datagrams.
 *
 * Purpose:   the bytes put at one end are taken at the other in order, each
 *            once.  The receiver grants credit; both ends hold a bounded
 *            number of bytes.  The caller sends the frames, remembers which
 *            bytes a datagram carried, and tells its fate.
 * Ownership: embedded in the caller's object; ssp_stream_fini frees the rest.
 * Units:     bytes; offsets count from the stream's first byte.
 * Errors:    -ERR_PEER for frames that do not parse or break the bounds.
 * Source:    our own; RFC 9000 sections 2 to 4 for offsets and credit.
 * Tests:     regress/unit/check_ssp_stream.c
 *
 * Body of a data frame: varint offset, bytes (at least one).  Body of a credit
 * frame: varint offset that the sender may not reach beyond.
 */
#ifndef SSP_STREAM_H
#define SSP_STREAM_H

#include <stdbool.h>

#include "base/types.h"
#include "base/wire.h"
#include "ssp/ranges.h"

#define SSP_STREAM_WINDOW_MAX (16u << 20) /* credit beyond what was taken */
#define SSP_STREAM_BUFFER 65536 /* bytes that wait besides those in flight */
#define SSP_STREAM_KEEP 16384   /* an empty buffer of more is freed */
#define SSP_STREAM_HEAD 16      /* maximum bytes of a body besides the data */
#define SSP_STREAM_LEAST 32     /* minimum room for the data of a piece */

/* The byte at offset O is at O % SIZE of the ring. */
struct ssp_ring {
	uint8_t *data; /* NULL: none */
	size_t size;   /* a power of two, or 0 */
};

struct ssp_stream_out {
	struct ssp_ring ring;
	uint64_t base;          /* all before it has arrived */
	uint64_t end;           /* all before it was put */
	uint64_t tried;         /* all before it was sent at least once */
	uint64_t limit;         /* the peer's credit */
	struct ssp_ranges got;  /* has arrived, beyond BASE */
	struct ssp_ranges lost; /* to be sent again */
	unsigned flying;        /* pieces whose fate is unknown */
	unsigned most;          /* pieces in flight or lost */
};

struct ssp_stream_in {
	struct ssp_ring ring;
	uint64_t taken; /* offset of the next byte to take */
	uint64_t limit; /* credit granted last */
	size_t window;  /* credit to grant beyond TAKEN */
	struct ssp_ranges here;
	bool credit_lost;
};

struct ssp_stream {
	struct ssp_stream_out out;
	struct ssp_stream_in in;
};

/*
 * In:      window  both directions' first credit
 *          most    pieces of a direction that may be in flight or lost; a peer
 *                  accepts as many gaps
 */
void ssp_stream_init(struct ssp_stream *s, size_t window, unsigned most);
void ssp_stream_fini(struct ssp_stream *s);

/* Returns how many bytes the sender keeps at most. */
size_t ssp_stream_most(const struct ssp_stream *s);

/* Copies as many of N bytes as fit; returns their number. */
size_t ssp_stream_put(struct ssp_stream *s, const void *p, size_t n);

/* Return whether a data frame, or a credit frame, should be sent. */
bool ssp_stream_waits(const struct ssp_stream *s);
bool ssp_stream_credit_waits(const struct ssp_stream *s);

/*
 * Returns the bytes that may be sent now, or something above ENOUGH that is
 * less.
 */
uint64_t ssp_stream_waiting(const struct ssp_stream *s, uint64_t enough);

/*
 * Write the body of the next frame; false if none waits or it does not fit.
 * Out:     *sent  the bytes that it carries
 */
bool ssp_stream_write(
    struct ssp_stream *s, struct wr *w, struct ssp_range *sent);
bool ssp_stream_credit_write(struct ssp_stream *s, struct wr *w);

/*
 * Bytes in flight should go again, in case that their datagram was lost.  For
 * that datagram the caller then reports no loss but ssp_stream_landed.
 */
void ssp_stream_again(struct ssp_stream *s, const struct ssp_range *r);

/* The fate of a piece, once each: arrived, lost, or of no interest. */
void ssp_stream_acked(struct ssp_stream *s, const struct ssp_range *r);
void ssp_stream_lost(struct ssp_stream *s, const struct ssp_range *r);
void ssp_stream_landed(struct ssp_stream *s);

/* The last credit frame was lost. */
void ssp_stream_credit_lost(struct ssp_stream *s);

/* Process the body of a frame. */
int ssp_stream_read(
    struct ssp_stream *s, const uint8_t *body, size_t n) WARN_UNUSED;
int ssp_stream_credit_read(
    struct ssp_stream *s, const uint8_t *body, size_t n) WARN_UNUSED;

/* Returns the offset behind the last byte received. */
uint64_t ssp_stream_reach(const struct ssp_stream *s);

/*
 * Returns the next bytes in order (their number in N), or NULL; valid until the
 * next frame.  ssp_stream_taken says how many of them the caller has used.
 */
const uint8_t *ssp_stream_peek(const struct ssp_stream *s, size_t *n);
void ssp_stream_taken(struct ssp_stream *s, size_t n);

bool ssp_stream_check(const struct ssp_stream *s);

#endif
