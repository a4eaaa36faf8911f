/*
 * The hooks of one command run in tmux's order, each with the names that things
 * had.
 */
#include <string.h>

#include "base/mem.h"
#include "mux/session.h"
#include "mux/window.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"
#include "server/core/hook_order.h"

static const char *
value(const struct hook_entry *he, const char *name)
{
	size_t i;

	for (i = 0; i < he->vars->count; i++)
		if (strcmp(he->vars->vars[i].name, name) == 0)
			return he->vars->vars[i].value;
	return "";
}

/* The hooks of the waiting events, with window and pane, a new string. */
static char *
told(struct mux *m)
{
	struct hook_batch batch;
	struct mux_event e;
	struct buf b;
	char *out;
	size_t i;

	hook_batch_init(&batch);
	while (mux_next_event(m, &e)) {
		hook_batch_add(&batch, m, &e);
		mux_event_fini(&e);
	}
	hook_batch_sort(&batch);
	buf_init(&b, 1 << 16);
	for (i = 0; i < batch.count; i++)
		if (!batch.entries[i].dropped)
			(void)buf_addf(&b, "%s%s:%s:%s%s", i == 0 ? "" : " ",
			    value(&batch.entries[i], "hook"),
			    value(&batch.entries[i], "hook_session_name"),
			    value(&batch.entries[i], "hook_window_name"),
			    value(&batch.entries[i], "hook_pane"));
	out = mem_strdup(buf_cstr(&b));
	buf_fini(&b);
	hook_batch_fini(&batch);
	m->events.command++;
	return out;
}

static void
tells(struct mux *m, const char *want)
{
	char *text = told(m);

	ck_assert_str_eq(*text == ' ' ? text + 1 : text, want);
	mem_free(text);
}

START_TEST(hooks_run_in_tmuxs_order)
{
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");
	struct winlink *wl;
	struct pane *p;

	mem_free(told(m));
	wl = mux_util_window(s, 1, "w");
	tells(m, "pane-created:a:%1 window-created::w window-linked:a:w");
	p = mux_util_split(wl->window->active, LAYOUT_ROW);
	tells(m, "pane-resized::w%1 pane-resized::w%2 pane-created:a:w%2 "
		 "window-pane-changed::w%2 window-layout-changed::w");
	ck_assert_int_eq(window_zoom(p), 0);
	tells(m, "pane-resized::w%2 window-zoomed::w window-layout-changed::w");
	(void)window_unzoom(wl->window);
	mem_free(told(m));
	/* A pane that is killed has not exited. */
	(void)window_close_pane(p);
	tells(m, "pane-resized::w%1 window-layout-changed::w "
		 "window-pane-changed::w%1");
	ck_assert_int_eq(
	    pane_push_mode(wl->window->active, "x-mode", NULL, NULL), 0);
	tells(m, "pane-mode-entered::w%1 pane-mode-changed::w%1");
	pane_pop_modes(wl->window->active);
	mem_free(told(m));
	/* Its names are those that it had. */
	wl->window->active->ended = true;
	(void)window_close_pane(wl->window->active);
	tells(m, "pane-exited::w%1 window-layout-changed::w "
		 "window-unlinked:a:w window-closed::w");
	mux_util_free(m);
}
END_TEST

/* Steps of a command: the end of a zoom, the last pane of a window, groups. */
START_TEST(steps_keep_their_places)
{
	const struct layout_split how = { .kind = LAYOUT_COLUMN, .size = -1 };
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a"), *g;
	struct winlink *wl = mux_util_window(s, 1, "w");
	struct window *first = s->current->window, *w = wl->window;
	struct pane *p = mux_util_split(w->active, LAYOUT_ROW);

	ck_assert_int_eq(window_zoom(p), 0);
	mem_free(told(m));
	window_rotate(w, true);
	(void)window_zoom(w->active);
	tells(m, "pane-resized::w%2 window-unzoomed::w "
		 "window-layout-changed::w pane-resized::w%1 "
		 "pane-resized::w%2 window-pane-changed::w%1 "
		 "pane-resized::w%1 window-zoomed::w "
		 "window-layout-changed::w");
	(void)window_unzoom(w);
	mem_free(told(m));
	/* The window of the pane becomes current before its own one goes. */
	ck_assert_int_eq(
	    window_join(first->active, w->active, &how, wl, NULL), 0);
	tells(m, "window-layout-changed::first pane-resized::w%1 "
		 "pane-resized::w%0 window-pane-changed::w%0 "
		 "session-window-changed:a:w pane-moved::w%0 "
		 "window-unlinked:a:first window-closed::first "
		 "window-layout-changed::w");
	ck_assert_ptr_null(session_last_link(s));
	(void)mux_util_window(s, 2, "x");
	g = mux_util_session(m, "g");
	session_group_add(session_group_get(m, "a"), s);
	session_destroy(g);
	ck_assert_int_eq(session_new(m, "g", s->group, &g, NULL), 0);
	mem_free(told(m));
	window_kill(w);
	tells(m, "session-window-changed:a:x window-unlinked:a:w "
		 "session-window-changed:g:x window-linked:g:x "
		 "window-unlinked:g:w window-closed::w");
	mux_util_free(m);
}
END_TEST

START_TEST(commands_keep_their_places)
{
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");

	mem_free(told(m));
	mux_say(
	    m, MUX_EVENT_WINDOW_LAYOUT, NULL, s->current->window, NULL, NULL);
	m->events.command++;
	mux_say(m, MUX_EVENT_PANE_RESIZED, NULL, s->current->window,
	    s->current->window->active, NULL);
	mux_say(
	    m, MUX_EVENT_WINDOW_RESIZED, NULL, s->current->window, NULL, NULL);
	mux_say(
	    m, MUX_EVENT_WINDOW_LAYOUT, NULL, s->current->window, NULL, NULL);
	window_set_name(s->current->window, "n");
	/* A name is the one that the window had. */
	tells(m, "window-layout-changed::first pane-resized::first%0 "
		 "window-layout-changed::first window-resized::first "
		 "window-renamed::n");
	mux_util_free(m);
}
END_TEST

/* As tmux 3.8 does. */
START_TEST(clients_tell_their_window_and_pane)
{
	struct mux *m = mux_util_new();
	struct session *a = mux_util_session(m, "a");
	struct session *b = mux_util_session(m, "b");
	struct client *c;
	char *text;

	mem_free(told(m));
	c = mux_util_client(a, "c", 80, 24);
	text = told(m);
	ck_assert_ptr_nonnull(strstr(text,
	    "client-session-changed:a:first%0 client-attached:a:first%0"));
	mem_free(text);
	client_set_session(c, b);
	text = told(m);
	ck_assert_ptr_nonnull(strstr(text, "client-session-changed:b:first%1"));
	mem_free(text);
	mux_util_free(m);
}
END_TEST

/* Orders that tmux 3.8 has told. */
START_TEST(panes_that_move_tell_in_tmuxs_order)
{
	const struct layout_split how = { .kind = LAYOUT_COLUMN, .size = -1 };
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");
	struct winlink *wl;
	struct window *v, *w;
	struct pane *a, *b;

	wl = mux_util_window(s, 1, "v");
	v = wl->window;
	w = mux_util_window(s, 2, "w")->window;
	a = w->active;
	b = mux_util_split(a, LAYOUT_ROW);
	mem_free(told(m));
	ck_assert_int_eq(window_swap_panes(b, a, false), 0);
	tells(m, "pane-resized::w%3 pane-resized::w%2 window-pane-changed::w%2 "
		 "window-layout-changed::w");
	window_rotate(w, true);
	tells(m, "pane-resized::w%3 pane-resized::w%2 "
		 "window-pane-changed::w%3");
	window_rotate(w, false);
	tells(m, "pane-resized::w%3 pane-resized::w%2 "
		 "window-pane-changed::w%2");
	ck_assert_int_eq(window_join(a, v->active, &how, wl, NULL), 0);
	tells(m, "pane-resized::w%3 window-layout-changed::w "
		 "window-pane-changed::w%3 pane-resized::v%1 "
		 "pane-resized::v%2 window-pane-changed::v%2 "
		 "session-window-changed:a:v pane-moved::v%2 "
		 "window-layout-changed::w "
		 "window-layout-changed::v");
	ck_assert_int_eq(window_swap_panes(a, b, true), 0);
	tells(m, "pane-resized::w%2 pane-resized::v%3 "
		 "window-pane-changed::v%3 window-pane-changed::w%2 "
		 "pane-moved::w%2 pane-moved::v%3 "
		 "window-layout-changed::v window-layout-changed::w");
	w = window_break(b);
	ck_assert_ptr_nonnull(w);
	ck_assert_int_eq(session_link(s, w, 5, NULL, NULL), 0);
	window_set_name(w, "n");
	tells(m, "window-pane-changed::v%1 pane-resized::v%1 "
		 "window-layout-changed::v window-linked:a:n "
		 "pane-resized::n%3 window-created::n pane-moved::n%3");
	mux_util_free(m);
}
END_TEST

/* The focus and a window that replaces another: events as in tmux 3.8. */
START_TEST(focus_and_links_keep_their_places)
{
	const struct pane_start start = { .history = 10 };
	struct mux *m = mux_util_new();
	struct session *a = mux_util_session(m, "a"), *g;
	struct pane *p = a->current->window->active,
		    *q = mux_util_split(p, LAYOUT_ROW);
	struct client *c = mux_util_client(a, "c", 80, 24);
	struct winlink *wl;
	struct window *w;

	client_set_flags(c, CLIENT_FOCUSED, true);
	mem_free(told(m));
	/* A pane that is killed does not lose the focus. */
	(void)window_close_pane(q);
	tells(m, "pane-resized::first%0 window-layout-changed::first "
		 "window-pane-changed::first%0 pane-focus-in::first%0");
	session_group_add(session_group_get(m, "g"), a);
	ck_assert_int_eq(session_new(m, "g", a->group, &g, NULL), 0);
	mem_free(told(m));
	w = window_new(m, 80, 24, &start);
	ck_assert_int_eq(session_replace(a->current, w, &wl, NULL), 0);
	window_set_name(w, "n");
	tells(m, "window-unlinked:a:first pane-created:a:%2 "
		 "pane-focus-out::first%0 pane-focus-in::%2 window-created::n "
		 "window-linked:a:n window-linked:g:n window-unlinked:g:first "
		 "window-closed::first");
	mux_util_free(m);
}
END_TEST

/* What a client sees before it comes, and what it leaves. */
START_TEST(clients_come_first)
{
	struct mux *m = mux_util_new();
	struct session *a = mux_util_session(m, "a"), *b;
	struct client_seen seen;
	struct client *c;

	mem_free(told(m));
	client_see(m, &seen);
	b = mux_util_session(m, "b");
	c = client_new_at(m, "c", &seen);
	c->flags |= CLIENT_FOCUSED;
	client_set_session(c, b);
	/* new-session attaches without the hook client-attached. */
	tells(m, "client-created:a:first%0 pane-created:b:%1 "
		 "window-created::first window-linked:b:first "
		 "session-created:b: pane-focus-in::first%1 "
		 "client-session-changed:b:first%1");
	client_set_size(c, 50, 20, 0, 0);
	(void)options_set_text(
	    &m->session_options, "detach-on-destroy", "off", NULL);
	mem_free(told(m));
	/* The sizes come last. */
	session_destroy(b);
	tells(m, "pane-focus-out::first%1 pane-focus-in::first%0 "
		 "client-session-changed:a:first%0 session-closed:b: "
		 "window-unlinked:b:first window-closed::first "
		 "pane-resized::first%0 window-layout-changed::first "
		 "window-resized::first");
	ck_assert_ptr_eq(c->session, a);
	mux_util_free(m);
}
END_TEST

/* A layout that has another size than the window. */
START_TEST(a_layout_does_not_keep_its_size)
{
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");
	struct window *w = s->current->window;
	char *text;

	(void)mux_util_split(w->active, LAYOUT_ROW);
	text = window_layout_text(w, false);
	(void)options_set_text(&w->options, "window-size", "manual", NULL);
	w->manual_w = 50;
	client_fit_window(w);
	mem_free(told(m));
	ck_assert_int_eq(window_apply_text(w, text, NULL), 0);
	tells(m, "pane-resized::first%0 pane-resized::first%1 "
		 "pane-resized::first%0 pane-resized::first%1 "
		 "window-layout-changed::first window-resized::first "
		 "window-layout-changed::first");
	ck_assert_int_eq(w->w, 50);
	mem_free(text);
	mux_util_free(m);
}
END_TEST

UNIT_SUITE(hook_order)
{
	Suite *s = suite_create("hook_order");
	TCase *tc = tcase_create("hook_order");

	tcase_add_test(tc, hooks_run_in_tmuxs_order);
	tcase_add_test(tc, steps_keep_their_places);
	tcase_add_test(tc, commands_keep_their_places);
	tcase_add_test(tc, clients_tell_their_window_and_pane);
	tcase_add_test(tc, panes_that_move_tell_in_tmuxs_order);
	tcase_add_test(tc, focus_and_links_keep_their_places);
	tcase_add_test(tc, clients_come_first);
	tcase_add_test(tc, a_layout_does_not_keep_its_size);
	suite_add_tcase(s, tc);
	return s;
}
