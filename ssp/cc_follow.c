/*
 * Follow: as many bytes in flight as the link delivers in the shortest round
 * trip and a little more.
 *
 * Where the rate changes within a second (cellular links), a window that grows
 * and shrinks by steps is always late.  Here each ack sets it anew, from the
 * bytes delivered of late.  While there is no queue, what is in flight beyond
 * the shortest round trip makes the rate found, and so the window, grow each
 * round trip; once there is a queue, its length settles at the target.
 *
 * A queue that is shorter than the target would lose a share of everything, for
 * ever: so a round trip that loses datagrams without reaching the target shortens it.
 */
#include "base/mem.h"
#include "ssp/cc.h"
#include "ssp/pacer.h"

#define FOLLOW_START 48       /* datagrams: a full screen at once */
#define FOLLOW_MIN 2          /* datagrams */
#define FOLLOW_MAX (8u << 20) /* bytes */
#define FOLLOW_BURST 6        /* datagrams sent back to back */
#define FOLLOW_TARGET 37      /* ms of queue */
#define FOLLOW_LEAST 5        /* the same where the queue is short */
#define FOLLOW_LOST 32        /* one of so many lost: perhaps a short queue */
#define FOLLOW_LOST_MANY 8    /* one of so many: surely */
#define FOLLOW_BIN 5          /* ms of one count of delivered bytes */
#define FOLLOW_BINS 128
#define FOLLOW_SPAN 150     /* ms that the rate is counted over, at least */
#define FOLLOW_SPAN_MAX 500 /* ms, at most */
#define FOLLOW_LATE 20      /* ms beyond a round trip: there is no bulk */
#define FOLLOW_PAUSE 2000   /* ms without bulk: the rate is forgotten */
#define FOLLOW_FASTEST 5    /* ms; a shorter round trip is not paced by */

struct cc_follow {
	struct ssp_pacer pacer;
	size_t mtu;
	uint64_t cwnd;
	mono_ms target;
	uint64_t bin[FOLLOW_BINS]; /* bytes delivered */
	mono_ms bin_at;            /* number of the newest one */
	mono_ms first;             /* ack since the start; 0: none */
	mono_ms full;              /* newest ack with the window in use */
	mono_ms bulk;              /* bulk was sent last */
	/* the present round trip */
	mono_ms round;
	uint64_t acked, lost;
	mono_ms queue; /* ms, longest */
};

static void
follow_start(struct cc_follow *w, mono_ms now)
{
	w->cwnd = FOLLOW_START * w->mtu;
	w->target = FOLLOW_TARGET;
	w->first = 0;
	w->round = now;
	w->acked = w->lost = 0;
	w->queue = 0;
	ssp_pacer_set(&w->pacer, now, w->cwnd * 1000 / SSP_SRTT_INITIAL,
	    FOLLOW_BURST * w->mtu);
}

static void *
follow_new(const struct ssp_cc_cfg *cfg)
{
	struct cc_follow *w = mem_zalloc(sizeof(*w));

	w->mtu = cfg->mtu;
	w->bin_at = cfg->now / FOLLOW_BIN;
	w->full = w->bulk = cfg->now;
	ssp_pacer_init(&w->pacer, cfg->now, FOLLOW_BURST * cfg->mtu);
	follow_start(w, cfg->now);
	if (cfg->window > 0)
		w->cwnd = cfg->window;
	return w;
}

static void
follow_on_sent(void *cc, mono_ms now, size_t bytes, bool bulk)
{
	struct cc_follow *w = cc;

	if (!bulk)
		return;
	if (now - w->bulk >= FOLLOW_PAUSE) {
		w->cwnd = MIN_OF(w->cwnd, (uint64_t)FOLLOW_START * w->mtu);
		w->first = 0;
	}
	w->bulk = now;
	ssp_pacer_sent(&w->pacer, now, bytes);
}

/* Counts BYTES delivered. */
static void
follow_count(struct cc_follow *w, mono_ms now, size_t bytes)
{
	mono_ms n = now / FOLLOW_BIN;

	if (n - w->bin_at >= FOLLOW_BINS)
		w->bin_at = n - FOLLOW_BINS;
	while (w->bin_at < n)
		w->bin[++w->bin_at % FOLLOW_BINS] = 0;
	w->bin[w->bin_at % FOLLOW_BINS] += bytes;
}

/* Returns the bytes a second delivered during the last round trip or so. */
static uint64_t
follow_rate(const struct cc_follow *w, mono_ms now, mono_ms rtt)
{
	mono_ms span =
	    CLAMP(rtt, (mono_ms)FOLLOW_SPAN, (mono_ms)FOLLOW_SPAN_MAX);
	mono_ms n = span / FOLLOW_BIN, i;
	uint64_t sum = 0;

	for (i = 0; i <= n; i++)
		sum += w->bin[(w->bin_at - i) % FOLLOW_BINS];
	span = n * FOLLOW_BIN + FOLLOW_BIN / 2;
	/* Right after the start, it took less time. */
	if (now - w->first < span)
		span = MAX_OF(now - w->first, rtt);
	return sum * 1000 / span;
}

/*
 * Once a round trip: does the queue hold the target?  If it does not, datagrams
 * are lost, and it never gets as long.  (Radio loses at any length.)
 */
static void
follow_round(struct cc_follow *w, mono_ms now, mono_ms rtt, mono_ms least)
{
	if (now - w->round < rtt)
		return;
	if (w->lost * FOLLOW_LOST_MANY > w->acked ||
	    (w->lost * FOLLOW_LOST > w->acked &&
		w->queue * 20 < w->target * 17))
		w->target = MAX_OF(w->target * 3 / 4, FOLLOW_LEAST + least / 6);
	else if (w->target < FOLLOW_TARGET)
		w->target++;
	w->round = now;
	w->acked = w->lost = 0;
	w->queue = 0;
}

static void
follow_on_ack(void *cc, mono_ms now, const struct ssp_cc_ack *a)
{
	struct cc_follow *w = cc;
	mono_ms least = ssp_rtt_min(a->rtt);
	mono_ms rtt = MAX_OF(a->rtt->latest, (mono_ms)1);
	uint64_t cwnd, rate;

	follow_count(w, now, a->bytes);
	w->acked += a->bytes;
	if (w->first == 0)
		w->first = now;
	if (a->in_flight + FOLLOW_BURST * w->mtu >= w->cwnd)
		w->full = now;
	if (!a->rtt->have)
		return;
	w->queue = MAX_OF(w->queue, rtt - MIN_OF(least, rtt));
	follow_round(w, now, rtt, least);
	cwnd = follow_rate(w, now, rtt) * (least + w->target) / 1000 + w->mtu;
	/* Where little was sent, little was delivered. */
	if (now - w->full > rtt + FOLLOW_LATE || now - w->first < rtt)
		cwnd = MAX_OF(cwnd, w->cwnd);
	w->cwnd =
	    CLAMP(cwnd, (uint64_t)FOLLOW_MIN * w->mtu, (uint64_t)FOLLOW_MAX);
	rate = w->cwnd * 1250 / MAX_OF(least, (mono_ms)FOLLOW_FASTEST);
	/* Keep what accrues while a timer of 1 ms sleeps. */
	ssp_pacer_set(&w->pacer, now, rate,
	    MAX_OF((uint64_t)FOLLOW_BURST * w->mtu, rate / 250));
}

static void
follow_on_loss(void *cc, UNUSED mono_ms now, UNUSED mono_ms sent, size_t bytes)
{
	struct cc_follow *w = cc;

	w->lost += bytes;
}

static void
follow_on_ce(void *cc, UNUSED mono_ms now)
{
	struct cc_follow *w = cc;

	/* A mark says that the queue is too long, as losses do. */
	w->lost += w->acked / FOLLOW_LOST_MANY + w->mtu;
}

static size_t
follow_budget(void *cc, mono_ms now, size_t in_flight)
{
	struct cc_follow *w = cc;
	uint64_t room = w->cwnd > in_flight ? w->cwnd - in_flight : 0;

	return (size_t)MIN_OF(room, ssp_pacer_budget(&w->pacer, now));
}

static mono_ms
follow_next_send(void *cc, mono_ms now, size_t in_flight)
{
	struct cc_follow *w = cc;

	if (in_flight + w->mtu / 2 > w->cwnd)
		return MONO_NEVER;
	return ssp_pacer_next(&w->pacer, now, w->mtu);
}

static mono_ms
follow_interval(UNUSED void *cc, UNUSED mono_ms now, const struct ssp_rtt *rtt)
{
	return ssp_cc_interval(rtt);
}

static void
follow_reset(void *cc, mono_ms now)
{
	follow_start(cc, now);
}

static void
follow_resize(void *cc, size_t mtu)
{
	struct cc_follow *w = cc;

	w->mtu = mtu;
	w->cwnd = MAX_OF(w->cwnd, (uint64_t)FOLLOW_MIN * mtu);
	ssp_pacer_burst(&w->pacer, FOLLOW_BURST * mtu);
}

const struct ssp_cc_ops ssp_cc_follow = {
	.name = "follow",
	.new = follow_new,
	.free = mem_free,
	.on_sent = follow_on_sent,
	.on_ack = follow_on_ack,
	.on_loss = follow_on_loss,
	.on_ce = follow_on_ce,
	.budget = follow_budget,
	.next_send = follow_next_send,
	.interval = follow_interval,
	.reset = follow_reset,
	.resize = follow_resize,
};
