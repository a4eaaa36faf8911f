/* Notifications on the wire, and on the user's terminal. */
#include <string.h>

#include "base/mem.h"
#include "base/pack.h"
#include "client/notice.h"
#include "client/term/caps.h"
#include "mux/sync/notice.h"
#include "regress/unit/unit.h"

#define STR(s) ((struct sync_notice_str){ (s), strlen(s) })

static struct sync_notice
notice(void)
{
	return (struct sync_notice){ .flags = SYNC_NOTICE_FOCUS,
		.urgency = 1,
		.expires = -1,
		.id = STR("rmux-1-2"),
		.title = STR("w: a;b"),
		.body = STR("c;d"),
		.buttons = STR("") };
}

/* Gets the bytes that a terminal with CAPS gets for NT (mem_free). */
static char *
written(const struct sync_notice *nt, term_caps caps)
{
	struct term_out *o = term_out_new(caps, 80, 24);
	struct buf b;
	char *text;

	buf_init(&b, 65536);
	sync_notice_encode(&b, nt);
	buf_clear(term_out_pending(o));
	notice_write(o, caps, b.data, b.len);
	text = mem_strdup(buf_cstr(term_out_pending(o)));
	buf_fini(&b);
	term_out_free(o);
	return text;
}

static void
writes(const struct sync_notice *nt, term_caps caps, const char *want)
{
	char *text = written(nt, caps);

	ck_assert_str_eq(text, want);
	mem_free(text);
}

START_TEST(each_terminal_gets_its_form)
{
	struct sync_notice nt = notice();
	const term_caps title = TERM_CAP(NOTIFY_TITLE) | TERM_CAP(NOTIFY);

	writes(&nt, 0, "");
	writes(&nt, TERM_CAP(NOTIFY), "\033]9;w: a,b: c;d\033\\");
	writes(&nt, title, "\033]777;notify;w: a,b;c,d\033\\");
	writes(&nt, title | TERM_CAP(NOTIFY_KITTY),
	    "\033]99;i=rmux-1-2:d=0:e=1:p=title:u=1:a=report,focus;dzogYTti"
	    "\033\\\033]99;i=rmux-1-2:e=1:p=body;Yztk\033\\");
	nt.flags = SYNC_NOTICE_CLOSES;
	nt.urgency = 2;
	nt.expires = 700;
	nt.buttons = STR("Y");
	writes(&nt, TERM_CAP(NOTIFY_KITTY),
	    "\033]99;i=rmux-1-2:d=0:e=1:p=title:u=2:a=report,-focus:c=1:w=700;"
	    "dzogYTti\033\\\033]99;i=rmux-1-2:d=0:e=1:p=buttons;WQ==\033\\"
	    "\033]99;i=rmux-1-2:e=1:p=body;Yztk\033\\");
	nt.flags = SYNC_NOTICE_CLOSE;
	writes(&nt, title, "");
	writes(
	    &nt, TERM_CAP(NOTIFY_KITTY), "\033]99;i=rmux-1-2:p=close;\033\\");
}
END_TEST

START_TEST(the_wire_is_checked)
{
	struct sync_notice nt = notice(), got;
	struct buf b;
	size_t n;

	buf_init(&b, 65536);
	sync_notice_encode(&b, &nt);
	ck_assert_int_eq(sync_notice_decode(&got, b.data, b.len), 0);
	ck_assert_uint_eq(got.flags, nt.flags);
	ck_assert_int_eq(got.expires, -1);
	ck_assert_uint_eq(got.title.n, nt.title.n);
	ck_assert_mem_eq(got.title.p, nt.title.p, nt.title.n);
	for (n = 0; n < b.len; n++)
		ck_assert_int_eq(
		    sync_notice_decode(&got, b.data, n), -ERR_PEER);
	/* Further items are skipped. */
	b.data[0]++;
	pack_put_array(&b, 1);
	pack_put_int(&b, 7);
	ck_assert_int_eq(sync_notice_decode(&got, b.data, b.len), 0);
	buf_clear(&b);
	nt.id = STR("a;b");
	sync_notice_encode(&b, &nt);
	ck_assert_int_eq(sync_notice_decode(&got, b.data, b.len), -ERR_PEER);
	buf_clear(&b);
	nt = notice();
	nt.body = STR("x\033]52;c;AA\a");
	sync_notice_encode(&b, &nt);
	ck_assert_int_eq(sync_notice_decode(&got, b.data, b.len), -ERR_PEER);
	buf_fini(&b);
}
END_TEST

static bool
kitty(const char *text)
{
	const struct term_event ev = { .kind = TERM_REPLY,
		.reply = TERM_REPLY_OSC,
		.nparams = 1,
		.params = { 99 },
		.data = (const uint8_t *)text,
		.len = strlen(text) };

	return (term_caps_from_reply(0, &ev) & TERM_CAP(NOTIFY_KITTY)) != 0;
}

START_TEST(the_terminal_says_what_it_knows)
{
	ck_assert(kitty("i=rmux:p=?;a=focus,report"));
	ck_assert(kitty("p=?:i=rmux;"));
	ck_assert(!kitty("i=rmux-1-2;"));
	ck_assert(!kitty("i=rmux;p=?"));
	ck_assert(!kitty(""));
	ck_assert(notice_is_answer("i=rmux-1-2;", 11));
	ck_assert(!notice_is_answer("i=rmux:p=?;", 11));
	ck_assert(!notice_is_answer("", 0));
}
END_TEST

UNIT_SUITE(notice)
{
	Suite *s = suite_create("notice");
	TCase *tc = tcase_create("notice");

	tcase_add_test(tc, each_terminal_gets_its_form);
	tcase_add_test(tc, the_wire_is_checked);
	tcase_add_test(tc, the_terminal_says_what_it_knows);
	suite_add_tcase(s, tc);
	return s;
}
