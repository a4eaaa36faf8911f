/* Status lines at the left or right. */
#include "mux/session.h"
#include "mux/window.h"
#include "regress/unit/unit.h"
#include "regress/unit/view_util.h"

static void
start(struct view_util *u, int cols, int rows)
{
	view_util_init(u, cols, rows);
	view_util_set(u, "status-left", "<#{session_name}>");
	view_util_set(u, "status-right", "#{client_name}");
	view_util_set(
	    u, "status-column-format", "#{window_index}:#{window_active}");
	view_util_set(u, "status-column-width", "6");
}

static struct winlink *
add_window(struct view_util *u)
{
	struct winlink *wl;

	wl = mux_util_window(u->s, -1, "w");
	u->b.status_dirty = true;
	return wl;
}

START_TEST(a_row_for_each_window)
{
	struct view_util u;

	start(&u, 16, 5);
	(void)add_window(&u);
	view_util_write(u.p, "text");
	view_util_set(&u, "status-position", "left");
	ck_assert_int_eq(u.p->w, 10);
	ck_assert_int_eq(u.p->h, 5);
	VIEW_UTIL_EXPECT(&u, "<s>   text", "0:1", "1:0", "", "me");
	view_util_set(&u, "status-position", "right");
	VIEW_UTIL_EXPECT(&u, "text      <s>", "          0:1", "          1:0",
	    "", "          me");
	view_util_set(&u, "status", "off");
	VIEW_UTIL_EXPECT(&u, "text", "", "", "", "");
	ck_assert_int_eq(u.p->w, 16);
	view_util_fini(&u);
}
END_TEST

START_TEST(rows_of_panes_and_ranges)
{
	struct view_util u;
	const struct format_range *r;
	struct pane *q;

	start(&u, 20, 6);
	q = mux_util_split(u.p, LAYOUT_COLUMN);
	view_util_set(&u, "status-position", "left");
	view_util_set(&u, "status-column-pane-format", " #{pane_id}");
	(void)view_util_build(&u);
	ck_assert_str_eq(view_util_row(u.b.status, 1), "0:1");
	ck_assert_str_eq(view_util_row(u.b.status, 2), " %0");
	ck_assert_str_eq(view_util_row(u.b.status, 3), " %1");
	ck_assert_str_eq(view_util_row(u.b.status, 4), "");
	/* A click hits also the blank cells of a row. */
	r = format_drawn_at(&u.b.ranges[1], 5);
	ck_assert_int_eq(r->range.kind, STYLE_RANGE_WINDOW);
	ck_assert_uint_eq(r->range.argument, 0);
	r = format_drawn_at(&u.b.ranges[3], 5);
	ck_assert_int_eq(r->range.kind, STYLE_RANGE_PANE);
	ck_assert_uint_eq(r->range.argument, q->id);
	ck_assert_int_eq(
	    format_drawn_at(&u.b.ranges[0], 5)->range.kind, STYLE_RANGE_LEFT);
	ck_assert_ptr_null(format_drawn_at(&u.b.ranges[4], 5));
	/* The format's own ranges come first. */
	view_util_set(
	    &u, "status-column-format", "#[range=control|8]X#[norange]y");
	(void)view_util_build(&u);
	ck_assert_int_eq(format_drawn_at(&u.b.ranges[1], 0)->range.kind,
	    STYLE_RANGE_CONTROL);
	ck_assert_int_eq(
	    format_drawn_at(&u.b.ranges[1], 1)->range.kind, STYLE_RANGE_WINDOW);
	view_util_fini(&u);
}
END_TEST

START_TEST(the_current_window_stays_in_sight)
{
	struct view_util u;
	struct winlink *wl = NULL;
	int i;

	start(&u, 20, 6);
	view_util_set(&u, "status-position", "left");
	for (i = 1; i < 9; i++)
		wl = add_window(&u);
	(void)view_util_build(&u);
	ck_assert_str_eq(view_util_row(u.b.status, 1), "0:1");
	ck_assert_str_eq(view_util_row(u.b.status, 4), "3:0");
	(void)session_select(wl);
	u.b.status_dirty = true;
	(void)view_util_build(&u);
	ck_assert_str_eq(view_util_row(u.b.status, 1), "5:0");
	ck_assert_str_eq(view_util_row(u.b.status, 4), "8:1");
	view_util_fini(&u);
}
END_TEST

START_TEST(small_clients_keep_half_for_the_window)
{
	struct view_util u;

	start(&u, 8, 2);
	view_util_set(&u, "status-position", "right");
	view_util_set(&u, "status-column-width", "1000");
	ck_assert_int_eq(u.p->w, 4);
	VIEW_UTIL_EXPECT(&u, "    0:1", "");
	view_util_fini(&u);
	start(&u, 1, 1);
	view_util_set(&u, "status-position", "left");
	VIEW_UTIL_EXPECT(&u, "");
	ck_assert(!view_status_shown(&u.b));
	view_util_fini(&u);
}
END_TEST

UNIT_SUITE(view_column)
{
	Suite *s = suite_create("view_column");
	TCase *tc = tcase_create("view_column");

	tcase_add_test(tc, a_row_for_each_window);
	tcase_add_test(tc, rows_of_panes_and_ranges);
	tcase_add_test(tc, the_current_window_stays_in_sight);
	tcase_add_test(tc, small_clients_keep_half_for_the_window);
	suite_add_tcase(s, tc);
	return s;
}
