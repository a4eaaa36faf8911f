#include "base/compiler.h"
#include "base/key.h"
#include "regress/unit/unit.h"

START_TEST(codes_and_modifiers_are_apart)
{
	ck_assert_uint_eq(KEY_UP, KEY_SPECIAL);
	ck_assert((KEY_MODS & KEY_LOCKS) == 0);
	ck_assert(((KEY_MODS | KEY_LOCKS) & KEY_MASK) == 0);
}
END_TEST

START_TEST(control_codes_have_keys)
{
	static const struct {
		uint32_t cp;
		key_code key;
	} rows[] = {
		{ 0x00, KEY_CTRL | ' ' },
		{ 0x01, KEY_CTRL | 'a' },
		{ 0x09, KEY_TAB },
		{ 0x0a, KEY_CTRL | 'j' },
		{ 0x0d, KEY_ENTER },
		{ 0x1a, KEY_CTRL | 'z' },
		{ 0x1b, KEY_ESCAPE },
		{ 0x1c, KEY_CTRL | '\\' },
		{ 0x1f, KEY_CTRL | '_' },
		{ 0x7f, KEY_BSPACE },
	};
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		ck_assert(key_is_control(rows[i].cp));
		ck_assert_uint_eq(key_from_control(rows[i].cp), rows[i].key);
	}
	ck_assert(!key_is_control(' '));
	ck_assert(!key_is_control('~'));
	ck_assert(!key_is_control(0x80));
}
END_TEST

UNIT_SUITE(key)
{
	Suite *s = suite_create("key");
	TCase *tc = tcase_create("key");

	tcase_add_test(tc, codes_and_modifiers_are_apart);
	tcase_add_test(tc, control_codes_have_keys);
	suite_add_tcase(s, tc);
	return s;
}
