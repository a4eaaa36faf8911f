/*
 * Streams of bytes over simulated links: how much of the link they use, and
 * what keys take meanwhile.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/compiler.h"
#include "regress/sim/copy.h"
#include "regress/unit/unit.h"

/* clang-format off */
static const struct row {
	const char *name;
	uint64_t rate; /* bytes a second */
	unsigned rtt, queue; /* ms */
	double loss;
	double size;   /* MB */
	double share;  /* of the rate, at least */
	double median, p99; /* ms of a key beyond the round trip */
	double lost;   /* of the datagrams, beyond LOSS */
	unsigned streams;
} rows[] = {
	{ "100 Mbit/s, 40 ms",         12500000,  40, 40, 0,    60, .90, 40, 60, .01, 1 },
	{ "100 Mbit/s, 40 ms, 0.1 %",  12500000,  40, 40, .001, 60, .86, 40, 60, .02, 1 },
	{ "100 Mbit/s, 40 ms, 1 %",    12500000,  40, 40, .01,  60, .84, 40, 60, .02, 1 },
	{ "100 Mbit/s, 40 ms, 5 %",    12500000,  40, 40, .05,  60, .83, 40, 60, .02, 1 },
	{ "20 Mbit/s, 100 ms",          2500000, 100, 100, 0,   15, .86, 50, 80, .01, 1 },
	{ "1 Gbit/s, 100 ms",         125000000, 100, 40, 0,   300, .60, 40, 60, .01, 1 },
	{ "1 Gbit/s, no delay",       125000000,   0, 10, 0,    60, .60, 40, 60, .15, 1 },
	{ "5 Mbit/s, 60 ms, 5 s queue",  625000,  60, 5000, 0,   6, .90, 50, 80, .01, 1 },
	{ "20 Mbit/s, 40 ms, 2 ms queue", 2500000, 40, 2, 0,    15, .26, 40, 60, .32, 1 },
	{ "20 Mbit/s, 40 ms, 5 ms queue", 2500000, 40, 5, 0,    15, .75, 40, 60, .16, 1 },
	{ "20 Mbit/s, 40 ms, 10 ms queue", 2500000, 40, 10, 0,  15, .85, 40, 60, .07, 1 },
	{ "20 Mbit/s, 40 ms, 25 ms queue", 2500000, 40, 25, 0,  15, .85, 40, 60, .02, 1 },
	{ "20 Mbit/s, 40 ms, 30 ms queue", 2500000, 40, 30, 0,  15, .85, 40, 60, .02, 1 },
	{ "1 Mbit/s, 200 ms, 2 s queue", 125000, 200, 2000, 0,   2, .90, 60, 80, .01, 1 },
	{ "50 streams, 100 Mbit/s, 40 ms", 12500000, 40, 40, 0, 60, .88, 40, 60, .02, 50 },
	{ "50 streams, 100 Mbit/s, 40 ms, 2 s", 12500000, 40, 40, 0, 25, .87, 40, 60, .03, 50 },
	{ "50 streams, 1 Gbit/s, 100 ms", 125000000, 100, 40, 0, 300, .55, 40, 60, .01, 50 },
	{ "50 streams, 1 Gbit/s, no delay", 125000000, 0, 10, 0, 60, .60, 40, 60, .24, 50 },
	{ "50 streams, 5 Mbit/s, 60 ms, 5 s queue", 625000, 60, 5000, 0, 6, .90, 50, 80, .01, 50 },
};
/* clang-format on */

/* Copies over a link; other SEEDs lose other datagrams. */
static void
copies(const struct row *r, uint64_t seed)
{
	struct copy_cfg cfg = { .size = (uint64_t)(r->size * 1e6),
		.streams = r->streams,
		.seconds = 300,
		.seed = seed };
	struct copy_result got;
	double share, median, p99;

	cfg.up.delay = r->rtt / 2 * SIM_MS;
	cfg.up.loss = r->loss;
	cfg.up.rate = r->rate;
	cfg.up.queue = (size_t)(r->rate * r->queue / 1000);
	cfg.down = cfg.up;
	copy_run(&cfg, &got);
	ck_assert_ptr_null(got.why);
	share = (double)cfg.size / got.took / (double)r->rate;
	median = got.median - r->rtt;
	p99 = got.p99 - r->rtt;
	printf("# copy, %s: %.2f of the link, keys +%.0f median, +%.0f p99 ms "
	       "(%u), %.3f lost\n",
	    r->name, share, median, p99, got.keys, got.lost);
	if (getenv("STREAMS_LOOK") != NULL)
		return;
	ck_assert_double_ge(share, r->share);
	ck_assert_double_le(median, r->median);
	ck_assert_double_le(p99, r->p99);
	ck_assert_double_le(got.lost, r->loss + r->lost);
}

START_TEST(a_copy_fills_the_link_and_keys_pass)
{
	const struct row *r = &rows[_i];
	uint64_t seed;

	for (seed = 1; seed <= (r->loss > 0 ? 4 : 1); seed++)
		copies(r, seed);
}
END_TEST

UNIT_SUITE(streams)
{
	Suite *s = suite_create("sim/streams");
	TCase *tc = tcase_create("copies");

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(
	    tc, a_copy_fills_the_link_and_keys_pass, 0, (int)ARRAY_LEN(rows));
	suite_add_tcase(s, tc);
	return s;
}
