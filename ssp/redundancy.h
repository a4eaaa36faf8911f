/*
 * ssp/redundancy.h - how often a small instruction is repeated, and when.
 *
 * Purpose:   from the measured loss: how many copies, their spacing, and the
 *            budget of bytes that they may use.
 * Units:     milliseconds, bytes; loss is a share of one.
 * Source:    our own, after the arithmetic of doc/PROTOCOL.md: copies that
 *            are spread by 5, 15, 35, 75 ms... do as well as others against
 *            independent loss and much better against bursts.
 * Tests:     regress/unit/check_ssp_link.c
 */
#ifndef SSP_REDUNDANCY_H
#define SSP_REDUNDANCY_H

#include <stdbool.h>

#include "base/types.h"

#define SSP_COPIES_MAX 5
#define SSP_COPIES_BUSY 2   /* at most, where the next state carries this one */
#define SSP_COPY_RATE 4000  /* bytes of copies a second */
#define SSP_COPY_BURST 4000 /* bytes of copies saved up */

struct ssp_redundancy {
	uint64_t credit; /* thousandths of a byte */
	mono_ms filled;
};

void ssp_redundancy_init(struct ssp_redundancy *r, mono_ms now);

/*
 * Copies after the first transmission, 0..SSP_COPIES_MAX.
 * In:      loss     estimated share of datagrams lost
 *          srtt, rtt_min  loss that comes with a full queue gets no copies
 */
unsigned ssp_redundancy_copies(double loss, mono_ms srtt, mono_ms rtt_min);

/* Queueing that says that the losses are a full queue's. */
bool ssp_redundancy_queue(mono_ms srtt, mono_ms rtt_min);

/*
 * Milliseconds from the first transmission to copy I = 1..SSP_COPIES_MAX; where
 * states follow each other (BUSY) I = 1..SSP_COPIES_BUSY.
 */
mono_ms ssp_redundancy_at(unsigned i, bool busy);

/* Takes N bytes from the budget; false if there are not so many. */
bool ssp_redundancy_spend(struct ssp_redundancy *r, mono_ms now, size_t n);

#endif
