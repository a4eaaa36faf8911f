/* Notifications: the list, limits under virtual time, kitty's OSC 99. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "mux/notify.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"

struct util {
	struct mux *m;
	struct session *s;
	struct pane *p;
};

static void
start(struct util *u)
{
	u->m = mux_util_new();
	u->s = mux_util_session(u->m, "s");
	u->p = u->s->current->window->active;
	mux_set_now(u->m, 1000, 5000);
	mem_free(mux_util_events(u->m, ""));
}

static struct notify_entry *
say(struct pane *p, const char *title, const char *body)
{
	const struct notify_text t = { NOTIFY_OSC777, title, body, NULL };

	return notify_add(p, &t, false);
}

static void
bell(struct pane *p)
{
	const struct notify_text t = { NOTIFY_BELL, "bell", "", NULL };

	(void)notify_add(p, &t, false);
}

/* --- limits ------------------------------------------------------------------ */

START_TEST(a_bucket_refills)
{
	struct notify_bucket b = { 0 };
	unsigned i;

	for (i = 0; i < 5; i++)
		ck_assert(notify_bucket_take(&b, 7, 5, 1000));
	ck_assert(!notify_bucket_take(&b, 7, 5, 1000));
	ck_assert(!notify_bucket_take(&b, 1006, 5, 1000));
	ck_assert(notify_bucket_take(&b, 1007, 5, 1000));
	ck_assert(!notify_bucket_take(&b, 1007, 5, 1000));
	/* It holds no more than five. */
	for (i = 0; i < 5; i++)
		ck_assert(notify_bucket_take(&b, 1000000, 5, 1000));
	ck_assert(!notify_bucket_take(&b, 1000000, 5, 1000));
}
END_TEST

START_TEST(what_is_too_much_is_counted)
{
	struct util u;
	struct pane *q;
	unsigned i, admitted = 0;

	start(&u);
	q = mux_util_split(u.p, LAYOUT_ROW);
	for (i = 0; i < 100; i++)
		admitted += notify_admit(u.p);
	ck_assert_uint_eq(admitted, NOTIFY_PANE_BURST);
	ck_assert_uint_eq(u.p->notify->dropped, 100 - NOTIFY_PANE_BURST);
	ck_assert_uint_eq(u.m->notify->dropped, 100 - NOTIFY_PANE_BURST);
	/* Another pane has its own. */
	ck_assert(notify_admit(q));
	ck_assert_uint_eq(q->notify->dropped, 0);
	mux_set_now(u.m, 1000 + NOTIFY_PANE_MS, 6000);
	ck_assert(notify_admit(u.p));
	ck_assert(!notify_admit(u.p));
	mux_util_free(u.m);
}
END_TEST

START_TEST(all_panes_share_a_limit)
{
	struct util u;
	struct pane *p;
	unsigned i, k, admitted = 0;

	start(&u);
	p = u.p;
	for (i = 0; i < 8; i++) {
		for (k = 0; k < NOTIFY_PANE_BURST; k++)
			admitted += notify_admit(p);
		p = mux_util_window(u.s, -1, "w")->window->active;
	}
	ck_assert_uint_eq(admitted, NOTIFY_ALL_BURST);
	mux_util_free(u.m);
}
END_TEST

/* --- the list ---------------------------------------------------------------- */

START_TEST(entries_are_kept_counted_and_seen)
{
	struct util u;
	struct notify_entry *a, *b;
	struct window *w;
	char *text, *events;

	start(&u);
	w = mux_util_window(u.s, 1, "two")->window;
	mem_free(mux_util_events(u.m, ""));
	a = say(u.p, "T", "one\ttwo\033[31m\nthree");
	ck_assert_str_eq(a->body, "one two[31m three");
	ck_assert_int_eq(a->time, 5000);
	text = notify_text_new(a);
	ck_assert_str_eq(text, "T: one two[31m three");
	ck_assert_str_eq(u.p->notify->last, text);
	mem_free(text);
	events = mux_util_events(u.m, "PANE_NOTIFICATION");
	ck_assert_ptr_nonnull(strstr(events, "PANE_NOTIFICATION"));
	mem_free(events);
	b = say(w->active, "", "body");
	text = notify_text_new(b);
	ck_assert_str_eq(text, "body");
	ck_assert_str_eq(b->window, "two");
	mem_free(text);
	ck_assert_uint_eq(notify_unseen(u.m, NULL, NULL, NULL), 2);
	ck_assert_uint_eq(notify_unseen(u.m, u.s, NULL, NULL), 2);
	ck_assert_uint_eq(notify_unseen(u.m, NULL, w, NULL), 1);
	ck_assert_uint_eq(notify_unseen(u.m, NULL, NULL, u.p), 1);
	ck_assert_ptr_eq(notify_newest(u.m), b);
	ck_assert(notify_see_pane(w->active));
	ck_assert(!notify_see_pane(w->active));
	ck_assert_ptr_eq(notify_newest(u.m), a);
	ck_assert_ptr_eq(notify_find(u.m->notify, b->number), b);
	notify_remove(u.m->notify, a);
	ck_assert_ptr_null(notify_newest(u.m));
	ck_assert_uint_eq(u.m->notify->unseen, 0);
	notify_clear(u.m);
	ck_assert_uint_eq(u.m->notify->count, 0);
	mux_util_free(u.m);
}
END_TEST

START_TEST(the_list_and_its_texts_are_bounded)
{
	struct util u;
	char *text = mem_alloc(100001);
	struct notify_entry *e = NULL;
	unsigned i;

	start(&u);
	memset(text, 'x', 100000);
	text[100000] = '\0';
	/* A character of three bytes is not cut. */
	memcpy(text + NOTIFY_TITLE_MAX - 2, "\xe2\x82\xac", 3);
	for (i = 0; i < 3 * NOTIFY_MAX; i++)
		e = say(u.p, text, text);
	ck_assert_uint_eq(strlen(e->title), NOTIFY_TITLE_MAX - 2);
	ck_assert_uint_eq(strlen(e->body), NOTIFY_BODY_MAX);
	ck_assert_uint_eq(u.m->notify->count, NOTIFY_MAX);
	ck_assert_uint_eq(u.m->notify->unseen, NOTIFY_MAX);
	ck_assert_uint_eq(e->number, 3 * NOTIFY_MAX);
	ck_assert_ptr_null(notify_find(u.m->notify, 2 * NOTIFY_MAX));
	mem_free(text);
	mux_util_free(u.m);
}
END_TEST

/* The one that makes room is known before, so that terminals can close it. */
START_TEST(the_oldest_makes_room)
{
	const struct notify_text text = { NOTIFY_OSC9, "", "x", NULL };
	const struct notify_text again = { NOTIFY_BELL, "bell", "", NULL };
	struct notify99_note note;
	const struct notify_text update = { NOTIFY_OSC99, "a", "", &note };
	const struct notify_entry *e;
	struct util u;
	unsigned i;

	start(&u);
	notify99_note_init(&note);
	strcpy(note.id, "job");
	(void)notify_add(u.p, &update, false);
	bell(u.p);
	for (i = 2; i < NOTIFY_MAX; i++) {
		ck_assert_ptr_null(notify_oldest(u.p, &text));
		(void)say(u.p, "", "x");
	}
	/* An entry that is written over takes no room. */
	ck_assert_ptr_null(notify_oldest(u.p, &update));
	ck_assert_ptr_null(notify_oldest(u.p, &again));
	strcpy(note.id, "other");
	ck_assert_ptr_eq(notify_oldest(u.p, &update), u.m->notify->all[0]);
	e = notify_oldest(u.p, &text);
	ck_assert_ptr_eq(e, u.m->notify->all[0]);
	ck_assert_str_eq(e->note.id, "job");
	(void)say(u.p, "", "x");
	ck_assert_uint_eq(u.m->notify->all[0]->number, 2);
	mux_util_free(u.m);
}
END_TEST

START_TEST(a_bell_counts_once)
{
	struct util u;

	start(&u);
	bell(u.p);
	bell(u.p);
	ck_assert_uint_eq(u.m->notify->count, 1);
	ck_assert_uint_eq(notify_unseen(u.m, NULL, NULL, u.p), 0);
	ck_assert_uint_eq(notify_unseen(u.m, NULL, NULL, NULL), 0);
	ck_assert_ptr_eq(notify_newest(u.m), u.m->notify->all[0]);
	ck_assert(notify_see_pane(u.p));
	bell(u.p);
	ck_assert_uint_eq(u.m->notify->count, 2);
	ck_assert_uint_eq(u.m->notify->unseen, 1);
	mux_util_free(u.m);
}
END_TEST

START_TEST(a_long_progress_is_told)
{
	struct util u;

	start(&u);
	ck_assert(!notify_progressed(u.p, VT_PROGRESS_NONE));
	ck_assert_ptr_null(u.p->notify);
	ck_assert(!notify_progressed(u.p, VT_PROGRESS_NORMAL));
	mux_set_now(u.m, 1000 + NOTIFY_PROGRESS_MS, 0);
	ck_assert(!notify_progressed(u.p, VT_PROGRESS_NONE));
	ck_assert(!notify_progressed(u.p, VT_PROGRESS_BUSY));
	mux_set_now(u.m, 1001 + 2 * NOTIFY_PROGRESS_MS, 0);
	ck_assert(!notify_progressed(u.p, VT_PROGRESS_PAUSED));
	ck_assert(notify_progressed(u.p, VT_PROGRESS_ERROR));
	ck_assert(!notify_progressed(u.p, VT_PROGRESS_NONE));
	mux_util_free(u.m);
}
END_TEST

START_TEST(persons_see_what_they_look_at)
{
	struct util u;
	struct client *c;
	struct window *w;
	struct pane *q;

	start(&u);
	w = mux_util_window(u.s, 1, "two")->window;
	q = mux_util_split(u.p, LAYOUT_ROW);
	c = mux_util_client(u.s, "c", 80, 24);
	ck_assert(!notify_looked_at(u.p, false));
	client_set_flags(c, CLIENT_FOCUSED, true);
	ck_assert(notify_looked_at(u.p, false));
	ck_assert(!notify_looked_at(u.p, true));
	ck_assert(notify_looked_at(q, true));
	ck_assert(!notify_looked_at(w->active, false));
	/* Below a zoomed pane nothing is seen. */
	(void)window_zoom(q);
	(void)say(u.p, "", "hidden");
	ck_assert(!notify_look(u.m));
	(void)window_unzoom(q->window);
	/* Guests do not count. */
	c->guest = true;
	ck_assert(!notify_look(u.m));
	c->guest = false;
	ck_assert(notify_look(u.m));
	(void)say(w->active, "", "other window");
	ck_assert(!notify_look(u.m));
	(void)session_select(session_link_to(u.s, w));
	ck_assert(notify_look(u.m));
	ck_assert_uint_eq(u.m->notify->unseen, 0);
	mux_util_free(u.m);
}
END_TEST

START_TEST(panes_that_are_gone)
{
	struct util u;
	struct pane *q;

	start(&u);
	q = mux_util_split(u.p, LAYOUT_ROW);
	(void)say(q, "", "last words");
	window_close_pane(q);
	ck_assert_uint_eq(notify_unseen(u.m, NULL, NULL, NULL), 1);
	ck_assert_uint_eq(notify_unseen(u.m, u.s, NULL, NULL), 0);
	ck_assert_ptr_null(notify_newest(u.m));
	ck_assert(!notify_look(u.m));
	ck_assert(notify_see_gone(u.m));
	ck_assert_uint_eq(u.m->notify->unseen, 0);
	mux_util_free(u.m);
}
END_TEST

START_TEST(outer_ids)
{
	struct util u;
	struct notify_entry *e;
	char *id;

	start(&u);
	e = say(u.p, "", "x");
	id = notify_outer_id_new(u.m->notify, e);
	ck_assert_str_eq(id, "rmux-1388-1");
	ck_assert_ptr_eq(notify_outer_find(u.m->notify, id), e);
	ck_assert_ptr_null(notify_outer_find(u.m->notify, "rmux-1388-2"));
	ck_assert_ptr_null(notify_outer_find(u.m->notify, "rmux-1389-1"));
	ck_assert_ptr_null(notify_outer_find(u.m->notify, "1"));
	ck_assert_ptr_null(notify_outer_find(u.m->notify, ""));
	mem_free(id);
	mux_util_free(u.m);
}
END_TEST

/* --- OSC 99 -------------------------------------------------------------------- */

static enum notify99_did
take(struct notify99 *n, const char *meta, const char *text,
    struct notify99_note *note)
{
	return notify99_take(n, meta, text, strlen(text), note);
}

START_TEST(one_part)
{
	struct notify99_note note;
	struct notify99 n;

	notify99_init(&n);
	ck_assert_int_eq(take(&n, "", "Hello", &note), NOTIFY99_SHOW);
	ck_assert_str_eq(note.title, "Hello");
	ck_assert_str_eq(note.body, "");
	ck_assert_str_eq(note.id, "");
	ck_assert_uint_eq(note.urgency, 1);
	ck_assert(note.focus && !note.report && !note.closes);
	ck_assert_int_eq(note.expires, -1);
	notify99_note_fini(&note);
	ck_assert_int_eq(
	    take(&n, "i=a-1:u=2:a=report,-focus:c=1:w=500:o=invisible:zz=1:e=1",
		"SGVsbG8=", &note),
	    NOTIFY99_SHOW);
	ck_assert_str_eq(note.title, "Hello");
	ck_assert_str_eq(note.id, "a-1");
	ck_assert_uint_eq(note.urgency, 2);
	ck_assert(!note.focus && note.report && note.closes);
	ck_assert_int_eq(note.expires, 500);
	ck_assert_uint_eq(note.occasion, NOTIFY99_INVISIBLE);
	notify99_note_fini(&note);
	/* Nothing to show; base64 that is none. */
	ck_assert_int_eq(take(&n, "i=1", "", &note), NOTIFY99_NOTHING);
	ck_assert_int_eq(take(&n, "e=1", "!!!", &note), NOTIFY99_NOTHING);
	/* Characters that an id may not have. */
	ck_assert_int_eq(take(&n, "i=a b", "x", &note), NOTIFY99_SHOW);
	ck_assert_str_eq(note.id, "");
	notify99_note_fini(&note);
	notify99_fini(&n);
}
END_TEST

START_TEST(parts_are_joined)
{
	struct notify99_note note;
	struct notify99 n;

	notify99_init(&n);
	ck_assert_int_eq(take(&n, "i=1:d=0:u=2", "A ", &note), 0);
	ck_assert_int_eq(take(&n, "i=2:d=0", "other", &note), 0);
	ck_assert_int_eq(take(&n, "i=1:d=0:p=body:e=1", "b25l", &note), 0);
	ck_assert_int_eq(take(&n, "i=1:d=0:p=icon", "junk", &note), 0);
	ck_assert_int_eq(take(&n, "i=1:d=0", "title", &note), 0);
	ck_assert_int_eq(
	    take(&n, "i=1:d=0:p=buttons", "Yes\xe2\x80\xa8No", &note), 0);
	ck_assert_int_eq(
	    take(&n, "i=1:d=1:p=body", "\ntwo\033\x9b", &note), NOTIFY99_SHOW);
	ck_assert_str_eq(note.title, "A title");
	ck_assert_str_eq(note.body, "one two");
	ck_assert_str_eq(note.buttons, "Yes\xe2\x80\xa8No");
	ck_assert_uint_eq(note.urgency, 2);
	notify99_note_fini(&note);
	ck_assert_int_eq(take(&n, "i=2", "", &note), NOTIFY99_SHOW);
	ck_assert_str_eq(note.title, "other");
	notify99_note_fini(&note);
	notify99_fini(&n);
}
END_TEST

START_TEST(parts_are_bounded)
{
	struct notify99_note note;
	struct notify99 n;
	char meta[32], text[1001];
	unsigned i;

	notify99_init(&n);
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	/* The oldest unfinished ones make room. */
	for (i = 0; i < 100; i++) {
		snprintf(meta, sizeof(meta), "i=%u:d=0", i);
		ck_assert_int_eq(take(&n, meta, text, &note), 0);
	}
	ck_assert_int_eq(take(&n, "i=95", "", &note), NOTIFY99_NOTHING);
	for (i = 0; i < 100; i++)
		ck_assert_int_eq(take(&n, "i=99:d=0:p=body", text, &note), 0);
	ck_assert_int_eq(take(&n, "i=99", "", &note), NOTIFY99_SHOW);
	ck_assert_uint_eq(strlen(note.title), NOTIFY_TITLE_MAX);
	ck_assert_uint_eq(strlen(note.body), NOTIFY_BODY_MAX);
	notify99_note_fini(&note);
	notify99_fini(&n);
}
END_TEST

START_TEST(questions)
{
	struct notify99_note note;
	struct notify99 n;
	struct buf b;

	notify99_init(&n);
	ck_assert_int_eq(take(&n, "i=q:p=?", "", &note), NOTIFY99_QUERY);
	buf_init(&b, 4096);
	notify99_put_support(&b, note.id);
	ck_assert_ptr_nonnull(strstr(buf_cstr(&b), "\033]99;i=q:p=?;a=focus"));
	buf_clear(&b);
	ck_assert_int_eq(take(&n, "p=alive", "", &note), NOTIFY99_ALIVE);
	notify99_put_alive(&b, note.id, "a,b");
	ck_assert_str_eq(buf_cstr(&b), "\033]99;i=0:p=alive;a,b\033\\");
	buf_clear(&b);
	ck_assert_int_eq(take(&n, "i=x:p=close", "", &note), NOTIFY99_CLOSE);
	notify99_put_closed(&b, note.id);
	notify99_put_active(&b, note.id, 0);
	notify99_put_active(&b, note.id, 2);
	ck_assert_str_eq(buf_cstr(&b),
	    "\033]99;i=x:p=close;\033\\\033]99;i=x;\033\\\033]99;i=x;2\033\\");
	buf_fini(&b);
	notify99_fini(&n);
}
END_TEST

static enum notify99_said
answer(const char *text, char *id, unsigned *button)
{
	return notify99_answer(text, strlen(text), id, button);
}

START_TEST(answers)
{
	char id[NOTIFY99_ID_MAX + 1];
	unsigned b;

	ck_assert_int_eq(answer("i=rmux-1-2;", id, &b), NOTIFY99_SAID_ACTIVE);
	ck_assert_str_eq(id, "rmux-1-2");
	ck_assert_uint_eq(b, 0);
	ck_assert_int_eq(answer("i=r;2", id, &b), NOTIFY99_SAID_ACTIVE);
	ck_assert_uint_eq(b, 2);
	ck_assert_int_eq(answer("i=r;x", id, &b), NOTIFY99_SAID_NOTHING);
	ck_assert_int_eq(answer("i=r:p=close;", id, &b), NOTIFY99_SAID_CLOSED);
	ck_assert_int_eq(
	    answer("i=r:p=close;untracked", id, &b), NOTIFY99_SAID_NOTHING);
	ck_assert_int_eq(
	    answer("i=r:p=?;a=focus", id, &b), NOTIFY99_SAID_SUPPORTED);
	ck_assert_int_eq(answer("i=r", id, &b), NOTIFY99_SAID_NOTHING);
	ck_assert_int_eq(answer("", id, &b), NOTIFY99_SAID_NOTHING);
}
END_TEST

START_TEST(an_update_replaces_the_entry)
{
	struct notify99_note note;
	struct notify_text t = { NOTIFY_OSC99, "a", "", &note };
	struct notify_entry *e;
	struct util u;

	start(&u);
	notify99_note_init(&note);
	strcpy(note.id, "job");
	e = notify_add(u.p, &t, true);
	ck_assert_uint_eq(u.m->notify->unseen, 0);
	(void)say(u.p, "", "between");
	t.title = "b";
	ck_assert_ptr_eq(notify_add(u.p, &t, false), e);
	ck_assert_str_eq(e->title, "b");
	ck_assert_uint_eq(u.m->notify->count, 2);
	ck_assert_uint_eq(u.m->notify->unseen, 2);
	ck_assert_ptr_eq(notify_newest(u.m), e);
	ck_assert_ptr_eq(notify_find_id(u.p, "job"), e);
	e->closed = true;
	ck_assert_ptr_null(notify_find_id(u.p, "job"));
	mux_util_free(u.m);
}
END_TEST

UNIT_SUITE(notify)
{
	Suite *s = suite_create("notify");
	TCase *tc = tcase_create("notify");

	tcase_add_test(tc, a_bucket_refills);
	tcase_add_test(tc, what_is_too_much_is_counted);
	tcase_add_test(tc, all_panes_share_a_limit);
	tcase_add_test(tc, entries_are_kept_counted_and_seen);
	tcase_add_test(tc, the_list_and_its_texts_are_bounded);
	tcase_add_test(tc, the_oldest_makes_room);
	tcase_add_test(tc, a_bell_counts_once);
	tcase_add_test(tc, a_long_progress_is_told);
	tcase_add_test(tc, persons_see_what_they_look_at);
	tcase_add_test(tc, panes_that_are_gone);
	tcase_add_test(tc, outer_ids);
	tcase_add_test(tc, one_part);
	tcase_add_test(tc, parts_are_joined);
	tcase_add_test(tc, parts_are_bounded);
	tcase_add_test(tc, questions);
	tcase_add_test(tc, answers);
	tcase_add_test(tc, an_update_replaces_the_entry);
	suite_add_tcase(s, tc);
	return s;
}
