#include "regress/sim/stack.h"

#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "ssp/compress.h"

#define STACK_DGRAM 2000
#define STACK_MTU_MAX 1472
#define STACK_IP_UDP 28
#define STACK_SETTLE 120 /* seconds until equal after healing */
#define STACK_PADDED sizeof(struct ssp_path_addr)

mono_ms
stack_now(const struct stack_end *e)
{
	int64_t t = (int64_t)e->s->sim.now;

	t += t / 1000000 * e->drift + e->offset;
	return (mono_ms)(t / 1000);
}

/* Returns the true time at which the end's clock shows T. */
static sim_us
stack_when(const struct stack_end *e, mono_ms t)
{
	double x = ((double)t * 1000 - (double)e->offset) /
		   (1 + (double)e->drift / 1e6);

	if (t == MONO_NEVER || x > 1e18)
		return SIM_NEVER;
	return MAX_OF(x < 0 ? 0 : (sim_us)x, e->s->sim.now + 1);
}

static void
stack_break(struct stack *s, const char *why)
{
	if (s->why == NULL)
		s->why = why;
}

static struct ssp_addr
stack_addr(unsigned host, unsigned port)
{
	struct ssp_addr a;

	memset(&a, 0, sizeof a);
	a.kind = SSP_ADDR_UDP;
	a.len = 6;
	a.host = 4;
	a.bytes[0] = 10;
	a.bytes[2] = (uint8_t)(host >> 8);
	a.bytes[3] = (uint8_t)host;
	a.bytes[4] = (uint8_t)(port >> 8);
	a.bytes[5] = (uint8_t)port;
	return a;
}

static struct ssp_addr
stack_server_addr(void)
{
	return stack_addr(2, 60000);
}

/* The address of the client's socket N, at the client or at the server. */
static struct ssp_addr
stack_socket(unsigned n)
{
	return stack_addr(1, n + 1);
}

static struct ssp_addr
stack_outside(const struct stack *s, unsigned n)
{
	return stack_addr(100 + s->place, n + 1000 + 100 * s->nat_port);
}

/* The client sends: a NAT that has forgotten it takes another port. */
static void
stack_nat_out(struct stack *s)
{
	if (s->nat > 0 && s->sim.now - s->nat_at > s->nat && !s->nat_same)
		s->nat_port++;
	s->nat_at = s->sim.now;
}

/* Returns whether a datagram to the client passes its NAT. */
static bool
stack_nat_in(const struct stack *s)
{
	return s->nat == 0 || s->sim.now - s->nat_at <= s->nat;
}

/*
 * Translates the PATH of a datagram from END to the path that the receiver
 * sees; false if nobody is there.
 */
static bool
stack_route(const struct stack *s, unsigned end, struct ssp_path_addr *path)
{
	struct ssp_addr server = stack_server_addr(), mine, outside;
	unsigned n;

	for (n = 0; n < s->sockets; n++) {
		mine = stack_socket(n);
		outside = stack_outside(s, n);
		if (!s->open[n])
			continue;
		if (end == 0 && ssp_addr_equal(&path->local, &mine)) {
			if (!ssp_addr_equal(&path->remote, &server))
				return false;
			path->local = server;
			path->remote = outside;
			return true;
		}
		if (end == 1 && ssp_addr_equal(&path->remote, &outside)) {
			path->local = mine;
			path->remote = server;
			return true;
		}
	}
	return false;
}

static void
stack_open(struct stack *s)
{
	struct ssp_path_addr path;

	if (s->sockets == STACK_SOCKETS)
		return;
	path.local = stack_socket(s->sockets);
	path.remote = stack_server_addr();
	s->open[s->sockets++] = true;
	ssp_conn_path_add(s->end[0].conn, stack_now(&s->end[0]), &path);
}

static void
stack_events(struct stack_end *e)
{
	struct ssp_conn_event ev;
	struct ssp_addr a;
	unsigned n;

	while (ssp_conn_event(e->conn, &ev)) {
		if (ev.type == SSP_CONN_EV_SILENT)
			e->silent = true;
		if (ev.type == SSP_CONN_EV_HEARD)
			e->silent = false;
		if (ev.type == SSP_CONN_EV_CLOSED ||
		    ev.type == SSP_CONN_EV_FAILED)
			stack_break(e->s, "connection ended by itself");
		if (e->i == 0 && ev.type == SSP_CONN_EV_NEW_SOCKET)
			stack_open(e->s);
		for (n = 0; e->i == 0 && n < e->s->sockets &&
			    ev.type == SSP_CONN_EV_DROPPED;
		     n++) {
			a = stack_socket(n);
			if (ssp_addr_equal(&ev.addr.local, &a))
				e->s->open[n] = false;
		}
	}
}

static void stack_wake(void *arg, sim_us now);

void
stack_pump(struct stack_end *e)
{
	uint8_t dgram[STACK_PADDED + STACK_DGRAM];
	struct ssp_path_addr to;
	mono_ms now = stack_now(e), next;
	unsigned n = 0;
	size_t len;
	sim_us when;

	if (e->asleep_until > e->s->sim.now)
		return;
	if (e->turn != NULL)
		e->turn(e->turn_arg, e);
	while ((len = ssp_conn_output(e->conn, now, &to, dgram + STACK_PADDED,
		    STACK_DGRAM)) > 0) {
		if (++n > 20000 || len > STACK_MTU_MAX)
			stack_break(e->s, "sends too much");
		if (e->s->why != NULL)
			return;
		e->datagrams++;
		e->bytes += len + STACK_IP_UDP;
		stack_events(e);
		if (e->i == 0)
			stack_nat_out(e->s);
		else if (!stack_nat_in(e->s))
			continue;
		if (!stack_route(e->s, e->i, &to))
			continue;
		memcpy(dgram, &to, sizeof to);
		sim_send(&e->s->sim, e->i, dgram, len + STACK_PADDED,
		    STACK_IP_UDP - STACK_PADDED);
	}
	stack_events(e);
	if (!ssp_transport_check(e->bind.tp))
		stack_break(e->s, "ssp_transport_check");
	next = ssp_conn_deadline(e->conn, now);
	if (next <= now)
		next = now + 1;
	when = stack_when(e, next);
	if (when == SIM_NEVER || when == e->wake)
		return;
	e->wake = when;
	sim_at(&e->s->sim, when, stack_wake, e);
}

static void
stack_wake(void *arg, sim_us now)
{
	struct stack_end *e = arg;

	if (e->wake == now) /* else a newer timer replaced it */
		stack_pump(e);
}

/* The server echoes what it reads, as a shell would. */
static void
stack_news(struct stack_end *e)
{
	const struct toy_log *l;
	struct toy_screen *scr;

	ssp_transport_remote_seen(e->bind.tp);
	if (e->s->news != NULL)
		e->s->news(e->s->news_arg, e->i, e->s->sim.now);
	if (e->i == 0)
		return;
	scr = stack_screen(e->s);
	l = ssp_transport_remote(e->bind.tp, NULL);
	scr->cell[l->end % (scr->cols * scr->rows)] = (uint8_t)l->end;
	scr->echo = l->end;
	ssp_transport_changed(e->bind.tp, stack_now(e));
}

static void
stack_recv(void *arg, UNUSED sim_us at, const uint8_t *data, size_t len,
    bool ce, UNUSED sim_us sent)
{
	struct stack_end *e = arg;
	struct ssp_path_addr from;
	uint8_t copy[STACK_DGRAM];
	uint64_t before, num;

	if (e->asleep_until > e->s->sim.now)
		return;
	memcpy(&from, data, sizeof from);
	len -= STACK_PADDED;
	memcpy(copy, data + STACK_PADDED, len);
	ssp_transport_remote(e->bind.tp, &before);
	ssp_conn_input(e->conn, stack_now(e), &from, ce ? 3 : 0, copy, len);
	ssp_transport_remote(e->bind.tp, &num);
	if (num != before)
		stack_news(e);
	stack_pump(e);
}

static void
stack_random(void *arg, void *out, size_t n)
{
	struct stack *s = arg;
	uint8_t *p = out;

	while (n-- > 0)
		*p++ = (uint8_t)sim_rand(&s->rng);
}

static void
stack_end_init(struct stack *s, unsigned i, const struct stack_cfg *cfg)
{
	static const uint8_t psk[SSP_KEY_LEN] = { 42 };
	struct stack_end *e = &s->end[i];
	struct ssp_transport_cfg tc;
	struct ssp_conn_cfg cc;
	mono_ms now;
	int r;

	e->s = s;
	e->i = i;
	e->wake = SIM_NEVER;
	now = stack_now(e);
	ssp_transport_cfg_init(&tc, SSP_LINK_DATAGRAM);
	tc.local_ops = i == 0 ? &toy_log_ops : &toy_screen_ops;
	tc.remote_ops = i == 0 ? &toy_screen_ops : &toy_log_ops;
	tc.local = i == 0 ? (void *)toy_log_new()
			  : (void *)toy_screen_new(cfg->cols, cfg->rows);
	tc.remote = i == 0 ? (void *)toy_screen_new(cfg->cols, cfg->rows)
			   : (void *)toy_log_new();
	tc.zip = s->zip;
	if (i == 0)
		tc.flow_rx = SSP_FLOW_SCREEN;
	else
		tc.flow_tx = SSP_FLOW_SCREEN;
	tc.asks = i == 0;
	tc.cc = cfg->cc;
	tc.sprout = cfg->sprout;
	tc.verify = true;
	ssp_bind_transport(&e->bind, &tc, now);
	ssp_streams_accept(ssp_transport_streams(e->bind.tp), cfg->streams);
	ssp_conn_cfg_init(&cc);
	cc.cid = 7;
	cc.psk = psk;
	cc.keyring = s->keyring;
	cc.random = stack_random;
	cc.random_arg = s;
	cc.payload = ssp_bind_payload(&e->bind);
	if (cfg->paces)
		ssp_transport_pace(e->bind.tp, now, cfg->pace[i]);
	if (cfg->streams)
		cc.caps = SSP_CAP_STREAM | SSP_CAP_STREAMS | SSP_CAP_PACE;
	if (cfg->rekey_packets > 0)
		cc.rekey_packets = cfg->rekey_packets;
	r = i == 0 ? ssp_conn_client_new(&cc, now, &e->conn)
		   : ssp_conn_server_accept(&cc, now, &e->conn);
	bug_assert(r == 0);
	ssp_bind_conn(&e->bind, e->conn);
	s->sim.recv[i] = stack_recv;
	s->sim.recv_arg[i] = e;
}

void
stack_init(struct stack *s, const struct stack_cfg *cfg, uint64_t seed)
{
	int64_t offset[2] = { s->end[0].offset, s->end[1].offset };
	int64_t drift[2] = { s->end[0].drift, s->end[1].drift };
	unsigned i;

	memset(s, 0, sizeof *s);
	sim_init(&s->sim, seed);
	s->rng = seed * 3 + 1;
	s->keyring = ssp_keyring_new(SSP_SECRETS_LEN, 2, 4);
	s->zip = ssp_zip_new();
	for (i = 0; i < 2; i++) {
		s->end[i].offset = offset[i];
		s->end[i].drift = drift[i];
		stack_end_init(s, i, cfg);
	}
	stack_open(s);
}

void
stack_fini(struct stack *s)
{
	unsigned i;

	for (i = 0; i < 2; i++) {
		ssp_conn_free(s->end[i].conn);
		ssp_transport_free(s->end[i].bind.tp);
	}
	ssp_keyring_free(s->keyring);
	ssp_zip_free(s->zip);
	sim_fini(&s->sim);
}

struct toy_log *
stack_log(struct stack *s)
{
	return ssp_transport_current(s->end[0].bind.tp);
}

struct toy_screen *
stack_screen(struct stack *s)
{
	return ssp_transport_current(s->end[1].bind.tp);
}

void
stack_kick(struct stack *s, unsigned end)
{
	ssp_transport_changed(s->end[end].bind.tp, stack_now(&s->end[end]));
	stack_pump(&s->end[end]);
}

const struct toy_log *
stack_remote_log(const struct stack *s)
{
	return ssp_transport_remote(s->end[1].bind.tp, NULL);
}

const struct toy_screen *
stack_remote_screen(const struct stack *s)
{
	return ssp_transport_remote(s->end[0].bind.tp, NULL);
}

bool
stack_equal(const struct stack *s)
{
	struct ssp_transport *c = s->end[0].bind.tp, *v = s->end[1].bind.tp;

	return toy_log_ops.equal(
		   ssp_transport_current(c), ssp_transport_remote(v, NULL)) &&
	       toy_screen_ops.equal(
		   ssp_transport_current(v), ssp_transport_remote(c, NULL));
}

const char *
stack_run(struct stack *s, sim_us end)
{
	while (s->why == NULL && sim_step(&s->sim, end))
		;
	s->sim.now = MAX_OF(s->sim.now, end);
	return s->why;
}

bool
stack_settle(struct stack *s, sim_us end)
{
	while (s->why == NULL && !stack_equal(s))
		if (!sim_step(&s->sim, end))
			return false;
	return s->why == NULL;
}

/* Random lives. */

static uint64_t
between(struct stack *s, uint64_t lo, uint64_t hi)
{
	return lo + sim_below(&s->rng, hi - lo + 1);
}

static bool
chance(struct stack *s, unsigned percent)
{
	return sim_below(&s->rng, 100) < percent;
}

static void
life_link(struct stack *s)
{
	static const size_t holes[] = { 0, 0, 0, 1500, 1400, 1280, 900, 576 };
	struct sim_link_cfg c;
	size_t hole = holes[sim_below(&s->rng, ARRAY_LEN(holes))];

	memset(&c, 0, sizeof c);
	c.delay = between(s, 0, chance(s, 10) ? 900000 : 150000);
	c.jitter = chance(s, 40) ? between(s, 0, 40000) : 0;
	c.reorder = chance(s, 50);
	c.loss = chance(s, 50) ? (double)between(s, 0, 45) / 100 : 0;
	c.duplicate = chance(s, 20) ? 0.2 : 0;
	if (chance(s, 20)) {
		c.rate = between(s, 8000, 500000);
		c.queue = between(s, 6000, 60000);
	}
	if (chance(s, 15)) {
		c.burst = (double)between(s, 1, 40) / 100;
		c.burst_len = between(s, 1000, 150000);
	}
	c.hole = hole;
	s->sim.link[0].cfg = c;
	if (chance(s, 30)) /* another return path */
		c.delay = between(s, 0, 300000);
	s->sim.link[1].cfg = c;
}

static void
life_sleep(struct stack *s)
{
	sim_us until = s->sim.now + UINT64_C(48) * 3600 * SIM_S;

	s->end[0].asleep_until = s->end[1].asleep_until = until;
	s->end[0].wake = s->end[1].wake = SIM_NEVER;
	sim_run(&s->sim, until);
	s->sim.now = MAX_OF(s->sim.now, until);
	s->place++;
	ssp_conn_network_changed(s->end[0].conn, stack_now(&s->end[0]));
	stack_pump(&s->end[0]);
	stack_pump(&s->end[1]);
}

/* Injects random bytes from a random address. */
static void
life_attack(struct stack *s)
{
	struct ssp_path_addr from;
	uint8_t junk[300];
	unsigned i = (unsigned)sim_below(&s->rng, 2);
	size_t n = (size_t)between(s, 0, sizeof junk);

	from.local = i == 0 ? stack_socket(0) : stack_server_addr();
	from.remote = stack_addr(66, 66);
	stack_random(s, junk, n);
	if (n > 9 && chance(s, 70)) {
		memset(junk + 1, 0, 8);
		junk[8] = 7; /* connection id */
	}
	if (s->end[i].asleep_until <= s->sim.now &&
	    ssp_conn_input(
		s->end[i].conn, stack_now(&s->end[i]), &from, 0, junk, n) == 0)
		stack_break(s, "junk was taken for a datagram");
	stack_pump(&s->end[i]);
}

static void
life_step(struct stack *s)
{
	struct toy_screen *scr = stack_screen(s);
	uint8_t text[2000];
	size_t n = chance(s, 5) ? between(s, 1, sizeof text) : 1;

	switch (sim_below(&s->rng, 16)) {
	case 0:
		life_link(s);
		break;
	case 1:
		s->place++; /* a new NAT mapping, unknown to the client */
		break;
	case 2:
		s->place++;
		ssp_conn_network_changed(s->end[0].conn, stack_now(&s->end[0]));
		stack_pump(&s->end[0]);
		break;
	case 3: /* one direction fails for a while */
		s->sim.link[sim_below(&s->rng, 2)].cfg.loss = 1;
		stack_run(s, s->sim.now + between(s, 100000, 5000000));
		life_link(s);
		break;
	case 4:
		ssp_conn_rekey(s->end[sim_below(&s->rng, 2)].conn);
		break;
	case 5:
		life_attack(s);
		break;
	case 6:
		if (chance(s, 25))
			life_sleep(s);
		break;
	case 7:
		toy_screen_fill(scr, &s->rng);
		stack_kick(s, 1);
		break;
	case 8:
	case 9:
		toy_screen_scroll(scr, &s->rng);
		stack_kick(s, 1);
		break;
	default:
		memset(text, 'x', n);
		toy_log_add(stack_log(s), text, n);
		stack_kick(s, 0);
	}
	stack_run(s, s->sim.now + (sim_us)sim_exp(&s->rng, 200000));
}

/* Heals the network; both ends must soon agree and be quiet. */
static void
life_end(struct stack *s)
{
	struct sim_link_cfg good = { .delay = 30 * SIM_MS };
	struct ssp_transport_stats st;
	struct ssp_conn_stats cs;
	uint64_t before;
	unsigned i;

	s->sim.link[0].cfg = s->sim.link[1].cfg = good;
	toy_log_add(stack_log(s), "end", 3);
	stack_kick(s, 0);
	if (!stack_settle(s, s->sim.now + STACK_SETTLE * SIM_S))
		stack_break(s, "never equal");
	stack_run(s, s->sim.now + 30 * SIM_S);
	before = s->end[0].datagrams + s->end[1].datagrams;
	stack_run(s, s->sim.now + 30 * SIM_S);
	if (s->end[0].datagrams + s->end[1].datagrams - before > 140)
		stack_break(s, "not quiet when idle");
	for (i = 0; i < 2; i++) {
		ssp_transport_stats(
		    s->end[i].bind.tp, stack_now(&s->end[i]), &st);
		ssp_conn_stats(s->end[i].conn, &cs);
		if (st.mismatches > 0 || cs.drops[SSP_DROP_MALFORMED] > 0)
			stack_break(s, "mismatch or malformed");
		if (cs.paths > SSP_PATHS_MAX || cs.state != SSP_CONN_UP)
			stack_break(s, "state of the connection");
		if (st.reassembly > 0 || st.sent_states > 2)
			stack_break(s, "memory held at rest");
	}
	/* a key is fast again */
	toy_log_add(stack_log(s), "k", 1);
	stack_kick(s, 0);
	if (!stack_settle(s, s->sim.now + 500 * SIM_MS))
		stack_break(s, "not quick again");
}

const char *
stack_life(uint64_t seed)
{
	struct stack *s = mem_zalloc(sizeof *s);
	struct stack_cfg cfg = { 0 };
	const char *why;
	unsigned n, i;

	s->rng = seed;
	for (i = 0; i < 2; i++) {
		s->end[i].offset = (int64_t)between(s, 0, 200) * 1000000;
		if (chance(s, 10)) /* 32-bit milliseconds wrap soon */
			s->end[i].offset = INT64_C(4294967000) * 1000;
		s->end[i].drift = (int64_t)between(s, 0, 400) - 200;
	}
	cfg.cols = (uint32_t)between(s, 10, chance(s, 10) ? 120 : 40);
	cfg.rows = (uint32_t)between(s, 2, 20);
	cfg.rekey_packets = chance(s, 50) ? between(s, 30, 300) : 0;
	n = (unsigned)between(s, 5, 30);
	stack_init(s, &cfg, seed);
	life_link(s);
	stack_pump(&s->end[0]);
	stack_pump(&s->end[1]);
	while (n-- > 0 && s->why == NULL)
		life_step(s);
	if (s->why == NULL)
		life_end(s);
	why = s->why;
	stack_fini(s);
	mem_free(s);
	return why;
}
