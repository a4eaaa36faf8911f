/* Sessions, links, groups. */
#include <string.h>

#include "base/mem.h"
#include "regress/chance.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"

#define sound(m) ck_assert_pstr_eq(mux_util_check(m), NULL)

static void
expect_links(const struct session *s, const char *want)
{
	char *text = mux_util_links(s);

	ck_assert_str_eq(text, want);
	mem_free(text);
}

static void
expect_events(struct mux *m, const char *name, const char *want)
{
	char *text = mux_util_events(m, name);

	ck_assert_str_eq(text, want);
	mem_free(text);
}

START_TEST(names_are_valid_and_unique)
{
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a.b:c"), *other = NULL;
	struct cause cause = { NULL };

	ck_assert_str_eq(s->name, "a.b:c");
	ck_assert_int_eq(
	    session_new(m, "a.b:c", NULL, &other, &cause), -ERR_EXISTS);
	ck_assert_str_eq(cause_text(&cause), "duplicate session: a.b:c");
	cause_fini(&cause);
	ck_assert_int_eq(
	    session_new(m, "a\tb", NULL, &other, NULL), -ERR_SYNTAX);
	other = mux_util_session(m, NULL);
	ck_assert_str_eq(other->name, "1");
	ck_assert_int_eq(session_rename(other, "a.b:c", NULL), -ERR_EXISTS);
	mem_free(mux_util_events(m, NULL));
	ck_assert_int_eq(session_rename(other, "zed", NULL), 0);
	expect_events(m, NULL, "SESSION_RENAMED $1 'zed'|");
	ck_assert_ptr_eq(mux_session_named(m, "zed"), other);
	ck_assert_ptr_null(mux_session_named(m, "1"));
	mux_util_free(m);
}
END_TEST

START_TEST(windows_are_linked_selected_and_unlinked)
{
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");
	struct cause cause = { NULL };
	struct winlink *wl, *other;
	int index;

	(void)mux_util_window(s, -1, "b");
	wl = mux_util_window(s, 7, "c");
	ck_assert_int_eq(
	    session_link(s, wl->window, 7, NULL, &cause), -ERR_EXISTS);
	ck_assert_str_eq(cause_text(&cause), "index in use: 7");
	cause_fini(&cause);
	expect_links(s, "0* 1 7");
	ck_assert(session_select(wl));
	ck_assert(!session_select(wl));
	expect_links(s, "0- 1 7*");
	ck_assert_int_eq(session_last(s), 0);
	expect_links(s, "0* 1 7-");
	ck_assert_int_eq(session_previous(s, false), 0);
	expect_links(s, "0- 1 7*");
	ck_assert_int_eq(session_next(s, false), 0);
	ck_assert_int_eq(session_next(s, false), 0);
	expect_links(s, "0- 1* 7");
	ck_assert_int_eq(session_next(s, true), -ERR_NOTFOUND);
	wl->alerts = ALERT_BELL;
	ck_assert_int_eq(session_next(s, true), 0);
	expect_links(s, "0 1- 7*");
	ck_assert_int_eq(wl->alerts, 0);
	/* Room before a window, and the order after that. */
	ck_assert_int_eq(
	    session_shuffle(session_link_at(s, 0), false, &index), 0);
	ck_assert_int_eq(index, 1);
	expect_links(s, "0 2- 7*");
	session_renumber(s);
	expect_links(s, "0 1- 2*");
	sound(m);
	other = session_link_at(s, 0);
	ck_assert_int_eq(
	    session_swap(other, session_link_at(s, 2), false, NULL), 0);
	ck_assert_str_eq(other->window->name, "c");
	/* Killing the current one goes back to the last. */
	session_unlink(s->current);
	expect_links(s, "0- 1*");
	sound(m);
	mem_free(mux_util_events(m, NULL));
	session_unlink(session_link_at(s, 0));
	expect_events(m, "WINDOW_",
	    "WINDOW_UNLINKED $0 @2 0 'c'|"
	    "WINDOW_CLOSED @2 'c'|");
	session_unlink(session_link_at(s, 1));
	ck_assert_uint_eq(m->session_ids.count, 0);
	ck_assert_uint_eq(m->windows.count, 0);
	ck_assert_uint_eq(m->panes.count, 0);
	mux_util_free(m);
}
END_TEST

/* The activity of a window tells when it became current, also in one turn. */
START_TEST(windows_have_the_time_of_their_selection)
{
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "s");
	struct winlink *first = s->current;
	struct winlink *b = mux_util_window(s, 1, "b");
	struct winlink *c = mux_util_window(s, 2, "c");

	mux_set_now(m, m->now, m->wall + 5000);
	(void)session_select(c);
	(void)session_select(b);
	ck_assert_int_eq(c->window->activity, m->wall);
	ck_assert_int_gt(b->window->activity, c->window->activity);
	ck_assert_int_lt(first->window->activity, m->wall);
	mux_util_free(m);
}
END_TEST

START_TEST(a_window_in_two_sessions_lives_until_the_last)
{
	struct mux *m = mux_util_new();
	struct session *a = mux_util_session(m, "a"),
		       *b = mux_util_session(m, "b");
	struct cause cause = { NULL };
	struct winlink *wl = a->current, *out = NULL;
	uint32_t id = wl->window->id;

	ck_assert_int_eq(
	    session_link_window(wl, b, 0, false, true, &out, &cause),
	    -ERR_EXISTS);
	ck_assert_str_eq(cause_text(&cause), "index in use: 0");
	cause_fini(&cause);
	ck_assert_int_eq(
	    session_link_window(wl, b, 0, true, false, &out, NULL), 0);
	ck_assert_ptr_eq(b->current, out);
	ck_assert_int_eq(
	    session_link_window(wl, b, 0, true, false, &out, &cause),
	    -ERR_EXISTS);
	ck_assert_str_eq(cause_text(&cause), "same index: 0");
	cause_fini(&cause);
	sound(m);
	session_unlink(wl);
	ck_assert_ptr_null(mux_session_named(m, "a"));
	ck_assert_ptr_nonnull(mux_window(m, id));
	window_kill(mux_window(m, id));
	ck_assert_ptr_null(mux_session_named(m, "b"));
	ck_assert_ptr_null(mux_window(m, id));
	mux_util_free(m);
}
END_TEST

START_TEST(a_group_shares_its_windows)
{
	struct mux *m = mux_util_new();
	struct session *a = mux_util_session(m, "a"), *b = NULL, *c = NULL;
	struct session_group *g = session_group_get(m, "grp");
	struct winlink *wl;
	int index;

	(void)mux_util_window(a, 4, "four");
	session_group_add(g, a);
	ck_assert_int_eq(session_new(m, NULL, g, &b, NULL), 0);
	ck_assert_str_eq(b->name, "grp-1");
	expect_links(b, "0* 4");
	wl = mux_util_window(b, -1, "new");
	expect_links(a, "0* 1 4");
	ck_assert(session_select(wl));
	expect_links(a, "0* 1 4");
	expect_links(b, "0- 1* 4");
	ck_assert_int_eq(
	    session_shuffle(session_link_at(a, 0), true, &index), 0);
	ck_assert_int_eq(index, 0);
	expect_links(a, "1* 2 4");
	expect_links(b, "1- 2* 4");
	sound(m);
	/* The window that B shows is unlinked: B falls back. */
	session_unlink(session_link_at(a, 2));
	expect_links(a, "1* 4");
	expect_links(b, "1* 4");
	sound(m);
	ck_assert_int_eq(
	    session_link_window(a->current, b, 9, false, false, NULL, NULL),
	    -ERR_STATE);
	/* One session of the group ends; its windows stay. */
	session_destroy(a);
	expect_links(b, "1* 4");
	ck_assert_int_eq(session_new(m, "c", g, &c, NULL), 0);
	expect_links(c, "1* 4");
	sound(m);
	window_kill(session_link_at(b, 1)->window);
	window_kill(session_link_at(b, 4)->window);
	ck_assert_uint_eq(m->session_ids.count, 0);
	ck_assert(list_empty(&m->groups));
	mux_util_free(m);
}
END_TEST

START_TEST(the_mark_follows_and_is_forgotten)
{
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");
	struct winlink *wl = mux_util_window(s, 5, "w"), *got;
	struct pane *p = mux_util_split(wl->window->active, LAYOUT_ROW), *q;

	ck_assert(!mux_get_mark(m, NULL, NULL));
	mux_set_mark(m, wl, p);
	session_renumber(s);
	ck_assert(mux_get_mark(m, &got, &q));
	ck_assert_ptr_eq(got, wl);
	ck_assert_ptr_eq(q, p);
	ck_assert_int_eq(m->mark.index, 1);
	(void)window_close_pane(p);
	ck_assert(!mux_get_mark(m, &got, &q));
	mux_util_free(m);
}
END_TEST

static uint64_t state;

static unsigned
dice(unsigned n)
{
	return chance_below(&state, n);
}

static struct session *
any_session(struct mux *m)
{
	return m->session_ids.entries[dice((unsigned)m->session_ids.count)]
	    .value;
}

static struct winlink *
any_link(struct mux *m)
{
	struct session *s = any_session(m);

	return winlink_step(s->current, (int)dice((unsigned)s->links.count));
}

static struct pane *
any_pane(struct mux *m)
{
	return m->panes.entries[dice((unsigned)m->panes.count)].value;
}

/* Makes one random change of the whole model. */
static void
change(struct mux *m)
{
	struct layout_split how = { .kind =
					dice(2) ? LAYOUT_ROW : LAYOUT_COLUMN,
		.size = -1,
		.before = dice(2),
		.full = dice(3) == 0 };
	struct pane_start start = { 0 };
	struct window *w;
	struct pane *p;
	struct session *s = NULL;
	int index;

	if (m->session_ids.count == 0)
		(void)mux_util_session(m, NULL);
	switch (dice(20)) {
	case 0:
		if (m->session_ids.count < 6)
			(void)mux_util_session(m, NULL);
		break;
	case 1:
		if (m->session_ids.count < 6 &&
		    session_new(m, NULL, session_group_get(m, "g"), &s, NULL) ==
			0 &&
		    s->links.count == 0)
			(void)mux_util_window(s, -1, "g");
		break;
	case 2:
		if (dice(3) == 0)
			session_destroy(any_session(m));
		break;
	case 3:
	case 4:
		if (m->windows.count < 20)
			(void)mux_util_window(any_session(m), -1, "w");
		break;
	case 5:
		(void)session_link_window(any_link(m), any_session(m),
		    (int)dice(12) - 1, dice(2), dice(2), NULL, NULL);
		break;
	case 6:
		session_unlink(any_link(m));
		break;
	case 7:
		(void)session_swap(any_link(m), any_link(m), false, NULL);
		break;
	case 8:
		(void)session_shuffle(any_link(m), dice(2), &index);
		break;
	case 9:
		session_renumber(any_session(m));
		break;
	case 10:
		(void)session_select(any_link(m));
		break;
	case 11:
		(void)session_last(any_session(m));
		break;
	case 12:
	case 13:
	case 14:
		p = any_pane(m);
		if (p->window->panes.count < 12)
			(void)window_split(
			    p->window, p, &how, &start, &p, NULL);
		break;
	case 15:
		(void)window_close_pane(any_pane(m));
		break;
	case 16:
		(void)window_swap_panes(any_pane(m), any_pane(m), dice(2));
		break;
	case 17:
		(void)window_join(any_pane(m), any_pane(m), &how, NULL, NULL);
		break;
	case 18:
		w = window_break(any_pane(m));
		if (w != NULL)
			(void)session_link(any_session(m), w, -1, NULL, NULL);
		break;
	default:
		p = any_pane(m);
		if (dice(2))
			window_rotate(p->window, dice(2));
		else if (!window_unzoom(p->window))
			(void)window_zoom(p);
		(void)window_set_active(p->window, p);
		break;
	}
}

START_TEST(random_changes_keep_the_model_sound)
{
	unsigned long seed = unit_seed(11);
	struct mux *m = mux_util_new();
	struct mux_event e;
	int i;

	state = seed;
	for (i = 0; i < 20000; i++) {
		change(m);
		ck_assert_msg(mux_util_check(m) == NULL, "seed %lu step %d: %s",
		    seed, i, mux_util_check(m));
		while (mux_next_event(m, &e))
			mux_event_fini(&e);
	}
	mux_util_free(m);
}
END_TEST

UNIT_SUITE(session)
{
	Suite *s = suite_create("session");
	TCase *tc = tcase_create("session");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, names_are_valid_and_unique);
	tcase_add_test(tc, windows_are_linked_selected_and_unlinked);
	tcase_add_test(tc, windows_have_the_time_of_their_selection);
	tcase_add_test(tc, a_window_in_two_sessions_lives_until_the_last);
	tcase_add_test(tc, a_group_shares_its_windows);
	tcase_add_test(tc, the_mark_follows_and_is_forgotten);
	tcase_add_test(tc, random_changes_keep_the_model_sound);
	suite_add_tcase(s, tc);
	return s;
}
