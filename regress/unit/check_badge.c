/* What the status line says of a link. */
#include "base/compiler.h"
#include "mux/fmt/badge.h"
#include "regress/unit/unit.h"

static const struct badge_row {
	struct badge badge;
	const char *text;
} rows[] = {
	{ { "local", BADGE_UNKNOWN, 0, -1, 80 }, "" },
	{ { "udp", 30, 0, 90, 80 }, "" },
	{ { "udp", 79, 99, 90, 80 }, "" },
	{ { "udp", BADGE_UNKNOWN, 0, -1, 80 }, "" },
	{ { "udp", 80, 0, -1, 80 }, "udp 80ms" },
	{ { "udp", 183, 0, 91, 80 }, "udp 180ms 91% predicted" },
	{ { "udp", 183, 0, 91, 79 }, "180ms" },
	{ { "udp", 12, 100, -1, 80 }, "udp 10ms 1% lost" },
	{ { "udp", 12, 290, 100, 100 }, "udp 10ms 3% lost 100% predicted" },
	{ { "udp", 12, 290, 100, 40 }, "10ms 3% lost" },
	{ { "udp", 1449, 10000, 0, 200 }, "udp 1400ms 100% lost 0% predicted" },
	{ { "udp", BADGE_UNKNOWN, 250, -1, 79 }, "3% lost" },
	/* Another link than the usual one is always told. */
	{ { "ssh", 1, 0, -1, 80 }, "ssh 0ms" },
	{ { "ssh", 1, 1100, 99, 80 }, "ssh 0ms 99% predicted" },
	{ { "ssh", 998, 0, -1, 40 }, "ssh 1000ms" },
	{ { "lost", BADGE_UNKNOWN, 0, -1, 80 }, "lost" },
};

START_TEST(it_says_what_is_worth_saying)
{
	const struct badge_row *r = &rows[_i];
	struct buf b;

	buf_init(&b, 256);
	ck_assert_int_eq(buf_add_str(&b, ">"), 0);
	ck_assert_int_eq(badge_put(&r->badge, &b), 0);
	ck_assert_str_eq(buf_cstr(&b) + 1, r->text);
	buf_fini(&b);
}
END_TEST

UNIT_SUITE(badge)
{
	Suite *s = suite_create("badge");
	TCase *tc = tcase_create("badge");

	tcase_add_loop_test(
	    tc, it_says_what_is_worth_saying, 0, ARRAY_LEN(rows));
	suite_add_tcase(s, tc);
	return s;
}
