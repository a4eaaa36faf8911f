/* Where lines break: what is kept, and what follows from it. */
#include "predict/margin.h"
#include "regress/unit/unit.h"

START_TEST(a_break_is_known_once_seen)
{
	struct margin m = { .used = true };

	ck_assert(!margin_breaks(&m, MARGIN_TEXT, 70));
	margin_stayed(&m, MARGIN_TEXT, 60);
	margin_broke(&m, MARGIN_TEXT, 70, 0, MARGIN_WORD);
	ck_assert(margin_breaks(&m, MARGIN_TEXT, 70));
	ck_assert(!margin_breaks(&m, MARGIN_TEXT, 69));
	ck_assert(!margin_breaks(&m, MARGIN_BLANK, 70));
	ck_assert_double_eq_tol(
	    margin_stays(&m, MARGIN_TEXT, 60, 80, true), 1, 1e-9);
	/* One key alone broke: text before its column stays. */
	ck_assert_double_eq_tol(margin_stays(&m, MARGIN_TEXT, 65, 80, true),
	    PREDICT_MARGIN_BEFORE, 1e-9);
	margin_broke(&m, MARGIN_BLANK, 70, 0, MARGIN_WORD);
	ck_assert_double_gt(
	    margin_stays(&m, MARGIN_TEXT, 65, 80, true), PREDICT_CHANCE_SHORT);
	ck_assert_double_eq_tol(
	    margin_stays(&m, MARGIN_TEXT, 70, 80, true), 0, 1e-9);
}
END_TEST

/* Keys that came together broke the row at any of their columns. */
START_TEST(doubt_grows_towards_the_break)
{
	struct margin m = { .used = true };
	double all = 1;
	unsigned x;

	margin_stayed(&m, MARGIN_TEXT, 60);
	margin_broke(&m, MARGIN_TEXT, 70, 9, MARGIN_WORD);
	for (x = 61; x < 70; x++)
		all *= margin_stays(&m, MARGIN_TEXT, x, 80, true);
	ck_assert_double_eq_tol(all, 0.1, 1e-9);
}
END_TEST

START_TEST(text_beyond_a_break_forgets_it)
{
	struct margin m = { .used = true };

	margin_broke(&m, MARGIN_TEXT, 50, 0, MARGIN_WORD);
	margin_stayed(&m, MARGIN_TEXT, 64);
	ck_assert(!margin_breaks(&m, MARGIN_TEXT, 70));
	margin_broke(&m, MARGIN_TEXT, 60, 0, MARGIN_CHAR);
	ck_assert(margin_breaks(&m, MARGIN_TEXT, 60));
	ck_assert_double_eq_tol(
	    margin_stays(&m, MARGIN_TEXT, 59, 80, true), 1, 1e-9);
}
END_TEST

/* Where rows of a screen end, new ones mostly do, too. */
START_TEST(other_rows_tell_the_length)
{
	struct margin m = { .used = true, .seen = 60 };

	ck_assert_double_gt(margin_stays(&m, MARGIN_TEXT, 60, 80, true), 0.99);
	ck_assert_double_lt(margin_stays(&m, MARGIN_TEXT, 61, 80, true), 0.95);
	m.seen = 0;
	ck_assert_double_gt(margin_stays(&m, MARGIN_TEXT, 61, 80, true), 0.99);
}
END_TEST

START_TEST(unknown_margins_leave_a_little_doubt)
{
	struct margin m = { .used = true };

	ck_assert_double_eq_tol(
	    margin_stays(&m, MARGIN_TEXT, 10, 80, true), 1, 1e-9);
	ck_assert_double_lt(margin_stays(&m, MARGIN_TEXT, 60, 80, true), 1);
	ck_assert_double_lt(margin_stays(&m, MARGIN_TEXT, 79, 80, true), 0.7);
	ck_assert_double_eq_tol(
	    margin_stays(&m, MARGIN_TEXT, 60, 80, false), 1, 1e-9);
}
END_TEST

START_TEST(starts_are_kept_by_indent_and_mark)
{
	struct margin m = { .used = true };
	unsigned i;

	ck_assert_ptr_null(margin_start(&m, 4, 0));
	margin_began(&m, 4, 0, 6, false);
	margin_began(&m, 4, '#', 6, true);
	ck_assert_uint_eq(margin_start(&m, 4, 0)->left, 6);
	ck_assert(margin_start(&m, 4, '#')->copies);
	for (i = 0; i < 100; i++)
		margin_began(&m, 10 + i, 0, 10 + i, false);
	ck_assert_ptr_null(margin_start(&m, 4, 0));
	ck_assert_ptr_nonnull(margin_start(&m, 109, 0));
}
END_TEST

/* A scroll that is wrong shows much: it takes an outcome more. */
START_TEST(scrolls_need_more_proof)
{
	struct margin m = { .used = true, .deep = 20 };
	double down = margin_chance(&m, 10, 24);

	m.up_y = 10;
	m.up_rows = 5;
	ck_assert_double_lt(margin_chance(&m, 10, 24), down);
	margin_score(&m, 10, true);
	margin_score(&m, 10, true);
	ck_assert_double_gt(margin_chance(&m, 10, 24), PREDICT_CHANCE_LONG);
	margin_score(&m, 10, false);
	ck_assert_double_lt(margin_chance(&m, 10, 24), PREDICT_CHANCE_LONG);
	/* Rows where no cursor was may not exist. */
	ck_assert_double_lt(
	    margin_chance(&m, 20, 24), margin_chance(&m, 19, 24));
}
END_TEST

UNIT_SUITE(predict_margin)
{
	Suite *s = suite_create("predict/margin");
	TCase *t = tcase_create("margin");

	suite_add_tcase(s, t);
	tcase_add_test(t, a_break_is_known_once_seen);
	tcase_add_test(t, doubt_grows_towards_the_break);
	tcase_add_test(t, text_beyond_a_break_forgets_it);
	tcase_add_test(t, unknown_margins_leave_a_little_doubt);
	tcase_add_test(t, other_rows_tell_the_length);
	tcase_add_test(t, starts_are_kept_by_indent_and_mark);
	tcase_add_test(t, scrolls_need_more_proof);
	return s;
}
