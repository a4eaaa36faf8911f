/* Small habits of programs: brackets, signs, what Enter removes. */
#include "predict/habit.h"
#include "regress/unit/unit.h"

START_TEST(a_pair_tells_about_the_others_until_they_are_seen)
{
	struct habit h = { .right = 0 };

	ck_assert_int_eq(habit_pairs(&h, 0), HABIT_UNKNOWN);
	habit_learn_pair(&h, habit_opens('('), true);
	ck_assert_int_eq(habit_pairs(&h, habit_opens('(')), HABIT_YES);
	ck_assert_int_eq(habit_pairs(&h, habit_opens('[')), HABIT_UNKNOWN);
	habit_learn_pair(&h, habit_opens('['), false);
	ck_assert_int_eq(habit_pairs(&h, habit_opens('[')), HABIT_NO);
	ck_assert_int_eq(habit_pairs(&h, habit_opens('{')), HABIT_NO);
	ck_assert_int_eq(habit_pairs(&h, habit_opens('(')), HABIT_YES);
}
END_TEST

START_TEST(openers_and_closers_are_matched)
{
	ck_assert_int_eq(habit_opens('a'), -1);
	ck_assert_int_eq(habit_opens(0), -1);
	ck_assert_int_eq(habit_opens(0x2603), -1);
	ck_assert_int_eq(habit_closes('('), -1);
	ck_assert_int_eq(habit_opens('['), habit_closes(']'));
	ck_assert_uint_eq(habit_closer(habit_opens('{')), '}');
	ck_assert_int_eq(habit_opens('"'), habit_closes('"'));
}
END_TEST

START_TEST(letters_beyond_ascii_are_proved_first)
{
	struct habit h = { .right = 0 };

	ck_assert_double_eq_tol(habit_chance(&h, 'x'), 1, 1e-9);
	ck_assert_double_eq_tol(habit_chance(&h, '-'), 1, 1e-9);
	ck_assert_double_lt(habit_chance(&h, 0xe9), PREDICT_CHANCE_SHORT);
	habit_learn(&h, 0xef, true);
	ck_assert_double_eq_tol(habit_chance(&h, 0xe9), 1, 1e-9);
	habit_learn(&h, '-', false);
	ck_assert_double_lt(habit_chance(&h, '-'), PREDICT_CHANCE_FLOOR);
	ck_assert_double_eq_tol(habit_chance(&h, '+'), 1, 1e-9);
}
END_TEST

START_TEST(what_enter_removes_can_be_unlearnt)
{
	struct habit h = { .right = 0 };

	habit_learn_right(&h, false);
	ck_assert_int_lt(h.right, 0);
	habit_learn_right(&h, true);
	habit_learn_right(&h, true);
	habit_learn_right(&h, true);
	ck_assert_int_eq(h.right, 2);
	habit_learn_right(&h, false);
	ck_assert_int_gt(h.right, 0);
}
END_TEST

UNIT_SUITE(predict_habit)
{
	Suite *s = suite_create("predict/habit");
	TCase *t = tcase_create("habit");

	suite_add_tcase(s, t);
	tcase_add_test(t, a_pair_tells_about_the_others_until_they_are_seen);
	tcase_add_test(t, openers_and_closers_are_matched);
	tcase_add_test(t, letters_beyond_ascii_are_proved_first);
	tcase_add_test(t, what_enter_removes_can_be_unlearnt);
	return s;
}
