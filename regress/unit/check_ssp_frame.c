/* The list of frames in a payload. */
#include <string.h>

#include "base/compiler.h"
#include "base/err.h"
#include "regress/unit/unit.h"
#include "ssp/frame.h"

static const struct {
	uint64_t type;
	size_t len;
} frames[] = {
	{ SSP_FRAME_ACK, 0 },
	{ SSP_FRAME_STATE, 1 },
	{ SSP_FRAME_STREAM, 63 },
	{ 0x3fff, 64 },
	{ UINT64_C(0x3fffffff), 1000 },
};

START_TEST(frames_written_are_read)
{
	static uint8_t body[1000], out[2000];
	struct ssp_frame f;
	struct rd r;
	struct wr w;
	size_t i, sum = 0;

	for (i = 0; i < sizeof body; i++)
		body[i] = (uint8_t)i;
	wr_init(&w, out, sizeof out);
	for (i = 0; i < ARRAY_LEN(frames); i++) {
		ssp_frame_put(&w, frames[i].type, body, frames[i].len);
		sum += ssp_frame_size(frames[i].type, frames[i].len);
		ck_assert_uint_eq(wr_len(&w), sum);
	}
	ck_assert_int_eq(w.err, 0);
	/* padding ends the list, whatever follows */
	memset(out + sum, 0, 5);
	out[sum + 1] = 0xff;
	rd_init(&r, out, sum + 5);
	for (i = 0; i < ARRAY_LEN(frames); i++) {
		ck_assert_int_eq(ssp_frame_next(&r, &f), 1);
		ck_assert_uint_eq(f.type, frames[i].type);
		ck_assert_uint_eq(f.len, frames[i].len);
		if (f.len > 0)
			ck_assert_mem_eq(f.body, body, f.len);
	}
	ck_assert_int_eq(ssp_frame_next(&r, &f), 0);
	rd_init(&r, out, 0);
	ck_assert_int_eq(ssp_frame_next(&r, &f), 0);
}
END_TEST

/* A valid payload, cut anywhere, ends the list or is an error. */
START_TEST(cut_frames_are_errors)
{
	static const uint8_t good[] = { SSP_FRAME_PING, 0, SSP_FRAME_STATE, 3,
		'a', 'b', 'c', 0x40, 0x40, 1, 'x' };
	struct ssp_frame f;
	struct rd r;
	size_t n;
	int e, k;

	for (n = 0; n <= sizeof good; n++) {
		rd_init(&r, good, n);
		for (k = 0; (e = ssp_frame_next(&r, &f)) == 1; k++)
			;
		if (n == 0 || n == 2 || n == 7 || n == sizeof good)
			ck_assert_int_eq(e, 0);
		else
			ck_assert_int_eq(e, -ERR_PEER);
		ck_assert_int_eq(k, (n >= 2) + (n >= 7) + (n == sizeof good));
	}
}
END_TEST

START_TEST(what_does_not_fit_is_not_written)
{
	uint8_t out[16];
	struct wr w;

	memset(out, 0xee, sizeof out);
	wr_init(&w, out, 8);
	ssp_frame_put(&w, SSP_FRAME_STATE, "1234567", 7);
	ck_assert_int_eq(w.err, -ERR_LIMIT);
	ck_assert_uint_eq(out[0], 0xee);
	/* the error is sticky */
	ssp_frame_put(&w, SSP_FRAME_PING, NULL, 0);
	ck_assert_int_ne(w.err, 0);
	wr_init(&w, out, 9);
	ssp_frame_put(&w, SSP_FRAME_STATE, "1234567", 7);
	ck_assert_int_eq(w.err, 0);
	ck_assert_uint_eq(out[9], 0xee);
}
END_TEST

UNIT_SUITE(ssp_frame)
{
	Suite *s = suite_create("ssp/frame");
	TCase *tc = tcase_create("frame");

	tcase_add_test(tc, frames_written_are_read);
	tcase_add_test(tc, cut_frames_are_errors);
	tcase_add_test(tc, what_does_not_fit_is_not_written);
	suite_add_tcase(s, tc);
	return s;
}
