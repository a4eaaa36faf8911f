/*
 * ssp/side.h - messages that nobody waits for, in the gaps of the link.
 *
 * Purpose:   carries numbered messages beside the object of one direction, in
 *            parts that go one at a time, only while nothing else is to be
 *            said, and that grow only as long as the link hardly notices them.
 * Ownership: embedded in struct ssp_transport; private to ssp/.
 * Units:     milliseconds; bytes.
 * Errors:    -ERR_PEER for parts that do not parse.
 * Source:    our own; that background traffic is to be judged by the delay it
 *            causes is the idea of LEDBAT (RFC 6817).
 * Tests:     regress/sim/check_side.c, regress/fuzz/fuzz_ssp_payload.c
 *
 * A part on its way is known by its datagram: the ack of that datagram confirms
 * it, and its loss repeats it.  So there is no timer and no ack of its own, and
 * in silence nothing is sent twice.
 */
#ifndef SSP_SIDE_H
#define SSP_SIDE_H

#include "base/buf.h"
#include "base/types.h"
#include "base/wire.h"

#define SSP_SIDE_MAX 65536    /* bytes of a message */
#define SSP_SIDE_FIRST 256    /* bytes of a part, at first */
#define SSP_SIDE_LEAST 128    /* and at least */
#define SSP_SIDE_MOST 1024    /* and at most */
#define SSP_SIDE_QUIET 200    /* ms since anything else was said */
#define SSP_SIDE_STARVED 3000 /* ms after which a short pause is enough */
#define SSP_SIDE_GAP 10       /* ms between parts, at least */
#define SSP_SIDE_LIGHT 8   /* ms that a part may delay: a larger one may go */
#define SSP_SIDE_HEAVY 16  /* ms of delay: smaller ones from now on */
#define SSP_SIDE_SHARE 4   /* at most one in so many parts of the time */
#define SSP_SIDE_RETRY 250 /* ms until a lost part goes again; doubles */
#define SSP_SIDE_RETRY_MAX 30000

struct ssp_side {
	/* The message being sent; empty: none. */
	struct buf out;
	uint64_t num;    /* its number: 1, 2, ... */
	size_t done;     /* bytes of it that have arrived */
	size_t flying;   /* of the part on its way; 0: none is */
	uint64_t pn;     /* its datagram */
	mono_ms sent;    /* when it went */
	mono_ms next;    /* none before then */
	mono_ms since;   /* when the last one arrived, or this one was given */
	size_t part;     /* bytes that a part has now */
	unsigned losses; /* in a row */

	/* The message being received. */
	struct buf in;
	uint64_t in_num;
	size_t in_total;
	bool whole; /* it is, and was not taken */
};

void ssp_side_init(struct ssp_side *s);
void ssp_side_fini(struct ssp_side *s);

/* A message is on its way. */
static inline bool
ssp_side_busy(const struct ssp_side *s)
{
	return s->out.len > 0;
}

/* Takes a copy of the next message; false: there is one, or N is no good. */
bool ssp_side_put(struct ssp_side *s, mono_ms now, const void *p, size_t n);

/*
 * When a part may go, if all else has been silent since TALKED.  MONO_NEVER
 * while one is on its way.
 */
mono_ms ssp_side_time(const struct ssp_side *s, mono_ms talked);

/* Writes the next part as a frame of datagram PN; false: no room. */
bool ssp_side_write(struct ssp_side *s, mono_ms now, uint64_t pn, struct wr *w);

/* The fate of a datagram; RTT is the link's least. */
void ssp_side_acked(struct ssp_side *s, mono_ms now, uint64_t pn, mono_ms rtt);
void ssp_side_lost(struct ssp_side *s, mono_ms now, uint64_t pn);

/* The path is another one: nothing is known of it. */
void ssp_side_moved(struct ssp_side *s, mono_ms now);

/* The body of a frame. */
int ssp_side_read(
    struct ssp_side *s, const uint8_t *body, size_t len) WARN_UNUSED;

/*
 * A message that has come whole, once; NULL if there is none.  Good until the
 * next frame.
 */
const uint8_t *ssp_side_take(struct ssp_side *s, size_t *len);

#endif
