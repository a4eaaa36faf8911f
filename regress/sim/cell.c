#include "regress/sim/cell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "regress/sim/keys.h"
#include "regress/sim/pair.h"
#include "ssp/compress.h"

#define CELL_TRACE_MAX (4u << 20)
#define CELL_FRAME (10 * SIM_MS) /* interval of full-screen changes */
#define CELL_KEYS 100000

struct cell {
	struct pair p;
	const struct cell_cfg *cfg;
	uint64_t rng;
	struct ages ages;
	uint64_t bytes;
	uint64_t states;
	sim_us key_at;
	uint64_t key_num;
	double *key;
	unsigned nkey;
};

static void
cell_watch(void *arg, unsigned link, sim_us sent, sim_us now, size_t len)
{
	struct cell *c = arg;

	if (link != 1)
		return;
	if (now > c->ages.from && now <= c->ages.to)
		c->bytes += len + PAIR_HEAD - 12;
	ages_see(&c->ages, sent, now);
}

static void
cell_change(void *arg, sim_us now)
{
	struct cell *c = arg;

	toy_screen_fill(pair_screen(&c->p), &c->rng);
	pair_kick(&c->p, 1);
	sim_at(&c->p.sim, now + CELL_FRAME, cell_change, c);
}

static void
cell_type(void *arg, sim_us now)
{
	struct cell *c = arg;

	if (c->key_at == 0) {
		c->key_at = now;
		toy_log_add(pair_log(&c->p), "x", 1);
		c->key_num = pair_log(&c->p)->end;
		pair_kick(&c->p, 0);
	}
	sim_at(&c->p.sim, now + 500 * SIM_MS, cell_type, c);
}

static void
cell_news(void *arg, struct pair_end *e, sim_us now)
{
	struct cell *c = arg;

	ssp_transport_remote_seen(e->tp);
	if (e->i == 1) {
		pair_screen(&c->p)->echo = pair_remote_log(&c->p)->end;
		ssp_transport_changed(e->tp, pair_now(e));
		return;
	}
	if (now > c->ages.from)
		c->states++;
	if (c->key_at > 0 && pair_remote_screen(&c->p)->echo >= c->key_num) {
		if (now > c->ages.from && c->nkey < CELL_KEYS)
			c->key[c->nkey++] = (double)(now - c->key_at) / SIM_MS;
		c->key_at = 0;
	}
}

double
cell_perfect(const struct cell_cfg *cfg, sim_us from, sim_us to, double *bits)
{
	struct ages a;
	sim_us offset = 0, t = 0;
	size_t i;

	*bits = 0;
	ages_init(&a, from, to);
	for (i = 0; t <= to; i++) {
		if (i == cfg->ntrace) {
			offset += (sim_us)cfg->trace[i - 1] * SIM_MS;
			i = 0;
		}
		t = offset + (sim_us)cfg->trace[i] * SIM_MS + cfg->delay;
		if (t > from && t <= to)
			*bits += 1500 * 8;
		ages_see(&a, t - cfg->delay, t);
	}
	return ages_fini(&a, .95);
}

void
cell_run(const struct cell_cfg *cfg, struct cell_result *res)
{
	struct cell *c = mem_zalloc(sizeof *c);
	struct keys_result keys;
	struct pair_cfg pc;
	sim_us from, to;
	double bits;

	memset(&pc, 0, sizeof pc);
	memset(res, 0, sizeof *res);
	c->cfg = cfg;
	c->rng = 1;
	c->key = mem_calloc(CELL_KEYS, sizeof *c->key);
	from = (sim_us)cfg->skip * SIM_S;
	to = from + (sim_us)cfg->seconds * SIM_S;
	ages_init(&c->ages, from, to);
	pc.cols = 200;
	pc.rows = 100;
	pc.cc = cfg->cc;
	pc.sprout = cfg->sprout;
	pc.news = cell_news;
	pc.news_arg = c;
	pc.mtu = 1400;
	pair_init(&c->p, &pc, 1);
	c->p.sim.link[0].cfg.delay = c->p.sim.link[1].cfg.delay = cfg->delay;
	c->p.sim.link[0].cfg.loss = c->p.sim.link[1].cfg.loss = cfg->loss;
	c->p.sim.link[0].cfg.trace = cfg->back;
	c->p.sim.link[0].cfg.ntrace = cfg->nback;
	c->p.sim.link[1].cfg.trace = cfg->trace;
	c->p.sim.link[1].cfg.ntrace = cfg->ntrace;
	c->p.sim.watch = cell_watch;
	c->p.sim.watch_arg = c;
	sim_at(&c->p.sim, 0, cell_change, c);
	sim_at(&c->p.sim, 0, cell_type, c);
	while (c->p.broken == 0 && sim_step(&c->p.sim, to))
		;
	res->why = c->p.why;
	res->kbits = (double)c->bytes * 8 / 1000 / cfg->seconds;
	res->frames = (double)c->states / cfg->seconds;
	res->delay95 = ages_fini(&c->ages, .95);
	if (c->nkey > 0) {
		keys_stats(c->key, c->nkey, &keys);
		res->key95 = keys.p95;
	}
	res->omniscient95 = cell_perfect(cfg, from, to, &bits);
	res->self95 = res->delay95 - res->omniscient95;
	res->capacity = bits / 1000 / cfg->seconds;
	pair_fini(&c->p);
	mem_free(c->key);
	mem_free(c);
}

uint32_t *
cell_trace_load(const char *path, size_t *n)
{
	FILE *f = fopen(path, "r");
	uint32_t *t = NULL;
	char line[64];
	size_t cap = 0;

	*n = 0;
	if (f == NULL)
		return NULL;
	while (fgets(line, sizeof line, f) != NULL && *n < CELL_TRACE_MAX) {
		if (*n == cap) {
			cap = MAX_OF(cap * 2, (size_t)4096);
			t = mem_resize(t, cap, sizeof *t);
		}
		t[(*n)++] = (uint32_t)strtoul(line, NULL, 10);
	}
	fclose(f);
	return t;
}

uint32_t *
cell_trace_make(
    uint64_t seed, unsigned seconds, double lo, double hi, size_t *n)
{
	double rate = (lo + hi) / 2, t = 0, u, outage = 0;
	size_t cap = (size_t)(hi * 2 * seconds) + 16;
	uint32_t *out = mem_calloc(cap, sizeof *out);

	for (*n = 0; t < seconds * 1000.0 && *n < cap;) {
		if (outage > 0) {
			t += outage;
			outage = 0;
		}
		t += sim_exp(&seed, 1000 / rate);
		out[(*n)++] = (uint32_t)t + 1;
		/* the rate follows Brownian motion */
		u = sqrt(-2 * log(1 - sim_real(&seed))) *
		    cos(6.283185307179586 * sim_real(&seed));
		rate += u * 200 * sqrt(1 / rate);
		rate = CLAMP(rate, lo, hi);
		if (sim_real(&seed) < 0.0003)
			outage = sim_exp(&seed, 500);
	}
	return out;
}
