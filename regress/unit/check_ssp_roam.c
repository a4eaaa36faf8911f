/* Roaming: addresses change, paths fail, sizes shrink. */
#include <string.h>

#include "base/err.h"
#include "regress/unit/ssp_world.h"
#include "regress/unit/unit.h"

static void
open_and_settle(struct world *w)
{
	world_open(w);
	world_bump(w, CLIENT);
	world_bump(w, SERVER);
	ck_assert(world_settle(w, 5000));
	world_run(w, w->now + 1000);
}

/* A NAT assigns a new mapping, unknown to both ends. */
START_TEST(one_datagram_from_a_new_address_and_frames_go_there)
{
	struct world w;
	mono_ms start;
	unsigned i;

	world_init(&w, 41);
	open_and_settle(&w);
	for (i = 0; i < 20; i++) {
		w.nat = true;
		w.nat_addr = world_addr(77, 1000 + i);
		world_bump(&w, CLIENT);
		world_bump(&w, SERVER);
		start = w.now;
		ck_assert(world_settle(&w, 1000));
		/* The frame arrives within one round trip of the key. */
		ck_assert_uint_le(w.toy[CLIENT].remote_at - start, 100);
		ck_assert(world_sends_to(&w, SERVER, &w.nat_addr));
		world_run(&w, w.now + 500);
	}
	ck_assert_int_le(world_stats(&w, SERVER).paths, SSP_PATHS_MAX);
	/* A new host resets the estimates, a new port does not. */
	ck_assert_uint_eq(w.toy[SERVER].resets, 1);
	ck_assert_uint_ge(w.toy[SERVER].pokes, 20);
	/* Full frames arrive: the address is validated. */
	w.toy[SERVER].bulk = 100000;
	i = (unsigned)w.sent_bytes[SERVER];
	world_run(&w, w.now + 1000);
	ck_assert_uint_gt(w.sent_bytes[SERVER] - i, 100000);
	world_fini(&w);
}
END_TEST

/* A late datagram from the old address does not move the path back. */
static uint8_t held[1600];
static size_t held_len;

static bool
hold_one(struct world *w, int from, const struct ssp_path_addr *path,
    uint8_t *p, size_t len)
{
	(void)w;
	(void)path;
	if (from == CLIENT && held_len == 0) {
		memcpy(held, p, len);
		held_len = len;
		return false;
	}
	return true;
}

START_TEST(only_the_newest_datagram_moves)
{
	struct ssp_path_addr old = world_path(2 << 16 | 60000, 1 << 16 | 5000);
	struct world w;

	world_init(&w, 42);
	open_and_settle(&w);
	held_len = 0;
	w.filter = hold_one;
	world_bump(&w, CLIENT);
	world_run(&w, w.now + 10);
	ck_assert_uint_gt(held_len, 0);
	w.nat = true;
	w.nat_addr = world_addr(77, 1000);
	ck_assert(world_settle(&w, 1000));
	ck_assert(world_sends_to(&w, SERVER, &w.nat_addr));
	ck_assert_int_eq(world_inject(&w, SERVER, &old, held, held_len), 0);
	ck_assert(world_sends_to(&w, SERVER, &w.nat_addr));
	world_fini(&w);
}
END_TEST

/*
 * The NAT mapping is gone: nothing from the server arrives, or nothing at all.
 */
static bool
dead_port(struct world *w, int from, const struct ssp_path_addr *path,
    uint8_t *p, size_t len)
{
	const struct ssp_addr *a =
	    path->remote.bytes[3] == 1 ? &path->remote : &path->local;

	(void)p;
	(void)len;
	(void)from;
	(void)w;
	return !(a->bytes[4] == (5000 >> 8) && a->bytes[5] == (5000 & 255));
}

START_TEST(silence_makes_the_client_hop_to_a_new_port)
{
	struct world w;
	mono_ms start;

	world_init(&w, 43);
	open_and_settle(&w);
	w.auto_hop = true;
	w.filter = dead_port;
	world_bump(&w, CLIENT);
	start = w.now;
	ck_assert(world_settle(&w, 30000));
	ck_assert_uint_ge(w.hops, 1);
	ck_assert_uint_le(w.now - start, 8000);
	ck_assert_uint_ge(w.events[CLIENT][SSP_CONN_EV_SILENT], 1);
	ck_assert_uint_ge(w.events[CLIENT][SSP_CONN_EV_HEARD], 1);
	world_bump(&w, SERVER);
	ck_assert(world_settle(&w, 1000));
	/* The dead socket is dropped in time. */
	for (start = 0; start < 100; start++) {
		world_bump(&w, CLIENT);
		ck_assert(world_settle(&w, 1000));
		world_run(&w, w.now + 2000);
	}
	ck_assert_uint_eq(w.events[CLIENT][SSP_CONN_EV_DROPPED], 1);
	ck_assert_int_eq(world_stats(&w, CLIENT).paths, 1);
	world_fini(&w);
}
END_TEST

/*
 * A client that only receives asks for nothing; when a flood stops, it finds out
 * soon whether the path has died.
 */
START_TEST(the_end_of_a_flood_is_asked_about)
{
	struct world w;
	uint64_t sent;
	mono_ms cut;

	world_init(&w, 54);
	open_and_settle(&w);
	world_run(&w, w.now + 5000);
	w.toy[SERVER].bulk = 200000;
	world_run(&w, w.now + 200);
	ck_assert_uint_eq(w.toy[SERVER].bulk, 0);
	/* It has ended: one question beside two answers to probes. */
	sent = w.sent[CLIENT];
	world_run(&w, w.now + 4000);
	ck_assert_uint_le(w.sent[CLIENT] - sent, 3);
	ck_assert_uint_eq(w.events[CLIENT][SSP_CONN_EV_SILENT], 0);
	/* It has been cut. */
	w.toy[SERVER].bulk = 200000;
	world_run(&w, w.now + 200);
	cut = w.now;
	w.loss = 1000;
	while (!world_stats(&w, CLIENT).silent && w.now < cut + 20000)
		world_run(&w, w.now + 10);
	ck_assert_uint_le(w.now - cut, 1800);
	w.loss = 0;
	world_bump(&w, CLIENT);
	ck_assert(world_settle(&w, 2000));
	world_fini(&w);
}
END_TEST

/*
 * After a cut of any length everything arrives within little more than a round
 * trip.
 */
START_TEST(cuts_end_as_soon_as_a_datagram_gets_through)
{
	/*
	 * A short cut ends before silence is detected: frames come with the
	 * repetition of the toy (100 ms).
	 */
	static const mono_ms cuts[] = { 300, 2000, 9000, 30000, 3600000 };
	struct ssp_conn_stats st;
	struct world w;
	mono_ms start;
	size_t i;

	for (i = 0; i < ARRAY_LEN(cuts); i++) {
		world_init(&w, 44 + i);
		open_and_settle(&w);
		w.loss = 1000;
		world_bump(&w, CLIENT);
		world_bump(&w, SERVER);
		world_run(&w, w.now + cuts[i]);
		w.loss = 0;
		/* As a driver that sees the route return. */
		ssp_conn_network_changed(w.conn[CLIENT], w.now);
		start = w.now;
		ck_assert(world_settle(&w, 60000));
		ck_assert_msg(w.toy[CLIENT].remote_at - start <=
				  (cuts[i] < 1000 ? 200u : 120u),
		    "cut %llu: frame after %llu ms",
		    (unsigned long long)cuts[i],
		    (unsigned long long)(w.toy[CLIENT].remote_at - start));
		st = world_stats(&w, CLIENT);
		ck_assert(!st.silent);
		world_fini(&w);
	}
}
END_TEST

/* Two paths, one fails; the other is used within a second. */
static bool
dead_host(struct world *w, int from, const struct ssp_path_addr *path,
    uint8_t *p, size_t len)
{
	(void)from;
	(void)p;
	(void)len;
	return w->arg == NULL ||
	       (path->local.bytes[3] != 1 && path->remote.bytes[3] != 1);
}

START_TEST(second_path_takes_over_when_the_first_dies)
{
	struct ssp_path_addr second =
	    world_path(9 << 16 | 5000, 2 << 16 | 60000);
	struct world w;
	mono_ms start;
	unsigned i;

	world_init(&w, 50);
	w.filter = dead_host;
	open_and_settle(&w);
	ck_assert_int_eq(ssp_conn_path_add(w.conn[CLIENT], w.now, &second), 0);
	world_run(&w, w.now + 1000);
	ck_assert_int_eq(world_stats(&w, SERVER).paths, 2);
	/* A spare path does not attract the frames. */
	ck_assert_uint_eq(world_stats(&w, SERVER).active.remote.bytes[3], 1);
	w.arg = &w;
	world_bump(&w, CLIENT);
	world_bump(&w, SERVER);
	start = w.now;
	ck_assert(world_settle(&w, 5000));
	ck_assert_uint_le(w.now - start, 1200);
	ck_assert_uint_eq(world_stats(&w, SERVER).active.remote.bytes[3], 9);
	ck_assert_uint_eq(world_stats(&w, CLIENT).active.local.bytes[3], 9);
	for (i = 0; i < 50; i++) {
		world_bump(&w, CLIENT);
		world_bump(&w, SERVER);
		ck_assert(world_settle(&w, 150));
		world_run(&w, w.now + 2000);
	}
	ck_assert_int_eq(world_stats(&w, CLIENT).paths, 1);
	ck_assert_uint_eq(w.events[CLIENT][SSP_CONN_EV_DROPPED], 1);
	world_fini(&w);
}
END_TEST

/* The driver closes the active socket: the other path takes over at once. */
START_TEST(removed_path_is_replaced)
{
	struct ssp_path_addr first =
	    world_path(1 << 16 | 5000, 2 << 16 | 60000);
	struct ssp_path_addr second =
	    world_path(9 << 16 | 5000, 2 << 16 | 60000);
	struct world w;

	world_init(&w, 51);
	open_and_settle(&w);
	ssp_conn_path_add(w.conn[CLIENT], w.now, &second);
	world_run(&w, w.now + 1000);
	ssp_conn_path_remove(w.conn[CLIENT], w.now, &first);
	world_bump(&w, CLIENT);
	world_bump(&w, SERVER);
	ck_assert(world_settle(&w, 150));
	/* A closed socket receives nothing either. */
	w.loss = 1000;
	world_run(&w, w.now + 100);
	ssp_conn_path_remove(w.conn[CLIENT], w.now, &second);
	world_bump(&w, CLIENT);
	ck_assert(!world_settle(&w, 3000));
	w.loss = 0;
	ck_assert_int_eq(ssp_conn_path_add(w.conn[CLIENT], w.now, &first), 0);
	ck_assert(world_settle(&w, 1000));
	world_fini(&w);
}
END_TEST

/*
 * The path through ssh ends, and UDP never answered: that is silence at once,
 * and the first path that works is used.
 */
static bool
only_host_9(struct world *w, int from, const struct ssp_path_addr *path,
    uint8_t *p, size_t len)
{
	(void)w;
	(void)from;
	(void)p;
	(void)len;
	return path->local.bytes[3] == 9 || path->remote.bytes[3] == 9;
}

START_TEST(last_path_removed_is_silence)
{
	struct ssp_path_addr udp = world_path(1 << 16 | 5000, 2 << 16 | 60000);
	struct ssp_path_addr ssh = world_path(9 << 16 | 5000, 2 << 16 | 60000);
	struct world w;

	world_init(&w, 53);
	w.filter = only_host_9;
	world_open(&w);
	ck_assert_int_eq(ssp_conn_path_add(w.conn[CLIENT], w.now, &ssh), 0);
	world_bump(&w, CLIENT);
	world_bump(&w, SERVER);
	ck_assert(world_settle(&w, 20000));
	ck_assert(world_sends_to(&w, CLIENT, &ssh.remote));
	ck_assert(!world_stats(&w, CLIENT).silent);
	ssp_conn_path_remove(w.conn[CLIENT], w.now, &ssh);
	ck_assert(world_stats(&w, CLIENT).silent);
	world_bump(&w, CLIENT);
	ck_assert(!world_settle(&w, 30000));
	ck_assert_uint_eq(w.events[CLIENT][SSP_CONN_EV_SILENT], 1);
	ck_assert_int_eq(world_stats(&w, CLIENT).active.local.bytes[3], 1);
	/* UDP starts to answer on the path tried all along. */
	w.filter = NULL;
	world_bump(&w, CLIENT);
	ck_assert(world_settle(&w, 3000));
	ck_assert(world_sends_to(&w, CLIENT, &udp.remote));
	ck_assert(!world_stats(&w, CLIENT).silent);
	world_fini(&w);
}
END_TEST

/*
 * Drops every datagram while *PASS is false, and later those to the server's
 * former address.
 */
static bool
former_address(struct world *w, int from, const struct ssp_path_addr *path,
    uint8_t *p, size_t len)
{
	const bool *pass = w->arg;

	(void)p;
	(void)len;
	return *pass && (from != CLIENT || path->remote.bytes[3] != 2);
}

/*
 * The server's address changes without action of the client; after a SILENCE, in
 * ms, of both.
 */
static void
server_moves(mono_ms silence)
{
	struct ssp_path_addr moved =
				 world_path(1 << 16 | 5000, 3 << 16 | 60000),
			     to;
	struct world w;
	uint8_t out[1600];
	bool pass = false;
	size_t n;
	int i;

	world_init(&w, 52);
	open_and_settle(&w);
	w.auto_hop = true;
	w.filter = former_address;
	w.arg = &pass;
	world_bump(&w, CLIENT);
	world_run(&w, w.now + silence);
	world_bump(&w, SERVER);
	n = ssp_conn_output(w.conn[SERVER], w.now, &to, out, sizeof(out));
	ck_assert_uint_gt(n, 0);
	pass = true;
	ck_assert_int_eq(world_inject(&w, CLIENT, &moved, out, n), 0);
	/* Only after the server answers there. */
	ck_assert(!world_sends_to(&w, CLIENT, &moved.remote));
	world_run(&w, w.now + 110);
	ck_assert(world_sends_to(&w, CLIENT, &moved.remote));
	world_bump(&w, CLIENT);
	ck_assert(world_settle(&w, 2000));
	/* The former address is forgotten, and the socket of both stays open. */
	for (i = 0; i < 100; i++) {
		world_bump(&w, CLIENT);
		world_run(&w, w.now + 1000);
	}
	ck_assert_int_eq(world_stats(&w, CLIENT).paths, 1);
	ck_assert(world_sends_to(&w, CLIENT, &moved.remote));
	if (w.hops == 0)
		ck_assert_uint_eq(w.events[CLIENT][SSP_CONN_EV_DROPPED], 0);
	world_fini(&w);
}

START_TEST(client_follows_a_server_that_moves)
{
	server_moves(0);
	server_moves(120000);
}
END_TEST

/* UDP is blocked: the stream carries everything; UDP returns and is used. */
static bool
udp_blocked(struct world *w, int from, const struct ssp_path_addr *path,
    uint8_t *p, size_t len)
{
	(void)from;
	(void)p;
	(void)len;
	return w->arg == NULL || path->remote.kind == SSP_ADDR_STREAM;
}

START_TEST(session_moves_to_a_stream_and_back)
{
	struct ssp_path_addr stream;
	struct world w;
	mono_ms start;

	memset(&stream, 0, sizeof(stream));
	stream.local.kind = stream.remote.kind = SSP_ADDR_STREAM;
	world_init(&w, 53);
	w.filter = udp_blocked;
	w.arg = &w;
	w.toy[CLIENT].value = w.toy[SERVER].value = 1;
	world_open(&w);
	ck_assert(!world_settle(&w, 3000));
	ssp_conn_path_add(w.conn[CLIENT], w.now, &stream);
	ck_assert(world_settle(&w, 1000));
	ck_assert(w.toy[CLIENT].stream);
	ck_assert(w.toy[SERVER].stream);
	ck_assert_uint_gt(w.toy[SERVER].mtu, 16000);
	world_run(&w, w.now + 100000);
	w.arg = NULL;
	start = w.now;
	while (w.toy[CLIENT].stream && w.now < start + 40000)
		world_run(&w, w.now + 100);
	ck_assert(!w.toy[CLIENT].stream);
	world_bump(&w, CLIENT);
	world_bump(&w, SERVER);
	ck_assert(world_settle(&w, 1000));
	ck_assert(!w.toy[SERVER].stream);
	ck_assert_uint_lt(w.toy[SERVER].mtu, 1500);
	/* Back to the stream when UDP fails again. */
	w.arg = &w;
	world_bump(&w, CLIENT);
	world_bump(&w, SERVER);
	ck_assert(world_settle(&w, 3000));
	ck_assert(w.toy[SERVER].stream);
	world_fini(&w);
}
END_TEST

/*
 * A client goes on to open sockets in a silence of any length, and keeps room for
 * ssh.
 */
START_TEST(a_long_silence_ends_neither_hops_nor_the_way_through_ssh)
{
	struct ssp_path_addr stream;
	struct world w;
	unsigned early;

	memset(&stream, 0, sizeof(stream));
	stream.local.kind = stream.remote.kind = SSP_ADDR_STREAM;
	world_init(&w, 54);
	open_and_settle(&w);
	w.auto_hop = true;
	w.filter = udp_blocked;
	w.arg = &w;
	world_bump(&w, CLIENT);
	world_run(&w, w.now + 60000);
	early = w.hops;
	ck_assert_uint_ge(early, SSP_PATHS_MAX);
	world_run(&w, w.now + 60000);
	ck_assert_uint_ge(w.hops, early + 10);
	ck_assert_int_eq(world_stats(&w, CLIENT).paths, SSP_PATHS_MAX);
	/* Each new socket beyond the table has replaced one. */
	ck_assert_uint_eq(
	    w.events[CLIENT][SSP_CONN_EV_DROPPED], w.hops + 1 - SSP_PATHS_MAX);
	ck_assert_int_eq(ssp_conn_path_add(w.conn[CLIENT], w.now, &stream), 0);
	world_bump(&w, SERVER);
	ck_assert(world_settle(&w, 1000));
	ck_assert(w.toy[SERVER].stream);
	w.arg = NULL;
	world_run(&w, w.now + 20000);
	ck_assert(!w.toy[CLIENT].stream);
	world_bump(&w, SERVER);
	ck_assert(world_settle(&w, 1000));
	world_fini(&w);
}
END_TEST

/* Hops take the place of older ones to the same address, and of nothing else. */
START_TEST(hops_leave_other_addresses_alone)
{
	struct ssp_path_addr other = world_path(1 << 16 | 4000, 9 << 16 | 1);
	struct ssp_path_addr by = world_path(1 << 16 | 4001, 2 << 16 | 60000);
	struct world w;

	world_init(&w, 55);
	open_and_settle(&w);
	ssp_conn_path_add(w.conn[CLIENT], w.now, &other);
	ssp_conn_path_add(w.conn[CLIENT], w.now, &by);
	ssp_conn_path_group(w.conn[CLIENT], &by, 7);
	w.auto_hop = true;
	w.filter = udp_blocked;
	w.arg = &w;
	world_bump(&w, CLIENT);
	world_run(&w, w.now + 120000);
	ck_assert_uint_gt(w.hops, 12);
	/* Both are known: adding them changes nothing. */
	ssp_conn_path_add(w.conn[CLIENT], w.now, &other);
	ssp_conn_path_add(w.conn[CLIENT], w.now, &by);
	ck_assert_uint_eq(
	    w.events[CLIENT][SSP_CONN_EV_DROPPED], w.hops + 3 - SSP_PATHS_MAX);
	world_fini(&w);
}
END_TEST

START_TEST(size_is_probed_up_where_bulk_wants_it)
{
	static const size_t limits[] = { 0, 1472, 1452, 1300, 1232, 1200 };
	static const size_t want[] = { 1472, 1472, 1452, 1280, 1232, 1200 };
	struct world w;
	size_t i;

	for (i = 0; i < ARRAY_LEN(limits); i++) {
		world_init(&w, 60 + i);
		w.mtu = limits[i];
		open_and_settle(&w);
		world_run(&w, w.now + 60000);
		/* No demand: no probe. */
		ck_assert_uint_eq(world_stats(&w, SERVER).mtu, 1200);
		ck_assert_uint_eq(world_stats(&w, SERVER).mtu_probes, 0);
		w.toy[SERVER].bulk = 30000;
		world_run(&w, w.now + 60000);
		ck_assert_uint_eq(world_stats(&w, SERVER).mtu, want[i]);
		ck_assert_uint_eq(w.toy[SERVER].mtu, want[i] - 33);
		ck_assert_uint_eq(world_stats(&w, CLIENT).mtu, 1200);
		world_fini(&w);
	}
}
END_TEST

/* Long datagrams: where the path has them, and soon under much bulk. */
START_TEST(long_datagrams_are_found_soon)
{
	static const size_t limits[] = { 0, 9000, 1500, 1200 };
	static const size_t want[] = { 16356, 8972, 1472, 1200 };
	struct world w;
	mono_ms start;
	size_t i;

	for (i = 0; i < ARRAY_LEN(limits); i++) {
		world_init(&w, 80 + i);
		w.cfg[CLIENT].mtu_max = w.cfg[SERVER].mtu_max = SSP_DGRAM_JUMBO;
		w.mtu = limits[i];
		open_and_settle(&w);
		start = w.now;
		while (world_stats(&w, SERVER).mtu < want[i] &&
		       w.now < start + 60000) {
			w.toy[SERVER].bulk = 30000;
			world_run(&w, w.now + 10);
		}
		ck_assert_uint_eq(world_stats(&w, SERVER).mtu, want[i]);
		ck_assert_msg(i > 0 || w.now - start < 1000, "%llu ms",
		    (unsigned long long)(w.now - start));
		world_run(&w, w.now + 10000);
		ck_assert_uint_eq(world_stats(&w, SERVER).mtu, want[i]);
		world_fini(&w);
	}
}
END_TEST

START_TEST(black_hole_is_found_and_left)
{
	static const size_t limits[] = { 1100, 900, 600, 512 };
	struct world w;
	mono_ms start;
	size_t i;

	for (i = 0; i < ARRAY_LEN(limits); i++) {
		world_init(&w, 70 + i);
		open_and_settle(&w);
		w.mtu = limits[i];
		start = w.now;
		while (world_stats(&w, SERVER).mtu > limits[i] &&
		       w.now < start + 30000) {
			w.toy[SERVER].bulk = 2000;
			world_run(&w, w.now + 50);
		}
		/* One step down takes three rounds of about a round trip. */
		ck_assert_msg(w.now - start <= 3500, "limit %zu: %llu ms",
		    limits[i], (unsigned long long)(w.now - start));
		world_fini(&w);
	}
}
END_TEST

START_TEST(size_survives_loss_and_the_system_may_refuse)
{
	struct ssp_path_addr path;
	struct world w;
	unsigned i;

	world_init(&w, 80);
	w.loss = 100;
	open_and_settle(&w);
	for (i = 0; i < 400; i++) {
		w.toy[SERVER].bulk = 4000;
		world_run(&w, w.now + 100);
	}
	ck_assert_uint_ge(world_stats(&w, SERVER).mtu, 1200);
	path = world_stats(&w, SERVER).active;
	ssp_conn_refused(w.conn[SERVER], w.now, &path, 1200);
	ck_assert_uint_eq(world_stats(&w, SERVER).mtu, 1000);
	for (i = 0; i < 20; i++)
		ssp_conn_refused(w.conn[SERVER], w.now, &path, 600);
	ck_assert_uint_eq(world_stats(&w, SERVER).mtu, SSP_DGRAM_FLOOR);
	world_fini(&w);
}
END_TEST

UNIT_SUITE(ssp_roam)
{
	Suite *s = suite_create("ssp/roam");
	TCase *tc = tcase_create("roam");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, one_datagram_from_a_new_address_and_frames_go_there);
	tcase_add_test(tc, only_the_newest_datagram_moves);
	tcase_add_test(tc, silence_makes_the_client_hop_to_a_new_port);
	tcase_add_test(tc, the_end_of_a_flood_is_asked_about);
	tcase_add_test(tc, cuts_end_as_soon_as_a_datagram_gets_through);
	tcase_add_test(tc, second_path_takes_over_when_the_first_dies);
	tcase_add_test(tc, removed_path_is_replaced);
	tcase_add_test(tc, last_path_removed_is_silence);
	tcase_add_test(tc, client_follows_a_server_that_moves);
	tcase_add_test(tc, session_moves_to_a_stream_and_back);
	tcase_add_test(
	    tc, a_long_silence_ends_neither_hops_nor_the_way_through_ssh);
	tcase_add_test(tc, hops_leave_other_addresses_alone);
	tcase_add_test(tc, size_is_probed_up_where_bulk_wants_it);
	tcase_add_test(tc, long_datagrams_are_found_soon);
	tcase_add_test(tc, black_hole_is_found_and_left);
	tcase_add_test(tc, size_survives_loss_and_the_system_may_refuse);
	suite_add_tcase(s, tc);
	return s;
}
