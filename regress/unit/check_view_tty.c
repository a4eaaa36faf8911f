/* Modes and settings of a client's own terminal. */
#include "mux/view/tty.h"
#include "regress/unit/unit.h"
#include "regress/unit/view_util.h"

static const struct sync_tty *
tty(struct view_util *u)
{
	return &view_util_build(u)->tty;
}

START_TEST(modes_of_the_terminal)
{
	struct view_util u;

	view_util_init(&u, 20, 3);
	view_util_set(&u, "mouse", "off");
	ck_assert_uint_eq(tty(&u)->flags, SYNC_TTY_PASTE);
	ck_assert_uint_eq(tty(&u)->mouse, VT_MOUSE_OFF);
	view_util_set(&u, "mouse", "on");
	ck_assert_uint_eq(tty(&u)->mouse, VT_MOUSE_BUTTON);
	view_util_set(&u, "focus-follows-mouse", "on");
	ck_assert_uint_eq(tty(&u)->mouse, VT_MOUSE_ANY);
	view_util_set(&u, "mouse", "off");
	view_util_write(u.p, "\033[?1000h\033[>4;1m");
	ck_assert_uint_eq(tty(&u)->mouse, VT_MOUSE_NORMAL);
	ck_assert_uint_eq(tty(&u)->modify_other, 0);
	view_util_set(&u, "extended-keys", "on");
	ck_assert_uint_eq(tty(&u)->modify_other, 1);
	view_util_write(u.p, "\033[>5u\033[?1016h");
	ck_assert_uint_eq(tty(&u)->kitty, 5);
	ck_assert(tty(&u)->flags & SYNC_TTY_PIXELS);
	view_util_write(u.p, "\033[<u\033[?1016l");
	ck_assert_uint_eq(tty(&u)->kitty, 0);
	ck_assert_uint_eq(tty(&u)->flags, SYNC_TTY_PASTE);
	view_util_set(&u, "extended-keys", "off");
	u.b.keys_extended = true;
	ck_assert_uint_eq(tty(&u)->modify_other, VIEW_MODIFY_OTHER_ALL);
	u.b.keys_extended = false;
	view_util_set(&u, "extended-keys", "always");
	ck_assert_uint_eq(tty(&u)->modify_other, VIEW_MODIFY_OTHER_ALL);
	view_util_set(&u, "focus-events", "on");
	view_util_set(&u, "predict", "never");
	client_set_flags(u.c, CLIENT_READONLY, true);
	pane_set_flags(u.p, PANE_INPUT_OFF, true);
	ck_assert_uint_eq(tty(&u)->flags, SYNC_TTY_PASTE | SYNC_TTY_FOCUS |
					      SYNC_TTY_READONLY |
					      SYNC_TTY_PREDICT_OFF);
	ck_assert_uint_eq(tty(&u)->predict, 2);
	view_util_fini(&u);
}
END_TEST

START_TEST(titles_of_the_terminal)
{
	struct view_util u;

	view_util_init(&u, 20, 3);
	ck_assert_ptr_null(tty(&u)->title);
	view_util_set(&u, "set-titles", "on");
	view_util_set(&u, "set-titles-string", "#{session_name}/#{pane_id}");
	ck_assert_str_eq(vt_str_text(tty(&u)->title), "s/%0");
	ck_assert_uint_ne(tty(&u)->flags & SYNC_TTY_TITLE, 0);
	view_util_set(&u, "set-titles", "off");
	ck_assert_ptr_null(tty(&u)->title);
	view_util_fini(&u);
}
END_TEST

START_TEST(features_by_the_terminals_name)
{
	const struct sync_tty *out;
	struct view_util u;

	view_util_init(&u, 20, 3);
	client_set_text(u.c, &u.c->term, "xterm-x");
	view_util_set(&u, "terminal-features", "xterm*:title:sync,vt*:bpaste");
	view_util_set(&u, "terminal-overrides",
	    "xterm-x:Tc:smcup@:colors=16:U8=0:nothing,*:Smulx=a,linux*:Ss");
	view_util_set(&u, "escape-time", "7");
	out = tty(&u);
	ck_assert_str_eq(vt_str_text(out->caps),
	    "title,sync,RGB,-altscreen,-256,-RGB,16colours,8colours,-utf8,"
	    "usstyle,");
	ck_assert_uint_eq(out->escape_ms, 7);
	ck_assert_ptr_null(out->keys);
	view_util_set(&u, "user-keys[3]", "\033[3");
	ck_assert_str_eq(vt_str_text(tty(&u)->keys), "3 1b5b33\n");
	/* security: a guest does not learn which keys are bound here. */
	u.c->guest = true;
	view_util_set(&u, "escape-time", "8");
	ck_assert_ptr_null(tty(&u)->keys);
	view_util_fini(&u);
}
END_TEST

START_TEST(settings_are_made_when_options_change)
{
	const struct vt_str *caps;
	struct view_util u;

	view_util_init(&u, 20, 3);
	client_set_text(u.c, &u.c->term, "xterm");
	caps = tty(&u)->caps;
	ck_assert_ptr_nonnull(caps);
	ck_assert_ptr_eq(caps, tty(&u)->caps);
	view_util_set(&u, "terminal-features", "*:title");
	ck_assert_str_eq(vt_str_text(tty(&u)->caps), "title,");
	view_util_fini(&u);
}
END_TEST

UNIT_SUITE(view_tty)
{
	Suite *s = suite_create("view_tty");
	TCase *tc = tcase_create("view_tty");

	tcase_add_test(tc, modes_of_the_terminal);
	tcase_add_test(tc, titles_of_the_terminal);
	tcase_add_test(tc, features_by_the_terminals_name);
	tcase_add_test(tc, settings_are_made_when_options_change);
	suite_add_tcase(s, tc);
	return s;
}
