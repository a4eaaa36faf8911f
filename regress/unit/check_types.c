#include "base/types.h"
#include "regress/unit/unit.h"

START_TEST(times_saturate)
{
	ck_assert(mono_add(5, 6) == 11);
	ck_assert(mono_add(MONO_NEVER, 1) == MONO_NEVER);
	ck_assert(mono_add(MONO_NEVER - 1, 5) == MONO_NEVER);
	ck_assert(mono_until(10, 4) == 0);
	ck_assert(mono_until(4, 10) == 6);
	ck_assert(mono_min(3, 2) == 2);
}
END_TEST

START_TEST(rectangles_are_half_open)
{
	struct cell_rect r = { 2, 1, 3, 3 }, none = { 0, 0, 0, 5 };

	ck_assert(cell_rect_has(&r, 4, 3));
	ck_assert(!cell_rect_has(&r, 5, 3));
	ck_assert(!cell_rect_has(&none, 0, 0));
}
END_TEST

UNIT_SUITE(types)
{
	Suite *s = suite_create("types");
	TCase *tc = tcase_create("types");

	tcase_add_test(tc, times_saturate);
	tcase_add_test(tc, rectangles_are_half_open);
	suite_add_tcase(s, tc);
	return s;
}
