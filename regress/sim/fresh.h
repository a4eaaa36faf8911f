/*
 * regress/sim/fresh.h - keys of sessions that have just begun.
 *
 * Purpose:   many short sessions of all of ssp/, each with its handshake, a rest
 *            and some keys, under virtual time: says which keys of a session
 *            wait for what the session does not know yet.
 * Units:     milliseconds of virtual time; bytes with all headers.
 * Errors:    `why' is NULL, or what went wrong.
 * Source:    our own; the same as regress/bench/ssp_real does in real time.
 * Tests:     regress/sim/check_tail.c, regress/bench/ssp_tail.c
 */
#ifndef REGRESS_FRESH_H
#define REGRESS_FRESH_H

#include "regress/sim/keys.h"

struct fresh_cfg {
	unsigned sessions;
	unsigned keys; /* of a session */
	struct sim_link_cfg link;
	enum keys_gap gap;
	sim_us rest; /* between the start and the first key */
	uint64_t seed;
};

/* Groups of keys by their place in a session. */
enum fresh_group {
	FRESH_10, /* the first ten */
	FRESH_20,
	FRESH_50,
	FRESH_REST,
	FRESH_ALL,
	FRESH_GROUPS
};

struct fresh_times {
	struct keys_result all;
	double up, down; /* p99 of the way of the key, and of its echo */
};

struct fresh_result {
	struct fresh_times group[FRESH_GROUPS];
	double start; /* bytes of a session before its first key */
	double bytes; /* of a key, both ways */
	double dgrams;
	double copies; /* of a session */
	const char *why;
};

void fresh_run(const struct fresh_cfg *cfg, struct fresh_result *res);

#endif
