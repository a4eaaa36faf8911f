#include "regress/unit/unit.h"
#include "server/io/pace.h"

/* A few bad datagrams are no flood, nor are many over a long time. */
START_TEST(junk_is_a_flood_if_it_comes_fast)
{
	struct pace_junk j = { 0 };
	mono_ms now = 5000;
	unsigned i;

	for (i = 1; i < PACE_JUNK; i++)
		pace_junk_came(&j, now);
	ck_assert(!pace_junk_floods(&j, now));
	pace_junk_came(&j, now);
	ck_assert(pace_junk_floods(&j, now));
	ck_assert(!pace_junk_floods(&j, now + 1));
	for (i = 0; i < 100000; i++)
		pace_junk_came(&j, now + 1 + i / 100);
	ck_assert(pace_junk_floods(&j, now + 1000));
	/* It ends with its last datagram. */
	ck_assert(!pace_junk_floods(&j, now + 1002));
	for (i = 0; i < 5000; i++)
		pace_junk_came(&j, now += 1001);
	ck_assert(!pace_junk_floods(&j, now));
	for (i = 0; i < 5000; i++)
		pace_junk_came(&j, ++now);
	ck_assert(!pace_junk_floods(&j, now));
}
END_TEST

/* Only while keys come, and only for other panes than theirs. */
START_TEST(who_types_is_given_way)
{
	struct pace_typing t = { 0 };

	ck_assert(!pace_gives_way(&t, 1, 10000));
	t.at = 10000;
	ck_assert(!pace_gives_way(&t, 0, 10000));
	ck_assert(pace_gives_way(&t, 1, 10000));
	ck_assert(pace_gives_way(&t, 1, 10000 + PACE_TYPING_MS - 1));
	ck_assert(!pace_gives_way(&t, 1, 10000 + PACE_TYPING_MS));
}
END_TEST

/* Reads BYTES each STEP us for a second, resting when told: how often. */
static unsigned
rests(uint64_t bytes, uint64_t step, uint64_t *said)
{
	struct pace p = { 0 };
	uint64_t now = 77000;
	unsigned n = 0;

	*said = 0;
	while (now < 1077000) {
		if (pace_rests(&p, now, *said)) {
			n++;
			now += PACE_REST_MS * 1000;
			continue;
		}
		*said += bytes;
		now += step;
	}
	return n;
}

/* A flood rests most of the time, yet goes on; what says less never rests. */
START_TEST(a_flood_rests_and_goes_on)
{
	uint64_t said;

	ck_assert_uint_ge(rests(4096, 40, &said), 100);
	ck_assert_uint_ge(said, 3000000);
	ck_assert_uint_ge(rests(1024, 60, &said), 100);
	ck_assert_uint_ge(said, 500000);
	/* A clock of lines, a compiler, a program that redraws its screen. */
	ck_assert_uint_eq(rests(80, 1000, &said), 0);
	ck_assert_uint_eq(rests(300, 100, &said), 0);
	ck_assert_uint_eq(rests(12000, 20000, &said), 0);
}
END_TEST

UNIT_SUITE(pace)
{
	Suite *s = suite_create("server/io/pace");
	TCase *tc = tcase_create("pace");

	tcase_add_test(tc, junk_is_a_flood_if_it_comes_fast);
	tcase_add_test(tc, who_types_is_given_way);
	tcase_add_test(tc, a_flood_rests_and_goes_on);
	suite_add_tcase(s, tc);
	return s;
}
