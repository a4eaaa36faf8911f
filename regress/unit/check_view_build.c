/* Views of whole clients: placement, borders, titles and caches. */
#include <string.h>

#include "mux/view/build.h"
#include "regress/unit/unit.h"
#include "regress/unit/view_util.h"

START_TEST(one_pane_and_a_status_line)
{
	struct view_util u;

	view_util_init(&u, 20, 4);
	view_util_write(u.p, "$ ls\r\nfile");
	VIEW_UTIL_EXPECT(&u, "$ ls", "file", "", "[s] first");
	ck_assert_uint_eq(u.b.view->focus, VIEW_SURFACE_PANE(u.p->id));
	ck_assert_uint_eq(u.b.view->cols, 20);
	ck_assert_uint_eq(u.b.view->rows, 4);
	view_util_set(&u, "status", "off");
	VIEW_UTIL_EXPECT(&u, "$ ls", "file", "", "");
	ck_assert_ptr_null(view_util_frame(&u, VIEW_SURFACE_STATUS));
	ck_assert_int_eq(u.b.area.h, 4);
	view_util_fini(&u);
}
END_TEST

START_TEST(status_lines_above_the_window)
{
	struct view_util u;

	view_util_init(&u, 20, 6);
	view_util_write(u.p, "text");
	view_util_set(&u, "status-position", "top");
	view_util_set(&u, "status-format[1]", "second");
	view_util_set(&u, "status-format[2]", "");
	view_util_set(&u, "status", "3");
	VIEW_UTIL_EXPECT(&u, "[s] first", "second", "", "text", "", "");
	ck_assert_int_eq(u.b.area.y, 3);
	ck_assert_int_eq(u.b.window_y, 3);
	/* More status lines than the client has rows. */
	view_util_set(&u, "status", "5");
	client_set_size(u.c, 20, 3, 0, 0);
	(void)view_util_build(&u);
	ck_assert_int_eq(u.b.status_area.h, 3);
	ck_assert_int_eq(u.b.area.h, 0);
	view_util_fini(&u);
}
END_TEST

START_TEST(borders_and_titles)
{
	struct view_util u;
	struct pane *q;

	view_util_init(&u, 21, 6);
	q = mux_util_split(u.p, LAYOUT_ROW);
	(void)mux_util_split(q, LAYOUT_COLUMN);
	view_util_write(u.p, "left");
	view_util_write(q, "right");
	VIEW_UTIL_EXPECT(&u, "left      │right", "          │",
	    "          ├──────────", "          │", "          │", "[s] first");
	view_util_set(&u, "pane-border-status", "top");
	VIEW_UTIL_EXPECT(&u, "──0:%0────┬──1:%1────", "left      │right",
	    "          ├──2:%2────", "          │", "          │", "[s] first");
	view_util_set(&u, "pane-border-status", "bottom");
	view_util_set(&u, "pane-border-lines", "simple");
	VIEW_UTIL_EXPECT(&u, "left      |right", "          |",
	    "          +--1:%1----", "          |", "--0:%0----+--2:%2----",
	    "[s] first");
	view_util_fini(&u);
}
END_TEST

START_TEST(a_zoomed_pane_fills_the_window)
{
	struct view_util u;
	struct pane *q;

	view_util_init(&u, 20, 4);
	q = mux_util_split(u.p, LAYOUT_ROW);
	view_util_write(q, "zoomed");
	ck_assert_int_eq(window_zoom(q), 0);
	u.b.chrome_dirty = true;
	VIEW_UTIL_EXPECT(&u, "zoomed", "", "", "[s] first");
	ck_assert_ptr_null(view_util_frame(&u, VIEW_SURFACE_PANE(u.p->id)));
	/* The zoomed pane keeps its title row. */
	view_util_set(&u, "pane-border-status", "top");
	VIEW_UTIL_EXPECT(&u, "──1:%1──────────────", "zoomed", "", "[s] first");
	view_util_fini(&u);
}
END_TEST

START_TEST(a_pane_that_one_client_has_zoomed)
{
	struct view_util u;
	struct pane *q;

	view_util_init(&u, 20, 4);
	q = mux_util_split(u.p, LAYOUT_ROW);
	view_util_write(q, "mine");
	client_set_flags(u.c, CLIENT_ACTIVE_PANE, true);
	client_set_pane(u.c, q);
	u.c->zoom = q->id;
	VIEW_UTIL_EXPECT(&u, "mine", "", "", "[s] first");
	ck_assert_uint_eq(u.b.view->nsurfaces, 2);
	ck_assert_int_eq(u.b.window_x, -q->x);
	view_util_fini(&u);
}
END_TEST

START_TEST(a_window_smaller_than_the_client)
{
	struct view_util u;
	struct window *w;

	view_util_init(&u, 12, 6);
	w = u.s->current->window;
	view_util_set(&u, "window-size", "manual");
	window_resize(w, 6, 3);
	view_util_write(u.p, "small");
	VIEW_UTIL_EXPECT(&u, "small │·····", "      │·····", "      │·····",
	    "──────┘·····", "············", "[s] first");
	view_util_set(&u, "fill-character", "x");
	view_util_set(&u, "status-position", "top");
	window_resize(w, 6, 3);
	VIEW_UTIL_EXPECT(&u, "[s] first", "small │xxxxx", "      │xxxxx",
	    "      │xxxxx", "──────┘xxxxx", "xxxxxxxxxxxx");
	/* A fill-character of width 2 is replaced. */
	view_util_set(&u, "fill-character", "漢");
	window_resize(w, 6, 4);
	VIEW_UTIL_EXPECT(&u, "[s] first", "small │·····", "      │·····",
	    "      │·····", "      │·····", "──────┘·····");
	view_util_fini(&u);
}
END_TEST

/* security: a terminal far larger than the window costs a row, not its cells. */
START_TEST(what_is_outside_is_one_row)
{
	struct vt_frame *f;
	struct view_util u;
	unsigned y;

	view_util_init(&u, 1000, 500);
	view_util_set(&u, "window-size", "manual");
	window_resize(u.s->current->window, 6, 2);
	(void)view_util_build(&u);
	f = view_util_frame(&u, VIEW_SURFACE_OUTSIDE);
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_ge(f->rows, 499);
	for (y = 1; y < f->rows; y++)
		ck_assert_ptr_eq(f->lines[y], f->lines[0]);
	view_util_fini(&u);
}
END_TEST

/* fill-character is expanded with the chrome, not with each view. */
START_TEST(what_is_outside_is_kept)
{
	struct vt_frame *f;
	struct view_util u;
	unsigned expanded;

	view_util_init(&u, 20, 8);
	view_util_set(&u, "window-size", "manual");
	view_util_set(&u, "fill-character", "#{=1:window_name}");
	window_resize(u.s->current->window, 6, 3);
	(void)view_util_build(&u);
	f = view_util_frame(&u, VIEW_SURFACE_OUTSIDE);
	expanded = u.expanded;
	view_util_write(u.p, "!");
	(void)view_util_build(&u);
	ck_assert_ptr_eq(f, view_util_frame(&u, VIEW_SURFACE_OUTSIDE));
	ck_assert_uint_eq(u.expanded, expanded);
	view_util_set(&u, "fill-character", "y");
	window_resize(u.s->current->window, 6, 3);
	u.b.chrome_dirty = true;
	VIEW_UTIL_EXPECT(&u, "!     │yyyyyyyyyyyyy", "      │yyyyyyyyyyyyy",
	    "      │yyyyyyyyyyyyy", "──────┘yyyyyyyyyyyyy",
	    "yyyyyyyyyyyyyyyyyyyy", "yyyyyyyyyyyyyyyyyyyy",
	    "yyyyyyyyyyyyyyyyyyyy", "[s] first");
	view_util_fini(&u);
}
END_TEST

START_TEST(a_window_larger_than_the_client)
{
	struct view_util u;

	view_util_init(&u, 10, 4);
	view_util_set(&u, "window-size", "manual");
	window_resize(u.s->current->window, 30, 10);
	view_util_write(u.p, "0123456789abcdefghij");
	/* The view pans so that the cursor is visible. */
	VIEW_UTIL_EXPECT(&u, "fghij", "", "", "[s] first");
	ck_assert_int_eq(u.b.window_x, -15);
	ck_assert_ptr_null(view_util_frame(&u, VIEW_SURFACE_OUTSIDE));
	client_pan(u.c, -100, 2);
	VIEW_UTIL_EXPECT(&u, "", "", "", "[s] first");
	ck_assert_int_eq(u.b.window_x, 0);
	ck_assert_int_eq(u.b.window_y, -2);
	view_util_fini(&u);
}
END_TEST

/* --- caches ---------------------------------------------------------------------- */

START_TEST(unchanged_frames_are_kept)
{
	struct view_util u;
	struct vt_frame *chrome, *status, *left, *right;
	struct vt_line *line;
	struct pane *q;
	unsigned expanded;

	view_util_init(&u, 20, 4);
	q = mux_util_split(u.p, LAYOUT_ROW);
	view_util_write(u.p, "one\r\ntwo");
	view_util_write(q, "$");
	(void)view_util_build(&u);
	chrome = view_util_frame(&u, VIEW_SURFACE_CHROME);
	status = view_util_frame(&u, VIEW_SURFACE_STATUS);
	left = view_util_frame(&u, VIEW_SURFACE_PANE(u.p->id));
	right = view_util_frame(&u, VIEW_SURFACE_PANE(q->id));
	line = left->lines[0];
	expanded = u.expanded;
	(void)view_util_build(&u);
	ck_assert_uint_eq(u.expanded, expanded);
	ck_assert_ptr_eq(left, view_util_frame(&u, VIEW_SURFACE_PANE(u.p->id)));
	/* Output of one pane: its other rows and all other frames are kept. */
	vt_frame_ref(left);
	view_util_write(u.p, "!");
	(void)view_util_build(&u);
	ck_assert_ptr_ne(left, view_util_frame(&u, VIEW_SURFACE_PANE(u.p->id)));
	ck_assert_ptr_eq(
	    line, view_util_frame(&u, VIEW_SURFACE_PANE(u.p->id))->lines[0]);
	ck_assert_ptr_eq(right, view_util_frame(&u, VIEW_SURFACE_PANE(q->id)));
	ck_assert_ptr_eq(chrome, view_util_frame(&u, VIEW_SURFACE_CHROME));
	ck_assert_ptr_eq(status, view_util_frame(&u, VIEW_SURFACE_STATUS));
	ck_assert_uint_eq(u.expanded, expanded);
	vt_frame_unref(left);
	view_util_fini(&u);
}
END_TEST

START_TEST(dirty_frames_are_drawn_again)
{
	struct view_util u;
	struct vt_frame *chrome, *status;

	view_util_init(&u, 20, 4);
	(void)view_util_build(&u);
	chrome = vt_frame_ref(view_util_frame(&u, VIEW_SURFACE_CHROME));
	status = vt_frame_ref(view_util_frame(&u, VIEW_SURFACE_STATUS));
	u.b.chrome_dirty = u.b.status_dirty = true;
	(void)view_util_build(&u);
	ck_assert_ptr_ne(chrome, view_util_frame(&u, VIEW_SURFACE_CHROME));
	ck_assert_ptr_ne(status, view_util_frame(&u, VIEW_SURFACE_STATUS));
	ck_assert(!u.b.chrome_dirty && !u.b.status_dirty && !u.b.panes_dirty);
	vt_frame_unref(chrome);
	vt_frame_unref(status);
	/* A new size needs no dirty flag. */
	client_set_size(u.c, 30, 5, 0, 0);
	(void)view_util_build(&u);
	ck_assert_uint_eq(view_util_frame(&u, VIEW_SURFACE_STATUS)->cols, 30);
	ck_assert_uint_eq(view_util_frame(&u, VIEW_SURFACE_CHROME)->rows, 4);
	/* Neither does another window. */
	(void)session_select(mux_util_window(u.s, -1, "second"));
	client_fit_windows(u.m);
	(void)view_util_build(&u);
	ck_assert_uint_eq(u.b.chrome_window, u.s->current->window->id);
	view_util_fini(&u);
}
END_TEST

START_TEST(builders_share_frames_of_panes)
{
	struct view_builder other;
	struct vt_frame *f;
	struct view_util u;
	struct client *c;

	view_util_init(&u, 20, 4);
	view_util_write(u.p, "text");
	c = mux_util_client(u.s, "other", 20, 4);
	view_util_builder(&u, &other, c);
	(void)view_util_build(&u);
	ck_assert_ptr_nonnull(view_build(&other, VIEW_UTIL_NOW));
	f = view_util_frame(&u, VIEW_SURFACE_PANE(u.p->id));
	ck_assert_ptr_eq(
	    f, sync_view_find(other.view, VIEW_SURFACE_PANE(u.p->id))->frame);
	ck_assert_ptr_nonnull(f->memo);
	view_builder_fini(&other);
	view_util_fini(&u);
}
END_TEST

START_TEST(an_update_is_shown_when_it_is_complete)
{
	struct view_util u;

	view_util_init(&u, 20, 3);
	view_util_write(u.p, "old");
	(void)view_util_build(&u);
	view_util_write(u.p, "\033[?2026h\rnew");
	VIEW_UTIL_EXPECT(&u, "old", "", "[s] first");
	view_util_write(u.p, "\033[?2026l");
	VIEW_UTIL_EXPECT(&u, "new", "", "[s] first");
	view_util_fini(&u);
}
END_TEST

/* --- modes and time --------------------------------------------------------------- */

START_TEST(modes_of_the_focused_pty)
{
	struct view_util u;
	struct vt_frame *f;

	view_util_init(&u, 20, 3);
	ck_assert(!view_focus_echoes(&u.b) && !view_modes_changed(&u.b));
	(void)view_util_build(&u);
	ck_assert(!view_focus_echoes(&u.b) && !view_modes_changed(&u.b));
	u.tty_known = true;
	u.tty_bits = VT_FRAME_ECHO | VT_FRAME_CANONICAL;
	ck_assert(view_modes_changed(&u.b));
	(void)view_util_build(&u);
	ck_assert(view_focus_echoes(&u.b) && !view_modes_changed(&u.b));
	/* Frames with and without the bits have slots of their own. */
	f = view_util_frame(&u, VIEW_SURFACE_PANE(u.p->id));
	ck_assert_ptr_eq(f, u.slots[u.p->id][1]);
	ck_assert_ptr_ne(f, u.slots[u.p->id][0]);
	/* Modes of other panes are not read. */
	(void)mux_util_split(u.p, LAYOUT_ROW);
	(void)view_util_build(&u);
	f = view_util_frame(&u, VIEW_SURFACE_PANE(u.p->id));
	ck_assert_uint_eq(f->state.modes & VT_FRAME_ECHO, 0);
	ck_assert(view_focus_echoes(&u.b));
	view_util_fini(&u);
}
END_TEST

START_TEST(status_lines_are_due_again)
{
	struct view_util u;
	struct vt_frame *status;

	view_util_init(&u, 20, 3);
	view_util_set(&u, "status-interval", "15");
	(void)view_util_build(&u);
	ck_assert_uint_eq(view_deadline(&u.b), VIEW_UTIL_NOW + 15000);
	status = vt_frame_ref(view_util_frame(&u, VIEW_SURFACE_STATUS));
	ck_assert(!view_expire(&u.b, VIEW_UTIL_NOW + 14999));
	(void)view_util_build(&u);
	ck_assert_ptr_eq(status, view_util_frame(&u, VIEW_SURFACE_STATUS));
	ck_assert(view_expire(&u.b, VIEW_UTIL_NOW + 15000));
	(void)view_util_build(&u);
	ck_assert_ptr_ne(status, view_util_frame(&u, VIEW_SURFACE_STATUS));
	vt_frame_unref(status);
	view_util_set(&u, "status-interval", "0");
	(void)view_util_build(&u);
	ck_assert_uint_eq(view_deadline(&u.b), MONO_NEVER);
	/* With status-interval 0 only a change redraws the status line. */
	status = vt_frame_ref(view_util_frame(&u, VIEW_SURFACE_STATUS));
	(void)view_util_build(&u);
	ck_assert_ptr_eq(status, view_util_frame(&u, VIEW_SURFACE_STATUS));
	vt_frame_unref(status);
	view_util_fini(&u);
}
END_TEST

START_TEST(a_client_without_a_session)
{
	struct view_util u;

	view_util_init(&u, 20, 3);
	client_set_session(u.c, NULL);
	ck_assert_ptr_null(view_build(&u.b, VIEW_UTIL_NOW));
	ck_assert_ptr_null(u.b.view);
	view_util_fini(&u);
}
END_TEST

START_TEST(effects_stay_in_the_view)
{
	struct view_util u;

	view_util_init(&u, 20, 3);
	u.b.view = sync_view_new(0, 0);
	ck_assert_int_eq(
	    sync_view_effect(u.b.view, SYNC_EFFECT_BELL, "", 0), 0);
	(void)view_util_build(&u);
	(void)view_util_build(&u);
	ck_assert_uint_eq(sync_view_last_effect(u.b.view), 1);
	view_util_fini(&u);
}
END_TEST

UNIT_SUITE(view_build)
{
	Suite *s = suite_create("view_build");
	TCase *tc = tcase_create("view_build");

	tcase_add_test(tc, one_pane_and_a_status_line);
	tcase_add_test(tc, status_lines_above_the_window);
	tcase_add_test(tc, borders_and_titles);
	tcase_add_test(tc, a_zoomed_pane_fills_the_window);
	tcase_add_test(tc, a_pane_that_one_client_has_zoomed);
	tcase_add_test(tc, a_window_smaller_than_the_client);
	tcase_add_test(tc, what_is_outside_is_one_row);
	tcase_add_test(tc, what_is_outside_is_kept);
	tcase_add_test(tc, a_window_larger_than_the_client);
	tcase_add_test(tc, unchanged_frames_are_kept);
	tcase_add_test(tc, dirty_frames_are_drawn_again);
	tcase_add_test(tc, builders_share_frames_of_panes);
	tcase_add_test(tc, an_update_is_shown_when_it_is_complete);
	tcase_add_test(tc, modes_of_the_focused_pty);
	tcase_add_test(tc, status_lines_are_due_again);
	tcase_add_test(tc, a_client_without_a_session);
	tcase_add_test(tc, effects_stay_in_the_view);
	suite_add_tcase(s, tc);
	return s;
}
