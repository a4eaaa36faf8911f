#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "regress/unit/unit.h"

START_TEST(names_are_ordered_and_copied)
{
	static const char *const names[] = { "pear", "apple", "fig", "figs", "",
		"zebra", "Fig" };
	int values[ARRAY_LEN(names)];
	struct map_entry *e;
	struct map m;
	char name[16];
	size_t i, n = 0;

	map_init_names(&m);
	ck_assert_ptr_null(map_get(&m, "x"));
	MAP_FOREACH(e, &m)
		n++;
	ck_assert_uint_eq(n, 0);
	for (i = 0; i < ARRAY_LEN(names); i++) {
		snprintf(name, sizeof(name), "%s", names[i]);
		ck_assert_ptr_null(map_set(&m, name, &values[i]));
		memset(name, 'x', sizeof(name));
	}
	ck_assert_uint_eq(m.count, ARRAY_LEN(names));
	for (i = 0; i < ARRAY_LEN(names); i++)
		ck_assert_ptr_eq(map_get(&m, names[i]), &values[i]);
	for (i = 1; i < m.count; i++)
		ck_assert(strcmp(m.entries[i - 1].name, m.entries[i].name) < 0);
	ck_assert_ptr_eq(map_set(&m, "fig", &m), &values[2]);
	ck_assert_str_eq(m.entries[map_lower(&m, "fi")].name, "fig");
	ck_assert_uint_eq(map_lower(&m, "zz"), m.count);
	ck_assert_ptr_eq(map_remove(&m, "fig"), &m);
	ck_assert_ptr_null(map_remove(&m, "fig"));
	ck_assert_ptr_null(map_get(&m, "fig"));
	ck_assert_ptr_eq(map_get(&m, "figs"), &values[3]);
	map_fini(&m);
	ck_assert_uint_eq(m.count, 0);
}
END_TEST

START_TEST(ids_match_a_model)
{
	static int values[256];
	bool in[256] = { false };
	unsigned long seed = unit_seed(7);
	uint32_t x = (uint32_t)seed | 1;
	struct map m;
	size_t count = 0, i;
	void *old;
	int step;

	map_init_ids(&m);
	for (step = 0; step < 20000; step++) {
		x = x * 1664525 + 1013904223;
		i = x >> 24;
		if (x & 0x8000)
			old = map_set_id(
			    &m, i * UINT64_C(0x100000001), &values[i]);
		else
			old = map_remove_id(&m, i * UINT64_C(0x100000001));
		ck_assert_ptr_eq(old, in[i] ? &values[i] : NULL);
		count = count - in[i] + ((x & 0x8000) != 0);
		in[i] = (x & 0x8000) != 0;
		ck_assert_uint_eq(m.count, count);
	}
	for (i = 0; i < 256; i++)
		ck_assert_ptr_eq(map_get_id(&m, i * UINT64_C(0x100000001)),
		    in[i] ? &values[i] : NULL);
	for (i = 1; i < m.count; i++)
		ck_assert(m.entries[i - 1].id < m.entries[i].id);
	map_fini(&m);
}
END_TEST

UNIT_SUITE(map)
{
	Suite *s = suite_create("map");
	TCase *tc = tcase_create("map");

	tcase_add_test(tc, names_are_ordered_and_copied);
	tcase_add_test(tc, ids_match_a_model);
	suite_add_tcase(s, tc);
	return s;
}
