/* Overlays: pane numbers, marks of other users, the pager. */
#include "mux/view/digits.h"
#include "mux/view/pager.h"
#include "mux/view/people.h"
#include "regress/unit/unit.h"
#include "regress/unit/view_util.h"

/* --- numbers -------------------------------------------------------------------- */

/* Replaces each cell of F with background SHADE by "#". */
static void
show_blocks(struct vt_frame *f, colour shade)
{
	unsigned x, y;

	for (y = 0; y < f->rows; y++)
		for (x = 0; x < f->cols; x++)
			if (vt_line_pen(f->lines[y], x)->bg == shade)
				vt_frame_repeat(f, x, y, 1, '#', NULL);
}

static void
add_digits(struct view_util *u, struct sync_view *v)
{
	view_digits_add(&u->b, v);
}

/* The digits of a pane of COLS by ROWS whose index is INDEX. */
static struct vt_frame *
digits(struct view_util *u, int cols, int rows, const char *index)
{
	client_set_size(u->c, cols, rows, 0, 0);
	view_util_set(u, "pane-base-index", index);
	(void)view_util_build(u);
	return view_util_frame(u, VIEW_SURFACE_DIGITS + u->p->id);
}

START_TEST(big_digits)
{
	const colour shade = colour_index(1);
	struct view_util u;
	struct vt_frame *f;

	view_util_init(&u, 20, 3);
	view_util_set(&u, "status", "off");
	view_util_set(&u, "display-panes-active-colour", "red");
	view_util_set(&u, "display-panes-format", "text");
	u.overlay = add_digits;
	u.layer = VIEW_LAYER_WINDOW;
	f = digits(&u, 14, 8, "12");
	show_blocks(f, shade);
	VIEW_UTIL_SAME(f, "text", "", "     # #####", "     #     #",
	    "     # #####", "     # #", "     # #####", "           c");
	/* One row less: neither the letter nor the text fits. */
	f = digits(&u, 7, 6, "4");
	show_blocks(f, shade);
	VIEW_UTIL_SAME(f, "", "#   #", "#   #", "#####", "    #", "    #");
	f = digits(&u, 9, 3, "40");
	VIEW_UTIL_SAME(f, "", "   40", "");
	ck_assert_uint_eq(vt_line_pen(f->lines[1], 3)->fg, shade);
	view_util_fini(&u);
}
END_TEST

START_TEST(every_pane_has_its_number)
{
	struct view_util u;
	struct vt_frame *f;
	struct pane *q;

	view_util_init(&u, 41, 9);
	view_util_write(u.p, "shown");
	q = mux_util_split(u.p, LAYOUT_ROW);
	view_util_set(&u, "display-panes-format", "#[align=right]#{pane_id}");
	view_util_set(&u, "display-panes-active-colour", "green");
	view_util_set(&u, "pane-border-status", "off");
	u.overlay = add_digits;
	u.layer = VIEW_LAYER_WINDOW;
	(void)view_util_build(&u);
	f = view_util_frame(&u, VIEW_SURFACE_DIGITS + u.p->id);
	ck_assert_str_eq(view_util_row(f, 0), "shown             %0");
	f = view_util_frame(&u, VIEW_SURFACE_DIGITS + q->id);
	ck_assert_uint_eq(vt_line_pen(f->lines[2], 11)->bg, colour_index(2));
	ck_assert_uint_eq(f->state.modes & VT_FRAME_CURSOR_VISIBLE, 0);
	/* Below the status lines. */
	ck_assert_uint_eq(u.b.view->surfaces[u.b.view->nsurfaces - 1].id,
	    VIEW_SURFACE_STATUS);
	view_util_fini(&u);
}
END_TEST

START_TEST(borders_while_numbers_are_shown)
{
	struct view_util u;
	struct vt_frame *f;

	view_util_init(&u, 21, 4);
	(void)mux_util_split(u.p, LAYOUT_ROW);
	u.b.numbered = true;
	view_util_set(&u, "pane-border-style", "fg=red");
	view_util_set(&u, "pane-active-border-style", "fg=red");
	(void)view_util_build(&u);
	f = view_util_frame(&u, VIEW_SURFACE_CHROME);
	ck_assert_uint_eq(vt_line_pen(f->lines[0], 10)->fg, colour_index(1));
	/* The default is not used while the option is unset. */
	view_util_set(&u, "display-panes-border-style", "fg=blue");
	(void)view_util_build(&u);
	f = view_util_frame(&u, VIEW_SURFACE_CHROME);
	ck_assert_uint_eq(vt_line_pen(f->lines[0], 10)->fg, colour_index(4));
	view_util_fini(&u);
}
END_TEST

/* --- people --------------------------------------------------------------------- */

START_TEST(others_are_marked_where_they_are)
{
	struct view_util u;
	struct client *c;
	struct pane *q;

	view_util_init(&u, 21, 5);
	view_util_set(&u, "own-panes", "on");
	view_util_set(&u, "other-cursors", "on");
	q = mux_util_split(u.p, LAYOUT_ROW);
	c = mux_util_client(u.s, "zoe", 21, 5);
	view_util_write(u.p, "\r\nab");
	client_set_pane(u.c, q);
	client_set_pane(c, u.p);
	VIEW_UTIL_EXPECT(&u, "          │", "abz       │", "          │",
	    "          │", "[s] first");
	ck_assert_uint_eq(view_deadline(&u.b), u.b.status_at);
	/* The name is above the cursor while its user types. */
	client_typed(c, VIEW_UTIL_NOW);
	VIEW_UTIL_EXPECT(&u, "  zoe     │", "abz       │", "          │",
	    "          │", "[s] first");
	ck_assert_uint_eq(view_deadline(&u.b), VIEW_UTIL_NOW + 2500);
	/* In the first row the name is below; it stays in its pane. */
	view_util_write(u.p, "\033[1;10H");
	VIEW_UTIL_EXPECT(&u, "         z│", "ab     zoe│", "          │",
	    "          │", "[s] first");
	ck_assert(view_expire(&u.b, VIEW_UTIL_NOW + 2500));
	ck_assert_ptr_nonnull(view_build(&u.b, VIEW_UTIL_NOW + 2500));
	ck_assert_uint_eq(u.b.people_at, MONO_NEVER);
	view_util_fini(&u);
}
END_TEST

START_TEST(clients_without_marks)
{
	struct view_util u;
	struct client *c;

	view_util_init(&u, 20, 4);
	c = mux_util_client(u.s, "zoe", 20, 4);
	client_typed(c, VIEW_UTIL_NOW);
	(void)view_util_build(&u);
	ck_assert_ptr_null(view_util_frame(&u, VIEW_SURFACE_PEOPLE));
	view_util_set(&u, "other-cursors", "on");
	/* In the client's own pane: only the name. */
	VIEW_UTIL_EXPECT(&u, "", "zoe", "", "[s] first");
	client_set_role(c, CLIENT_VIEW);
	(void)view_util_build(&u);
	ck_assert_ptr_null(view_util_frame(&u, VIEW_SURFACE_PEOPLE));
	view_util_fini(&u);
}
END_TEST

/* --- pager ---------------------------------------------------------------------- */

static size_t scroll;

static void
add_pager(struct view_util *u, struct sync_view *v)
{
	struct vt_frame *f =
	    vt_frame_new((unsigned)u->c->w, (unsigned)u->b.area.h);

	vt_frame_text(f, u->m->setup.graphemes, 0, 0, 10, "output", 6, NULL);
	view_pager_add(&u->b, v, f, scroll, 1234);
	vt_frame_unref(f);
}

START_TEST(a_pager_shows_its_place)
{
	struct view_util u;
	struct vt_frame *f;

	view_util_init(&u, 20, 3);
	view_util_set(&u, "mode-style", "bg=yellow");
	u.overlay = add_pager;
	u.layer = VIEW_LAYER_TOP;
	scroll = 56;
	VIEW_UTIL_EXPECT(&u, "output     [56/1234]", "", "[s] first");
	f = view_util_frame(&u, VIEW_SURFACE_PAGER);
	ck_assert_uint_eq(vt_line_pen(f->lines[0], 12)->bg, colour_index(3));
	ck_assert_uint_eq(u.b.view->focus, VIEW_SURFACE_PAGER);
	view_util_set(&u, "status-position", "top");
	VIEW_UTIL_EXPECT(&u, "[s] first", "output     [56/1234]", "");
	/* No room for the scroll position. */
	client_set_size(u.c, 9, 3, 0, 0);
	VIEW_UTIL_EXPECT(&u, "[s] first", "output", "");
	view_util_fini(&u);
}
END_TEST

UNIT_SUITE(view_overlay)
{
	Suite *s = suite_create("view_overlay");
	TCase *tc = tcase_create("view_overlay");

	tcase_add_test(tc, big_digits);
	tcase_add_test(tc, every_pane_has_its_number);
	tcase_add_test(tc, borders_while_numbers_are_shown);
	tcase_add_test(tc, others_are_marked_where_they_are);
	tcase_add_test(tc, clients_without_marks);
	tcase_add_test(tc, a_pager_shows_its_place);
	suite_add_tcase(s, tc);
	return s;
}
