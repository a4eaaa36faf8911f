#include "regress/sim/keys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "regress/sim/pair.h"
#include "ssp/compress.h"
#include "ssp/trace.h"

#define KEYS_PATIENCE (200 * (sim_us)SIM_S)
#define KEYS_FLOOD_GAP (2 * SIM_MS) /* between lines of a flood */

/* Transmissions of states at one end. */
struct keys_sent {
	sim_us at;
	enum keys_late kind; /* KEYS_NEXT: not known here */
};

#define KEYS_RING 4096

struct keys;

struct keys_end {
	struct keys *k;
	struct keys_sent sent[KEYS_RING];
	unsigned n;
	sim_us timeout; /* the last one, of the newest state */
	bool again;     /* the newest state has had one */
};

struct keys {
	struct pair p;
	const struct keys_cfg *cfg;
	struct keys_result *res;
	uint64_t rng;
	sim_us *sent;
	double *ms;
	unsigned typed, done;
	uint64_t echoed; /* echoed by the program */
	uint64_t side;   /* bytes of side messages received */
	sim_us *had;     /* arrival of each key */
	struct keys_end end[2];
};

static void
keys_trace(void *arg, const struct ssp_trace_event *ev)
{
	struct keys_end *e = arg;
	struct keys_sent *s = &e->sent[e->n % KEYS_RING];
	sim_us now = e->k->p.sim.now;

	switch (ev->kind) {
	case SSP_TRACE_TIMEOUT:
		e->timeout = now;
		e->again = true;
		s->kind = KEYS_TIMEOUT;
		break;
	case SSP_TRACE_STATE_SENT:
		if (e->timeout != now)
			e->again = false;
		s->kind = e->again ? KEYS_TIMEOUT : KEYS_FIRST;
		break;
	case SSP_TRACE_COPY_SENT:
		s->kind = e->again ? KEYS_TIMEOUT : KEYS_COPY;
		break;
	default:
		return;
	}
	s->at = now;
	e->n++;
}

/* Returns what kind of transmission END made at AT, of news made at MADE. */
static enum keys_late
keys_kind(const struct keys_end *e, sim_us at, sim_us made)
{
	enum keys_late kind = KEYS_FIRST;
	unsigned i, first = e->n > KEYS_RING ? e->n - KEYS_RING : 0;

	for (i = e->n; i-- > first && e->sent[i % KEYS_RING].at >= at;)
		if (e->sent[i % KEYS_RING].at == at)
			kind = e->sent[i % KEYS_RING].kind;
	for (i++; i-- > first && e->sent[i % KEYS_RING].at >= made;)
		if (kind == KEYS_COPY &&
		    e->sent[i % KEYS_RING].kind == KEYS_FIRST &&
		    e->sent[i % KEYS_RING].at > made + 30 * SIM_MS)
			return KEYS_NEXT;
	if (kind == KEYS_FIRST && at > made + 30 * SIM_MS)
		return KEYS_NEXT;
	return kind;
}

/* Key I has just been shown: if it is late, finds what made it so. */
static void
keys_judge(struct keys *k, unsigned i, sim_us now)
{
	sim_us delay = k->cfg->link.delay, up, down;
	struct keys_result *r = k->res;
	enum keys_late kind;

	if (k->cfg->late <= 0 ||
	    k->ms[i] < (double)delay * 2 / SIM_MS + k->cfg->late)
		return;
	up = k->had[i] - k->sent[i] - delay;
	down = now - k->had[i] - delay;
	if (up >= down) {
		kind = keys_kind(&k->end[0], k->had[i] - delay, k->sent[i]);
		r->late_up[kind]++;
		r->lost_up[kind] += (double)up / SIM_MS;
		return;
	}
	kind = keys_kind(&k->end[1], now - delay, k->had[i]);
	r->late_down[kind]++;
	r->lost_down[kind] += (double)down / SIM_MS;
}

static void
keys_echo(struct keys *k, uint64_t upto)
{
	struct toy_screen *s = pair_screen(&k->p);

	for (; s->echo < upto; s->echo++)
		s->cell[s->echo % (s->cols * s->rows)] =
		    (uint8_t)('a' + s->echo % 26);
	ssp_transport_changed(k->p.end[1].tp, pair_now(&k->p.end[1]));
}

static void
keys_app(void *arg, UNUSED sim_us now)
{
	struct keys *k = arg;

	keys_echo(k, k->echoed);
	pair_pump(&k->p.end[1]);
}

static void
keys_flood(void *arg, sim_us now)
{
	struct keys *k = arg;

	toy_screen_scroll(pair_screen(&k->p), &k->rng);
	pair_kick(&k->p, 1);
	sim_at(&k->p.sim, now + KEYS_FLOOD_GAP, keys_flood, k);
}

static void
keys_side(void *arg, sim_us now)
{
	struct keys *k = arg;
	struct pair_end *e = &k->p.end[1];
	uint8_t bytes[4000];
	size_t n;

	memset(bytes, 'h', sizeof(bytes));
	while (ssp_transport_side_take(k->p.end[0].tp, &n) != NULL)
		k->side += n;
	if (ssp_transport_side_put(e->tp, pair_now(e), bytes, sizeof(bytes)))
		pair_pump(e);
	sim_at(&k->p.sim, now + 5 * SIM_MS, keys_side, k);
}

static void
keys_news(void *arg, struct pair_end *e, sim_us now)
{
	struct keys *k = arg;
	const struct toy_screen *s;
	unsigned i;

	ssp_transport_remote_seen(e->tp);
	if (e->i == 1) {
		for (i = (unsigned)k->echoed; i < pair_remote_log(&k->p)->end;
		     i++)
			k->had[i] = now;
		k->echoed = pair_remote_log(&k->p)->end;
		if (k->cfg->app > 0)
			sim_at(&k->p.sim, now + k->cfg->app, keys_app, k);
		else
			keys_echo(k, k->echoed);
		return;
	}
	s = pair_remote_screen(&k->p);
	for (; k->done < k->typed && k->done < s->echo; k->done++) {
		k->ms[k->done] = (double)(now - k->sent[k->done]) / SIM_MS;
		keys_judge(k, k->done, now);
	}
}

sim_us
keys_gap(enum keys_gap kind, uint64_t *rng)
{
	double u;

	if (kind == KEYS_ISOLATED)
		return 700 * SIM_MS + sim_below(rng, 600 * SIM_MS);
	if (sim_real(rng) < 0.03)
		return (sim_us)sim_exp(rng, 2.0 * SIM_S);
	/* log-normal: median 130 ms, 90 % within 60 and 290 */
	u = sqrt(-2 * log(1 - sim_real(rng))) *
	    cos(6.283185307179586 * sim_real(rng));
	return (sim_us)(130.0 * SIM_MS * exp(0.48 * u));
}

static int
keys_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void
keys_stats(double *ms, unsigned n, struct keys_result *res)
{
	double sum = 0, sq = 0;
	unsigned i;

	for (i = 0; i < n; i++) {
		sum += ms[i];
		sq += ms[i] * ms[i];
	}
	qsort(ms, n, sizeof *ms, keys_compare);
	res->mean = sum / n;
	res->sigma = sqrt(MAX_OF(sq / n - res->mean * res->mean, 0));
	res->median = ms[n / 2];
	res->p90 = ms[(size_t)n * 90 / 100];
	res->p95 = ms[(size_t)n * 95 / 100];
	res->p99 = ms[(size_t)n * 99 / 100];
	res->max = ms[n - 1];
}

static void
keys_type_all(struct keys *k)
{
	struct sim *s = &k->p.sim;
	unsigned i;

	for (i = 0; i < k->cfg->n && k->p.broken == 0; i++) {
		sim_run(s, s->now + (k->cfg->every > 0
					    ? k->cfg->every
					    : keys_gap(k->cfg->gap, &k->rng)));
		if (k->cfg->gap == KEYS_ISOLATED && k->cfg->every == 0)
			while (k->done < i && sim_step(s, s->now + SIM_S))
				;
		k->sent[i] = s->now;
		k->typed = i + 1;
		toy_log_add(pair_log(&k->p), "x", 1);
		pair_kick(&k->p, 0);
	}
	while (k->done < k->typed &&
	       sim_step(s, k->sent[k->typed - 1] + KEYS_PATIENCE))
		;
}

void
keys_run(const struct keys_cfg *cfg, struct keys_result *res)
{
	struct keys *k = mem_zalloc(sizeof *k);
	struct pair_cfg pc;
	uint64_t up, down, bytes;
	unsigned i;

	memset(res, 0, sizeof *res);
	memset(&pc, 0, sizeof pc);
	k->cfg = cfg;
	k->res = res;
	k->rng = cfg->seed + 1;
	k->sent = mem_calloc(cfg->n, sizeof *k->sent);
	k->ms = mem_calloc(cfg->n, sizeof *k->ms);
	k->had = mem_calloc(cfg->n, sizeof *k->had);
	for (i = 0; cfg->late > 0 && i < 2; i++) {
		k->end[i].k = k;
		pc.trace[i].fn = keys_trace;
		pc.trace[i].arg = &k->end[i];
	}
	pc.cols = cfg->cols > 0 ? cfg->cols : 80;
	pc.rows = cfg->rows > 0 ? cfg->rows : 24;
	pc.cc = cfg->cc;
	pc.zip = ssp_zip_new();
	pc.news = keys_news;
	pc.news_arg = k;
	pair_init(&k->p, &pc, cfg->seed);
	sim_links(&k->p.sim, &cfg->link);
	if (cfg->flood)
		sim_at(&k->p.sim, 0, keys_flood, k);
	if (cfg->side)
		sim_at(&k->p.sim, 0, keys_side, k);
	/* As after a handshake: one round trip is sampled. */
	toy_screen_scroll(pair_screen(&k->p), &k->rng);
	pair_kick(&k->p, 1);
	sim_run(&k->p.sim, 3 * SIM_S);
	up = k->p.end[0].datagrams;
	down = k->p.end[1].datagrams;
	bytes = k->p.end[0].bytes + k->p.end[1].bytes;
	keys_type_all(k);
	res->why = k->p.why;
	res->side = (double)k->side * SIM_S / (double)k->p.sim.now;
	if (k->done < cfg->n)
		res->why = "keys without echo";
	res->up = (double)(k->p.end[0].datagrams - up) / cfg->n;
	res->down = (double)(k->p.end[1].datagrams - down) / cfg->n;
	res->bytes =
	    (double)(k->p.end[0].bytes + k->p.end[1].bytes - bytes) / cfg->n;
	keys_stats(k->ms, cfg->n, res);
	pair_fini(&k->p);
	ssp_zip_free(pc.zip);
	mem_free(k->sent);
	mem_free(k->ms);
	mem_free(k->had);
	mem_free(k);
}
