/* Panels: the grid of items and its place. */
#include <stdio.h>
#include <string.h>

#include "mux/view/panel.h"
#include "regress/unit/unit.h"
#include "regress/unit/view_util.h"

static struct view_panel *panel;

/* A panel "a one", "b two" ... of COUNT items. */
static struct view_panel *
words(size_t count)
{
	static const char *const texts[] = { "one", "two", "three", "four",
		"five", "six", "seven" };
	struct view_panel *p = view_panel_new();
	char key[2] = "a";
	size_t i;

	for (i = 0; i < count; i++) {
		key[0] = (char)('a' + i % 26);
		view_panel_add_item(p, key, texts[i % ARRAY_LEN(texts)]);
	}
	return p;
}

static void
add_panel(struct view_util *u, struct sync_view *v)
{
	view_panel_add(&u->b, v, panel);
}

static void
init(struct view_util *u)
{
	view_util_init(u, 20, 3);
	view_util_set(u, "status", "off");
	u->overlay = add_panel;
	u->layer = VIEW_LAYER_TOP;
}

/* The frame of P, or NULL, on a client of COLS with room for ROWS. */
static struct vt_frame *
frame(struct view_util *u, struct view_panel *p, int cols, int rows)
{
	panel = p;
	client_set_size(u->c, cols, rows + 2, 0, 0);
	(void)view_util_build(u);
	return view_util_frame(u, VIEW_SURFACE_PANEL);
}

#define EXPECT_FRAME(count, cols, rows, ...)              \
 do {                                                     \
  struct view_panel *p_ = words(count);                   \
  VIEW_UTIL_SAME(frame(&u, p_, cols, rows), __VA_ARGS__); \
  view_panel_free(p_);                                    \
 } while (0)

START_TEST(items_run_down_the_columns)
{
	struct view_util u;

	init(&u);
	EXPECT_FRAME(7, 80, 10,
	    " a one    b two    c three  d four   e five   f six    g seven");
	EXPECT_FRAME(7, 40, 10, " a one    c three  e five   g seven",
	    " b two    d four   f six");
	EXPECT_FRAME(7, 10, 10, " a one", " b two", " c three", " d four",
	    " e five", " f six", " g seven");
	/* Texts are cut to the column width. */
	EXPECT_FRAME(3, 6, 10, " a o", " b t", " c t");
	view_util_fini(&u);
}
END_TEST

START_TEST(items_that_do_not_fit_are_counted)
{
	struct view_panel *p;
	struct view_util u;

	init(&u);
	EXPECT_FRAME(7, 10, 4, " a one", " b two", " c three", " and 4 mor");
	EXPECT_FRAME(
	    7, 20, 3, " a one    c three", " b two    d four", " and 3 more");
	EXPECT_FRAME(7, 20, 1, " and 7 more");
	p = words(7);
	/* No items, or no room. */
	ck_assert_ptr_null(frame(&u, p, 3, 5));
	ck_assert_ptr_null(frame(&u, p, 30, 0));
	view_panel_free(p);
	p = view_panel_new();
	ck_assert_ptr_null(frame(&u, p, 30, 5));
	view_panel_free(p);
	p = words(VIEW_PANEL_ITEMS_MAX + 1);
	ck_assert_uint_eq(p->count, VIEW_PANEL_ITEMS_MAX);
	view_panel_free(p);
	view_util_fini(&u);
}
END_TEST

START_TEST(words_have_no_keys)
{
	struct view_panel *p = view_panel_new();
	struct view_util u;

	init(&u);
	view_panel_add_item(p, NULL, "kill-pane");
	view_panel_add_item(p, NULL, "漢字");
	VIEW_UTIL_SAME(frame(&u, p, 40, 5), " kill-pane  漢字");
	view_panel_free(p);
	view_util_fini(&u);
}
END_TEST

START_TEST(it_stands_on_the_line_of_the_prompt)
{
	struct view_util u;

	view_util_init(&u, 20, 6);
	view_util_set(&u, "status", "2");
	view_util_set(&u, "status-format[1]", "second");
	view_util_set(&u, "message-line", "1");
	u.overlay = add_panel;
	u.layer = VIEW_LAYER_TOP;
	panel = words(3);
	VIEW_UTIL_EXPECT(
	    &u, "", "", "", " a one    c three", " b two", "second");
	view_util_set(&u, "status-position", "top");
	VIEW_UTIL_EXPECT(
	    &u, "[s] first", "second", "", "", " a one    c three", " b two");
	/* A panel never covers the client's first row. */
	view_util_set(&u, "status", "off");
	client_set_size(u.c, 20, 1, 0, 0);
	(void)view_util_build(&u);
	ck_assert_ptr_null(view_util_frame(&u, VIEW_SURFACE_PANEL));
	view_panel_free(panel);
	view_util_fini(&u);
}
END_TEST

UNIT_SUITE(view_panel)
{
	Suite *s = suite_create("view_panel");
	TCase *tc = tcase_create("view_panel");

	tcase_add_test(tc, items_run_down_the_columns);
	tcase_add_test(tc, items_that_do_not_fit_are_counted);
	tcase_add_test(tc, words_have_no_keys);
	tcase_add_test(tc, it_stands_on_the_line_of_the_prompt);
	suite_add_tcase(s, tc);
	return s;
}
