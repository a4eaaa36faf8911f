#include "regress/sim/pair.h"

#include <string.h>

#include "base/mem.h"
#include "base/wire.h"

#define PAIR_DGRAM 70000
#define PAIR_STAMP_MAX 1000 /* ms that a timestamp waits for its reply */

mono_ms
pair_now(const struct pair_end *e)
{
	int64_t t = (int64_t)e->p->sim.now;

	t += t / 1000000 * e->drift + e->offset;
	return (mono_ms)(t / 1000);
}

/* Returns the true time at which the end's clock shows T. */
static sim_us
pair_when(const struct pair_end *e, mono_ms t)
{
	double x = ((double)t * 1000 - (double)e->offset) /
		   (1 + (double)e->drift / 1e6);
	sim_us when;

	if (t == MONO_NEVER || x > 1e18)
		return SIM_NEVER;
	when = x < 0 ? 0 : (sim_us)x;
	return MAX_OF(when, e->p->sim.now + 1);
}

static void
pair_break(struct pair *p, const char *why)
{
	if (p->broken++ == 0)
		p->why = why;
}

static void pair_wake(void *arg, sim_us now);

/* Writes and sends one datagram; false if there was nothing to send. */
static bool
pair_send_one(struct pair_end *e, mono_ms now)
{
	static const size_t head = 12;
	uint8_t dgram[PAIR_DGRAM];
	struct wr w;
	size_t n;
	uint16_t reply = 0xffff;

	n = ssp_transport_send(
	    e->tp, now, e->pn, dgram + head, sizeof dgram - head);
	if (n == 0)
		return false;
	if (n > e->mtu)
		pair_break(e->p, "payload above the path's size");
	e->largest_payload = MAX_OF(e->largest_payload, n);
	if (e->have_stamp && now - e->stamp_at < PAIR_STAMP_MAX) {
		reply = (uint16_t)(e->stamp + (now - e->stamp_at));
		e->have_stamp = false;
	}
	wr_init(&w, dgram, head);
	wr_u64(&w, e->pn++);
	wr_u16(&w, (uint16_t)now);
	wr_u16(&w, reply);
	e->datagrams++;
	e->bytes += n + PAIR_HEAD;
	sim_send(&e->p->sim, e->i, dgram, n + head, PAIR_HEAD - head);
	return true;
}

void
pair_pump(struct pair_end *e)
{
	mono_ms now = pair_now(e), next;
	unsigned n = 0;
	sim_us when;

	if (e->asleep_until > e->p->sim.now)
		return;
	while (pair_send_one(e, now))
		if (++n > 20000) {
			pair_break(e->p, "sends for ever");
			break;
		}
	if (!ssp_transport_check(e->tp))
		pair_break(e->p, "ssp_transport_check");
	next = ssp_transport_deadline(e->tp, now);
	if (next <= now) {
		e->spins++;
		next = now + 1;
	}
	when = pair_when(e, next);
	if (when == SIM_NEVER || when == e->wake)
		return;
	e->wake = when;
	sim_at(&e->p->sim, when, pair_wake, e);
}

static void
pair_wake(void *arg, sim_us now)
{
	struct pair_end *e = arg;

	if (e->wake != now) /* a newer timer replaced it */
		return;
	pair_pump(e);
}

static void
pair_recv(void *arg, UNUSED sim_us at, const uint8_t *data, size_t len, bool ce,
    UNUSED sim_us sent)
{
	struct pair_end *e = arg;
	mono_ms now = pair_now(e);
	uint64_t pn, num, before;
	uint16_t stamp, reply, rtt;
	struct rd r;

	if (e->asleep_until > e->p->sim.now)
		return;
	rd_init(&r, data, len);
	pn = rd_u64(&r);
	stamp = rd_u16(&r);
	reply = rd_u16(&r);
	if (ce)
		ssp_transport_ecn(e->tp, now);
	if (!e->any || pn > e->seen_pn) {
		e->any = true;
		e->seen_pn = pn;
		e->have_stamp = true;
		e->stamp = stamp;
		e->stamp_at = now;
		if (reply != 0xffff) {
			rtt = (uint16_t)((uint16_t)now - reply);
			if (rtt < 50000)
				ssp_transport_rtt(e->tp, now, rtt);
		}
	}
	ssp_transport_remote(e->tp, &before);
	if (ssp_transport_recv(e->tp, now, pn, r.p, rd_left(&r)) != 0)
		pair_break(e->p, "payload does not parse");
	ssp_transport_remote(e->tp, &num);
	if (num != before && e->p->cfg.news != NULL)
		e->p->cfg.news(e->p->cfg.news_arg, e, e->p->sim.now);
	else if (num != before)
		ssp_transport_remote_seen(e->tp);
	pair_pump(e);
}

void
pair_init(struct pair *p, const struct pair_cfg *cfg, uint64_t seed)
{
	struct ssp_transport_cfg c;
	struct pair_end *e;
	const struct ssp_object_ops *screen =
	    cfg->screen_ops != NULL ? cfg->screen_ops : &toy_screen_ops;
	unsigned i;

	memset(p, 0, sizeof *p);
	p->cfg = *cfg;
	sim_init(&p->sim, seed);
	for (i = 0; i < 2; i++) {
		e = &p->end[i];
		e->p = p;
		e->i = i;
		e->wake = SIM_NEVER;
		ssp_transport_cfg_init(&c, cfg->link);
		c.local_ops = i == 0 ? &toy_log_ops : screen;
		c.remote_ops = i == 0 ? screen : &toy_log_ops;
		c.local = i == 0 ? (void *)toy_log_new()
				 : toy_screen_new(cfg->cols, cfg->rows);
		c.remote = i == 0 ? (void *)toy_screen_new(cfg->cols, cfg->rows)
				  : toy_log_new();
		c.zip = cfg->zip;
		if (i == 0)
			c.flow_rx = SSP_FLOW_SCREEN;
		else
			c.flow_tx = SSP_FLOW_SCREEN;
		c.cc = cfg->cc;
		c.sprout = cfg->sprout;
		c.asks = i == 0;
		c.verify = cfg->verify;
		c.overhead = PAIR_HEAD;
		if (cfg->collect_set)
			c.collect_first = c.collect_more = cfg->collect;
		if (cfg->mtu > 0)
			c.mtu = cfg->mtu;
		c.trace = cfg->trace[i];
		e->mtu = c.mtu;
		e->tp = ssp_transport_new(&c, pair_now(e));
		p->sim.recv[i] = pair_recv;
		p->sim.recv_arg[i] = e;
	}
}

void
pair_fini(struct pair *p)
{
	ssp_transport_free(p->end[0].tp);
	ssp_transport_free(p->end[1].tp);
	sim_fini(&p->sim);
}

struct toy_log *
pair_log(struct pair *p)
{
	return ssp_transport_current(p->end[0].tp);
}

struct toy_screen *
pair_screen(struct pair *p)
{
	return ssp_transport_current(p->end[1].tp);
}

void
pair_kick(struct pair *p, unsigned end)
{
	ssp_transport_changed(p->end[end].tp, pair_now(&p->end[end]));
	pair_pump(&p->end[end]);
}

const struct toy_log *
pair_remote_log(const struct pair *p)
{
	return ssp_transport_remote(p->end[1].tp, NULL);
}

const struct toy_screen *
pair_remote_screen(const struct pair *p)
{
	return ssp_transport_remote(p->end[0].tp, NULL);
}

bool
pair_equal(const struct pair *p)
{
	return toy_log_ops.equal(
		   ssp_transport_current(p->end[0].tp), pair_remote_log(p)) &&
	       toy_screen_ops.equal(
		   ssp_transport_current(p->end[1].tp), pair_remote_screen(p));
}

bool
pair_settle(struct pair *p, sim_us end)
{
	while (p->broken == 0 &&
	       (!pair_equal(p) ||
		   ssp_transport_unacked(p->end[0].tp, pair_now(&p->end[0])) ||
		   ssp_transport_unacked(p->end[1].tp, pair_now(&p->end[1]))))
		if (!sim_step(&p->sim, end))
			return false;
	return p->broken == 0;
}
