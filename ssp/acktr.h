/*
 * ssp/acktr.h - which packet numbers arrived, for telling the sender.
 *
 * Purpose:   keeps a bitmap of the newest packet numbers and writes what an
 *            ACK frame says of them.
 * Units:     packet numbers.
 * Source:    our own; a bitmap is shorter than ranges where every third
 *            datagram is lost.
 * Tests:     regress/unit/check_ssp_link.c
 *
 * On the wire: varint largest; varint run, how many numbers directly below it
 * arrived too; then bytes of a bitmap of the numbers below that, least
 * significant bit first, beginning with largest-run-2 (largest-run-1 did not
 * arrive).  Nothing is said of what lies below the last bit; if there is no
 * bitmap, nothing is said of largest-run-1 either.
 */
#ifndef SSP_ACKTR_H
#define SSP_ACKTR_H

#include <stdbool.h>

#include "base/wire.h"

#define SSP_ACKTR_SPAN 1024     /* numbers remembered */
#define SSP_ACKTR_BITMAP_MAX 64 /* bytes written at most */
#define SSP_ACKTR_REPEAT 6      /* acks in which a number is spoken of */

struct ssp_acktr {
	bool any;
	uint64_t largest;
	uint64_t seen[SSP_ACKTR_SPAN / 64]; /* ring of bits, by number */
	uint64_t told[SSP_ACKTR_REPEAT];    /* largest at the last acks */
	unsigned ntold;
};

void ssp_acktr_init(struct ssp_acktr *t);

/* Returns false if PN was known or is older than what is remembered. */
bool ssp_acktr_add(struct ssp_acktr *t, uint64_t pn);

/* Writes the packet part of an ACK frame using at most MAX bytes of bitmap. */
void ssp_acktr_put(struct ssp_acktr *t, struct wr *w, size_t max);

/* What the peer's ACK frame says. */
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

/* What A says of PN. */
enum ssp_ack_said ssp_ack_says(const struct ssp_ack *a, uint64_t pn);

#endif
