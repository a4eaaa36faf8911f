#include "base/compiler.h"
#include "client/escape.h"
#include "regress/unit/unit.h"

#define C(x) (KEY_CTRL | (x))

START_TEST(the_key_after_the_escape_key_decides)
{
	static const struct {
		key_code key;
		enum escape_what what;
	} rows[] = {
		{ '.', ESCAPE_QUIT },
		{ C('z'), ESCAPE_SUSPEND },
		{ C('Z'), ESCAPE_SUSPEND },
		{ 0x1a, ESCAPE_SUSPEND },
		{ '^', ESCAPE_LITERAL },
		{ KEY_SHIFT | '^', ESCAPE_LITERAL },
		{ C('^'), ESCAPE_LITERAL },
		{ C('6'), ESCAPE_LITERAL },
		{ '?', ESCAPE_REPORT },
		{ KEY_SHIFT | '?', ESCAPE_REPORT },
		{ 'r', ESCAPE_AGAIN },
		{ 'h', ESCAPE_HISTORY },
		{ 'y', ESCAPE_ANSWER },
		{ 'a', ESCAPE_ANSWER },
		{ 'n', ESCAPE_ANSWER },
		{ 'z', ESCAPE_PASS_BOTH },
		{ 'x', ESCAPE_PASS_BOTH },
		{ KEY_META | '.', ESCAPE_PASS_BOTH },
		{ KEY_UP, ESCAPE_PASS_BOTH },
		{ KEY_ENTER, ESCAPE_PASS_BOTH },
	};
	struct escape e;
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		escape_init(&e, ESCAPE_DEFAULT);
		ck_assert_int_eq(escape_key(&e, 'a'), ESCAPE_PASS);
		ck_assert_int_eq(
		    escape_key(&e, rows[i].key == '^' ? C('^') : 0x1e),
		    ESCAPE_HOLD);
		ck_assert_msg(
		    escape_key(&e, rows[i].key) == rows[i].what, "row %zu", i);
		/* After any key the state is clean. */
		ck_assert_int_eq(escape_key(&e, '.'), ESCAPE_PASS);
	}
}
END_TEST

START_TEST(shift_itself_does_not_end_the_sequence)
{
	struct escape e;

	escape_init(&e, ESCAPE_DEFAULT);
	ck_assert_int_eq(escape_key(&e, C('^')), ESCAPE_HOLD);
	ck_assert_int_eq(escape_key(&e, KEY_LEFT_SHIFT), ESCAPE_PASS);
	ck_assert_int_eq(escape_key(&e, '?'), ESCAPE_REPORT);
}
END_TEST

START_TEST(other_input_flushes_and_none_disables)
{
	struct escape e;

	escape_init(&e, ESCAPE_DEFAULT);
	ck_assert(!escape_flush(&e));
	ck_assert_int_eq(escape_key(&e, C('^')), ESCAPE_HOLD);
	ck_assert(escape_flush(&e));
	ck_assert_int_eq(escape_key(&e, '.'), ESCAPE_PASS);
	escape_init(&e, KEY_NONE);
	ck_assert_int_eq(escape_key(&e, C('^')), ESCAPE_PASS);
	ck_assert_int_eq(escape_key(&e, '.'), ESCAPE_PASS);
	escape_init(&e, KEY_F1 + 11);
	ck_assert_int_eq(escape_key(&e, KEY_F1 + 11), ESCAPE_HOLD);
	ck_assert_int_eq(escape_key(&e, KEY_F1 + 11), ESCAPE_LITERAL);
}
END_TEST

UNIT_SUITE(client_escape)
{
	Suite *s = suite_create("client/escape");
	TCase *t = tcase_create("escape");

	suite_add_tcase(s, t);
	tcase_add_test(t, the_key_after_the_escape_key_decides);
	tcase_add_test(t, shift_itself_does_not_end_the_sequence);
	tcase_add_test(t, other_input_flushes_and_none_disables);
	return s;
}
