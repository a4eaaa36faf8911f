/*
 * ssp/acktr.h - the packet numbers received, for ACK frames.
 *
 * Purpose:   records the newest packet numbers received in a bitmap and writes
 *            the packet part of ACK frames.
 * Units:     packet numbers.
 * Source:    our own; a bitmap is shorter than ranges if every third datagram
 *            is lost.
 * Tests:     regress/unit/check_ssp_link.c
 *
 * On the wire: varint largest; varint run, the count of received numbers
 * directly below largest; then the bytes of a bitmap of lower numbers, least
 * significant bit first, beginning with largest-run-2 (largest-run-1 was not
 * received).  The ACK leaves numbers below the last bit undecided; without a
 * bitmap, largest-run-1 as well.
 */
#ifndef SSP_ACKTR_H
#define SSP_ACKTR_H

#include <stdbool.h>

#include "base/wire.h"

#define SSP_ACKTR_SPAN 1024     /* numbers remembered */
#define SSP_ACKTR_BITMAP_MAX 64 /* bytes written at most */
#define SSP_ACKTR_REPEAT 6      /* acks that cover each number */

/* Numbers LOW..HIGH; HIGH 0: none. */
struct ssp_acktr_late {
	uint64_t low;
	uint64_t high;
};

struct ssp_acktr {
	bool any;
	uint64_t largest;
	uint64_t seen[SSP_ACKTR_SPAN / 64]; /* ring of bits, by number */
	uint64_t told[SSP_ACKTR_REPEAT];    /* largest of the last acks */
	unsigned ntold;
	/* What came behind higher numbers: since the last ack, and before. */
	struct ssp_acktr_late late[SSP_ACKTR_REPEAT];
};

void ssp_acktr_init(struct ssp_acktr *t);

/* Records PN; false if it is known or too old to know. */
bool ssp_acktr_add(struct ssp_acktr *t, uint64_t pn);

/* Writes the packet part of an ACK frame using at most MAX bytes of bitmap. */
void ssp_acktr_put(struct ssp_acktr *t, struct wr *w, size_t max);

/*
 * Writes the packet part of one more ACK frame, before the usual one: of numbers
 * that came so late, by a slower path, that the usual one does not reach them.
 * False: there are none.
 */
bool ssp_acktr_put_late(const struct ssp_acktr *t, struct wr *w, size_t max);

/* The packet part of a received ACK frame. */
struct ssp_ack {
	uint64_t largest;
	uint64_t run;
	const uint8_t *bitmap;
	size_t len;
};

/* Reads the packet part; the bitmap is the rest of R. */
int ssp_ack_get(struct ssp_ack *a, struct rd *r);

enum ssp_ack_said {
	SSP_ACK_UNKNOWN,
	SSP_ACK_YES,
	SSP_ACK_NO
};

/* Returns whether A reports PN as received. */
enum ssp_ack_said ssp_ack_says(const struct ssp_ack *a, uint64_t pn);

#endif
