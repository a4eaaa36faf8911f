/*
 * ssp/side.h - low-priority messages in the gaps of the link.
 *
 * Purpose:   carries numbered messages beside the object of one direction.
 *            Their parts are sent one at a time, only while nothing else is to
 *            be sent, and grow only while they hardly delay the link.
 * Ownership: embedded in struct ssp_transport; private to ssp/.
 * Units:     milliseconds; bytes.
 * Errors:    -ERR_PEER for parts that do not parse.
 * Source:    our own; LEDBAT (RFC 6817) for judging background traffic by the
 *            delay it causes.
 * Tests:     regress/sim/check_side.c, regress/fuzz/fuzz_ssp_payload.c
 *
 * The datagram identifies the part in flight: its ack confirms the part, its
 * loss repeats it.  There is no timer and no ack for parts, and nothing is
 * repeated while the peer is silent.
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

struct ssp_side {
	/* The message being sent; empty if none. */
	struct buf out;
	uint64_t num;    /* its number, from 1 */
	size_t done;     /* bytes that arrived */
	size_t flying;   /* bytes of the part in flight, or 0 */
	uint64_t pn;     /* its packet number */
	mono_ms sent;    /* its time of sending */
	mono_ms next;    /* earliest time of the next part */
	mono_ms since;   /* last arrival of a part, or start of the message */
	size_t part;     /* current part size */
	unsigned losses; /* losses in a row */
	bool wanted;     /* somebody waits for it: no quiet before a part */

	/* The message being received. */
	struct buf in;
	uint64_t in_num;
	size_t in_total;
	bool whole; /* complete and not taken yet */
};

void ssp_side_init(struct ssp_side *s);
void ssp_side_fini(struct ssp_side *s);

/* Returns whether a message is being sent. */
static inline bool
ssp_side_busy(const struct ssp_side *s)
{
	return s->out.len > 0;
}

/* Copies the next message; false if one is being sent or N is invalid. */
bool ssp_side_put(struct ssp_side *s, mono_ms now, const void *p, size_t n);

/*
 * Returns when a part may be sent, if other traffic ended at TALKED; MONO_NEVER
 * while one is in flight.
 */
mono_ms ssp_side_time(const struct ssp_side *s, mono_ms talked);

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

/* Returns a complete message once, or NULL; valid until the next frame. */
const uint8_t *ssp_side_take(struct ssp_side *s, size_t *len);

#endif
