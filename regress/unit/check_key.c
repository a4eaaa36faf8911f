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

START_TEST(keys_that_terminals_send_only_if_asked)
{
	static const key_code extended[] = { KEY_TAB | KEY_CTRL,
		KEY_TAB | KEY_CTRL | KEY_SHIFT, KEY_ENTER | KEY_SHIFT,
		KEY_ENTER | KEY_CTRL, KEY_BSPACE | KEY_CTRL,
		KEY_ESCAPE | KEY_SHIFT, 'a' | KEY_SUPER, KEY_UP | KEY_HYPER,
		'x' | KEY_META2, 'a' | KEY_CTRL | KEY_SHIFT, '1' | KEY_CTRL,
		';' | KEY_CTRL | KEY_META, 0xe4 | KEY_CTRL, KEY_MENU,
		KEY_LEFT_SHIFT };
	static const key_code plain[] = { 'a', 'A', 'a' | KEY_CTRL,
		'a' | KEY_META, 'a' | KEY_META | KEY_CTRL, ' ' | KEY_CTRL,
		'[' | KEY_CTRL, '_' | KEY_CTRL, '?' | KEY_CTRL, KEY_TAB,
		KEY_BTAB, KEY_TAB | KEY_META, KEY_ENTER | KEY_META,
		KEY_UP | KEY_CTRL, KEY_F1 | KEY_CTRL | KEY_SHIFT, KEY_KP_5,
		KEY_ANY, KEY_FOCUS_IN, KEY_USER0 + 3, KEY_MOUSE0 | KEY_CTRL };
	size_t i;

	for (i = 0; i < ARRAY_LEN(extended); i++)
		ck_assert_msg(key_is_extended(extended[i]), "%zu", i);
	for (i = 0; i < ARRAY_LEN(plain); i++)
		ck_assert_msg(!key_is_extended(plain[i]), "%zu", i);
	ck_assert(key_is_modifier(KEY_LEFT_SHIFT | KEY_SHIFT));
	ck_assert(key_is_modifier(KEY_ISO_LEVEL5_SHIFT));
	ck_assert(key_is_modifier(KEY_NUM_LOCK));
	ck_assert(!key_is_modifier(KEY_MENU));
}
END_TEST

UNIT_SUITE(key)
{
	Suite *s = suite_create("key");
	TCase *tc = tcase_create("key");

	tcase_add_test(tc, codes_and_modifiers_are_apart);
	tcase_add_test(tc, control_codes_have_keys);
	tcase_add_test(tc, keys_that_terminals_send_only_if_asked);
	suite_add_tcase(s, tc);
	return s;
}
