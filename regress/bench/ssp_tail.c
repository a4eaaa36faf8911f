/*
 * ssp_tail [-n keys] [-f sessions] [-s seed] - the last tail of keys on lossy
 * links, under virtual time: the same numbers in each run.
 *
 * First a curve: what copies at given times can do at best, by the model of
 * regress/sim/tail.h, against datagrams a key.  A star marks a schedule that no
 * other one beats in both datagrams and p99.  Then ssp/ on the same links, and
 * for its late keys which transmission ended the wait, and how long that was.
 * Last, short sessions: the tail of the first keys of a session, which does not
 * know its link yet.  -f: only those.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/compiler.h"
#include "regress/sim/fresh.h"
#include "regress/sim/keys.h"
#include "regress/sim/tail.h"

#define RTT 100.0   /* ms */
#define AGAIN 115.0 /* ms: a timeout */
#define LATE 50.0   /* ms beyond the round trip */
#define SCHEDULES ARRAY_LEN(schedules)

static const struct {
	const char *name;
	double loss, burst;
} links[] = {
	{ "5 %", .05, 0 },
	{ "29 %", .29, 0 },
	{ "29 % in bursts", .29, 60 },
};

static const struct {
	const char *name;
	enum keys_gap gap;
	double every; /* ms; 0: by GAP */
} typists[] = {
	{ "alone", KEYS_ISOLATED, 0 },
	{ "typing", KEYS_TYPING, 0 },
	{ "every 100 ms", KEYS_TYPING, 100 },
	{ "every 300 ms", KEYS_TYPING, 300 },
};

static const struct {
	const char *name;
	unsigned n;
	double at[TAIL_COPIES];
} schedules[] = {
	{ "none", 0, { 0 } },
	{ "1", 1, { 1 } },
	{ "1 4", 2, { 1, 4 } },
	{ "1 4 9", 3, { 1, 4, 9 } },
	{ "1 4 9 16", 4, { 1, 4, 9, 16 } },
	{ "1 4 9 16 25", 5, { 1, 4, 9, 16, 25 } },
	{ "1 2 3 4 5 6 7", 7, { 1, 2, 3, 4, 5, 6, 7 } },
	{ "5 25", 2, { 5, 25 } },
	{ "5 15 35 75", 4, { 5, 15, 35, 75 } },
	{ "5 20 45 80", 4, { 5, 20, 45, 80 } },
	{ "10 40", 2, { 10, 40 } },
	{ "10 40 80", 3, { 10, 40, 80 } },
	{ "20 40 60 80", 4, { 20, 40, 60, 80 } },
	{ "30 60 90", 3, { 30, 60, 90 } },
	{ "50", 1, { 50 } },
	{ "10 20 30 40 50 60 70 80", 8, { 10, 20, 30, 40, 50, 60, 70, 80 } },
};

#define FRESH_KEYS 120u

static const struct {
	const char *name;
	double loss, burst;
	enum keys_gap gap;
} fresh_rows[] = {
	{ "clean", 0, 0, KEYS_ISOLATED },
	{ "2 %", .02, 0, KEYS_ISOLATED },
	{ "5 %", .05, 0, KEYS_ISOLATED },
	{ "10 %", .10, 0, KEYS_ISOLATED },
	{ "29 %", .29, 0, KEYS_ISOLATED },
	{ "29 % in bursts", .29, 60, KEYS_ISOLATED },
	{ "clean, typing", 0, 0, KEYS_TYPING },
	{ "5 %, typing", .05, 0, KEYS_TYPING },
	{ "29 %, typing", .29, 0, KEYS_TYPING },
	{ "29 % in bursts, typing", .29, 60, KEYS_TYPING },
};

static unsigned keys = 20000, sessions = 50;
static uint64_t seed = 1;

static void
curve(size_t link, size_t typist)
{
	struct tail_result r[SCHEDULES];
	struct tail_cfg c = { .n = keys,
		.rtt = RTT,
		.loss = links[link].loss,
		.burst = links[link].burst,
		.again = AGAIN,
		.gap = typists[typist].gap,
		.seed = seed };
	bool beaten;
	size_t i, k;

	for (i = 0; i < SCHEDULES; i++) {
		c.copies = schedules[i].n;
		for (k = 0; k < c.copies; k++)
			c.at[k] = schedules[i].at[k];
		tail_run(&c, &r[i]);
	}
	printf("\n%s, %s: at best\n%-25s %7s %7s %7s %7s %7s\n",
	    links[link].name, typists[typist].name, "copies after, ms",
	    "median", "mean", "p95", "p99", "dgrams");
	for (i = 0; i < SCHEDULES; i++) {
		for (k = 0, beaten = false; k < SCHEDULES; k++)
			beaten |= r[k].p99 < r[i].p99 &&
				  r[k].datagrams <= r[i].datagrams;
		printf("%-25s %7.1f %7.1f %7.1f %7.1f %7.2f%s\n",
		    schedules[i].name, r[i].median, r[i].mean, r[i].p95,
		    r[i].p99, r[i].datagrams, beaten ? "" : " *");
	}
}

static void
late(const char *what, const unsigned *n, const double *ms)
{
	static const char *const names[KEYS_LATES] = {
		[KEYS_FIRST] = "sent late",
		[KEYS_COPY] = "a copy",
		[KEYS_TIMEOUT] = "a timeout",
		[KEYS_NEXT] = "the next one",
	};
	unsigned i;

	for (i = 0; i < KEYS_LATES; i++)
		if (n[i] > 0)
			printf("    %5.2f %% of the keys: the %s was lost; %s "
			       "came after %.0f ms\n",
			    n[i] * 100.0 / keys, what, names[i], ms[i] / n[i]);
}

static bool
stack(size_t link, size_t typist)
{
	struct keys_cfg c = { .n = keys,
		.gap = typists[typist].gap,
		.every = (sim_us)(typists[typist].every * SIM_MS),
		.late = LATE,
		.seed = seed };
	struct keys_result r;

	c.link.delay = (sim_us)(RTT * SIM_MS / 2);
	if (links[link].burst > 0) {
		c.link.burst = links[link].loss;
		c.link.burst_len = (sim_us)(links[link].burst * SIM_MS);
	} else {
		c.link.loss = links[link].loss;
	}
	keys_run(&c, &r);
	printf("%-15s %-13s %7.1f %7.1f %7.1f %7.1f %7.2f %7.2f %7.0f%s\n",
	    links[link].name, typists[typist].name, r.median, r.mean, r.p95,
	    r.p99, r.up, r.down, r.bytes, r.why != NULL ? r.why : "");
	late("key", r.late_up, r.lost_up);
	late("echo", r.late_down, r.lost_down);
	return r.why == NULL;
}

/* Short sessions on link I; the columns are p99 by the place of the key. */
static bool
fresh(size_t i)
{
	struct fresh_cfg c = { .sessions = sessions,
		.keys = FRESH_KEYS,
		.gap = fresh_rows[i].gap,
		.rest = 3 * SIM_S,
		.seed = seed };
	struct fresh_result r;
	const struct keys_result *all = &r.group[FRESH_ALL].all;
	unsigned g;

	c.link.delay = (sim_us)(RTT * SIM_MS / 2);
	if (fresh_rows[i].burst > 0) {
		c.link.burst = fresh_rows[i].loss;
		c.link.burst_len = (sim_us)(fresh_rows[i].burst * SIM_MS);
	} else {
		c.link.loss = fresh_rows[i].loss;
	}
	fresh_run(&c, &r);
	printf("%-22s %7.1f %6.1f %6.1f %6.1f", fresh_rows[i].name, all->median,
	    all->mean, all->p95, all->p99);
	for (g = 0; g < FRESH_ALL; g++)
		printf(" %6.1f", r.group[g].all.p99);
	printf("  %4.0f/%-4.0f %6.2f %6.0f %6.0f %s\n", r.group[FRESH_10].up,
	    r.group[FRESH_10].down, r.dgrams, r.bytes, r.start,
	    r.why != NULL ? r.why : "");
	return r.why == NULL;
}

int
main(int argc, char **argv)
{
	bool good = true, only = false;
	size_t i, k;
	int c;

	while ((c = getopt(argc, argv, "f:n:s:")) != -1)
		switch (c) {
		case 'f':
			sessions = (unsigned)strtoul(optarg, NULL, 10);
			only = true;
			break;
		case 'n':
			keys = (unsigned)strtoul(optarg, NULL, 10);
			break;
		case 's':
			seed = strtoull(optarg, NULL, 10);
			break;
		default:
			return 2;
		}
	if (keys == 0 || sessions == 0)
		return 2;
	printf("round trip %.0f ms, %u keys\n", RTT, keys);
	for (i = 0; i < ARRAY_LEN(links) && !only; i++)
		for (k = 0; k < 2; k++)
			curve(i, k);
	if (!only)
		printf("\nssp/\n%-15s %-13s %7s %7s %7s %7s %7s %7s %7s\n", "",
		    "", "median", "mean", "p95", "p99", "up", "down", "bytes");
	for (i = 0; i < ARRAY_LEN(links) && !only; i++)
		for (k = 0; k < ARRAY_LEN(typists); k++)
			good &= stack(i, k);
	printf(
	    "\n%u sessions of %u keys; p99 of keys 1-10, -20, -50 and later, "
	    "of the first ten up/down\n%-22s %7s %6s %6s %6s %6s %6s %6s %6s"
	    "  %9s %6s %6s %6s\n",
	    sessions, FRESH_KEYS, "", "median", "mean", "p95", "p99", "-10",
	    "-20", "-50", "later", "up/down", "dgrams", "bytes", "start");
	for (i = 0; i < ARRAY_LEN(fresh_rows); i++)
		good &= fresh(i);
	return good ? 0 : 1;
}
