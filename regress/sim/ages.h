/*
 * regress/sim/ages.h - how old is what the other end knows?
 *
 * Purpose:   the metric of the Sprout paper: at each instant the age of the
 *            newest-sent datagram already delivered; percentiles over time.
 * Ownership: ages_init/ages_fini.
 * Units:     microseconds; milliseconds for the result.
 * Source:    Winstein, Sivaraman, Balakrishnan (NSDI 2013), section 5.1.
 * Tests:     regress/sim/check_pace.c
 */
#ifndef REGRESS_AGES_H
#define REGRESS_AGES_H

#include <stdint.h>

/* Time spent at each age of the newest datagram delivered. */
struct ages {
	uint64_t from, to; /* counted between */
	uint64_t newest;   /* latest send time among delivered datagrams */
	uint64_t seen;     /* end of the counted ages */
	double *age;       /* microseconds at each ms of age */
};

void ages_init(struct ages *a, uint64_t from, uint64_t to);

/* A datagram sent at SENT arrives. */
void ages_see(struct ages *a, uint64_t sent, uint64_t now);

/* Returns the age in ms below which SHARE of the time passed; frees. */
double ages_fini(struct ages *a, double share);

#endif
