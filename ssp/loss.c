#include "ssp/loss.h"

#include <string.h>

#include "base/mem.h"

#define LOSS_FAST 32      /* span of the fast estimate, datagrams */
#define LOSS_SLOW 256     /* span of the slow estimate */
#define LOSS_PRIOR 12     /* loss-free datagrams assumed at first */
#define LOSS_PAIR_PRIOR 2 /* pairs lost together assumed at first */
#define LOSS_BUNCHED 0.4  /* share of the way from the rate to certainty */

/*
 * What a link may lose before it is known.  Most lose nothing, some lose much:
 * the beta distribution with these losses among so many datagrams.  Its mean is
 * 5 %, and too low for a copy once 29 datagrams have arrived.
 */
#define LOSS_LIKELY 0.09
#define LOSS_LIKELY_OF 1.9
#define LOSS_FEW 8         /* fewer fates say nothing ... */
#define LOSS_FEW_RATE 0.05 /* ... but that two copies are wise */
#define LOSS_GAP 8         /* more missing datagrams are an outage */
#define LOSS_KEPT 8        /* fates that a new path takes over */

void
ssp_loss_init(struct ssp_loss *l, const struct ssp_loss_ops *ops, void *arg)
{
	memset(l, 0, sizeof *l);
	l->cap = SSP_LOSS_RING;
	l->ring = mem_calloc(l->cap, sizeof *l->ring);
	l->ops = ops;
	l->arg = arg;
	l->reorder = l->second.reorder = SSP_LOSS_REORDER;
	l->bunch = 1;
}

void
ssp_loss_fini(struct ssp_loss *l)
{
	mem_free(l->ring);
}

static struct ssp_pkt *
loss_at(const struct ssp_loss *l, unsigned i)
{
	return &l->ring[(l->head + i) % l->cap];
}

/* Returns the index of the first record with a number >= PN. */
static unsigned
loss_index(const struct ssp_loss *l, uint64_t pn)
{
	unsigned lo = 0, hi = l->count, mid;

	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (loss_at(l, mid)->pn < pn)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct ssp_pkt *
ssp_loss_find(const struct ssp_loss *l, uint64_t pn)
{
	unsigned i = loss_index(l, pn);

	return i < l->count && loss_at(l, i)->pn == pn ? loss_at(l, i) : NULL;
}

/* Returns the weight of fate number N (from 0) in an estimate. */
static double
loss_weight(uint32_t n, unsigned span)
{
	return 1.0 / MIN_OF(MIN_OF(n, LOSS_SLOW - 1u) + 1u + LOSS_PRIOR, span);
}

/* Adds a fate to the estimates: X is 1 for a loss, 0 for an arrival. */
static void
loss_learn(struct ssp_loss *l, double x)
{
	uint32_t n = l->fates++;

	l->total++;
	l->start_lost += x > 0;
	if (l->seen < LOSS_SLOW)
		l->seen++;
	l->fast += (x - l->fast) * loss_weight(n, LOSS_FAST);
	l->slow += (x - l->slow) * loss_weight(n, LOSS_SLOW);
}

/* Returns what fate number N, a loss, still contributes to an estimate. */
static double
loss_left(const struct ssp_loss *l, uint32_t n, unsigned span)
{
	double left = loss_weight(n, span);

	while (++n < l->fates && left > 1e-6)
		left -= left * loss_weight(n, span);
	return left;
}

/* Removes a spurious loss from the estimates. */
static void
loss_unlearn(struct ssp_loss *l, struct ssp_pkt *p)
{
	uint32_t back = (uint16_t)(l->total - p->fate), n;

	if (!p->counted || back > l->fates)
		return;
	n = l->fates - back;
	l->fast = MAX_OF(l->fast - loss_left(l, n, LOSS_FAST), 0);
	l->slow = MAX_OF(l->slow - loss_left(l, n, LOSS_SLOW), 0);
	p->counted = false;
	l->start_lost -= l->start_lost > 0;
}

/*
 * Learns from the datagram behind I how likely a loss is shortly after one.
 */
static void
loss_pair(struct ssp_loss *l, unsigned i)
{
	const struct ssp_pkt *a, *b;

	if (i + 1 >= l->count)
		return;
	a = loss_at(l, i);
	b = loss_at(l, i + 1);
	if (a->state != SSP_PKT_LOST || a->guessed || b->guessed || a->second ||
	    b->second || b->state == SSP_PKT_FLYING ||
	    b->time - a->time > SSP_LOSS_NEAR)
		return;
	l->pairs++;
	l->bunch += ((b->state == SSP_PKT_LOST) - l->bunch) /
		    MIN_OF(l->pairs + LOSS_PAIR_PRIOR, (uint32_t)LOSS_FAST);
}

/* The fate of datagram I is known. */
static void
loss_pairs(struct ssp_loss *l, unsigned i)
{
	loss_pair(l, i);
	if (i > 0)
		loss_pair(l, i - 1);
}

static void
loss_landed(struct ssp_loss *l, const struct ssp_pkt *p)
{
	if (p->second)
		l->second.in_flight -= p->size;
	else if (p->eliciting)
		l->in_flight -= p->size;
}

/* A loss was none: tolerates more reordering on that path. */
static void
loss_tolerate(unsigned *reorder, mono_ms *ms)
{
	*reorder = MIN_OF(*reorder * 2, (unsigned)SSP_LOSS_REORDER_MAX);
	*ms = MIN_OF(*ms * 2 + 4, (mono_ms)250);
}

static void
loss_acked(struct ssp_loss *l, mono_ms now, unsigned i)
{
	struct ssp_pkt *p = loss_at(l, i);
	bool guessed = p->guessed;

	p->guessed = false;
	if (p->state == SSP_PKT_LOST) {
		/* A spurious loss: remove it and tolerate more reordering. */
		l->spurious++;
		loss_unlearn(l, p);
		if (p->second)
			loss_tolerate(
			    &l->second.reorder, &l->second.reorder_ms);
		else
			loss_tolerate(&l->reorder, &l->reorder_ms);
		p->state = SSP_PKT_ACKED;
		if (guessed)
			loss_pairs(l, i);
		return;
	}
	p->state = SSP_PKT_ACKED;
	loss_landed(l, p);
	l->acked++;
	if (!p->second) {
		loss_learn(l, 0);
		loss_pairs(l, i);
	}
	l->ops->acked(l->arg, now, p);
}

static void
loss_lost(struct ssp_loss *l, mono_ms now, unsigned i, bool count)
{
	struct ssp_pkt *p = loss_at(l, i);

	p->state = SSP_PKT_LOST;
	loss_landed(l, p);
	l->lost++;
	if (count && !p->probe && !p->second) {
		p->counted = true;
		p->fate = (uint16_t)l->total;
		loss_learn(l, 1);
		loss_pairs(l, i);
	}
	l->ops->lost(l->arg, now, p);
}

static void
loss_settle(struct ssp_loss *l)
{
	const struct ssp_pkt *p;

	while (
	    l->clean < l->count && loss_at(l, l->clean)->state == SSP_PKT_ACKED)
		l->clean++;
	for (; l->settled < l->count; l->settled++) {
		p = loss_at(l, l->settled);
		if (p->eliciting && p->state == SSP_PKT_FLYING && !p->second)
			break;
	}
	if (!l->second.used)
		return;
	for (; l->second.settled < l->count; l->second.settled++) {
		p = loss_at(l, l->second.settled);
		if (p->second && p->state == SSP_PKT_FLYING)
			break;
	}
}

/* Makes the ring larger, for a long link whose oldest datagram still flies. */
static void
loss_grow(struct ssp_loss *l)
{
	struct ssp_pkt *ring = mem_calloc(l->cap * 2, sizeof *ring);
	unsigned i;

	for (i = 0; i < l->count; i++)
		ring[i] = *loss_at(l, i);
	mem_free(l->ring);
	l->ring = ring;
	l->head = 0;
	l->cap *= 2;
}

/* Returns a record for PN, the newest. */
static struct ssp_pkt *
loss_record(struct ssp_loss *l, mono_ms now, uint64_t pn, size_t size)
{
	struct ssp_pkt *p;

	if (l->count == l->cap && l->cap < SSP_LOSS_RING_MAX &&
	    loss_at(l, 0)->state == SSP_PKT_FLYING && loss_at(l, 0)->eliciting)
		loss_grow(l);
	if (l->count == l->cap) {
		p = loss_at(l, 0);
		if (p->state == SSP_PKT_FLYING)
			loss_lost(l, now, 0, false);
		l->head = (l->head + 1) % l->cap;
		l->count--;
		l->clean -= l->clean > 0;
		l->settled -= l->settled > 0;
		l->second.settled -= l->second.settled > 0;
	}
	bug_assert(l->count == 0 || loss_at(l, l->count - 1)->pn < pn);
	p = loss_at(l, l->count++);
	*p = (struct ssp_pkt){ .pn = pn,
		.time = now,
		.size = (uint32_t)size,
		.state = SSP_PKT_FLYING };
	return p;
}

void
ssp_loss_sent(struct ssp_loss *l, mono_ms now, uint64_t pn, size_t size,
    bool eliciting, bool probe)
{
	struct ssp_pkt *p = loss_record(l, now, pn, size);

	p->eliciting = eliciting;
	p->probe = probe;
	if (eliciting)
		l->in_flight += size;
	loss_settle(l);
}

void
ssp_loss_sent_second(struct ssp_loss *l, mono_ms now, uint64_t pn, size_t size)
{
	struct ssp_pkt *p = loss_record(l, now, pn, size);

	p->eliciting = p->second = true;
	l->second.in_flight += size;
	if (!l->second.used)
		l->second.settled = 0;
	l->second.used = true;
	loss_settle(l);
}

/* Returns the lowest number that A tells of. */
static uint64_t
loss_low(const struct ssp_ack *a)
{
	uint64_t reach = a->run + 2 + a->len * 8;

	return a->largest > reach ? a->largest - reach : 0;
}

/*
 * No later ack tells of a number that A, the newest one, does not reach any more:
 * what was sent so long ago is lost, or was acked in vain.
 */
static void
loss_forgotten(
    struct ssp_loss *l, mono_ms now, const struct ssp_ack *a, mono_ms late)
{
	const uint64_t reach = a->run + (a->len > 0 ? 1 + a->len * 8 : 0);
	struct ssp_pkt *p;
	unsigned i, low;

	if (a->largest < reach)
		return;
	low = loss_index(l, a->largest - reach);
	for (i = l->settled; i < low; i++) {
		p = loss_at(l, i);
		if (p->time + late > now)
			break;
		if (p->state == SSP_PKT_FLYING && p->eliciting && !p->second) {
			p->guessed = true;
			loss_lost(l, now, i, true);
		}
	}
}

/*
 * Processes an ack.  Declares lost the datagrams that were sent long before an
 * acked one, unless there are BOTH paths: then loss_of_paths does.
 */
static void
loss_ack(struct ssp_loss *l, mono_ms now, const struct ssp_ack *a, mono_ms srtt,
    bool both)
{
	const struct ssp_pkt *top = ssp_loss_find(l, a->largest);
	mono_ms late = srtt + srtt / 8 + l->reorder_ms + 1;
	struct ssp_pkt *p;
	unsigned i;

	if (top == NULL)
		return;
	if (!l->any_acked || a->largest > l->largest_acked) {
		l->any_acked = true;
		l->largest_acked = a->largest;
		l->largest_time = top->time;
	}
	i = MAX_OF(loss_index(l, loss_low(a)), l->clean);
	for (; i < l->count; i++) {
		p = loss_at(l, i);
		if (p->pn > l->largest_acked)
			break;
		if (p->state == SSP_PKT_ACKED)
			continue;
		switch (ssp_ack_says(a, p->pn)) {
		case SSP_ACK_YES:
			loss_acked(l, now, i);
			break;
		case SSP_ACK_NO:
			if (p->guessed) {
				p->guessed = false;
				loss_pairs(l, i);
			}
			if (!both && p->state == SSP_PKT_FLYING &&
			    (p->pn + l->reorder <= a->largest ||
				p->time + late <= now) &&
			    p->time + l->reorder_ms <= l->largest_time)
				loss_lost(l, now, i, true);
			break;
		case SSP_ACK_UNKNOWN:
			break;
		}
	}
	if (!both && a->largest == l->largest_acked)
		loss_forgotten(l, now, a, late);
	loss_settle(l);
}

void
ssp_loss_ack(
    struct ssp_loss *l, mono_ms now, const struct ssp_ack *a, mono_ms srtt)
{
	loss_ack(l, now, a, srtt, false);
}

/* One path of two, while the records are searched from the newest on. */
struct loss_path {
	unsigned reorder;
	mono_ms reorder_ms;
	mono_ms late;
	mono_ms newest; /* send time of its newest acked datagram */
	unsigned later; /* its datagrams since, with that one */
};

/* Finds what A says is missing, though enough sent later by that path came. */
static void
loss_of_paths(struct ssp_loss *l, mono_ms now, const struct ssp_ack *a,
    struct loss_path path[2])
{
	const unsigned low = loss_index(l, loss_low(a));
	const struct ssp_pkt *p;
	struct loss_path *k;
	unsigned i;

	for (i = loss_index(l, l->largest_acked + 1); i-- > low;) {
		p = loss_at(l, i);
		k = &path[p->second];
		if (k->later == 0 && p->state == SSP_PKT_ACKED)
			k->newest = p->time;
		else if (k->later == 0)
			continue;
		if (p->state == SSP_PKT_FLYING &&
		    ssp_ack_says(a, p->pn) == SSP_ACK_NO &&
		    (k->later >= k->reorder || p->time + k->late <= now) &&
		    p->time + k->reorder_ms <= k->newest)
			loss_lost(l, now, i, true);
		k->later++;
	}
}

void
ssp_loss_ack_both(struct ssp_loss *l, mono_ms now, const struct ssp_ack *a,
    mono_ms srtt, mono_ms srtt_second)
{
	struct loss_path path[2] = {
		{ .reorder = l->reorder,
		    .reorder_ms = l->reorder_ms,
		    .late = srtt + srtt / 8 + l->reorder_ms + 1 },
		{ .reorder = l->second.reorder,
		    .reorder_ms = l->second.reorder_ms,
		    .late = srtt_second + srtt_second / 8 +
			    l->second.reorder_ms + 1 },
	};

	if (ssp_loss_find(l, a->largest) == NULL)
		return;
	loss_ack(l, now, a, srtt, true);
	loss_of_paths(l, now, a, path);
	loss_settle(l);
}

const struct ssp_pkt *
ssp_loss_news_second(const struct ssp_loss *l, const struct ssp_ack *a)
{
	const unsigned low = loss_index(l, loss_low(a));
	const struct ssp_pkt *p;
	unsigned i;

	if (l->second.in_flight == 0)
		return NULL;
	for (i = loss_index(l, a->largest + 1); i-- > low;) {
		p = loss_at(l, i);
		if (p->second && p->state == SSP_PKT_FLYING &&
		    ssp_ack_says(a, p->pn) == SSP_ACK_YES)
			return p;
	}
	return NULL;
}

/* Declares lost what flies by one path, sent more than AGE ago. */
static void
loss_expire(
    struct ssp_loss *l, mono_ms now, mono_ms age, bool silent, bool second)
{
	struct ssp_pkt *p;
	unsigned i;

	l->outage = silent;
	for (i = second ? l->second.settled : l->settled; i < l->count; i++) {
		p = loss_at(l, i);
		if (p->time + age > now)
			break;
		if (p->state == SSP_PKT_FLYING && p->eliciting &&
		    p->second == second) {
			p->guessed = true;
			loss_lost(l, now, i, !silent);
		}
	}
	l->outage = false;
	loss_settle(l);
}

void
ssp_loss_expire(struct ssp_loss *l, mono_ms now, mono_ms age, bool silent)
{
	loss_expire(l, now, age, silent, false);
}

void
ssp_loss_expire_second(
    struct ssp_loss *l, mono_ms now, mono_ms age, bool silent)
{
	loss_expire(l, now, age, silent, true);
}

void
ssp_loss_drop_second(struct ssp_loss *l, mono_ms now)
{
	loss_expire(l, now, 0, false, true);
	l->second.used = false;
}

void
ssp_loss_swap(struct ssp_loss *l)
{
	const struct ssp_loss_second was = l->second;
	struct ssp_pkt *p;
	unsigned i;

	l->second.in_flight = 0;
	l->second.reorder = l->reorder;
	l->second.reorder_ms = l->reorder_ms;
	l->second.settled = l->settled = 0;
	l->second.used = true;
	l->in_flight = 0;
	l->reorder = was.reorder;
	l->reorder_ms = was.reorder_ms;
	for (i = 0; i < l->count; i++) {
		p = loss_at(l, i);
		/* What asks for no ack is no matter of the second path. */
		p->second = !p->second && p->eliciting;
		p->counted = false;
		if (p->state == SSP_PKT_FLYING && p->eliciting)
			*(p->second ? &l->second.in_flight : &l->in_flight) +=
			    p->size;
	}
	loss_settle(l);
}

mono_ms
ssp_loss_oldest_second(const struct ssp_loss *l)
{
	return l->second.used && l->second.settled < l->count
		   ? loss_at(l, l->second.settled)->time
		   : MONO_NEVER;
}

mono_ms
ssp_loss_oldest(const struct ssp_loss *l)
{
	return l->settled < l->count ? loss_at(l, l->settled)->time
				     : MONO_NEVER;
}

double
ssp_loss_rate(const struct ssp_loss *l)
{
	return CLAMP(MAX_OF(l->fast, l->slow), 0.0, 1.0);
}

void
ssp_loss_heard(struct ssp_loss *l, uint64_t lost)
{
	unsigned n = lost <= LOSS_GAP ? (unsigned)lost : 0;

	if (l->heard >= SSP_LOSS_START)
		return;
	l->heard += n + 1;
	l->start_lost += n;
}

void
ssp_loss_heard_late(struct ssp_loss *l)
{
	if (l->heard < SSP_LOSS_START)
		l->start_lost -= l->start_lost > 0;
}

double
ssp_loss_expect(const struct ssp_loss *l)
{
	double rate = ssp_loss_rate(l);
	unsigned n = l->heard + l->fates;

	if (l->fates >= SSP_LOSS_START)
		return rate;
	rate =
	    MAX_OF(rate, (LOSS_LIKELY + l->start_lost) / (LOSS_LIKELY_OF + n));
	return n < LOSS_FEW ? MAX_OF(rate, LOSS_FEW_RATE)
			    : CLAMP(rate, 0.0, 1.0);
}

bool
ssp_loss_bunched(const struct ssp_loss *l)
{
	double p = l->slow;

	return l->bunch > p + (1 - p) * LOSS_BUNCHED;
}

void
ssp_loss_forget(struct ssp_loss *l)
{
	double rate = ssp_loss_expect(l);
	unsigned n = MIN_OF(l->heard + l->fates, (unsigned)LOSS_KEPT);

	l->heard = n;
	l->start_lost = (unsigned)(rate * n + .5);
	l->bunch = 1;
	l->pairs = 0;
	l->fast = l->slow = 0;
	l->seen = 0;
	l->fates = 0;
	l->reorder = SSP_LOSS_REORDER;
	l->reorder_ms = 0;
}
