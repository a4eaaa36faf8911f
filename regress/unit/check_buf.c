#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "regress/unit/unit.h"

START_TEST(appends_consume_and_compare_with_a_model)
{
	char model[512];
	size_t mlen = 0, n, i;
	struct buf b;
	unsigned long seed = unit_seed(1);
	uint32_t x = (uint32_t)seed | 1;
	int step;

	buf_init(&b, sizeof(model));
	for (step = 0; step < 20000; step++) {
		x = x * 1664525 + 1013904223;
		n = x >> 24;
		if (x & 0x800) {
			char add[256];

			for (i = 0; i < n; i++)
				add[i] = (char)(step + (int)i);
			if (buf_add(&b, add, n) == 0) {
				memcpy(model + mlen, add, n);
				mlen += n;
			} else {
				ck_assert(mlen + n > sizeof(model));
				ck_assert(b.overflow);
			}
		} else {
			n = MIN_OF(n, mlen);
			buf_consume(&b, n);
			memmove(model, model + n, mlen - n);
			mlen -= n;
		}
		ck_assert_msg(b.len == mlen, "step %d seed %lu", step, seed);
		ck_assert_msg(mlen == 0 || memcmp(b.data, model, mlen) == 0,
		    "step %d seed %lu", step, seed);
		ck_assert(b.cap <= 1024);
	}
	buf_fini(&b);
}
END_TEST

START_TEST(the_maximum_is_exact_and_leaves_the_contents)
{
	struct buf b;
	uint8_t *p;

	buf_init(&b, 4);
	ck_assert_ptr_null(b.data);
	ck_assert_int_eq(buf_add_str(&b, "abcd"), 0);
	ck_assert(!b.overflow);
	ck_assert_int_eq(buf_add_u8(&b, 'e'), -ERR_LIMIT);
	ck_assert_int_eq(buf_addf(&b, "%d", 1), -ERR_LIMIT);
	ck_assert_int_eq(buf_reserve(&b, SIZE_MAX, &p), -ERR_LIMIT);
	ck_assert(b.overflow);
	ck_assert_str_eq(buf_cstr(&b), "abcd");
	buf_consume(&b, 1);
	ck_assert(b.overflow);
	ck_assert_int_eq(buf_add_u8(&b, 'e'), 0);
	ck_assert_str_eq(buf_cstr(&b), "bcde");
	buf_clear(&b);
	ck_assert(!b.overflow);
	ck_assert_uint_eq(b.len, 0);
	buf_fini(&b);
	buf_init(&b, 0);
	ck_assert_int_eq(buf_add(&b, NULL, 0), 0);
	ck_assert_int_eq(buf_add_u8(&b, 1), -ERR_LIMIT);
	ck_assert_str_eq(buf_cstr(&b), "");
	buf_fini(&b);
}
END_TEST

START_TEST(strings_are_terminated_and_stolen)
{
	struct buf b;
	size_t len;
	char *s;

	buf_init(&b, 1000);
	ck_assert_int_eq(buf_addf(&b, "%s %d", "hello", 42), 0);
	ck_assert_str_eq(buf_cstr(&b), "hello 42");
	/* Longer than the memory that is left, and than the maximum. */
	ck_assert_int_eq(buf_addf(&b, "%0300d", 7), 0);
	ck_assert_uint_eq(b.len, 308);
	ck_assert_int_eq(buf_addf(&b, "%0693d", 7), -ERR_LIMIT);
	ck_assert_uint_eq(b.len, 308);
	ck_assert_int_eq(buf_addf(&b, "%0692d", 7), 0);
	ck_assert_uint_eq(b.len, 1000);
	buf_truncate(&b, 5);
	ck_assert_int_eq(buf_add_uint(&b, 0), 0);
	ck_assert_int_eq(buf_add_uint(&b, UINT64_MAX), 0);
	ck_assert_str_eq(buf_cstr(&b), "hello018446744073709551615");
	buf_truncate(&b, 5);
	ck_assert_str_eq(buf_cstr(&b), "hello");
	buf_consume(&b, 2);
	s = buf_steal(&b, &len);
	ck_assert_str_eq(s, "llo");
	ck_assert_uint_eq(len, 3);
	ck_assert_ptr_null(b.data);
	mem_free(s);
	s = buf_steal(&b, NULL);
	ck_assert_str_eq(s, "");
	mem_free(s);
	buf_fini(&b);
}
END_TEST

START_TEST(consuming_too_much_is_a_bug)
{
	struct buf b;

	buf_init(&b, 10);
	buf_consume(&b, 1);
}
END_TEST

/* Returns whether none of the N bytes at P is SECRET. */
static bool
wiped(const uint8_t *p, size_t n, uint8_t secret)
{
	return memchr(p, secret, n) == NULL;
}

START_TEST(a_secret_leaves_no_bytes_behind)
{
	struct buf b;
	size_t i;

	buf_init(&b, 4096);
	buf_secret(&b, true);
	for (i = 0; i < 60; i++)
		ck_assert_int_eq(buf_add_u8(&b, 0xa5), 0);
	buf_consume(&b, 40);
	ck_assert(wiped(b.base, 40, 0xa5));
	/* The contents move to the front of the same memory. */
	ck_assert_int_eq(buf_add(&b, "0123456789", 10), 0);
	ck_assert(wiped(
	    b.data + b.len, b.cap - b.len - (size_t)(b.data - b.base), 0xa5));
	ck_assert_uint_eq(b.len, 30);
	ck_assert(!wiped(b.data, b.len, 0xa5));
	buf_truncate(&b, 10);
	ck_assert(wiped(b.data + 10, 20, 0xa5));
	buf_clear(&b);
	ck_assert(wiped(b.base, b.cap, 0xa5));
	/* An ordinary buffer leaves them; making it ordinary wipes the past. */
	buf_secret(&b, false);
	ck_assert_int_eq(buf_add(&b, "\xa5\xa5\xa5\xa5", 4), 0);
	buf_consume(&b, 4);
	ck_assert(!wiped(b.base, b.cap, 0xa5));
	buf_secret(&b, true);
	buf_secret(&b, false);
	ck_assert(wiped(b.base, b.cap, 0xa5));
	buf_fini(&b);
}
END_TEST

UNIT_SUITE(buf)
{
	Suite *s = suite_create("buf");
	TCase *tc = tcase_create("buf");

	tcase_add_test(tc, appends_consume_and_compare_with_a_model);
	tcase_add_test(tc, the_maximum_is_exact_and_leaves_the_contents);
	tcase_add_test(tc, strings_are_terminated_and_stolen);
	tcase_add_test(tc, a_secret_leaves_no_bytes_behind);
	tcase_add_test_raise_signal(tc, consuming_too_much_is_a_bug, 6);
	suite_add_tcase(s, tc);
	return s;
}
