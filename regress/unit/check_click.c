/* Double and triple clicks. */
#include "regress/unit/unit.h"
#include "server/face/click.h"

#define AT KEY_MOUSE_AT_PANE

START_TEST(three_presses)
{
	struct click k = { 0 };

	ck_assert_int_eq(click_press(&k, 1, AT, 7), KEY_MOUSE_DOWN);
	ck_assert_uint_eq(k.count, 1);
	ck_assert_int_eq(click_press(&k, 1, AT, 7), KEY_MOUSE_SECOND_CLICK);
	ck_assert_uint_eq(k.count, 2);
	ck_assert_int_eq(click_press(&k, 1, AT, 7), KEY_MOUSE_TRIPLE_CLICK);
	/* The fourth press begins again. */
	ck_assert_uint_eq(k.count, 0);
	ck_assert_int_eq(click_press(&k, 1, AT, 7), KEY_MOUSE_DOWN);
}
END_TEST

START_TEST(time_ends_a_click)
{
	struct click k = { 0 };

	ck_assert(!click_due(&k));
	(void)click_press(&k, 1, AT, 7);
	ck_assert(!click_due(&k));
	ck_assert_int_eq(click_press(&k, 1, AT, 7), KEY_MOUSE_DOWN);
	ck_assert_int_eq(click_press(&k, 1, AT, 7), KEY_MOUSE_SECOND_CLICK);
	ck_assert(click_due(&k));
	ck_assert(!click_due(&k));
	ck_assert_int_eq(click_press(&k, 1, AT, 7), KEY_MOUSE_DOWN);
}
END_TEST

START_TEST(another_place_begins_again)
{
	struct click k = { 0 };

	(void)click_press(&k, 1, AT, 7);
	ck_assert_int_eq(click_press(&k, 1, AT, 8), KEY_MOUSE_DOWN);
	ck_assert_int_eq(click_press(&k, 3, AT, 8), KEY_MOUSE_DOWN);
	ck_assert_int_eq(
	    click_press(&k, 3, KEY_MOUSE_AT_BORDER, 8), KEY_MOUSE_DOWN);
	ck_assert_int_eq(
	    click_press(&k, 3, KEY_MOUSE_AT_BORDER, 8), KEY_MOUSE_SECOND_CLICK);
	ck_assert_int_eq(
	    click_press(&k, 1, KEY_MOUSE_AT_BORDER, 8), KEY_MOUSE_DOWN);
	ck_assert(!click_due(&k));
}
END_TEST

UNIT_SUITE(click)
{
	Suite *s = suite_create("click");
	TCase *tc = tcase_create("click");

	tcase_add_test(tc, three_presses);
	tcase_add_test(tc, time_ends_a_click);
	tcase_add_test(tc, another_place_begins_again);
	suite_add_tcase(s, tc);
	return s;
}
