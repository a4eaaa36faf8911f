/*
 * ssp/side.h - low-priority messages in the gaps of the link.
 *
 * Purpose:   carries numbered messages beside the object of one direction.
 *            A few parts are in flight, only while nothing else is to be sent;
 *            their size and number grow only while they hardly delay the link.
 * Ownership: embedded in struct ssp_transport; private to ssp/.
 * Units:     milliseconds; bytes.
 * Errors:    -ERR_PEER for parts that do not parse.
 * Source:    our own; LEDBAT (RFC 6817) for judging background traffic by the
 *            delay it causes.
 * Tests:     regress/sim/check_side.c, regress/fuzz/fuzz_ssp_payload.c
 *
 * The datagram identifies a part in flight: its ack confirms the part, its loss
 * repeats it.  There is no timer and no ack for parts, and nothing is repeated
 * while the peer is silent.
 */
#ifndef SSP_SIDE_H
#define SSP_SIDE_H

#include "base/buf.h"
#include "base/types.h"
#include "base/wire.h"

#define SSP_SIDE_MAX 65536    /* bytes of a message */
#define SSP_SIDE_FIRST 256    /* bytes of the first part */
#define SSP_SIDE_LEAST 128    /* minimum bytes of a part */
#define SSP_SIDE_MOST 1024    /* maximum bytes of a part */
#define SSP_SIDE_QUIET 200    /* ms of quiet before a part */
#define SSP_SIDE_STARVED 3000 /* ms of waiting that need no quiet */
#define SSP_SIDE_GAP 10       /* minimum ms between parts */
#define SSP_SIDE_LIGHT 8      /* ms of delay up to which parts grow */
#define SSP_SIDE_HEAVY 16     /* ms of delay above which parts shrink */
#define SSP_SIDE_SHARE 4      /* pause after a part: this many delays */
#define SSP_SIDE_RETRY 250    /* ms until a lost part is repeated; doubles */
#define SSP_SIDE_RETRY_MAX 30000
#define SSP_SIDE_MESSAGES 4 /* maximum messages on their way */
#define SSP_SIDE_WINDOW 8   /* maximum parts in flight */
#define SSP_SIDE_PIECES 40  /* maximum pieces on their way */
#define SSP_SIDE_LATE 20    /* ms beyond 9/8 of the round trip: ack overdue */

/* A message being sent. */
struct ssp_side_out {
	struct buf bytes;
	size_t tried; /* bytes sent at least once */
	size_t left;  /* bytes that have not arrived */
};

/* A part that is in flight or lost. */
struct ssp_side_piece {
	uint64_t num; /* of its message */
	size_t at;
	size_t len;
	uint64_t pn;  /* of its last datagram */
	mono_ms sent; /* time of it */
	bool lost;
	bool again; /* went again because its ack was overdue */
};

/* Bytes FROM..TO-1. */
struct ssp_side_range {
	size_t from;
	size_t to;
};

/* A message being received. */
struct ssp_side_in {
	struct buf bytes; /* all; those that are missing are 0 */
	size_t total;     /* 0: unused */
	/* What is here, in order and apart. */
	struct ssp_side_range here[SSP_SIDE_PIECES + 1];
	unsigned nhere;
};

struct ssp_side {
	struct ssp_side_out out[SSP_SIDE_MESSAGES];
	unsigned nout;
	uint64_t num; /* of out[0], from 1 */
	struct ssp_side_piece pieces[SSP_SIDE_PIECES];
	unsigned npieces;
	unsigned flying; /* of them in flight */
	unsigned window; /* parts that may be in flight */
	mono_ms next;    /* earliest time of the next part */
	mono_ms since;   /* last arrival of a part, or start of the message */
	size_t part;     /* current part size */
	mono_ms gap;     /* current pause after a part */
	unsigned losses; /* losses in a row */
	mono_ms lost_at; /* time of the last one */
	bool wanted;     /* somebody waits for it: no quiet before a part */

	struct ssp_side_in in[SSP_SIDE_MESSAGES]; /* by number */
	uint64_t in_num; /* the oldest that was not taken, from 1 */
};

void ssp_side_init(struct ssp_side *s);
void ssp_side_fini(struct ssp_side *s);

/*
 * Copies the next message; false if another one waits, if too many are on their
 * way, or if N is invalid.
 */
bool ssp_side_put(struct ssp_side *s, mono_ms now, const void *p, size_t n);

/*
 * Returns when a part of the messages put may be sent, if other traffic ended at
 * TALKED; MONO_NEVER: there is none, or those in flight are enough.  SRTT is
 * the link's round trip.
 */
mono_ms ssp_side_time(const struct ssp_side *s, mono_ms talked, mono_ms srtt);

/* Whether a message waits for its first datagram, or for another one. */
static inline bool
ssp_side_waits(const struct ssp_side *s)
{
	const struct ssp_side_out *o = &s->out[MAX_OF(s->nout, 1u) - 1];

	return s->nout > 0 && o->tried < o->bytes.len;
}

/*
 * Returns when another message should be put, if none waits; MONO_NEVER: not
 * before an ack.
 */
mono_ms ssp_side_room(const struct ssp_side *s, mono_ms talked);

/* Writes the next part for datagram PN; false if it does not fit. */
bool ssp_side_write(struct ssp_side *s, mono_ms now, uint64_t pn, struct wr *w);

/* The fate of a datagram; RTT is the link's minimum. */
void ssp_side_acked(struct ssp_side *s, mono_ms now, uint64_t pn, mono_ms rtt);
void ssp_side_lost(struct ssp_side *s, mono_ms now, uint64_t pn);

/* The path changed: reset what was learnt. */
void ssp_side_moved(struct ssp_side *s, mono_ms now);

/* Processes the body of a SIDE frame. */
int ssp_side_read(
    struct ssp_side *s, const uint8_t *body, size_t len) WARN_UNUSED;

/* Returns the next complete message, or NULL; valid until the next frame. */
const uint8_t *ssp_side_take(struct ssp_side *s, size_t *len);

#endif
