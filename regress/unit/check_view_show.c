/* Rows of double size as a client sees them. */
#include "base/bidi.h"
#include "mux/client.h"
#include "mux/view/show.h"
#include "mux/vt/block.h"
#include "regress/unit/unit.h"
#include "regress/unit/view_util.h"

static const struct vt_frame *
frame(struct view_util *u, const struct pane *p)
{
	(void)view_util_build(u);
	return view_util_frame(u, VIEW_SURFACE_PANE(p->id));
}

START_TEST(double_rows_are_pairs)
{
	struct view_util u;
	const struct vt_frame *f;

	view_util_init(&u, 20, 4);
	view_util_set(&u, "status", "off");
	view_util_write(u.p, "\033#6abc\r\nplain\r\n\033#3T\r\n\033#4T");
	f = frame(&u, u.p);
	VIEW_UTIL_SAME(f, "a b c", "plain", "T", "");
	ck_assert_uint_eq(f->state.x, 2);
	ck_assert_uint_eq(f->lines[0]->flags, VT_LINE_DOUBLE_WIDTH);
	/* Columns of the mouse. */
	ck_assert_int_eq(view_show_column(&u.b, u.p, 5, 0), 2);
	ck_assert_int_eq(view_show_column(&u.b, u.p, 5, 1), 5);
	ck_assert_int_eq(view_show_column(&u.b, u.p, -1, 0), -1);
	ck_assert_int_eq(view_show_column(&u.b, u.p, 5, 9), 5);
	/* A terminal with such rows gets both halves. */
	client_set_features(u.c, "256,doublesize");
	u.b.panes_dirty = true;
	VIEW_UTIL_SAME(frame(&u, u.p), "a b c", "plain", "T", "T");
	view_util_fini(&u);
}
END_TEST

START_TEST(a_pane_beside_another_has_one_text)
{
	struct view_util u;
	struct pane *q;

	view_util_init(&u, 21, 3);
	client_set_features(u.c, "doublesize");
	q = mux_util_split(u.p, LAYOUT_ROW);
	view_util_write(q, "\033#3T\r\n\033#4T");
	VIEW_UTIL_SAME(frame(&u, q), "T", "");
	/* Nothing changes: the frame stays. */
	ck_assert_ptr_eq(frame(&u, q), frame(&u, q));
	view_util_fini(&u);
}
END_TEST

/* alef, bet, gimel */
#define ABG "\327\220\327\221\327\222"
#define GBA "\327\222\327\221\327\220"

START_TEST(bidi_turns_rows)
{
	struct view_util u;
	const struct vt_frame *f;

	if (!bidi_have())
		return;
	view_util_init(&u, 20, 4);
	view_util_set(&u, "status", "off");
	view_util_write(u.p, "$ " ABG "\b");
	f = frame(&u, u.p);
	VIEW_UTIL_SAME(f, "$ " ABG, "", "", "");
	ck_assert_uint_eq(f->state.modes & VT_FRAME_BIDI, 0);
	view_util_set(&u, "bidi", "on");
	u.b.panes_dirty = true;
	f = frame(&u, u.p);
	VIEW_UTIL_SAME(f, "$ " GBA, "", "", "");
	ck_assert(view_show_changed(f));
	ck_assert_uint_ne(f->state.modes & VT_FRAME_BIDI, 0);
	/* The cursor is on gimel, as is a click there. */
	ck_assert_uint_eq(f->state.x, 2);
	ck_assert_int_eq(view_show_column(&u.b, u.p, 2, 0), 4);
	ck_assert_int_eq(view_show_column(&u.b, u.p, 1, 0), 1);
	/* Double width counts the row's own columns. */
	view_util_write(u.p, "\r\n\033#6a" ABG "\b");
	f = frame(&u, u.p);
	VIEW_UTIL_SAME(f, "$ " GBA, "a \327\222 \327\221 \327\220", "", "");
	ck_assert_uint_eq(f->state.x, 2);
	ck_assert_int_eq(view_show_column(&u.b, u.p, 3, 1), 3);
	ck_assert_int_eq(view_show_column(&u.b, u.p, 19, 1), 9);
	/* Without such text a frame stays as it is. */
	view_util_write(u.p, "\033[H\033[2Jabc");
	f = frame(&u, u.p);
	ck_assert(!view_show_changed(f));
	ck_assert_uint_eq(u.b.turned_count, 0);
	view_util_fini(&u);
}
END_TEST

START_TEST(blocks_go_to_terminals_that_have_them)
{
	struct view_util u;
	const struct vt_frame *f;
	unsigned x;

	view_util_init(&u, 20, 4);
	view_util_set(&u, "status", "off");
	view_util_write(u.p, "\033]66;s=2;Ab\aplain\r\n\nx");
	/* Without the feature there is plain text, and no key is predicted. */
	f = frame(&u, u.p);
	VIEW_UTIL_SAME(f, "A b plain", "", "x", "");
	ck_assert(view_show_changed(f));
	ck_assert_uint_eq(f->lines[0]->flags, VT_LINE_BLOCKS);
	for (x = 0; x < 20; x++)
		ck_assert_ptr_null(vt_line_block(f->lines[0], x));
	client_set_features(u.c, "256,textsize");
	u.b.panes_dirty = true;
	f = frame(&u, u.p);
	ck_assert_uint_eq(f->lines[0]->flags, VT_LINE_BLOCKS | VT_LINE_SIZED);
	ck_assert_str_eq(vt_link_uri(vt_line_block(f->lines[1], 3)), "b");
	ck_assert_uint_eq(f->lines[2]->flags, 0);
	/* Half of a block cannot be drawn. */
	view_util_write(u.p, "\033[4;1H\n");
	f = frame(&u, u.p);
	VIEW_UTIL_SAME(f, "", "x", "", "");
	ck_assert_ptr_null(vt_line_block(f->lines[0], 0));
	view_util_fini(&u);
}
END_TEST

UNIT_SUITE(view_show)
{
	Suite *s = suite_create("view_show");
	TCase *tc = tcase_create("show");

	tcase_add_test(tc, double_rows_are_pairs);
	tcase_add_test(tc, a_pane_beside_another_has_one_text);
	tcase_add_test(tc, bidi_turns_rows);
	tcase_add_test(tc, blocks_go_to_terminals_that_have_them);
	suite_add_tcase(s, tc);
	return s;
}
