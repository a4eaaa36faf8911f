#include "base/err.h"
#include "regress/unit/unit.h"
#include "ssp/replay.h"

#define LIM (SSP_REPLAY_WINDOW + 1)

/* Numbers in order of arrival, and whether each is accepted. */
START_TEST(window_accepts_each_number_once)
{
	/* clang-format off */
	static const struct {
		uint64_t n;
		bool ok;
	} rows[] = {
		{ 0, true }, { 1, true }, { 1, false }, { 9, true },
		{ 8, true }, { 7, true }, { 7, false }, { LIM, true },
		{ LIM - 1, true }, { LIM - 1, false }, { LIM - 2, true },
		{ 2, true }, { 2, false }, { LIM + 16, true }, { 3, false },
		{ LIM + 16, false }, { LIM * 4, true },
		{ LIM * 4 - (LIM - 1), false }, { 10, false },
		{ LIM * 4 - LIM, false }, { LIM * 4 - (LIM + 1), false },
		{ LIM * 4 - (LIM - 2), true }, { LIM * 4 + 1 - LIM, false },
		{ 0, false }, { UINT64_MAX, false },
		{ UINT64_MAX - 1, true }, { UINT64_MAX - 1, false },
		{ UINT64_MAX - 2, true }, { LIM * 4, false },
		{ UINT64_MAX - 1 - SSP_REPLAY_WINDOW, false },
		{ UINT64_MAX - SSP_REPLAY_WINDOW, true },
	};
	/* clang-format on */
	struct ssp_replay w;
	size_t i;
	int r;

	ssp_replay_init(&w);
	for (i = 0; i < ARRAY_LEN(rows); i++) {
		r = ssp_replay_check(&w, rows[i].n);
		ck_assert_msg((r == 0) == rows[i].ok, "check, row %zu", i);
		r = ssp_replay_accept(&w, rows[i].n);
		ck_assert_msg((r == 0) == rows[i].ok, "accept, row %zu", i);
	}
}
END_TEST

START_TEST(runs_forward_and_backward_at_each_boundary)
{
	struct ssp_replay w;
	uint64_t start, i;

	for (start = 0; start < 130; start += unit_stride(7)) {
		ssp_replay_init(&w);
		for (i = 0; i < SSP_REPLAY_WINDOW; i++)
			ck_assert_int_eq(ssp_replay_accept(&w, start + i), 0);
		for (i = 0; i < SSP_REPLAY_WINDOW; i++)
			ck_assert_int_ne(ssp_replay_accept(&w, start + i), 0);
		ssp_replay_init(&w);
		for (i = SSP_REPLAY_WINDOW; i-- > 0;)
			ck_assert_int_eq(ssp_replay_accept(&w, start + i), 0);
		for (i = SSP_REPLAY_WINDOW; i-- > 0;)
			ck_assert_int_ne(ssp_replay_accept(&w, start + i), 0);
	}
}
END_TEST

/* Compares with a plain list of all numbers: a random walk with jumps. */
START_TEST(agrees_with_a_list_of_all_numbers)
{
	static uint8_t seen[200000];
	struct ssp_replay w;
	uint64_t x = unit_seed(7), n, high = 0;
	bool ok;
	int i;

	ssp_replay_init(&w);
	for (i = 0; i < 300000; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		n = high + (x >> 33) % 40;
		if ((x >> 20) % 5 != 0)
			n = n > (x >> 40) % 3000 ? n - (x >> 40) % 3000 : 0;
		if ((x >> 17) % 4096 == 0)
			n += 2500;
		if (n >= sizeof(seen))
			break;
		ok = !seen[n] && (n >= high || high - n < SSP_REPLAY_WINDOW);
		if (i == 0)
			ok = true;
		ck_assert_int_eq(ssp_replay_accept(&w, n) == 0, ok);
		if (ok) {
			seen[n] = 1;
			high = n > high ? n : high;
		}
	}
	ck_assert_int_gt(i, 1000);
}
END_TEST

UNIT_SUITE(ssp_replay)
{
	Suite *s = suite_create("ssp/replay");
	TCase *tc = tcase_create("window");

	tcase_add_test(tc, window_accepts_each_number_once);
	tcase_add_test(tc, runs_forward_and_backward_at_each_boundary);
	tcase_add_test(tc, agrees_with_a_list_of_all_numbers);
	suite_add_tcase(s, tc);
	return s;
}
