/*
 * ssp/redundancy.h - how often, and when, a small instruction is repeated.
 *
 * Purpose:   derives from the measured loss how many copies to send, their
 *            spacing, and their byte budget.
 * Units:     milliseconds, bytes; loss is 0..1.
 * Source:    our own, by simulation (regress/bench/ssp_tail).  Independent
 *            losses ask for copies close together, bursts for copies apart; the
 *            fates of datagrams tell which of them a link has.
 * Tests:     regress/unit/check_ssp_link.c, regress/sim/check_tail.c
 */
#ifndef SSP_REDUNDANCY_H
#define SSP_REDUNDANCY_H

#include <stdbool.h>

#include "base/types.h"

#define SSP_COPIES_MAX 5
#define SSP_COPY_RATE 4000  /* bytes of copies a second */
#define SSP_COPY_BURST 4000 /* bytes of copies accumulated at most */

/* How states follow each other. */
enum ssp_pace {
	SSP_PACE_ALONE,
	SSP_PACE_RUN,  /* the next state includes this one */
	SSP_PACE_FAST, /* the next one comes before a timeout */
	SSP_PACES
};

/* The times of copies, in ms from the first transmission, ascending. */
struct ssp_schedule {
	unsigned n;
	mono_ms at[SSP_COPIES_MAX];
};

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
 * Returns the schedule of a state.
 * In:      bunched  losses come in bursts
 *          again    the first round is over: a timeout has repeated the state
 */
const struct ssp_schedule *ssp_redundancy_schedule(
    enum ssp_pace pace, bool bunched, bool again);

/* Returns the schedule of a state alone on a link with bursts. */
const struct ssp_schedule *ssp_redundancy_spread(void);

/* Returns the milliseconds from the first transmission to copy I = 1..n. */
mono_ms ssp_redundancy_at(const struct ssp_schedule *s, unsigned i);

/* Takes N bytes from the budget; false if it has fewer. */
bool ssp_redundancy_spend(struct ssp_redundancy *r, mono_ms now, size_t n);

#endif
