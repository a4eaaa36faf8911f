#include "regress/unit/unit.h"
#include "server/echo.h"

/* Whatever the pace: never before its time, never later than twice that. */
START_TEST(every_input_is_answered_in_time)
{
	static const unsigned gaps[] = { 1, 7, 10, 30, 49, 50, 51, 99, 400 };
	struct echo e;
	mono_ms now, at[4096];
	uint64_t sent, acked, i;
	unsigned acks;

	echo_init(&e);
	ck_assert(echo_deadline(&e) == MONO_NEVER);
	ck_assert(!echo_expire(&e, 12345));
	at[0] = 0;
	for (i = 0; i < sizeof(gaps) / sizeof(gaps[0]); i++) {
		echo_init(&e);
		sent = acked = acks = 0;
		for (now = 1000; now < 5000; now++) {
			if (now < 4000 && now % gaps[i] == 0) {
				at[++sent] = now;
				echo_input(&e, now, sent);
			}
			if (now < echo_deadline(&e))
				ck_assert(!echo_expire(&e, now));
			else
				acks += echo_expire(&e, now);
			for (; acked < e.ack; acked++)
				ck_assert(now >= at[acked + 1] + ECHO_MS);
			if (acked < sent)
				ck_assert(now < at[acked + 1] + 2 * ECHO_MS);
		}
		ck_assert_uint_eq(acked, sent);
		ck_assert(echo_deadline(&e) == MONO_NEVER);
		ck_assert_uint_le(acks, 3000 / ECHO_MS * 2 + 2);
	}
}
END_TEST

/* A timer that comes late finds all of it. */
START_TEST(a_late_timer_takes_both)
{
	struct echo e;

	echo_init(&e);
	echo_input(&e, 100, 1);
	echo_input(&e, 100, 2);
	echo_input(&e, 120, 3);
	echo_input(&e, 130, 4);
	ck_assert(echo_deadline(&e) == 100 + ECHO_MS);
	ck_assert(echo_expire(&e, 160));
	ck_assert_uint_eq(e.ack, 2);
	ck_assert(echo_expire(&e, 900));
	ck_assert_uint_eq(e.ack, 4);
	echo_input(&e, 1000, 5);
	echo_input(&e, 1020, 6);
	echo_input(&e, 2000, 7);
	ck_assert_uint_eq(e.ack, 6);
}
END_TEST

UNIT_SUITE(echo)
{
	Suite *s = suite_create("echo");
	TCase *t = tcase_create("echo");

	tcase_add_test(t, every_input_is_answered_in_time);
	tcase_add_test(t, a_late_timer_takes_both);
	suite_add_tcase(s, t);
	return s;
}
