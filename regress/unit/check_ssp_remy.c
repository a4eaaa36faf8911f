/* Searched rules: the tables, what they remember, and how they fare. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "regress/sim/sim.h"
#include "regress/tools/remy_sim.h"
#include "regress/unit/unit.h"
#include "ssp/remy.h"

#define NETS 16
#define LENGTH 10000 /* ms */

#define STEADY "rate=1-30,rtt=20-200,senders=1-2,on=5000,off=2000"
#define CELL "rate=0.2-30,rtt=30-120,senders=1-1,cell=1"
#define CROWD "rate=1-30,rtt=20-200,senders=8-8,on=5000,off=2000"
#define FAST "rate=200-200,rtt=100-100,senders=1-1"

static const char *const tables[] = { "0.1", "1", "10", "cell" };

START_TEST(each_point_has_one_rule)
{
	const struct ssp_remy_table *t = ssp_remy_table(tables[_i]);
	double at[SSP_REMY_AXES];
	uint64_t rng = 1;
	unsigned i, k, n;
	size_t r;

	ck_assert_ptr_nonnull(t);
	for (i = 0; i < 20000; i++) {
		for (k = 0; k < SSP_REMY_AXES; k++)
			at[k] = exp(sim_real(&rng) * log(SSP_REMY_TOP)) - 1;
		for (r = 0, n = 0; r < t->n; r++) {
			for (k = 0; k < SSP_REMY_AXES; k++)
				if (at[k] < t->rule[r].low[k] ||
				    at[k] >= t->rule[r].high[k])
					break;
			n += k == SSP_REMY_AXES;
		}
		ck_assert_uint_eq(n, 1);
	}
	for (r = 0; r < t->n; r++) {
		ck_assert_double_ge(t->rule[r].multiple, 0);
		ck_assert_double_le(t->rule[r].multiple, 1.25);
		ck_assert_double_gt(t->rule[r].gap, 0);
	}
}
END_TEST

/* Eight datagrams each 16 ms: the means go to 2 ms. */
START_TEST(memory_follows_acks)
{
	static const struct ssp_remy_rule keep[] = {
		{ { 0, 0, 0 }, { SSP_REMY_TOP, SSP_REMY_TOP, SSP_REMY_TOP }, 1,
		    0, 3 },
	};
	static const struct ssp_remy_table t = { "keep", keep, 1 };
	struct ssp_remy m;
	unsigned i;

	ssp_remy_init(&m);
	for (i = 1; i < 20; i++)
		ck_assert_uint_eq(
		    ssp_remy_ack(&m, &t, i * 16, i * 16 - 60.0, 8, 60, 40), 0);
	ck_assert_double_eq_tol(m.at[SSP_REMY_ACK], 2, .01);
	ck_assert_double_eq_tol(m.at[SSP_REMY_SEND], 2, .01);
	ck_assert_double_eq_tol(m.at[SSP_REMY_RATIO], 1.5, 1e-9);
	ck_assert_double_eq_tol(m.window, SSP_REMY_START, 1e-9);
	ck_assert_double_eq_tol(m.gap, 3, 1e-9);
	/* Nonsense is bounded. */
	ssp_remy_ack(&m, &t, 1, -1e12, 0, 1e12, 0);
	ssp_remy_ack(&m, &t, 1e12, 1e12, 1, 1e12, 0);
	for (i = 0; i < SSP_REMY_AXES; i++)
		ck_assert(m.at[i] >= 0 && m.at[i] < SSP_REMY_TOP);
}
END_TEST

static double
fares(const char *table, const char *model, double delta, bool tell)
{
	struct remy_score sc = { 0 };
	struct remy_model m;
	struct remy_net n;
	unsigned i;

	ck_assert(remy_model_parse(&m, model));
	for (i = 0; i < NETS; i++) {
		/* Seeds that no search has drawn. */
		remy_net_make(&n, &m, 77000000 + i, LENGTH);
		remy_sim(&n, LENGTH, ssp_remy_table(table), delta, &sc, NULL);
		remy_net_free(&n);
	}
	ck_assert_uint_gt(sc.count, 0);
	if (tell)
		printf("# table %s on %s: throughput %.2f of the share, delay "
		       "%.2f round trips, score %.2f at delta %g\n",
		    table, model, sc.throughput / sc.count, sc.delay / sc.count,
		    sc.sum / sc.count, delta);
	return sc.sum / sc.count;
}

/* On networks as declared, each table beats those made for another trade. */
START_TEST(tables_suit_what_they_are_for)
{
	double fast = fares("0.1", STEADY, .1, true);
	double even = fares("1", STEADY, 1, true);
	double calm = fares("10", STEADY, 10, true);

	ck_assert_double_gt(fast, fares("10", STEADY, .1, false));
	ck_assert_double_gt(even, fares("0.1", STEADY, 1, false));
	ck_assert_double_gt(calm, fares("0.1", STEADY, 10, false));
	ck_assert_double_gt(
	    fares("cell", CELL, .3, true), fares("10", CELL, .3, false));
}
END_TEST

/* Where the assumptions do not hold, they fare worse: shown, and bounded. */
START_TEST(wrong_assumptions_are_shown)
{
	double right = fares("1", STEADY, 1, false);

	ck_assert_double_lt(fares("1", CROWD, 1, true), right);
	ck_assert_double_lt(fares("1", FAST, 1, true), right);
	(void)fares("1", CELL, 1, true);
	(void)fares("cell", STEADY, .3, true);
	/* Even then something arrives. */
	ck_assert_double_gt(fares("1", FAST, 0, false), log2(.005));
}
END_TEST

START_TEST(models_are_read)
{
	struct remy_model m;

	ck_assert(remy_model_parse(&m, STEADY));
	ck_assert_double_eq_tol(m.rate.hi, 30, 1e-9);
	ck_assert_double_eq_tol(m.off, 2000, 1e-9);
	ck_assert(!remy_model_parse(&m, ""));
	ck_assert(!remy_model_parse(&m, "rate"));
	ck_assert(!remy_model_parse(&m, "rate=2-1"));
	ck_assert(!remy_model_parse(&m, "rate=nan"));
	ck_assert(!remy_model_parse(&m, "on=1-2"));
	ck_assert(!remy_model_parse(&m, "senders=1-9"));
	ck_assert(!remy_model_parse(&m, "rtt=1-2x"));
}
END_TEST

UNIT_SUITE(ssp_remy)
{
	Suite *s = suite_create("ssp_remy");
	TCase *tc = tcase_create("remy");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(
	    tc, each_point_has_one_rule, 0, (int)ARRAY_LEN(tables));
	tcase_add_test(tc, memory_follows_acks);
	tcase_add_test(tc, tables_suit_what_they_are_for);
	tcase_add_test(tc, wrong_assumptions_are_shown);
	tcase_add_test(tc, models_are_read);
	suite_add_tcase(s, tc);
	return s;
}
