/* Levels and order of text from right to left. */
#include "base/bidi.h"
#include "base/err.h"
#include "base/mem.h"
#include "regress/unit/unit.h"

START_TEST(scripts_are_known_by_their_blocks)
{
	static const uint32_t rtl[] = { 0x5d0, 0x627, 0x710, 0x7c1, 0xfb1d,
		0xfdf2, 0xfe8d, 0x10a00, 0x1e900 };
	static const uint32_t ltr[] = { 'a', ' ', 0x3b1, 0x416, 0x4e00, 0x1f600,
		0x58f, 0x900, 0x10000 };
	size_t i;

	for (i = 0; i < ARRAY_LEN(rtl); i++)
		ck_assert(bidi_is_rtl(rtl[i]));
	for (i = 0; i < ARRAY_LEN(ltr); i++)
		ck_assert(!bidi_is_rtl(ltr[i]));
}
END_TEST

START_TEST(a_paragraph_is_ordered)
{
	/* "ab", alef, bet, gimel, " 12" */
	static const uint32_t text[] = { 'a', 'b', ' ', 0x5d0, 0x5d1, 0x5d2,
		' ', '1', '2' };
	static const int want[] = { 0, 1, 2, 7, 8, 6, 5, 4, 3 };
	int order[ARRAY_LEN(text)];
	struct bidi *b = NULL;
	size_t i;

	if (!bidi_have()) {
		ck_assert_int_eq(
		    bidi_new(text, ARRAY_LEN(text), &b), -ERR_UNSUPPORTED);
		ck_assert_uint_eq(bidi_mirror('('), '(');
		return;
	}
	ck_assert_int_eq(bidi_new(text, ARRAY_LEN(text), &b), 0);
	ck_assert(bidi_level_odd(b, 3) && !bidi_level_odd(b, 0));
	ck_assert_int_eq(bidi_order(b, 0, ARRAY_LEN(text), order), 0);
	for (i = 0; i < ARRAY_LEN(text); i++)
		ck_assert_int_eq(order[i], want[i]);
	ck_assert_int_eq(bidi_order(b, 5, 9, order), -ERR_LIMIT);
	ck_assert_int_eq(bidi_order(b, 9, 0, order), 0);
	bidi_free(b);
	ck_assert_int_eq(bidi_new(text, 0, &b), -ERR_LIMIT);
	ck_assert_uint_eq(bidi_mirror('('), ')');
	ck_assert_uint_eq(bidi_mirror('a'), 'a');
}
END_TEST

UNIT_SUITE(bidi)
{
	Suite *s = suite_create("bidi");
	TCase *tc = tcase_create("bidi");

	tcase_add_test(tc, scripts_are_known_by_their_blocks);
	tcase_add_test(tc, a_paragraph_is_ordered);
	suite_add_tcase(s, tc);
	return s;
}
