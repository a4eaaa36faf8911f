/* Windows and panes. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "mux/layout_preset.h"
#include "mux/layout_text.h"
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
	ck_assert_str_eq(text, "PANE_RESIZED @0 %2|PANE_CLOSED @0 %1|");
	mem_free(text);
	sound(m);
	ck_assert(window_close_pane(p0));
	sound(m);
	ck_assert(!window_close_pane(p2));
	ck_assert_ptr_null(mux_session_named(m, "a"));
	mux_util_free(m);
}
END_TEST

START_TEST(layouts_are_applied_and_undone)
{
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");
	struct window *w = s->current->window;
	struct pane *p = mux_util_split(w->active, LAYOUT_ROW);
	struct cause cause = { NULL };
	char *before, *after, *old;

	(void)mux_util_split(p, LAYOUT_COLUMN);
	before = window_layout_text(w, false);
	old = window_remember_layout(w);
	ck_assert_ptr_null(old);
	ck_assert_int_eq(window_apply_preset(w, LAYOUT_PRESET_TILED), 0);
	sound(m);
	after = window_layout_text(w, false);
	ck_assert_str_ne(before, after);
	old = window_remember_layout(w);
	ck_assert_str_eq(old, before);
	ck_assert_int_eq(window_apply_text(w, old, NULL), 0);
	mem_free(old);
	mem_free(after);
	after = window_layout_text(w, false);
	ck_assert_str_eq(before, after);
	sound(m);
	mem_free(before);
	mem_free(after);
	/* Places without a pane are closed. */
	ck_assert_int_eq(window_apply_text(w,
			     "3e7c,80x24,0,0[80x6,0,0,1,80x6,0,7,2,80x5,0,14,3,"
			     "80x4,0,20,4]",
			     &cause),
	    -ERR_SYNTAX);
	ck_assert_str_eq(cause_text(&cause), "invalid layout checksum");
	cause_fini(&cause);
	before = mem_printf("%04x,%s",
	    layout_checksum("80x24,0,0[80x6,0,0,80x6,0,7,80x5,0,14,80x4,0,20]"),
	    "80x24,0,0[80x6,0,0,80x6,0,7,80x5,0,14,80x4,0,20]");
	ck_assert_int_eq(window_apply_text(w, before, NULL), 0);
	mem_free(before);
	ck_assert_int_eq(
	    container_of(list_last(&w->panes), struct pane, node)->h, 10);
	sound(m);
	before = mem_printf("%04x,80x24,0,0,0", layout_checksum("80x24,0,0,0"));
	ck_assert_int_eq(window_apply_text(w, before, &cause), -ERR_RANGE);
	ck_assert_str_eq(cause_text(&cause), "have 3 panes but need 1");
	cause_fini(&cause);
	mem_free(before);
	ck_assert_int_eq(window_cycle_preset(w, true), 0);
	ck_assert_int_eq(w->preset, LAYOUT_PRESET_EVEN_HORIZONTAL);
	ck_assert_int_eq(window_cycle_preset(w, false), 0);
	ck_assert_int_eq(w->preset, LAYOUT_PRESET_TILED);
	sound(m);
	mux_util_free(m);
}
END_TEST

START_TEST(options_move_panes_at_once)
{
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");
	struct window *w = s->current->window;
	struct pane *p = w->active, *q = mux_util_split(p, LAYOUT_COLUMN);

	(void)options_set_text(&w->options, "pane-border-status", "top", NULL);
	mux_option_changed(m, NULL, w, NULL, "pane-border-status");
	ck_assert_int_eq(p->y, 1);
	ck_assert_int_eq(p->h, 11);
	ck_assert_int_eq(q->y, 13);
	ck_assert_int_eq(q->h, 11);
	sound(m);
	(void)options_set_text(
	    &m->window_options, "pane-scrollbars", "on", NULL);
	(void)options_set_text(
	    &m->window_options, "pane-scrollbars-style", "width=2,pad=1", NULL);
	mux_option_changed(m, NULL, NULL, NULL, "pane-scrollbars");
	ck_assert_int_eq(p->w, 77);
	ck_assert_int_eq(p->x, 0);
	(void)options_set_text(
	    &w->options, "pane-scrollbars-position", "left", NULL);
	mux_option_changed(m, NULL, w, NULL, "pane-scrollbars-position");
	ck_assert_int_eq(p->x, 3);
	sound(m);
	(void)window_zoom(p);
	ck_assert_int_eq(p->y, 1);
	ck_assert_int_eq(p->h, 23);
	mux_util_free(m);
}
END_TEST

START_TEST(neighbours_and_corners)
{
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");
	struct window *w = s->current->window;
	struct pane *a = w->active, *b = mux_util_split(a, LAYOUT_ROW),
		    *c = mux_util_split(b, LAYOUT_COLUMN);
	int x = 40, y = 5;

	ck_assert_ptr_eq(window_neighbour(a, WINDOW_RIGHT), c);
	(void)window_set_active(w, b);
	ck_assert_ptr_eq(window_neighbour(a, WINDOW_RIGHT), b);
	ck_assert_ptr_eq(
	    window_neighbour(a, WINDOW_LEFT), b); /* wraps around */
	ck_assert_ptr_eq(window_neighbour(b, WINDOW_DOWN), c);
	ck_assert_ptr_eq(window_neighbour(b, WINDOW_UP), c);
	ck_assert_ptr_eq(window_neighbour(c, WINDOW_LEFT), a);
	ck_assert_ptr_null(window_neighbour(a, WINDOW_UP));
	ck_assert_ptr_eq(window_pane_described(w, "bottom-right"), c);
	ck_assert_ptr_eq(window_pane_described(w, "left"), a);
	ck_assert_ptr_null(window_pane_described(w, "middle"));
	ck_assert_ptr_eq(window_pane_at(w, 60, 3), b);
	ck_assert_ptr_eq(window_pane_at(w, 60, c->y - 1), b);
	(void)options_set_text(&w->options, "pane-border-status", "top", NULL);
	window_options_changed(w);
	ck_assert_ptr_eq(window_pane_at(w, 60, c->y - 1), c);
	ck_assert_ptr_eq(window_pane_at(w, 60, c->y - 2), b);
	ck_assert_ptr_eq(window_pane_at(w, 60, 0), b);
	ck_assert_ptr_eq(window_pane_at(w, 60, w->h - 1), c);
	(void)options_set_text(&w->options, "pane-border-status", "off", NULL);
	window_options_changed(w);
	ck_assert_int_eq(window_drag_border(w, &x, &y, 45, 9), 0);
	ck_assert_int_eq(a->w, 45);
	ck_assert_int_eq(x, 45);
	/* A corner moves both borders. */
	x = 45;
	y = b->y + b->h;
	ck_assert_int_eq(window_drag_border(w, &x, &y, 47, 9), 0);
	ck_assert_int_eq(a->w, 47);
	ck_assert_int_eq(b->h, 9);
	ck_assert_int_eq(window_drag_border(w, &x, &y, 45, 12), 0);
	ck_assert_int_eq(a->w, 45);
	ck_assert_int_eq(b->h, 12);
	x = 45;
	y = 5;
	/* Dragged too far, it can be dragged back. */
	ck_assert_int_eq(window_drag_border(w, &x, &y, 200, 5), 0);
	ck_assert_int_eq(x, w->w - 2);
	ck_assert_int_eq(window_drag_border(w, &x, &y, 50, 5), 0);
	ck_assert_int_eq(a->w, 50);
	ck_assert_int_eq(x, 50);
	ck_assert_int_eq(y, 5);
	x = y = 3;
	ck_assert_int_eq(window_drag_border(w, &x, &y, 4, 4), -ERR_NOTFOUND);
	ck_assert_ptr_eq(window_pane_at_index(w, 2), c);
	(void)options_set_text(&w->options, "pane-base-index", "1", NULL);
	ck_assert_ptr_eq(window_pane_at_index(w, 2), b);
	ck_assert_int_eq(pane_index(c), 3);
	mux_util_free(m);
}
END_TEST

START_TEST(panes_die_live_and_have_modes)
{
	static char names[PANE_MODES_MAX][4];
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");
	struct pane *p = s->current->window->active;
	char *text;
	int i;

	mem_free(mux_util_events(m, NULL));
	pane_output(p);
	pane_output(p);
	pane_set_title(p, "t");
	pane_set_title(p, "t");
	pane_set_flags(p, PANE_INPUT_OFF, true);
	pane_set_flags(p, PANE_INPUT_OFF, true);
	pane_set_dead(p, 2, 0);
	pane_set_dead(p, 3, 0);
	ck_assert_int_eq(p->dead_status, 2);
	pane_set_alive(p, 77, "/dev/pts/9");
	ck_assert_int_eq(p->dead_status, -1);
	ck_assert_int_eq(pane_push_mode(p, "copy-mode", NULL, NULL), 0);
	ck_assert_int_eq(
	    pane_push_mode(p, "copy-mode", NULL, NULL), -ERR_EXISTS);
	pane_output(p);
	ck_assert_uint_ne(p->flags & PANE_UNSEEN, 0);
	pane_pop_modes(p);
	ck_assert_uint_eq(p->flags & PANE_UNSEEN, 0);
	ck_assert(!pane_pop_mode(p));
	text = mux_util_events(m, NULL);
	ck_assert_str_eq(text,
	    "PANE_OUTPUT @0 %0|PANE_TITLE @0 %0 't'|PANE_FLAGS @0 %0|"
	    "PANE_DIED @0 %0|PANE_FLAGS @0 %0|PANE_MODE @0 %0|"
	    "PANE_MODE_ENTERED @0 %0 'copy-mode'|PANE_MODE @0 %0|"
	    "PANE_MODE_EXITED @0 %0 'copy-mode'|");
	mem_free(text);
	pane_output(p);
	text = mux_util_events(m, NULL);
	ck_assert_str_eq(text, "PANE_OUTPUT @0 %0|");
	mem_free(text);
	for (i = 0; i < PANE_MODES_MAX; i++) {
		(void)snprintf(names[i], sizeof(names[i]), "m%d", i);
		ck_assert_int_eq(pane_push_mode(p, names[i], NULL, NULL), 0);
	}
	ck_assert_int_eq(pane_push_mode(p, "c", NULL, NULL), -ERR_LIMIT);
	/* A mode that the pane has comes to the top. */
	ck_assert_int_eq(pane_push_mode(p, "m3", NULL, NULL), -ERR_EXISTS);
	ck_assert_str_eq(pane_mode(p)->name, "m3");
	ck_assert_uint_eq(p->modes.count, PANE_MODES_MAX);
	(void)pane_pop_mode(p);
	ck_assert_str_eq(pane_mode(p)->name, names[PANE_MODES_MAX - 1]);
	mux_util_free(m);
}
END_TEST

UNIT_SUITE(window)
{
	Suite *s = suite_create("window");
	TCase *tc = tcase_create("window");

	tcase_add_test(tc, split_zoom_and_close);
	tcase_add_test(tc, layouts_are_applied_and_undone);
	tcase_add_test(tc, options_move_panes_at_once);
	tcase_add_test(tc, neighbours_and_corners);
	tcase_add_test(tc, panes_die_live_and_have_modes);
	suite_add_tcase(s, tc);
	return s;
}
