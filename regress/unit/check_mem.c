#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "regress/unit/unit.h"

START_TEST(zalloc_gives_zeros)
{
	unsigned char *p = mem_zalloc(64);
	size_t i;

	for (i = 0; i < 64; i++)
		ck_assert_int_eq(p[i], 0);
	mem_free(p);
}
END_TEST

START_TEST(resize_aborts_on_overflow)
{
	mem_free(mem_resize(NULL, SIZE_MAX / 2, 4));
}
END_TEST

START_TEST(first_cause_wins_and_takes_prefixes)
{
	struct cause c = { NULL };

	ck_assert_int_eq(cause_set(&c, -ERR_SYNTAX, "line %d", 3), -ERR_SYNTAX);
	cause_set(&c, -ERR_PEER, "other");
	cause_prefix(&c, "file");
	ck_assert_str_eq(cause_text(&c), "file: line 3");
	cause_fini(&c);
	ck_assert_str_eq(cause_text(&c), "");
	ck_assert_str_eq(err_text(-ERR_SYNTAX), "syntax error");
	ck_assert_str_eq(err_text(-9999), "unknown error");
}
END_TEST

UNIT_SUITE(mem)
{
	Suite *s = suite_create("mem");
	TCase *tc = tcase_create("mem");

	tcase_add_test(tc, zalloc_gives_zeros);
	tcase_add_test_raise_signal(tc, resize_aborts_on_overflow, 6);
	tcase_add_test(tc, first_cause_wins_and_takes_prefixes);
	suite_add_tcase(s, tc);
	return s;
}
