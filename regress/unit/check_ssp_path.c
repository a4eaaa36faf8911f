#include <string.h>

#include "regress/unit/ssp_world.h"
#include "regress/unit/unit.h"

static int
add(struct ssp_paths *ps, mono_ms now, unsigned host, bool ours)
{
	struct ssp_path_addr a = world_path(1 << 16 | 1, host << 16 | 2);

	return ssp_paths_add(ps, now, &a, ours, 1472);
}

START_TEST(full_table_gives_up_the_longest_silent)
{
	struct ssp_path_addr a = world_path(1 << 16 | 1, 13 << 16 | 2);
	struct ssp_paths ps;
	unsigned i;

	ssp_paths_init(&ps);
	for (i = 0; i < SSP_PATHS_MAX; i++)
		ck_assert_int_ge(add(&ps, 100 + i, 10 + i, i == 1), 0);
	ps.active = 0;
	ssp_path_received(&ps.p[2], 500, 10);
	ck_assert_int_ge(add(&ps, 600, 30, false), 0);
	ck_assert_int_eq(ps.count, SSP_PATHS_MAX);
	ck_assert_int_eq(ssp_paths_find(&ps, &a), -1); /* the fourth left */
	for (i = 0; i < SSP_PATHS_MAX; i++)
		ps.p[i].ours = true;
	ck_assert_int_eq(add(&ps, 700, 31, false), -1);
	ssp_paths_remove(&ps, 0);
	ck_assert_int_eq(ps.active, -1);
	ck_assert_int_ge(add(&ps, 700, 31, false), 0);
}
END_TEST

START_TEST(credit_is_three_for_one_until_validated)
{
	struct ssp_paths ps;
	struct ssp_path *p;
	uint8_t other[8] = { 1 };

	ssp_paths_init(&ps);
	p = &ps.p[add(&ps, 1, 10, false)];
	ck_assert_uint_eq(ssp_path_allowed(p), 0);
	ssp_path_received(p, 2, 100);
	ck_assert_uint_eq(ssp_path_allowed(p), 300);
	ssp_path_sent(p, 299);
	ck_assert_uint_eq(ssp_path_allowed(p), 1);
	ssp_path_sent(p, 50);
	ck_assert_uint_eq(ssp_path_allowed(p), 0);
	ssp_path_ask(p, 5);
	memset(p->token, 9, 8);
	ck_assert_int_eq(ssp_path_answer(p, 5, p->token), 0); /* not asked */
	ssp_path_asked(p, 5, 1000);
	ck_assert_int_eq(ssp_path_answer(p, 45, other), 0);
	ck_assert_int_eq(ssp_path_answer(p, 45, p->token), 1);
	ck_assert_uint_eq(ssp_path_allowed(p), SIZE_MAX);
	ck_assert_uint_eq(p->srtt, 40);
	ck_assert_int_eq(ssp_path_answer(p, 45, p->token), 0);
}
END_TEST

START_TEST(challenges_slow_down_and_answers_owed_are_bounded)
{
	struct ssp_paths ps;
	struct ssp_path *p;
	uint8_t token[8] = { 0 };
	mono_ms now = 10, gap = 0, was = 0;
	unsigned i;

	ssp_paths_init(&ps);
	p = &ps.p[add(&ps, 1, 10, true)];
	ssp_path_rtt(p, 50);
	ssp_path_ask(p, now);
	for (i = 0; i < 20; i++) {
		ck_assert_uint_eq(p->ask_at, now);
		ssp_path_asked(p, now, 2000);
		gap = p->ask_at - now;
		ck_assert_uint_ge(gap, was);
		was = gap;
		now = p->ask_at;
	}
	ck_assert_uint_eq(gap, 2000);
	for (i = 0; i < 10; i++) {
		token[0] = (uint8_t)i;
		ssp_path_owe(p, token);
	}
	ck_assert_uint_eq(p->owed_count, SSP_PATH_TOKENS);
	ck_assert_uint_eq(p->owed[0][0], 6);
}
END_TEST

START_TEST(better_path_has_to_be_clearly_better)
{
	/* clang-format off */
	static const struct {
		mono_ms active, spare;
		bool move;
	} rows[] = {
		{ 100, 99, false }, { 100, 80, false }, { 100, 70, true },
		{ 10, 6, false }, { 4, 0, false }, { 40, 29, true },
	};
	/* clang-format on */
	struct ssp_paths ps;
	size_t i;
	int a, b;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		ssp_paths_init(&ps);
		a = add(&ps, 1, 10, true);
		b = add(&ps, 1, 11, true);
		ps.active = a;
		ck_assert_int_eq(ssp_paths_better(&ps, 1), -1);
		ck_assert_int_eq(ssp_paths_spare(&ps), -1);
		ps.p[a].valid = ps.p[b].valid = true;
		ssp_path_rtt(&ps.p[a], rows[i].active);
		ssp_path_rtt(&ps.p[b], rows[i].spare);
		ssp_path_received(&ps.p[b], 1000, 1);
		ck_assert_int_eq(
		    ssp_paths_better(&ps, 1000), rows[i].move ? b : -1);
		/* A path that was silent for long is no better. */
		ck_assert_int_eq(ssp_paths_better(&ps, 100000), -1);
		ck_assert_int_eq(ssp_paths_spare(&ps), b);
	}
}
END_TEST

/* Runs bulk for TIME over a path that passes SIZE and loses PERCENT. */
static size_t
pmtu_drive(struct ssp_pmtu *p, size_t limit, unsigned percent, mono_ms time,
    struct world *w)
{
	mono_ms now = 1000;
	size_t n;

	for (; now < time; now += 20) {
		ssp_pmtu_sent(p, now, p->size);
		n = ssp_pmtu_poll(p, now, 150);
		ck_assert_uint_ge(p->size, SSP_DGRAM_FLOOR);
		ck_assert_uint_le(p->size, p->max);
		if (n == 0)
			continue;
		if (world_random(w) % 100 >= percent)
			ssp_pmtu_small_passed(p);
		if (n <= limit && world_random(w) % 100 >= percent)
			ssp_pmtu_passed(p, now, n);
	}
	return p->size;
}

START_TEST(sizes_settle_at_what_the_path_carries)
{
	/* clang-format off */
	static const size_t rows[][2] = {
		{ 1472, 1472 }, { 1460, 1452 }, { 1400, 1392 },
		{ 1240, 1232 }, { 1200, 1200 }, { 1100, 1000 },
		{ 700, 640 }, { 513, 512 }, { 400, 512 },
	};
	/* clang-format on */
	struct ssp_pmtu p;
	struct world w;
	size_t i;

	memset(&w, 0, sizeof(w));
	for (i = 0; i < ARRAY_LEN(rows); i++) {
		ssp_pmtu_init(&p, 1200, 1472);
		ck_assert_uint_eq(
		    pmtu_drive(&p, rows[i][0], 0, 60000, &w), rows[i][1]);
	}
	/* Nothing arrives at all: that says nothing about the size. */
	ssp_pmtu_init(&p, 1200, 1472);
	ck_assert_uint_eq(pmtu_drive(&p, 0, 100, 60000, &w), 1200);
	/* A lossy path almost always keeps its size (seeded). */
	ssp_pmtu_init(&p, 1200, 1472);
	ck_assert_uint_ge(pmtu_drive(&p, 1472, 29, 60000, &w), 1200);
}
END_TEST

UNIT_SUITE(ssp_path)
{
	Suite *s = suite_create("ssp/path");
	TCase *tc = tcase_create("path");

	tcase_add_test(tc, full_table_gives_up_the_longest_silent);
	tcase_add_test(tc, credit_is_three_for_one_until_validated);
	tcase_add_test(tc, challenges_slow_down_and_answers_owed_are_bounded);
	tcase_add_test(tc, better_path_has_to_be_clearly_better);
	tcase_add_test(tc, sizes_settle_at_what_the_path_carries);
	suite_add_tcase(s, tc);
	return s;
}
