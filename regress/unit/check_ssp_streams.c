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
#include "ssp/streams.h"

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
	unsigned rekey;
};

static uint64_t
below(struct session *x, uint64_t n)
{
	x->rng ^= x->rng << 13;
	x->rng ^= x->rng >> 7;
	x->rng ^= x->rng << 17;
	return x->rng % n;
}

/* The byte at offset AT of the stream of a side. */
static uint8_t
byte_at(int side, uint64_t at)
{
	return (uint8_t)(((at + (uint64_t)side * 77777) * 2654435761U) >> 13);
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
		cfg.local = s == CLIENT ? (void *)toy_log_new()
					: toy_screen_new(80, 24);
		cfg.remote = s == CLIENT ? (void *)toy_screen_new(80, 24)
					 : toy_log_new();
		ssp_bind_transport(&x->b[s], &cfg, x->w.now);
		if (!how->closed && (s == CLIENT || !how->alone))
			ck_assert(ssp_transport_stream_open(x->b[s].tp, ID));
		x->w.cfg[s].payload = ssp_bind_payload(&x->b[s]);
		x->w.cfg[s].plain = how->plain;
		if (s == CLIENT || !how->lacks)
			x->w.cfg[s].caps = SSP_CAP_STREAM;
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
	size_t n = 1 + (size_t)below(x, most), i;

	n = MIN_OF(n, (size_t)(x->total - x->put[side]));
	for (i = 0; i < n; i++)
		b[i] = byte_at(side, x->put[side] + i);
	x->put[side] += ssp_transport_stream_put(x->b[side].tp, ID, b, n);
}

/* Takes what has come from SIDE, and compares it. */
static void
take_some(struct session *x, int side)
{
	struct ssp_transport *tp = x->b[!side].tp;
	const uint8_t *p;
	size_t n, i;

	while (!x->slow[!side] &&
	       (p = ssp_transport_stream_peek(tp, ID, &n)) != NULL) {
		for (i = 0; i < n && p[i] == byte_at(side, x->got[side] + i);
		     i++)
			;
		ck_assert_uint_eq(i, n); /* one check: each costs a call */
		x->got[side] += n;
		ssp_transport_stream_taken(tp, ID, n);
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
} links[] = {
	{ "clean", 0, 0, 0, false },
	{ "clean, with objects", 0, 0, 0, true },
	{ "10 % loss", 100, 0, 0, true },
	{ "29 % loss", 290, 0, 0, false },
	{ "disorder", 50, 120, 0, true },
	{ "new keys", 100, 30, 60, true },
};

/* Bytes arrive in order, once, both ways. */
START_TEST(bytes_arrive_in_order)
{
	const struct link_row *l = &links[_i];
	const struct opened how = { .rekey = l->rekey };
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
			ck_assert_uint_gt(cs.epoch, 3);
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
	ck_assert_uint_eq(
	    ssp_transport_stream_put(x.b[CLIENT].tp, ID, b, sizeof(b)),
	    sizeof(b));
	type(&x);
	world_run(&x.w, x.w.now + 5000);
	ssp_transport_stats(x.b[CLIENT].tp, x.w.now, &st);
	ck_assert_uint_eq(st.stream_parts, 0);
	ck_assert_uint_eq(
	    ssp_transport_stream_kept(x.b[CLIENT].tp, ID), sizeof(b));
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
	ck_assert_uint_lt(st.bytes_received, SSP_STREAM_WINDOW + (size_t)60000);
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
	ck_assert_uint_eq(x.put[SERVER], SSP_STREAM_WINDOW + SSP_STREAM_BUFFER);
	ck_assert_uint_eq(
	    ssp_transport_stream_kept(x.b[SERVER].tp, ID), SSP_STREAM_BUFFER);
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

/* --- frames --- */

/* The vectors of doc/PROTOCOL.md. */
START_TEST(bytes_of_frames)
{
	static const uint8_t data[] = { 0x40, 0x40, 0x07, 0x00, 0x00, 0x68,
		0x65, 0x6c, 0x6c, 0x6f };
	static const uint8_t credit[] = { 0x40, 0x41, 0x05, 0x00, 0x80, 0x01,
		0x40, 0x05 };
	struct ssp_core core = { .link = SSP_LINK_DATAGRAM };
	struct ssp_streams *a = ssp_streams_new(&core);
	struct ssp_streams *b = ssp_streams_new(&core);
	uint8_t out[200], fill[16389] = { 0 };
	struct ssp_stream *s;
	struct wr w;
	size_t n;

	ck_assert(ssp_streams_open(a, 0) && ssp_streams_open(b, 0));
	ck_assert(!ssp_streams_open(a, 0));
	ssp_streams_allow(a, true);
	s = ssp_streams_find(a, 0);
	ck_assert_uint_eq(ssp_stream_put(s, "hello", 5), 5);
	wr_init(&w, out, sizeof(out));
	ck_assert_uint_eq(
	    ssp_streams_write(a, 10, 1, &w, 10), SSP_STREAMS_DATA);
	ck_assert_uint_eq(wr_len(&w), sizeof(data));
	ck_assert_mem_eq(out, data, sizeof(data));
	ck_assert_int_eq(ssp_streams_read(b, data + 3, sizeof(data) - 3), 0);
	ck_assert_mem_eq(
	    ssp_stream_peek(ssp_streams_find(b, 0), &n), "hello", 5);
	/* Bytes of a stream that is not open are dropped. */
	memcpy(out, data, sizeof(data));
	out[3] = 5;
	ck_assert_int_eq(ssp_streams_read(b, out + 3, sizeof(data) - 3), 0);
	for (n = 0; n < 2; n++)
		ck_assert_int_ne(ssp_streams_read(b, data + 3, n), 0);

	/* As if the peer had sent so much, and it was taken. */
	for (n = 0; n < sizeof(fill); n += 1000) {
		wr_init(&w, out, sizeof(out));
		wr_varint(&w, n);
		memmove(fill, out, wr_len(&w));
		ck_assert_int_eq(
		    ssp_stream_read(s, fill,
			wr_len(&w) + MIN_OF((size_t)1000, sizeof(fill) - n)),
		    0);
	}
	ssp_stream_taken(s, sizeof(fill));
	wr_init(&w, out, sizeof(out));
	ck_assert_uint_eq(
	    ssp_streams_write(a, 20, 2, &w, MONO_NEVER), SSP_STREAMS_CREDIT);
	ck_assert_uint_eq(wr_len(&w), sizeof(credit));
	ck_assert_mem_eq(out, credit, sizeof(credit));
	ck_assert_int_eq(
	    ssp_streams_credit_read(b, credit + 3, sizeof(credit) - 3), 0);
	ck_assert_uint_eq(ssp_streams_find(b, 0)->out.limit, 81925);
	ssp_streams_free(a);
	ssp_streams_free(b);
}
END_TEST

/* Several streams share the link, and a table of them is bounded. */
START_TEST(streams_take_turns)
{
	struct ssp_core core = { .link = SSP_LINK_DATAGRAM };
	struct ssp_streams *a = ssp_streams_new(&core);
	uint8_t out[600], fill[30000] = { 0 };
	uint64_t id, pn;
	struct wr w;

	for (id = 0; id < SSP_STREAMS_MAX; id++)
		ck_assert(ssp_streams_open(a, id * 1000000));
	ck_assert(!ssp_streams_open(a, 7));
	ssp_streams_allow(a, true);
	for (id = 0; id < 3; id++)
		ck_assert_uint_eq(
		    ssp_stream_put(
			ssp_streams_find(a, id * 1000000), fill, sizeof(fill)),
		    sizeof(fill));
	for (pn = 0; pn < 24; pn++) {
		wr_init(&w, out, sizeof(out));
		ck_assert_uint_eq(
		    ssp_streams_write(a, 10, pn, &w, 10), SSP_STREAMS_DATA);
		ck_assert_int_eq(w.err, 0);
		ck_assert(ssp_streams_check(a));
	}
	for (id = 0; id < 3; id++)
		ck_assert_uint_gt(
		    ssp_streams_find(a, id * 1000000)->out.tried, 2000);
	/* No room: it waits a little, instead of asking without end. */
	wr_init(&w, out, 10);
	ck_assert_uint_eq(ssp_streams_write(a, 10, 99, &w, 10), 0);
	ck_assert_uint_gt(ssp_streams_time(a, 10, 10), 10);
	ssp_streams_free(a);
}
END_TEST

UNIT_SUITE(ssp_streams)
{
	Suite *s = suite_create("ssp/streams");
	TCase *tc = tcase_create("streams");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, bytes_of_frames);
	tcase_add_test(tc, streams_take_turns);
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
	suite_add_tcase(s, tc);
	return s;
}
