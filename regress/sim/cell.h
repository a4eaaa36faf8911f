/*
 * regress/sim/cell.h - a bulk object over a recorded cellular link.
 *
 * Purpose:   throughput and self-inflicted delay of a congestion personality
 *            on a trace of delivery opportunities.
 * Ownership: cell_trace_load allocates (mem_free); plain values otherwise.
 * Units:     kbit/s, milliseconds.
 * Errors:    cell_trace_load returns NULL if there is nothing to read.
 * Source:    the metric of the Sprout paper: at each instant the age of the
 *            newest-sent datagram already delivered; its 95th percentile over
 *            time, less the same for a sender that knows the link.
 * Tests:     regress/sim/check_cell.c, regress/bench/ssp_cell.c
 */
#ifndef REGRESS_CELL_H
#define REGRESS_CELL_H

#include "regress/sim/ages.h"
#include "regress/sim/sim.h"

struct ssp_cc_ops;
struct ssp_sprout_tab;

struct cell_cfg {
	const uint32_t *trace; /* of the direction measured */
	size_t ntrace;
	const uint32_t *back; /* of the other direction; NULL: no limit */
	size_t nback;
	sim_us delay; /* one way */
	double loss;
	unsigned seconds; /* measured */
	unsigned skip;    /* seconds before the measurement */
	const struct ssp_cc_ops *cc;
	const struct ssp_sprout_tab *sprout;
};

struct cell_result {
	double kbits;        /* delivered a second */
	double capacity;     /* kbit/s that the link offered */
	double delay95;      /* ms, with propagation */
	double omniscient95; /* the same for a perfect sender */
	double self95;       /* the difference */
	double frames;       /* new screens a second at the client */
	double key95;        /* ms from a key to its echo, 95th percentile */
	const char *why;
};

/*
 * Returns the 95th percentile of a sender that knows the link: the age is the
 * gap between chances plus the delay.  *BITS: what the link offered.
 */
double cell_perfect(
    const struct cell_cfg *cfg, sim_us from, sim_us to, double *bits);

void cell_run(const struct cell_cfg *cfg, struct cell_result *res);

/* Reads a trace: one number of milliseconds a line. */
uint32_t *cell_trace_load(const char *path, size_t *n);

/*
 * Makes a trace of SECONDS with a rate between LO and HI opportunities a second
 * and occasional outages (for tests without recordings).
 */
uint32_t *cell_trace_make(
    uint64_t seed, unsigned seconds, double lo, double hi, size_t *n);

#endif
