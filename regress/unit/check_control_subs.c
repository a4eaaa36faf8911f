/* Subscriptions of a control client. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "mux/control/control_subs.h"
#include "mux/control/control_text.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"

static char *
expand(void *arg, struct session *s, struct winlink *wl, struct pane *p,
    const char *format)
{
	(void)arg;
	if (strcmp(format, "name") == 0)
		return mem_strdup(wl == NULL ? s->name : wl->window->name);
	if (strcmp(format, "width") == 0)
		return mem_printf("%d", p->w);
	return mem_strdup(format);
}

static void
take(void *arg, const char *text, size_t n)
{
	ck_assert_int_eq(buf_add(arg, text, n), 0);
}

static void
expect(struct control_subs *cs, struct session *s, const char *want)
{
	struct control_subs_host host = { .expand = expand, .line = take };
	struct buf b;

	buf_init(&b, 100000);
	host.arg = &b;
	control_subs_tick(cs, s, &host);
	ck_assert_str_eq(buf_cstr(&b), want);
	buf_fini(&b);
}

static void
set(struct control_subs *cs, const char *spec)
{
	ck_assert_int_eq(control_subs_set(cs, spec, NULL), 0);
}

START_TEST(changes_are_reported_once)
{
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "one");
	struct winlink *wl = mux_util_window(s, 5, "five");
	struct control_subs cs;

	control_subs_init(&cs);
	set(&cs, "a::name");
	set(&cs, "b:@*:name");
	set(&cs, "c:%*:x:y");
	window_set_name(wl->window, "w5");
	expect(&cs, s,
	    "%subscription-changed a $0 - - - : one\n"
	    "%subscription-changed b $0 @0 0 - : first\n"
	    "%subscription-changed b $0 @1 5 - : w5\n"
	    "%subscription-changed c $0 @0 0 %0 : x:y\n"
	    "%subscription-changed c $0 @1 5 %1 : x:y\n");
	expect(&cs, s, "");
	ck_assert_int_eq(session_rename(s, "two words", NULL), 0);
	set(&cs, "b");
	set(&cs, "none");
	expect(&cs, s, "%subscription-changed a $0 - - - : two words\n");
	/* A subscription that is set again reports its values again. */
	set(&cs, "c:%1:width");
	set(&cs, "d:@1:z");
	expect(&cs, s,
	    "%subscription-changed c $0 @1 5 %1 : 80\n"
	    "%subscription-changed d $0 @1 5 - : z\n");
	(void)mux_util_split(wl->window->active, LAYOUT_ROW);
	expect(&cs, s, "%subscription-changed c $0 @1 5 %1 : 40\n");
	/* A value cannot end its line. */
	set(&cs, "e\t::a\nb\\c\x1b\x7f");
	expect(&cs, s,
	    "%subscription-changed e\t $0 - - - : a\\012b\\c\\033\x7f\n");
	control_subs_fini(&cs);
	mux_util_free(m);
}
END_TEST

START_TEST(bad_and_too_many_are_refused)
{
	static const char *const bad[] = { "a:x:y", "a:%:y", "a:%-1:y",
		"a:@1x:y", "a:$0:y", "a:%99999999999:y" };
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "one");
	struct control_subs cs;
	struct cause why = { NULL };
	char text[64];
	size_t i;

	control_subs_init(&cs);
	for (i = 0; i < ARRAY_LEN(bad); i++) {
		ck_assert_int_eq(
		    control_subs_set(&cs, bad[i], &why), -ERR_SYNTAX);
		ck_assert_ptr_nonnull(strstr(cause_text(&why), bad[i]));
		cause_fini(&why);
	}
	/* As in tmux, a name without a format does nothing. */
	set(&cs, "a:%1");
	expect(&cs, s, "");
	for (i = 0; i < CONTROL_SUBS_MAX; i++) {
		snprintf(text, sizeof(text), "s%zu:%%99:x", i);
		set(&cs, text);
	}
	ck_assert_int_eq(control_subs_set(&cs, "more::x", &why), -ERR_LIMIT);
	cause_fini(&why);
	set(&cs, "s3::x");
	expect(&cs, s, "%subscription-changed s3 $0 - - - : x\n");
	control_subs_fini(&cs);
	mux_util_free(m);
}
END_TEST

UNIT_SUITE(control_subs)
{
	Suite *s = suite_create("control_subs");
	TCase *tc = tcase_create("control_subs");

	tcase_add_test(tc, changes_are_reported_once);
	tcase_add_test(tc, bad_and_too_many_are_refused);
	suite_add_tcase(s, tc);
	return s;
}
