#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "conf/key_name.h"
#include "regress/unit/unit.h"

/* Input, key code, expected name (NULL: the input). */
static const struct {
	const char *in;
	key_code code;
	const char *out;
} rows[] = {
	/* clang-format off */
	{ "a", 'a', NULL },
	{ "A", 'A', NULL },
	{ "-", '-', NULL },
	{ "^", '^', NULL },
	{ "~", '~', NULL },
	{ ";", ';', NULL },
	{ "\xc3\xa9", 0xe9, NULL },
	{ "\xe6\x97\xa5", 0x65e5, NULL },
	{ "C-a", KEY_CTRL | 'a', NULL },
	{ "c-a", KEY_CTRL | 'a', "C-a" },
	{ "^a", KEY_CTRL | 'a', "C-a" },
	{ "^A", KEY_CTRL | 'a', "C-a" },
	{ "C-A", KEY_CTRL | 'a', "C-a" },
	{ "^M-a", KEY_CTRL | KEY_META | 'a', "C-M-a" },
	{ "C-[", KEY_CTRL | '[', NULL },
	{ "C--", KEY_CTRL | '-', NULL },
	{ "C-^", KEY_CTRL | '^', NULL },
	{ "^^", KEY_CTRL | '^', "C-^" },
	{ "C-Space", KEY_CTRL | ' ', NULL },
	{ "C-@", KEY_CTRL | '@', NULL },
	{ "C-?", KEY_CTRL | '?', NULL },
	{ "M-a", KEY_META | 'a', NULL },
	{ "M-A", KEY_META | 'A', NULL },
	{ "M--", KEY_META | '-', NULL },
	{ "M-{", KEY_META | '{', NULL },
	{ "S-a", KEY_SHIFT | 'a', NULL },
	{ "C-S-a", KEY_CTRL | KEY_SHIFT | 'a', NULL },
	{ "M-C-Left", KEY_META | KEY_CTRL | KEY_LEFT, "C-M-Left" },
	{ "S-M-C-Up", KEY_META | KEY_CTRL | KEY_SHIFT | KEY_UP, "C-M-S-Up" },
	{ "D-x", KEY_SUPER | 'x', NULL },
	{ "H-x", KEY_HYPER | 'x', NULL },
	{ "W-x", KEY_META2 | 'x', NULL },
	{ "Super-x", KEY_SUPER | 'x', "D-x" },
	{ "hyper-Left", KEY_HYPER | KEY_LEFT, "H-Left" },
	{ "C-Meta-S-Left", KEY_CTRL | KEY_META2 | KEY_SHIFT | KEY_LEFT,
	    "C-S-W-Left" },
	{ "M-\xc3\xa9", KEY_META | 0xe9, NULL },
	{ "Space", ' ', NULL },
	{ "space", ' ', "Space" },
	{ " ", ' ', "Space" },
	{ "Insert", KEY_IC, "IC" },
	{ "Delete", KEY_DC, "DC" },
	{ "PageUp", KEY_PPAGE, "PPage" },
	{ "PgUp", KEY_PPAGE, "PPage" },
	{ "PageDown", KEY_NPAGE, "NPage" },
	{ "PgDn", KEY_NPAGE, "NPage" },
	{ "npage", KEY_NPAGE, "NPage" },
	{ "None", KEY_NONE, NULL },
	{ "none", KEY_NONE, "None" },
	{ "Any", KEY_ANY, NULL },
	{ "0x41", 'A', "A" },
	{ "0x20", ' ', "Space" },
	{ "0x0d", KEY_ENTER, "Enter" },
	{ "0x9", KEY_TAB, "Tab" },
	{ "0x1b", KEY_ESCAPE, "Escape" },
	{ "0x7f", KEY_BSPACE, "BSpace" },
	{ "0x0", KEY_CTRL | ' ', "C-Space" },
	{ "0x01", KEY_CTRL | 'a', "C-a" },
	{ "0x1c", KEY_CTRL | '\\', "C-\\" },
	{ "0x1f600", 0x1f600, "\xf0\x9f\x98\x80" },
	{ "0x85", 0x85, NULL },
	{ "User0", KEY_USER0, NULL },
	{ "User999", KEY_USER0 + 999, NULL },
	{ "C-User7", KEY_CTRL | (KEY_USER0 + 7), NULL },
	{ "0", '0', NULL },
	/* clang-format on */
};

static const char *const bad[] = { "", "C-", "M-", "C-M-", "Foo", "C-Foo", "ab",
	"F99", "0x", "0xg", "0x110000", "0xd800", "User", "User1000", "User-1",
	"MouseDown0Pane", "MouseDown12Pane", "MouseDownPane", "MouseDown1",
	"MouseDown1Nowhere", "WheelUp1Pane", "Mouse", "\xff", "a\xff", "X-a",
	"MouseDown1panes", "C-\xc3", "M-^a", "C-0x41", "\x01", "C-\x01",
	"M-\x1b", "C-Any" };

static void
check_back(key_code code, const char *want)
{
	char name[KEY_NAME_MAX];
	key_code again;

	ck_assert_str_eq(key_name_format(code, name, sizeof(name)), want);
	ck_assert_msg(key_name_parse(name, &again) == 0, "%s", name);
	ck_assert_msg(again == code, "%s: %llx is not %llx", name,
	    (unsigned long long)again, (unsigned long long)code);
}

START_TEST(names_are_read_and_printed)
{
	key_code k = 0;
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		ck_assert_msg(
		    key_name_parse(rows[i].in, &k) == 0, "%s", rows[i].in);
		ck_assert_msg(k == rows[i].code, "%s: %llx", rows[i].in,
		    (unsigned long long)k);
		check_back(k, rows[i].out != NULL ? rows[i].out : rows[i].in);
	}
}
END_TEST

START_TEST(every_special_key_goes_both_ways)
{
	static const key_code mods[] = { 0, KEY_CTRL, KEY_META, KEY_SHIFT,
		KEY_CTRL | KEY_META, KEY_CTRL | KEY_META | KEY_SHIFT };
	static const char *const text[] = { "", "C-", "M-", "S-", "C-M-",
		"C-M-S-" };
	static const struct {
		const char *name;
		uint32_t code;
	} keys[] = {
#define X(name, text) { text, KEY_##name },
#include "base/key.def"
#undef X
	};
	char want[KEY_NAME_MAX];
	key_code k;
	size_t i, m;

	for (i = 0; i < ARRAY_LEN(keys); i++) {
		for (m = 0; m < ARRAY_LEN(mods); m++) {
			if (keys[i].code == KEY_ANY && m > 0)
				continue; /* a key of the tables only */
			snprintf(
			    want, sizeof(want), "%s%s", text[m], keys[i].name);
			ck_assert_int_eq(key_name_parse(want, &k), 0);
			ck_assert(k == (mods[m] | keys[i].code));
			check_back(k, want);
		}
	}
}
END_TEST

START_TEST(every_mouse_key_goes_both_ways)
{
	static const struct {
		const char *name;
		bool button;
	} kinds[] = {
#define KIND(name, text, button) { text, button },
#include "base/key_mouse.def"
	};
	static const char *const places[] = {
#define PLACE(name, text) text,
#include "base/key_mouse.def"
	};
	char want[KEY_NAME_MAX];
	unsigned kind, place, button;
	key_code k;

	for (kind = 0; kind < ARRAY_LEN(kinds); kind++)
		for (place = 0; place < ARRAY_LEN(places); place++)
			for (button = 0; button <= 11; button++) {
				if ((button > 0) != kinds[kind].button)
					continue;
				if (button > 0)
					snprintf(want, sizeof(want), "%s%u%s",
					    kinds[kind].name, button,
					    places[place]);
				else
					snprintf(want, sizeof(want), "%s%s",
					    kinds[kind].name, places[place]);
				k = key_mouse((enum key_mouse_kind)kind, button,
				    (enum key_mouse_place)place);
				ck_assert(key_is_mouse(k));
				ck_assert(key_is_mouse(k | KEY_CTRL));
				ck_assert_uint_eq(key_mouse_kind(k), kind);
				ck_assert_uint_eq(key_mouse_place(k), place);
				ck_assert_uint_eq(key_mouse_button(k), button);
				check_back(k, want);
			}
	ck_assert_int_eq(key_name_parse("C-M-MouseDown11Control9", &k), 0);
	check_back(k, "C-M-MouseDown11Control9");
}
END_TEST

START_TEST(every_code_point_goes_both_ways)
{
	char name[KEY_NAME_MAX];
	key_code k, again;

	for (k = 0x20; k < 0x110000; k += k < 0x3000 ? 1 : 97) {
		if ((k >= 0xd800 && k <= 0xdfff) || k == 0x7f)
			continue;
		key_name_format(k, name, sizeof(name));
		ck_assert_msg(key_name_parse(name, &again) == 0 && again == k,
		    "%s: %llx", name, (unsigned long long)k);
	}
}
END_TEST

START_TEST(bad_names_are_errors)
{
	char name[8];
	key_code k = 1;
	size_t i;

	for (i = 0; i < ARRAY_LEN(bad); i++)
		ck_assert_msg(
		    key_name_parse(bad[i], &k) == -ERR_SYNTAX, "%s", bad[i]);
	ck_assert(k == 1);
	/* A small buffer only cuts the name. */
	key_name_format(KEY_MODS | KEY_VOLUME_DOWN, name, sizeof(name));
	ck_assert_uint_eq(strlen(name), 7);
	key_name_format(0xfffffffe, name, sizeof(name));
	key_name_format(KEY_MOUSE0 + 0x3fff, name, sizeof(name));
}
END_TEST

UNIT_SUITE(key_name)
{
	Suite *s = suite_create("key_name");
	TCase *tc = tcase_create("key_name");

	tcase_add_test(tc, names_are_read_and_printed);
	tcase_add_test(tc, every_special_key_goes_both_ways);
	tcase_add_test(tc, every_mouse_key_goes_both_ways);
	tcase_add_test(tc, every_code_point_goes_both_ways);
	tcase_add_test(tc, bad_names_are_errors);
	suite_add_tcase(s, tc);
	return s;
}
