/* The queue of bytes that a long paste waits in. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "client/spool.h"
#include "regress/unit/unit.h"

static unsigned
roll(unsigned n)
{
	return (unsigned)(random() % (long)n);
}

/* The byte at a place of the endless text that the tests queue. */
static uint8_t
text_at(uint64_t i)
{
	return (uint8_t)(i * 7 + i / 251);
}

/* Puts N bytes from AT of the text into S. */
static void
put(struct spool *s, uint64_t at, size_t n)
{
	uint8_t *p = mem_alloc(n + 1);
	size_t i;

	for (i = 0; i < n; i++)
		p[i] = text_at(at + i);
	spool_add(s, p, n);
	mem_free(p);
}

/* Takes up to N bytes, which must be the text at AT; returns their number. */
static size_t
get(struct spool *s, uint64_t at, size_t n)
{
	uint8_t *p = mem_alloc(n + 1);
	size_t i, got = spool_take(s, p, n);

	for (i = 0; i < got && p[i] == text_at(at + i); i++)
		;
	ck_assert_msg(i == got, "byte %llu", (unsigned long long)(at + i));
	mem_free(p);
	return got;
}

/* Any order of additions and removals, in a file or without one. */
static void
any_order(const char *dir)
{
	struct spool *s = spool_new(dir);
	uint64_t in = 0, out = 0;
	unsigned i, rounds = unit_rounds(400);
	size_t n, got;
	/* Long times of growth, then of shrinking. */
	bool grows = true;

	for (i = 0; i < rounds; i++) {
		if (roll(40) == 0)
			grows = !grows;
		n = roll(grows ? 200000 : 20000);
		put(s, in, n);
		in += n;
		n = roll(grows ? 20000 : 200000);
		got = get(s, out, n);
		ck_assert_uint_eq(got, MIN_OF(in - out, (uint64_t)n));
		out += got;
		ck_assert_uint_eq(spool_len(s), in - out);
	}
	while ((got = get(s, out, 100000)) > 0)
		out += got;
	ck_assert_uint_eq(in, out);
	ck_assert_uint_eq(spool_len(s), 0);
	put(s, in, 3u << 20);
	spool_clear(s);
	ck_assert_uint_eq(spool_len(s), 0);
	put(s, 0, 100);
	ck_assert_uint_eq(get(s, 0, 1000), 100);
	spool_free(s);
}

START_TEST(bytes_come_out_in_order)
{
	any_order(NULL);
}
END_TEST

/* Where no file can be made, the caller must wait, and nothing is lost. */
START_TEST(without_a_file_all_is_in_memory)
{
	struct spool *s = spool_new("/nowhere/at/all");
	uint64_t at = 0;

	while (!spool_full(s)) {
		put(s, at, 10000);
		at += 10000;
		ck_assert_uint_le(at, 3 * SPOOL_MEMORY);
	}
	ck_assert_uint_ge(at, SPOOL_MEMORY);
	ck_assert_uint_eq(get(s, 0, at), at);
	ck_assert(!spool_full(s));
	spool_free(s);
	any_order("/nowhere/at/all");
}
END_TEST

START_TEST(a_file_keeps_it_from_being_full)
{
	struct spool *s = spool_new(NULL);
	uint64_t at = 0;
	unsigned i;

	for (i = 0; i < 300; i++, at += 65536)
		put(s, at, 65536);
	ck_assert(!spool_full(s));
	ck_assert_uint_eq(spool_len(s), at);
	ck_assert_uint_eq(get(s, 0, at), at);
	spool_free(s);
}
END_TEST

UNIT_SUITE(client_spool)
{
	Suite *s = suite_create("client_spool");
	TCase *tc = tcase_create("client_spool");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, bytes_come_out_in_order);
	tcase_add_test(tc, without_a_file_all_is_in_memory);
	tcase_add_test(tc, a_file_keeps_it_from_being_full);
	suite_add_tcase(s, tc);
	return s;
}
