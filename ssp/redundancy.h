/*
 * ssp/redundancy.h - how often, and when, a small instruction is repeated.
 *
 * Purpose:   derives from the measured loss how many copies to send, their
 *            spacing, and their byte budget.
 * Units:     milliseconds, bytes; loss is 0..1.
 * Source:    our own, from the calculation in doc/PROTOCOL.md: copies after 5,
 *            15, 35, 75 ms... are as good as others against independent loss
 *            and much better against bursts.
 * Tests:     regress/unit/check_ssp_link.c
 */
#ifndef SSP_REDUNDANCY_H
#define SSP_REDUNDANCY_H

#include <stdbool.h>

#include "base/types.h"

#define SSP_COPIES_MAX 5
#define SSP_COPIES_BUSY 2   /* maximum if the next state includes this one */
#define SSP_COPY_RATE 4000  /* bytes of copies a second */
#define SSP_COPY_BURST 4000 /* bytes of copies accumulated at most */

struct ssp_redundancy {
	uint64_t credit; /* thousandths of a byte */
	mono_ms filled;
};

void ssp_redundancy_init(struct ssp_redundancy *r, mono_ms now);

/*
 * Returns the copies after the first transmission, 0..SSP_COPIES_MAX.
 * In:      loss     estimated loss rate
 *          srtt, rtt_min  a full queue reduces the copies
 */
unsigned ssp_redundancy_copies(double loss, mono_ms srtt, mono_ms rtt_min);

/* Returns whether the queueing delay indicates losses by a full queue. */
bool ssp_redundancy_queue(mono_ms srtt, mono_ms rtt_min);

/*
 * Returns the milliseconds from the first transmission to copy I =
 * 1..SSP_COPIES_MAX; while states follow each other (BUSY) I =
 * 1..SSP_COPIES_BUSY.
 */
mono_ms ssp_redundancy_at(unsigned i, bool busy);

/* Takes N bytes from the budget; false if it has fewer. */
bool ssp_redundancy_spend(struct ssp_redundancy *r, mono_ms now, size_t n);

#endif
