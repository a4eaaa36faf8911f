/*
 * regress/sim/keys.h - how long keys take to be echoed over a lossy link.
 *
 * Purpose:   types keys on a simulated link and measures, for each, the time
 *            until the client has a screen with its effect.
 * Units:     milliseconds in results, microseconds in the configuration.
 * Errors:    `why' is NULL, or the invariant that broke.
 * Source:    the lossy-link experiment of the mosh paper (RTT 100 ms, 29 % of
 *            datagrams lost each way, no prediction).
 * Tests:     regress/sim/check_sim.c, regress/bench/ssp_keys.c
 */
#ifndef REGRESS_KEYS_H
#define REGRESS_KEYS_H

#include "regress/sim/sim.h"

struct ssp_cc_ops;

enum keys_gap {
	KEYS_ISOLATED, /* one at a time, about a second apart */
	KEYS_TYPING,   /* gaps of a human: median 130 ms, pauses */
};

struct keys_cfg {
	unsigned n;
	struct sim_link_cfg link; /* both directions */
	enum keys_gap gap;
	sim_us every; /* instead of GAP: a key each time; 0: no */
	sim_us app;   /* time of the program to echo */
	bool flood;   /* the screen scrolls continuously */
	bool side;    /* the server always has a side message */
	uint32_t cols, rows;
	double late; /* ms beyond the round trip; 0: no key counts as late */
	const struct ssp_cc_ops *cc;
	uint64_t seed;
};

/* Which transmission at last brought a late key, or its echo. */
enum keys_late {
	KEYS_FIRST, /* the first of its state, sent late */
	KEYS_COPY,
	KEYS_TIMEOUT, /* a repetition after a timeout, or a copy of that */
	KEYS_NEXT,    /* the state of a later key, or echo */
	KEYS_LATES
};

struct keys_result {
	double median, mean, sigma, p90, p95, p99, max;
	double up, down; /* datagrams a key */
	double bytes;    /* both ways, with all headers, a key */
	double side;     /* bytes of side messages a second */
	/* keys more than `late' above the round trip: by what lost most time */
	unsigned late_up[KEYS_LATES], late_down[KEYS_LATES];
	double lost_up[KEYS_LATES], lost_down[KEYS_LATES]; /* ms, sums */
	const char *why;
};

void keys_run(const struct keys_cfg *cfg, struct keys_result *res);

/* Returns the microseconds until the next key. */
sim_us keys_gap(enum keys_gap kind, uint64_t *rng);

/* Computes statistics of N times; sorts them. */
void keys_stats(double *ms, unsigned n, struct keys_result *res);

#endif
