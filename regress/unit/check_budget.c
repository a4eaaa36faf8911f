/*
 * The work that a guest may cause.
 */
#include <string.h>

#include "base/mem.h"
#include "regress/unit/unit.h"
#include "server/face/budget.h"

static struct sync_event *
event(enum sync_event_kind kind, size_t len)
{
	struct sync_event *ev = mem_zalloc(sizeof(*ev) + len + 1);

	ev->kind = kind;
	ev->len = len;
	return ev;
}

static unsigned
cost(enum sync_event_kind kind, size_t len)
{
	struct sync_event *ev = event(kind, len);
	unsigned n = budget_cost(ev);

	mem_free(ev);
	return n;
}

START_TEST(costs)
{
	ck_assert_uint_eq(cost(SYNC_KEY, 0), 1);
	ck_assert_uint_eq(cost(SYNC_RESIZE, 0), BUDGET_SIZE);
	ck_assert_uint_eq(cost(SYNC_PASTE, 65536), 257);
	ck_assert_uint_eq(cost(SYNC_PASTE, 16u << 20), BUDGET_BURST);
}
END_TEST

START_TEST(tokens_come_at_one_a_millisecond)
{
	struct budget b;
	unsigned i;

	budget_init(&b, 500);
	for (i = 0; i < BUDGET_BURST; i++)
		ck_assert(budget_take(&b, 500, 1));
	ck_assert(!budget_take(&b, 500, 1));
	ck_assert(budget_take(&b, 501, 1));
	ck_assert(!budget_take(&b, 501, 1));
	ck_assert(!budget_take(&b, 400, 1)); /* the clock does not go back */
	ck_assert_uint_eq(budget_when(&b, BUDGET_SIZE), 501 + BUDGET_SIZE);
	ck_assert(!budget_take(&b, 500 + BUDGET_SIZE, BUDGET_SIZE));
	ck_assert(budget_take(&b, 501 + BUDGET_SIZE, BUDGET_SIZE));
	ck_assert(budget_take(&b, 1u << 30, BUDGET_BURST));
	ck_assert(!budget_take(&b, 1u << 30, 1));
}
END_TEST

START_TEST(refusals_are_told_once_a_minute)
{
	struct budget b;

	budget_init(&b, 0);
	ck_assert_uint_eq(budget_refuse(&b, 10), 1);
	ck_assert_uint_eq(budget_refuse(&b, 11), 0);
	ck_assert_uint_eq(budget_refuse(&b, 60009), 0);
	ck_assert_uint_eq(budget_refuse(&b, 60010), 3);
	ck_assert_uint_eq(b.refused, 4);
}
END_TEST

/* A newcomer gets the place of the guest that is silent longest, if of any. */
START_TEST(the_longest_silent_goes_first)
{
	mono_ms heard[] = { 29999, MONO_NEVER, 0, 12000 };

	ck_assert_uint_eq(budget_yields(heard, 0), 0);
	ck_assert_uint_eq(budget_yields(heard, 4), 4);
	heard[3] = 30000;
	ck_assert_uint_eq(budget_yields(heard, 4), 3);
	heard[0] = 30001;
	ck_assert_uint_eq(budget_yields(heard, 4), 0);
	heard[2] = 299999;
	ck_assert_uint_eq(budget_yields(heard, 4), 2);
}
END_TEST

START_TEST(sizes)
{
	uint16_t large[4] = { 10000, 10000, 60000, 50000 };
	uint16_t usual[4] = { 500, 200, 4000, 3000 }, same[4];

	memcpy(same, usual, sizeof(same));
	budget_limit_size(usual);
	ck_assert_mem_eq(usual, same, sizeof(same));
	budget_limit_size(large);
	ck_assert_uint_eq(large[0], BUDGET_COLS_MAX);
	ck_assert_uint_eq(large[1], BUDGET_ROWS_MAX);
	ck_assert_uint_eq(large[2], 6000);
	ck_assert_uint_eq(large[3], 2500);
}
END_TEST

UNIT_SUITE(budget)
{
	Suite *s = suite_create("budget");
	TCase *tc = tcase_create("budget");

	tcase_add_test(tc, costs);
	tcase_add_test(tc, tokens_come_at_one_a_millisecond);
	tcase_add_test(tc, refusals_are_told_once_a_minute);
	tcase_add_test(tc, the_longest_silent_goes_first);
	tcase_add_test(tc, sizes);
	suite_add_tcase(s, tc);
	return s;
}
