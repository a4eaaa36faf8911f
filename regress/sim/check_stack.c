/*
 * Connection and transport together on simulated networks.  $UNIT_SEED repeats
 * a life.
 */
#include "regress/sim/stack.h"
#include "regress/unit/unit.h"

#define STACK_LIVES 1200
#define STACK_PARTS 4

START_TEST(lives_of_the_whole_stack_end_well)
{
	unsigned n = unit_rounds(STACK_LIVES) / STACK_PARTS, i;
	uint64_t seed = unit_seed(0);
	const char *why;

	if (seed == 0)
		seed = (uint64_t)_i * n + 1;
	else
		n = 1;
	for (i = 0; i < n; i++) {
		why = stack_life(seed + i);
		ck_assert_msg(why == NULL, "UNIT_SEED=%llu: %s",
		    (unsigned long long)(seed + i), why);
	}
}
END_TEST

UNIT_SUITE(stack)
{
	Suite *s = suite_create("sim/stack");
	TCase *tc = tcase_create("lives");

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(
	    tc, lives_of_the_whole_stack_end_well, 0, STACK_PARTS);
	suite_add_tcase(s, tc);
	return s;
}
