#include <string.h>

#include "mux/vt/line.h"
#include "regress/unit/unit.h"

START_TEST(ascii_run_is_stored)
{
	struct vt_line *line = vt_line_new(NULL);
	char text[VT_CLUSTER_MAX + 1];

	vt_line_put_ascii(line, 3, (const uint8_t *)"hello, world", 12, 0);
	ck_assert_int_eq(line->len, 15);
	vt_line_text(line, 4, text);
	ck_assert_str_eq(text, "e");
	ck_assert_ptr_null(vt_line_check(line));
	vt_line_unref(NULL, line);
}
END_TEST

UNIT_SUITE(vt_line)
{
	Suite *s = suite_create("vt_line");
	TCase *tc = tcase_create("vt_line");

	tcase_add_test(tc, ascii_run_is_stored);
	suite_add_tcase(s, tc);
	return s;
}
