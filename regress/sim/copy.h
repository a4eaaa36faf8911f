/*
 * regress/sim/copy.h - a bulk copy by a stream, and keys beside it.
 *
 * Purpose:   how much of a simulated link a copy from the server to the client
 *            uses, and what keys take meanwhile.
 * Ownership: plain values; the link's traces are borrowed.
 * Units:     kbit/s, milliseconds.
 * Errors:    a broken invariant is named in `why'.
 * Source:    our own.  `self95' is the metric of regress/sim/cell.h.
 * Tests:     regress/sim/check_streams.c, regress/sim/check_pace.c
 */
#ifndef REGRESS_COPY_H
#define REGRESS_COPY_H

#include "regress/sim/stack.h"

struct copy_cfg {
	struct sim_link_cfg up, down; /* client to server, and back */
	const struct ssp_cc_ops *cc;  /* of both; NULL: as chosen */
	bool paces;                   /* the ends choose */
	enum ssp_pacing pace[2];
	const struct ssp_sprout_tab *sprout;
	uint64_t size;    /* bytes of the copy; 0: until the time is over */
	unsigned streams; /* that share it; 0: one */
	unsigned skip;    /* seconds of copying before the measurement */
	unsigned seconds; /* measured, at most */
	bool idle;        /* no copy: keys alone */
	uint64_t seed;    /* of the link's losses; 0: 1 */
};

struct copy_result {
	double kbits;  /* of the copied bytes */
	double took;   /* seconds measured */
	double median; /* of a key's answer */
	double p95, p99;
	unsigned keys;
	double lost;      /* share of the datagrams to the client */
	double delay95;   /* age of the newest datagram delivered */
	char tell[2][96]; /* how each end paces */
	const char *why;
};

void copy_run(const struct copy_cfg *cfg, struct copy_result *res);

#endif
