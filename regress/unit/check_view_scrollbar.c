/* Scrollbars beside and over panes. */
#include <string.h>

#include "mux/mode/copy.h"
#include "mux/view/scrollbar.h"
#include "mux/window.h"
#include "regress/unit/unit.h"
#include "regress/unit/view_util.h"

static void
start(struct view_util *u, int cols, int rows, const char *mode)
{
	view_util_init(u, cols, rows);
	mux_util_history(u->p, 2000);
	view_util_set(u, "status", "off");
	view_util_set(u, "pane-scrollbars-style", "fg=red,bg=blue");
	view_util_set(u, "pane-scrollbars", mode);
}

/* Writes N lines. */
static void
lines(struct pane *p, unsigned n)
{
	while (n-- > 0)
		view_util_write(p, "x\r\n");
}

/* The bar of P: '#' for each row of the slider, '.' for the others. */
static const char *
bar(struct view_util *u, const struct pane *p)
{
	static char text[256];
	const struct vt_frame *f;
	struct pen pen;
	unsigned y;

	(void)view_util_build(u);
	f = view_util_frame(u, VIEW_SURFACE_SCROLLBAR(p->id));
	if (f == NULL)
		return "none";
	for (y = 0; y < f->rows; y++) {
		pen = *vt_line_pen(f->lines[y], f->cols - 1U);
		ck_assert_uint_ne(pen.fg, pen.bg);
		text[y] = colour_kind(pen.bg) == COLOUR_KIND_INDEX &&
				  (pen.bg & 0xff) == 1
			      ? '#'
			      : '.';
	}
	text[y] = '\0';
	return text;
}

START_TEST(the_bar_lies_beside_the_pane)
{
	struct view_util u;
	const struct sync_surface *sf;

	start(&u, 20, 8, "on");
	ck_assert_int_eq(u.p->w, 19);
	ck_assert_str_eq(bar(&u, u.p), "########");
	lines(u.p, 15);
	ck_assert_str_eq(bar(&u, u.p), "....####");
	sf = sync_view_find(u.b.view, VIEW_SURFACE_SCROLLBAR(u.p->id));
	ck_assert_int_eq(sf->x, 19);
	ck_assert_int_eq(sf->kind, SYNC_SURFACE_CHROME);
	view_util_set(
	    &u, "pane-scrollbars-style", "fg=red,bg=blue,width=2,pad=3");
	ck_assert_str_eq(bar(&u, u.p), "....####");
	sf = sync_view_find(u.b.view, VIEW_SURFACE_SCROLLBAR(u.p->id));
	ck_assert_int_eq(u.p->w, 15);
	ck_assert_int_eq(sf->x, 15);
	ck_assert_uint_eq(sf->frame->cols, 5);
	view_util_set(&u, "pane-scrollbars-position", "left");
	(void)view_util_build(&u);
	sf = sync_view_find(u.b.view, VIEW_SURFACE_SCROLLBAR(u.p->id));
	ck_assert_int_eq(sf->x, 0);
	ck_assert_int_eq(u.p->x, 5);
	view_util_fini(&u);
}
END_TEST

START_TEST(the_slider_follows_copy_mode)
{
	struct view_util u;
	const char *const words[] = { "history-top" };
	struct mode_command cmd = { .words = words, .count = 1, .repeat = 1 };
	struct cause why = { NULL };

	start(&u, 20, 8, "on");
	lines(u.p, 31);
	ck_assert_str_eq(bar(&u, u.p), "......##");
	ck_assert_int_eq(copy_mode_open(u.p, u.p, 0), 0);
	(void)bar(&u, u.p);
	ck_assert_int_eq(mode_command(u.p, &cmd, &why), 0);
	ck_assert_str_eq(bar(&u, u.p), "##......");
	view_util_fini(&u);
}
END_TEST

/* An unchanged bar is the same frame, so that nothing is sent. */
START_TEST(unchanged_bars_are_not_drawn_again)
{
	struct view_util u;
	struct vt_frame *f;

	start(&u, 20, 8, "on");
	lines(u.p, 15);
	(void)view_util_build(&u);
	f = vt_frame_ref(view_util_frame(&u, VIEW_SURFACE_SCROLLBAR(u.p->id)));
	view_util_write(u.p, "text");
	u.expanded = 0;
	(void)view_util_build(&u);
	ck_assert_ptr_eq(
	    f, view_util_frame(&u, VIEW_SURFACE_SCROLLBAR(u.p->id)));
	vt_frame_unref(f);
	view_util_set(&u, "pane-scrollbars", "off");
	ck_assert_str_eq(bar(&u, u.p), "none");
	ck_assert_uint_eq(u.b.bar_count, 0);
	view_util_fini(&u);
}
END_TEST

/* The alternate screen has no history: the pane gets the columns. */
START_TEST(the_alternate_screen_is_wide)
{
	struct view_util u;

	start(&u, 20, 8, "on");
	view_util_write(u.p, "\033[?1049h");
	pane_output(u.p);
	window_bar_changed(u.p);
	ck_assert_int_eq(u.p->w, 20);
	ck_assert_str_eq(bar(&u, u.p), "none");
	view_util_write(u.p, "\033[?1049l");
	pane_output(u.p);
	window_bar_changed(u.p);
	ck_assert_int_eq(u.p->w, 19);
	ck_assert_str_eq(bar(&u, u.p), "########");
	view_util_fini(&u);
}
END_TEST

/* A drag over a long history takes no longer than one over a page. */
START_TEST(a_slider_is_dragged)
{
	struct view_util u;
	const struct mode *m;
	uint64_t above, history;

	start(&u, 20, 8, "on");
	lines(u.p, 1031);
	ck_assert_int_eq(copy_mode_open(u.p, u.p, 0), 0);
	m = copy_mode_top(u.p);
	copy_mode_slide_begin(u.p, 3, 0, true);
	ck_assert_int_eq(copy_mode_dragging(u.p), COPY_DRAGS_SLIDER);
	ck_assert(mode_scrolled(u.p, &above, &history));
	ck_assert_uint_eq(history, 1024);
	ck_assert_uint_eq(above, 3 * 1032 / 8);
	ck_assert_str_eq(bar(&u, u.p), "...#....");
	copy_mode_slide(u.p, -3);
	m->ops->scrolled(m, &above, &history);
	ck_assert_uint_eq(above, 0);
	copy_mode_drag_end(u.p);
	copy_mode_slide(u.p, 5); /* no drag: without effect */
	m->ops->scrolled(m, &above, &history);
	ck_assert_uint_eq(above, 0);
	copy_mode_slide_begin(u.p, 7, 0, true);
	ck_assert_ptr_null(copy_mode_top(u.p));
	view_util_fini(&u);
}
END_TEST

START_TEST(parts_of_the_bar)
{
	struct view_util u;
	int grab = -1;

	start(&u, 20, 8, "on");
	lines(u.p, 15);
	(void)view_util_build(&u);
#define AT(x, y) view_scrollbar_at(&u.b, u.p, x, y, &grab)
	ck_assert_int_eq(AT(18, 0), VIEW_SCROLLBAR_NONE);
	ck_assert_int_eq(AT(19, 0), VIEW_SCROLLBAR_UP);
	ck_assert_int_eq(AT(19, 3), VIEW_SCROLLBAR_UP);
	ck_assert_int_eq(grab, 0);
	ck_assert_int_eq(AT(19, 7), VIEW_SCROLLBAR_SLIDER);
	ck_assert_int_eq(grab, 3);
	ck_assert_int_eq(AT(19, 8), VIEW_SCROLLBAR_NONE);
#undef AT
	view_util_fini(&u);
}
END_TEST

UNIT_SUITE(view_scrollbar)
{
	Suite *s = suite_create("view_scrollbar");
	TCase *tc = tcase_create("view_scrollbar");

	tcase_add_test(tc, the_bar_lies_beside_the_pane);
	tcase_add_test(tc, the_slider_follows_copy_mode);
	tcase_add_test(tc, unchanged_bars_are_not_drawn_again);
	tcase_add_test(tc, the_alternate_screen_is_wide);
	tcase_add_test(tc, a_slider_is_dragged);
	tcase_add_test(tc, parts_of_the_bar);
	suite_add_tcase(s, tc);
	return s;
}
