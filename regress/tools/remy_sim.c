#include "regress/tools/remy_sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "regress/sim/sim.h"

#define REMY_DATAGRAM 1250.0 /* bytes: a Mbit/s is a tenth of one a ms */
#define REMY_ACK_EVERY 8
#define REMY_ACK_DELAY 20 /* ms */
#define REMY_RING 4096    /* datagrams or acks of a sender on the way */
#define REMY_NEVER 1e18

/* --- networks ------------------------------------------------------------- */

static const struct {
	const char *name;
	size_t at;
	bool range;
} remy_keys[] = {
	{ "rate", offsetof(struct remy_model, rate), true },
	{ "rtt", offsetof(struct remy_model, rtt), true },
	{ "senders", offsetof(struct remy_model, senders), true },
	{ "on", offsetof(struct remy_model, on), false },
	{ "off", offsetof(struct remy_model, off), false },
	{ "cell", offsetof(struct remy_model, cell), false },
};

static bool
remy_model_key(struct remy_model *m, const char *key, const char *value)
{
	char *end, *last;
	double lo = strtod(value, &end), hi = lo;
	size_t i;

	last = end;
	if (*end == '-')
		hi = strtod(end + 1, &last);
	if (end == value || *last != '\0' || !(lo >= 0) || !(hi >= lo))
		return false;
	for (i = 0; i < ARRAY_LEN(remy_keys); i++) {
		if (strcmp(remy_keys[i].name, key) != 0)
			continue;
		memcpy((char *)m + remy_keys[i].at, &lo, sizeof(lo));
		if (remy_keys[i].range)
			memcpy((char *)m + remy_keys[i].at + sizeof(lo), &hi,
			    sizeof(hi));
		return remy_keys[i].range || last == end;
	}
	return false;
}

bool
remy_model_parse(struct remy_model *m, const char *text)
{
	char buf[256], *p = buf, *word, *eq;

	*m = (struct remy_model){
		.rate = { 1, 30 }, .rtt = { 20, 200 }, .senders = { 1, 2 }
	};
	if (strlen(text) >= sizeof(buf))
		return false;
	memcpy(buf, text, strlen(text) + 1);
	while ((word = strsep(&p, ",")) != NULL) {
		if ((eq = strchr(word, '=')) == NULL)
			return false;
		*eq = '\0';
		if (!remy_model_key(m, word, eq + 1))
			return false;
	}
	return m->rate.lo > 0 && m->rtt.lo >= 1 && m->senders.lo >= 1 &&
	       m->senders.hi <= REMY_SENDERS;
}

static double
remy_draw(uint64_t *rng, struct remy_range r)
{
	return r.lo + (r.hi - r.lo) * sim_real(rng);
}

static double
remy_normal(uint64_t *rng)
{
	return sqrt(-2 * log(1 - sim_real(rng))) *
	       cos(6.283185307179586 * sim_real(rng));
}

/*
 * A cellular link: chances to send come at random, at a rate that wanders
 * between an eighth and the double of RATE; now and then there are none.
 */
static void
remy_cell(struct remy_net *n, double ms, uint64_t *rng)
{
	size_t cap = (size_t)(n->rate * 2 * ms) + 1024;
	double t = 0, rate = n->rate, step;

	n->chance = mem_calloc(cap, sizeof(*n->chance));
	while (t < ms && n->nchance < cap) {
		step = sim_exp(rng, 1 / rate);
		t += step;
		if (sim_real(rng) < step / 8000)
			t += sim_exp(rng, 300);
		rate += remy_normal(rng) * n->rate * .8 * sqrt(step / 1000);
		rate = CLAMP(rate, n->rate / 8, n->rate * 2);
		n->chance[n->nchance++] = (float)t;
	}
}

void
remy_net_make(
    struct remy_net *n, const struct remy_model *m, uint64_t seed, double ms)
{
	uint64_t rng = seed;
	struct remy_range logs = { log(m->rate.lo), log(m->rate.hi) };

	memset(n, 0, sizeof(*n));
	n->rate = exp(remy_draw(&rng, logs)) * 1e6 / 8 / REMY_DATAGRAM / 1000;
	n->rtt = remy_draw(&rng, m->rtt);
	n->senders = (unsigned)(remy_draw(
	    &rng, (struct remy_range){ m->senders.lo, m->senders.hi + 1 }));
	n->senders = CLAMP(n->senders, 1u, (unsigned)m->senders.hi);
	n->on = m->on;
	n->off = m->off;
	n->seed = sim_rand(&rng);
	if (m->cell > 0)
		remy_cell(n, ms, &rng);
}

void
remy_net_free(struct remy_net *n)
{
	mem_free(n->chance);
}

/* --- senders -------------------------------------------------------------- */

struct flight {
	float sent, arrives;
};

struct remy_ack {
	double arrives, sent, rtt;
	unsigned n;
};

struct sender {
	struct ssp_remy m;
	bool on;
	double flips;       /* when it starts or stops */
	double next;        /* pacing: not before */
	double least;       /* shortest round trip */
	struct flight *fly; /* ring: sent, not in an ack */
	unsigned fly_at, nfly;
	struct remy_ack *ack; /* ring: acks on the way */
	unsigned ack_at, nack;
	unsigned unacked; /* sent, and no ack has come back */
	/* results */
	double time_on, since, got, delay;
};

struct world {
	const struct remy_net *net;
	double now, busy, end;
	size_t chance;
	uint64_t rng;
	struct sender s[REMY_SENDERS];
};

/* Returns when a datagram that enters the queue now leaves it. */
static double
world_leaves(struct world *w)
{
	const struct remy_net *n = w->net;

	if (n->chance == NULL) {
		w->busy = MAX_OF(w->busy, w->now) + 1 / n->rate;
		return w->busy;
	}
	while (w->chance < n->nchance && (double)n->chance[w->chance] < w->now)
		w->chance++;
	if (w->chance >= n->nchance)
		return w->end * 2;
	return (double)n->chance[w->chance++];
}

static bool
sender_may(const struct sender *s)
{
	return s->on && s->unacked + 1 <= s->m.window &&
	       s->nfly < REMY_RING - 1;
}

/* Returns when the receiver sends the next ack. */
static double
sender_ack_time(const struct sender *s)
{
	double t;

	if (s->nfly == 0)
		return REMY_NEVER;
	t = (double)s->fly[s->fly_at].arrives + REMY_ACK_DELAY;
	if (s->nfly >= REMY_ACK_EVERY)
		t = MIN_OF(t,
		    (double)s->fly[(s->fly_at + REMY_ACK_EVERY - 1) % REMY_RING]
			.arrives);
	return t;
}

static double
sender_time(const struct sender *s)
{
	double t = MIN_OF(s->flips, sender_ack_time(s));

	if (s->nack > 0)
		t = MIN_OF(t, s->ack[s->ack_at].arrives);
	if (sender_may(s))
		t = MIN_OF(t, s->next);
	return t;
}

static void
sender_flip(struct world *w, struct sender *s)
{
	s->on = !s->on;
	if (s->on) {
		ssp_remy_init(&s->m);
		s->since = w->now;
		s->next = w->now;
	} else {
		s->time_on += w->now - s->since;
	}
	s->flips =
	    w->net->off > 0
		? w->now + sim_exp(&w->rng, s->on ? w->net->on : w->net->off)
		: REMY_NEVER;
}

static void
sender_send(struct world *w, struct sender *s)
{
	struct flight *f = &s->fly[(s->fly_at + s->nfly++) % REMY_RING];

	f->sent = (float)w->now;
	f->arrives = (float)(world_leaves(w) + w->net->rtt / 2);
	s->unacked++;
	s->next = MAX_OF(s->next, w->now - s->m.gap) + s->m.gap;
}

/* The receiver acks all that has arrived. */
static void
sender_acks(struct world *w, struct sender *s)
{
	struct remy_ack *a = &s->ack[(s->ack_at + s->nack++) % REMY_RING];
	struct flight *f;

	*a = (struct remy_ack){ .arrives = w->now + w->net->rtt / 2 };
	while (s->nfly > 0 &&
	       (double)(f = &s->fly[s->fly_at])->arrives <= w->now) {
		a->n++;
		a->sent = (double)f->sent;
		a->rtt = (double)(f->arrives - f->sent) + w->net->rtt / 2;
		s->got++;
		s->delay += a->rtt;
		s->fly_at = (s->fly_at + 1) % REMY_RING;
		s->nfly--;
	}
}

static void
sender_acked(struct world *w, struct sender *s,
    const struct ssp_remy_table *table, struct remy_use *use)
{
	const struct remy_ack *a = &s->ack[s->ack_at];
	size_t rule;

	s->ack_at = (s->ack_at + 1) % REMY_RING;
	s->nack--;
	s->unacked -= a->n;
	s->least = MIN_OF(s->least, a->rtt);
	if (!s->on)
		return;
	rule =
	    ssp_remy_ack(&s->m, table, w->now, a->sent, a->n, a->rtt, s->least);
	if (use == NULL)
		return;
	use->used[rule]++;
	if (rule != use->rule)
		return;
	/* Keep an even sample of what is remembered. */
	if (use->n < REMY_SAMPLES)
		memcpy(use->at[use->n++], s->m.at, sizeof(s->m.at));
	else if (sim_below(&w->rng, use->used[rule]) < REMY_SAMPLES)
		memcpy(use->at[sim_below(&w->rng, REMY_SAMPLES)], s->m.at,
		    sizeof(s->m.at));
}

static void
sender_run(struct world *w, struct sender *s,
    const struct ssp_remy_table *table, struct remy_use *use)
{
	if (s->flips <= w->now)
		sender_flip(w, s);
	else if (s->nack > 0 && s->ack[s->ack_at].arrives <= w->now)
		sender_acked(w, s, table, use);
	else if (sender_ack_time(s) <= w->now)
		sender_acks(w, s);
	else
		sender_send(w, s);
}

static void
sender_score(const struct world *w, const struct sender *s, double delta,
    struct remy_score *score)
{
	double share, delay;

	if (s->time_on < 500)
		return;
	share = s->got / s->time_on / (w->net->rate / w->net->senders);
	delay = s->got > 0 ? s->delay / s->got / w->net->rtt : 1;
	share = MAX_OF(share, 1e-4);
	score->sum += log2(share) - delta * log2(delay);
	score->throughput += share;
	score->delay += delay;
	score->count++;
}

void
remy_sim(const struct remy_net *n, double ms,
    const struct ssp_remy_table *table, double delta, struct remy_score *score,
    struct remy_use *use)
{
	struct world w = { .net = n, .end = ms, .rng = n->seed };
	struct sender *s;
	unsigned i, first;
	double t;

	for (i = 0; i < n->senders; i++) {
		s = &w.s[i];
		s->fly = mem_alloc(REMY_RING * sizeof(*s->fly));
		s->ack = mem_alloc(REMY_RING * sizeof(*s->ack));
		s->least = REMY_NEVER;
		s->flips = i == 0 ? 0 : sim_exp(&w.rng, n->off + 1);
	}
	for (;;) {
		first = 0;
		for (i = 0, t = REMY_NEVER; i < n->senders; i++)
			if (sender_time(&w.s[i]) < t) {
				t = sender_time(&w.s[i]);
				first = i;
			}
		if (t >= ms)
			break;
		w.now = MAX_OF(w.now, t);
		sender_run(&w, &w.s[first], table, use);
	}
	for (i = 0; i < n->senders; i++) {
		s = &w.s[i];
		if (s->on)
			s->time_on += ms - s->since;
		sender_score(&w, s, delta, score);
		mem_free(s->fly);
		mem_free(s->ack);
	}
}
