#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "mux/pane_vars.h"
#include "regress/unit/unit.h"

START_TEST(variables_are_set_and_removed)
{
	struct pane_vars v;
	struct buf b;

	pane_vars_init(&v);
	buf_init(&b, 100);
	pane_vars_names(&v, &b);
	ck_assert_uint_eq(b.len, 0);
	ck_assert_ptr_null(pane_vars_get(&v, "a"));
	ck_assert(!pane_vars_set(&v, "a", ""));
	ck_assert(pane_vars_set(&v, "b", "1"));
	ck_assert(!pane_vars_set(&v, "b", "1"));
	ck_assert(pane_vars_set(&v, "a", "2"));
	ck_assert(pane_vars_set(&v, "b", "three"));
	ck_assert_str_eq(pane_vars_get(&v, "a"), "2");
	ck_assert_str_eq(pane_vars_get(&v, "b"), "three");
	pane_vars_names(&v, &b);
	ck_assert_str_eq(buf_cstr(&b), "a b");
	ck_assert_uint_eq(v.bytes, 8);
	ck_assert(pane_vars_set(&v, "b", ""));
	ck_assert_ptr_null(pane_vars_get(&v, "b"));
	ck_assert_uint_eq(v.bytes, 2);
	buf_fini(&b);
	pane_vars_fini(&v);
}
END_TEST

START_TEST(variables_are_bounded)
{
	char *big = mem_alloc(4097), name[16];
	struct pane_vars v;
	int i;

	memset(big, 'x', 4096);
	big[4096] = '\0';
	pane_vars_init(&v);
	for (i = 0; i < PANE_VARS_MAX; i++) {
		snprintf(name, sizeof name, "n%d", i);
		ck_assert(pane_vars_set(&v, name, "v"));
	}
	ck_assert(!pane_vars_set(&v, "more", "v"));
	ck_assert(pane_vars_set(&v, "n0", big));
	ck_assert(pane_vars_set(&v, "n1", big));
	ck_assert(pane_vars_set(&v, "n2", big));
	ck_assert(!pane_vars_set(&v, "n3", big));
	ck_assert_str_eq(pane_vars_get(&v, "n3"), "v");
	ck_assert_uint_le(v.bytes, PANE_VARS_BYTES_MAX);
	/* Room that another value leaves is there again. */
	ck_assert(pane_vars_set(&v, "n0", "v"));
	ck_assert(pane_vars_set(&v, "n3", big));
	for (i = 0; i < PANE_VARS_MAX; i++) {
		snprintf(name, sizeof name, "n%d", i);
		ck_assert(pane_vars_set(&v, name, ""));
	}
	ck_assert_uint_eq(v.bytes, 0);
	pane_vars_fini(&v);
	mem_free(big);
}
END_TEST

UNIT_SUITE(pane_vars)
{
	Suite *s = suite_create("pane_vars");
	TCase *tc = tcase_create("pane_vars");

	tcase_add_test(tc, variables_are_set_and_removed);
	tcase_add_test(tc, variables_are_bounded);
	suite_add_tcase(s, tc);
	return s;
}
