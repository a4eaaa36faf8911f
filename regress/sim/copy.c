#include "regress/sim/copy.h"

#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "regress/sim/cell.h"
#include "ssp/streams.h"

#define COPY_KEYS 20000
#define COPY_STREAMS 64

/* One of the streams that share the copy. */
struct copy_part {
	uint64_t id, size, put, got;
};

struct copy {
	struct stack *s;
	const struct copy_cfg *cfg;
	struct ages ages;
	struct copy_part parts[COPY_STREAMS];
	unsigned nparts; /* 0: no copy */
	uint64_t got;
	uint64_t before; /* bytes that came before the measurement */
	sim_us from, to; /* measured between */
	sim_us key_at;   /* a key is under way since then */
	double ms[COPY_KEYS];
	unsigned keys;
	const char *why;
};

static uint8_t
copy_byte(uint64_t at)
{
	return (uint8_t)((at * 2654435761U) >> 11);
}

static struct ssp_streams *
copy_streams(const struct stack_end *e)
{
	return ssp_transport_streams(e->bind.tp);
}

static void
copy_put(struct copy_part *p, struct ssp_streams *ss)
{
	uint8_t b[16384];
	size_t n, i;

	while ((n = (size_t)MIN_OF((uint64_t)ssp_streams_room(ss, p->id),
		    p->size - p->put)) > 0) {
		n = MIN_OF(n, sizeof(b));
		for (i = 0; i < n; i++)
			b[i] = copy_byte(p->put + i);
		p->put += ssp_streams_put(ss, p->id, b, n);
	}
	if (p->put == p->size)
		ssp_streams_end(ss, p->id);
}

static void
copy_take(struct copy *c, struct copy_part *part, struct stack_end *e)
{
	struct ssp_streams *ss = copy_streams(e);
	const uint8_t *p;
	size_t n, i;

	while ((p = ssp_streams_peek(ss, part->id, &n)) != NULL) {
		for (i = 0; i < n && p[i] == copy_byte(part->got + i); i++)
			;
		if (i < n)
			c->why = "other bytes than were sent";
		part->got += n;
		c->got += n;
		if (c->s->sim.now < c->from)
			c->before = c->got;
		ssp_streams_taken(ss, stack_now(e), part->id, n);
	}
}

static struct copy_part *
copy_part(struct copy *c, uint64_t id)
{
	unsigned i;

	for (i = 0; i < c->nparts; i++)
		if (c->parts[i].id == id)
			return &c->parts[i];
	return NULL;
}

static void
copy_open(struct copy *c, struct ssp_streams *ss)
{
	const unsigned n = MAX_OF(c->cfg->streams, 1u);
	const uint64_t size = c->cfg->size > 0 ? c->cfg->size : UINT64_MAX;
	struct copy_part *p;

	while (c->nparts < n) {
		p = &c->parts[c->nparts++];
		p->id = ssp_streams_open(ss, SSP_PRIO_BULK, "copy", 4);
		p->size = size / n + (c->nparts == n ? size % n : 0);
		copy_put(p, ss);
	}
}

static void
copy_turn(void *arg, struct stack_end *e)
{
	struct ssp_streams *ss = copy_streams(e);
	struct copy *c = arg;
	const struct toy_screen *scr;
	struct copy_part *p;
	uint64_t num, id;

	while ((id = ssp_streams_news(ss)) != SSP_STREAM_NONE) {
		if ((p = copy_part(c, id)) == NULL)
			continue;
		if (e->i == 1)
			copy_put(p, ss);
		else
			copy_take(c, p, e);
	}
	if (e->i == 1)
		return;
	scr = ssp_transport_remote(e->bind.tp, &num);
	if (c->key_at == 0 || scr->echo != stack_log(c->s)->end)
		return;
	if (c->keys < COPY_KEYS && c->key_at >= c->from)
		c->ms[c->keys++] = (double)(c->s->sim.now - c->key_at) / SIM_MS;
	c->key_at = 0;
}

static void
copy_watch(void *arg, unsigned link, sim_us sent, sim_us now, UNUSED size_t len)
{
	struct copy *c = arg;

	if (link == 1)
		ages_see(&c->ages, sent, now);
}

static int
copy_order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
copy_share(const struct copy *c, unsigned percent)
{
	return c->keys == 0 ? 0 : c->ms[c->keys * percent / 100];
}

/* Copies and types until the size or the time is over. */
static void
copy_loop(struct copy *c)
{
	struct stack *s = c->s;
	sim_us type = s->sim.now + SIM_S;

	while (s->sim.now < c->to && c->why == NULL &&
	       (c->cfg->size == 0 || c->got < c->cfg->size)) {
		if (s->sim.now >= type && c->key_at == 0) {
			c->key_at = s->sim.now;
			toy_log_add(stack_log(s), "x", 1);
			stack_kick(s, 0);
			type = s->sim.now + 100 * SIM_MS +
			       sim_below(&s->rng, 100 * SIM_MS);
		}
		c->why = stack_run(s, s->sim.now + SIM_MS);
	}
}

void
copy_run(const struct copy_cfg *cfg, struct copy_result *res)
{
	struct stack_cfg sc = { .cols = 80,
		.rows = 24,
		.streams = true,
		.cc = cfg->cc,
		.paces = cfg->paces,
		.pace = { cfg->pace[0], cfg->pace[1] },
		.sprout = cfg->sprout };
	struct stack *s = mem_zalloc(sizeof(*s));
	struct copy *c = mem_zalloc(sizeof(*c));
	unsigned i;

	c->s = s;
	c->cfg = cfg;
	stack_init(s, &sc, cfg->seed > 0 ? cfg->seed : 1);
	s->sim.link[0].cfg = cfg->up;
	s->sim.link[1].cfg = cfg->down;
	stack_pump(&s->end[0]);
	stack_run(s, 3 * SIM_S);
	c->from = s->sim.now + (sim_us)cfg->skip * SIM_S;
	c->to = c->from + (sim_us)cfg->seconds * SIM_S;
	ages_init(&c->ages, c->from, c->to);
	s->sim.watch = copy_watch;
	s->sim.watch_arg = c;
	for (i = 0; i < 2; i++) {
		s->end[i].turn = copy_turn;
		s->end[i].turn_arg = c;
	}
	if (!cfg->idle)
		copy_open(c, copy_streams(&s->end[1]));
	stack_pump(&s->end[1]);
	copy_loop(c);
	memset(res, 0, sizeof(*res));
	res->took = (double)(s->sim.now - c->from) / SIM_S;
	res->kbits = (double)(c->got - c->before) * 8 / 1000 / res->took;
	/* A key that is still under way counts for as long as it has. */
	if (c->key_at >= c->from && c->keys < COPY_KEYS)
		c->ms[c->keys++] = (double)(s->sim.now - c->key_at) / SIM_MS;
	qsort(c->ms, c->keys, sizeof(*c->ms), copy_order);
	res->median = copy_share(c, 50);
	res->p95 = copy_share(c, 95);
	res->p99 = copy_share(c, 99);
	res->keys = c->keys;
	res->delay95 = ages_fini(&c->ages, .95);
	res->lost = (double)s->sim.link[1].lost / (double)s->sim.link[1].sent;
	for (i = 0; i < 2; i++)
		ssp_transport_pace_tell(
		    s->end[i].bind.tp, res->tell[i], sizeof(res->tell[i]));
	res->why = c->why;
	stack_fini(s);
	mem_free(s);
	mem_free(c);
}
