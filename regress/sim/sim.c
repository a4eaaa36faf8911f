#include "regress/sim/sim.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"

#define SIM_CHANCE 1500 /* bytes of one delivery opportunity */

uint64_t
sim_rand(uint64_t *state)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

double
sim_real(uint64_t *state)
{
	return (double)(sim_rand(state) >> 11) / 9007199254740992.0;
}

uint64_t
sim_below(uint64_t *state, uint64_t n)
{
	return n == 0 ? 0 : sim_rand(state) % n;
}

double
sim_exp(uint64_t *state, double mean)
{
	return -mean * log(1 - sim_real(state));
}

void
sim_init(struct sim *s, uint64_t seed)
{
	memset(s, 0, sizeof *s);
	s->rng = seed;
}

void
sim_fini(struct sim *s)
{
	size_t i;

	for (i = 0; i < s->nheap; i++)
		mem_free(s->heap[i].data);
	mem_free(s->heap);
}

void
sim_links(struct sim *s, const struct sim_link_cfg *cfg)
{
	s->link[0].cfg = s->link[1].cfg = *cfg;
}

static bool
event_before(const struct sim_event *a, const struct sim_event *b)
{
	return a->time < b->time || (a->time == b->time && a->order < b->order);
}

static void
sim_push(struct sim *s, const struct sim_event *e)
{
	size_t i, up;

	if (s->nheap == s->cap) {
		s->cap = MAX_OF(s->cap * 2, (size_t)64);
		s->heap = mem_resize(s->heap, s->cap, sizeof *s->heap);
	}
	i = s->nheap++;
	s->heap[i] = *e;
	s->heap[i].order = s->order++;
	while (i > 0) {
		struct sim_event t;

		up = (i - 1) / 2;
		if (!event_before(&s->heap[i], &s->heap[up]))
			break;
		t = s->heap[i];
		s->heap[i] = s->heap[up];
		s->heap[up] = t;
		i = up;
	}
}

static struct sim_event
sim_pop(struct sim *s)
{
	struct sim_event top = s->heap[0], t;
	size_t i = 0, k;

	s->heap[0] = s->heap[--s->nheap];
	for (;;) {
		k = 2 * i + 1;
		if (k >= s->nheap)
			break;
		if (k + 1 < s->nheap &&
		    event_before(&s->heap[k + 1], &s->heap[k]))
			k++;
		if (!event_before(&s->heap[k], &s->heap[i]))
			break;
		t = s->heap[i];
		s->heap[i] = s->heap[k];
		s->heap[k] = t;
		i = k;
	}
	return top;
}

static bool
link_cut(const struct sim_link *l, sim_us now)
{
	unsigned i;

	for (i = 0; i < l->cfg.ncut; i++)
		if (now >= l->cfg.cut[i].from && now < l->cfg.cut[i].to)
			return true;
	return false;
}

/* Good and bad periods of exponential length; bad periods lose all. */
static bool
link_bad(struct sim *s, struct sim_link *l)
{
	double bad = (double)l->cfg.burst_len, mean;

	if (l->cfg.burst <= 0)
		return false;
	if (l->bad_until == 0)
		l->bad = sim_real(&s->rng) < l->cfg.burst;
	while (l->bad_until <= s->now) {
		if (l->bad_until > 0)
			l->bad = !l->bad;
		mean = l->bad ? bad : bad * (1 - l->cfg.burst) / l->cfg.burst;
		if (l->bad_until == 0)
			l->bad_until = s->now;
		l->bad_until += 1 + (sim_us)sim_exp(&s->rng, mean);
	}
	return l->bad;
}

static sim_us
chance_time(const struct sim_link *l)
{
	return l->offset + (sim_us)l->cfg.trace[l->chance] * SIM_MS;
}

static void
chance_next(struct sim_link *l)
{
	if (++l->chance < l->cfg.ntrace)
		return;
	l->offset += (sim_us)l->cfg.trace[l->cfg.ntrace - 1] * SIM_MS;
	l->chance = 0;
}

/* Returns when a datagram of LEN bytes leaves a trace-driven queue. */
static sim_us
link_chance(struct sim_link *l, sim_us now, size_t len)
{
	size_t need = len;

	if (l->busy <= now) {
		/*
		 * An empty queue wastes its chances and the rest of the current
		 * one.
		 */
		l->left = 0;
		while (chance_time(l) < now)
			chance_next(l);
	}
	if (l->left > 0) {
		size_t n = MIN_OF(need, l->left);

		need -= n;
		l->left -= n;
	}
	while (need > 0) {
		size_t n = MIN_OF(need, (size_t)SIM_CHANCE);

		l->left_at = chance_time(l);
		chance_next(l);
		l->left = SIM_CHANCE - n;
		need -= n;
	}
	return MAX_OF(l->left_at, now);
}

/* Returns when the datagram leaves the queue; SIM_NEVER if dropped. */
static sim_us
link_queue(struct sim_link *l, sim_us now, size_t len)
{
	sim_us start;

	if (l->cfg.trace != NULL)
		return l->busy = link_chance(l, now, len);
	if (l->cfg.rate == 0)
		return now;
	start = MAX_OF(l->busy, now);
	if (l->cfg.queue > 0 &&
	    (start - now) * l->cfg.rate / SIM_S + len > l->cfg.queue)
		return SIM_NEVER;
	l->busy = start + (sim_us)len * SIM_S / l->cfg.rate;
	return l->busy;
}

static void
sim_deliver(struct sim *s, unsigned from, sim_us when, const uint8_t *data,
    size_t len, bool ce)
{
	struct sim_link *l = &s->link[from];
	struct sim_event e = { .link = from, .len = len, .ce = ce };

	when += l->cfg.delay;
	if (l->cfg.jitter > 0)
		when += sim_below(&s->rng, l->cfg.jitter);
	if (!l->cfg.reorder)
		when = MAX_OF(when, l->last_out);
	l->last_out = when;
	e.time = when;
	e.sent = s->now;
	e.data = mem_dup(data, len);
	sim_push(s, &e);
}

void
sim_send(
    struct sim *s, unsigned from, const uint8_t *data, size_t len, size_t head)
{
	struct sim_link *l = &s->link[from];
	sim_us when;
	bool ce, queued;

	l->sent++;
	l->bytes += len + head;
	if (l->cfg.hole > 0 && len + head > l->cfg.hole) {
		l->swallowed++;
		return;
	}
	if (link_cut(l, s->now) || link_bad(s, l) ||
	    (l->cfg.loss > 0 && sim_real(&s->rng) < l->cfg.loss)) {
		l->lost++;
		return;
	}
	when = link_queue(l, s->now, len + head);
	if (when == SIM_NEVER) {
		l->lost++;
		return;
	}
	queued = when > s->now + 5 * SIM_MS;
	ce = queued && l->cfg.ce > 0 && sim_real(&s->rng) < l->cfg.ce;
	sim_deliver(s, from, when, data, len, ce);
	if (l->cfg.duplicate > 0 && sim_real(&s->rng) < l->cfg.duplicate)
		sim_deliver(s, from, when, data, len, ce);
}

void
sim_at(struct sim *s, sim_us when, sim_timer_fn fn, void *arg)
{
	struct sim_event e = { .time = when, .timer = fn, .arg = arg };

	sim_push(s, &e);
}

bool
sim_step(struct sim *s, sim_us end)
{
	struct sim_event e;
	struct sim_link *l;

	if (s->nheap == 0 || s->heap[0].time > end)
		return false;
	e = sim_pop(s);
	s->now = MAX_OF(s->now, e.time);
	if (e.data == NULL) {
		e.timer(e.arg, s->now);
		return true;
	}
	l = &s->link[e.link];
	l->delivered++;
	l->delivered_bytes += e.len;
	if (s->watch != NULL)
		s->watch(s->watch_arg, e.link, e.sent, s->now, e.len);
	s->recv[!e.link](
	    s->recv_arg[!e.link], s->now, e.data, e.len, e.ce, e.sent);
	mem_free(e.data);
	return true;
}

void
sim_run(struct sim *s, sim_us end)
{
	while (sim_step(s, end))
		;
	s->now = MAX_OF(s->now, end);
}
