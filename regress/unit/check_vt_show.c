/* Rows of double width as pairs of columns, and back. */
#include <string.h>

#include "base/grapheme.h"
#include "mux/vt/frame.h"
#include "mux/vt/show.h"
#include "regress/unit/unit.h"

#define COLS 20

static struct grapheme_table *table;

static struct vt_line *
row(const char *text, uint16_t flags)
{
	struct vt_frame *f = vt_frame_new(COLS, 1);
	struct pen pen = { .bg = colour_index(4) };
	struct vt_line *line;

	vt_frame_text(f, table, 0, 0, COLS, text, strlen(text), &pen);
	vt_frame_own(f, 0)->flags = flags;
	line = vt_line_ref(f->lines[0]);
	vt_frame_unref(f);
	return line;
}

static void
assert_text(const struct vt_line *line, const char *want)
{
	char got[4 * COLS + 1] = "", one[VT_CLUSTER_MAX + 1];
	unsigned i;

	for (i = 0; i < vt_line_used(line); i++) {
		(void)vt_line_text(line, i, one);
		strncat(got, one, sizeof(got) - strlen(got) - 1);
	}
	ck_assert_str_eq(got, want);
}

START_TEST(pairs_and_back)
{
	static const struct {
		const char *text;
		const char *pairs;
	} rows[] = {
		{ "abc", "a b c " },
		{ "", "" },
		{ "0123456789", "0 1 2 3 4 5 6 7 8 9 " },
		{ "a\344\270\200b", "a \344\270\200  b " },
		{ "e\314\201x", "e\314\201 x " },
		{ "a  b", "a     b " },
	};
	struct vt_line *line, *pairs, *half;
	size_t i;

	table = grapheme_table_new(NULL);
	for (i = 0; i < ARRAY_LEN(rows); i++) {
		line = row(rows[i].text, VT_LINE_DOUBLE_WIDTH);
		pairs = vt_show_pairs(line, COLS, true);
		assert_text(pairs, rows[i].pairs);
		ck_assert(vt_show_paired(pairs, COLS));
		ck_assert_uint_eq(pairs->flags, line->flags);
		half = vt_show_halved(pairs, COLS);
		ck_assert(vt_line_equal(half, line));
		vt_line_unref(NULL, line);
		vt_line_unref(NULL, pairs);
		vt_line_unref(NULL, half);
	}
	grapheme_table_free(table);
}
END_TEST

START_TEST(what_does_not_fit_is_left_out)
{
	struct vt_line *line, *pairs;

	table = grapheme_table_new(NULL);
	line = row("0123456789abc", VT_LINE_DOUBLE_WIDTH);
	pairs = vt_show_pairs(line, COLS, true);
	assert_text(pairs, "0 1 2 3 4 5 6 7 8 9 ");
	vt_line_unref(NULL, pairs);
	/* Without text the colours stay. */
	pairs = vt_show_pairs(line, COLS, false);
	ck_assert_uint_eq(vt_line_written(pairs), 0);
	ck_assert_uint_eq(vt_line_pen(pairs, 3)->bg, colour_index(4));
	vt_line_unref(NULL, pairs);
	vt_line_unref(NULL, line);
	/* Half of a wide character is none. */
	line = row("012345678\344\270\200", VT_LINE_DOUBLE_WIDTH);
	pairs = vt_show_pairs(line, COLS, true);
	assert_text(pairs, "0 1 2 3 4 5 6 7 8   ");
	ck_assert_uint_eq(vt_line_used(pairs), COLS);
	vt_line_unref(NULL, pairs);
	vt_line_unref(NULL, line);
	grapheme_table_free(table);
}
END_TEST

START_TEST(rows_that_are_no_pairs)
{
	struct vt_line *line, *pairs;

	table = grapheme_table_new(NULL);
	line = row("a b c ", 0);
	ck_assert(!vt_show_paired(line, COLS));
	vt_line_unref(NULL, line);
	line = row("abc", VT_LINE_DOUBLE_WIDTH);
	ck_assert(!vt_show_paired(line, COLS));
	pairs = vt_show_pairs(line, COLS, true);
	vt_line_put(pairs, 3, 'x', VT_NARROW, 0);
	ck_assert(!vt_show_paired(pairs, COLS));
	vt_line_unref(NULL, pairs);
	vt_line_unref(NULL, line);
	grapheme_table_free(table);
}
END_TEST

UNIT_SUITE(vt_show)
{
	Suite *s = suite_create("vt_show");
	TCase *tc = tcase_create("show");

	tcase_add_test(tc, pairs_and_back);
	tcase_add_test(tc, what_does_not_fit_is_left_out);
	tcase_add_test(tc, rows_that_are_no_pairs);
	suite_add_tcase(s, tc);
	return s;
}
