/*
 * ssp/stream.h - one reliable ordered stream of bytes over datagrams.
 *
 * Purpose:   the bytes put at one end are taken at the other in order, each
 *            once.  The receiver grants credit; both ends hold a bounded
 *            number of bytes.  The caller sends the frames and says which
 *            datagrams arrived.
 * Ownership: embedded in the caller's object.
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

#include "base/buf.h"
#include "base/types.h"
#include "base/wire.h"

#define SSP_STREAM_BUFFER 262144 /* maximum bytes that wait or are in flight */
#define SSP_STREAM_WINDOW 65536  /* credit beyond what was taken; power of 2 */
#define SSP_STREAM_PIECES 64     /* maximum pieces in flight or lost */
#define SSP_STREAM_HEAD 16       /* maximum bytes of a body besides the data */
#define SSP_STREAM_LEAST 32      /* minimum room for the data of a piece */

/* Bytes that are in flight or lost. */
struct ssp_stream_piece {
	uint64_t at;
	size_t len;
	uint64_t pn;     /* of its last datagram */
	uint64_t before; /* of the one before, or the same */
	bool lost;
};

struct ssp_stream_out {
	struct buf bytes; /* from offset BASE */
	uint64_t base;    /* all before it has arrived */
	uint64_t tried;   /* all before it was sent at least once */
	uint64_t limit;   /* the peer's credit */
	struct ssp_stream_piece pieces[SSP_STREAM_PIECES]; /* in order */
	unsigned npieces;
};

/* Bytes FROM..TO-1. */
struct ssp_stream_range {
	uint64_t from;
	uint64_t to;
};

struct ssp_stream_in {
	uint8_t *ring;  /* SSP_STREAM_WINDOW bytes */
	uint64_t taken; /* offset of the next byte to take */
	uint64_t limit; /* credit granted last */
	struct ssp_stream_range here[SSP_STREAM_PIECES + 1]; /* apart */
	unsigned nhere;
	uint64_t credit_pn; /* datagram of the last credit frame */
	bool credit_sent;   /* it is in flight */
	bool credit_lost;
};

struct ssp_stream {
	struct ssp_stream_out out;
	struct ssp_stream_in in;
};

void ssp_stream_init(struct ssp_stream *s);
void ssp_stream_fini(struct ssp_stream *s);

/* Copies as many of N bytes as fit; returns their number. */
size_t ssp_stream_put(struct ssp_stream *s, const void *p, size_t n);

/* Whether a data frame, or a credit frame, should be sent. */
bool ssp_stream_waits(const struct ssp_stream *s);
bool ssp_stream_credit_waits(const struct ssp_stream *s);

/*
 * Write the body of the next frame for datagram PN, which carries at most one
 * of each; false if none waits or it does not fit.
 */
bool ssp_stream_write(struct ssp_stream *s, uint64_t pn, struct wr *w);
bool ssp_stream_credit_write(struct ssp_stream *s, uint64_t pn, struct wr *w);

/*
 * The last bytes in flight should go again, in case that their datagram was
 * lost.
 */
void ssp_stream_again(struct ssp_stream *s);

/* The fate of a datagram. */
void ssp_stream_acked(struct ssp_stream *s, uint64_t pn);
void ssp_stream_lost(struct ssp_stream *s, uint64_t pn);

/* Process the body of a frame. */
int ssp_stream_read(
    struct ssp_stream *s, const uint8_t *body, size_t n) WARN_UNUSED;
int ssp_stream_credit_read(
    struct ssp_stream *s, const uint8_t *body, size_t n) WARN_UNUSED;

/*
 * Returns the next bytes in order (their number in N), or NULL; valid until the
 * next frame.  ssp_stream_taken says how many of them the caller has used.
 */
const uint8_t *ssp_stream_peek(const struct ssp_stream *s, size_t *n);
void ssp_stream_taken(struct ssp_stream *s, size_t n);

#endif
