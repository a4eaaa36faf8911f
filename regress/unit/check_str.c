#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "regress/unit/unit.h"

START_TEST(numbers_are_whole_and_bounded)
{
	static const struct {
		const char *s;
		int64_t min, max;
		int r;
		int64_t v;
	} rows[] = {
		{ "0", 0, 9, 0, 0 },
		{ "42", 0, 42, 0, 42 },
		{ "43", 0, 42, -ERR_RANGE, 0 },
		{ "-1", 0, 42, -ERR_RANGE, 0 },
		{ "-7", -7, 42, 0, -7 },
		{ "+7", -7, 42, 0, 7 },
		{ "007", 0, 42, 0, 7 },
		{ "", 0, 42, -ERR_SYNTAX, 0 },
		{ "-", -9, 42, -ERR_SYNTAX, 0 },
		{ " 1", 0, 42, -ERR_SYNTAX, 0 },
		{ "1 ", 0, 42, -ERR_SYNTAX, 0 },
		{ "1x", 0, 42, -ERR_SYNTAX, 0 },
		{ "0x1", 0, 42, -ERR_SYNTAX, 0 },
		{ "9223372036854775807", INT64_MIN, INT64_MAX, 0, INT64_MAX },
		{ "-9223372036854775808", INT64_MIN, INT64_MAX, 0, INT64_MIN },
		{ "9223372036854775808", INT64_MIN, INT64_MAX, -ERR_RANGE, 0 },
		{ "-9223372036854775809", INT64_MIN, INT64_MAX, -ERR_RANGE, 0 },
		{ "99999999999999999999999", 0, 9, -ERR_RANGE, 0 },
		{ "99999999999999999999999x", 0, 9, -ERR_SYNTAX, 0 },
	};
	int64_t v;
	size_t i;
	int r;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		v = -99;
		r = str_to_int(rows[i].s, rows[i].min, rows[i].max, &v);
		ck_assert_msg(r == rows[i].r, "\"%s\": %d", rows[i].s, r);
		ck_assert_msg(
		    v == (r == 0 ? rows[i].v : -99), "\"%s\"", rows[i].s);
	}
	ck_assert_int_eq(str_to_intn("123;", 3, 0, 999, &v), 0);
	ck_assert_int_eq(v, 123);
}
END_TEST

START_TEST(text_is_broken_into_lines)
{
	static const struct {
		const char *text;
		size_t at, indent, width;
		const char *want;
	} rows[] = {
		{ "", 0, 2, 10, "" },
		{ "one two three", 0, 2, 9, "one two\n  three" },
		{ "one two three", 0, 2, 13, "one two three" },
		{ "one two three", 0, 2, 0, "one two three" },
		{ "one two", 5, 1, 8, "one\n two" },
		{ "one  two", 0, 0, 4, "one\ntwo" },
		{ "a,bc,def,g", 0, 1, 5, "a,bc,\n def,\n g" },
		{ "a word-that-is-too-long b", 0, 1, 6,
		    "a\n word-that-is-too-long\n b" },
		{ "too-long", 3, 1, 4, "too-long" },
		{ "trailing ", 0, 1, 8, "trailing\n " },
		{ ",,,", 0, 1, 2, ",,," },
	};
	struct buf b;
	size_t i;

	buf_init(&b, 4096);
	for (i = 0; i < ARRAY_LEN(rows); i++) {
		buf_clear(&b);
		str_wrap(&b, rows[i].text, rows[i].at, rows[i].indent,
		    rows[i].width);
		ck_assert_str_eq(buf_cstr(&b), rows[i].want);
	}
	buf_fini(&b);
}
END_TEST

START_TEST(comparing_and_copying)
{
	char b[6];

	ck_assert(str_starts("hello", "he") && str_starts("x", ""));
	ck_assert(!str_starts("h", "he"));
	ck_assert(str_ends("hello", "lo") && str_ends("x", ""));
	ck_assert(!str_ends("lo", "hello"));
	ck_assert(str_eq_nocase("AbC", "aBc") && str_eq_nocase("", ""));
	ck_assert(!str_eq_nocase("ab", "abc") && !str_eq_nocase("[", "{"));
	ck_assert_uint_eq(str_copy(b, "hello!", sizeof(b)), 6);
	ck_assert_str_eq(b, "hello");
	ck_assert_uint_eq(str_copy(b, "ab", sizeof(b)), 2);
	ck_assert_uint_eq(str_append(b, "cdef", sizeof(b)), 6);
	ck_assert_str_eq(b, "abcde");
	ck_assert_uint_eq(str_copy(NULL, "abc", 0), 3);
	ck_assert_int_eq(str_hex_digit('F'), 15);
	ck_assert_int_eq(str_hex_digit('a'), 10);
	ck_assert_int_eq(str_hex_digit('g'), -1);
	ck_assert_int_eq(str_hex_digit('9'), 9);
}
END_TEST

START_TEST(printable_text_has_no_controls)
{
	static const struct {
		const char *in;
		size_t n, max;
		const char *out;
	} rows[] = {
		{ "plain", 5, 99, "plain" },
		{ "a\nb\r\tc\\", 7, 99, "a\\nb\\r\\tc\\\\" },
		{ "\0\033\177", 3, 99, "\\000\\033\\177" },
		{ "\303\251\342\202\254", 5, 99, "\303\251\342\202\254" },
		{ "\377\303", 2, 99, "\\377\\303" },
		{ "\302\233", 2, 99, "\\302\\233" },
		{ "\357\277\275", 3, 99, "\357\277\275" },
		{ "\355\240\200", 3, 99, "\\355\\240\\200" },
		{ "abcdef", 6, 3, "abc..." },
		{ "ab\303\251", 4, 3, "ab..." },
		{ "abc", 3, 3, "abc" },
		{ "", 0, 0, "" },
		{ "a", 1, 0, "..." },
	};
	char small[16], *s;
	size_t i, n;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		s = str_printable_new(rows[i].in, rows[i].n, rows[i].max);
		ck_assert_str_eq(s, rows[i].out);
		mem_free(s);
	}
	n = str_printable(small, sizeof(small), "0123456789abcdefgh", 18, 99);
	ck_assert_str_eq(small, "0123456789ab...");
	ck_assert_uint_eq(n, 15);
	n = str_printable(small, sizeof(small), "0123456789a\033fgh", 15, 99);
	ck_assert_str_eq(small, "0123456789a...");
	ck_assert_uint_eq(n, 14);
}
END_TEST

START_TEST(plain_text_keeps_its_letters)
{
	static const struct {
		const char *in;
		size_t n, max;
		const char *out;
	} rows[] = {
		{ "plain \\ text", 12, 99, "plain \\ text" },
		{ "a\033]52;c;eA\007b\n\177", 14, 99, "a]52;c;eAb" },
		{ "\302\2336n\2336n\0x", 9, 99, "6n6nx" },
		{ "\303\251\342\202\254", 5, 99, "\303\251\342\202\254" },
		{ "ab\303\251", 4, 3, "ab" },
		{ "", 0, 0, "" },
	};
	char *s;
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		s = str_plain_new(rows[i].in, rows[i].n, rows[i].max);
		ck_assert_str_eq(s, rows[i].out);
		mem_free(s);
	}
}
END_TEST

START_TEST(the_shell_reads_its_words_back)
{
	static const char *const words[] = { "plain-word_1.txt", "", "a b",
		"it's", "'", "$HOME `x` \"y\" \\z", "~", "#x", "a\nb", "*",
		"A=b", "-n", "\303\251" };
	char got[64], *q, *cmd;
	size_t i, n;
	FILE *f;

	q = str_shell_quote_new(words[0]);
	ck_assert_str_eq(q, words[0]);
	mem_free(q);
	for (i = 0; i < ARRAY_LEN(words); i++) {
		q = str_shell_quote_new(words[i]);
		cmd = mem_printf("printf '%%s' %s", q);
		f = popen(cmd, "r");
		ck_assert_ptr_nonnull(f);
		n = fread(got, 1, sizeof(got) - 1, f);
		got[n] = '\0';
		ck_assert_int_eq(pclose(f), 0);
		/* printf prints "-n": its first argument is the format. */
		ck_assert_str_eq(got, words[i]);
		mem_free(cmd);
		mem_free(q);
	}
}
END_TEST

START_TEST(base64_goes_both_ways)
{
	/* RFC 4648 section 10. */
	static const char *const vectors[][2] = { { "", "" }, { "f", "Zg==" },
		{ "fo", "Zm8=" }, { "foo", "Zm9v" }, { "foob", "Zm9vYg==" },
		{ "fooba", "Zm9vYmE=" }, { "foobar", "Zm9vYmFy" } };
	static const struct {
		const char *in;
		int r;
		const char *out;
	} rows[] = {
		{ "Zg", 0, "f" },
		{ " Z\tm\n8= ", 0, "fo" },
		{ "Zh==", 0, "f" },
		{ "+/+/", 0, "\373\377\277" },
		{ "Z", -ERR_SYNTAX, "" },
		{ "Zg=", -ERR_SYNTAX, "" },
		{ "Zg===", -ERR_SYNTAX, "" },
		{ "Zg==Zg==", -ERR_SYNTAX, "" },
		{ "Zm9v=", -ERR_SYNTAX, "" },
		{ "Zm9v====", -ERR_SYNTAX, "" },
		{ "Zm-v", -ERR_SYNTAX, "" },
		{ "=", -ERR_SYNTAX, "" },
		{ "Zm9vYmFyYmFy", -ERR_LIMIT, "" },
	};
	struct buf b, c;
	uint8_t byte;
	size_t i;

	buf_init(&b, 1024);
	for (i = 0; i < ARRAY_LEN(vectors); i++) {
		buf_clear(&b);
		ck_assert_int_eq(
		    str_base64_encode(&b, vectors[i][0], strlen(vectors[i][0])),
		    0);
		ck_assert_str_eq(buf_cstr(&b), vectors[i][1]);
		buf_init(&c, 8);
		ck_assert_int_eq(str_base64_decode(&c, buf_cstr(&b), b.len), 0);
		ck_assert_str_eq(buf_cstr(&c), vectors[i][0]);
		buf_fini(&c);
	}
	for (i = 0; i < ARRAY_LEN(rows); i++) {
		buf_init(&c, 8);
		ck_assert_msg(str_base64_decode(&c, rows[i].in,
				  strlen(rows[i].in)) == rows[i].r,
		    "\"%s\"", rows[i].in);
		ck_assert_str_eq(buf_cstr(&c), rows[i].out);
		buf_fini(&c);
	}
	buf_clear(&b);
	for (i = 0; i < 256; i++) {
		byte = (uint8_t)i;
		buf_add_u8(&b, byte);
	}
	buf_init(&c, 1024);
	ck_assert_int_eq(str_base64_encode(&c, b.data, 256), 0);
	buf_clear(&b);
	ck_assert_int_eq(str_base64_decode(&b, (const char *)c.data, c.len), 0);
	ck_assert_uint_eq(b.len, 256);
	for (i = 0; i < 256; i++)
		ck_assert_uint_eq(b.data[i], i);
	buf_fini(&c);
	buf_init(&c, 3);
	ck_assert_int_eq(str_base64_encode(&c, "a", 1), -ERR_LIMIT);
	ck_assert_uint_eq(c.len, 0);
	ck_assert_int_eq(str_base64_encode(&c, "a", SIZE_MAX), -ERR_LIMIT);
	buf_fini(&c);
	buf_fini(&b);
}
END_TEST

START_TEST(hash_is_stable_and_spreads)
{
	uint64_t seen[256], h;
	uint8_t zeros[64] = { 0 };
	size_t i, j;
	unsigned bits = 0;

	/* Both ends of a connection compare these values: never change them. */
	ck_assert(str_hash("", 0, 0) == 0);
	ck_assert_msg(str_hash("abc", 3, 0) == UINT64_C(0xea75a5f33c41106b),
	    "%llx", (unsigned long long)str_hash("abc", 3, 0));
	ck_assert_msg(str_hash("0123456789abcdef!", 17, 5) ==
			  UINT64_C(0xa815f728a911a64e),
	    "%llx", (unsigned long long)str_hash("0123456789abcdef!", 17, 5));
	for (i = 0; i < 64; i++)
		seen[i] = str_hash(zeros, i, 1);
	for (i = 0; i < 192; i++) {
		zeros[i / 8] ^= (uint8_t)(1 << i % 8);
		seen[64 + i] = str_hash(zeros, 24, 1);
		zeros[i / 8] ^= (uint8_t)(1 << i % 8);
		h = seen[64 + i] ^ seen[24];
		bits += (unsigned)__builtin_popcountll(h);
	}
	for (i = 0; i < 256; i++)
		for (j = 0; j < i; j++)
			ck_assert(seen[i] != seen[j]);
	/* One changed input bit changes about half of the result bits. */
	ck_assert_uint_gt(bits, 192 * 30);
	ck_assert_uint_lt(bits, 192 * 34);
}
END_TEST

START_TEST(spans_of_time)
{
	static const struct {
		const char *s;
		int r;
		uint64_t ms;
	} rows[] = {
		{ "1", 0, 1000 },
		{ "90s", 0, 90000 },
		{ "10m", 0, 600000 },
		{ "1h", 0, 3600000 },
		{ "1h30m", 0, 5400000 },
		{ "2d", 0, 172800000 },
		{ "30m1h1", 0, 5401000 },
		{ "", -ERR_SYNTAX, 0 },
		{ "h", -ERR_SYNTAX, 0 },
		{ "-1h", -ERR_SYNTAX, 0 },
		{ "1 h", -ERR_SYNTAX, 0 },
		{ "1x", -ERR_SYNTAX, 0 },
		{ "1h ", -ERR_SYNTAX, 0 },
		{ "0", -ERR_RANGE, 0 },
		{ "3d", -ERR_RANGE, 0 },
		{ "2d1s", -ERR_RANGE, 0 },
		{ "99999999999999999999d", -ERR_RANGE, 0 },
		{ "2147483647d2147483647d2147483647d", -ERR_RANGE, 0 },
	};
	uint64_t ms;
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		ms = 7;
		ck_assert_msg(
		    str_to_span(rows[i].s, 172800000, &ms) == rows[i].r, "%s",
		    rows[i].s);
		ck_assert_uint_eq(ms, rows[i].r == 0 ? rows[i].ms : 7);
	}
}
END_TEST

UNIT_SUITE(str)
{
	Suite *s = suite_create("str");
	TCase *tc = tcase_create("str");

	tcase_add_test(tc, numbers_are_whole_and_bounded);
	tcase_add_test(tc, spans_of_time);
	tcase_add_test(tc, text_is_broken_into_lines);
	tcase_add_test(tc, comparing_and_copying);
	tcase_add_test(tc, printable_text_has_no_controls);
	tcase_add_test(tc, plain_text_keeps_its_letters);
	tcase_add_test(tc, the_shell_reads_its_words_back);
	tcase_add_test(tc, base64_goes_both_ways);
	tcase_add_test(tc, hash_is_stable_and_spreads);
	suite_add_tcase(s, tc);
	return s;
}
