#include <string.h>

#include "base/err.h"
#include "base/wire.h"
#include "regress/unit/unit.h"

START_TEST(what_is_written_is_read)
{
	uint8_t out[64];
	char text[3];
	struct wr w;
	struct rd r;

	wr_init(&w, out, sizeof(out));
	wr_u8(&w, 0xab);
	wr_u16(&w, 0xcdef);
	wr_u32(&w, 0x01020304);
	wr_u64(&w, UINT64_C(0x1122334455667788));
	wr_bytes(&w, "xyz", 3);
	wr_bytes(&w, NULL, 0);
	ck_assert_int_eq(w.err, 0);
	ck_assert_uint_eq(wr_len(&w), 18);
	ck_assert_uint_eq(wr_left(&w), 46);
	ck_assert_int_eq(out[1], 0xcd);
	ck_assert_int_eq(out[3], 1);
	rd_init(&r, out, wr_len(&w));
	ck_assert_uint_eq(rd_u8(&r), 0xab);
	ck_assert_uint_eq(rd_u16(&r), 0xcdef);
	ck_assert_uint_eq(rd_u32(&r), 0x01020304);
	ck_assert_int_eq(rd_done(&r), -ERR_PEER);
	ck_assert(rd_u64(&r) == UINT64_C(0x1122334455667788));
	rd_copy(&r, text, 3);
	ck_assert_mem_eq(text, "xyz", 3);
	ck_assert_int_eq(rd_done(&r), 0);
	ck_assert_ptr_nonnull(rd_bytes(&r, 0));
}
END_TEST

START_TEST(varints_match_rfc_9000)
{
	static const struct {
		uint64_t v;
		size_t len;
		uint8_t bytes[8];
	} rows[] = {
		{ 0, 1, { 0 } },
		{ 37, 1, { 0x25 } },
		{ 63, 1, { 0x3f } },
		{ 64, 2, { 0x40, 0x40 } },
		{ 15293, 2, { 0x7b, 0xbd } },
		{ 16384, 4, { 0x80, 0, 0x40, 0 } },
		{ 494878333, 4, { 0x9d, 0x7f, 0x3e, 0x7d } },
		{ UINT64_C(151288809941952652), 8,
		    { 0xc2, 0x19, 0x7c, 0x5e, 0xff, 0x14, 0xe8, 0x8c } },
		{ WIRE_VARINT_MAX, 8,
		    { 255, 255, 255, 255, 255, 255, 255, 255 } },
	};
	uint8_t out[8];
	struct wr w;
	struct rd r;
	size_t i, cut;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		wr_init(&w, out, sizeof(out));
		wr_varint(&w, rows[i].v);
		ck_assert_uint_eq(wr_len(&w), rows[i].len);
		ck_assert_uint_eq(wire_varint_len(rows[i].v), rows[i].len);
		ck_assert_mem_eq(out, rows[i].bytes, rows[i].len);
		rd_init(&r, out, rows[i].len);
		ck_assert(rd_varint(&r) == rows[i].v);
		ck_assert_int_eq(rd_done(&r), 0);
		for (cut = 0; cut < rows[i].len; cut++) {
			rd_init(&r, out, cut);
			ck_assert(rd_varint(&r) == 0);
			ck_assert_int_eq(r.err, -ERR_TRUNCATED);
		}
	}
	/* QUIC permits a longer form than needed. */
	rd_init(&r, "\x40\x25", 2);
	ck_assert(rd_varint(&r) == 37);
}
END_TEST

START_TEST(errors_stick)
{
	uint8_t out[4] = { 9, 9, 9, 9 };
	struct wr w;
	struct rd r;

	rd_init(&r, "\1\2\3", 3);
	ck_assert_uint_eq(rd_u32(&r), 0);
	ck_assert_int_eq(r.err, -ERR_TRUNCATED);
	ck_assert_uint_eq(rd_left(&r), 0);
	ck_assert_uint_eq(rd_u8(&r), 0);
	ck_assert_ptr_null(rd_bytes(&r, 0));
	ck_assert_int_eq(rd_fail(&r, -ERR_TYPE), -ERR_TRUNCATED);
	rd_copy(&r, out, 4);
	ck_assert_mem_eq(out, "\0\0\0\0", 4);
	ck_assert_int_eq(rd_done(&r), -ERR_TRUNCATED);
	rd_init(&r, NULL, 0);
	ck_assert_int_eq(rd_done(&r), 0);
	ck_assert_ptr_null(rd_bytes(&r, SIZE_MAX));

	memset(out, 9, sizeof(out));
	wr_init(&w, out, 3);
	wr_u16(&w, 1);
	wr_u32(&w, 0);
	ck_assert_int_eq(w.err, -ERR_LIMIT);
	wr_u8(&w, 7);
	ck_assert_uint_eq(wr_len(&w), 2);
	ck_assert_mem_eq(out, "\0\1\t\t", 4);
	wr_init(&w, NULL, 0);
	wr_u8(&w, 1);
	ck_assert_int_eq(w.err, -ERR_LIMIT);
}
END_TEST

UNIT_SUITE(wire)
{
	Suite *s = suite_create("wire");
	TCase *tc = tcase_create("wire");

	tcase_add_test(tc, what_is_written_is_read);
	tcase_add_test(tc, varints_match_rfc_9000);
	tcase_add_test(tc, errors_stick);
	suite_add_tcase(s, tc);
	return s;
}
