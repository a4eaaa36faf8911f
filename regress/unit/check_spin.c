#include "base/compiler.h"
#include "base/spin.h"
#include "regress/unit/unit.h"

/* Waits of which each takes TOOK; how many of COUNT were spun, GAP apart. */
static unsigned
spin_row(struct spin *s, uint64_t *now, unsigned count, uint64_t gap,
    uint64_t took, bool late)
{
	unsigned i, spun = 0;

	for (i = 0; i < count; i++) {
		*now += gap;
		if (spin_begin(s, *now) == 0)
			continue;
		spun++;
		*now += MIN_OF(took, (uint64_t)SPIN_US);
		spin_end(s, *now, took < SPIN_US, late);
	}
	return spun;
}

START_TEST(answers_in_time_are_waited_for)
{
	struct spin s;
	uint64_t now = 1000000;

	spin_init(&s, true);
	ck_assert_uint_eq(spin_row(&s, &now, 500, 10000, 80, false), 500);
	/* Slow programs: looked at now and then, and found quick again. */
	ck_assert_uint_le(spin_row(&s, &now, 500, 10000, 5000, false), 50);
	ck_assert_uint_ge(spin_row(&s, &now, 500, 10000, 80, false), 400);
}
END_TEST

START_TEST(one_core_or_a_busy_one_is_left_alone)
{
	struct spin s;
	uint64_t now = 1000000, begin;

	spin_init(&s, false);
	ck_assert_uint_eq(spin_row(&s, &now, 500, 10000, 80, false), 0);
	spin_init(&s, true);
	begin = now;
	ck_assert_uint_le(spin_row(&s, &now, 6000, 10000, 80, true), 25);
	ck_assert_uint_ge(now - begin, 60000000);
	/* Soon after it has become quiet all is well again. */
	ck_assert_uint_ge(spin_row(&s, &now, 1000, 10000, 80, false), 500);
}
END_TEST

START_TEST(the_cost_has_a_limit)
{
	struct spin s;
	uint64_t now = 1000000, begin = now;
	unsigned spun;

	/* Answers that come just in time to a flood of questions. */
	spin_init(&s, true);
	spun = spin_row(&s, &now, 100000, 100, SPIN_US - 1, false);
	ck_assert_uint_le(spun * (uint64_t)SPIN_US,
	    (now - begin) * SPIN_SHARE / 100 + SPIN_SAVED_US + SPIN_US);
	ck_assert_uint_ge(spun, 100);
}
END_TEST

UNIT_SUITE(spin)
{
	Suite *s = suite_create("spin");
	TCase *tc = tcase_create("spin");

	tcase_add_test(tc, answers_in_time_are_waited_for);
	tcase_add_test(tc, one_core_or_a_busy_one_is_left_alone);
	tcase_add_test(tc, the_cost_has_a_limit);
	suite_add_tcase(s, tc);
	return s;
}
