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

UNIT_SUITE(vt_select)
{
	Suite *s = suite_create("vt_select");
	TCase *tc = tcase_create("vt_select");

	tcase_add_test(tc, kinds_of_selection);
	suite_add_tcase(s, tc);
	return s;
}
