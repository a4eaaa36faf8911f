#include <string.h>

#include "regress/unit/unit.h"
#include "ssp/words.h"

START_TEST(words_are_proquints)
{
	static const struct {
		uint8_t p[SSP_WORDS_LEN];
		const char *text;
	} rows[] = {
		/* 127.0.0.1 and 63.84.220.193 in the paper. */
		{ { 127, 0, 0, 1, 63, 84, 220, 193 },
		    "lusab-babad-gutih-tugad" },
		{ { 255, 255, 255, 255, 255, 255, 255, 255 },
		    "zuzuz-zuzuz-zuzuz-zuzuz" },
		{ { 0, 0, 0, 0, 0, 0, 0, 1 }, "babab-babab-babab-babad" },
		{ { 0 }, "" },
	};
	char text[SSP_WORDS_TEXT];
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		ssp_words_format(text, rows[i].p);
		ck_assert_str_eq(text, rows[i].text);
	}
}
END_TEST

START_TEST(every_word_is_read_back)
{
	char text[SSP_WORD_LETTERS];
	unsigned bits, i;

	for (bits = 0; bits < 65536; bits++) {
		ssp_word_put(text, bits);
		ck_assert_int_eq(ssp_word_get(text), (int)bits);
	}
	ck_assert_int_eq(ssp_word_get("LuSaB"), ssp_word_get("lusab"));
	for (i = 0; i < SSP_WORD_LETTERS; i++) {
		memcpy(text, "lusab", sizeof(text));
		text[i] = 'e';
		ck_assert_int_eq(ssp_word_get(text), -1);
		text[i] = '\0';
		ck_assert_int_eq(ssp_word_get(text), -1);
	}
}
END_TEST

START_TEST(words_have_a_label_of_their_own)
{
	uint8_t h[SSP_HASH_LEN], a[SSP_WORDS_LEN], b[SSP_WORDS_LEN];
	uint8_t key[SSP_KEY_LEN];

	memset(h, 7, sizeof(h));
	ssp_words_derive(a, h);
	ssp_derive(key, h, sizeof(h), "rmux mac");
	ck_assert(memcmp(a, key, sizeof(a)) != 0);
	h[63] ^= 1;
	ssp_words_derive(b, h);
	ck_assert(memcmp(a, b, sizeof(a)) != 0);
}
END_TEST

UNIT_SUITE(ssp_words)
{
	Suite *s = suite_create("ssp_words");
	TCase *tc = tcase_create("words");

	tcase_add_test(tc, words_are_proquints);
	tcase_add_test(tc, every_word_is_read_back);
	tcase_add_test(tc, words_have_a_label_of_their_own);
	suite_add_tcase(s, tc);
	return s;
}
