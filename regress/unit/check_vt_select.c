#include <string.h>

#include "base/err.h"
#include "mux/vt/select.h"
#include "regress/unit/unit.h"
#include "regress/unit/vt_fill.h"

static char *
selected(struct vt_grid *grid, enum vt_select_kind kind, struct vt_pos a,
    struct vt_pos b)
{
	struct vt_selection sel = { kind, a, b };
	struct vt_range r;
	struct text_grid g;
	static struct buf out;

	buf_fini(&out);
	buf_init(&out, 4096);
	text_grid_init(&g, grid);
	r = vt_select_range(&g.text, &sel, "-:");
	ck_assert_int_eq(vt_select_text(&out, &g.text, &r), 0);
	return (char *)(uintptr_t)buf_cstr(&out);
}

START_TEST(kinds_of_selection)
{
	static const struct {
		enum vt_select_kind kind;
		struct vt_pos a, b;
		const char *want;
	} rows[] = {
		{ VT_SELECT_CHAR, { 0, 4 }, { 0, 4 }, "t" },
		{ VT_SELECT_CHAR, { 0, 4 }, { 1, 2 }, "two\nabc" },
		{ VT_SELECT_CHAR, { 1, 2 }, { 0, 4 }, "two\nabc" },
		/* a wrap gives no newline */
		{ VT_SELECT_CHAR, { 1, 8 }, { 2, 1 }, "ijkl" },
		/* half a wide cell is all of it */
		{ VT_SELECT_CHAR, { 4, 1 }, { 4, 4 }, "中x 文" },
		{ VT_SELECT_WORD, { 0, 5 }, { 0, 5 }, "two" },
		{ VT_SELECT_WORD, { 2, 0 }, { 2, 0 }, "abcdefghijkl" },
		{ VT_SELECT_WORD, { 3, 1 }, { 3, 1 }, "two" },
		{ VT_SELECT_WORD, { 3, 3 }, { 3, 3 }, "-:" },
		{ VT_SELECT_WORD, { 3, 6 }, { 0, 1 },
		    "one two\nabcdefghijkl  one\ntwo-:y" },
		{ VT_SELECT_LINE, { 2, 3 }, { 2, 3 }, "abcdefghijkl  one" },
		{ VT_SELECT_LINE, { 0, 3 }, { 1, 0 },
		    "one two\nabcdefghijkl  one" },
		{ VT_SELECT_BLOCK, { 2, 1 }, { 0, 2 }, "ne\nbc\nl " },
		{ VT_SELECT_BLOCK, { 3, 1 }, { 4, 1 }, "w\n中" },
		{ VT_SELECT_CHAR, { 4, 3 }, { 99, 0 }, " 文x\n\n" },
		{ VT_SELECT_CHAR, { 0, 8 }, { 0, 9 }, "" },
	};
	struct vt_pool *pool = vt_pool_new();
	struct fill t = { vt_grid_new(pool, 10, 7, 100, 0), { 0, 0, false } };
	unsigned i;

	fill_text(&t, "one two\nabcdefghijkl  one\ntwo-:y\n中x 文x");
	for (i = 0; i < ARRAY_LEN(rows); i++)
		ck_assert_msg(
		    strcmp(selected(t.g, rows[i].kind, rows[i].a, rows[i].b),
			rows[i].want) == 0,
		    "row %u: got '%s', want '%s'", i,
		    selected(t.g, rows[i].kind, rows[i].a, rows[i].b),
		    rows[i].want);
	vt_grid_free(t.g);
	vt_pool_free(pool);
}
END_TEST

START_TEST(output_of_a_command_is_found_by_marks)
{
	struct vt_pool *pool = vt_pool_new();
	struct fill t = { vt_grid_new(pool, 10, 4, 100, 0), { 0, 0, false } };
	static const struct {
		const char *text;
		uint16_t flags;
	} rows[] = {
		{ "$ ls\n", VT_LINE_PROMPT | VT_LINE_INPUT },
		{ "a\n", VT_LINE_OUTPUT },
		{ "b\n", 0 },
		{ "$ false\n", VT_LINE_PROMPT | VT_LINE_INPUT | VT_LINE_DONE },
		{ "$ run\n", VT_LINE_PROMPT | VT_LINE_INPUT | VT_LINE_FAILED },
		{ "x\n", VT_LINE_OUTPUT },
		{ "y\n", 0 },
	};
	struct text_grid g;
	struct vt_range r;
	vt_row row;
	unsigned i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		vt_grid_own(t.g, t.pt.y)->flags |= rows[i].flags;
		fill_text(&t, rows[i].text);
	}
	ck_assert_uint_eq(vt_history_rows(t.g->history), 4);
	text_grid_init(&g, t.g);
	ck_assert_int_eq(vt_select_output(&g.text, 2, &r), 0);
	ck_assert(r.start.row == 1 && r.end.row == 2);
	ck_assert_int_eq(vt_select_output(&g.text, 4, &r), 0);
	ck_assert(r.start.row == 1 && r.end.row == 2);
	ck_assert_int_eq(vt_select_output(&g.text, 99, &r), 0);
	ck_assert(r.start.row == 5 && r.end.row == 6);
	ck_assert_int_eq(vt_select_output(&g.text, 0, &r), -ERR_NOTFOUND);
	ck_assert_int_eq(
	    vt_select_mark(&g.text, 5, -1, VT_LINE_PROMPT, &row), 0);
	ck_assert_uint_eq(row, 4);
	ck_assert_int_eq(
	    vt_select_mark(&g.text, 4, 1, VT_LINE_PROMPT, &row), -ERR_NOTFOUND);
	vt_grid_free(t.g);
	vt_pool_free(pool);
}
END_TEST

UNIT_SUITE(vt_select)
{
	Suite *s = suite_create("vt_select");
	TCase *tc = tcase_create("vt_select");

	tcase_add_test(tc, kinds_of_selection);
	tcase_add_test(tc, output_of_a_command_is_found_by_marks);
	suite_add_tcase(s, tc);
	return s;
}
