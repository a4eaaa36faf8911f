/* Which control clients programs wait for. */
#include "mux/control/control_pace.h"
#include "regress/unit/unit.h"

#define FAR (CONTROL_PACE_FAR + 1)
#define QUICK (CONTROL_PACE_READS / 4)

/* Notes TAKEN bytes in each tenth of a second for SECONDS with WAITING behind them. */
static void
run(struct control_pace *p, mono_ms *now, int seconds, size_t taken,
    size_t waiting)
{
	int i;

	for (i = 0; i < 10 * seconds; i++)
		control_pace_note(p, *now += 100, taken, waiting);
}

START_TEST(readers_hold_from_far_until_near)
{
	struct control_pace p = { 0 };
	mono_ms now = 5000;

	control_pace_note(&p, now, 0, CONTROL_PACE_FAR);
	ck_assert(!control_pace_holds(&p));
	ck_assert_uint_eq(control_pace_deadline(&p), MONO_NEVER);
	run(&p, &now, 60, QUICK, FAR);
	ck_assert(control_pace_holds(&p));
	ck_assert_uint_le(control_pace_deadline(&p), now + CONTROL_PACE_MS);
	run(&p, &now, 60, QUICK, CONTROL_PACE_NEAR + 1);
	ck_assert(control_pace_holds(&p));
	control_pace_note(&p, now, QUICK, CONTROL_PACE_NEAR);
	ck_assert(!control_pace_holds(&p));
}
END_TEST

START_TEST(the_stopped_hold_for_a_moment)
{
	struct control_pace p = { 0 };
	mono_ms now = 5000;

	/* After an idle hour it begins anew. */
	control_pace_note(&p, now, 10, 0);
	now += 3600000;
	control_pace_note(&p, now, QUICK, FAR);
	ck_assert(control_pace_holds(&p));
	control_pace_note(&p, now + CONTROL_PACE_MS - 1, 0, FAR);
	ck_assert(control_pace_holds(&p));
	ck_assert_uint_eq(control_pace_deadline(&p), now + CONTROL_PACE_MS);
	control_pace_note(&p, now + CONTROL_PACE_MS, 0, FAR);
	ck_assert(!control_pace_holds(&p));
	ck_assert_uint_eq(control_pace_deadline(&p), MONO_NEVER);
	/* Trickles do not count, until it reads again or has read all. */
	run(&p, &now, 60, CONTROL_PACE_READS / 20, FAR);
	ck_assert(!control_pace_holds(&p));
	run(&p, &now, 2, QUICK, FAR);
	ck_assert(control_pace_holds(&p));
	run(&p, &now, 2, 0, FAR);
	ck_assert(!control_pace_holds(&p));
	control_pace_note(&p, now, 10, 0);
	control_pace_note(&p, now, 0, FAR);
	ck_assert(control_pace_holds(&p));
}
END_TEST

UNIT_SUITE(control_pace)
{
	Suite *s = suite_create("control_pace");
	TCase *tc = tcase_create("control_pace");

	tcase_add_test(tc, readers_hold_from_far_until_near);
	tcase_add_test(tc, the_stopped_hold_for_a_moment);
	suite_add_tcase(s, tc);
	return s;
}
