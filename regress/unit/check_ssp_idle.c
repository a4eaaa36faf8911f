/* How long an idle link may stay silent. */
#include "regress/unit/unit.h"
#include "ssp/idle.h"

/* Goes through silences that a NAT of PATIENCE survives; returns the last. */
static mono_ms
learn(struct ssp_idle *i, mono_ms *now, mono_ms patience, unsigned pings)
{
	while (pings-- > 0) {
		*now += i->gap;
		ssp_idle_asked(i, *now, i->gap);
		if (i->gap < patience) {
			ssp_idle_answered(i, *now + 100);
			continue;
		}
		*now += SSP_IDLE_YIELD;
		ssp_idle_came(i, *now, i->gap + SSP_IDLE_YIELD, true);
	}
	return i->gap;
}

START_TEST(silences_grow_while_pings_are_answered)
{
	mono_ms now = 0;
	struct ssp_idle i;

	ssp_idle_init(&i);
	ck_assert_uint_eq(i.gap, SSP_IDLE_FIRST);
	ck_assert_uint_eq(learn(&i, &now, MONO_NEVER, 1), 10500);
	ck_assert_uint_eq(learn(&i, &now, MONO_NEVER, 50), SSP_IDLE_MAX);
	/* on one machine at once */
	ssp_idle_init(&i);
	i.near = true;
	ck_assert_uint_eq(ssp_idle_next(&i), SSP_IDLE_NEAR);
	ck_assert_uint_eq(learn(&i, &now, MONO_NEVER, 1), SSP_IDLE_NEAR);
	/* but never longer than somebody allows */
	ssp_idle_limit(&i, 30000);
	ck_assert_uint_eq(i.gap, 30000);
	ck_assert_uint_eq(learn(&i, &now, MONO_NEVER, 5), 30000);
	ssp_idle_limit(&i, 100);
	ck_assert_uint_eq(i.gap, SSP_IDLE_FIRST);
}
END_TEST

START_TEST(a_nat_is_tested_once_and_seldom_again)
{
	static const mono_ms patience[] = { 8000, 15000, 30000, 60000, 100000 };
	mono_ms now = 0, gap;
	struct ssp_idle i;
	unsigned k, n;

	for (k = 0; k < 5; k++) {
		ssp_idle_init(&i);
		gap = learn(&i, &now, patience[k], 20);
		ck_assert_uint_lt(gap, patience[k]);
		ck_assert_uint_gt(gap * 3 / 2, patience[k] - 1);
		for (n = 0; n < SSP_IDLE_TRUST - 20; n++)
			ck_assert_uint_eq(learn(&i, &now, patience[k], 1), gap);
		/* another NAT by then */
		ck_assert_uint_eq(
		    learn(&i, &now, MONO_NEVER, 100), SSP_IDLE_MAX);
	}
}
END_TEST

START_TEST(what_breaks_the_rule_begins_anew)
{
	mono_ms now = 0;
	struct ssp_idle i;

	/* an outage */
	ssp_idle_init(&i);
	learn(&i, &now, MONO_NEVER, 50);
	ssp_idle_asked(&i, now, i.gap);
	ssp_idle_answered(&i, now + SSP_IDLE_OUTAGE);
	ck_assert_uint_eq(i.gap, SSP_IDLE_FIRST);
	/* a NAT that forgets after a silence that was good */
	learn(&i, &now, MONO_NEVER, 50);
	ssp_idle_came(&i, now, 30000, true);
	ck_assert_uint_eq(i.gap, SSP_IDLE_FIRST);
	ck_assert_uint_lt(learn(&i, &now, MONO_NEVER, 50), 30000);
	/* the user comes by himself: nothing is learnt */
	learn(&i, &now, MONO_NEVER, 100);
	ssp_idle_came(&i, now, 30000, false);
	ck_assert_uint_eq(i.gap, SSP_IDLE_MAX);
	/* the other end knows only of short silences */
	ssp_idle_pinged(&i, 9000);
	ck_assert_uint_eq(i.gap, SSP_IDLE_FIRST);
	/* what the leader says is bounded */
	ssp_idle_told(&i, 0);
	ck_assert_uint_eq(i.gap, SSP_IDLE_FIRST);
	ssp_idle_told(&i, MONO_NEVER);
	ck_assert_uint_eq(i.gap, SSP_IDLE_MAX);
}
END_TEST

UNIT_SUITE(ssp_idle)
{
	Suite *s = suite_create("ssp/idle");
	TCase *tc = tcase_create("idle");

	tcase_add_test(tc, silences_grow_while_pings_are_answered);
	tcase_add_test(tc, a_nat_is_tested_once_and_seldom_again);
	tcase_add_test(tc, what_breaks_the_rule_begins_anew);
	suite_add_tcase(s, tc);
	return s;
}
