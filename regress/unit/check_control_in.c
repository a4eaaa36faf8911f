/* Lines of a control client's input. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "mux/control/control_in.h"
#include "regress/unit/unit.h"

static void
add(struct control_in *in, const char *text)
{
	ck_assert_int_eq(control_in_add(in, text, strlen(text)), 0);
}

static void
expect(struct control_in *in, enum control_in_got got, const char *text)
{
	const char *line;

	ck_assert_int_eq(control_in_next(in, &line), got);
	if (text != NULL)
		ck_assert_str_eq(line, text);
}

START_TEST(lines_come_whole)
{
	struct control_in in;

	control_in_init(&in);
	expect(&in, CONTROL_IN_NONE, NULL);
	add(&in, "half");
	expect(&in, CONTROL_IN_NONE, NULL);
	add(&in, " a line\nsecond\r\n\nthird");
	expect(&in, CONTROL_IN_LINE_GOT, "half a line");
	expect(&in, CONTROL_IN_LINE_GOT, "second\r");
	expect(&in, CONTROL_IN_EMPTY, NULL);
	expect(&in, CONTROL_IN_NONE, NULL);
	add(&in, "\n");
	expect(&in, CONTROL_IN_LINE_GOT, "third");
	ck_assert_int_eq(control_in_add(&in, "a\0b\nc\n", 6), 0);
	expect(&in, CONTROL_IN_BAD, NULL);
	expect(&in, CONTROL_IN_LINE_GOT, "c");
	control_in_fini(&in);
}
END_TEST

/* Adds N bytes in pieces, and takes lines after each. */
static void
add_long(struct control_in *in, size_t n, unsigned *reports)
{
	char piece[10000];
	const char *line;
	size_t k;

	memset(piece, 'x', sizeof(piece));
	for (; n > 0; n -= k) {
		k = MIN_OF(n, sizeof(piece));
		ck_assert_int_eq(control_in_add(in, piece, k), 0);
		*reports += control_in_next(in, &line) == CONTROL_IN_TOO_LONG;
		ck_assert_uint_le(in->bytes.cap, 8 * CONTROL_IN_LINE);
	}
}

START_TEST(a_line_of_megabytes_is_reported_once_and_dropped)
{
	struct control_in in;
	unsigned reports = 0;

	control_in_init(&in);
	add_long(&in, 20 * CONTROL_IN_LINE, &reports);
	ck_assert_uint_eq(reports, 1);
	ck_assert_uint_le(in.bytes.len, CONTROL_IN_LINE);
	add(&in, "the end of it\nnext\n");
	expect(&in, CONTROL_IN_LINE_GOT, "next");
	expect(&in, CONTROL_IN_NONE, NULL);
	/* The longest line that is allowed. */
	reports = 0;
	add_long(&in, CONTROL_IN_LINE, &reports);
	add(&in, "\n");
	ck_assert_uint_eq(reports, 0);
	ck_assert(control_in_full(&in));
	expect(&in, CONTROL_IN_LINE_GOT, NULL);
	expect(&in, CONTROL_IN_NONE, NULL);
	ck_assert(!control_in_full(&in));
	control_in_fini(&in);
}
END_TEST

START_TEST(many_short_lines_are_all_there)
{
	const unsigned count = 100000;
	struct control_in in;
	const char *line;
	char text[32];
	unsigned i;

	control_in_init(&in);
	for (i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "line %u\n", i);
		add(&in, text);
	}
	ck_assert(control_in_full(&in));
	for (i = 0; i < count; i++) {
		ck_assert_int_eq(
		    control_in_next(&in, &line), CONTROL_IN_LINE_GOT);
		snprintf(text, sizeof(text), "line %u", i);
		ck_assert_str_eq(line, text);
	}
	expect(&in, CONTROL_IN_NONE, NULL);
	control_in_fini(&in);
}
END_TEST

UNIT_SUITE(control_in)
{
	Suite *s = suite_create("control_in");
	TCase *tc = tcase_create("control_in");

	tcase_add_test(tc, lines_come_whole);
	tcase_add_test(tc, a_line_of_megabytes_is_reported_once_and_dropped);
	tcase_add_test(tc, many_short_lines_are_all_there);
	suite_add_tcase(s, tc);
	return s;
}
