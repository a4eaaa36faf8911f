#include "base/mem.h"
#include "predict/context.h"
#include "regress/unit/unit.h"

START_TEST(chances_follow_what_happened)
{
	struct context_table *t = mem_zalloc(sizeof(*t));
	struct context *c = context_find(t, 5, CONTEXT_PLAIN);
	struct context *alt = context_find(t, 6, CONTEXT_SCREEN);
	int i;

	/*
	 * Hidden after Enter, shown after one confirmed prediction; later on an
	 * alternate screen.
	 */
	ck_assert(
	    context_chance(c, CONTEXT_TEXT, 0, false) < PREDICT_CHANCE_LONG);
	ck_assert(
	    context_chance(c, CONTEXT_TEXT, 1, false) > PREDICT_CHANCE_SHORT);
	ck_assert(
	    context_chance(alt, CONTEXT_TEXT, 1, false) <= PREDICT_CHANCE_LONG);
	ck_assert(
	    context_chance(alt, CONTEXT_TEXT, 2, false) > PREDICT_CHANCE_SHORT);
	ck_assert(context_chance(c, CONTEXT_TEXT, 99, false) > 0.97);
	for (i = 0; i < 3; i++)
		context_learn(c, CONTEXT_TEXT, 0, true);
	ck_assert(
	    context_chance(c, CONTEXT_TEXT, 0, false) > PREDICT_CHANCE_SHORT);
	ck_assert(
	    context_chance(c, CONTEXT_ERASE, 0, false) < PREDICT_CHANCE_LONG);
	for (i = 0; i < 10; i++)
		context_learn(c, CONTEXT_TEXT, 0, false);
	ck_assert(context_chance(c, CONTEXT_TEXT, 0, false) < 0.3);
	/* Old outcomes weigh little. */
	for (i = 0; i < 60; i++)
		context_learn(c, CONTEXT_TEXT, 0, true);
	ck_assert(
	    context_chance(c, CONTEXT_TEXT, 0, false) > PREDICT_CHANCE_LONG);
	mem_free(t);
}
END_TEST

START_TEST(the_table_is_bounded_and_forgets_the_oldest)
{
	struct context_table *t = mem_zalloc(sizeof(*t));
	uint64_t i;

	for (i = 1; i <= 10 * PREDICT_CONTEXTS_MAX; i++) {
		context_learn(
		    context_find(t, 1, CONTEXT_PLAIN), CONTEXT_TEXT, 0, true);
		ck_assert_uint_eq(
		    context_find(t, i + 100, CONTEXT_PLAIN)->key, i + 100);
	}
	ck_assert(context_chance(context_find(t, 1, CONTEXT_PLAIN),
		      CONTEXT_TEXT, 0, false) > 0.9);
	ck_assert(context_chance(context_find(t, 101, CONTEXT_PLAIN),
		      CONTEXT_TEXT, 0, false) < 0.9);
	mem_free(t);
}
END_TEST

START_TEST(enter_is_remembered_and_relearned)
{
	struct context_table *t = mem_zalloc(sizeof(*t));
	const struct context_enter two = { .rows = 2, .place = CONTEXT_PROMPT };
	const struct context_enter one = { .rows = 1, .place = CONTEXT_COL0 };
	const struct context_enter none = { .rows = 0 };
	const struct context_enter *e;
	int i;

	ck_assert_ptr_null(context_enter_find(t, 9));
	ck_assert(!context_enter_lost(t, 9));
	context_enter_learn(t, 9, &two);
	e = context_enter_find(t, 9);
	/*
	 * The same line has the same effect in another place; another line may
	 * not.
	 */
	ck_assert(context_enter_chance(e, CONTEXT_ENTER_LINE, NULL) >
		  PREDICT_CHANCE_LONG);
	ck_assert(context_enter_chance(e, CONTEXT_ENTER_WORD, NULL) <
		  PREDICT_CHANCE_LONG);
	context_enter_learn(t, 9, &two);
	e = context_enter_find(t, 9);
	ck_assert_uint_eq(e->rows, 2);
	ck_assert_uint_eq(e->place, CONTEXT_PROMPT);
	ck_assert(context_enter_chance(e, CONTEXT_ENTER_WORD, NULL) >
		  PREDICT_CHANCE_LONG);
	ck_assert(context_enter_chance(e, CONTEXT_ENTER_ALL, NULL) <
		  PREDICT_CHANCE_LONG);
	context_enter_learn(t, 9, &two);
	/* A program, but no shell, that has always done the same. */
	ck_assert(context_enter_chance(e, CONTEXT_ENTER_ANY, NULL) >
		  PREDICT_CHANCE_LONG);
	ck_assert(context_enter_chance(e, CONTEXT_ENTER_ALL, NULL) <
		  PREDICT_CHANCE_LONG);
	context_enter_learn(t, 9, &none);
	ck_assert(context_enter_chance(e, CONTEXT_ENTER_WORD, NULL) <
		  PREDICT_CHANCE_LONG);
	ck_assert(context_enter_chance(e, CONTEXT_ENTER_ANY, NULL) <
		  PREDICT_CHANCE_LONG);
	for (i = 0; i < 9; i++)
		context_enter_learn(t, 9, &one);
	ck_assert_uint_eq(context_enter_find(t, 9)->rows, 1);
	/* Another key in the same place. */
	context_enter_learn(t, 9 + PREDICT_ENTERS_MAX, &one);
	ck_assert_ptr_null(context_enter_find(t, 9));
	/* An unpredictable effect has no row. */
	context_enter_learn(t, 10, &none);
	ck_assert_ptr_null(context_enter_find(t, 10));
	ck_assert(context_enter_lost(t, 10));
	/* Where all keys were text, the first letter of a line is text. */
	ck_assert(context_chance(context_find(t, 1, CONTEXT_SCREEN),
		      CONTEXT_TEXT, 0, true) < PREDICT_CHANCE_LONG);
	for (i = 0; i < 20; i++)
		context_learn(
		    context_find(t, 1, CONTEXT_SCREEN), CONTEXT_TEXT, 2, true);
	context_learn(
	    context_find(t, 1, CONTEXT_SCREEN), CONTEXT_TEXT, 0, true);
	ck_assert(context_chance(context_find(t, 1, CONTEXT_SCREEN),
		      CONTEXT_TEXT, 0, true) > PREDICT_CHANCE_LONG);
	ck_assert(context_chance(context_find(t, 1, CONTEXT_SCREEN),
		      CONTEXT_TEXT, 0, false) < PREDICT_CHANCE_LONG);
	mem_free(t);
}
END_TEST

UNIT_SUITE(predict_context)
{
	Suite *s = suite_create("predict/context");
	TCase *t = tcase_create("context");

	suite_add_tcase(s, t);
	tcase_add_test(t, chances_follow_what_happened);
	tcase_add_test(t, the_table_is_bounded_and_forgets_the_oldest);
	tcase_add_test(t, enter_is_remembered_and_relearned);
	return s;
}
