#include "base/key.h"
#include "regress/unit/unit.h"

START_TEST(special_keys_have_names)
{
	uint32_t k;

	ck_assert_str_eq(key_special_name(KEY_UP), "Up");
	ck_assert_str_eq(key_special_name(KEY_ANY), "Any");
	ck_assert_str_eq(key_special_name(KEY_F12), "F12");
	ck_assert_uint_eq(KEY_UP, KEY_SPECIAL);
	ck_assert_ptr_null(key_special_name('a'));
	ck_assert_ptr_null(key_special_name(0));
	ck_assert_ptr_null(key_special_name(KEY_SPECIAL_BEFORE));
	ck_assert_ptr_null(key_special_name(KEY_SPECIAL_END));
	ck_assert_ptr_null(key_special_name(KEY_USER0));
	ck_assert_ptr_null(key_special_name(UINT32_MAX));
	for (k = KEY_SPECIAL_BEFORE + 1; k < KEY_SPECIAL_END; k++)
		ck_assert_ptr_nonnull(key_special_name(k));
	ck_assert((KEY_MODS & KEY_LOCKS) == 0);
	ck_assert(((KEY_MODS | KEY_LOCKS) & KEY_MASK) == 0);
}
END_TEST

UNIT_SUITE(key)
{
	Suite *s = suite_create("key");
	TCase *tc = tcase_create("key");

	tcase_add_test(tc, special_keys_have_names);
	suite_add_tcase(s, tc);
	return s;
}
