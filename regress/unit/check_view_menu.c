/* Menus and popups: rows, keys, mouse, pictures and their borders. */
#include <string.h>

#include "base/mem.h"
#include "mux/view/menu.h"
#include "mux/view/popup.h"
#include "regress/unit/unit.h"
#include "regress/unit/view_util.h"

static struct view_util u;
static struct view_menu *m;

static void
add(const char *name, key_code key)
{
	ck_assert_int_eq(view_menu_add(m, u.m->setup.graphemes, name, key,
			     (size_t)m->count, u.c->w),
	    0);
}

static void
line(void)
{
	ck_assert_int_eq(view_menu_add_line(m), 0);
}

static void
begin(int cols, int rows, const char *title)
{
	view_util_init(&u, cols, rows);
	m = view_menu_new(u.m->setup.graphemes, title);
}

static void
end(void)
{
	view_menu_free(m);
	view_util_fini(&u);
}

/* Rows 0, 1, 2 (line), 3 (off), 4. */
static void
five(void)
{
	begin(40, 12, "#[align=centre]top");
	add("One", '1');
	add("Second row", KEY_NONE);
	line();
	add("-Off", 'o');
	add("Last", 'l' | KEY_CTRL);
}

#define EXPECT(...)                                  \
 do {                                                \
  struct vt_frame *f_ = view_menu_frame(&u.b.cx, m); \
  VIEW_UTIL_SAME(f_, __VA_ARGS__);                   \
  vt_frame_unref(f_);                                \
 } while (0)

START_TEST(rows_stand_in_a_box)
{
	five();
	ck_assert_int_eq(m->count, 5);
	EXPECT("┌─────top────┐", "│ One    (1) │", "│ Second row │",
	    "├────────────┤", "│ Off        │", "│ Last (C-l) │",
	    "└────────────┘");
	m->look.lines = VIEW_BOX_SIMPLE;
	EXPECT("+-----top----+", "| One    (1) |", "| Second row |",
	    "+------------+", "| Off        |", "| Last (C-l) |",
	    "+------------+");
	m->look.lines = VIEW_BOX_ROUNDED;
	EXPECT("╭─────top────╮", "│ One    (1) │", "│ Second row │",
	    "├────────────┤", "│ Off        │", "│ Last (C-l) │",
	    "╰────────────╯");
	m->look.lines = VIEW_BOX_NONE;
	EXPECT("      top", "  One    (1)", "  Second row", "", "  Off",
	    "  Last (C-l)", "");
	end();
}
END_TEST

START_TEST(names_may_be_empty_styled_wide_or_long)
{
	begin(20, 12, "");
	/* No line first, and no two together; empty names are no rows. */
	line();
	add("", 'x');
	ck_assert_int_eq(m->count, 0);
	add("#[fg=red]red", 'r');
	line();
	line();
	add("wide 漢字", KEY_NONE);
	ck_assert_int_eq(m->count, 3);
	EXPECT("┌───────────┐", "│ red   (r) │", "├───────────┤",
	    "│ wide 漢字 │", "└───────────┘");
	/* As in tmux the end of a long name is shown. */
	add("abcdefghijklmnopqrstuvwxyz", KEY_NONE);
	ck_assert_int_eq(m->width, 16);
	EXPECT("┌──────────────────┐", "│ red          (r) │",
	    "├──────────────────┤", "│ wide 漢字        │",
	    "│ lmnopqrstuvwxyz> │", "└──────────────────┘");
	end();
}
END_TEST

START_TEST(keys_move_the_choice)
{
	static const struct {
		key_code key;
		int choice;
	} steps[] = { { KEY_DOWN, 1 }, { 'j', 4 }, { KEY_DOWN, 0 },
		{ KEY_UP, 4 }, { 'k', 1 }, { KEY_BTAB, 0 }, { 'G', 4 },
		{ 'g', 0 }, { KEY_END, 4 }, { KEY_HOME, 0 }, { KEY_NPAGE, 4 },
		{ KEY_PPAGE, 0 }, { 'f' | KEY_CTRL, 4 },
		{ 'b' | KEY_CTRL, 0 } };
	size_t i;

	five();
	view_menu_start(m, 0);
	for (i = 0; i < ARRAY_LEN(steps); i++) {
		ck_assert_int_eq(
		    view_menu_key(m, steps[i].key), VIEW_MENU_MOVED);
		ck_assert_int_eq(m->choice, steps[i].choice);
	}
	ck_assert_int_eq(view_menu_key(m, KEY_ENTER), VIEW_MENU_CHOSEN);
	ck_assert_int_eq(view_menu_key(m, 'z'), VIEW_MENU_NOTHING);
	/* A row that is off has no key. */
	ck_assert_int_eq(view_menu_key(m, 'o'), VIEW_MENU_NOTHING);
	ck_assert_int_eq(
	    view_menu_key(m, 'l' | KEY_CTRL | KEY_NUM), VIEW_MENU_CHOSEN);
	ck_assert_int_eq(m->choice, 4);
	ck_assert_int_eq(view_menu_key(m, 'q'), VIEW_MENU_CLOSED);
	ck_assert_int_eq(view_menu_key(m, KEY_ESCAPE), VIEW_MENU_CLOSED);
	m->choice = -1;
	ck_assert_int_eq(view_menu_key(m, KEY_ENTER), VIEW_MENU_CLOSED);
	end();
}
END_TEST

START_TEST(the_first_choice_is_a_row_that_is_on)
{
	five();
	view_menu_start(m, 2);
	ck_assert_int_eq(m->choice, 4);
	view_menu_start(m, UINT32_MAX);
	ck_assert_int_eq(m->choice, 4);
	view_menu_start(m, -1);
	ck_assert_int_eq(m->choice, -1);
	end();
	/* All rows are off. */
	begin(40, 12, "");
	add("-a", 'a');
	add("-b", 'b');
	view_menu_start(m, 0);
	ck_assert_int_eq(m->choice, -1);
	ck_assert_int_eq(view_menu_key(m, KEY_DOWN), VIEW_MENU_MOVED);
	ck_assert_int_eq(m->choice, -1);
	ck_assert_int_eq(view_menu_key(m, 'G'), VIEW_MENU_MOVED);
	ck_assert_int_eq(view_menu_key(m, KEY_NPAGE), VIEW_MENU_MOVED);
	ck_assert_int_eq(view_menu_key(m, KEY_ENTER), VIEW_MENU_CLOSED);
	end();
}
END_TEST

static enum view_menu_did
mouse(enum mouse_action action, enum mouse_button button, int x, int y)
{
	const struct mouse_event ev = {
		.action = action, .button = button, .x = x, .y = y
	};

	return view_menu_mouse(m, &ev);
}

START_TEST(a_release_chooses)
{
	five();
	m->x = 3;
	m->y = 2;
	ck_assert_int_eq(
	    mouse(MOUSE_MOTION, MOUSE_RIGHT, 5, 4), VIEW_MENU_MOVED);
	ck_assert_int_eq(m->choice, 1);
	ck_assert_int_eq(
	    mouse(MOUSE_MOTION, MOUSE_RIGHT, 6, 4), VIEW_MENU_NOTHING);
	ck_assert_int_eq(
	    mouse(MOUSE_RELEASE, MOUSE_RIGHT, 5, 4), VIEW_MENU_CHOSEN);
	/* Outside nothing is chosen, and a release closes. */
	ck_assert_int_eq(
	    mouse(MOUSE_MOTION, MOUSE_RIGHT, 0, 0), VIEW_MENU_MOVED);
	ck_assert_int_eq(m->choice, -1);
	ck_assert_int_eq(
	    mouse(MOUSE_RELEASE, MOUSE_RIGHT, 0, 0), VIEW_MENU_CLOSED);
	/* -O: clicks count. */
	m->flags = VIEW_MENU_STAYS;
	ck_assert_int_eq(
	    mouse(MOUSE_RELEASE, MOUSE_LEFT, 0, 0), VIEW_MENU_NOTHING);
	(void)mouse(MOUSE_MOTION, MOUSE_NONE, 5, 6);
	ck_assert_int_eq(
	    mouse(MOUSE_PRESS, MOUSE_LEFT, 5, 6), VIEW_MENU_NOTHING);
	(void)mouse(MOUSE_MOTION, MOUSE_NONE, 5, 3);
	ck_assert_int_eq(
	    mouse(MOUSE_PRESS, MOUSE_LEFT, 5, 3), VIEW_MENU_CHOSEN);
	ck_assert_int_eq(
	    mouse(MOUSE_PRESS, MOUSE_LEFT, 0, 0), VIEW_MENU_CLOSED);
	/* Opened by a key: other buttons close. */
	m->flags = VIEW_MENU_NO_MOUSE;
	ck_assert_int_eq(
	    mouse(MOUSE_PRESS, MOUSE_LEFT, 5, 3), VIEW_MENU_NOTHING);
	ck_assert_int_eq(
	    mouse(MOUSE_RELEASE, MOUSE_LEFT, 5, 3), VIEW_MENU_CLOSED);
	ck_assert_int_eq(
	    mouse(MOUSE_PRESS, MOUSE_RIGHT, 5, 3), VIEW_MENU_CLOSED);
	end();
}
END_TEST

START_TEST(it_stays_inside_the_client)
{
	five();
	m->x = 100;
	m->y = -4;
	ck_assert(view_menu_fit(m, 40, 12));
	ck_assert_int_eq(m->x, 40 - 14);
	ck_assert_int_eq(m->y, 0);
	ck_assert(view_menu_fit(m, 14, 7));
	ck_assert_int_eq(m->x, 0);
	ck_assert_int_eq(m->width, 10);
	ck_assert_int_eq(view_menu_height(m), 7);
	end();
	/* One cell is room for no menu, and no reason to fail. */
	begin(1, 1, "title");
	add("name", 'n');
	ck_assert(!view_menu_fit(m, 1, 1));
	end();
}
END_TEST

START_TEST(it_scrolls_where_rows_have_no_room)
{
	five();
	ck_assert(view_menu_fit(m, 40, 5));
	EXPECT("┌─────top────┐", "│ One    (1) │", "│ Second row │",
	    "├────────────┤", "└──── 2 more ┘");
	/* The choice is in sight. */
	view_menu_start(m, 4);
	ck_assert(view_menu_fit(m, 40, 5));
	EXPECT("┌──── 2 more ┐", "├────────────┤", "│ Off        │",
	    "│ Last (C-l) │", "└────────────┘");
	ck_assert_int_eq(view_menu_key(m, KEY_HOME), VIEW_MENU_MOVED);
	ck_assert(view_menu_fit(m, 40, 5));
	ck_assert_int_eq(m->offset, 0);
	/* The mouse scrolls on the border and by its wheel. */
	m->x = m->y = 0;
	ck_assert_int_eq(
	    mouse(MOUSE_MOTION, MOUSE_RIGHT, 3, 4), VIEW_MENU_MOVED);
	ck_assert_int_eq(m->offset, 1);
	ck_assert_int_eq(m->choice, 3);
	ck_assert_int_eq(
	    mouse(MOUSE_PRESS, MOUSE_WHEEL_DOWN, 3, 3), VIEW_MENU_MOVED);
	ck_assert_int_eq(m->choice, 4);
	ck_assert_int_eq(
	    mouse(MOUSE_PRESS, MOUSE_WHEEL_DOWN, 3, 3), VIEW_MENU_NOTHING);
	ck_assert_int_eq(
	    mouse(MOUSE_MOTION, MOUSE_RIGHT, 3, 0), VIEW_MENU_MOVED);
	ck_assert_int_eq(m->offset, 1);
	ck_assert_int_eq(m->choice, 1);
	ck_assert_int_eq(
	    mouse(MOUSE_RELEASE, MOUSE_RIGHT, 3, 1), VIEW_MENU_CHOSEN);
	/* One row, and a narrow one. */
	ck_assert(view_menu_fit(m, 8, 3));
	EXPECT("┌──top─┐", "│ Seco │", "└──────┘");
	ck_assert(!view_menu_fit(m, 4, 3));
	ck_assert(!view_menu_fit(m, 8, 2));
	end();
}
END_TEST

START_TEST(rows_are_bounded)
{
	int i;

	begin(40, 12, "");
	for (i = 0; i < VIEW_MENU_ROWS_MAX; i++)
		add("x", KEY_NONE);
	ck_assert_int_eq(
	    view_menu_add(m, u.m->setup.graphemes, "x", KEY_NONE, 0, 40),
	    -ERR_LIMIT);
	ck_assert_int_eq(view_menu_add_line(m), -ERR_LIMIT);
	end();
}
END_TEST

/* --- popups ---------------------------------------------------------------------- */

static struct view_popup popup;

static enum view_popup_did
point(enum mouse_action action, enum mouse_button button, int x, int y)
{
	const struct mouse_event ev = {
		.action = action, .button = button, .x = x, .y = y
	};

	return view_popup_mouse(&popup, &ev, 60, 20);
}

static void
expect_box(int x, int y, int w, int h)
{
	ck_assert_int_eq(popup.box.x, x);
	ck_assert_int_eq(popup.box.y, y);
	ck_assert_int_eq(popup.box.w, w);
	ck_assert_int_eq(popup.box.h, h);
}

static void
popup_begin(enum view_box_lines lines)
{
	const struct cell_rect box = { 10, 5, 20, 6 };

	view_popup_init(&popup, &box, lines, "title");
}

START_TEST(the_border_of_a_popup_moves_it)
{
	popup_begin(VIEW_BOX_SINGLE);
	ck_assert_int_eq(
	    point(MOUSE_PRESS, MOUSE_LEFT, 12, 5), VIEW_POPUP_NOTHING);
	ck_assert_int_eq(
	    point(MOUSE_MOTION, MOUSE_LEFT, 14, 7), VIEW_POPUP_CHANGED);
	expect_box(12, 7, 20, 6);
	/* It stays inside the client. */
	(void)point(MOUSE_MOTION, MOUSE_LEFT, 0, 0);
	expect_box(0, 0, 20, 6);
	(void)point(MOUSE_MOTION, MOUSE_LEFT, 59, 19);
	expect_box(40, 14, 20, 6);
	ck_assert_int_eq(
	    point(MOUSE_RELEASE, MOUSE_LEFT, 59, 19), VIEW_POPUP_NOTHING);
	(void)point(MOUSE_MOTION, MOUSE_NONE, 0, 0);
	expect_box(40, 14, 20, 6);
	view_popup_fini(&popup);
}
END_TEST

START_TEST(the_corner_or_the_right_button_resizes_a_popup)
{
	popup_begin(VIEW_BOX_SINGLE);
	(void)point(MOUSE_PRESS, MOUSE_LEFT, 29, 10);
	(void)point(MOUSE_MOTION, MOUSE_LEFT, 40, 15);
	expect_box(10, 5, 30, 10);
	/* Not below three cells. */
	(void)point(MOUSE_MOTION, MOUSE_LEFT, 11, 6);
	expect_box(10, 5, 30, 10);
	(void)point(MOUSE_RELEASE, MOUSE_LEFT, 11, 6);
	(void)point(MOUSE_PRESS, MOUSE_RIGHT, 39, 8);
	(void)point(MOUSE_MOTION, MOUSE_RIGHT, 33, 9);
	expect_box(10, 5, 23, 4);
	view_popup_fini(&popup);
}
END_TEST

START_TEST(the_rest_of_the_mouse_is_the_programs)
{
	popup_begin(VIEW_BOX_SINGLE);
	ck_assert_int_eq(
	    point(MOUSE_PRESS, MOUSE_LEFT, 11, 6), VIEW_POPUP_PROGRAM);
	ck_assert_int_eq(
	    point(MOUSE_MOTION, MOUSE_LEFT, 12, 6), VIEW_POPUP_PROGRAM);
	ck_assert_int_eq(
	    point(MOUSE_RELEASE, MOUSE_LEFT, 12, 6), VIEW_POPUP_PROGRAM);
	ck_assert_int_eq(
	    point(MOUSE_PRESS, MOUSE_RIGHT, 11, 6), VIEW_POPUP_PROGRAM);
	ck_assert_int_eq(
	    point(MOUSE_PRESS, MOUSE_LEFT, 0, 0), VIEW_POPUP_NOTHING);
	ck_assert_int_eq(
	    point(MOUSE_PRESS, MOUSE_RIGHT, 0, 0), VIEW_POPUP_MENU);
	ck_assert_int_eq(
	    point(MOUSE_PRESS, MOUSE_RIGHT, 10, 7), VIEW_POPUP_MENU);
	view_popup_fini(&popup);
	/* Without a border all cells are the program's. */
	popup_begin(VIEW_BOX_NONE);
	ck_assert_int_eq(
	    point(MOUSE_PRESS, MOUSE_LEFT, 10, 5), VIEW_POPUP_PROGRAM);
	view_popup_fini(&popup);
}
END_TEST

START_TEST(a_popup_fits_the_client_and_comes_back)
{
	struct cell_rect in;

	popup_begin(VIEW_BOX_SINGLE);
	view_popup_fit(&popup, 15, 4);
	expect_box(0, 0, 15, 4);
	view_popup_fit(&popup, 1, 1);
	expect_box(0, 0, 1, 1);
	in = view_popup_inside(&popup);
	ck_assert_int_eq(in.w, 1);
	ck_assert_int_eq(in.h, 1);
	view_popup_fit(&popup, 60, 20);
	expect_box(10, 5, 20, 6);
	ck_assert(!view_popup_sane(VIEW_BOX_SINGLE, 2, 9));
	ck_assert(view_popup_sane(VIEW_BOX_NONE, 1, 1));
	view_popup_fini(&popup);
}
END_TEST

static void
show_popup(struct view_util *w, struct sync_view *v)
{
	struct vt_frame *f = vt_frame_new(8, 2);
	const struct pen plain = { 0 };

	(void)vt_frame_text(
	    f, w->m->setup.graphemes, 0, 0, 8, "inside", 6, &plain);
	view_popup_show(&w->b, v, &popup, f);
	vt_frame_unref(f);
}

START_TEST(a_popup_is_drawn_over_panes)
{
	const struct cell_rect box = { 2, 0, 10, 4 };

	view_util_init(&u, 20, 6);
	view_popup_init(&popup, &box, VIEW_BOX_DOUBLE, "title");
	view_util_write(u.p, "some text of a pane");
	u.overlay = show_popup;
	u.layer = VIEW_LAYER_TOP;
	VIEW_UTIL_EXPECT(&u, "so╔═title══╗ a pane", "  ║inside  ║",
	    "  ║        ║", "  ╚════════╝", "", "[s] first");
	ck_assert_uint_eq(u.b.view->focus, VIEW_SURFACE_POPUP);
	view_popup_fini(&popup);
	view_util_fini(&u);
}
END_TEST

UNIT_SUITE(view_menu)
{
	Suite *s = suite_create("view_menu");
	TCase *tc = tcase_create("view_menu");

	tcase_add_test(tc, rows_stand_in_a_box);
	tcase_add_test(tc, names_may_be_empty_styled_wide_or_long);
	tcase_add_test(tc, keys_move_the_choice);
	tcase_add_test(tc, the_first_choice_is_a_row_that_is_on);
	tcase_add_test(tc, a_release_chooses);
	tcase_add_test(tc, it_stays_inside_the_client);
	tcase_add_test(tc, it_scrolls_where_rows_have_no_room);
	tcase_add_test(tc, rows_are_bounded);
	tcase_add_test(tc, the_border_of_a_popup_moves_it);
	tcase_add_test(tc, the_corner_or_the_right_button_resizes_a_popup);
	tcase_add_test(tc, the_rest_of_the_mouse_is_the_programs);
	tcase_add_test(tc, a_popup_fits_the_client_and_comes_back);
	tcase_add_test(tc, a_popup_is_drawn_over_panes);
	suite_add_tcase(s, tc);
	return s;
}
