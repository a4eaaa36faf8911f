/*
 * regress/tools/udp_link.h - one direction of a bad network.
 *
 * Purpose:   decides whether and when a datagram comes out of the link.
 * Ownership: the caller's struct; nothing is allocated.
 * Units:     settings in ms, bytes, shares of 1; times in ns from the start.
 * Errors:    link_set returns false; the settings before the error apply.
 * Tests:     regress/e2e/remote_net.sh
 *
 * All randomness comes from *RNG, which the caller owns.
 */
#ifndef REGRESS_UDP_LINK_H
#define REGRESS_UDP_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "regress/tools/link_queue.h"

#define LINK_CUTS 8
#define LINK_MS 1000000.0 /* ns */

struct link {
	/* settings */
	double delay, jitter, reorder, hold, loss, duplicate;
	double burst, burst_len, rate, queue, bulk, hole, off;
	double cut[LINK_CUTS][2];
	size_t ncut;
	struct link_queue q; /* with a trace, CoDel or a number of packets */
	/* state; times are ns from the start */
	double busy, last_out, bad_until;
	bool bad;
	unsigned long in, in_bytes, out, out_bytes;
	unsigned long lost, overflow, dropped, swallowed, cut_off, duplicated;
};

/* Parses TEXT, "key=value,...": see the head of udp_relay.c. */
bool link_set(struct link *l, const char *text);

/* Returns whether the link loses a datagram that enters now. */
bool link_loses(uint64_t *rng, struct link *l, double now);

/* Returns the time when a datagram of LEN bytes comes out; below 0: never. */
double link_out_time(uint64_t *rng, struct link *l, double now, size_t len);

/* Returns whether packets must go through l->q, and then link_later. */
bool link_queues(struct link *l);

/* Returns when a datagram that left the queue at T arrives. */
double link_later(uint64_t *rng, struct link *l, double t);

/* The next random number: 0 <= x < 1. */
double link_real(uint64_t *rng);

#endif
