/*
 * Large frames under loss (mosh #832: 475x125 cells redrawn over a lossy link
 * never finish).  All cells change at once, to random text: about 50 kB packed,
 * some fifty datagrams.  $UNIT_SEED repeats one life.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "regress/sim/pair.h"
#include "regress/sim/stack.h"
#include "regress/unit/unit.h"
#include "ssp/compress.h"

#define LARGE_LIVES 250
#define LARGE_STACK 40
#define LARGE_RTT 100
#define LARGE_KEYS 40 /* keys typed before, to measure round trip and loss */

/* clang-format off */
static const struct {
	const char *name;
	double loss, burst;
	double max, mean; /* milliseconds */
	double bytes;     /* maximum ratio to the bytes without loss */
} large[] = {
	{ "no loss", 0,   0,  100, 100, 1    },
	{ "2 %",    .02,  0,  400, 140, 1.15 },
	{ "5 %",    .05,  0,  400, 120, 1.25 },
	{ "29 %",   .29,  0,  400, 125, 2    },
	{ "45 %",   .45,  0,  400, 150, 2.7  },
	/* A burst may outlast everything: limit only the share. */
	{ "29 % in bursts", 0, .29, 1500, 250, 3 },
};
/* clang-format on */

#define LARGE_CLEAN_BYTES 53500 /* the frame and its acks */

static void
large_link(struct sim_link_cfg *l, int i)
{
	*l = (struct sim_link_cfg){ .delay = LARGE_RTT / 2 * SIM_MS,
		.loss = large[i].loss,
		.burst = large[i].burst,
		.burst_len = large[i].burst > 0 ? 60 * SIM_MS : 0 };
}

/* Returns the milliseconds until a frame with all cells changed is complete. */
static double
large_life(uint64_t seed, const struct sim_link_cfg *link, double *bytes)
{
	struct pair_cfg cfg = { .cols = 475, .rows = 125 };
	uint64_t rng = seed, before;
	struct pair p;
	sim_us start;
	unsigned i;

	cfg.zip = ssp_zip_new();
	pair_init(&p, &cfg, seed);
	sim_links(&p.sim, link);
	for (i = 0; i < LARGE_KEYS; i++) {
		toy_log_add(pair_log(&p), "x", 1);
		pair_kick(&p, 0);
		sim_run(&p.sim, p.sim.now + 150 * SIM_MS);
	}
	start = p.sim.now + 2 * SIM_S;
	sim_run(&p.sim, start);
	before = p.end[0].bytes + p.end[1].bytes;
	toy_screen_fill(pair_screen(&p), &rng);
	pair_kick(&p, 1);
	while (!pair_equal(&p) && sim_step(&p.sim, start + 60 * (sim_us)SIM_S))
		;
	*bytes += (double)(p.end[0].bytes + p.end[1].bytes - before);
	ck_assert_msg(p.broken == 0 && pair_equal(&p), "UNIT_SEED=%llu: %s",
	    (unsigned long long)seed, p.why != NULL ? p.why : "never equal");
	start = p.sim.now - start;
	pair_fini(&p);
	ssp_zip_free(cfg.zip);
	return (double)start / SIM_MS;
}

static int
large_order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

START_TEST(complete_within_four_round_trips)
{
	double ms[LARGE_LIVES], sum = 0, bytes = 0;
	unsigned i, n = LARGE_LIVES;
	uint64_t seed = unit_seed(0);
	struct sim_link_cfg link;

	large_link(&link, _i);
	if (seed != 0)
		n = 1;
	for (i = 0; i < n; i++) {
		ms[i] = large_life(seed + i + (seed == 0), &link, &bytes);
		sum += ms[i];
		ck_assert_msg(ms[i] <= large[_i].max,
		    "%s: UNIT_SEED=%llu took %.0f ms", large[_i].name,
		    (unsigned long long)(seed + i + (seed == 0)), ms[i]);
	}
	qsort(ms, n, sizeof *ms, large_order);
	bytes /= n;
	printf("# large frame, %s: mean %.0f median %.0f p99 %.0f max %.0f ms, "
	       "%.0f bytes\n",
	    large[_i].name, sum / n, ms[n / 2], ms[n * 99 / 100], ms[n - 1],
	    bytes);
	if (n == 1)
		return;
	ck_assert_double_le(sum / n, large[_i].mean);
	ck_assert_double_le(bytes, LARGE_CLEAN_BYTES * large[_i].bytes * 1.02);
}
END_TEST

/* The same with handshake, sealing and path MTU search. */
START_TEST(complete_within_four_round_trips_of_the_whole_stack)
{
	struct stack_cfg cfg = { .cols = 475, .rows = 125 };
	struct stack *s = mem_zalloc(sizeof *s);
	struct sim_link_cfg link;
	double max = 0, ms;
	unsigned i, k;
	sim_us start;

	large_link(&link, _i);
	for (i = 0; i < LARGE_STACK; i++) {
		stack_init(s, &cfg, i + 1);
		sim_links(&s->sim, &link);
		stack_pump(&s->end[0]);
		stack_pump(&s->end[1]);
		for (k = 0; k < LARGE_KEYS; k++) {
			toy_log_add(stack_log(s), "x", 1);
			stack_kick(s, 0);
			stack_run(s, s->sim.now + 150 * SIM_MS);
		}
		start = s->sim.now;
		toy_screen_fill(stack_screen(s), &s->rng);
		stack_kick(s, 1);
		ck_assert_msg(stack_settle(s, start + 60 * (sim_us)SIM_S),
		    "seed %u: %s", i + 1, s->why != NULL ? s->why : "stuck");
		ms = (double)(s->sim.now - start) / SIM_MS;
		max = MAX_OF(max, ms);
		ck_assert_msg(ms <= large[_i].max, "%s: seed %u took %.0f ms",
		    large[_i].name, i + 1, ms);
		stack_fini(s);
	}
	printf("# large frame, whole stack, %s: max %.0f ms\n", large[_i].name,
	    max);
	mem_free(s);
}
END_TEST

UNIT_SUITE(large)
{
	Suite *s = suite_create("large");
	TCase *tc = tcase_create("frames");
	int n = (int)ARRAY_LEN(large);

	tcase_set_timeout(tc, 240);
	tcase_add_loop_test(tc, complete_within_four_round_trips, 0, n);
	tcase_add_loop_test(
	    tc, complete_within_four_round_trips_of_the_whole_stack, 0, n);
	suite_add_tcase(s, tc);
	return s;
}
