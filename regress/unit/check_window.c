/* Windows and panes. */
#include <string.h>

#include "base/mem.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"

#define sound(m) ck_assert_pstr_eq(mux_util_check(m), NULL)

START_TEST(split_zoom_and_close)
{
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");
	struct window *w = s->current->window;
	struct pane *p0 = w->active, *p1, *p2;
	char *text;

	sound(m);
	p1 = mux_util_split(p0, LAYOUT_ROW);
	ck_assert_int_eq(p0->w, 40);
	ck_assert_int_eq(p1->w, 39);
	p2 = mux_util_split(p1, LAYOUT_COLUMN);
	ck_assert_int_eq(p1->h, 12);
	ck_assert_int_eq(p2->h, 11);
	sound(m);
	ck_assert_int_eq(window_zoom(p0), 0);
	ck_assert_ptr_eq(w->active, p0);
	ck_assert_int_eq(p0->w, 80);
	ck_assert_int_eq(p0->h, 24);
	ck_assert_int_eq(window_zoom(p1), -ERR_STATE);
	ck_assert(window_set_active(w, p1));
	ck_assert_int_eq(p0->w, 40);
	ck_assert_int_eq(p1->w, 80);
	ck_assert(window_unzoom(w));
	sound(m);
	mem_free(mux_util_events(m, NULL));
	ck_assert(window_close_pane(p1));
	ck_assert_ptr_eq(w->active, p0);
	text = mux_util_events(m, "PANE_");
	ck_assert_str_eq(text, "PANE_CLOSED @0 %1|PANE_RESIZED @0 %2|");
	mem_free(text);
	sound(m);
	ck_assert(window_close_pane(p0));
	sound(m);
	ck_assert(!window_close_pane(p2));
	ck_assert_ptr_null(mux_session_named(m, "a"));
	mux_util_free(m);
}
END_TEST

UNIT_SUITE(window)
{
	Suite *s = suite_create("window");
	TCase *tc = tcase_create("window");

	tcase_add_test(tc, split_zoom_and_close);
	suite_add_tcase(s, tc);
	return s;
}
