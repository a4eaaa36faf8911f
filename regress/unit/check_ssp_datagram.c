#include <string.h>

#include "base/err.h"
#include "regress/unit/unit.h"
#include "ssp/datagram.h"
#include "ssp/timestamp.h"

START_TEST(headers_are_checked_before_anything_else)
{
	uint8_t p[SSP_DGRAM_FLOOR];
	struct ssp_dgram d, e;
	size_t len;
	int type;

	for (type = 0; type < 4; type++) {
		memset(&d, 0, sizeof(d));
		d.type = (enum ssp_dgram_type)type;
		d.phase = 3;
		d.cid = UINT64_C(0x0102030405060708);
		d.noise_len = type < 2 ? 60 : 0;
		d.low = type < 2 ? 0 : 0xa0b0c0d0;
		d.lo = type < 2 ? 1 : 0;
		d.hi = type < 2 ? 2 : 0;
		memset(p, 0, sizeof(p));
		ssp_dgram_head(p, &d);
		for (len = 0; len < sizeof(p); len++) {
			bool ok = len >= (type < 2 ? 13u + 60 + 16 : 33u);

			ck_assert_int_eq(ssp_dgram_parse(p, len, &e) == 0, ok);
		}
		ck_assert_int_eq(e.type, d.type);
		ck_assert_uint_eq(e.phase, 3);
		ck_assert_uint_eq(e.cid, d.cid);
		ck_assert_uint_eq(e.low, d.low);
		ck_assert_uint_eq(e.hi, d.hi);
		ck_assert_uint_eq(e.noise_len, d.noise_len);
		p[0] ^= 0x10;
		ck_assert_int_eq(
		    ssp_dgram_parse(p, sizeof(p), &e), -ERR_VERSION);
	}
}
END_TEST

START_TEST(packet_numbers_come_back_from_their_low_half)
{
	static const uint64_t bases[] = { 0, 1, 100, UINT64_C(0x7fffffff),
		UINT64_C(0xffffffff), UINT64_C(0x100000000),
		UINT64_C(0x180000000), UINT64_C(0x123456789abcdef),
		(UINT64_C(1) << 62) - 1 };
	static const int64_t off[] = { 0, 1, -1, 5000, -5000, 0x3fffffff,
		-0x3fffffff };
	size_t i, k;
	uint64_t n;

	for (i = 0; i < ARRAY_LEN(bases); i++)
		for (k = 0; k < ARRAY_LEN(off); k++) {
			n = bases[i] + (uint64_t)off[k];
			if (n >= UINT64_C(1) << 62)
				continue;
			ck_assert_uint_eq(
			    ssp_dgram_number(bases[i], (uint32_t)n, 32), n);
		}
}
END_TEST

/* 16 bits distinguish numbers less than 32768 away. */
START_TEST(short_forms_come_back)
{
	static const uint64_t bases[] = { 0, 1, 100, 0x7fff, 0xffff, 0x10000,
		UINT64_C(0x180000000), (UINT64_C(1) << 62) - 40000 };
	static const int64_t off[] = { 0, 1, -1, 5000, -5000, 16384, 32767,
		-32767 };
	static const enum ssp_dgram_form forms[] = { SSP_DGRAM_LONG,
		SSP_DGRAM_SHORT, SSP_DGRAM_BARE };
	static const size_t heads[] = { 13, 11, 3 };
	uint8_t key[32] = { 1 }, p[80], q[80];
	struct ssp_dgram d;
	size_t i, k, len;
	uint64_t n;

	for (i = 0; i < ARRAY_LEN(bases); i++)
		for (k = 0; k < ARRAY_LEN(off); k++) {
			n = bases[i] + (uint64_t)off[k];
			if (n >= UINT64_C(1) << 62)
				continue;
			ck_assert_uint_eq(
			    ssp_dgram_number(bases[i], (uint16_t)n, 16), n);
		}
	for (i = 0; i < ARRAY_LEN(forms); i++) {
		for (k = 0; k < 24; k++)
			p[SSP_DGRAM_HEAD + k] = (uint8_t)k;
		len = ssp_dgram_seal_data(
		    p, forms[i], 2, 77, UINT64_C(0x123456789), key, 24);
		ck_assert_uint_eq(len, heads[i] + 24 + 16);
		for (k = 0; k < len; k++)
			ck_assert_int_eq(
			    ssp_dgram_parse(p, k, &d) == 0, k >= heads[i] + 20);
		ck_assert_int_eq(ssp_dgram_parse(p, len, &d), 0);
		ck_assert_uint_eq(d.phase, 2);
		ck_assert_uint_eq(d.cid, forms[i] == SSP_DGRAM_BARE ? 0 : 77);
		n = ssp_dgram_number(UINT64_C(0x123456780), d.low, d.bits);
		ck_assert_uint_eq(n, UINT64_C(0x123456789));
		for (k = 0; k < len; k++) {
			memcpy(q, p, len);
			q[k] ^= 1;
			ck_assert_int_ne(
			    ssp_dgram_open(q, len, &d, n, key, &len), 0);
			len = heads[i] + 24 + 16;
		}
		ck_assert_int_eq(ssp_dgram_open(p, len, &d, n, key, &len), 0);
		ck_assert_uint_eq(len, 24);
		for (k = 0; k < 24; k++)
			ck_assert_uint_eq(p[heads[i] + k], k);
		/* other types have only the long form */
		p[0] ^= SSP_DGRAM_DATA << 2;
		ck_assert_int_eq(ssp_dgram_parse(p, 80, &d) == 0, false);
	}
}
END_TEST

START_TEST(probe_and_data_never_share_a_nonce)
{
	uint8_t key[32] = { 1 }, a[64] = { 0 }, b[64] = { 0 };
	struct ssp_dgram d;
	size_t len;

	ssp_dgram_seal(a, SSP_DGRAM_DATA, 1, 7, 9, key, 20);
	ssp_dgram_seal(b, SSP_DGRAM_PROBE, 1, 7, 9, key, 20);
	ck_assert_int_ne(memcmp(a + 13, b + 13, 20), 0);
	ck_assert_int_eq(ssp_dgram_parse(a, 49, &d), 0);
	ck_assert_int_eq(ssp_dgram_open(a, 49, &d, 9, key, &len), 0);
	ck_assert_uint_eq(len, 20);
	ck_assert_int_eq(ssp_dgram_parse(b, 49, &d), 0);
	d.type = SSP_DGRAM_DATA;
	ck_assert_int_ne(ssp_dgram_open(b, 49, &d, 9, key, &len), 0);
}
END_TEST

START_TEST(padding_goes_to_the_next_step_within_the_limit)
{
	/* clang-format off */
	static const size_t rows[][4] = {
		/* len, step, max, want */
		{ 5, 0, 100, 5 }, { 5, 1, 100, 5 }, { 5, 16, 100, 16 },
		{ 24, 16, 100, 24 }, { 25, 16, 100, 40 }, { 40, 16, 100, 40 },
		{ 41, 16, 100, 56 },
		{ 16, 16, 100, 16 }, { 17, 16, 100, 24 }, { 17, 64, 100, 64 },
		{ 65, 64, 100, 96 }, { 99, 16, 100, 100 }, { 0, 16, 100, 0 },
	};
	/* clang-format on */
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++)
		ck_assert_uint_eq(
		    ssp_dgram_padded(rows[i][0], rows[i][1], rows[i][2]),
		    rows[i][3]);
}
END_TEST

/* Sent at T0, held for HOLD, received at T1: the sample is T1 - T0 - HOLD. */
START_TEST(timestamps_measure_the_way_without_the_wait)
{
	/* clang-format off */
	static const struct {
		mono_ms t0, skew, way, hold;
		int64_t want; /* -1: none */
	} rows[] = {
		{ 1000, 0, 50, 0, 100 }, { 1000, 0, 50, 400, 100 },
		{ 65500, 12345, 50, 30, 100 }, { 65535, 1, 0, 0, 0 },
		{ 131071, 65535, 0, 5, 0 }, { 7, 99999999, 20000, 9, 40000 },
		{ 1000, 0, 50, 1001, -1 }, { 1000, 0, 30001, 0, -1 },
	};
	/* clang-format on */
	struct ssp_stamp s;
	mono_ms sample, there;
	uint16_t reply;
	size_t i;
	bool ok;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		memset(&s, 0, sizeof(s));
		there = rows[i].t0 + rows[i].skew + rows[i].way;
		ck_assert_uint_eq(ssp_stamp_reply(&s, there), SSP_STAMP_NONE);
		ssp_stamp_got(&s, there, ssp_stamp_now(rows[i].t0));
		reply = ssp_stamp_reply(&s, there + rows[i].hold);
		ok = ssp_stamp_sample(
		    rows[i].t0 + 2 * rows[i].way + rows[i].hold, reply,
		    &sample);
		ck_assert_int_eq(ok, rows[i].want >= 0);
		/* Timestamp 65535 is sent as 0: one millisecond off. */
		if (ok)
			ck_assert_int_le(
			    llabs((int64_t)sample - rows[i].want), 1);
		ck_assert_uint_eq(
		    ssp_stamp_reply(&s, there + 1), SSP_STAMP_NONE);
	}
	/* Two clocks in whole ms may differ by one. */
	ck_assert(ssp_stamp_sample(1000, 1001, &sample));
	ck_assert_uint_eq(sample, 0);
}
END_TEST

UNIT_SUITE(ssp_datagram)
{
	Suite *s = suite_create("ssp/datagram");
	TCase *tc = tcase_create("datagram");

	ssp_crypto_init();
	tcase_add_test(tc, headers_are_checked_before_anything_else);
	tcase_add_test(tc, packet_numbers_come_back_from_their_low_half);
	tcase_add_test(tc, short_forms_come_back);
	tcase_add_test(tc, probe_and_data_never_share_a_nonce);
	tcase_add_test(tc, padding_goes_to_the_next_step_within_the_limit);
	tcase_add_test(tc, timestamps_measure_the_way_without_the_wait);
	suite_add_tcase(s, tc);
	return s;
}
