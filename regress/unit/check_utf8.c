#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "regress/unit/unit.h"

/* Each code point as hex, "fffd" for a replaced part, joined by spaces. */
START_TEST(ill_formed_input_is_replaced_by_maximal_subparts)
{
	static const struct {
		const char *in;
		size_t n;
		uint32_t out[10];
	} rows[] = {
		/* Unicode 15, table 3-8 and the tables before it. */
		{ "\x61\xf1\x80\x80\xe1\x80\xc2\x62\x80\x63\x80\xbf\x64", 13,
		    { 0x61, 0xfffd, 0xfffd, 0xfffd, 0x62, 0xfffd, 0x63, 0xfffd,
			0xfffd, 0x64 } },
		{ "\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41", 9,
		    { 0xfffd, 0xfffd, 0xfffd, 0xfffd, 0xfffd, 0xfffd, 0xfffd,
			0xfffd, 0x41 } },
		{ "\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41", 9,
		    { 0xfffd, 0xfffd, 0xfffd, 0xfffd, 0xfffd, 0xfffd, 0xfffd,
			0xfffd, 0x41 } },
		{ "\xf4\x91\x92\x93\xff\x41\x80\xbf\x42", 9,
		    { 0xfffd, 0xfffd, 0xfffd, 0xfffd, 0xfffd, 0x41, 0xfffd,
			0xfffd, 0x42 } },
		{ "\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41", 9,
		    { 0xfffd, 0xfffd, 0xfffd, 0xfffd, 0x41 } },
		{ "\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf\xc2\x80", 10,
		    { 0x1f600, 0x10ffff, 0x80 } },
		{ "\xed\x9f\xbf\xee\x80\x80\xdf\xbf\xe0\xa0\x80", 11,
		    { 0xd7ff, 0xe000, 0x7ff, 0x800 } },
		{ "\xf0\x9f\x98", 3, { 0xfffd } },
		{ "\xf8\x88\x80\x80\x80", 5,
		    { 0xfffd, 0xfffd, 0xfffd, 0xfffd, 0xfffd } },
	};
	uint32_t cp;
	size_t i, at, k;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		k = 0;
		for (at = 0; at < rows[i].n; k++) {
			at +=
			    utf8_decode_final((const uint8_t *)rows[i].in + at,
				rows[i].n - at, &cp);
			ck_assert_msg(
			    cp == rows[i].out[k], "row %zu: %x", i, cp);
		}
		ck_assert_uint_eq(at, rows[i].n);
		ck_assert(k == 10 || rows[i].out[k] == 0);
	}
}
END_TEST

START_TEST(every_code_point_goes_there_and_back)
{
	uint8_t b[4], put[UTF8_MAX], *heap;
	uint32_t cp, got;
	size_t n, cut;

	for (cp = 0; cp <= 0x10ffff; cp += unit_stride(7)) {
		n = utf8_encode(cp, b);
		if (cp >= 0xd800 && cp <= 0xdfff) {
			ck_assert(n == 3 && memcmp(b, "\xef\xbf\xbd", 3) == 0);
			continue;
		}
		if (utf8_decode(b, n, &got) != n || got != cp ||
		    utf8_put(cp, put) != n || memcmp(put, b, n) != 0)
			ck_abort_msg("U+%04X", cp);
		if (cp % 61 != 0)
			continue;
		ck_assert(utf8_valid(b, n));
		for (cut = 1; cut < n; cut++) {
			/* On the heap, so that a read past the end shows. */
			heap = mem_dup(b, cut);
			ck_assert_uint_eq(
			    utf8_decode(heap, cut, &got), UTF8_INCOMPLETE);
			ck_assert_uint_eq(
			    utf8_decode_final(heap, cut, &got), cut);
			ck_assert_uint_eq(got, UTF8_REPLACEMENT);
			ck_assert(!utf8_valid(heap, cut));
			mem_free(heap);
		}
	}
	ck_assert_uint_eq(utf8_encode(0x110000, b), 3);
	ck_assert(utf8_valid("", 0));
}
END_TEST

/* A second, simple decoder: 0 if ill-formed or unfinished. */
static size_t
plain_decode(const uint8_t *p, size_t n, uint32_t *cp)
{
	static const uint32_t mins[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t len, i;

	len = p[0] < 0x80   ? 1
	      : p[0] < 0xc0 ? 0
	      : p[0] < 0xe0 ? 2
	      : p[0] < 0xf0 ? 3
	      : p[0] < 0xf8 ? 4
			    : 0;
	if (len == 0 || len > n)
		return 0;
	*cp = len == 1 ? p[0] : p[0] & (0x7fu >> len);
	for (i = 1; i < len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		*cp = *cp << 6 | (p[i] & 0x3f);
	}
	if (*cp < mins[len] || *cp > 0x10ffff ||
	    (*cp >= 0xd800 && *cp < 0xe000))
		return 0;
	return len;
}

static uint32_t
next_random(uint32_t *x)
{
	*x = *x * 1664525 + 1013904223;
	return *x >> 8;
}

/* Generates random bytes, mostly well-formed. */
static size_t
random_text(uint32_t *x, uint8_t *p, size_t max)
{
	static const uint32_t tops[] = { 0x80, 0x800, 0x10000, 0x110000 };
	size_t n = 0, len;

	while (n + 4 <= max) {
		if (next_random(x) % 23 == 0)
			p[n++] = (uint8_t)next_random(x);
		len = utf8_encode(
		    next_random(x) % tops[next_random(x) % 4], p + n);
		n += MIN_OF(len, max - n);
		if (next_random(x) % 61 == 0)
			break;
	}
	return n;
}

START_TEST(runs_equal_a_plain_decoder)
{
	unsigned long seed = unit_seed(3);
	uint32_t x = (uint32_t)seed, cps[80], cp, want;
	uint8_t text[68], *p;
	size_t n, at, used, count, i, max;
	int round;

	for (round = 0; round < (int)unit_rounds(40000); round++) {
		n = random_text(&x, text, 64);
		if (n == 0)
			continue;
		p = mem_dup(text, n);
		for (at = 0; at < n;) {
			max = 1 + next_random(&x) % ARRAY_LEN(cps);
			used =
			    utf8_decode_run(p + at, n - at, cps, max, &count);
			ck_assert(count <= max && at + used <= n);
			for (i = 0; i < count; i++) {
				at += plain_decode(p + at, n - at, &want);
				ck_assert_msg(cps[i] == want, "seed %lu", seed);
				ck_assert(want >= 0x20 &&
					  (want < 0x7f || want >= 0xa0));
			}
			if (count == max || at == n)
				continue;
			/* It stopped at a code point that is not printable. */
			used = plain_decode(p + at, n - at, &want);
			i = utf8_decode(p + at, n - at, &cp);
			if (used > 0) {
				ck_assert(want < 0x20 ||
					  (want >= 0x7f && want < 0xa0));
				ck_assert(i == used && cp == want);
			} else {
				ck_assert(i == UTF8_INCOMPLETE ||
					  cp == UTF8_REPLACEMENT);
			}
			at += utf8_decode_final(p + at, n - at, &cp);
		}
		mem_free(p);
	}
}
END_TEST

START_TEST(ascii_runs_stop_at_the_right_byte)
{
	uint8_t *p;
	size_t n, at, want;
	unsigned c;

	for (n = 0; n <= 70; n++) {
		for (at = 0; at <= n; at++) {
			for (c = 0; c < 256; c += at % 3 == 0 ? 1 : 5) {
				p = mem_alloc(n);
				memset(p, at % 2 == 0 ? ' ' : '~', n);
				if (at < n)
					p[at] = (uint8_t)c;
				if (at + 1 < n)
					p[at + 1] = (uint8_t)~c;
				for (want = 0; want < n && p[want] >= 0x20 &&
					       p[want] < 0x7f;
				     want++)
					;
				if (utf8_ascii_run(p, n) != want)
					ck_abort_msg(
					    "n %zu at %zu c %u", n, at, c);
				mem_free(p);
			}
		}
	}
}
END_TEST

START_TEST(controls_are_found)
{
	ck_assert(!utf8_has_control("", 0));
	ck_assert(!utf8_has_control("a \xc2\xa0\xe2\x80\x8b", 7));
	ck_assert(utf8_has_control("a\n", 2));
	ck_assert(utf8_has_control("\0", 1));
	ck_assert(utf8_has_control("\177", 1));
	ck_assert(utf8_has_control("x\xc2\x80", 3));
	ck_assert(utf8_has_control("\xc2\x9f", 2));
	ck_assert(!utf8_has_control("\xc2", 1));
	ck_assert(!utf8_has_control("\xc3\x80", 2));
}
END_TEST

UNIT_SUITE(utf8)
{
	Suite *s = suite_create("utf8");
	TCase *tc = tcase_create("utf8");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, ill_formed_input_is_replaced_by_maximal_subparts);
	tcase_add_test(tc, every_code_point_goes_there_and_back);
	tcase_add_test(tc, runs_equal_a_plain_decoder);
	tcase_add_test(tc, ascii_runs_stop_at_the_right_byte);
	tcase_add_test(tc, controls_are_found);
	suite_add_tcase(s, tc);
	return s;
}
