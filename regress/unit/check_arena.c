#include <string.h>

#include "base/arena.h"
#include "regress/unit/unit.h"

START_TEST(pieces_are_aligned_and_apart)
{
	static uint8_t *ps[400];
	struct arena a;
	size_t i, j, n, round, total;

	arena_init(&a);
	for (round = 0; round < 3; round++) {
		total = 0;
		for (i = 0; i < ARRAY_LEN(ps); i++) {
			n = i % 7 == 0 ? i * 997 : i;
			ps[i] = arena_alloc(&a, n);
			ck_assert_uint_eq(
			    (uintptr_t)ps[i] % _Alignof(max_align_t), 0);
			memset(ps[i], (int)(i & 0xff), n);
			total += n;
		}
		for (i = 0; i < ARRAY_LEN(ps); i++) {
			n = i % 7 == 0 ? i * 997 : i;
			for (j = 0; j < n && ps[i][j] == (i & 0xff); j++)
				;
			ck_assert_uint_eq(j, n);
		}
		ck_assert_uint_ge(arena_used(&a), total);
		arena_reset(&a);
		ck_assert_uint_eq(arena_used(&a), 0);
	}
	arena_fini(&a);
	arena_fini(&a);
}
END_TEST

START_TEST(strings_and_zeros)
{
	struct arena a;
	uint8_t *p;
	size_t i;

	arena_init(&a);
	arena_reset(&a);
	memset(arena_alloc(&a, 100), 0xff, 100);
	arena_reset(&a);
	p = arena_zalloc(&a, 100);
	for (i = 0; i < 100; i++)
		ck_assert_int_eq(p[i], 0);
	ck_assert_str_eq(arena_strdup(&a, "hello"), "hello");
	ck_assert_str_eq(arena_strndup(&a, "hello", 2), "he");
	ck_assert_str_eq(arena_strndup(&a, "hello", 99), "hello");
	ck_assert_str_eq(arena_printf(&a, "%s-%d", "x", 7), "x-7");
	arena_fini(&a);
}
END_TEST

UNIT_SUITE(arena)
{
	Suite *s = suite_create("arena");
	TCase *tc = tcase_create("arena");

	tcase_add_test(tc, pieces_are_aligned_and_apart);
	tcase_add_test(tc, strings_and_zeros);
	suite_add_tcase(s, tc);
	return s;
}
