/*
 * Reliable streams of a transport, through sealed datagrams: any loss, order,
 * address and key.
 */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "regress/sim/toy.h"
#include "regress/unit/ssp_world.h"
#include "regress/unit/unit.h"
#include "ssp/bind.h"
#include "ssp/frame.h"
#include "ssp/streams_int.h"

#define ID SSP_STREAM_CONTROL

struct session {
	struct world w;
	struct ssp_bind b[SIDES];
	uint64_t rng;
	uint64_t put[SIDES], got[SIDES]; /* bytes by sender */
	uint64_t total;                  /* bytes each way */
	bool slow[SIDES];                /* takes nothing */
};

struct opened {
	bool plain;
	bool lacks;  /* the server has no SSP_CAP_STREAM */
	bool closed; /* no stream */
	bool alone;  /* none at the server */
	bool all;    /* both ends know OPEN */
	bool jumbo;  /* the path carries long datagrams */
	unsigned rekey;
	enum ssp_pacing pace;
};

static uint64_t
below(struct session *x, uint64_t n)
{
	x->rng ^= x->rng << 13;
	x->rng ^= x->rng >> 7;
	x->rng ^= x->rng << 17;
	return x->rng % n;
}

static void
open_ends(struct session *x)
{
	struct ssp_path_addr path;

	if (!x->w.cfg[CLIENT].plain) {
		world_open(&x->w);
		return;
	}
	memset(&path, 0, sizeof(path));
	path.local.kind = path.remote.kind = SSP_ADDR_STREAM;
	ck_assert_int_eq(ssp_conn_server_accept(
			     &x->w.cfg[SERVER], x->w.now, &x->w.conn[SERVER]),
	    0);
	ck_assert_int_eq(ssp_conn_client_new(
			     &x->w.cfg[CLIENT], x->w.now, &x->w.conn[CLIENT]),
	    0);
	ck_assert_int_eq(
	    ssp_conn_path_add(x->w.conn[CLIENT], x->w.now, &path), 0);
}

static void
session_open(struct session *x, uint64_t seed, const struct opened *how)
{
	struct ssp_transport_cfg cfg;
	int s;

	memset(x, 0, sizeof(*x));
	world_init(&x->w, seed);
	x->rng = seed * 2654435761U + 1;
	x->w.auto_hop = true;
	for (s = 0; s < SIDES; s++) {
		ssp_transport_cfg_init(
		    &cfg, how->plain ? SSP_LINK_LOCAL : SSP_LINK_DATAGRAM);
		cfg.local_ops = s == CLIENT ? &toy_log_ops : &toy_screen_ops;
		cfg.remote_ops = s == CLIENT ? &toy_screen_ops : &toy_log_ops;
		cfg.asks = s == CLIENT;
		cfg.local = s == CLIENT ? (void *)toy_log_new()
					: toy_screen_new(80, 24);
		cfg.remote = s == CLIENT ? (void *)toy_screen_new(80, 24)
					 : toy_log_new();
		ssp_bind_transport(&x->b[s], &cfg, x->w.now);
		if (!how->closed && (s == CLIENT || !how->alone))
			ck_assert(ssp_streams_fixed(
			    ssp_transport_streams(x->b[s].tp), ID));
		x->w.cfg[s].payload = ssp_bind_payload(&x->b[s]);
		x->w.cfg[s].plain = how->plain;
		if (s == CLIENT || !how->lacks)
			x->w.cfg[s].caps =
			    SSP_CAP_STREAM |
			    (how->all ? SSP_CAP_STREAMS | SSP_CAP_PATHS |
					    SSP_CAP_AGGREGATE
				      : 0);
		if (how->jumbo)
			x->w.cfg[s].mtu_max = SSP_DGRAM_JUMBO;
		ssp_transport_pace(x->b[s].tp, x->w.now, how->pace);
		if (how->rekey > 0) {
			x->w.cfg[s].rekey_packets = how->rekey;
			x->w.cfg[s].rekey_gap_ms = 100;
		}
	}
	open_ends(x);
	for (s = 0; s < SIDES; s++)
		ssp_bind_conn(&x->b[s], x->w.conn[s]);
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
put_some(struct session *x, int side, size_t most)
{
	uint8_t b[8192];
	size_t n = 1 + (size_t)below(x, most);

	n = MIN_OF(n, (size_t)(x->total - x->put[side]));
	world_fill(side, x->put[side], b, n);
	x->put[side] +=
	    ssp_streams_put(ssp_transport_streams(x->b[side].tp), ID, b, n);
}

/* Takes what has come from SIDE, and compares it. */
static void
take_some(struct session *x, int side)
{
	struct ssp_transport *tp = x->b[!side].tp;
	const uint8_t *p;
	size_t n;

	while (
	    !x->slow[!side] &&
	    (p = ssp_streams_peek(ssp_transport_streams(tp), ID, &n)) != NULL) {
		/* One check: each costs a call. */
		ck_assert_uint_eq(world_right(side, x->got[side], p, n), n);
		x->got[side] += n;
		ssp_streams_taken(ssp_transport_streams(tp), x->w.now, ID, n);
	}
}

/* One millisecond: both ends put, send and take. */
static void
step(struct session *x, size_t most)
{
	int s;

	for (s = 0; s < SIDES; s++)
		if (x->put[s] < x->total)
			put_some(x, s, most);
	world_run(&x->w, x->w.now + 1);
	for (s = 0; s < SIDES; s++)
		take_some(x, s);
}

/* Runs until all bytes have come; false after LIMIT ms. */
static bool
carry(struct session *x, uint64_t more, size_t most, mono_ms limit)
{
	const mono_ms end = x->w.now + limit;

	x->total += more;
	while (x->got[CLIENT] < x->total || x->got[SERVER] < x->total) {
		if (x->w.now >= end)
			return false;
		step(x, most);
	}
	return true;
}

static void
type(struct session *x)
{
	toy_log_add(ssp_transport_current(x->b[CLIENT].tp), "k", 1);
	ssp_transport_changed(x->b[CLIENT].tp, x->w.now);
}

static void
redraw(struct session *x)
{
	toy_screen_fill(ssp_transport_current(x->b[SERVER].tp), &x->rng);
	ssp_transport_changed(x->b[SERVER].tp, x->w.now);
}

static const struct link_row {
	const char *name;
	unsigned loss; /* per 1000 */
	mono_ms jitter;
	unsigned rekey;
	bool objects; /* both objects change meanwhile */
	bool jumbo;
	enum ssp_pacing pace;
} links[] = {
	{ "clean", 0, 0, 0, false, false, 0 },
	{ "clean, with objects", 0, 0, 0, true, false, 0 },
	{ "10 % loss", 100, 0, 0, true, false, 0 },
	{ "29 % loss", 290, 0, 0, false, false, 0 },
	{ "disorder", 50, 120, 0, true, false, 0 },
	{ "new keys", 100, 30, 60, true, false, 0 },
	{ "long datagrams", 0, 0, 0, true, true, 0 },
	{ "long, disorder", 50, 120, 0, true, true, 0 },
	{ "long, 29 % loss", 290, 30, 60, false, true, 0 },
	{ "long, follow", 100, 60, 0, false, true, SSP_PACING_FOLLOW },
	{ "long, remy", 100, 60, 0, false, true, SSP_PACING_REMY },
	{ "long, mosh", 100, 60, 0, false, true, SSP_PACING_MOSH },
};

/* Bytes arrive in order, once, both ways. */
START_TEST(bytes_arrive_in_order)
{
	const struct link_row *l = &links[_i];
	const struct opened how = {
		.rekey = l->rekey, .jumbo = l->jumbo, .pace = l->pace
	};
	struct ssp_transport_stats st;
	struct ssp_conn_stats cs;
	struct session x;
	unsigned round, n;
	uint64_t seed;
	mono_ms start;

	for (round = 0; round < unit_rounds(6); round++) {
		seed = unit_seed(100) + round + 1000 * (uint64_t)_i;
		session_open(&x, seed, &how);
		x.w.loss = l->loss;
		x.w.jitter = l->jitter;
		start = x.w.now;
		for (n = 0; n < 8; n++) {
			if (l->objects) {
				type(&x);
				redraw(&x);
			}
			ck_assert_msg(carry(&x, 1 + below(&x, 60000),
					  1 + below(&x, 8000), 120000),
			    "%s, seed %llu: %llu of %llu, %llu", l->name,
			    (unsigned long long)seed,
			    (unsigned long long)x.got[CLIENT],
			    (unsigned long long)x.total,
			    (unsigned long long)x.got[SERVER]);
			world_run(&x.w, x.w.now + below(&x, 3000));
		}
		ssp_transport_stats(x.b[SERVER].tp, x.w.now, &st);
		cs = world_stats(&x.w, CLIENT);
		if (l->rekey > 0)
			ck_assert_uint_gt(cs.epoch, l->jumbo ? 0 : 3);
		if (round == 0)
			printf("# streams, %s: %llu kB each way in %llu ms, "
			       "%llu datagrams from the server, epoch %llu\n",
			    l->name, (unsigned long long)x.total / 1000,
			    (unsigned long long)(x.w.now - start),
			    (unsigned long long)x.w.sent[SERVER],
			    (unsigned long long)cs.epoch);
		session_close(&x);
	}
}
END_TEST

/* Changes of address, long silences and sleep lose and repeat nothing. */
START_TEST(moves_and_silence_cost_no_byte)
{
	const struct opened how = { .rekey = 0 };
	struct session x;
	mono_ms start;
	unsigned i;

	session_open(&x, 11, &how);
	ck_assert(carry(&x, 100, 100, 5000));
	for (i = 0; i < 6; i++) {
		x.w.loss = 100;
		x.total += 40000;
		for (start = x.w.now; x.w.now < start + 100;)
			step(&x, 3000);
		x.w.nat = true;
		x.w.nat_addr = world_addr(77 + i % 2, 1000 + i);
		ck_assert_msg(carry(&x, 40000, 3000, 30000), "move %u", i);
	}
	for (i = 0; i < 4; i++) {
		x.total += 40000;
		for (start = x.w.now; x.w.now < start + 100;)
			step(&x, 3000);
		x.w.loss = 1000;
		world_run(&x.w, x.w.now + (i + 1) * 40000);
		x.w.loss = 0;
		ssp_conn_network_changed(x.w.conn[CLIENT], x.w.now);
		start = x.w.now;
		ck_assert_msg(carry(&x, 10, 3000, 20000), "cut %u", i);
		ck_assert_msg(x.w.now - start < 2500, "cut %u: %llu ms", i,
		    (unsigned long long)(x.w.now - start));
	}
	session_close(&x);
}
END_TEST

/* While nothing comes back, datagrams become rare. */
START_TEST(a_dead_link_waits)
{
	const struct opened how = { .rekey = 0 };
	struct session x;
	uint64_t before;

	session_open(&x, 12, &how);
	ck_assert(carry(&x, 1000, 1000, 5000));
	x.total += 200000;
	while (x.put[SERVER] < x.total)
		step(&x, 8000);
	x.w.loss = 1000;
	before = x.w.sent[SERVER];
	world_run(&x.w, x.w.now + 600000);
	/* The heartbeat alone is one in seven seconds. */
	ck_assert_uint_lt(x.w.sent[SERVER] - before, 400);
	x.w.loss = 0;
	ck_assert(carry(&x, 1, 1, 30000));
	session_close(&x);
}
END_TEST

/* The records of ssh's stdio, and of a trusted socket. */
START_TEST(streams_carry_streams)
{
	const struct opened udp = { .rekey = 0 }, plain = { .plain = true };
	struct ssp_path_addr stream;
	struct session x;

	session_open(&x, 13, &plain);
	x.w.delay = 0;
	ck_assert(carry(&x, 300000, 8000, 2000));
	session_close(&x);

	memset(&stream, 0, sizeof(stream));
	stream.local.kind = stream.remote.kind = SSP_ADDR_STREAM;
	session_open(&x, 14, &udp);
	ck_assert(carry(&x, 30000, 8000, 10000));
	x.w.mtu = 1; /* no UDP */
	ssp_conn_path_add(x.w.conn[CLIENT], x.w.now, &stream);
	x.total += 200000;
	while (x.w.now < 40000)
		step(&x, 8000);
	session_close(&x);
}
END_TEST

/* The datagrams over UDP are lost; those of the stream pass. */
static bool
udp_blocked(struct world *w, UNUSED int from, const struct ssp_path_addr *path,
    UNUSED uint8_t *p, UNUSED size_t len)
{
	return w->arg == NULL || path->remote.kind != SSP_ADDR_UDP;
}

/* UDP fails in the middle; ssh carries the rest, then UDP again. */
START_TEST(ssh_takes_over_and_gives_back)
{
	const struct opened how = { .rekey = 0 };
	struct ssp_path_addr stream;
	struct session x;
	mono_ms start;

	memset(&stream, 0, sizeof(stream));
	stream.local.kind = stream.remote.kind = SSP_ADDR_STREAM;
	session_open(&x, 15, &how);
	x.w.filter = udp_blocked;
	x.total = 100000;
	for (start = x.w.now; x.w.now < start + 400;)
		step(&x, 2000);
	x.w.arg = &x;
	ssp_conn_path_add(x.w.conn[CLIENT], x.w.now, &stream);
	ck_assert(carry(&x, 100000, 8000, 20000));
	ck_assert_int_eq(
	    world_stats(&x.w, SERVER).active.remote.kind, SSP_ADDR_STREAM);
	x.w.arg = NULL;
	for (start = x.w.now; x.w.now < start + 40000;)
		world_run(&x.w, x.w.now + 100);
	ck_assert(carry(&x, 100000, 8000, 20000));
	ck_assert_int_eq(
	    world_stats(&x.w, SERVER).active.remote.kind, SSP_ADDR_UDP);
	session_close(&x);
}
END_TEST

/* A peer without the capability gets no frame, and is not disturbed. */
START_TEST(a_peer_without_streams_gets_none)
{
	const struct opened how = { .lacks = true };
	struct ssp_transport_stats st;
	struct session x;
	uint8_t b[100] = { 0 };
	uint64_t num;

	session_open(&x, 16, &how);
	ck_assert_uint_eq(ssp_streams_put(ssp_transport_streams(x.b[CLIENT].tp),
			      ID, b, sizeof(b)),
	    sizeof(b));
	type(&x);
	world_run(&x.w, x.w.now + 5000);
	ssp_transport_stats(x.b[CLIENT].tp, x.w.now, &st);
	ck_assert_uint_eq(st.stream_parts, 0);
	ck_assert_uint_eq(
	    ssp_streams_kept(ssp_transport_streams(x.b[CLIENT].tp), ID),
	    sizeof(b));
	ck_assert(toy_log_ops.equal(ssp_transport_current(x.b[CLIENT].tp),
	    ssp_transport_remote(x.b[SERVER].tp, &num)));
	ssp_transport_shutdown(x.b[CLIENT].tp, x.w.now);
	world_run(&x.w, x.w.now + 3000);
	ck_assert_int_eq(ssp_transport_closing(x.b[CLIENT].tp), SSP_CLOSE_DONE);
	session_close(&x);
}
END_TEST

/* Bytes of a stream that is not open are dropped; all else goes on. */
START_TEST(a_stream_at_one_end_disturbs_nothing)
{
	const struct opened how = { .alone = true };
	struct ssp_transport_stats st;
	struct session x;
	uint64_t num;

	session_open(&x, 19, &how);
	x.total = 200000;
	while (x.w.now < 5000) {
		put_some(&x, CLIENT, 8000);
		type(&x);
		world_run(&x.w, x.w.now + 20);
	}
	/* Without credit no more than the first window goes. */
	ssp_transport_stats(x.b[SERVER].tp, x.w.now, &st);
	ck_assert_uint_eq(st.bad_payloads, 0);
	ck_assert_uint_lt(st.bytes_received, SSP_STREAMS_FIXED + (size_t)60000);
	world_run(&x.w, x.w.now + 2000);
	ck_assert(toy_log_ops.equal(ssp_transport_current(x.b[CLIENT].tp),
	    ssp_transport_remote(x.b[SERVER].tp, &num)));
	session_close(&x);
}
END_TEST

/* A connection without a stream, or with an idle one, sends no byte more. */
START_TEST(an_idle_stream_costs_no_datagram)
{
	static const struct opened how[] = { { .closed = true },
		{ .lacks = true, .closed = true }, { .closed = false } };
	uint64_t bytes[ARRAY_LEN(how)], sent[ARRAY_LEN(how)];
	struct session x;
	unsigned i, k;

	for (k = 0; k < ARRAY_LEN(how); k++) {
		session_open(&x, 17, &how[k]);
		for (i = 0; i < 50; i++) {
			type(&x);
			if (i % 5 == 0)
				redraw(&x);
			world_run(&x.w, x.w.now + 150);
		}
		world_run(&x.w, x.w.now + 60000);
		bytes[k] = x.w.sent_bytes[CLIENT] + x.w.sent_bytes[SERVER];
		sent[k] = x.w.sent[CLIENT] + x.w.sent[SERVER];
		session_close(&x);
	}
	for (k = 1; k < ARRAY_LEN(how); k++) {
		ck_assert_uint_eq(bytes[k], bytes[0]);
		ck_assert_uint_eq(sent[k], sent[0]);
	}
}
END_TEST

/* A reader that takes nothing stops the writer, who holds a bounded part. */
START_TEST(a_slow_reader_stops_the_writer)
{
	const struct opened how = { .rekey = 0 };
	struct ssp_transport_stats st;
	struct session x;
	uint64_t parts;
	mono_ms start;

	session_open(&x, 18, &how);
	x.slow[CLIENT] = true;
	x.total = 1000000;
	for (start = x.w.now; x.w.now < start + 10000;)
		step(&x, 8000);
	ck_assert_uint_eq(x.put[SERVER], SSP_STREAMS_FIXED + SSP_STREAM_BUFFER);
	ck_assert_uint_eq(
	    ssp_streams_kept(ssp_transport_streams(x.b[SERVER].tp), ID),
	    SSP_STREAM_BUFFER);
	ck_assert_uint_eq(x.got[CLIENT], x.total);
	ssp_transport_stats(x.b[SERVER].tp, x.w.now, &st);
	parts = st.stream_parts;
	world_run(&x.w, x.w.now + 60000);
	ssp_transport_stats(x.b[SERVER].tp, x.w.now, &st);
	ck_assert_uint_eq(st.stream_parts, parts);
	x.slow[CLIENT] = false;
	take_some(&x, SERVER);
	ck_assert(carry(&x, 0, 8000, 60000));
	session_close(&x);
}
END_TEST

/* The end waits for the last byte. */
START_TEST(the_end_delivers_all_bytes)
{
	const struct opened how = { .rekey = 0 };
	struct session x;
	mono_ms end;
	unsigned seed;

	for (seed = 20; seed < 30; seed++) {
		session_open(&x, seed, &how);
		x.w.loss = 100;
		ck_assert(carry(&x, 10, 10, 5000));
		x.total += 50000;
		while (x.put[SERVER] < x.total)
			put_some(&x, SERVER, 8000);
		x.put[CLIENT] = x.got[CLIENT] = x.total;
		ssp_transport_shutdown(x.b[SERVER].tp, x.w.now);
		end = x.w.now + 9000;
		while (
		    ssp_transport_closing(x.b[SERVER].tp) != SSP_CLOSE_DONE &&
		    x.w.now < end)
			step(&x, 1);
		ck_assert_int_eq(
		    ssp_transport_closing(x.b[SERVER].tp), SSP_CLOSE_DONE);
		ck_assert_uint_eq(x.got[SERVER], x.total);
		session_close(&x);
	}
}
END_TEST

static int
by_size(const void *a, const void *b)
{
	const mono_ms x = *(const mono_ms *)a, y = *(const mono_ms *)b;

	return x < y ? -1 : x > y;
}

/* One line and its answer, again and again. */
START_TEST(answers_come_soon)
{
	static const unsigned losses[] = { 0, 100, 290 };
	static const mono_ms median[] = { 110, 125, 200 };
	static const mono_ms tail[] = { 130, 600, 1800 };
	const struct opened how = { .rekey = 0 };
	enum {
		ASKS = 200
	};
	mono_ms took[ASKS], start;
	struct session x;
	unsigned k, i;

	for (k = 0; k < ARRAY_LEN(losses); k++) {
		session_open(&x, 40 + k, &how);
		x.w.loss = losses[k];
		ck_assert(carry(&x, 100, 100, 5000));
		for (i = 0; i < ASKS; i++) {
			x.total += 40;
			start = x.w.now;
			put_some(&x, CLIENT, 1);
			while (x.put[CLIENT] < x.total)
				put_some(&x, CLIENT, 40);
			while (x.got[CLIENT] < x.total) {
				world_run(&x.w, x.w.now + 1);
				take_some(&x, CLIENT);
			}
			while (x.put[SERVER] < x.total)
				put_some(&x, SERVER, 40);
			while (x.got[SERVER] < x.total) {
				world_run(&x.w, x.w.now + 1);
				take_some(&x, SERVER);
			}
			took[i] = x.w.now - start;
			world_run(&x.w, x.w.now + 300);
		}
		qsort(took, ASKS, sizeof(took[0]), by_size);
		printf("# line and answer, RTT 100 ms, %u %% loss: median "
		       "%llu ms, 95 %% %llu ms, worst %llu ms, %llu kB\n",
		    losses[k] / 10, (unsigned long long)took[ASKS / 2],
		    (unsigned long long)took[ASKS * 95 / 100],
		    (unsigned long long)took[ASKS - 1],
		    (unsigned long long)(x.w.sent_bytes[CLIENT] +
					 x.w.sent_bytes[SERVER]) /
			1000);
		ck_assert_uint_le(took[ASKS / 2], median[k]);
		ck_assert_uint_le(took[ASKS * 95 / 100], tail[k]);
		session_close(&x);
	}
}
END_TEST

/* --- many streams --- */

#define LIVES 300 /* streams that a life opens at most */
#define LIFE_MS 20000

/* One direction of a stream. */
struct flow {
	uint64_t total;    /* bytes that it will carry */
	uint64_t put, got; /* so far */
	bool ended;        /* its writer has ended it */
	bool complete;     /* its reader has seen the end */
};

struct lively {
	uint64_t id;
	struct flow flow[SIDES]; /* by writer */
	bool known[SIDES];       /* its user at that side has it */
	bool reset;              /* one of them gave it up */
};

struct crowd {
	struct session x;
	struct lively l[LIVES];
	unsigned n;
	unsigned resets; /* per 1000 and turn */
	bool two;        /* paths by two interfaces */
	bool cut[2];     /* of them */
};

static struct lively *
crowd_find(struct crowd *c, uint64_t id)
{
	unsigned i;

	for (i = 0; i < c->n; i++)
		if (c->l[i].id == id)
			return &c->l[i];
	return NULL;
}

static struct ssp_streams *
crowd_streams(struct crowd *c, int side)
{
	return ssp_transport_streams(c->x.b[side].tp);
}

/* Its bytes differ from those of other streams. */
static uint64_t
crowd_at(const struct lively *l, uint64_t at)
{
	return at + l->id * 131;
}

static void
crowd_open(struct crowd *c, int side)
{
	struct lively *l = &c->l[c->n];
	char what[40];
	uint64_t id;
	int i;

	if (c->n == LIVES)
		return;
	for (i = 0; i < SIDES; i++) {
		l->flow[i].total = below(&c->x, 3) == 0 ? below(&c->x, 100)
							: below(&c->x, 60000);
		if (below(&c->x, 40) == 0)
			l->flow[i].total *= 10;
	}
	snprintf(what, sizeof(what), "stream %u of %d", c->n, side);
	id = ssp_streams_open(crowd_streams(c, side),
	    (enum ssp_prio)below(&c->x, SSP_PRIOS), what, strlen(what));
	if (id == SSP_STREAM_NONE)
		return;
	l->id = id;
	l->known[side] = true;
	c->n++;
}

/* Puts some bytes of the stream, or ends it. */
static void
crowd_put(struct crowd *c, int side, struct lively *l)
{
	struct flow *f = &l->flow[side];
	uint8_t b[4096];
	size_t n;

	n = (size_t)below(&c->x, sizeof(b)) + 1;
	n = MIN_OF(n, (size_t)(f->total - f->put));
	world_fill(side, crowd_at(l, f->put), b, n);
	f->put += ssp_streams_put(crowd_streams(c, side), l->id, b, n);
	if (f->put == f->total && !f->ended) {
		f->ended = true;
		ssp_streams_end(crowd_streams(c, side), l->id);
	}
}

/* Takes and compares what has come. */
static void
crowd_take(struct crowd *c, int side, struct lively *l)
{
	struct ssp_streams *ss = crowd_streams(c, side);
	struct flow *f = &l->flow[!side];
	const uint8_t *p;
	const char *text;
	size_t n, most;

	while ((p = ssp_streams_peek(ss, l->id, &n)) != NULL) {
		most = 1 + (size_t)below(&c->x, 20000);
		n = MIN_OF(n, most);
		if (world_right(!side, crowd_at(l, f->got), p, n) != n)
			ck_abort_msg("a byte is another");
		f->got += n;
		ssp_streams_taken(ss, c->x.w.now, l->id, n);
	}
	switch (ssp_streams_state(ss, l->id)) {
	case SSP_STREAM_ENDED:
		f->complete = true;
		break;
	case SSP_STREAM_RESET:
		ck_assert(l->reset);
		(void)ssp_streams_reason(ss, l->id, &text);
		ck_assert_str_eq(text, "enough");
		ssp_streams_release(ss, l->id);
		l->known[side] = false;
		break;
	default:
		break;
	}
}

static void
crowd_news(struct crowd *c, int side)
{
	struct ssp_streams *ss = crowd_streams(c, side);
	struct lively *l;
	uint64_t id;

	while ((id = ssp_streams_news(ss)) != SSP_STREAM_NONE) {
		l = crowd_find(c, id);
		if (l == NULL)
			ck_abort_msg("news of a stream that nobody opened");
		l->known[side] = true;
		crowd_take(c, side, l);
	}
}

/* A turn of one side's users. */
static void
crowd_turn(struct crowd *c, int side)
{
	struct ssp_streams *ss = crowd_streams(c, side);
	struct lively *l;
	unsigned i;

	crowd_news(c, side);
	for (i = 0; i < c->n; i++) {
		l = &c->l[i];
		if (!l->known[side])
			continue;
		if (below(&c->x, 1000) < c->resets) {
			ssp_streams_reset(
			    ss, l->id, SSP_REASON_FAILED, "enough");
			l->reset = true;
			l->known[side] = false;
			continue;
		}
		if (below(&c->x, 3) == 0)
			crowd_put(c, side, l);
		if (l->flow[side].ended && l->flow[!side].complete) {
			ssp_streams_release(ss, l->id);
			l->known[side] = false;
		}
	}
	if (!ssp_transport_check(c->x.b[side].tp))
		ck_abort_msg("the transport's invariants do not hold");
}

static bool
crowd_over(struct crowd *c)
{
	return ssp_streams_count(crowd_streams(c, CLIENT)) +
		   ssp_streams_count(crowd_streams(c, SERVER)) ==
	       0;
}

static bool
crowd_filter(struct world *w, int from, const struct ssp_path_addr *path,
    uint8_t *bytes, size_t len)
{
	const struct crowd *c = w->arg;

	(void)bytes;
	(void)len;
	return !c->cut[(from == CLIENT ? path->local : path->remote).bytes[3] ==
		       3];
}

static enum ssp_paths_use
crowd_use(struct session *x)
{
	static const enum ssp_paths_use all[] = { SSP_PATHS_SINGLE,
		SSP_PATHS_STANDBY, SSP_PATHS_DUPLICATE, SSP_PATHS_AGGREGATE,
		SSP_PATHS_AGGREGATE };

	return all[below(x, ARRAY_LEN(all))];
}

/* The client has a second interface. */
static void
crowd_second(struct crowd *c)
{
	struct ssp_path_addr path = world_path(3 << 16 | 5000, 2 << 16 | 60000);
	struct session *x = &c->x;

	c->two = true;
	x->w.filter = crowd_filter;
	x->w.arg = c;
	ck_assert_int_eq(
	    ssp_conn_path_add(x->w.conn[CLIENT], x->w.now, &path), 0);
	ssp_conn_path_group(x->w.conn[CLIENT], &path, 7);
	ssp_conn_paths(x->w.conn[CLIENT], x->w.now, crowd_use(x));
}

/* Either path fails or works again; its user changes their mind. */
static void
crowd_paths(struct crowd *c)
{
	struct session *x = &c->x;

	if (below(x, 30) == 0)
		c->cut[below(x, 2)] ^= true;
	if (c->cut[0] && c->cut[1] && below(x, 10) > 0)
		c->cut[below(x, 2)] = false;
	if (below(x, 200) == 0)
		ssp_conn_paths(x->w.conn[CLIENT], x->w.now, crowd_use(x));
}

/* Returns the datagrams by a second path in this life. */
static uint64_t
crowd_live(uint64_t seed)
{
	const struct opened how = {
		.closed = true, .all = true, .jumbo = seed % 4 == 0
	};
	static const size_t limits[] = { 0, 9000, 1500, 1200 };
	struct crowd *c = mem_zalloc(sizeof(*c));
	struct session *x = &c->x;
	struct ssp_transport_stats st;
	const struct lively *l;
	uint64_t wide = 0;
	mono_ms end;
	unsigned i;
	int s;

	session_open(x, seed, &how);
	for (s = 0; s < SIDES; s++)
		ssp_streams_accept(crowd_streams(c, s), true);
	x->w.loss = (unsigned)below(x, 4) * 80;
	x->w.jitter = below(x, 3) * 30;
	c->resets = below(x, 2) == 0 ? 0 : (unsigned)below(x, 12);
	world_run(&x->w, x->w.now + 1000);
	if (below(x, 2) == 0)
		crowd_second(c);
	for (end = x->w.now + LIFE_MS; x->w.now < end;) {
		if (c->two)
			crowd_paths(c);
		for (s = 0; s < SIDES; s++) {
			if (below(x, 20) == 0)
				crowd_open(c, s);
			crowd_turn(c, s);
		}
		if (how.jumbo && below(x, 200) == 0)
			x->w.mtu = limits[below(x, ARRAY_LEN(limits))];
		if (!c->two && below(x, 400) == 0) {
			x->w.nat = true;
			x->w.nat_addr =
			    world_addr(70 + (unsigned)below(x, 9), 4000);
		}
		world_run(&x->w, x->w.now + 1 + below(x, 40));
	}
	x->w.loss = MIN_OF(x->w.loss, 80u);
	c->cut[0] = c->cut[1] = false;
	for (end = x->w.now + 300000; !crowd_over(c);) {
		ck_assert_msg(x->w.now < end,
		    "UNIT_SEED=%llu: %zu and %zu left",
		    (unsigned long long)seed,
		    ssp_streams_count(crowd_streams(c, CLIENT)),
		    ssp_streams_count(crowd_streams(c, SERVER)));
		for (s = 0; s < SIDES; s++)
			crowd_turn(c, s);
		world_run(&x->w, x->w.now + 20);
	}
	for (i = 0; i < c->n; i++) {
		l = &c->l[i];
		for (s = 0; s < SIDES && !l->reset; s++)
			ck_assert_msg(l->flow[s].got == l->flow[s].total &&
					  l->flow[s].complete,
			    "UNIT_SEED=%llu, stream %llu",
			    (unsigned long long)seed,
			    (unsigned long long)l->id);
	}
	for (s = 0; s < SIDES; s++) {
		ssp_transport_stats(x->b[s].tp, x->w.now, &st);
		wide += st.lane_parts;
	}
	session_close(x);
	mem_free(c);
	return wide;
}

/* Both ends open, end and give up streams; each byte comes, or the reset. */
START_TEST(random_streams)
{
	const unsigned n = unit_rounds(40);
	const uint64_t seed = unit_seed(500);
	uint64_t wide = 0;
	unsigned i;

	for (i = 0; i < n; i++)
		wide += crowd_live(seed + i);
	printf("# random streams: %llu datagrams by a second path\n",
	    (unsigned long long)wide);
	ck_assert(wide > 0 || n < 40);
}
END_TEST

/* --- frames --- */

/* The vectors of doc/PROTOCOL.md. */
START_TEST(bytes_of_frames)
{
	static const uint8_t data[] = { 0x40, 0x40, 0x07, 0x00, 0x00, 0x68,
		0x65, 0x6c, 0x6c, 0x6f };
	static const uint8_t credit[] = { 0x40, 0x41, 0x05, 0x00, 0x80, 0x01,
		0x40, 0x05 };
	static const uint8_t opened[] = { 0x40, 0x42, 0x04, 0x02, 'f', 'o', 'r',
		0x40, 0x40, 0x04, 0x02, 0x00, 'h', 'i' };
	static const uint8_t end[] = { 0x40, 0x43, 0x02, 0x02, 0x02 };
	static const uint8_t reset[] = { 0x40, 0x44, 0x04, 0x02, 0x04, 'n',
		'o' };
	struct ssp_core core = { .link = SSP_LINK_DATAGRAM };
	struct ssp_streams *a = ssp_streams_new(&core, true);
	struct ssp_streams *b = ssp_streams_new(&core, false);
	uint8_t out[200], fill[16389] = { 0 };
	const char *text;
	struct wr w;
	size_t n;

	ck_assert(ssp_streams_fixed(a, 0) && ssp_streams_fixed(b, 0));
	ck_assert(!ssp_streams_fixed(a, 0));
	ssp_streams_allow(a, SSP_STREAMS_OLD);
	ck_assert_uint_eq(
	    ssp_streams_open(a, SSP_PRIO_FLOW, "x", 1), SSP_STREAM_NONE);
	ck_assert_uint_eq(ssp_streams_put(a, 0, "hello", 5), 5);
	wr_init(&w, out, sizeof(out));
	ck_assert_uint_eq(
	    ssp_streams_write(a, 10, 1, &w, 10), SSP_STREAMS_DATA);
	ck_assert_uint_eq(wr_len(&w), sizeof(data));
	ck_assert_mem_eq(out, data, sizeof(data));
	ck_assert_int_eq(
	    ssp_streams_read(b, SSP_FRAME_STREAM, data + 3, sizeof(data) - 3),
	    0);
	ck_assert_mem_eq(ssp_streams_peek(b, 0, &n), "hello", 5);
	/* Bytes of a stream that is not open are dropped. */
	memcpy(out, data, sizeof(data));
	out[3] = 5;
	ck_assert_int_eq(
	    ssp_streams_read(b, SSP_FRAME_STREAM, out + 3, sizeof(data) - 3),
	    0);
	for (n = 0; n < 2; n++)
		ck_assert_int_ne(
		    ssp_streams_read(b, SSP_FRAME_STREAM, data + 3, n), 0);

	/* As if the peer had sent so much, and it was taken. */
	for (n = 0; n < sizeof(fill); n += 1000) {
		wr_init(&w, out, sizeof(out));
		wr_varint(&w, 0);
		wr_varint(&w, n);
		memmove(fill, out, wr_len(&w));
		ck_assert_int_eq(
		    ssp_streams_read(a, SSP_FRAME_STREAM, fill,
			wr_len(&w) + MIN_OF((size_t)1000, sizeof(fill) - n)),
		    0);
	}
	while (ssp_streams_peek(a, 0, &n) != NULL)
		ssp_streams_taken(a, 10, 0, n);
	wr_init(&w, out, sizeof(out));
	ck_assert_uint_eq(
	    ssp_streams_write(a, 20, 2, &w, MONO_NEVER), SSP_STREAMS_CONTROL);
	ck_assert_uint_eq(wr_len(&w), sizeof(credit));
	ck_assert_mem_eq(out, credit, sizeof(credit));
	ck_assert_int_eq(ssp_streams_read(b, SSP_FRAME_CREDIT, credit + 3,
			     sizeof(credit) - 3),
	    0);
	ck_assert_uint_eq(ssp_streams_room(b, 0), 81925 + SSP_STREAM_BUFFER);

	/* A stream that the client opens, ends and gives up. */
	ssp_streams_allow(a, SSP_STREAMS_ALL);
	ck_assert_uint_eq(ssp_streams_open(a, SSP_PRIO_FLOW, "for", 3), 2);
	ck_assert_uint_eq(ssp_streams_put(a, 2, "hi", 2), 2);
	wr_init(&w, out, sizeof(out));
	ck_assert_uint_eq(ssp_streams_write(a, 30, 3, &w, 30),
	    SSP_STREAMS_CONTROL | SSP_STREAMS_DATA);
	ck_assert_uint_eq(wr_len(&w), sizeof(opened));
	ck_assert_mem_eq(out, opened, sizeof(opened));
	ssp_streams_acked(a, 3);
	ssp_streams_end(a, 2);
	wr_init(&w, out, sizeof(out));
	(void)ssp_streams_write(a, 40, 4, &w, 40);
	ck_assert_uint_eq(wr_len(&w), sizeof(end));
	ck_assert_mem_eq(out, end, sizeof(end));
	ssp_streams_reset(a, 2, SSP_REASON_FAILED, "no");
	wr_init(&w, out, sizeof(out));
	(void)ssp_streams_write(a, 50, 5, &w, 50);
	ck_assert_uint_eq(wr_len(&w), sizeof(reset));
	ck_assert_mem_eq(out, reset, sizeof(reset));
	ck_assert_uint_eq(ssp_streams_count(a), 2);
	ssp_streams_acked(a, 5);
	ck_assert_uint_eq(ssp_streams_count(a), 1);
	ck_assert(ssp_streams_check(a));

	/* Whoever does not accept drops it all. */
	ck_assert_int_eq(ssp_streams_read(b, SSP_FRAME_OPEN, opened + 3, 4), 0);
	ck_assert_uint_eq(ssp_streams_count(b), 1);
	ssp_streams_accept(b, true);
	while (ssp_streams_news(b) != SSP_STREAM_NONE)
		;
	ck_assert_int_eq(ssp_streams_read(b, SSP_FRAME_OPEN, opened + 3, 4), 0);
	ck_assert_uint_eq(ssp_streams_news(b), 2);
	ck_assert_mem_eq(ssp_streams_what(b, 2, &n), "for", 3);
	ck_assert_int_eq(
	    ssp_streams_read(b, SSP_FRAME_STREAM, opened + 10, 4), 0);
	ck_assert_mem_eq(ssp_streams_peek(b, 2, &n), "hi", 2);
	ck_assert_int_eq(ssp_streams_read(b, SSP_FRAME_END, end + 3, 2), 0);
	ck_assert_int_eq(ssp_streams_state(b, 2), SSP_STREAM_OPEN);
	ssp_streams_taken(b, 60, 2, 2);
	ck_assert_int_eq(ssp_streams_state(b, 2), SSP_STREAM_ENDED);
	ck_assert_int_eq(ssp_streams_read(b, SSP_FRAME_RESET, reset + 3, 4), 0);
	ck_assert_int_eq(ssp_streams_state(b, 2), SSP_STREAM_RESET);
	ck_assert_uint_eq(ssp_streams_reason(b, 2, &text), SSP_REASON_FAILED);
	ck_assert_str_eq(text, "no");
	ssp_streams_release(b, 2);
	ck_assert_uint_eq(ssp_streams_count(b), 1);
	/* Its OPEN comes once more. */
	ck_assert_int_eq(ssp_streams_read(b, SSP_FRAME_OPEN, opened + 3, 4), 0);
	ck_assert_uint_eq(ssp_streams_count(b), 1);
	ck_assert(ssp_streams_check(b));
	ssp_streams_free(a);
	ssp_streams_free(b);
}
END_TEST

/* Gives the frames of W to B; adds the bytes by stream, 1, 3, 5 ... */
static void
turns_take(struct ssp_streams *b, const struct wr *w, size_t got[4])
{
	struct ssp_frame f;
	uint64_t id;
	struct rd r;
	size_t n;

	rd_init(&r, w->start, wr_len(w));
	while (ssp_frame_next(&r, &f) > 0)
		ck_assert_int_eq(ssp_streams_read(b, f.type, f.body, f.len), 0);
	while ((id = ssp_streams_news(b)) != SSP_STREAM_NONE) {
		while (ssp_streams_peek(b, id, &n) != NULL) {
			got[id / 2] += n;
			ssp_streams_taken(b, 10, id, n);
		}
	}
}

/* Streams of equal rank share the link; urgent ones go first. */
START_TEST(streams_take_turns)
{
	struct ssp_core core = { .link = SSP_LINK_DATAGRAM };
	struct ssp_streams *a = ssp_streams_new(&core, false);
	struct ssp_streams *b = ssp_streams_new(&core, true);
	uint8_t out[600], fill[20000] = { 0 };
	size_t got[4] = { 0 };
	uint64_t id, pn;
	struct wr w;
	unsigned i;

	ssp_streams_allow(a, SSP_STREAMS_ALL);
	ssp_streams_accept(b, true);
	for (i = 0; i < 4; i++) {
		id = ssp_streams_open(
		    a, i == 3 ? SSP_PRIO_TALK : SSP_PRIO_FLOW, "x", 1);
		ck_assert_uint_eq(id, 2 * i + 1);
		ck_assert_uint_eq(
		    ssp_streams_put(a, id, fill, i == 3 ? 900 : 20000),
		    i == 3 ? 900 : 20000);
	}
	for (pn = 0; pn < 24; pn++) {
		wr_init(&w, out, sizeof(out));
		ck_assert_uint_ne(ssp_streams_write(a, 10 + pn, pn, &w, 10) &
				      SSP_STREAMS_DATA,
		    0);
		ck_assert_int_eq(w.err, 0);
		turns_take(b, &w, got);
		ck_assert(ssp_streams_check(a) && ssp_streams_check(b));
		if (pn == 1)
			ck_assert_uint_eq(got[3], 900);
	}
	for (i = 0; i < 3; i++)
		ck_assert_uint_gt(got[i], 2000);
	/* No room: it waits a little, instead of asking without end. */
	wr_init(&w, out, 10);
	ck_assert_uint_eq(ssp_streams_write(a, 10, 99, &w, 10), 0);
	ck_assert_uint_gt(ssp_streams_time(a, 10, 10), 10);
	ssp_streams_free(a);
	ssp_streams_free(b);
}
END_TEST

/* Returns how often the stream changes from datagram to datagram, of 48. */
static unsigned
turns_changes(unsigned ms)
{
	struct ssp_core core = { .link = SSP_LINK_DATAGRAM };
	struct ssp_streams *a = ssp_streams_new(&core, false);
	struct ssp_streams *b = ssp_streams_new(&core, true);
	uint8_t out[1000], fill[32768] = { 0 };
	unsigned i, last = 0, changes = 0;
	uint64_t pn;
	struct wr w;

	ssp_streams_allow(a, SSP_STREAMS_ALL);
	ssp_streams_accept(b, true);
	for (i = 0; i < 4; i++)
		ck_assert_uint_eq(
		    ssp_streams_put(a,
			ssp_streams_open(a, SSP_PRIO_FLOW, "x", 1), fill,
			sizeof(fill)),
		    sizeof(fill));
	for (pn = 0; pn < 48; pn++) {
		size_t got[4] = { 0 };

		wr_init(&w, out, sizeof(out));
		ck_assert_uint_ne(
		    ssp_streams_write(a, 10 + pn * ms, pn, &w, 10 + pn * ms) &
			SSP_STREAMS_DATA,
		    0);
		turns_take(b, &w, got);
		for (i = 0; got[i] == 0; i++)
			;
		changes += pn > 0 && i != last;
		last = i;
	}
	ssp_streams_free(a);
	ssp_streams_free(b);
	return changes;
}

/* What goes within a millisecond is of few streams: the reader writes it at once. */
START_TEST(fast_links_change_seldom)
{
	ck_assert_uint_le(turns_changes(0), 3);
	ck_assert_uint_eq(turns_changes(1), 47);
}
END_TEST

/* A table of streams is bounded, at both ends. */
START_TEST(too_many_streams)
{
	struct ssp_core core = { .link = SSP_LINK_DATAGRAM };
	struct ssp_streams *a = ssp_streams_new(&core, true);
	struct ssp_streams *b = ssp_streams_new(&core, false);
	uint8_t body[8];
	uint64_t i;
	struct wr w;

	ssp_streams_allow(a, SSP_STREAMS_ALL);
	ssp_streams_allow(b, SSP_STREAMS_ALL);
	ssp_streams_accept(b, true);
	for (i = 0;
	     ssp_streams_open(a, SSP_PRIO_BULK, "x", 1) != SSP_STREAM_NONE; i++)
		ck_assert_uint_lt(i, SSP_STREAMS_MAX);
	for (i = 1; i <= 50000; i++) {
		wr_init(&w, body, sizeof(body));
		wr_varint(&w, i * 2);
		ck_assert_int_eq(
		    ssp_streams_read(b, SSP_FRAME_OPEN, body, wr_len(&w)), 0);
	}
	ck_assert(ssp_streams_check(b));
	ck_assert_uint_le(
	    ssp_streams_count(b), SSP_STREAMS_MAX + SSP_STREAMS_OPENS);
	ssp_streams_free(a);
	ssp_streams_free(b);
}
END_TEST

/* However many streams wait for slow readers, what they keep is bounded. */
START_TEST(many_streams_keep_little)
{
	static const uint8_t bytes[65536];
	struct ssp_core core = { .link = SSP_LINK_DATAGRAM };
	struct ssp_streams *ss = ssp_streams_new(&core, true);
	uint64_t ids[SSP_STREAMS_OPENS - 10];
	size_t kept = 0, n = 0, i, k;

	ssp_streams_allow(ss, SSP_STREAMS_ALL);
	/* One of a few has all that it can use. */
	for (k = 0; k < 4; k++) {
		ids[n] = ssp_streams_open(ss, SSP_PRIO_FLOW, "x", 1);
		while (ssp_streams_put(ss, ids[n], bytes, sizeof(bytes)) > 0)
			;
		ck_assert_uint_ge(ssp_streams_kept(ss, ids[n]),
		    SSP_STREAM_BUFFER + SSP_STREAMS_FIRST);
		n++;
	}
	while (n < ARRAY_LEN(ids)) {
		ids[n] = ssp_streams_open(ss, SSP_PRIO_FLOW, "x", 1);
		ck_assert_uint_ne(ids[n], SSP_STREAM_NONE);
		for (i = 0; i <= n; i++)
			while (ssp_streams_put(
				   ss, ids[i], bytes, sizeof(bytes)) > 0)
				;
		ck_assert_uint_ge(
		    ssp_streams_kept(ss, ids[n]), SSP_STREAMS_KEPT_LEAST);
		n++;
	}
	for (i = 0; i < n; i++)
		kept += ssp_streams_kept(ss, ids[i]);
	ck_assert_uint_le(kept, 4 * SSP_STREAMS_KEPT);
	ck_assert(ssp_streams_check(ss));
	ssp_streams_free(ss);
}
END_TEST

/* A full stream tells of room when it is worth a read, not with each ack. */
START_TEST(room_comes_in_large_pieces)
{
	static const uint8_t bytes[65536];
	struct ssp_core core = { .link = SSP_LINK_DATAGRAM };
	struct ssp_streams *ss = ssp_streams_new(&core, true);
	uint64_t id, pn = 0, acked = 0;
	uint8_t out[1000], body[16];
	unsigned news = 0;
	struct wr w;

	ssp_streams_allow(ss, SSP_STREAMS_ALL);
	id = ssp_streams_open(ss, SSP_PRIO_FLOW, "x", 1);
	while (ssp_streams_put(ss, id, bytes, sizeof(bytes)) > 0)
		;
	ck_assert(!ssp_streams_worth(ss, id));
	for (;;) {
		wr_init(&w, out, sizeof(out));
		if (ssp_streams_write(ss, 10 + pn, pn, &w, 10 + pn) == 0)
			break;
		pn++;
	}
	ck_assert_uint_ge(pn, 30);
	while (acked < pn) {
		ssp_streams_acked(ss, acked++);
		if (ssp_streams_news(ss) != id)
			continue;
		ck_assert(ssp_streams_worth(ss, id));
		while (ssp_streams_put(ss, id, bytes, sizeof(bytes)) > 0)
			;
		ck_assert(!ssp_streams_worth(ss, id));
		news++;
	}
	ck_assert_uint_le(news, 5);
	/* Credit tells at once. */
	wr_init(&w, body, sizeof(body));
	wr_varint(&w, id);
	wr_varint(&w, 3 * SSP_STREAMS_FIRST);
	ck_assert_int_eq(
	    ssp_streams_read(ss, SSP_FRAME_CREDIT, body, wr_len(&w)), 0);
	ck_assert_uint_eq(ssp_streams_news(ss), id);
	ck_assert(ssp_streams_worth(ss, id));
	ck_assert(ssp_streams_check(ss));
	ssp_streams_free(ss);
}
END_TEST

/* Drops the server's next long datagrams; *w->arg counts those left to drop. */
static bool
burst_lost(struct world *w, int from, const struct ssp_path_addr *path,
    uint8_t *p, size_t len)
{
	unsigned *left = w->arg;

	(void)path;
	(void)p;
	if (from != SERVER || *left == 0 || len < 600)
		return true;
	--*left;
	return false;
}

/* Writes at most MOST bytes, as many as the stream takes; returns their number. */
static size_t
burst_put(struct session *x, uint64_t id, uint64_t at, size_t most)
{
	struct ssp_streams *ss = ssp_transport_streams(x->b[SERVER].tp);
	uint8_t b[8192];
	size_t n, sum = 0;

	while (sum < most &&
	       (n = MIN_OF(sizeof(b), ssp_streams_room(ss, id))) > 0) {
		world_fill(SERVER, at + sum, b, n);
		sum += ssp_streams_put(ss, id, b, n);
	}
	return sum;
}

static size_t
burst_take(struct session *x, uint64_t id, uint64_t at)
{
	struct ssp_streams *ss = ssp_transport_streams(x->b[CLIENT].tp);
	const uint8_t *p;
	size_t n, sum = 0;

	while ((p = ssp_streams_peek(ss, id, &n)) != NULL) {
		ck_assert_uint_eq(world_right(SERVER, at + sum, p, n), n);
		ssp_streams_taken(ss, x->w.now, id, n);
		sum += n;
	}
	return sum;
}

/*
 * A queue that overflows drops hundreds of datagrams in a row, more than one ack
 * tells of: the stream goes on within some round trips.
 */
START_TEST(many_lost_in_a_row_are_sent_again_soon)
{
	static const struct opened how = { .closed = true, .all = true };
	static const unsigned bursts[] = { 100, 200, 300, 400 };
	uint64_t id, put = 0, got = 0;
	struct session x;
	unsigned left = 0, i = 0;
	mono_ms last, longest = 0;
	size_t n;

	session_open(&x, 31, &how);
	x.w.delay = 5;
	world_run(&x.w, x.w.now + 500);
	x.w.filter = burst_lost;
	x.w.arg = &left;
	ssp_streams_accept(ssp_transport_streams(x.b[CLIENT].tp), true);
	id = ssp_streams_open(
	    ssp_transport_streams(x.b[SERVER].tp), SSP_PRIO_BULK, "b", 1);
	last = x.w.now;
	while (got < 40000000) {
		put += burst_put(&x, id, put, 50000);
		world_run(&x.w, x.w.now + 1);
		/* Its answer may be acked late, bytes of a stream may not. */
		if (x.w.now % 50 == 0)
			type(&x);
		n = burst_take(&x, id, got);
		got += n;
		if (i < ARRAY_LEN(bursts) && got > 8000000 * (i + 1))
			left = bursts[i++];
		if (n == 0)
			continue;
		longest = MAX_OF(longest, x.w.now - last);
		last = x.w.now;
	}
	ck_assert_uint_eq(left, 0);
	ck_assert_msg(longest <= 40, "%u ms without a byte", (unsigned)longest);
	session_close(&x);
}
END_TEST

UNIT_SUITE(ssp_streams)
{
	Suite *s = suite_create("ssp/streams");
	TCase *tc = tcase_create("streams");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, bytes_of_frames);
	tcase_add_test(tc, streams_take_turns);
	tcase_add_test(tc, fast_links_change_seldom);
	tcase_add_test(tc, too_many_streams);
	tcase_add_test(tc, many_streams_keep_little);
	tcase_add_test(tc, room_comes_in_large_pieces);
	tcase_add_loop_test(
	    tc, bytes_arrive_in_order, 0, (int)ARRAY_LEN(links));
	tcase_add_test(tc, moves_and_silence_cost_no_byte);
	tcase_add_test(tc, a_dead_link_waits);
	tcase_add_test(tc, streams_carry_streams);
	tcase_add_test(tc, ssh_takes_over_and_gives_back);
	tcase_add_test(tc, a_peer_without_streams_gets_none);
	tcase_add_test(tc, a_stream_at_one_end_disturbs_nothing);
	tcase_add_test(tc, an_idle_stream_costs_no_datagram);
	tcase_add_test(tc, a_slow_reader_stops_the_writer);
	tcase_add_test(tc, the_end_delivers_all_bytes);
	tcase_add_test(tc, answers_come_soon);
	tcase_add_test(tc, many_lost_in_a_row_are_sent_again_soon);
	suite_add_tcase(s, tc);
	tc = tcase_create("lives");
	tcase_set_timeout(tc, 300);
	tcase_add_test(tc, random_streams);
	suite_add_tcase(s, tc);
	return s;
}
