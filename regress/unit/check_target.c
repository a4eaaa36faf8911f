/* Targets; regress/ref/target.sh compares 1215 of them with tmux. */
#include <string.h>

#include "base/mem.h"
#include "mux/target.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"

START_TEST(conditions_of_commands_are_kept)
{
	struct mux *m = mux_util_new();
	struct target_context ctx = { 0 };
	struct cause cause = { NULL };
	struct session *a, *b;
	struct target t;
	struct client *c;

	ck_assert_int_eq(
	    target_find(m, &ctx, NULL, TGT_PANE, &t, &cause), -ERR_NOTFOUND);
	ck_assert_str_eq(cause_text(&cause), "no current target");
	cause_fini(&cause);
	ck_assert_int_eq(
	    target_find(m, &ctx, "x", TGT_PANE | TGT_CANFAIL, &t, NULL), 0);
	ck_assert_ptr_null(t.session);
	a = mux_util_session(m, "a");
	b = mux_util_session(m, "b");
	c = mux_util_client(b, "/dev/pts/7", 80, 24);
	client_set_text(c, &c->tty, "/dev/pts/7");
	/* Prefers the session without clients. */
	ck_assert_int_eq(target_find(m, &ctx, NULL, TGT_SESSION, &t, NULL), 0);
	ck_assert_ptr_eq(t.session, b);
	ck_assert_int_eq(
	    target_find(m, &ctx, NULL, TGT_SESSION | TGT_UNATTACHED, &t, NULL),
	    0);
	ck_assert_ptr_eq(t.session, a);
	/* A client's name or tty means its session. */
	ck_assert_int_eq(
	    target_find(m, &ctx, "pts/7", TGT_SESSION, &t, NULL), 0);
	ck_assert_ptr_eq(t.session, b);
	/* With TGT_CANFAIL the session and window found so far stay. */
	ck_assert_int_eq(
	    target_find(m, &ctx, "a:no", TGT_PANE | TGT_CANFAIL, &t, NULL), 0);
	ck_assert_ptr_eq(t.session, a);
	ck_assert_ptr_null(t.window);
	ck_assert_int_eq(
	    target_find(m, &ctx, "a:.9", TGT_PANE | TGT_CANFAIL, &t, NULL), 0);
	ck_assert_ptr_eq(t.session, a);
	ck_assert_ptr_null(t.pane);
	ck_assert_int_eq(
	    target_find(m, &ctx, "no:0", TGT_PANE | TGT_CANFAIL, &t, NULL), 0);
	ck_assert_ptr_null(t.session);
	/* The index of a new window need not exist. */
	ck_assert_int_eq(
	    target_find(m, &ctx, "a:7", TGT_WINDOW | TGT_INDEX, &t, NULL), 0);
	ck_assert_int_eq(t.index, 7);
	ck_assert_ptr_eq(t.session, a);
	ck_assert_ptr_null(t.link);
	ck_assert_int_eq(
	    target_find(m, &ctx, "a:", TGT_WINDOW | TGT_INDEX, &t, NULL), 0);
	ck_assert_int_eq(t.index, -1);
	ck_assert_int_eq(
	    target_find(m, &ctx, "a:+3", TGT_WINDOW | TGT_INDEX, &t, NULL), 0);
	ck_assert_int_eq(t.index, 3);
	ck_assert_int_eq(
	    target_find(m, &ctx, "a:7", TGT_WINDOW, &t, &cause), -ERR_NOTFOUND);
	ck_assert_str_eq(cause_text(&cause), "can't find window: 7");
	cause_fini(&cause);
	/* The marked pane as the default of -s. */
	mux_set_mark(m, a->current, a->current->window->active);
	ck_assert_int_eq(
	    target_find(m, &ctx, NULL, TGT_PANE | TGT_MARKED, &t, NULL), 0);
	ck_assert_ptr_eq(t.session, a);
	ck_assert(target_valid(m, &t));
	session_destroy(a);
	ck_assert(!target_valid(m, &t));
	mux_util_free(m);
}
END_TEST

START_TEST(the_mouse_and_clients_are_targets)
{
	static const char *const parts[] = { ":@", ":{current}",
		"a:{current}.0", ":.@", ".{active}", "a:0.{active}" };
	struct mux *m = mux_util_new();
	struct target_context ctx = { 0 };
	struct session *a = mux_util_session(m, "a");
	struct pane *p = mux_util_split(a->current->window->active, LAYOUT_ROW);
	struct client *c = mux_util_client(a, "c1", 80, 24), *found;
	struct cause cause = { NULL };
	struct target t;
	size_t i;

	(void)mux_util_split(p, LAYOUT_ROW);
	ck_assert_int_eq(
	    target_find(m, &ctx, "=", TGT_PANE, &t, &cause), -ERR_NOTFOUND);
	ck_assert_str_eq(cause_text(&cause), "no mouse target");
	cause_fini(&cause);
	ctx.has_mouse = true;
	ctx.mouse_session = a->id;
	ctx.mouse_window = MUX_NONE;
	ctx.mouse_pane = p->id;
	ck_assert_int_eq(
	    target_find(m, &ctx, "{mouse}", TGT_PANE, &t, NULL), 0);
	ck_assert_ptr_eq(t.pane, p);
	ctx.mouse_pane = 999; /* it does not exist */
	ck_assert_int_eq(target_find(m, &ctx, "=", TGT_PANE, &t, NULL), 0);
	ck_assert_ptr_eq(t.session, a);
	ck_assert_int_eq(target_find(m, &ctx, "@", TGT_PANE, &t, NULL), 0);
	ck_assert_ptr_eq(t.pane, a->current->window->active);
	ck_assert_int_eq(
	    target_find(m, &ctx, "{current}", TGT_PANE, &t, NULL), 0);
	/* The words of a client are whole targets, no parts. */
	for (i = 0; i < ARRAY_LEN(parts); i++)
		ck_assert_int_eq(
		    target_find(m, &ctx, parts[i], TGT_PANE, &t, NULL),
		    -ERR_NOTFOUND);
	ck_assert_int_eq(target_find_client(m, &ctx, "c1:", &found, NULL), 0);
	ck_assert_ptr_eq(found, c);
	ck_assert_int_eq(target_find_client(m, &ctx, NULL, &found, NULL), 0);
	ck_assert_ptr_eq(found, c);
	ck_assert_int_eq(
	    target_find_client(m, &ctx, "zz", &found, &cause), -ERR_NOTFOUND);
	ck_assert_str_eq(cause_text(&cause), "can't find client: zz");
	cause_fini(&cause);
	client_free(c);
	ck_assert_int_eq(
	    target_find_client(m, &ctx, NULL, &found, NULL), -ERR_NOTFOUND);
	mux_util_free(m);
}
END_TEST

/* "{up-of}" and the like start at the active pane of the given window. */
START_TEST(sides_are_those_of_the_window_named)
{
	struct mux *m = mux_util_new();
	struct target_context ctx = { 0 };
	struct session *a = mux_util_session(m, "a");
	struct session *b = mux_util_session(m, "b");
	struct pane *first = b->current->window->active;
	struct pane *second = mux_util_split(first, LAYOUT_ROW), *want;
	static const char *const texts[] = { "b:.{left-of}", "b:.{right-of}",
		"b:.{next}", "b:.{previous}", "b:.+" };
	struct target t;
	size_t i;

	/* The current window is another one, with other panes. */
	(void)mux_util_split(a->current->window->active, LAYOUT_COLUMN);
	target_from_session(&ctx.current, a);
	for (i = 0; i < 2 * ARRAY_LEN(texts); i++) {
		window_set_active(
		    first->window, i < ARRAY_LEN(texts) ? first : second);
		want = i < ARRAY_LEN(texts) ? second : first;
		ck_assert_int_eq(
		    target_find(m, &ctx, texts[i % ARRAY_LEN(texts)], TGT_PANE,
			&t, NULL),
		    0);
		ck_assert_ptr_eq(t.pane, want);
		ck_assert_ptr_eq(t.window, want->window);
	}
	mux_util_free(m);
}
END_TEST

/* Behind "=" stands a name or an index, and neither an offset nor nothing. */
START_TEST(exact_windows_have_no_offsets)
{
	struct mux *m = mux_util_new();
	struct target_context ctx = { 0 };
	struct session *a = mux_util_session(m, "a");
	const unsigned what = TGT_PANE | TGT_CANFAIL;
	struct target t;

	(void)mux_util_window(a, 9, "nine");
	target_from_session(&ctx.current, a);
	ck_assert_int_eq(target_find(m, &ctx, "=9.0", what, &t, NULL), 0);
	ck_assert_int_eq(t.index, 9);
	ck_assert_int_eq(target_find(m, &ctx, "=+9.0", what, &t, NULL), 0);
	ck_assert_ptr_null(t.pane);
	ck_assert_int_eq(target_find(m, &ctx, "=.0", what, &t, NULL), 0);
	ck_assert_ptr_eq(t.pane, a->current->window->active);
	ck_assert_int_eq(target_find(m, &ctx, " 9", what, &t, NULL), 0);
	ck_assert_int_eq(t.index, 9);
	/* A pane that is not there is one of the current window. */
	ck_assert_int_eq(target_find(m, &ctx, ".7", what, &t, NULL), 0);
	ck_assert_ptr_null(t.pane);
	ck_assert_ptr_eq(t.link, a->current);
	ck_assert_int_eq(target_find(m, &ctx, ".%77", what, &t, NULL), 0);
	ck_assert_ptr_null(t.link);
	/* The marked pane names no place for another window. */
	mux_set_mark(m, a->current, a->current->window->active);
	ck_assert_int_eq(
	    target_find(m, &ctx, "~", TGT_WINDOW | TGT_INDEX, &t, NULL), 0);
	ck_assert_ptr_eq(t.session, a);
	ck_assert_int_eq(t.index, -1);
	mux_util_free(m);
}
END_TEST

UNIT_SUITE(target)
{
	Suite *s = suite_create("target");
	TCase *tc = tcase_create("target");

	tcase_add_test(tc, conditions_of_commands_are_kept);
	tcase_add_test(tc, the_mouse_and_clients_are_targets);
	tcase_add_test(tc, exact_windows_have_no_offsets);
	tcase_add_test(tc, sides_are_those_of_the_window_named);
	suite_add_tcase(s, tc);
	return s;
}
