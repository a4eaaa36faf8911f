/*
 * Clients: sizes of windows, flags, sessions after a session ends; alerts;
 * focus.
 */
#include <string.h>

#include "base/mem.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"

static void
set(struct options *o, const char *name, const char *value)
{
	struct cause cause = { NULL };

	ck_assert_msg(options_set_text(o, name, value, &cause) == 0, "%s",
	    cause_text(&cause));
}

static void
expect_events(struct mux *m, const char *name, const char *want)
{
	char *text = mux_util_events(m, name);

	ck_assert_str_eq(text, want);
	mem_free(text);
}

#define expect_size(win, cols, rows) \
 ck_assert_int_eq((win)->w, cols);   \
 ck_assert_int_eq((win)->h, rows)

START_TEST(window_size_follows_its_policy)
{
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");
	struct window *w = s->current->window;
	struct client *big, *small;
	int cols, rows;

	big = mux_util_client(s, "big", 100, 50);
	expect_size(w, 100, 49);
	small = mux_util_client(s, "small", 60, 20);
	expect_size(w, 60, 19); /* latest */
	client_touch(big);
	expect_size(w, 100, 49);
	client_set_size(small, 61, 21, 0, 0);
	expect_size(w, 61, 20); /* who resizes a terminal uses it */
	client_set_size(small, 60, 20, 0, 0);
	client_use_window(big, s);
	expect_size(w, 100, 49);
	set(&w->options, "window-size", "smallest");
	client_fit_window(w);
	expect_size(w, 60, 19);
	client_set_size(small, 120, 30, 0, 0);
	expect_size(w, 100, 29);
	set(&w->options, "window-size", "largest");
	client_fit_window(w);
	expect_size(w, 120, 49);
	client_set_flags(big, CLIENT_IGNORE_SIZE, true);
	expect_size(w, 120, 29);
	client_set_flags(small, CLIENT_IGNORE_SIZE, true);
	expect_size(w, 120, 49); /* there are no other clients */
	client_set_flags(big, CLIENT_SUSPENDED, true);
	expect_size(w, 120, 29);
	set(&w->options, "window-size", "manual");
	w->manual_w = 33;
	w->manual_h = 11;
	client_fit_window(w);
	expect_size(w, 33, 11);
	ck_assert(client_window_limit(w, true, &cols, &rows));
	ck_assert_int_eq(cols, 120);
	set(&s->options, "status", "3");
	set(&w->options, "window-size", "latest");
	client_fit_window(w);
	expect_size(w, 120, 27);
	client_free(small);
	client_free(big);
	expect_size(w, 120, 27);
	client_new_window_size(m, s, NULL, &cols, &rows);
	ck_assert_int_eq(cols, 80);
	ck_assert_int_eq(rows, 24);
	set(&s->options, "default-size", "132x43");
	client_new_window_size(m, s, NULL, &cols, &rows);
	ck_assert_int_eq(cols, 132);
	ck_assert_pstr_eq(mux_util_check(m), NULL);
	mux_util_free(m);
}
END_TEST

START_TEST(a_first_size_counts_even_if_it_is_the_default)
{
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");
	struct window *w = s->current->window;
	struct client *c = client_new(m, "c");

	client_set_session(c, s);
	expect_size(w, 80, 24);
	client_set_size(c, 80, 24, 0, 0);
	expect_size(w, 80, 23);
	mux_util_free(m);
}
END_TEST

/* A window has the size of the client that was used there, or that made it. */
START_TEST(other_windows_keep_their_sizes)
{
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");
	struct window *first = s->current->window, *made, *shown;
	struct client *big = mux_util_client(s, "big", 100, 50), *small;
	struct winlink *link = mux_util_window(s, 6, "shown");

	made = mux_util_window(s, 5, "made")->window;
	client_made_window(big, made);
	shown = link->window;
	client_fit_windows(m);
	expect_size(made, 100, 49);
	expect_size(shown, 100, 49); /* of the only client */
	small = mux_util_client(s, "small", 60, 20);
	expect_size(first, 60, 19);
	expect_size(made, 100, 49);
	expect_size(shown, 100, 49);
	/* A client that switches within its session uses the window. */
	ck_assert(session_select(link));
	client_set_session(small, s);
	expect_size(shown, 60, 19);
	expect_size(made, 100, 49);
	mux_util_free(m);
}
END_TEST

START_TEST(aggressive_resize_looks_at_viewers_only)
{
	struct mux *m = mux_util_new();
	struct session *a = mux_util_session(m, "a"),
		       *b = mux_util_session(m, "b");
	struct winlink *wl = a->current, *shared = NULL;
	struct window *w = wl->window;

	ck_assert_int_eq(
	    session_link_window(wl, b, 5, false, false, &shared, NULL), 0);
	set(&m->window_options, "window-size", "smallest");
	(void)mux_util_client(a, "x", 100, 41);
	(void)mux_util_client(b, "y", 70, 31);
	expect_size(w, 70, 30);
	set(&m->window_options, "aggressive-resize", "on");
	client_fit_windows(m);
	expect_size(w, 100, 40);
	(void)session_select(shared);
	client_fit_windows(m);
	expect_size(w, 70, 30);
	mux_util_free(m);
}
END_TEST

START_TEST(a_control_client_can_size_one_window)
{
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");
	struct window *w = s->current->window;
	struct client *c = client_new(m, "ctl");

	client_set_flags(c, CLIENT_CONTROL, true);
	client_set_session(c, s);
	expect_size(w, 80, 24); /* it has not set its size */
	/* It has no status line. */
	client_set_size(c, 90, 31, 0, 0);
	expect_size(w, 90, 31);
	ck_assert_int_eq(client_set_window_size(c, w->id, 50, 20), 0);
	expect_size(w, 50, 20);
	ck_assert_int_eq(client_set_window_size(c, w->id, 0, 0), 0);
	expect_size(w, 90, 31);
	mux_util_free(m);
}
END_TEST

START_TEST(a_small_client_pans)
{
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");
	struct window *w = s->current->window;
	struct client *c;
	struct cell_rect r;

	set(&w->options, "window-size", "manual");
	w->manual_w = 200;
	w->manual_h = 100;
	c = mux_util_client(s, "c", 80, 25);
	expect_size(w, 200, 100);
	ck_assert(client_view(c, &r));
	ck_assert_int_eq(r.x, 0);
	ck_assert_int_eq(r.w, 80);
	ck_assert_int_eq(r.h, 24);
	vt_term_write(w->active->term, "\033[90;150H", 9);
	ck_assert(client_view(c, &r));
	ck_assert_int_eq(r.x, 120);
	ck_assert_int_eq(r.y, 76);
	client_pan(c, -1000, 10);
	ck_assert(client_view(c, &r));
	ck_assert_int_eq(r.x, 0);
	ck_assert_int_eq(r.y, 76);
	client_pan_reset(c);
	ck_assert(client_view(c, &r));
	ck_assert_int_eq(r.x, 120);
	client_set_size(c, 300, 200, 0, 0);
	ck_assert(!client_view(c, &r));
	ck_assert_int_eq(r.w, 200);
	mux_util_free(m);
}
END_TEST

/* Checks the session of a client after its own session ("b") ends. */
static void
expect_after(const char *policy, const char *want)
{
	struct mux *m = mux_util_new();
	struct session *b;
	struct client *c;

	set(&m->session_options, "detach-on-destroy", policy);
	(void)mux_util_session(m, "a");
	b = mux_util_session(m, "b");
	(void)mux_util_session(m, "c");
	(void)mux_util_session(m, "d");
	(void)mux_util_client(mux_session_named(m, "d"), "other", 80, 24);
	c = mux_util_client(b, "c", 80, 24);
	mem_free(mux_util_events(m, NULL));
	session_destroy(b);
	ck_assert_pstr_eq(c->session == NULL ? NULL : c->session->name, want);
	expect_events(m, want == NULL ? "CLIENT_DETACHED" : "CLIENT_SESSION",
	    want == NULL             ? "CLIENT_DETACHED $1 @1 %1 c1 'c'|"
	    : strcmp(want, "c") == 0 ? "CLIENT_SESSION $2 @2 %2 c1|"
				     : "CLIENT_SESSION $0 @0 %0 c1|");
	ck_assert_uint_eq(c->last_session, MUX_NONE);
	ck_assert_pstr_eq(mux_util_check(m), NULL);
	mux_util_free(m);
}

START_TEST(clients_go_where_detach_on_destroy_says)
{
	expect_after("on", NULL);
	expect_after("no-detached", "c");
	expect_after("previous", "a");
	expect_after("next", "c");
}
END_TEST

START_TEST(unattached_sessions_end_when_asked)
{
	struct mux *m = mux_util_new();
	struct session *a = mux_util_session(m, "a"),
		       *b = mux_util_session(m, "b");
	struct client *c = mux_util_client(a, "c", 80, 24);

	set(&a->options, "destroy-unattached", "on");
	client_set_session(c, b);
	ck_assert_ptr_null(mux_session_named(m, "a"));
	ck_assert_ptr_eq(c->session, b);
	ck_assert_uint_eq(b->attached, 1);
	client_free(c);
	ck_assert_ptr_eq(mux_session_named(m, "b"), b);
	ck_assert_uint_eq(b->attached, 0);
	mux_util_free(m);
}
END_TEST

START_TEST(unattached_sessions_end_when_never_attached)
{
	struct mux *m = mux_util_new();
	struct session *a = mux_util_session(m, "a"),
		       *b = mux_util_session(m, "b");
	struct client *c = mux_util_client(b, "c", 80, 24);

	(void)mux_util_session(m, "d");
	set(&a->options, "destroy-unattached", "on");
	client_check_unattached(m);
	ck_assert_ptr_null(mux_session_named(m, "a"));
	ck_assert_ptr_nonnull(mux_session_named(m, "d"));
	set(&m->session_options, "destroy-unattached", "on");
	client_check_unattached(m);
	ck_assert_ptr_null(mux_session_named(m, "d"));
	ck_assert_ptr_eq(mux_session_named(m, "b"), b);
	client_free(c);
	mux_util_free(m);
}
END_TEST

/* The answers of P's terminal to QUERY. */
static void
expect_answers(struct pane *p, const char *query, const char *want)
{
	struct vt_effect e;
	char got[512] = "";

	vt_term_write(p->term, query, strlen(query));
	while (vt_term_next_effect(p->term, &e)) {
		if (e.kind == VT_EFFECT_REPLY)
			strncat(got, e.data, sizeof(got) - strlen(got) - 1);
		vt_effect_fini(&e);
	}
	ck_assert_str_eq(got, want);
}

START_TEST(programs_learn_of_the_terminal_used_last)
{
	/* Colour 1, the foreground, the background; one that does not exist. */
	static const uint8_t told[] = { 0, 1, 0x11, 0x22, 0x33, 1, 0, 0x44,
		0x55, 0x66, 1, 1, 0x77, 0x88, 0x99, 9, 9, 0, 0, 0 };
	static const char query[] = "\033]4;1;?\033\\\033]10;?\033\\"
				    "\033]11;?\033\\\033[16t\033[14t";
	static const char first[] = "\033]4;1;rgb:1111/2222/3333\033\\"
				    "\033]10;rgb:4444/5555/6666\033\\"
				    "\033]11;rgb:7777/8888/9999\033\\"
				    "\033[6;20;10t\033[4;460;800t";
	static const char second[] = "\033]4;1;rgb:cdcd/0000/0000\033\\"
				     "\033]10;rgb:0000/0000/0000\033\\"
				     "\033]11;rgb:ffff/ffff/ffff\033\\"
				     "\033[6;14;7t\033[4;322;560t";
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");
	struct pane *p = s->current->window->active;
	struct client *a = mux_util_client(s, "a", 80, 24), *b, *guest;

	ck_assert_uint_eq(outer_read(&a->outer, told, sizeof(told)), 3);
	client_set_size(a, 80, 24, 10, 20);
	client_outer_changed(a);
	expect_answers(p, query, first);
	mem_free(mux_util_events(m, ""));
	b = mux_util_client(s, "b", 80, 24);
	client_set_size(b, 80, 24, 7, 14);
	client_set_theme(b, CLIENT_THEME_LIGHT);
	client_outer_changed(b);
	expect_answers(p, query, second);
	client_touch(a);
	expect_answers(p, query, first);
	/* A program in a new window learns it before the first output. */
	expect_answers(mux_util_window(s, 5, "w")->window->active,
	    "\033]11;?\033\\", "\033]11;rgb:7777/8888/9999\033\\");
	/* An option and the program come before the terminal. */
	set(&p->options, "pane-colours[1]", "#0000ff");
	pane_options_changed(p);
	expect_answers(
	    p, "\033]4;1;?\033\\", "\033]4;1;rgb:0000/0000/ffff\033\\");
	expect_answers(p, "\033]4;1;#ffff00\033\\\033]4;1;?\033\\",
	    "\033]4;1;rgb:ffff/ffff/0000\033\\");
	/* A terminal that does not tell its cells leaves the last ones. */
	client_set_size(a, 80, 24, 0, 0);
	expect_answers(p, "\033[16t", "\033[6;20;10t");
	/* A program that set mode 2031 or 2048 gets its report at once. */
	expect_answers(p, "\033[?2031h\033[?2048h", "\033[48;23;80;460;800t");
	mem_free(mux_util_events(m, ""));
	client_touch(b);
	expect_events(m, "PANE_OUTER", "PANE_OUTER @0 %0|");
	expect_answers(p, "", "\033[48;23;80;322;560t\033[?997;2n");
	expect_answers(p, "\033[?2031l\033[?2048l", "");
	/* A guest's terminal lends nothing. */
	guest = mux_util_client(s, "g", 80, 24);
	guest->guest = true;
	guest->role = CLIENT_VIEW;
	client_set_size(guest, 80, 24, 30, 60);
	client_touch(guest);
	expect_answers(p, "\033[16t", "\033[6;14;7t");
	mux_util_free(m);
}
END_TEST

START_TEST(flags_have_names)
{
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");
	struct client *c = mux_util_client(s, "c", 80, 24);
	struct cause cause = { NULL };
	char *text;

	ck_assert_int_eq(
	    client_parse_flags(c, "read-only,ignore-size,pause-after=5", NULL),
	    0);
	text = client_flags_text(c);
	ck_assert_str_eq(text, "attached,ignore-size,pause-after=5,read-only");
	mem_free(text);
	ck_assert_int_eq(
	    client_parse_flags(c, "!read-only,nosuch,!ignore-size", &cause),
	    -ERR_NOTFOUND);
	ck_assert_str_eq(cause_text(&cause), "unknown client flag: nosuch");
	cause_fini(&cause);
	/* Read-only stays, as in tmux: only switch-client -r ends it. */
	ck_assert_uint_eq(
	    c->flags & (CLIENT_READONLY | CLIENT_IGNORE_SIZE), CLIENT_READONLY);
	ck_assert_str_eq(client_table(c), "root");
	client_set_table(c, "prefix");
	ck_assert_str_eq(client_table(c), "prefix");
	mux_util_free(m);
}
END_TEST

START_TEST(focus_goes_to_the_pane_that_is_seen)
{
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");
	struct pane *p = s->current->window->active,
		    *q = mux_util_split(p, LAYOUT_ROW);
	struct client *c = mux_util_client(s, "c", 80, 24);

	mem_free(mux_util_events(m, NULL));
	client_set_flags(c, CLIENT_FOCUSED, true);
	expect_events(m, "PANE_FOCUS", "PANE_FOCUS_IN @0 %1|");
	(void)window_set_active(q->window, p);
	expect_events(
	    m, "PANE_FOCUS", "PANE_FOCUS_OUT @0 %1|PANE_FOCUS_IN @0 %0|");
	client_set_session(c, NULL);
	expect_events(m, "PANE_FOCUS", "PANE_FOCUS_OUT @0 %0|");
	mux_util_free(m);
}
END_TEST

/* --- alerts ------------------------------------------------------------------ */

START_TEST(alerts_raise_flags_and_events)
{
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");
	struct winlink *other = mux_util_window(s, 3, "other");
	struct client *c = mux_util_client(s, "c", 80, 24);
	struct pane *here = s->current->window->active,
		    *there = other->window->active;

	mem_free(mux_util_events(m, NULL));
	alert_bell(there);
	alert_bell(here);
	(void)alert_run(m);
	expect_events(m, "ALERT", "ALERT_BELL $0 @0 0|ALERT_BELL $0 @1 3|");
	ck_assert_uint_eq(other->alerts, ALERT_BELL);
	ck_assert_uint_eq(s->current->alerts, 0);
	/* Activity only where it is monitored, and once. */
	pane_output(there);
	(void)alert_run(m);
	expect_events(m, "ALERT", "");
	set(&m->window_options, "monitor-activity", "on");
	pane_output(there);
	pane_output(here);
	(void)alert_run(m);
	expect_events(m, "ALERT", "ALERT_ACTIVITY $0 @1 3|");
	pane_output(there);
	(void)alert_run(m);
	expect_events(m, "ALERT", "");
	ck_assert_uint_eq(other->alerts, ALERT_BELL | ALERT_ACTIVITY);
	(void)session_select(other);
	ck_assert_uint_eq(other->alerts, 0);
	set(&s->options, "activity-action", "none");
	pane_output(here);
	(void)alert_run(m);
	expect_events(m, "ALERT", "");
	ck_assert_uint_eq(session_link_at(s, 0)->alerts, ALERT_ACTIVITY);
	alert_clear_session(s);
	ck_assert_uint_eq(session_link_at(s, 0)->alerts, 0);
	/* Without a client the current window gets flags, too. */
	client_free(c);
	alert_bell(there);
	(void)alert_run(m);
	ck_assert_uint_eq(other->alerts, ALERT_BELL);
	mux_util_free(m);
}
END_TEST

START_TEST(silence_is_told_once_at_its_time)
{
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");
	struct winlink *wl = mux_util_window(s, 1, "w");

	set(&wl->window->options, "monitor-silence", "5");
	mem_free(mux_util_events(m, NULL));
	ck_assert_uint_eq(alert_run(m), 6000);
	mux_set_now(m, 5999, 0);
	ck_assert_uint_eq(alert_run(m), 6000);
	expect_events(m, "ALERT", "");
	mux_set_now(m, 6000, 0);
	ck_assert_uint_eq(alert_run(m), MONO_NEVER);
	expect_events(m, "ALERT", "ALERT_SILENCE $0 @1 1|");
	ck_assert_uint_eq(alert_run(m), MONO_NEVER);
	expect_events(m, "ALERT", "");
	ck_assert_uint_eq(wl->alerts, ALERT_SILENCE);
	mux_set_now(m, 7000, 0);
	pane_output(wl->window->active);
	ck_assert_uint_eq(alert_run(m), 12000);
	mux_util_free(m);
}
END_TEST

START_TEST(roles_decide_sizes_and_where_guests_go)
{
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");
	struct session *t = mux_util_session(m, "b");
	struct window *w = s->current->window;
	struct client *host, *guest;

	host = mux_util_client(s, "host", 100, 50);
	guest = client_new(m, "guest");
	guest->guest = true;
	client_set_role(guest, CLIENT_TYPE);
	client_set_session(guest, s);
	client_set_size(guest, 40, 10, 0, 0);
	expect_size(w, 100, 49);
	client_touch(guest);
	ck_assert_uint_eq(w->latest, host->id);
	ck_assert_ptr_eq(client_best(m, NULL), host);
	client_set_role(guest, CLIENT_ADMIN);
	client_touch(guest);
	expect_size(w, 100, 49); /* a guest never decides sizes */
	client_set_flags(guest, CLIENT_READONLY, true);
	ck_assert_int_eq(guest->role, CLIENT_VIEW);
	client_set_flags(guest, CLIENT_READONLY, false);
	ck_assert_int_eq(guest->role, CLIENT_TYPE);
	client_set_session(host, NULL);
	expect_size(w, 100, 49);
	client_set_session(host, s);
	set(&s->options, "detach-on-destroy", "off");
	session_destroy(s);
	ck_assert_ptr_eq(host->session, t);
	ck_assert_ptr_null(guest->session);
	mux_util_free(m);
}
END_TEST

START_TEST(own_panes_and_following)
{
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");
	struct session *t = mux_util_session(m, "b");
	struct window *w = s->current->window;
	struct pane *p = w->active, *q;
	struct client *c, *d, *e;
	struct cell_rect r;

	c = mux_util_client(s, "c", 80, 24);
	d = mux_util_client(s, "d", 80, 24);
	e = mux_util_client(t, "e", 80, 24);
	q = mux_util_split(p, LAYOUT_COLUMN);
	ck_assert_ptr_eq(client_pane(c), q);
	set(&s->options, "own-panes", "on");
	client_set_pane(c, p);
	ck_assert_ptr_eq(client_pane(c), p);
	ck_assert_ptr_eq(client_last_pane(c), q);
	ck_assert_ptr_eq(client_pane(d), q);
	ck_assert_ptr_null(client_last_pane(d));
	/* The window's zoom hides it; only one client sees its own zoom. */
	(void)window_zoom(q);
	ck_assert_ptr_eq(client_pane(c), q);
	(void)window_unzoom(w);
	c->zoom = p->id;
	ck_assert_ptr_eq(client_zoomed(c), p);
	ck_assert_ptr_null(client_zoomed(d));
	ck_assert(!client_view(c, &r));
	ck_assert_int_eq(r.x, p->x);
	ck_assert_int_eq(r.h, p->h);
	client_set_size(c, 20, 5, 0, 0);
	client_touch(d);
	ck_assert(client_view(c, &r));
	ck_assert_int_eq(r.w, 20);
	ck_assert_int_le(r.y + r.h, p->y + p->h);
	/*
	 * Following gives window and pane, also through others; never in a
	 * circle.
	 */
	d->follow = c->id;
	e->follow = d->id;
	ck_assert_ptr_eq(client_link(e), s->current);
	ck_assert_ptr_eq(client_pane(e), p);
	e->guest = true;
	ck_assert_ptr_eq(client_link(e), t->current);
	ck_assert_ptr_eq(client_pane(e), t->current->window->active);
	c->follow = d->id;
	ck_assert_ptr_eq(client_link(c), s->current);
	c->follow = MUX_NONE;
	client_set_session(c, NULL);
	ck_assert_ptr_eq(client_pane(d), q);
	/* Panes and windows that are closed. */
	client_set_session(c, s);
	client_set_pane(d, p);
	(void)window_close_pane(p);
	ck_assert_ptr_eq(client_pane(c), q);
	ck_assert_ptr_null(client_zoomed(c));
	window_kill(w);
	ck_assert_ptr_null(client_pane(c));
	mux_util_free(m);
}
END_TEST

START_TEST(a_client_has_options_above_its_sessions)
{
	struct mux *m = mux_util_new();
	struct session *a = mux_util_session(m, "a");
	struct session *b = mux_util_session(m, "b");
	struct client *c = mux_util_client(a, "c", 80, 24);
	struct client *d = mux_util_client(a, "d", 80, 24);
	struct option_name name;

	set(&a->options, "key-table", "of-a");
	set(&c->options, "mouse", "off");
	ck_assert(!options_flag(&c->options, OPTION_MOUSE));
	ck_assert(options_flag(&d->options, OPTION_MOUSE));
	ck_assert(options_flag(&a->options, OPTION_MOUSE));
	ck_assert_str_eq(client_table(c), "of-a");
	set(&c->options, "key-table", "of-c");
	ck_assert_str_eq(client_table(c), "of-c");
	ck_assert_str_eq(client_table(d), "of-a");
	/* They go along to another session, and its own come from there. */
	set(&b->options, "repeat-time", "77");
	client_set_session(c, b);
	ck_assert_str_eq(client_table(c), "of-c");
	ck_assert_int_eq(options_number(&c->options, OPTION_REPEAT_TIME), 77);
	ck_assert_int_eq(option_match("key-table", &name, NULL), 0);
	options_unset(&c->options, &name);
	ck_assert_str_eq(client_table(c), "root");
	client_set_session(c, NULL);
	session_destroy(b);
	ck_assert(!options_flag(&c->options, OPTION_MOUSE));
	ck_assert_int_eq(options_number(&c->options, OPTION_REPEAT_TIME), 500);
	mux_util_free(m);
}
END_TEST

/* -C sets what is read from a client, and those are a session's options. */
START_TEST(options_of_a_person_are_a_sessions)
{
	static const char *const names[] = { "initial-repeat-time", "key-table",
		"mouse", "pace", "paths", "predict", "prefix",
		"prefix-panel-time", "prefix2", "repeat-time", "status-keys" };
	const struct option_row *row;
	size_t i, n = 0;

	for (i = 0; i < OPTION_COUNT; i++) {
		row = option_row((enum option_id)i);
		if ((row->flags & OPT_PERSON) == 0)
			continue;
		ck_assert_uint_eq(row->scope, OPT_SESSION);
		ck_assert_uint_eq(row->flags & (OPT_ARRAY | OPT_HOOK), 0);
		ck_assert_uint_lt(n, ARRAY_LEN(names));
		ck_assert_str_eq(row->name, names[n++]);
	}
	ck_assert_uint_eq(n, ARRAY_LEN(names));
}
END_TEST

UNIT_SUITE(client)
{
	Suite *s = suite_create("client");
	TCase *tc = tcase_create("client");

	tcase_add_test(tc, a_client_has_options_above_its_sessions);
	tcase_add_test(tc, options_of_a_person_are_a_sessions);
	tcase_add_test(tc, roles_decide_sizes_and_where_guests_go);
	tcase_add_test(tc, own_panes_and_following);
	tcase_add_test(tc, window_size_follows_its_policy);
	tcase_add_test(tc, a_first_size_counts_even_if_it_is_the_default);
	tcase_add_test(tc, other_windows_keep_their_sizes);
	tcase_add_test(tc, aggressive_resize_looks_at_viewers_only);
	tcase_add_test(tc, a_control_client_can_size_one_window);
	tcase_add_test(tc, a_small_client_pans);
	tcase_add_test(tc, clients_go_where_detach_on_destroy_says);
	tcase_add_test(tc, unattached_sessions_end_when_asked);
	tcase_add_test(tc, unattached_sessions_end_when_never_attached);
	tcase_add_test(tc, flags_have_names);
	tcase_add_test(tc, programs_learn_of_the_terminal_used_last);
	tcase_add_test(tc, focus_goes_to_the_pane_that_is_seen);
	tcase_add_test(tc, alerts_raise_flags_and_events);
	tcase_add_test(tc, silence_is_told_once_at_its_time);
	suite_add_tcase(s, tc);
	return s;
}
