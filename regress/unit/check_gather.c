#include <sys/socket.h>

#include <string.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "regress/bench/gather.h"
#include "regress/unit/unit.h"

START_TEST(one_core_never_waits)
{
	struct gather g;

	gather_init(&g, false);
	ck_assert(!gather_may(&g));
	/* What is not known comes second. */
	gather_init(&g, true);
	ck_assert(!gather_may(&g));
	g.way = GATHER_AWAKE;
	ck_assert(gather_may(&g));
}
END_TEST

/*
 * A flood of READS full reads, each ASLEEP or AWAKE microseconds long, of which
 * one AWAKE in LATE (0: none) comes back late.
 * Returns: how many of them were awake.
 */
static unsigned
flood(struct gather *g, uint64_t *now, unsigned reads, uint64_t asleep,
    uint64_t awake, unsigned late)
{
	unsigned i, n = 0;
	uint64_t took;

	for (i = 0; i < reads; i++) {
		if (gather_may(g)) {
			n++;
			took = late > 0 && n % late == 0 ? 3000 : 10;
			*now += took;
			gather_waited(g, *now, took);
			*now += awake - 10;
		} else
			*now += asleep;
		gather_took(g, 4096, *now);
	}
	return n;
}

START_TEST(the_faster_way_is_found)
{
	uint64_t now = 1000000;
	struct gather g;

	gather_init(&g, true);
	ck_assert_uint_ge(flood(&g, &now, 10000, 40, 30, 0), 7500);
	/* Another program, or the other core has become busy. */
	(void)flood(&g, &now, 4000, 30, 40, 0);
	ck_assert_uint_le(flood(&g, &now, 10000, 30, 40, 0), 2500);
	(void)flood(&g, &now, 4000, 40, 30, 0);
	ck_assert_uint_ge(flood(&g, &now, 10000, 40, 30, 0), 7500);
}
END_TEST

/* Somebody else takes the core each time it is given up: hardly any time goes. */
START_TEST(others_are_left_alone)
{
	uint64_t now = 1000000, begin = now;
	struct gather g;
	unsigned n;

	gather_init(&g, true);
	n = flood(&g, &now, 100000, 40, 30, 1);
	ck_assert_uint_ge(n, 4);
	ck_assert_uint_eq(g.late, n);
	ck_assert_uint_le(now - begin, 100000 * 44);
	/* Alone again, it is as it was. */
	(void)flood(&g, &now, 100000, 40, 30, 0);
	ck_assert_uint_ge(flood(&g, &now, 10000, 40, 30, 0), 7500);
	/* And once in a while does no harm. */
	for (n = 0; n < 100 * 7500; begin++)
		n += flood(&g, &now, 10000, 40, 30, 1000);
	ck_assert_uint_le(begin, 1000000 + 110);
}
END_TEST

/* The writer takes the core that was given up, and it is worth it. */
START_TEST(what_is_late_may_be_good)
{
	uint64_t now = 1000000;
	struct gather g;
	unsigned i, n = 0;

	gather_init(&g, true);
	for (i = 0; i < 100000; i++) {
		if (gather_may(&g)) {
			n++;
			now += 300;
			gather_waited(&g, now, 300);
		} else
			now += 400;
		gather_took(&g, 4096, now);
	}
	ck_assert_uint_ge(n, 90000);
	ck_assert_uint_eq(g.late, n);
}
END_TEST

/* Reads of a flood by the way taken: microseconds of each. */
static void
ways(struct gather *g, uint64_t *now, unsigned reads,
    const uint64_t cost[GATHER_WAYS], unsigned taken[GATHER_WAYS])
{
	unsigned i;

	memset(taken, 0, GATHER_WAYS * sizeof(*taken));
	for (i = 0; i < reads; i++) {
		taken[g->way]++;
		*now += cost[g->way];
		gather_took(g, 4096, *now);
	}
}

/* Each way is found where it is the best, and has nine trials of ten. */
START_TEST(each_way_is_found)
{
	uint64_t cost[GATHER_WAYS], now = 1000000;
	unsigned taken[GATHER_WAYS], best, i;
	struct gather g;

	gather_init(&g, true);
	for (best = 0; best < 2 * GATHER_WAYS; best++) {
		for (i = 0; i < GATHER_WAYS; i++)
			cost[i] = i == best % GATHER_WAYS ? 30 : 40;
		ways(&g, &now, 20000, cost, taken);
		ways(&g, &now, 20000, cost, taken);
		ck_assert_uint_ge(taken[best % GATHER_WAYS], 18000);
		for (i = 0; i < GATHER_WAYS; i++)
			ck_assert_uint_ge(taken[i], 100);
	}
	g.way = GATHER_AWAKE;
	ck_assert_uint_eq(gather_piece(&g, 16384), 16384);
	g.way = GATHER_EAGER;
	ck_assert_uint_eq(gather_piece(&g, 16384), GATHER_LITTLE);
	ck_assert_uint_eq(gather_piece(&g, 100), 100);
	ck_assert(gather_may(&g));
	g.way = GATHER_BRISK;
	ck_assert_uint_eq(gather_piece(&g, 16384), GATHER_LITTLE);
	ck_assert(!gather_may(&g));
}
END_TEST

/* Keys and small answers are no trial. */
START_TEST(pauses_count_for_nothing)
{
	uint64_t now = 1000000;
	struct gather g;
	unsigned i;

	gather_init(&g, true);
	for (i = 0; i < 10000; i++) {
		now += GATHER_PAUSE_US + 1;
		gather_took(&g, 4096, now);
	}
	ck_assert_uint_eq(g.trials, 0);
	ck_assert(!gather_may(&g));
}
END_TEST

START_TEST(it_ends_in_time_or_with_bytes)
{
	struct gather g;
	uint64_t begin;
	int fds[2];
	char c;

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	gather_init(&g, true);
	g.way = GATHER_AWAKE;
	/* Nothing comes: it gives up, however late. */
	gather_wait(&g, fds[0], UINT64_MAX);
	/* The time is over, or there is something: no need to wait. */
	gather_init(&g, true);
	g.way = GATHER_AWAKE;
	begin = sys_now_us();
	gather_wait(&g, fds[0], begin);
	ck_assert_int_eq(write(fds[1], "x", 1), 1);
	gather_wait(&g, fds[0], UINT64_MAX);
	ck_assert_int_eq(read(fds[0], &c, 1), 1);
	/* No descriptor at all is not waited for either. */
	gather_wait(&g, -1, UINT64_MAX);
	close(fds[0]);
	close(fds[1]);
}
END_TEST

UNIT_SUITE(gather)
{
	Suite *s = suite_create("gather");
	TCase *tc = tcase_create("gather");

	tcase_add_test(tc, one_core_never_waits);
	tcase_add_test(tc, the_faster_way_is_found);
	tcase_add_test(tc, what_is_late_may_be_good);
	tcase_add_test(tc, each_way_is_found);
	tcase_add_test(tc, others_are_left_alone);
	tcase_add_test(tc, pauses_count_for_nothing);
	tcase_add_test(tc, it_ends_in_time_or_with_bytes);
	suite_add_tcase(s, tc);
	return s;
}
