/* The whole protocol: objects, transports, connections, sealed datagrams. */
#include <stdio.h>
#include <string.h>

#include "regress/sim/toy.h"
#include "regress/unit/ssp_world.h"
#include "regress/unit/unit.h"
#include "ssp/bind.h"

struct session {
	struct world w;
	struct ssp_bind b[SIDES];
	uint64_t rng;
	uint64_t hash; /* of all datagrams and their times */
};

static void
session_open_caps(struct session *x, uint64_t seed, bool plain, uint64_t caps)
{
	struct ssp_transport_cfg cfg;
	struct ssp_path_addr path;
	int s;

	memset(x, 0, sizeof(*x));
	world_init(&x->w, seed);
	x->rng = seed;
	for (s = 0; s < SIDES; s++) {
		ssp_transport_cfg_init(
		    &cfg, plain ? SSP_LINK_LOCAL : SSP_LINK_DATAGRAM);
		if (s == CLIENT) {
			cfg.local_ops = &toy_log_ops;
			cfg.local = toy_log_new();
			cfg.remote_ops = &toy_screen_ops;
			cfg.remote = toy_screen_new(80, 24);
		} else {
			cfg.local_ops = &toy_screen_ops;
			cfg.local = toy_screen_new(80, 24);
			cfg.remote_ops = &toy_log_ops;
			cfg.remote = toy_log_new();
		}
		cfg.verify = true;
		ssp_bind_transport(&x->b[s], &cfg, x->w.now);
		x->w.cfg[s].payload = ssp_bind_payload(&x->b[s]);
		x->w.cfg[s].plain = plain;
		x->w.cfg[s].caps = caps;
	}
	if (!plain) {
		world_open(&x->w);
	} else {
		memset(&path, 0, sizeof(path));
		path.local.kind = path.remote.kind = SSP_ADDR_STREAM;
		ck_assert_int_eq(ssp_conn_server_accept(&x->w.cfg[SERVER],
				     x->w.now, &x->w.conn[SERVER]),
		    0);
		ck_assert_int_eq(ssp_conn_client_new(&x->w.cfg[CLIENT],
				     x->w.now, &x->w.conn[CLIENT]),
		    0);
		ck_assert_int_eq(
		    ssp_conn_path_add(x->w.conn[CLIENT], x->w.now, &path), 0);
	}
	for (s = 0; s < SIDES; s++)
		ssp_bind_conn(&x->b[s], x->w.conn[s]);
}

static void
session_open(struct session *x, uint64_t seed, bool plain)
{
	session_open_caps(x, seed, plain, 0);
}

static void
session_close(struct session *x)
{
	int s;

	world_fini(&x->w);
	for (s = 0; s < SIDES; s++) {
		ck_assert(ssp_transport_check(x->b[s].tp));
		ssp_transport_free(x->b[s].tp);
	}
}

static void
type(struct session *x, const char *text)
{
	toy_log_add(ssp_transport_current(x->b[CLIENT].tp), text, strlen(text));
	ssp_transport_changed(x->b[CLIENT].tp, x->w.now);
}

static void
redraw(struct session *x)
{
	toy_screen_fill(ssp_transport_current(x->b[SERVER].tp), &x->rng);
	ssp_transport_changed(x->b[SERVER].tp, x->w.now);
}

/* Runs until both ends are equal; false after LIMIT ms. */
static bool
session_settle(struct session *x, mono_ms limit)
{
	mono_ms end = x->w.now + limit;
	uint64_t num;
	int s;

	while (x->w.now < end) {
		for (s = 0; s < SIDES; s++) {
			const struct ssp_object_ops *ops =
			    s == CLIENT ? &toy_log_ops : &toy_screen_ops;

			if (!ops->equal(ssp_transport_current(x->b[s].tp),
				ssp_transport_remote(x->b[!s].tp, &num)))
				break;
		}
		if (s == SIDES)
			return true;
		world_run(&x->w, x->w.now + 1);
	}
	return false;
}

START_TEST(objects_meet_through_sealed_datagrams)
{
	static const unsigned losses[] = { 0, 50, 290 };
	struct session x;
	mono_ms start;
	unsigned i, k;

	for (k = 0; k < ARRAY_LEN(losses); k++)
		for (i = 1; i <= 6; i++) {
			session_open(&x, i + 100 * k, false);
			x.w.loss = losses[k];
			x.w.cfg[CLIENT].rekey_packets = 300;
			type(&x, "first");
			redraw(&x);
			start = x.w.now;
			ck_assert(session_settle(&x, 20000));
			if (losses[k] == 0)
				ck_assert_uint_le(x.w.now - start, 200);
			for (unsigned n = 0; n < 20; n++) {
				type(&x, "k");
				if (n % 5 == 0)
					redraw(&x);
				ck_assert(session_settle(&x, 20000));
				world_run(&x.w, x.w.now + 100);
			}
			session_close(&x);
		}
}
END_TEST

START_TEST(local_stream_carries_the_same_objects)
{
	struct session x;
	unsigned i;

	session_open(&x, 9, true);
	x.w.delay = 0;
	for (i = 0; i < 20; i++) {
		type(&x, "hello");
		redraw(&x);
		ck_assert(session_settle(&x, 50));
	}
	session_close(&x);
}
END_TEST

START_TEST(roaming_and_cuts_with_real_payloads)
{
	struct session x;
	mono_ms start;
	unsigned i;

	session_open(&x, 10, false);
	type(&x, "x");
	redraw(&x);
	ck_assert(session_settle(&x, 5000));
	for (i = 0; i < 10; i++) {
		world_run(&x.w, x.w.now + 1000);
		x.w.nat = true;
		x.w.nat_addr = world_addr(77 + i % 2, 1000 + i);
		type(&x, "k");
		ck_assert(session_settle(&x, 2000));
		redraw(&x);
		ck_assert(session_settle(&x, 2000));
	}
	for (i = 0; i < 5; i++) {
		x.w.loss = 1000;
		type(&x, "lost?");
		redraw(&x);
		world_run(&x.w, x.w.now + 20000);
		x.w.loss = 0;
		ssp_conn_network_changed(x.w.conn[CLIENT], x.w.now);
		start = x.w.now;
		ck_assert(session_settle(&x, 5000));
		/*
		 * A full screen: one round trip, plus time for its fragments.
		 */
		ck_assert_msg(x.w.now - start <= 320, "cut %u: %llu ms", i,
		    (unsigned long long)(x.w.now - start));
	}
	session_close(&x);
}
END_TEST

START_TEST(narrow_path_never_stalls_a_redraw)
{
	static const size_t limits[] = { 1100, 700, 512 };
	struct session x;
	mono_ms start;
	size_t i;

	for (i = 0; i < ARRAY_LEN(limits); i++) {
		session_open(&x, 20 + i, false);
		type(&x, "x");
		ck_assert(session_settle(&x, 5000));
		world_run(&x.w, x.w.now + 500);
		x.w.mtu = limits[i];
		redraw(&x);
		start = x.w.now;
		ck_assert_msg(
		    session_settle(&x, 30000), "limit %zu", limits[i]);
		ck_assert_msg(x.w.now - start < 5000, "limit %zu: %llu ms",
		    limits[i], (unsigned long long)(x.w.now - start));
		session_close(&x);
	}
}
END_TEST

/* --- what one path costs ------------------------------------------------------ */

static bool
hash_passes(struct world *w, int from, const struct ssp_path_addr *path,
    uint8_t *p, size_t len)
{
	struct session *x = w->arg;
	const uint64_t word[] = { (uint64_t)from, w->now, len };
	size_t i;

	(void)path;
	for (i = 0; i < ARRAY_LEN(word); i++)
		x->hash = (x->hash ^ word[i]) * 0x100000001b3;
	for (i = 0; i < len; i++)
		x->hash = (x->hash ^ p[i]) * 0x100000001b3;
	return true;
}

static void
do_nothing(struct session *x)
{
	world_run(&x->w, x->w.now + 600000);
}

/* Keys with an echo each, 130 ms apart. */
static void
do_type(struct session *x)
{
	struct toy_screen *screen = ssp_transport_current(x->b[SERVER].tp);
	unsigned i;

	for (i = 0; i < 100; i++) {
		type(x, "k");
		world_run(&x->w, x->w.now + 50);
		screen->cell[i] = 'k';
		screen->echo++;
		ssp_transport_changed(x->b[SERVER].tp, x->w.now);
		world_run(&x->w, x->w.now + 80);
	}
}

static void
do_output(struct session *x)
{
	unsigned i;

	for (i = 0; i < 20; i++) {
		redraw(x);
		world_run(&x->w, x->w.now + 300);
	}
}

static void
do_lossy(struct session *x)
{
	x->w.loss = 100;
	do_type(x);
	x->w.loss = 0;
	ck_assert(session_settle(x, 5000));
}

static void
do_open(struct session *x)
{
	world_run(&x->w, x->w.now + 1000);
}

/*
 * A session of text over one path, without streams, sends these datagrams and no
 * other byte, whatever else both ends can do.  A commit that changes the datagrams
 * changes these numbers, and says why.
 */
START_TEST(one_path_and_no_stream_cost_what_they_did)
{
	static const struct golden {
		const char *what;
		void (*act)(struct session *x);
		uint64_t datagrams[SIDES], bytes[SIDES], hash;
	} golden[] = {
		{ "open", do_open, { 2, 1 }, { 1245, 93 }, 0x7b4d4d25d6d011c3 },
		{ "type", do_type, { 111, 108 }, { 5125, 5236 },
		    0xe49457e168eaf8ea },
		{ "output", do_output, { 21, 42 }, { 913, 42317 },
		    0x61de26924d9972c2 },
		{ "lossy", do_lossy, { 257, 251 }, { 13067, 14377 },
		    0x122261ee55bbe792 },
		{ "idle", do_nothing, { 84, 81 }, { 3716, 2975 },
		    0xeeec4d39b99e5f71 },
	};
	struct session x;
	size_t i;
	bool same = true;

	session_open_caps(&x, 40, false,
	    SSP_CAP_STREAM | SSP_CAP_STREAMS | SSP_CAP_TRAIL | SSP_CAP_PAGES |
		SSP_CAP_PACE | SSP_CAP_PATHS | SSP_CAP_AGGREGATE);
	x.w.filter = hash_passes;
	x.w.arg = &x;
	for (i = 0; i < ARRAY_LEN(golden); i++) {
		const struct golden *g = &golden[i];
		const uint64_t n[SIDES] = { x.w.sent[CLIENT],
			x.w.sent[SERVER] };
		const uint64_t b[SIDES] = { x.w.sent_bytes[CLIENT],
			x.w.sent_bytes[SERVER] };
		struct golden got = *g;
		int s;

		x.hash = 0xcbf29ce484222325;
		g->act(&x);
		for (s = 0; s < SIDES; s++) {
			got.datagrams[s] = x.w.sent[s] - n[s];
			got.bytes[s] = x.w.sent_bytes[s] - b[s];
		}
		got.hash = x.hash;
		printf("# %s: { %llu, %llu }, { %llu, %llu }, 0x%llx\n",
		    g->what, (unsigned long long)got.datagrams[CLIENT],
		    (unsigned long long)got.datagrams[SERVER],
		    (unsigned long long)got.bytes[CLIENT],
		    (unsigned long long)got.bytes[SERVER],
		    (unsigned long long)got.hash);
		same = same && got.hash == g->hash &&
		       memcmp(got.bytes, g->bytes, sizeof(got.bytes)) == 0 &&
		       memcmp(got.datagrams, g->datagrams,
			   sizeof(got.datagrams)) == 0;
	}
	fflush(stdout);
	ck_assert_msg(same, "it sends other datagrams: see above");
	session_close(&x);
}
END_TEST

UNIT_SUITE(ssp_bind)
{
	Suite *s = suite_create("ssp/bind");
	TCase *tc = tcase_create("bind");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, objects_meet_through_sealed_datagrams);
	tcase_add_test(tc, local_stream_carries_the_same_objects);
	tcase_add_test(tc, roaming_and_cuts_with_real_payloads);
	tcase_add_test(tc, narrow_path_never_stalls_a_redraw);
	tcase_add_test(tc, one_path_and_no_stream_cost_what_they_did);
	suite_add_tcase(s, tc);
	return s;
}
