#include "regress/unit/ssp_world.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/wire.h"
#include "ssp/frame.h"

#define TOY_REPEAT 100 /* ms */
#define TOY_VALUE SSP_FRAME_STATE
#define TOY_ACK SSP_FRAME_ACK
#define TOY_FILL SSP_FRAME_STREAM

mono_ms
world_clock(const struct world *w, int side)
{
	return w->now + w->skew[side];
}

uint64_t
world_random(struct world *w)
{
	uint64_t z = (w->seed += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static void
random_bytes(void *arg, void *out, size_t n)
{
	uint8_t *p = out;

	while (n-- > 0)
		*p++ = (uint8_t)world_random(arg);
}

static int
toy_recv(void *arg, mono_ms now, uint64_t pn, const uint8_t *p, size_t len)
{
	struct toy *t = arg;
	struct ssp_frame f;
	struct rd r, b;
	uint64_t v;
	int n;

	t->recvs++;
	t->last_pn = pn;
	rd_init(&r, p, len);
	while ((n = ssp_frame_next(&r, &f)) == 1) {
		rd_init(&b, f.body, f.len);
		if (f.type == TOY_VALUE) {
			v = rd_u64(&b);
			t->ack_due = true;
			if (v > t->remote) {
				t->remote = v;
				t->remote_at = now;
			}
		} else if (f.type == TOY_ACK) {
			v = rd_u64(&b);
			t->told = v > t->told ? v : t->told;
		}
	}
	return n;
}

static size_t
toy_send(void *arg, mono_ms now, uint64_t pn, uint8_t *out, size_t cap)
{
	static const uint8_t zeros[65536];
	struct toy *t = arg;
	uint8_t body[8];
	struct wr w, b;
	size_t n;

	(void)pn;
	wr_init(&w, out, cap);
	if (t->ack_due && wr_left(&w) >= 10) {
		wr_init(&b, body, 8);
		wr_u64(&b, t->remote);
		ssp_frame_put(&w, TOY_ACK, body, 8);
		t->ack_due = false;
	}
	if (t->told != t->value && now >= t->send_at && wr_left(&w) >= 10) {
		wr_init(&b, body, 8);
		wr_u64(&b, t->value);
		ssp_frame_put(&w, TOY_VALUE, body, 8);
		t->send_at = now + TOY_REPEAT;
	}
	if (t->bulk > 0 && wr_left(&w) > 8) {
		n = wr_left(&w) - 8;
		n = n > t->bulk ? t->bulk : n;
		ssp_frame_put(&w, TOY_FILL, zeros, n);
		t->bulk -= n;
	}
	ck_assert_int_eq(w.err, 0);
	return wr_len(&w);
}

static mono_ms
toy_deadline(void *arg, mono_ms now)
{
	struct toy *t = arg;

	if (t->ack_due || t->bulk > 0)
		return now;
	return t->told != t->value ? t->send_at : MONO_NEVER;
}

static void
toy_set_mtu(void *arg, size_t cap)
{
	((struct toy *)arg)->mtu = cap;
}

static void
toy_rtt(void *arg, mono_ms now, mono_ms sample)
{
	struct toy *t = arg;

	(void)now;
	t->rtts++;
	t->rtt = sample;
}

static void
toy_ecn(void *arg, mono_ms now)
{
	(void)now;
	((struct toy *)arg)->ces++;
}

static void
toy_poke(void *arg, mono_ms now, bool reset)
{
	struct toy *t = arg;

	t->pokes++;
	t->resets += reset;
	t->send_at = now;
}

static bool
toy_waiting(void *arg, mono_ms now)
{
	struct toy *t = arg;

	(void)now;

	return t->told != t->value;
}

static mono_ms
toy_held(void *arg)
{
	return ((struct toy *)arg)->w->held;
}

static void
toy_set_stream(void *arg, mono_ms now, bool stream)
{
	(void)now;
	((struct toy *)arg)->stream = stream;
}

static const struct ssp_payload_ops toy_ops = { toy_recv, toy_send,
	toy_deadline, toy_set_mtu, toy_rtt, toy_ecn, toy_poke, toy_waiting,
	toy_held, NULL, NULL, toy_set_stream, NULL, NULL, NULL };

struct ssp_addr
world_addr(unsigned host, unsigned port)
{
	struct ssp_addr a;

	memset(&a, 0, sizeof(a));
	a.kind = SSP_ADDR_UDP;
	a.len = 6;
	a.host = 4;
	a.bytes[0] = 10;
	a.bytes[3] = (uint8_t)host;
	a.bytes[4] = (uint8_t)(port >> 8);
	a.bytes[5] = (uint8_t)port;
	return a;
}

struct ssp_path_addr
world_path(unsigned local, unsigned remote)
{
	struct ssp_path_addr p;

	p.local = world_addr(local >> 16, local & 0xffff);
	p.remote = world_addr(remote >> 16, remote & 0xffff);
	return p;
}

void
world_init(struct world *w, uint64_t seed)
{
	size_t i;
	int s;

	memset(w, 0, sizeof(*w));
	w->now = 1000;
	w->seed = seed;
	w->delay = 50;
	w->keyring = ssp_keyring_new(SSP_SECRETS_LEN, 8, 64);
	ck_assert_ptr_nonnull(w->keyring);
	for (i = 0; i < sizeof(w->psk); i++)
		w->psk[i] = (uint8_t)(i + seed);
	for (s = 0; s < SIDES; s++) {
		w->toy[s].w = w;
		w->toy[s].side = s;
		ssp_conn_cfg_init(&w->cfg[s]);
		w->cfg[s].caps = SSP_CAP_PATHS;
		w->cfg[s].cid = UINT64_C(0x1122334455667788) ^ seed;
		w->cfg[s].psk = w->psk;
		w->cfg[s].keyring = w->keyring;
		w->cfg[s].payload.ops = &toy_ops;
		w->cfg[s].payload.arg = &w->toy[s];
		w->cfg[s].random = random_bytes;
		w->cfg[s].random_arg = w;
	}
}

void
world_open(struct world *w)
{
	struct ssp_path_addr path = world_path(1 << 16 | 5000, 2 << 16 | 60000);

	ck_assert_int_eq(ssp_conn_server_accept(&w->cfg[SERVER],
			     world_clock(w, SERVER), &w->conn[SERVER]),
	    0);
	ck_assert_int_eq(ssp_conn_client_new(&w->cfg[CLIENT],
			     world_clock(w, CLIENT), &w->conn[CLIENT]),
	    0);
	ck_assert_int_eq(
	    ssp_conn_path_add(w->conn[CLIENT], world_clock(w, CLIENT), &path),
	    0);
}

void
world_fini(struct world *w)
{
	size_t i;

	for (i = 0; i < w->queued; i++)
		mem_free(w->queue[i].data);
	ssp_conn_free(w->conn[CLIENT]);
	ssp_conn_free(w->conn[SERVER]);
	ssp_keyring_free(w->keyring);
}

static void
world_post(struct world *w, int from, const struct ssp_path_addr *path,
    uint8_t *p, size_t len)
{
	struct packet *k;

	w->sent[from]++;
	w->sent_bytes[from] += len;
	if (w->filter != NULL && !w->filter(w, from, path, p, len))
		return;
	if (w->mtu != 0 && len > w->mtu)
		return;
	if (w->loss > 0 && world_random(w) % 1000 < w->loss)
		return;
	if (w->queued == WORLD_PACKETS)
		ck_abort_msg("too many datagrams fly");
	k = &w->queue[w->queued++];
	k->at = w->now + w->delay;
	if (w->jitter > 0)
		k->at += world_random(w) % w->jitter;
	k->order = w->order++;
	k->to = !from;
	k->from.local = path->remote;
	k->from.remote = path->local;
	if (w->nat && from == CLIENT)
		k->from.remote = w->nat_addr;
	if (w->nat && from == SERVER) {
		/* Translate back while the NAT mapping lasts. */
		if (!ssp_addr_equal(&path->remote, &w->nat_addr)) {
			w->queued--;
			return;
		}
		k->from.local = world_addr(1, 5000);
	}
	k->len = len;
	k->data = mem_dup(p, len);
}

static void
world_events(struct world *w, int side)
{
	struct ssp_conn_event ev;
	struct ssp_path_addr path;

	while (ssp_conn_event(w->conn[side], &ev)) {
		w->events[side][ev.type]++;
		if (ev.type != SSP_CONN_EV_NEW_SOCKET)
			continue;
		w->last_hop = ev;
		if (!w->auto_hop)
			continue;
		path = ev.addr;
		path.local = world_addr(1, 5001 + w->hops++);
		ssp_conn_path_add(w->conn[side], world_clock(w, side), &path);
	}
}

void
world_flush(struct world *w)
{
	static uint8_t out[70000];
	struct ssp_path_addr to;
	size_t n;
	int s, rounds;

	for (s = 0; s < SIDES; s++) {
		for (rounds = 0; rounds < 400; rounds++) {
			memset(&to, 0, sizeof(to));
			n = ssp_conn_output(w->conn[s], world_clock(w, s), &to,
			    out, w->cfg[s].plain ? sizeof(out) : 17000);
			world_events(w, s);
			if (n == 0)
				break;
			world_post(w, s, &to, out, n);
		}
		/* Each assertion is a system call: none where much passes. */
		if (rounds == 400)
			ck_abort_msg("side %d never stops", s);
	}
}

int
world_inject(struct world *w, int side, const struct ssp_path_addr *from,
    const uint8_t *p, size_t len)
{
	uint8_t *copy = mem_dup(p, len);
	int r;

	r = ssp_conn_input(
	    w->conn[side], world_clock(w, side), from, w->ecn, copy, len);
	mem_free(copy);
	world_events(w, side);
	return r;
}

/* Returns the packet due first, or NULL. */
static struct packet *
world_next(struct world *w)
{
	struct packet *best = NULL;
	size_t i;

	for (i = 0; i < w->queued; i++)
		if (best == NULL || w->queue[i].at < best->at ||
		    (w->queue[i].at == best->at &&
			w->queue[i].order < best->order))
			best = &w->queue[i];
	return best;
}

static mono_ms
world_deadline(struct world *w)
{
	struct packet *k = world_next(w);
	mono_ms t = k == NULL ? MONO_NEVER : k->at, d;
	int s;

	for (s = 0; s < SIDES; s++) {
		d = ssp_conn_deadline(w->conn[s], world_clock(w, s));
		if (d != MONO_NEVER)
			t = mono_min(t, d - w->skew[s]);
	}
	return t;
}

/* Reports the side that is stuck. */
static void
world_stuck(struct world *w)
{
	const struct ssp_payload *p;
	mono_ms now;
	int s;

	for (s = 0; s < SIDES; s++) {
		p = &w->cfg[s].payload;
		now = world_clock(w, s);
		fprintf(stderr,
		    "side %d at %llu: deadline %llu, payload %llu\n", s,
		    (unsigned long long)now,
		    (unsigned long long)ssp_conn_deadline(w->conn[s], now),
		    (unsigned long long)p->ops->deadline(p->arg, now));
	}
	ck_abort_msg("time stands still at %llu", (unsigned long long)w->now);
}

void
world_run(struct world *w, mono_ms until)
{
	struct packet *k, got;
	mono_ms t, last = 0;
	unsigned stuck = 0;

	for (;;) {
		world_flush(w);
		t = world_deadline(w);
		if (t > until)
			break;
		stuck = t == last ? stuck + 1 : 0;
		if (stuck >= 3000)
			world_stuck(w);
		last = t;
		w->now = t > w->now ? t : w->now;
		while ((k = world_next(w)) != NULL && k->at <= w->now) {
			got = *k;
			*k = w->queue[--w->queued];
			ssp_conn_input(w->conn[got.to], world_clock(w, got.to),
			    &got.from, w->ecn, got.data, got.len);
			world_events(w, got.to);
			mem_free(got.data);
		}
	}
	w->now = until > w->now ? until : w->now;
}

void
world_bump(struct world *w, int side)
{
	w->toy[side].value++;
	w->toy[side].send_at = world_clock(w, side);
}

bool
world_settle(struct world *w, mono_ms limit)
{
	mono_ms end = w->now + limit;

	while (w->now < end) {
		if (w->toy[CLIENT].remote == w->toy[SERVER].value &&
		    w->toy[SERVER].remote == w->toy[CLIENT].value &&
		    w->toy[CLIENT].told == w->toy[CLIENT].value &&
		    w->toy[SERVER].told == w->toy[SERVER].value)
			return true;
		world_run(w, w->now + 1);
	}
	return false;
}

struct ssp_conn_stats
world_stats(struct world *w, int side)
{
	struct ssp_conn_stats st;

	ssp_conn_stats(w->conn[side], &st);
	return st;
}

uint8_t
world_byte(int side, uint64_t at)
{
	return (uint8_t)(((at + (uint64_t)side * 77777) * 2654435761U) >> 13);
}

void
world_fill(int side, uint64_t at, uint8_t *p, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		p[i] = world_byte(side, at + i);
}

size_t
world_right(int side, uint64_t at, const uint8_t *p, size_t n)
{
	size_t i;

	for (i = 0; i < n && p[i] == world_byte(side, at + i); i++)
		;
	return i;
}

bool
world_sends_to(struct world *w, int side, const struct ssp_addr *a)
{
	struct ssp_conn_stats st = world_stats(w, side);

	return ssp_addr_equal(&st.active.remote, a);
}
