#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "regress/unit/unit.h"
#include "ssp/stream_link.h"

/* Moves at most STEP bytes from A's output to B's input. */
static void
move(struct ssp_stream_link *a, struct ssp_stream_link *b, size_t step)
{
	const uint8_t *from;
	uint8_t *to;
	size_t n, room;

	n = ssp_stream_link_pending(a, &from);
	room = ssp_stream_link_room(b, &to);
	n = n < step ? n : step;
	n = n < room ? n : room;
	if (n == 0)
		return;
	memcpy(to, from, n);
	ssp_stream_link_commit(b, n);
	ssp_stream_link_written(a, n);
}

START_TEST(records_come_out_whole_however_bytes_arrive)
{
	static const size_t sizes[] = { 1, 2, 63, 64, 100, 16383, 16384, 40000,
		SSP_STREAM_RECORD_MAX };
	static const size_t steps[] = { 1, 3, 1000, 1u << 30 };
	struct ssp_stream_link a, b;
	uint8_t *rec = mem_alloc(SSP_STREAM_RECORD_MAX), *p;
	size_t i, k, len, got;
	int r;

	for (k = 0; k < ARRAY_LEN(steps); k++) {
		ssp_stream_link_init(&a);
		ssp_stream_link_init(&b);
		for (i = 0; i < ARRAY_LEN(sizes); i++) {
			memset(rec, (int)i + 1, sizes[i]);
			ck_assert_int_eq(
			    ssp_stream_link_put(&a, rec, sizes[i]), 0);
		}
		for (got = 0; got < ARRAY_LEN(sizes);) {
			move(&a, &b, steps[k]);
			while ((r = ssp_stream_link_next(&b, &p, &len)) == 1) {
				ck_assert_uint_eq(len, sizes[got]);
				ck_assert_uint_eq(p[0], got + 1);
				ck_assert_uint_eq(p[len - 1], got + 1);
				memset(p, 0xff, len); /* writable */
				got++;
			}
			ck_assert_int_eq(r, 0);
		}
		ssp_stream_link_fini(&a);
		ssp_stream_link_fini(&b);
	}
	mem_free(rec);
}
END_TEST

START_TEST(hostile_lengths_end_the_stream_and_backlog_is_bounded)
{
	static const uint8_t bad[][8] = { { 0x00 }, { 0x80, 0x01, 0x00, 0x01 },
		{ 0xff, 0xff, 0xff, 0xff, 0xff } };
	struct ssp_stream_link l;
	uint8_t *p, rec[1000] = { 0 };
	size_t i, len, n;

	for (i = 0; i < ARRAY_LEN(bad); i++) {
		ssp_stream_link_init(&l);
		ck_assert_uint_gt(ssp_stream_link_room(&l, &p), 8);
		memcpy(p, bad[i], 8);
		ssp_stream_link_commit(&l, 8);
		ck_assert_int_eq(ssp_stream_link_next(&l, &p, &len), -ERR_PEER);
		ck_assert_uint_eq(ssp_stream_link_room(&l, &p), 0);
		ck_assert_int_eq(ssp_stream_link_next(&l, &p, &len), -ERR_PEER);
		ssp_stream_link_fini(&l);
	}
	ssp_stream_link_init(&l);
	for (n = 0; ssp_stream_link_put(&l, rec, sizeof(rec)) == 0; n++)
		ck_assert_uint_lt(n, 300);
	ck_assert_uint_gt(n, 200);
	ck_assert_int_eq(ssp_stream_link_put(&l, rec, 0), -ERR_LIMIT);
	ssp_stream_link_fini(&l);
}
END_TEST

UNIT_SUITE(ssp_stream_link)
{
	Suite *s = suite_create("ssp/stream_link");
	TCase *tc = tcase_create("stream");

	tcase_add_test(tc, records_come_out_whole_however_bytes_arrive);
	tcase_add_test(
	    tc, hostile_lengths_end_the_stream_and_backlog_is_bounded);
	suite_add_tcase(s, tc);
	return s;
}
