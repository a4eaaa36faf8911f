/*
 * Streams over two paths at once: what both carry together, what a bad second
 * path costs, what keys take meanwhile, and what the death of either loses.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "regress/sim/toy.h"
#include "regress/unit/ssp_world.h"
#include "regress/unit/unit.h"
#include "ssp/bind.h"
#include "ssp/streams_int.h"

enum {
	SECOND = 1,
	PATHS = 2,
	HEADERS = 28, /* bytes of IPv4 and UDP */
};

/* A path: the same both ways. */
struct way {
	unsigned kbits; /* a second */
	unsigned delay; /* ms */
	unsigned queue; /* ms */
	unsigned loss;  /* per 1000 */
};

struct both {
	struct world w;
	struct ssp_bind b[SIDES];
	struct way way[PATHS];
	uint64_t busy[PATHS][SIDES]; /* us, when the last byte leaves */
	uint64_t bytes[PATHS][SIDES];
	bool cut[PATHS][SIDES];
	size_t size[PATHS];           /* larger datagrams vanish; 0: none */
	size_t largest[PATHS][SIDES]; /* that arrived */
	uint64_t id;
	uint64_t put, got, total;
	bool ended;
	uint64_t rng;
};

static bool old_server;  /* it lacks SSP_CAP_AGGREGATE */
static bool deaf_client; /* by the second path nothing comes to it */

static bool
is_second(const struct ssp_path_addr *path)
{
	return path->remote.bytes[3] == 3 || path->local.bytes[3] == 3;
}

static bool
way_passes(struct world *w, int from, const struct ssp_path_addr *path,
    uint8_t *p, size_t len)
{
	struct both *x = w->arg;
	const unsigned i = is_second(path) ? SECOND : 0;
	const struct way *k = &x->way[i];
	const uint64_t now = w->now * 1000;
	uint64_t *busy = &x->busy[i][from];

	(void)p;
	*busy = MAX_OF(*busy, now);
	if (*busy - now > k->queue * 1000 ||
	    (x->size[i] > 0 && len > x->size[i]))
		return false;
	x->bytes[i][from] += len;
	*busy += (len + HEADERS) * 8000 / k->kbits;
	w->delay = k->delay + (*busy - now + 500) / 1000;
	if (x->cut[i][from] || world_random(w) % 1000 < k->loss)
		return false;
	x->largest[i][from] = MAX_OF(x->largest[i][from], len);
	return true;
}

static void
both_open(struct both *x, uint64_t seed, const struct way way[PATHS],
    enum ssp_paths_use use)
{
	struct ssp_path_addr path = world_path(3 << 16 | 5000, 2 << 16 | 60000);
	struct ssp_transport_cfg cfg;
	int s;

	memset(x, 0, sizeof(*x));
	world_init(&x->w, seed);
	x->rng = seed * 2654435761U + 1;
	memcpy(x->way, way, sizeof(x->way));
	x->w.filter = way_passes;
	x->cut[SECOND][SERVER] = deaf_client;
	x->w.arg = x;
	x->w.auto_hop = true;
	for (s = 0; s < SIDES; s++) {
		ssp_transport_cfg_init(&cfg, SSP_LINK_DATAGRAM);
		cfg.local_ops = s == CLIENT ? &toy_log_ops : &toy_screen_ops;
		cfg.remote_ops = s == CLIENT ? &toy_screen_ops : &toy_log_ops;
		cfg.asks = s == CLIENT;
		cfg.local = s == CLIENT ? (void *)toy_log_new()
					: toy_screen_new(80, 24);
		cfg.remote = s == CLIENT ? (void *)toy_screen_new(80, 24)
					 : toy_log_new();
		ssp_bind_transport(&x->b[s], &cfg, x->w.now);
		x->w.cfg[s].payload = ssp_bind_payload(&x->b[s]);
		x->w.cfg[s].caps =
		    SSP_CAP_STREAM | SSP_CAP_STREAMS | SSP_CAP_PATHS;
		if (s == CLIENT || !old_server)
			x->w.cfg[s].caps |= SSP_CAP_AGGREGATE;
	}
	world_open(&x->w);
	for (s = 0; s < SIDES; s++)
		ssp_bind_conn(&x->b[s], x->w.conn[s]);
	world_run(&x->w, x->w.now + 1000);
	/* Alone, it is not left for the other. */
	if (use == SSP_PATHS_SINGLE)
		return;
	ck_assert_int_eq(
	    ssp_conn_path_add(x->w.conn[CLIENT], x->w.now, &path), 0);
	ssp_conn_path_group(x->w.conn[CLIENT], &path, 7);
	ssp_conn_paths(x->w.conn[CLIENT], x->w.now, use);
	world_run(&x->w, x->w.now + 4000);
}

static void
both_close(struct both *x)
{
	int s;

	world_fini(&x->w);
	for (s = 0; s < SIDES; s++) {
		ck_assert(ssp_transport_check(x->b[s].tp));
		ssp_transport_free(x->b[s].tp);
	}
}

static struct ssp_streams *
streams(struct both *x, int side)
{
	return ssp_transport_streams(x->b[side].tp);
}

static void
copy_start(struct both *x, int from, uint64_t total)
{
	ssp_streams_accept(streams(x, !from), true);
	x->id = ssp_streams_open(streams(x, from), SSP_PRIO_BULK, "copy", 4);
	ck_assert_uint_ne(x->id, SSP_STREAM_NONE);
	x->total = total;
	x->put = x->got = 0;
	x->ended = false;
}

static void
copy_put(struct both *x, int from)
{
	uint8_t b[16384];
	size_t n = ssp_streams_room(streams(x, from), x->id);

	n = MIN_OF(MIN_OF(n, sizeof(b)), (size_t)(x->total - x->put));
	world_fill(from, x->put, b, n);
	if (n > 0)
		x->put += ssp_streams_put(streams(x, from), x->id, b, n);
	if (x->put == x->total && !x->ended) {
		ssp_streams_end(streams(x, from), x->id);
		x->ended = true;
	}
}

static void
copy_take(struct both *x, int to)
{
	const uint8_t *p;
	size_t n;

	while ((p = ssp_streams_peek(streams(x, to), x->id, &n)) != NULL) {
		ck_assert_uint_eq(world_right(!to, x->got, p, n), n);
		x->got += n;
		ssp_streams_taken(streams(x, to), x->w.now, x->id, n);
	}
}

/* A millisecond of the copy; true at its end. */
static bool
copy_step(struct both *x, int from)
{
	copy_put(x, from);
	world_run(&x->w, x->w.now + 1);
	copy_take(x, !from);
	return ssp_streams_state(streams(x, !from), x->id) == SSP_STREAM_ENDED;
}

/* Copies; returns kbit/s. */
static double
copy_all(struct both *x, int from, uint64_t total)
{
	const mono_ms start = x->w.now;

	copy_start(x, from, total);
	while (!copy_step(x, from))
		ck_assert_msg(x->w.now < start + 600000,
		    "%llu of %llu bytes after ten minutes",
		    (unsigned long long)x->got, (unsigned long long)total);
	ck_assert_uint_eq(x->got, total);
	return (double)total * 8 / (double)(x->w.now - start);
}

static double
goodput(uint64_t seed, const struct way way[PATHS], enum ssp_paths_use use,
    int from, uint64_t total)
{
	struct both *x = mem_zalloc(sizeof(*x));
	double kbits;

	both_open(x, seed, way, use);
	kbits = copy_all(x, from, total);
	both_close(x);
	mem_free(x);
	return kbits;
}

/* clang-format off */
static const struct row {
	const char *name;
	struct way way[PATHS];
	double least; /* of the better path's goodput */
} rows[] = {
	{ "10 + 10 Mbit/s, 20 ms",
	    { { 10000, 10, 100, 0 }, { 10000, 10, 100, 0 } }, 1.7 },
	{ "10 + 10 Mbit/s, 20 and 60 ms",
	    { { 10000, 10, 100, 0 }, { 10000, 30, 100, 0 } }, 1.7 },
	{ "10 + 2 Mbit/s, 20 and 80 ms",
	    { { 10000, 10, 100, 0 }, { 2000, 40, 100, 0 } }, 1.05 },
	{ "10 + 2 Mbit/s, 20 and 160 ms",
	    { { 10000, 10, 100, 0 }, { 2000, 80, 100, 0 } }, 1.05 },
	{ "2 + 10 Mbit/s, 20 and 80 ms",
	    { { 2000, 10, 100, 0 }, { 10000, 40, 100, 0 } }, 1.05 },
	{ "10 + 1 Mbit/s, lossy with a queue of 1 s",
	    { { 10000, 10, 100, 0 }, { 1000, 40, 1000, 50 } }, .95 },
	{ "10 + 0.1 Mbit/s, lossy with a queue of 1 s",
	    { { 10000, 10, 100, 0 }, { 100, 150, 1000, 50 } }, .95 },
	{ "10 + 10 Mbit/s, half is lost",
	    { { 10000, 10, 100, 0 }, { 10000, 10, 100, 500 } }, .95 },
};
/* clang-format on */

START_TEST(both_carry_more_than_one)
{
	const uint64_t size = 8000000;
	const struct row *r = &rows[_i];
	const struct way turned[PATHS] = { r->way[1], r->way[0] };
	double alone, other, both;
	int from;

	if ((unsigned)_i % unit_stride(4) != 0)
		return;
	for (from = 0; from < SIDES; from++) {
		alone = goodput(1, r->way, SSP_PATHS_SINGLE, from, size);
		other = r->least < 1
			    ? 0
			    : goodput(1, turned, SSP_PATHS_SINGLE, from, size);
		both = goodput(1, r->way, SSP_PATHS_AGGREGATE, from, size);
		printf("# both, %s, from the %s: %.0f and %.0f, together %.0f "
		       "kbit/s (%.2f)\n",
		    r->name, from == SERVER ? "server" : "client", alone, other,
		    both, both / MAX_OF(alone, other));
		ck_assert_double_ge(both, r->least * MAX_OF(alone, other));
	}
}
END_TEST

/* Types a key and waits for its echo, while a copy runs; returns the ms. */
static mono_ms
key(struct both *x, int from, bool *over)
{
	const mono_ms at = x->w.now;
	const struct toy_screen *shown;
	const struct toy_log *log;
	struct toy_screen *screen = ssp_transport_current(x->b[SERVER].tp);
	uint64_t typed;

	log = ssp_transport_current(x->b[CLIENT].tp);
	toy_log_add(ssp_transport_current(x->b[CLIENT].tp), "k", 1);
	typed = log->end;
	ssp_transport_changed(x->b[CLIENT].tp, x->w.now);
	do {
		*over |= copy_step(x, from);
		log = ssp_transport_remote(x->b[SERVER].tp, NULL);
		if (log->end >= typed && screen->echo < typed) {
			screen->echo = typed;
			ssp_transport_changed(x->b[SERVER].tp, x->w.now);
		}
		shown = ssp_transport_remote(x->b[CLIENT].tp, NULL);
	} while (shown->echo < typed && x->w.now < at + 10000);
	return x->w.now - at;
}

struct keys {
	mono_ms worst;
	double mean;
};

/* Types each 130 ms while a copy runs. */
static struct keys
keys_meanwhile(const struct way way[PATHS], enum ssp_paths_use use, int from)
{
	struct both *x = mem_zalloc(sizeof(*x));
	struct keys k = { 0, 0 };
	unsigned n = 0;
	bool over = false;
	mono_ms at, t;

	both_open(x, 7, way, use);
	copy_start(x, from, 8000000);
	while (!over) {
		at = x->w.now;
		t = key(x, from, &over);
		k.worst = MAX_OF(k.worst, t);
		k.mean = (k.mean * n + (double)t) / (n + 1);
		n++;
		while (x->w.now < at + 130)
			over |= copy_step(x, from);
	}
	both_close(x);
	mem_free(x);
	return k;
}

START_TEST(keys_take_no_longer_than_with_standby)
{
	const struct row *r = &rows[_i];
	struct keys standby, alone, both;
	int from;
	if ((unsigned)_i % unit_stride(4) != 0)
		return;

	for (from = 0; from < SIDES; from++) {
		standby = keys_meanwhile(r->way, SSP_PATHS_STANDBY, from);
		/* Between equal paths that one changes often, to no queue. */
		alone = keys_meanwhile(r->way, SSP_PATHS_SINGLE, from);
		both = keys_meanwhile(r->way, SSP_PATHS_AGGREGATE, from);
		printf("# keys, %s, from the %s: standby %.0f, %u at worst, "
		       "both %.0f, %u\n",
		    r->name, from == SERVER ? "server" : "client", standby.mean,
		    (unsigned)standby.worst, both.mean, (unsigned)both.worst);
		ck_assert_double_le(
		    both.mean, MAX_OF(standby.mean, alone.mean) + 20);
		ck_assert_uint_le(
		    both.worst, MAX_OF(standby.worst, alone.worst) + 20);
	}
}
END_TEST

/* One path or the other dies at a random moment, and may come back. */
START_TEST(a_path_dies_during_a_copy)
{
	static const struct way way[PATHS] = { { 10000, 10, 100, 0 },
		{ 4000, 30, 100, 0 } };
	const unsigned n = unit_rounds(60);
	const uint64_t seed = unit_seed(900);
	struct both *x = mem_zalloc(sizeof(*x));
	mono_ms start, at, back, stall, moved, worst = 0;
	unsigned i, path, ways;
	uint64_t had;
	int from;

	for (i = 0; i < n; i++) {
		both_open(x, seed + i, way, SSP_PATHS_AGGREGATE);
		from = (int)(world_random(&x->w) % SIDES);
		path = (unsigned)(world_random(&x->w) % PATHS);
		ways = 1 + (unsigned)(world_random(&x->w) % 3);
		start = moved = x->w.now;
		at = start + world_random(&x->w) % 3000;
		back = world_random(&x->w) % 2 == 0
			   ? MONO_NEVER
			   : at + world_random(&x->w) % 3000;
		stall = 0;
		had = 0;
		copy_start(x, from, 4000000);
		while (!copy_step(x, from)) {
			x->cut[path][CLIENT] = (ways & 1) != 0 &&
					       x->w.now >= at &&
					       x->w.now < back;
			x->cut[path][SERVER] = (ways & 2) != 0 &&
					       x->w.now >= at &&
					       x->w.now < back;
			if (x->got > had)
				moved = x->w.now;
			had = x->got;
			stall = MAX_OF(stall, x->w.now - moved);
			ck_assert_msg(x->w.now < start + 60000,
			    "UNIT_SEED=%llu: path %u, ways %u, from %d, cut "
			    "after %u ms for %u: %llu bytes",
			    (unsigned long long)seed + i, path, ways, from,
			    (unsigned)(at - start), (unsigned)(back - at),
			    (unsigned long long)x->got);
		}
		ck_assert_uint_eq(x->got, x->total);
		worst = MAX_OF(worst, stall);
		ck_assert_msg(stall < 1000,
		    "UNIT_SEED=%llu: path %u, ways %u, from %d: stood still "
		    "for %u ms",
		    (unsigned long long)seed + i, path, ways, from,
		    (unsigned)stall);
		both_close(x);
	}
	printf("# a path dies during a copy: %u ms without a byte at worst\n",
	    (unsigned)worst);
	mem_free(x);
}
END_TEST

/* The interface goes down: what flew there goes by the other at once. */
START_TEST(what_flew_by_a_path_that_goes_is_sent_again)
{
	static const struct way way[PATHS] = { { 10000, 10, 100, 0 },
		{ 10000, 10, 100, 0 } };
	struct ssp_path_addr path = world_path(3 << 16 | 5000, 2 << 16 | 60000);
	struct both *x = mem_zalloc(sizeof(*x));
	struct ssp_transport_stats st;
	uint64_t lost;
	unsigned i;

	both_open(x, 11, way, SSP_PATHS_AGGREGATE);
	copy_start(x, CLIENT, 8000000);
	for (i = 0; i < 1000; i++)
		ck_assert(!copy_step(x, CLIENT));
	ssp_transport_stats(x->b[CLIENT].tp, x->w.now, &st);
	lost = st.packets_lost;
	ck_assert_uint_gt(st.lane_parts, 100);
	x->cut[SECOND][CLIENT] = x->cut[SECOND][SERVER] = true;
	ssp_conn_path_remove(x->w.conn[CLIENT], x->w.now, &path);
	ssp_transport_stats(x->b[CLIENT].tp, x->w.now, &st);
	ck_assert_uint_gt(st.packets_lost, lost);
	while (!copy_step(x, CLIENT))
		ck_assert_uint_lt(x->w.now, 60000);
	both_close(x);
	mem_free(x);
}
END_TEST

/* Only with its user's choice, and a peer that knows of it. */
START_TEST(other_uses_carry_no_bulk_on_the_second)
{
	static const struct way way[PATHS] = { { 10000, 10, 100, 0 },
		{ 10000, 60, 100, 0 } };
	static const enum ssp_paths_use uses[] = { SSP_PATHS_STANDBY,
		SSP_PATHS_DUPLICATE };
	struct both *x = mem_zalloc(sizeof(*x));
	int from;

	for (from = 0; from < SIDES; from++) {
		both_open(x, 12, way, uses[_i]);
		(void)copy_all(x, from, 1000000);
		ck_assert_uint_le(x->bytes[SECOND][from], 100000);
		both_close(x);
	}
	mem_free(x);
}
END_TEST

START_TEST(an_old_peer_makes_it_standby)
{
	static const struct way way[PATHS] = { { 10000, 10, 100, 0 },
		{ 10000, 60, 100, 0 } };
	struct both *x = mem_zalloc(sizeof(*x));
	int from;

	for (from = 0; from < SIDES; from++) {
		old_server = true;
		both_open(x, 13, way, SSP_PATHS_AGGREGATE);
		old_server = false;
		(void)copy_all(x, from, 1000000);
		ck_assert(world_stats(&x->w, CLIENT).has_second);
		ck_assert_uint_le(x->bytes[SECOND][from], 100000);
		both_close(x);
	}
	mem_free(x);
}
END_TEST

/* security: an address that does not answer gets no bulk. */
START_TEST(bulk_goes_to_proven_addresses)
{
	static const struct way way[PATHS] = { { 10000, 10, 100, 0 },
		{ 10000, 60, 100, 0 } };
	struct both *x = mem_zalloc(sizeof(*x));
	struct ssp_transport_stats st;

	deaf_client = true;
	both_open(x, 15, way, SSP_PATHS_AGGREGATE);
	deaf_client = false;
	(void)copy_all(x, SERVER, 1000000);
	ssp_transport_stats(x->b[SERVER].tp, x->w.now, &st);
	ck_assert_uint_eq(st.lane_parts, 0);
	ck_assert_uint_le(x->bytes[SECOND][SERVER], 10000);
	both_close(x);
	mem_free(x);
}
END_TEST

/* Little that waits goes by the first path alone. */
START_TEST(a_little_stays_on_the_first)
{
	static const struct way way[PATHS] = { { 10000, 10, 100, 0 },
		{ 10000, 30, 100, 0 } };
	struct both *x = mem_zalloc(sizeof(*x));
	struct ssp_transport_stats st;
	unsigned i;

	both_open(x, 14, way, SSP_PATHS_AGGREGATE);
	for (i = 0; i < 50; i++)
		(void)copy_all(x, SERVER, 4000);
	ssp_transport_stats(x->b[SERVER].tp, x->w.now, &st);
	ck_assert_uint_eq(st.lane_parts, 0);
	both_close(x);
	mem_free(x);
}
END_TEST

/* Datagrams are as large as the path by which they go carries. */
START_TEST(each_path_has_a_size_of_its_own)
{
	static const struct size_row {
		size_t size[PATHS], least[PATHS];
	} sizes[] = {
		{ { 0, 0 }, { 1472, 1472 } },
		{ { 1250, 0 }, { 1232, 1472 } },
		{ { 0, 1250 }, { 1472, 1232 } },
		{ { 0, 900 }, { 1472, 800 } },
	};
	const struct size_row *r = &sizes[_i];
	const struct way way[PATHS] = { { 10000, 10, 100, 0 },
		{ 10000, 15, 100, 0 } };
	struct both *x = mem_zalloc(sizeof(*x));
	uint64_t before;
	int from, i;

	for (from = 0; from < SIDES; from++) {
		both_open(x, 16, way, SSP_PATHS_AGGREGATE);
		memcpy(x->size, r->size, sizeof(x->size));
		(void)copy_all(x, from, 16000000);
		for (i = 0; i < PATHS; i++)
			ck_assert_uint_eq(x->largest[i][from], r->least[i]);
		/* The second carries its share by then. */
		before = x->bytes[SECOND][from];
		(void)copy_all(x, from, 8000000);
		ck_assert_uint_ge(x->bytes[SECOND][from] - before, 3000000);
		both_close(x);
	}
	mem_free(x);
}
END_TEST

UNIT_SUITE(ssp_lane)
{
	Suite *s = suite_create("ssp/lane");
	TCase *tc = tcase_create("lane");

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(
	    tc, both_carry_more_than_one, 0, (int)ARRAY_LEN(rows));
	tcase_add_loop_test(
	    tc, keys_take_no_longer_than_with_standby, 0, (int)ARRAY_LEN(rows));
	tcase_add_test(tc, a_path_dies_during_a_copy);
	tcase_add_test(tc, what_flew_by_a_path_that_goes_is_sent_again);
	tcase_add_loop_test(tc, other_uses_carry_no_bulk_on_the_second, 0, 2);
	tcase_add_test(tc, an_old_peer_makes_it_standby);
	tcase_add_test(tc, bulk_goes_to_proven_addresses);
	tcase_add_test(tc, a_little_stays_on_the_first);
	tcase_add_loop_test(tc, each_path_has_a_size_of_its_own, 0, 4);
	suite_add_tcase(s, tc);
	return s;
}
