#include "predict/params.h"
#include "predict/policy.h"
#include "regress/unit/unit.h"

START_TEST(the_round_trip_decides_with_hysteresis)
{
	static const struct {
		mono_ms rtt;
		bool pending, shows, flags;
	} rows[] = {
		{ 10, false, false, false },
		{ 40, false, false, false },
		{ 41, false, true, false },
		{ 26, false, true, false },
		{ 25, true, true, false },
		{ 25, false, false, false },
		{ 160, false, true, false },
		{ 161, false, true, true },
		{ 101, false, true, true },
		{ 100, false, true, false },
		{ 5000, false, true, true },
		{ 1, false, false, false },
	};
	struct policy po;
	size_t i;

	policy_init(&po, PREDICT_ADAPTIVE);
	ck_assert(policy_shows(&po));
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		policy_link(&po, rows[i].rtt, rows[i].pending);
		ck_assert_msg(policy_shows(&po) == rows[i].shows &&
				  policy_flags(&po) == rows[i].flags,
		    "row %zu", i);
	}
}
END_TEST

START_TEST(late_echoes_turn_it_on_and_good_ones_off)
{
	struct policy po;
	mono_ms now = 1000;
	int i;

	policy_init(&po, PREDICT_ADAPTIVE);
	policy_link(&po, 5, false);
	ck_assert(!policy_shows(&po));
	ck_assert_uint_eq(policy_next_age(&po, 0), PREDICT_GLITCH_MS);
	policy_waiting(&po, 249);
	ck_assert(!policy_shows(&po));
	policy_waiting(&po, 250);
	ck_assert(policy_shows(&po) && !policy_flags(&po));
	policy_waiting(&po, 5000);
	ck_assert(policy_flags(&po));
	/* One at a time, at most every 150 ms, and only for quick ones. */
	policy_right(&po, now, 300);
	ck_assert_uint_eq(po.glitch, 20);
	for (i = 0; i < 100; i++)
		policy_right(&po, now, 10);
	ck_assert_uint_eq(po.glitch, 19);
	for (i = 0; i < 19; i++)
		policy_right(&po, now += 150, 10);
	ck_assert(!policy_shows(&po) && !policy_flags(&po));
}
END_TEST

START_TEST(modes_override)
{
	struct policy po;

	policy_init(&po, PREDICT_NEVER);
	policy_waiting(&po, 9999);
	ck_assert(!policy_shows(&po));
	ck_assert_uint_eq(policy_next_age(&po, 0), MONO_NEVER);
	policy_init(&po, PREDICT_ALWAYS);
	policy_link(&po, 1, false);
	ck_assert(policy_shows(&po));
	ck_assert(policy_chance(&po) > 0.9);
	policy_link(&po, 500, false);
	ck_assert(policy_chance(&po) > 0.9);
	policy_link(&po, 2500, false);
	ck_assert(policy_chance(&po) < 0.9);
	po.mode = PREDICT_EXPERIMENTAL;
	ck_assert(policy_chance(&po) <= 0);
}
END_TEST

UNIT_SUITE(predict_policy)
{
	Suite *s = suite_create("predict/policy");
	TCase *t = tcase_create("policy");

	suite_add_tcase(s, t);
	tcase_add_test(t, the_round_trip_decides_with_hysteresis);
	tcase_add_test(t, late_echoes_turn_it_on_and_good_ones_off);
	tcase_add_test(t, modes_override);
	return s;
}
