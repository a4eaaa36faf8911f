/*
 * regress/sim/random.h - scenarios made from a seed.
 *
 * Purpose:   a random network, random clocks and random work for two
 *            transports; checks the invariants at every step.
 * Units:     seeds.
 * Errors:    the reason of a failure, or NULL.
 * Tests:     regress/sim/check_sim.c
 */
#ifndef REGRESS_RANDOM_H
#define REGRESS_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct ssp_zip;
struct ssp_sprout_tab;

struct random_totals {
	uint64_t datagrams;
	uint64_t states;
	uint64_t repairs;
	uint64_t copies;
	uint64_t mismatches;
	double seconds; /* virtual */
};

/* Runs the scenario of SEED; VERBOSE describes it. */
const char *random_run(uint64_t seed, struct ssp_zip *zip,
    const struct ssp_sprout_tab *sprout, bool verbose,
    struct random_totals *sum);

#endif
