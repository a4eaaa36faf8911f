/*
 * regress/sim/tail.h - what a schedule of copies can do at best.
 *
 * Purpose:   keys and their echoes over a lossy link, each repeated at given
 *            times, with acks that are never lost and take no bytes: the bound
 *            for every schedule of copies, whatever code sends them.
 * Units:     milliseconds of virtual time; shares 0..1.
 * Errors:    none.
 * Source:    our own.
 * Tests:     regress/sim/check_tail.c, regress/bench/ssp_tail.c
 */
#ifndef REGRESS_TAIL_H
#define REGRESS_TAIL_H

#include <stdbool.h>

#include "regress/sim/keys.h"

#define TAIL_COPIES 8

struct tail_cfg {
	unsigned n;   /* keys */
	double rtt;   /* ms */
	double loss;  /* share of datagrams, each way */
	double burst; /* ms, mean length of a burst; 0: none */
	unsigned copies;
	double at[TAIL_COPIES]; /* ms from the first transmission, ascending */
	double again;           /* ms after which the round is repeated */
	enum keys_gap gap;
	uint64_t seed;
};

struct tail_result {
	double median, mean, p95, p99; /* ms */
	double datagrams;              /* a key, both ways, without acks */
};

void tail_run(const struct tail_cfg *cfg, struct tail_result *res);

#endif
