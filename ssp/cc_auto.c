/*
 * Auto: `window' until the path shows that `follow' suits it better, and says
 * why.
 *
 * It looks at acks while bulk uses the window.  A queue far beyond the target,
 * after the window had found that, means a deep buffer before a rate that has
 * fallen; a rate that varies while a queue stands, a link that varies (nothing
 * of ours empties the queue); many losses, a queue that is too short for
 * `window' to find.
 */
#include <stdio.h>

#include "base/mem.h"
#include "ssp/cc.h"

#define AUTO_DEEP 120      /* ms of queue */
#define AUTO_DEEP_ACKS 16  /* datagrams acked in a row that met it */
#define AUTO_SETTLED 60    /* ms: the burst of the start has drained, ... */
#define AUTO_BURST 64      /* ... once so many datagrams are acked */
#define AUTO_DEEP_BURST 40 /* the same as AUTO_DEEP_ACKS before that */
#define AUTO_STANDS 10     /* ms: a queue stands */
#define AUTO_OFTEN 2       /* ... for at least one of so many acks */
#define AUTO_BIN 400       /* ms of one sample of the rate */
#define AUTO_BINS 6
#define AUTO_VARIES 35     /* percent of the mean: standard deviation */
#define AUTO_LEAST 8       /* datagrams of a mean sample that tell something */
#define AUTO_BULK 500      /* ms since bulk was sent: it flows */
#define AUTO_LOST 6        /* one of so many lost in a round trip */
#define AUTO_LOST_LEAST 64 /* datagrams of a round trip that tell that */
#define AUTO_LOST_ROUNDS 3 /* such round trips; the start makes one */
#define AUTO_LOST_QUEUE 3  /* ms of queue all the time: it overflows */

enum auto_why {
	AUTO_PLAIN, /* nothing seen so far */
	AUTO_IS_DEEP,
	AUTO_IS_VARYING,
	AUTO_IS_SHORT
};

struct cc_auto {
	const struct ssp_cc_ops *ops;
	void *cc;
	struct ssp_cc_cfg cfg;
	enum auto_why why;
	unsigned measure; /* ms or percent, for people */
	mono_ms bulk;     /* sent last */
	uint64_t begun;   /* bytes acked since bulk began */
	bool settled;     /* its first burst has drained */
	unsigned deep;    /* datagrams acked in a row behind a deep queue */
	/* samples of the rate while a queue stands */
	mono_ms bin_at;
	uint64_t bin, sample[AUTO_BINS];
	unsigned n;
	unsigned acks, standing; /* of this sample; those that met a queue */
	/* the present round trip */
	mono_ms round;
	uint64_t acked, lost;
	mono_ms least; /* shortest queue */
	unsigned
	    overflows; /* round trips before it, in a row, that lost many */
};

static void
auto_set(struct cc_auto *a, mono_ms now, const struct ssp_cc_ops *ops,
    uint64_t window)
{
	if (a->cc != NULL)
		a->ops->free(a->cc);
	a->cfg.now = now;
	a->cfg.window = window;
	a->ops = ops;
	a->cc = ops->new (&a->cfg);
}

static void *
auto_new(const struct ssp_cc_cfg *cfg)
{
	struct cc_auto *a = mem_zalloc(sizeof(*a));

	a->cfg = *cfg;
	auto_set(a, cfg->now, &ssp_cc_window, cfg->window);
	return a;
}

static void
auto_free(void *cc)
{
	struct cc_auto *a = cc;

	a->ops->free(a->cc);
	mem_free(a);
}

static void
auto_follow(struct cc_auto *a, mono_ms now, enum auto_why why, uint64_t measure,
    uint64_t in_flight)
{
	a->why = why;
	a->measure = (unsigned)MIN_OF(measure, (uint64_t)99999);
	/* What stands in a deep queue must drain first. */
	auto_set(a, now, &ssp_cc_follow, MAX_OF(in_flight / 2, a->cfg.mtu * 4));
}

static void
auto_on_sent(void *cc, mono_ms now, size_t bytes, bool bulk)
{
	struct cc_auto *a = cc;

	/* The first datagrams come in a burst that may queue for long. */
	if (bulk && now - a->bulk >= AUTO_BULK) {
		a->settled = false;
		a->begun = 0;
	}
	if (bulk)
		a->bulk = now;
	a->ops->on_sent(a->cc, now, bytes, bulk);
}

/* Returns the standard deviation of the samples in percent of their mean. */
static uint64_t
auto_varies(const struct cc_auto *a)
{
	uint64_t sum = 0, squares = 0, mean, d;
	unsigned i;

	for (i = 0; i < AUTO_BINS; i++)
		sum += a->sample[i];
	mean = sum / AUTO_BINS;
	if (mean < AUTO_LEAST * a->cfg.mtu)
		return 0;
	for (i = 0; i < AUTO_BINS; i++) {
		d = a->sample[i] > mean ? a->sample[i] - mean
					: mean - a->sample[i];
		d = d * 100 / mean;
		squares += d * d;
	}
	squares /= AUTO_BINS;
	for (d = 0; d * d < squares; d++)
		;
	return d;
}

/* Counts BYTES delivered; true at the end of a sample. */
static bool
auto_sample(struct cc_auto *a, mono_ms now, mono_ms queue, size_t bytes)
{
	bool end = false;

	if (now - a->bin_at >= AUTO_BIN) {
		if (a->standing * AUTO_OFTEN < a->acks ||
		    now - a->bin_at >= 2 * AUTO_BIN) {
			a->n = 0;
		} else {
			a->sample[a->n++ % AUTO_BINS] =
			    a->bin * AUTO_BIN / (now - a->bin_at);
			end = a->n >= AUTO_BINS;
		}
		a->bin_at = now;
		a->bin = 0;
		a->acks = a->standing = 0;
	}
	a->bin += bytes;
	a->acks++;
	a->standing += queue >= AUTO_STANDS;
	return end;
}

/* Looks at an ack while bulk flows. */
static void
auto_look(struct cc_auto *a, mono_ms now, const struct ssp_cc_ack *k)
{
	mono_ms least = ssp_rtt_min(k->rtt), rtt = k->rtt->latest, queue;
	uint64_t v;

	queue = rtt > least ? rtt - least : 0;
	a->begun += k->bytes;
	if (queue < AUTO_SETTLED && a->begun >= AUTO_BURST * a->cfg.mtu)
		a->settled = true;
	a->deep = queue >= AUTO_DEEP ? a->deep + 1 : 0;
	a->acked += k->bytes;
	a->least = mono_min(a->least, queue);
	if (a->deep >= (a->settled ? AUTO_DEEP_ACKS : AUTO_DEEP_BURST)) {
		auto_follow(a, now, AUTO_IS_DEEP, queue, k->in_flight);
		return;
	}
	if (auto_sample(a, now, queue, k->bytes) &&
	    (v = auto_varies(a)) >= AUTO_VARIES) {
		auto_follow(a, now, AUTO_IS_VARYING, v, k->in_flight);
		return;
	}
	if (now - a->round < rtt)
		return;
	v = a->acked + a->lost;
	/* Radio loses without any queue. */
	a->overflows = a->lost * AUTO_LOST > v &&
			       v >= AUTO_LOST_LEAST * a->cfg.mtu &&
			       a->least >= AUTO_LOST_QUEUE
			   ? a->overflows + 1
			   : 0;
	if (a->overflows >= AUTO_LOST_ROUNDS)
		auto_follow(
		    a, now, AUTO_IS_SHORT, a->lost * 100 / v, k->in_flight);
	a->round = now;
	a->acked = a->lost = 0;
	a->least = MONO_NEVER;
}

static void
auto_on_ack(void *cc, mono_ms now, const struct ssp_cc_ack *k)
{
	struct cc_auto *a = cc;

	a->ops->on_ack(a->cc, now, k);
	if (a->why == AUTO_PLAIN && now - a->bulk < AUTO_BULK && k->rtt->have)
		auto_look(a, now, k);
}

static void
auto_on_loss(void *cc, mono_ms now, mono_ms sent, size_t bytes)
{
	struct cc_auto *a = cc;

	a->lost += bytes;
	a->ops->on_loss(a->cc, now, sent, bytes);
}

static void
auto_on_ce(void *cc, mono_ms now)
{
	struct cc_auto *a = cc;

	a->ops->on_ce(a->cc, now);
}

static size_t
auto_budget(void *cc, mono_ms now, size_t in_flight)
{
	struct cc_auto *a = cc;

	return a->ops->budget(a->cc, now, in_flight);
}

static mono_ms
auto_next_send(void *cc, mono_ms now, size_t in_flight)
{
	struct cc_auto *a = cc;

	return a->ops->next_send(a->cc, now, in_flight);
}

static mono_ms
auto_interval(void *cc, mono_ms now, const struct ssp_rtt *rtt)
{
	struct cc_auto *a = cc;

	return a->ops->interval(a->cc, now, rtt);
}

static void
auto_tell(const void *cc, char *out, size_t size)
{
	const struct cc_auto *a = cc;

	switch (a->why) {
	case AUTO_PLAIN:
		snprintf(out, size, "auto: window");
		break;
	case AUTO_IS_DEEP:
		snprintf(
		    out, size, "auto: follow, %u ms were queued", a->measure);
		break;
	case AUTO_IS_VARYING:
		snprintf(out, size, "auto: follow, the rate varies by %u %%",
		    a->measure);
		break;
	case AUTO_IS_SHORT:
		snprintf(
		    out, size, "auto: follow, %u %% were lost", a->measure);
		break;
	}
}

static void
auto_reset(void *cc, mono_ms now)
{
	struct cc_auto *a = cc;

	a->why = AUTO_PLAIN;
	a->deep = a->n = a->overflows = 0;
	a->settled = false;
	a->begun = 0;
	a->acked = a->lost = 0;
	auto_set(a, now, &ssp_cc_window, 0);
}

static void
auto_resize(void *cc, size_t mtu)
{
	struct cc_auto *a = cc;

	a->cfg.mtu = mtu;
	a->ops->resize(a->cc, mtu);
}

const struct ssp_cc_ops ssp_cc_auto = {
	.name = "auto",
	.new = auto_new,
	.free = auto_free,
	.on_sent = auto_on_sent,
	.on_ack = auto_on_ack,
	.on_loss = auto_on_loss,
	.on_ce = auto_on_ce,
	.budget = auto_budget,
	.next_send = auto_next_send,
	.interval = auto_interval,
	.tell = auto_tell,
	.reset = auto_reset,
	.resize = auto_resize,
};
