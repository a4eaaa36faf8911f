/*
 * How bulk is paced: what the users choose reaches both ends, auto tells links
 * apart, and keys pass a copy on a link whose rate varies.
 */
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "regress/sim/cell.h"
#include "regress/sim/copy.h"
#include "regress/unit/unit.h"
#include "ssp/cc.h"
#include "ssp/sprout.h"

#define NONE SSP_PACING_NONE

static void
link_of(struct copy_cfg *cfg, uint64_t rate, unsigned rtt, unsigned queue)
{
	cfg->down.delay = rtt / 2 * SIM_MS;
	cfg->down.rate = rate;
	cfg->down.queue = (size_t)(rate * queue / 1000);
	cfg->up = cfg->down;
}

/* clang-format off */
static const struct choice {
	enum ssp_pacing client, server;
	const char *tell; /* at both ends, at its beginning */
} choices[] = {
	{ NONE, NONE, "auto: " },
	{ NONE, SSP_PACING_REMY, "remy" },
	{ NONE, SSP_PACING_SPROUT, "sprout" },
	{ NONE, SSP_PACING_AUTO, "auto: " },
	{ SSP_PACING_SPROUT, NONE, "sprout" },
	{ SSP_PACING_MOSH, SSP_PACING_SPROUT, "mosh" },
	{ SSP_PACING_WINDOW, SSP_PACING_REMY, "window" },
	{ SSP_PACING_AUTO, SSP_PACING_REMY, "auto: " },
	{ SSP_PACING_FOLLOW, SSP_PACING_AUTO, "follow" },
};
/* clang-format on */

START_TEST(a_choice_reaches_both_ends)
{
	const struct choice *k = &choices[_i];
	struct ssp_sprout_tab *tab = ssp_sprout_tab_new();
	struct copy_cfg cfg = { .seconds = 4,
		.paces = true,
		.pace = { k->client, k->server },
		.sprout = tab };
	struct copy_result r;
	unsigned i;

	link_of(&cfg, 500000, 40, 100);
	copy_run(&cfg, &r);
	ssp_sprout_tab_free(tab);
	ck_assert_ptr_null(r.why);
	for (i = 0; i < 2; i++)
		ck_assert_msg(strncmp(r.tell[i], k->tell, strlen(k->tell)) == 0,
		    "end %u: %s, not %s", i, r.tell[i], k->tell);
	/* Each of them carries the copy. */
	ck_assert_double_ge(r.kbits, 1000);
}
END_TEST

START_TEST(sprout_without_tables_is_auto)
{
	struct copy_cfg cfg = {
		.seconds = 4, .paces = true, .pace = { SSP_PACING_SPROUT, NONE }
	};
	struct copy_result r;

	link_of(&cfg, 500000, 40, 100);
	copy_run(&cfg, &r);
	ck_assert_ptr_null(r.why);
	ck_assert_ptr_nonnull(strstr(r.tell[1], "lacks sprout"));
	ck_assert_double_ge(r.kbits, 3000);
}
END_TEST

/* An earlier release is not told, and makes no forecasts. */
START_TEST(sprout_without_the_capability_is_auto)
{
	struct ssp_sprout_tab *tab = ssp_sprout_tab_new();
	struct stack_cfg cfg = { .cols = 80,
		.rows = 24,
		.paces = true,
		.pace = { SSP_PACING_SPROUT, NONE },
		.sprout = tab };
	struct stack *s = mem_zalloc(sizeof(*s));
	char tell[96];

	stack_init(s, &cfg, 1);
	stack_pump(&s->end[0]);
	ck_assert_ptr_null(stack_run(s, 2 * SIM_S));
	ssp_transport_pace_tell(s->end[0].bind.tp, tell, sizeof(tell));
	ck_assert_str_eq(tell, "auto: window (the other end lacks sprout)");
	ssp_transport_pace_tell(s->end[1].bind.tp, tell, sizeof(tell));
	ck_assert_str_eq(tell, "auto: window");
	stack_fini(s);
	mem_free(s);
	ssp_sprout_tab_free(tab);
}
END_TEST

/* clang-format off */
static const struct path {
	const char *what;
	uint64_t rate; /* bytes a second */
	unsigned rtt, queue; /* ms */
	double loss;
	const char *tell;
} paths[] = {
	{ "plain", 2500000, 100, 100, 0, "auto: window" },
	{ "fast", 12500000, 40, 40, 0, "auto: window" },
	{ "lossy", 2500000, 100, 100, .05, "auto: window" },
	{ "deep and slow", 60000, 60, 5000, 0, "auto: follow" },
	/* The window has found the target before it is told. */
	{ "deep", 250000, 60, 5000, 0, "auto: window" },
	{ "short", 2500000, 40, 10, 0, "auto: window" },
};
/* clang-format on */

START_TEST(auto_tells_paths_apart)
{
	const struct path *k = &paths[_i];
	struct copy_cfg cfg = { .seconds = 15 };
	struct copy_result r;

	link_of(&cfg, k->rate, k->rtt, k->queue);
	cfg.down.loss = k->loss;
	copy_run(&cfg, &r);
	ck_assert_ptr_null(r.why);
	printf("# %s: %s\n", k->what, r.tell[1]);
	ck_assert_msg(strncmp(r.tell[1], k->tell, strlen(k->tell)) == 0,
	    "%s: %s", k->what, r.tell[1]);
}
END_TEST

/*
 * A cellular link without an end to its queue: a copy by auto takes four fifths
 * of what one takes that fills the queue, and keys stay near those without any
 * copy.
 */
/* clang-format off */
static const struct cell_row {
	const char *what;
	double lo, hi; /* datagrams a second */
	double share;  /* of the greedy copy, at least */
	double median, p99; /* ms of a key beyond the same without a copy */
} cells[] = {
	{ "LTE", 100, 900, .80, 50, 150 },
	{ "LTE, slow", 50, 300, .70, 50, 150 },
	{ "EV-DO", 15, 90, .40, 75, 300 },
};
/* clang-format on */

START_TEST(keys_pass_a_copy_on_a_cellular_link)
{
	const struct cell_row *k = &cells[_i];
	struct copy_cfg cfg = { .skip = 5, .seconds = 60 };
	struct copy_result alone, greedy, got;
	uint32_t *down, *up;

	down = cell_trace_make(3, 80, k->lo, k->hi, &cfg.down.ntrace);
	up = cell_trace_make(4, 80, k->lo, k->hi, &cfg.up.ntrace);
	cfg.down.trace = down;
	cfg.up.trace = up;
	cfg.down.delay = cfg.up.delay = 20 * SIM_MS;
	cfg.idle = true;
	copy_run(&cfg, &alone);
	cfg.idle = false;
	cfg.cc = &ssp_cc_plain;
	copy_run(&cfg, &greedy);
	cfg.cc = NULL;
	copy_run(&cfg, &got);
	mem_free(down);
	mem_free(up);
	ck_assert_ptr_null(got.why);
	printf("# %s: %s: %.0f kbit/s of %.0f, keys %.0f and %.0f ms at the "
	       "median and 99 %%; alone %.0f and %.0f, beside a greedy copy "
	       "%.0f and %.0f\n",
	    k->what, got.tell[1], got.kbits, greedy.kbits, got.median, got.p99,
	    alone.median, alone.p99, greedy.median, greedy.p99);
	ck_assert_ptr_nonnull(strstr(got.tell[1], "auto: follow"));
	ck_assert_double_ge(got.kbits, greedy.kbits * k->share);
	ck_assert_double_le(got.median, alone.median + k->median);
	ck_assert_double_le(got.p99, alone.p99 + k->p99);
}
END_TEST

/* Types for a minute; returns the bytes of both ends. */
static uint64_t
typed(bool paces, enum ssp_pacing client, const struct ssp_sprout_tab *tab)
{
	struct stack_cfg cfg = { .cols = 80,
		.rows = 24,
		.streams = true,
		.paces = paces,
		.pace = { client, NONE },
		.sprout = tab };
	struct stack *s = mem_zalloc(sizeof(*s));
	struct sim_link_cfg link = { .delay = 30 * SIM_MS };
	uint64_t bytes;
	unsigned i;

	stack_init(s, &cfg, 1);
	sim_links(&s->sim, &link);
	stack_pump(&s->end[0]);
	for (i = 0; i < 300; i++) {
		ck_assert_ptr_null(stack_run(s, (i + 1) * 200 * SIM_MS));
		toy_log_add(stack_log(s), "x", 1);
		stack_kick(s, 0);
	}
	ck_assert_ptr_null(stack_run(s, s->sim.now + 60 * (sim_us)SIM_S));
	bytes = s->end[0].bytes + s->end[1].bytes;
	stack_fini(s);
	mem_free(s);
	return bytes;
}

START_TEST(text_pays_nothing)
{
	struct ssp_sprout_tab *tab = ssp_sprout_tab_new();
	uint64_t plain = typed(false, NONE, tab);
	uint64_t sprout = typed(true, SSP_PACING_SPROUT, tab);

	ck_assert_uint_eq(typed(true, NONE, tab), plain);
	/* A choice is told, and CC frames end soon: a few padded datagrams. */
	printf("# a minute of typing: %llu bytes, with sprout %llu\n",
	    (unsigned long long)plain, (unsigned long long)sprout);
	ck_assert_uint_le(sprout, plain + 1000);
	ssp_sprout_tab_free(tab);
}
END_TEST

UNIT_SUITE(pace)
{
	Suite *s = suite_create("sim/pace");
	TCase *tc = tcase_create("pace");

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(
	    tc, a_choice_reaches_both_ends, 0, (int)ARRAY_LEN(choices));
	tcase_add_test(tc, sprout_without_tables_is_auto);
	tcase_add_test(tc, sprout_without_the_capability_is_auto);
	tcase_add_loop_test(
	    tc, auto_tells_paths_apart, 0, (int)ARRAY_LEN(paths));
	tcase_add_loop_test(
	    tc, keys_pass_a_copy_on_a_cellular_link, 0, (int)ARRAY_LEN(cells));
	tcase_add_test(tc, text_pays_nothing);
	suite_add_tcase(s, tc);
	return s;
}
