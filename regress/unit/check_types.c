#include "base/compiler.h"
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

START_TEST(rectangles_clip)
{
	static const struct cell_rect rows[][3] = {
		{ { 0, 0, 10, 5 }, { 2, 1, 3, 3 }, { 2, 1, 3, 3 } },
		{ { 0, 0, 10, 5 }, { 8, 4, 5, 5 }, { 8, 4, 2, 1 } },
		{ { 0, 0, 10, 5 }, { -3, -2, 5, 5 }, { 0, 0, 2, 3 } },
		{ { 0, 0, 10, 5 }, { 10, 0, 5, 5 }, { 10, 0, 0, 0 } },
		{ { 0, 0, 10, 5 }, { 3, 9, 2, 2 }, { 3, 9, 0, 0 } },
		{ { 0, 0, 0, 5 }, { 0, 0, 2, 2 }, { 0, 0, 0, 0 } },
	};
	struct cell_rect r;
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		r = cell_rect_clip(&rows[i][0], &rows[i][1]);
		ck_assert_int_eq(r.x, rows[i][2].x);
		ck_assert_int_eq(r.y, rows[i][2].y);
		ck_assert_int_eq(r.w, rows[i][2].w);
		ck_assert_int_eq(r.h, rows[i][2].h);
	}
	ck_assert(cell_rect_has(&rows[0][1], 4, 3));
	ck_assert(!cell_rect_has(&rows[0][1], 5, 3));
	ck_assert(!cell_rect_has(&rows[5][0], 0, 0));
}
END_TEST

UNIT_SUITE(types)
{
	Suite *s = suite_create("types");
	TCase *tc = tcase_create("types");

	tcase_add_test(tc, times_saturate);
	tcase_add_test(tc, rectangles_clip);
	suite_add_tcase(s, tc);
	return s;
}
