/* The colours of the user's terminal: questions and answers. */
#include <stdio.h>
#include <string.h>

#include "client/term/colours.h"
#include "regress/unit/unit.h"

static bool
answers(struct term_colours *c, uint32_t num, const char *text)
{
	struct term_event ev = { .kind = TERM_REPLY,
		.reply = TERM_REPLY_OSC,
		.nparams = 1,
		.params = { num },
		.data = (const uint8_t *)text,
		.len = strlen(text) };

	return term_colours_take(c, &ev);
}

static void
asks(struct term_colours *c)
{
	struct buf b;
	const char *text;

	buf_init(&b, 4096);
	term_colours_ask(c, &b);
	text = buf_cstr(&b);
	ck_assert_ptr_nonnull(strstr(text, "\033]4;0;?\033\\\033]4;1;?\033\\"));
	ck_assert_ptr_nonnull(strstr(text, "\033]4;15;?\033\\\033]10;?\033\\"));
	ck_assert_ptr_nonnull(strstr(text, "\033]12;?\033\\\033[5n"));
	buf_fini(&b);
}

START_TEST(answers_go_together)
{
	static const uint8_t want[] = { 0, 7, 0x11, 0x22, 0x33, 0, 0, 0xff, 0,
		0, 0, 1, 1, 2, 3, 1, 1, 0xff, 0xff, 0xff };
	const struct term_event end = { .kind = TERM_REPLY,
		.reply = TERM_REPLY_STATUS };
	struct term_colours c = { .n = 0 };

	asks(&c);
	ck_assert(!answers(&c, 4, "7;rgb:1111/2222/3333"));
	ck_assert(!answers(&c, 4, "0;#f00;1;rgb:01/02/03"));
	ck_assert(!answers(&c, 11, "rgb:aaaa/aaaa/aaaa"));
	/* The newest answer counts. */
	ck_assert(!answers(&c, 11, "rgb:ffff/ffff/ffff"));
	ck_assert(term_colours_take(&c, &end));
	ck_assert_uint_eq(c.n, sizeof(want));
	ck_assert_mem_eq(c.data, want, 5);
	/* #f00 has one digit of four. */
	ck_assert_mem_eq(c.data + 10, want + 10, sizeof(want) - 10);
	/* Later answers go one by one. */
	c.n = 0;
	ck_assert(answers(&c, 12, "rgb:0/8/f"));
	ck_assert_uint_eq(c.n, 5);
	ck_assert_mem_eq(c.data, "\1\2\x00\x88\xff", 5);
}
END_TEST

START_TEST(bad_answers_are_dropped)
{
	static const char *const bad[] = { "", ";", "1", "1;", "1;;",
		"16;#ffffff", "99999999999999999999;#ffffff", "-1;#ffffff",
		"1;blue-ish", "1;rgb:1/2", "x;#ffffff", "1;rgb:/1/2;2" };
	const struct term_event end = { .kind = TERM_REPLY,
		.reply = TERM_REPLY_STATUS };
	struct term_colours c = { .n = 0 };
	char text[64];
	size_t i;

	asks(&c);
	for (i = 0; i < ARRAY_LEN(bad); i++)
		ck_assert_msg(
		    !answers(&c, 4, bad[i]) && c.n == 0, "%s", bad[i]);
	ck_assert(!answers(&c, 10, "rgb:zz/zz/zz") && c.n == 0);
	ck_assert(!answers(&c, 52, "c;QQ==") && c.n == 0);
	ck_assert(!term_colours_take(&c, &end));
	/* However many answers come, they fit. */
	for (i = 0; i < 1000; i++) {
		snprintf(
		    text, sizeof(text), "%zu;#%02zx0000", i % 300, i % 256);
		(void)answers(&c, 4, text);
		(void)answers(&c, 10 + (uint32_t)(i % 3), "#123456");
		ck_assert_uint_le(c.n, sizeof(c.data));
	}
	ck_assert_uint_eq(c.n, sizeof(c.data));
}
END_TEST

UNIT_SUITE(term_colours)
{
	Suite *s = suite_create("term_colours");
	TCase *tc = tcase_create("term_colours");

	tcase_add_test(tc, answers_go_together);
	tcase_add_test(tc, bad_answers_are_dropped);
	suite_add_tcase(s, tc);
	return s;
}
