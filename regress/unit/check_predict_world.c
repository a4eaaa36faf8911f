/* Properties over random typing, links and programs. */
#include <stdio.h>

#include "regress/predict/world.h"
#include "regress/unit/unit.h"

static void
run(const struct grapheme_table *gt, const struct world_cfg *cfg,
    struct world_result *sum)
{
	struct world_result r;

	world_run(gt, cfg, &r);
	ck_assert_msg(r.bad == NULL, "%s: seed %u rtt %u loss %u: %s",
	    far_name(cfg->kind), cfg->seed, cfg->rtt, cfg->loss, r.bad);
	sum->keys += r.keys;
	sum->at_once += r.at_once;
	sum->drawn += r.drawn;
	sum->wrong += r.wrong;
	sum->stats.secret += r.stats.secret;
	sum->stats.shown += r.stats.shown;
}

START_TEST(every_run_ends_with_the_servers_screen)
{
	static const unsigned rtts[] = { 1, 50, 300, 1000, 5000 };
	struct grapheme_table *gt = grapheme_table_new(NULL);
	struct world_result sum = { 0 };
	struct world_cfg cfg = { .keys = 40 };
	unsigned base = (unsigned)unit_seed(1), i;

	for (i = 0; i < unit_rounds(2000); i++) {
		cfg.seed = base + i;
		cfg.kind = (enum far_kind)(i % FAR_KINDS);
		cfg.mode = (enum predict_mode)(i / 4 % 4);
		cfg.rtt = rtts[i / 16 % 5];
		cfg.jitter = i % 3 * 100;
		cfg.loss = i % 7 == 0 ? 29 : 0;
		cfg.wild = i % 2 == 0;
		cfg.wide = i % 5 == 0;
		run(gt, &cfg, &sum);
	}
	ck_assert_uint_gt(sum.stats.shown, unit_rounds(5000));
	grapheme_table_free(gt);
}
END_TEST

/*
 * The required share of keys shown at once, and the allowed share of wrong
 * ones, for typing in shells.
 */
START_TEST(shells_are_answered_at_once_and_rightly)
{
	static const struct {
		enum far_kind kind;
		unsigned rtt, loss;
		double at_once, wrong;
		unsigned keys;
	} rows[] = {
		{ FAR_BASH, 100, 0, 0.85, 0.005, 600 },
		{ FAR_BASH, 100, 29, 0.85, 0.005, 600 },
		{ FAR_BASH, 500, 0, 0.80, 0.005, 600 },
		{ FAR_BASH, 1000, 0, 0.75, 0.005, 600 },
		{ FAR_ZSH, 100, 0, 0.85, 0.005, 600 },
		{ FAR_ZSH, 500, 0, 0.80, 0.005, 600 },
		{ FAR_CAT, 500, 0, 0.95, 0.005, 600 },
		{ FAR_CAT, 5000, 0, 0.75, 0.005, 600 },
		{ FAR_BASH, 5000, 0, 0.75, 0.005, 3000 },
	};
	struct grapheme_table *gt = grapheme_table_new(NULL);
	size_t i;
	unsigned seed;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct world_result sum = { 0 };
		struct world_cfg cfg = { .keys = 600, .jitter = 20 };

		cfg.kind = rows[i].kind;
		cfg.rtt = rows[i].rtt;
		cfg.loss = rows[i].loss;
		cfg.keys = rows[i].keys;
		for (seed = 1; seed <= unit_rounds(3); seed++) {
			cfg.seed = seed;
			run(gt, &cfg, &sum);
		}
		ck_assert_msg(
		    (double)sum.at_once / sum.keys >= rows[i].at_once &&
			(double)sum.wrong / sum.keys <= rows[i].wrong,
		    "row %zu: at once %u wrong %u of %u", i, sum.at_once,
		    sum.wrong, sum.keys);
	}
	grapheme_table_free(gt);
}
END_TEST

START_TEST(passwords_are_never_shown)
{
	struct grapheme_table *gt = grapheme_table_new(NULL);
	struct world_result sum = { 0 };
	struct world_cfg cfg = {
		.kind = FAR_BASH, .keys = 80, .secrets = true
	};
	unsigned i;

	for (i = 0; i < unit_rounds(200); i++) {
		cfg.seed = i;
		cfg.rtt = 50 + i % 10 * 100;
		cfg.mode = i % 2 == 0 ? PREDICT_EXPERIMENTAL : PREDICT_ALWAYS;
		cfg.loss = i % 3 * 10;
		run(gt, &cfg, &sum);
	}
	ck_assert_uint_gt(sum.stats.secret, unit_rounds(500));
	grapheme_table_free(gt);
}
END_TEST

UNIT_SUITE(predict_world)
{
	Suite *s = suite_create("predict/world");
	TCase *t = tcase_create("world");

	suite_add_tcase(s, t);
	tcase_set_timeout(t, 300);
	tcase_add_test(t, every_run_ends_with_the_servers_screen);
	tcase_add_test(t, shells_are_answered_at_once_and_rightly);
	tcase_add_test(t, passwords_are_never_shown);
	return s;
}
