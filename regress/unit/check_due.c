#include "base/due.h"
#include "regress/unit/unit.h"

START_TEST(the_earliest_is_at_hand)
{
	struct due d;

	due_init(&d);
	ck_assert_uint_eq(d.first, MONO_NEVER);
	due_set(&d, 3, 30);
	due_set(&d, 1, 10);
	due_set(&d, 2, 20);
	ck_assert_uint_eq(d.first, 10);
	/* The earliest deadline is postponed, then turned off. */
	due_set(&d, 1, 25);
	ck_assert_uint_eq(d.first, 20);
	due_set(&d, 2, MONO_NEVER);
	ck_assert_uint_eq(d.first, 25);
	due_set(&d, 3, 5);
	ck_assert_uint_eq(d.first, 5);
	/* One of two equal deadlines is turned off. */
	due_set(&d, 1, 5);
	due_set(&d, 3, MONO_NEVER);
	ck_assert_uint_eq(d.first, 5);
}
END_TEST

START_TEST(slots_are_taken_in_order_once)
{
	struct due d;

	due_init(&d);
	due_set(&d, 5, 10);
	due_set(&d, 0, 12);
	due_set(&d, 15, 11);
	due_set(&d, 7, 13);
	ck_assert_uint_eq(due_take(&d, 0, 9), DUE_MAX);
	ck_assert_uint_eq(due_take(&d, 0, 12), 0);
	ck_assert_uint_eq(due_take(&d, 1, 12), 5);
	/* A slot after the last one taken may become due in the same round. */
	due_set(&d, 6, 12);
	ck_assert_uint_eq(due_take(&d, 6, 12), 6);
	/* A slot before it runs in the next round. */
	due_set(&d, 2, 1);
	ck_assert_uint_eq(due_take(&d, 7, 12), 15);
	ck_assert_uint_eq(due_take(&d, 16, 12), DUE_MAX);
	ck_assert_uint_eq(due_take(&d, 0, 12), 2);
	ck_assert_uint_eq(due_take(&d, 0, 12), DUE_MAX);
	ck_assert_uint_eq(d.first, 13);
}
END_TEST

/* Compares d.first with the computed minimum. */
START_TEST(any_order_keeps_the_minimum)
{
	struct due d;
	mono_ms first;
	unsigned i, k;

	srand((unsigned)unit_seed(1));
	due_init(&d);
	for (i = 0; i < unit_rounds(20000); i++) {
		if (rand() % 4 == 0)
			(void)due_take(&d, (unsigned)rand() % DUE_MAX,
			    (mono_ms)(rand() % 50));
		else
			due_set(&d, (unsigned)rand() % DUE_MAX,
			    rand() % 3 == 0 ? MONO_NEVER
					    : (mono_ms)(rand() % 50));
		first = MONO_NEVER;
		for (k = 0; k < DUE_MAX; k++)
			first = mono_min(first, d.at[k]);
		ck_assert_uint_eq(d.first, first);
	}
}
END_TEST

UNIT_SUITE(due)
{
	Suite *s = suite_create("due");
	TCase *tc = tcase_create("due");

	tcase_add_test(tc, the_earliest_is_at_hand);
	tcase_add_test(tc, slots_are_taken_in_order_once);
	tcase_add_test(tc, any_order_keeps_the_minimum);
	suite_add_tcase(s, tc);
	return s;
}
