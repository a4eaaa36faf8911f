#include "mux/vt/charset.h"
#include "mux/vt/tabs.h"
#include "regress/unit/unit.h"

START_TEST(stops_begin_at_every_eighth_column)
{
	struct vt_tabs t;

	vt_tabs_init(&t, 80);
	ck_assert_uint_eq(vt_tabs_next(&t, 0), 8);
	ck_assert_uint_eq(vt_tabs_next(&t, 7), 8);
	ck_assert_uint_eq(vt_tabs_next(&t, 8), 16);
	ck_assert_uint_eq(vt_tabs_next(&t, 72), 79);
	ck_assert_uint_eq(vt_tabs_next(&t, 79), 79);
	ck_assert_uint_eq(vt_tabs_prev(&t, 9), 8);
	ck_assert_uint_eq(vt_tabs_prev(&t, 8), 0);
	ck_assert_uint_eq(vt_tabs_prev(&t, 0), 0);
	vt_tabs_fini(&t);
}
END_TEST

START_TEST(changed_stops_answer_as_untouched_ones_do)
{
	struct vt_tabs a, b;
	unsigned x;

	vt_tabs_init(&a, 101);
	vt_tabs_init(&b, 101);
	vt_tabs_set(&b, 3, true);
	vt_tabs_set(&b, 3, false);
	ck_assert_ptr_nonnull(b.bits);
	for (x = 0; x < 101; x++) {
		ck_assert_uint_eq(vt_tabs_has(&a, x), vt_tabs_has(&b, x));
		ck_assert_uint_eq(vt_tabs_next(&a, x), vt_tabs_next(&b, x));
		ck_assert_uint_eq(vt_tabs_prev(&a, x), vt_tabs_prev(&b, x));
	}
	vt_tabs_clear_all(&b);
	ck_assert_uint_eq(vt_tabs_next(&b, 0), 100);
	vt_tabs_resize(&b, 300);
	ck_assert_uint_eq(vt_tabs_next(&b, 0), 128);
	vt_tabs_set(&b, 5000, true);
	ck_assert(!vt_tabs_has(&b, 5000));
	vt_tabs_fini(&b);
	vt_tabs_fini(&a);
}
END_TEST

START_TEST(charsets_map_what_they_define)
{
	ck_assert_uint_eq(vt_charset_map(VT_CHARSET_DEC, 'q'), 0x2500);
	ck_assert_uint_eq(vt_charset_map(VT_CHARSET_DEC, 'x'), 0x2502);
	ck_assert_uint_eq(vt_charset_map(VT_CHARSET_DEC, '~'), 0xb7);
	ck_assert_uint_eq(vt_charset_map(VT_CHARSET_DEC, 'A'), 'A');
	ck_assert_uint_eq(vt_charset_map(VT_CHARSET_UK, '#'), 0xa3);
	ck_assert_uint_eq(vt_charset_map(VT_CHARSET_UK, '$'), '$');
	ck_assert_uint_eq(vt_charset_map(VT_CHARSET_ASCII, '#'), '#');
	ck_assert_int_eq(vt_charset_of_final('Q'), -1);
	ck_assert_int_eq(vt_charset_of_final('0'), VT_CHARSET_DEC);
}
END_TEST

UNIT_SUITE(vt_tabs)
{
	Suite *s = suite_create("vt_tabs");
	TCase *tc = tcase_create("tabs");

	tcase_add_test(tc, stops_begin_at_every_eighth_column);
	tcase_add_test(tc, changed_stops_answer_as_untouched_ones_do);
	tcase_add_test(tc, charsets_map_what_they_define);
	suite_add_tcase(s, tc);
	return s;
}
