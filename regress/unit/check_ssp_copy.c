/* Two paths: copies of small datagrams, and what the loss of either costs. */
#include <string.h>

#include "base/err.h"
#include "regress/unit/ssp_world.h"
#include "regress/unit/unit.h"

enum {
	NEAR = 30, /* ms one way by the first path */
	FAR = 80,  /* by the second */
	GAP = 130, /* ms between keys */
	SLACK = 4, /* ms of rounding, at each end and both ways */
};

/* Which directions of which path are cut. */
struct cut {
	bool first[SIDES];
	bool second[SIDES];
	mono_ms from, to;
};

static struct ssp_path_addr
other_path(void)
{
	return world_path(3 << 16 | 5000, 2 << 16 | 60000);
}

static bool
is_second(const struct ssp_path_addr *path)
{
	return path->remote.bytes[3] == 3 || path->local.bytes[3] == 3;
}

static bool
two_paths(struct world *w, int from, const struct ssp_path_addr *path,
    uint8_t *p, size_t len)
{
	const struct cut *cut = w->arg;
	bool second = is_second(path);

	(void)p;
	(void)len;
	w->delay = second ? FAR : NEAR;
	if (w->now < cut->from || w->now >= cut->to)
		return true;
	return second ? !cut->second[from] : !cut->first[from];
}

static void
open_two(struct world *w, struct cut *cut, enum ssp_paths_use use)
{
	struct ssp_path_addr path = other_path();

	w->filter = two_paths;
	w->arg = cut;
	world_open(w);
	ssp_conn_paths(w->conn[CLIENT], world_clock(w, CLIENT), use);
	world_bump(w, CLIENT);
	world_bump(w, SERVER);
	ck_assert(world_settle(w, 5000));
	ck_assert_int_eq(
	    ssp_conn_path_add(w->conn[CLIENT], world_clock(w, CLIENT), &path),
	    0);
	ssp_conn_path_group(w->conn[CLIENT], &path, 7);
	world_run(w, w->now + 2000);
}

/* Presses a key, which the server echoes; returns the ms until its echo. */
static mono_ms
echo(struct world *w, mono_ms limit)
{
	mono_ms start = w->now;
	uint64_t key, shown;

	world_bump(w, CLIENT);
	key = w->toy[CLIENT].value;
	while (w->toy[SERVER].remote < key && w->now < start + limit)
		world_run(w, w->now + 1);
	world_bump(w, SERVER);
	shown = w->toy[SERVER].value;
	while (w->toy[CLIENT].remote < shown && w->now < start + limit)
		world_run(w, w->now + 1);
	return w->now - start;
}

/* Types for a while; returns the longest time of a key. */
static mono_ms
type(struct world *w, unsigned keys)
{
	mono_ms worst = 0, begin, t;

	while (keys-- > 0) {
		begin = w->now;
		t = echo(w, 5000);
		worst = MAX_OF(worst, t);
		if (w->now < begin + GAP)
			world_run(w, begin + GAP);
	}
	return worst;
}

/*
 * The first path dies at any moment, in both directions or one; a key costs at
 * most the round trip of the second and 20 ms, and without end.
 */
START_TEST(a_path_may_die_at_any_moment)
{
	static const bool ways[3][SIDES] = { { true, true }, { true, false },
		{ false, true } };
	enum ssp_paths_use use =
	    _i == 0 ? SSP_PATHS_STANDBY : SSP_PATHS_DUPLICATE;
	mono_ms limit = 2 * FAR + SLACK, at, worst;
	struct world w;
	struct cut cut;
	unsigned way;

	if (use == SSP_PATHS_STANDBY)
		limit += 2 * NEAR + 20 - SLACK;
	for (way = 0; way < 3; way++)
		for (at = 0; at < GAP; at += 3 * unit_stride(11)) {
			world_init(&w, 100 + at);
			w.held = 300;
			memset(&cut, 0, sizeof(cut));
			memcpy(cut.first, ways[way], sizeof(cut.first));
			cut.from = cut.to = MONO_NEVER;
			open_two(&w, &cut, use);
			ck_assert_uint_le(type(&w, 10), 2 * NEAR + SLACK);
			cut.from = w.now + at;
			worst = type(&w, 40);
			ck_assert_msg(worst <= limit,
			    "use %u, way %u, cut after %u ms: a key took %u",
			    (unsigned)use, way, (unsigned)at, (unsigned)worst);
			/* Later keys do without the dead path. */
			world_run(&w, w.now + 1000);
			ck_assert_uint_le(type(&w, 20), 2 * FAR + SLACK);
			/* It works again, and is the better one. */
			cut.to = w.now;
			(void)type(&w, 200);
			ck_assert_uint_le(type(&w, 20), 2 * NEAR + SLACK);
			world_fini(&w);
		}
}
END_TEST

/* The second path dies and comes back: nobody notices. */
START_TEST(the_second_path_may_die_too)
{
	struct world w;
	struct cut cut;

	world_init(&w, 200);
	memset(&cut, 0, sizeof(cut));
	cut.second[CLIENT] = cut.second[SERVER] = true;
	cut.from = cut.to = MONO_NEVER;
	open_two(&w, &cut, _i == 0 ? SSP_PATHS_STANDBY : SSP_PATHS_DUPLICATE);
	cut.from = w.now + 500;
	cut.to = cut.from + 30000;
	ck_assert_uint_le(type(&w, 400), 2 * NEAR + SLACK);
	ck_assert(world_stats(&w, CLIENT).has_second);
	ck_assert_uint_eq(world_stats(&w, CLIENT).second, 7);
	world_fini(&w);
}
END_TEST

/* The path dies while a program writes and nobody types. */
START_TEST(output_comes_by_the_second_path)
{
	mono_ms start, worst = 0;
	struct world w;
	struct cut cut;
	unsigned i;

	world_init(&w, 201);
	memset(&cut, 0, sizeof(cut));
	cut.first[CLIENT] = cut.first[SERVER] = true;
	cut.from = cut.to = MONO_NEVER;
	open_two(&w, &cut, SSP_PATHS_STANDBY);
	(void)type(&w, 10);
	cut.from = w.now;
	for (i = 0; i < 20; i++) {
		start = w.now;
		world_bump(&w, SERVER);
		while (w.toy[CLIENT].remote < w.toy[SERVER].value &&
		       w.now < start + 5000)
			world_run(&w, w.now + 1);
		worst = MAX_OF(worst, w.now - start);
		world_run(&w, w.now + 300);
	}
	ck_assert_uint_le(worst, 2 * NEAR + 20 + FAR);
	world_fini(&w);
}
END_TEST

/*
 * The first path dies and works again; the second dies before anybody has noticed
 * that.
 */
START_TEST(a_path_that_works_again_is_found)
{
	mono_ms at, worst;
	struct world w;
	struct cut cut;

	for (at = 0; at < 2000; at += 40 * unit_stride(10)) {
		world_init(&w, 300 + at);
		w.held = 300;
		memset(&cut, 0, sizeof(cut));
		cut.first[CLIENT] = cut.first[SERVER] = true;
		cut.from = cut.to = MONO_NEVER;
		open_two(&w, &cut, SSP_PATHS_STANDBY);
		(void)type(&w, 5);
		cut.from = w.now;
		(void)type(&w, 30);
		world_run(&w, w.now + at);
		memset(&cut, 0, sizeof(cut));
		cut.second[CLIENT] = cut.second[SERVER] = true;
		cut.from = w.now;
		cut.to = MONO_NEVER;
		worst = type(&w, 30);
		/* Late, a challenge, and the copy. */
		ck_assert_msg(worst <= 4 * NEAR + 2 * FAR + 20 + SLACK,
		    "cut after %u ms: a key took %u", (unsigned)at,
		    (unsigned)worst);
		world_fini(&w);
	}
}
END_TEST

/* While all is well, standby sends no copy, and duplicate one of each. */
START_TEST(copies_are_counted)
{
	uint64_t sent[SIDES], before[SIDES];
	struct world w;
	struct cut cut;
	int s;

	world_init(&w, 202);
	memset(&cut, 0, sizeof(cut));
	open_two(&w, &cut, SSP_PATHS_STANDBY);
	for (s = 0; s < SIDES; s++) {
		before[s] = world_stats(&w, s).copies;
		ck_assert_uint_le(before[s], 4);
	}
	(void)type(&w, 100);
	for (s = 0; s < SIDES; s++)
		ck_assert_uint_eq(world_stats(&w, s).copies, before[s]);
	ssp_conn_paths(
	    w.conn[CLIENT], world_clock(&w, CLIENT), SSP_PATHS_DUPLICATE);
	world_run(&w, w.now + 1000);
	for (s = 0; s < SIDES; s++) {
		before[s] = world_stats(&w, s).copies;
		sent[s] = world_stats(&w, s).out - before[s];
	}
	(void)type(&w, 100);
	for (s = 0; s < SIDES; s++) {
		uint64_t copies = world_stats(&w, s).copies - before[s];
		uint64_t own =
		    world_stats(&w, s).out - world_stats(&w, s).copies;

		ck_assert_uint_ge(copies, 100);
		/* Challenges and their answers have none. */
		ck_assert_uint_le(own - sent[s] - copies, 20);
	}
	/* The first of a pair counts, the other is no error. */
	for (s = 0; s < SIDES; s++)
		ck_assert_uint_eq(world_stats(&w, s).drops[SSP_DROP_REPLAY], 0);
	ssp_conn_paths(
	    w.conn[CLIENT], world_clock(&w, CLIENT), SSP_PATHS_SINGLE);
	world_run(&w, w.now + 6000);
	for (s = 0; s < SIDES; s++)
		before[s] = world_stats(&w, s).copies;
	(void)type(&w, 50);
	for (s = 0; s < SIDES; s++)
		ck_assert_uint_eq(world_stats(&w, s).copies, before[s]);
	world_fini(&w);
}
END_TEST

/* Loss on the first path: each key is answered as if there were none. */
static bool
first_loses(struct world *w, int from, const struct ssp_path_addr *path,
    uint8_t *p, size_t len)
{
	if (!two_paths(w, from, path, p, len))
		return false;
	return is_second(path) || world_random(w) % 100 >= 20;
}

START_TEST(loss_on_one_path_is_no_loss)
{
	struct world w;
	struct cut cut;

	world_init(&w, 203);
	memset(&cut, 0, sizeof(cut));
	open_two(&w, &cut, SSP_PATHS_DUPLICATE);
	w.filter = first_loses;
	ck_assert_uint_le(type(&w, 300), 2 * FAR + SLACK);
	world_fini(&w);
}
END_TEST

/* A peer that does not know of it gets neither roles nor copies. */
START_TEST(an_old_peer_gets_no_copies)
{
	struct world w;
	struct cut cut;

	world_init(&w, 204);
	w.cfg[SERVER].caps = 0;
	memset(&cut, 0, sizeof(cut));
	open_two(&w, &cut, SSP_PATHS_DUPLICATE);
	ck_assert_uint_le(type(&w, 50), 2 * NEAR + SLACK);
	ck_assert_uint_eq(world_stats(&w, CLIENT).copies, 0);
	ck_assert_uint_eq(world_stats(&w, SERVER).copies, 0);
	ck_assert_uint_eq(world_stats(&w, SERVER).moves, 0);
	world_fini(&w);
}
END_TEST

/* security: an address that does not answer gets no copies. */
START_TEST(copies_go_to_proven_addresses)
{
	struct world w;
	struct cut cut;

	world_init(&w, 205);
	memset(&cut, 0, sizeof(cut));
	cut.second[SERVER] = true;
	cut.to = MONO_NEVER;
	open_two(&w, &cut, SSP_PATHS_DUPLICATE);
	ck_assert_uint_le(type(&w, 50), 2 * NEAR + SLACK);
	ck_assert_uint_eq(world_stats(&w, SERVER).copies, 0);
	world_fini(&w);
}
END_TEST

/* security: a datagram that somebody sends again moves and opens nothing. */
static uint8_t kept[600];
static size_t kept_len;

static bool
keep_one(struct world *w, int from, const struct ssp_path_addr *path,
    uint8_t *p, size_t len)
{
	if (from == CLIENT && !is_second(path) && len <= sizeof(kept)) {
		memcpy(kept, p, len);
		kept_len = len;
	}
	return two_paths(w, from, path, p, len);
}

START_TEST(a_replay_from_elsewhere_is_dropped)
{
	struct ssp_path_addr evil = world_path(2 << 16 | 60000, 9 << 16 | 9);
	struct ssp_path_addr first =
	    world_path(2 << 16 | 60000, 1 << 16 | 5000);
	struct ssp_conn_stats before;
	struct world w;
	struct cut cut;

	world_init(&w, 206);
	memset(&cut, 0, sizeof(cut));
	open_two(&w, &cut, SSP_PATHS_STANDBY);
	w.filter = keep_one;
	(void)type(&w, 5);
	before = world_stats(&w, SERVER);
	ck_assert_int_eq(
	    world_inject(&w, SERVER, &evil, kept, kept_len), -ERR_REPLAY);
	ck_assert_int_eq(world_stats(&w, SERVER).paths, before.paths);
	ck_assert_uint_eq(world_stats(&w, SERVER).moves, before.moves);
	/* A forged one of a known number, by a known path. */
	kept[kept_len - 1] ^= 1;
	ck_assert_int_eq(
	    world_inject(&w, SERVER, &first, kept, kept_len), -ERR_REPLAY);
	ck_assert_uint_eq(world_stats(&w, SERVER).copies, before.copies);
	world_fini(&w);
}
END_TEST

UNIT_SUITE(ssp_copy)
{
	Suite *s = suite_create("ssp/copy");
	TCase *tc = tcase_create("copy");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, a_path_may_die_at_any_moment, 0, 2);
	tcase_add_loop_test(tc, the_second_path_may_die_too, 0, 2);
	tcase_add_test(tc, output_comes_by_the_second_path);
	tcase_add_test(tc, a_path_that_works_again_is_found);
	tcase_add_test(tc, copies_are_counted);
	tcase_add_test(tc, loss_on_one_path_is_no_loss);
	tcase_add_test(tc, an_old_peer_gets_no_copies);
	tcase_add_test(tc, copies_go_to_proven_addresses);
	tcase_add_test(tc, a_replay_from_elsewhere_is_dropped);
	suite_add_tcase(s, tc);
	return s;
}
