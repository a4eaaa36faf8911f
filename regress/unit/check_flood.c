#include "regress/unit/unit.h"
#include "server/face/flood.h"

/* Little output, urgent views and near clients are not delayed. */
START_TEST(only_a_flood_waits)
{
	struct flood f = { 0 };

	ck_assert_uint_eq(flood_until(&f, 1000, 50, FLOOD_BYTES - 1, 1000), 0);
	flood_shown(&f, FLOOD_BYTES - 1);
	ck_assert_uint_gt(
	    flood_until(&f, 1000, 50, FLOOD_BYTES * 2, 1000), 1000);
	ck_assert_uint_eq(
	    flood_until(&f, 1000, FLOOD_RTT - 1, FLOOD_BYTES * 2, 1000), 0);
	f.urgent = true;
	ck_assert_uint_eq(flood_until(&f, 1000, 50, FLOOD_BYTES * 2, 1000), 0);
	flood_shown(&f, FLOOD_BYTES * 2);
	ck_assert(!f.urgent);
	/* Another window. */
	ck_assert_uint_eq(flood_until(&f, 1000, 50, 1, 1000), 0);
}
END_TEST

/* An endless flood is shown a few times a second; its end is shown soon. */
START_TEST(it_waits_for_a_pause_but_not_for_long)
{
	struct flood f = { 0 };
	uint64_t said = 0;
	unsigned views = 0;
	mono_ms now, last = 0;

	for (now = 1000; now < 11000; now++) {
		said += 50000;
		if (flood_until(&f, now, 50, said, now) <= now) {
			views++;
			last = now;
			flood_shown(&f, said);
		}
	}
	ck_assert_uint_ge(views, 38);
	ck_assert_uint_le(views, 42);
	ck_assert_uint_ge(last, 10700);
	said += 50000;
	(void)flood_until(&f, now, 50, said, now);
	for (last = now; flood_until(&f, now, 50, said, last) > now; now++)
		ck_assert_uint_le(now - last, 20);
	ck_assert_uint_ge(now - last, 4);
}
END_TEST

/* The first view after an urgent one is delayed less. */
START_TEST(the_first_screen_after_an_answer_comes_sooner)
{
	struct flood f = { .urgent = true };
	uint64_t said = 0;
	mono_ms now, begun = 1000;
	unsigned i;

	flood_shown(&f, said);
	for (i = 0; i < 2; i++) {
		for (now = begun; now < begun + 1000; now++) {
			said += 50000;
			if (flood_until(&f, now, 50, said, now) <= now)
				break;
		}
		ck_assert_uint_eq(now - begun, i == 0 ? FLOOD_FIRST : 250);
		flood_shown(&f, said);
		begun = now + 1;
	}
}
END_TEST

UNIT_SUITE(flood)
{
	Suite *s = suite_create("server/face/flood");
	TCase *tc = tcase_create("flood");

	tcase_add_test(tc, only_a_flood_waits);
	tcase_add_test(tc, it_waits_for_a_pause_but_not_for_long);
	tcase_add_test(tc, the_first_screen_after_an_answer_comes_sooner);
	suite_add_tcase(s, tc);
	return s;
}
