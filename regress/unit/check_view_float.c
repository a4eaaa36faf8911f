/* Floating panes on the client's screen. */
#include "mux/view/float.h"
#include "mux/window.h"
#include "regress/unit/unit.h"
#include "regress/unit/view_util.h"

static struct pane *
new_float(struct view_util *u, int x, int y, int w, int h, unsigned flags)
{
	static const struct pane_start start = { .history = 10 };
	const struct cell_rect at = { x, y, w, h };
	struct pane *p;

	ck_assert_int_eq(window_float_new(u->s->current->window, u->p, NULL,
			     &at, flags, false, &start, &p, NULL),
	    0);
	return p;
}

START_TEST(floats_lie_over_tiled_panes_and_each_other)
{
	struct view_util u;
	struct pane *a, *b;

	view_util_init(&u, 16, 7);
	view_util_write(u.p, "0123456789abcdef\r\n0123456789abcdef");
	a = new_float(&u, 2, 1, 5, 2, 0);
	b = new_float(&u, 6, 2, 4, 1, 0);
	view_util_write(a, "one");
	view_util_write(b, "two");
	u.b.chrome_dirty = true;
	VIEW_UTIL_EXPECT(&u, "0┌─────┐89abcdef", "0│one┌────┐bcdef",
	    " │   │two │", " └───└────┘", "", "", "[s] first");
	window_restack(a, 0);
	u.b.chrome_dirty = true;
	VIEW_UTIL_EXPECT(&u, "0┌─────┐89abcdef", "0│one  │──┐bcdef",
	    " │     │o │", " └─────┘──┘", "", "", "[s] first");
	/* Clipped at the edges of the window; no border. */
	ck_assert_int_eq(
	    options_set_text(&b->options, "pane-border-lines", "none", NULL),
	    0);
	ck_assert_int_eq(
	    window_float_place(b, &(struct cell_rect){ 14, 5, 4, 1 }), 0);
	ck_assert_int_eq(
	    window_float_place(a, &(struct cell_rect){ -3, -1, 5, 2 }), 0);
	u.b.chrome_dirty = true;
	VIEW_UTIL_EXPECT(&u, "  │3456789abcdef", "──┘3456789abcdef", "", "", "",
	    "              tw", "[s] first");
	view_util_fini(&u);
}
END_TEST

START_TEST(titles_and_arrows_of_floats)
{
	struct view_util u;
	struct pane *a;

	view_util_init(&u, 16, 7);
	a = new_float(&u, 2, 1, 10, 3, 0);
	(void)window_set_active(u.s->current->window, a);
	view_util_set(&u, "pane-border-format", "#P");
	view_util_set(&u, "pane-border-status", "top-floating");
	u.b.chrome_dirty = true;
	VIEW_UTIL_EXPECT(&u, " ┌──1───────┐", " │          │", " │          │",
	    " │          │", " └──────────┘", "", "[s] first");
	view_util_set(&u, "pane-border-status", "bottom");
	view_util_set(&u, "pane-border-indicators", "arrows");
	view_util_set(&u, "pane-border-lines", "double");
	u.b.chrome_dirty = true;
	view_util_build(&u);
	VIEW_UTIL_SAME(view_util_frame(&u, VIEW_SURFACE_FLOAT(a->id)),
	    "╔═↓════════╗", "║          ║", "→          ←", "║          ║",
	    "╚═↑1═══════╝");
	view_util_fini(&u);
}
END_TEST

START_TEST(a_zoom_hides_floats_but_those_above)
{
	struct view_util u;
	struct pane *a, *b;

	view_util_init(&u, 16, 6);
	a = new_float(&u, 1, 1, 4, 1, 0);
	b = new_float(&u, 9, 1, 4, 1, PANE_ABOVE_ZOOM);
	view_util_write(a, "no");
	view_util_write(b, "yes");
	ck_assert_int_eq(window_zoom(u.p), 0);
	u.b.chrome_dirty = true;
	VIEW_UTIL_EXPECT(&u, "        ┌────┐", "        │yes │",
	    "        └────┘", "", "", "[s] first");
	ck_assert_ptr_null(view_util_frame(&u, VIEW_SURFACE_FLOAT(a->id)));
	view_util_fini(&u);
}
END_TEST

UNIT_SUITE(view_float)
{
	Suite *s = suite_create("view_float");
	TCase *tc = tcase_create("view_float");

	tcase_add_test(tc, floats_lie_over_tiled_panes_and_each_other);
	tcase_add_test(tc, titles_and_arrows_of_floats);
	tcase_add_test(tc, a_zoom_hides_floats_but_those_above);
	suite_add_tcase(s, tc);
	return s;
}
