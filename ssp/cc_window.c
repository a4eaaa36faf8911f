/*
 * Two congestion windows.
 *
 * `window' keeps the queue that it causes near a target delay, as LEDBAT does
 * (RFC 6817), but by a part of the window each round trip.  A loss makes the
 * window smaller by what stands in the queue (as Westwood's TCP), so a loss
 * without a queue (radio) by nothing.  For links that drop instead of queueing it
 * watches whether a smaller window loses less, and limits the bytes in flight by
 * the bytes delivered in the last round trips.
 *
 * `plain' is classic TCP (RFC 5681): it grows until loss, then halves.  It
 * serves as a reference.
 */
#include "base/mem.h"
#include "ssp/cc.h"
#include "ssp/pacer.h"

#define WINDOW_TARGET 35       /* ms of queue */
#define WINDOW_START 48        /* datagrams: a full screen at once */
#define WINDOW_MIN 4           /* datagrams */
#define WINDOW_MAX (20u << 20) /* bytes */
#define WINDOW_STEP 16         /* a part of the window: most of a step ... */
#define WINDOW_STEP_QUEUE 10   /* ... and ms of queue that it may make */
#define WINDOW_STANDS 16       /* datagrams in a row that show a queue */
#define WINDOW_EMPTY 3         /* ms: no queue stands */
#define WINDOW_AGAIN 3         /* doublings of the time of a doubling */
#define WINDOW_LOST 12         /* percent more lost than is known: too much */
#define WINDOW_LOST_OF 64      /* datagrams that tell that */
#define WINDOW_BURST 10        /* datagrams sent back to back */

struct cc_window {
	struct ssp_pacer pacer;
	bool plain;
	bool slow_start;
	size_t mtu;
	uint64_t cwnd;
	mono_ms srtt;
	mono_ms cut;        /* time of the last reduction */
	mono_ms round;      /* start of the current round trip */
	mono_ms before;     /* start of the one before */
	uint64_t acked;     /* bytes delivered in this round */
	uint64_t delivered; /* decaying maximum over rounds */
	mono_ms judged;     /* time of the last reduction for many losses */
	uint64_t fates[2];  /* bytes sent since that arrived, that were lost */
	unsigned known; /* percent lost that a smaller window did not change */
	unsigned trial; /* percent lost before the window was cut for it */
	bool early;     /* nothing but a queue has ended the start */
	unsigned again; /* times that it went on */
	bool lossy;     /* more than is known was lost of late */
	uint64_t peak[2];  /* bytes in flight, most: this round, the last one */
	mono_ms queue;     /* ms, newest estimate */
	unsigned standing; /* datagrams acked in a row that met a queue */
	mono_ms least[2];  /* ms, shortest: this round, the last one */
	mono_ms last_sent;
};

static void
window_pace(struct cc_window *w, mono_ms now)
{
	uint64_t rate = 0, burst = WINDOW_BURST * w->mtu;

	/* A clock of 1 ms cannot pace within a shorter round trip. */
	if (w->srtt >= 2)
		rate = w->cwnd * (w->slow_start ? 2000 : 1250) / w->srtt;
	/* Keep what accrues while a timer of 1 ms sleeps. */
	burst = MAX_OF(burst, rate / 250);
	ssp_pacer_set(&w->pacer, now, rate, burst);
}

static void
window_start(struct cc_window *w, mono_ms now)
{
	w->slow_start = true;
	w->cwnd = WINDOW_START * w->mtu;
	w->srtt = SSP_SRTT_INITIAL;
	w->cut = w->round = w->before = w->judged = now;
	w->acked = w->delivered = 0;
	w->fates[0] = w->fates[1] = 0;
	w->known = w->trial = 0;
	w->lossy = false;
	w->early = true;
	w->again = 0;
	w->peak[0] = w->peak[1] = 0;
	w->queue = w->standing = 0;
	w->least[0] = w->least[1] = MONO_NEVER;
	window_pace(w, now);
}

static void *
window_make(const struct ssp_cc_cfg *cfg, bool plain)
{
	struct cc_window *w = mem_zalloc(sizeof *w);

	w->plain = plain;
	w->mtu = cfg->mtu;
	ssp_pacer_init(&w->pacer, cfg->now, WINDOW_BURST * cfg->mtu);
	window_start(w, cfg->now);
	if (cfg->window > 0)
		w->cwnd = cfg->window;
	return w;
}

static void *
window_new(const struct ssp_cc_cfg *cfg)
{
	return window_make(cfg, false);
}

static void *
plain_new(const struct ssp_cc_cfg *cfg)
{
	return window_make(cfg, true);
}

static void
window_on_sent(void *cc, mono_ms now, size_t bytes, bool bulk)
{
	struct cc_window *w = cc;

	if (bulk)
		ssp_pacer_sent(&w->pacer, now, bytes);
	w->last_sent = now;
}

static void
window_bound(struct cc_window *w)
{
	w->cwnd =
	    CLAMP(w->cwnd, (uint64_t)WINDOW_MIN * w->mtu, (uint64_t)WINDOW_MAX);
}

static void
window_cut(struct cc_window *w, mono_ms now, uint64_t cwnd)
{
	w->slow_start = false;
	w->cwnd = cwnd;
	w->cut = now;
	window_bound(w);
	window_pace(w, now);
}

/*
 * Cuts the window if too many of its datagrams were lost, once the fates of most
 * are known.  A link that drops instead of queueing loses the excess of the
 * window, so a smaller window loses less.  Radio loses as much with any window.
 */
static void
window_judge(struct cc_window *w, mono_ms now)
{
	uint64_t all = w->fates[0] + w->fates[1];
	unsigned lost;

	if (all < MAX_OF((uint64_t)WINDOW_LOST_OF * w->mtu, w->cwnd / 2))
		return;
	lost = (unsigned)(w->fates[1] * 100 / all);
	w->fates[0] = w->fates[1] = 0;
	if (w->trial > 0 && lost > w->trial / 2)
		w->known = lost;
	else if (lost < w->known)
		w->known -= (w->known - lost + 3) / 4;
	w->trial = 0;
	w->lossy = lost > w->known + WINDOW_LOST;
	if (!w->lossy)
		return;
	w->trial = lost;
	w->judged = now;
	w->early = false;
	window_cut(w, now, w->cwnd * (100 - MIN_OF(lost, 50u)) / 100);
}

/* Returns whether the window, not its user, limits what is in flight. */
static bool
window_full(const struct cc_window *w)
{
	uint64_t peak = MAX_OF(w->peak[0], w->peak[1]);

	/* Acks come for several datagrams at a time, and the pacer waits. */
	return w->slow_start ? peak * 2 >= w->cwnd
			     : peak + WINDOW_BURST / 2 * w->mtu >= w->cwnd;
}

/*
 * A pause of a busy machine looks like a queue and ends the start too soon: where
 * two round trips then show none, the start goes on, but more slowly.
 */
static void
window_resume(struct cc_window *w)
{
	if (w->slow_start || !w->early || w->cut > w->before ||
	    !window_full(w) || MAX_OF(w->least[0], w->least[1]) >= WINDOW_EMPTY)
		return;
	w->slow_start = true;
	w->standing = 0;
	w->again = MIN_OF(w->again + 1, (unsigned)WINDOW_AGAIN);
}

/* Once a round trip: limits the window by the delivered bytes. */
static void
window_round(struct cc_window *w, mono_ms now)
{
	uint64_t most;

	if (now - w->round < MAX_OF(w->srtt, (mono_ms)1))
		return;
	w->delivered = MAX_OF(w->acked, w->delivered - w->delivered / 4);
	w->acked = 0;
	if (!w->plain)
		window_resume(w);
	w->peak[1] = w->peak[0];
	w->peak[0] = 0;
	w->least[1] = w->least[0];
	w->least[0] = MONO_NEVER;
	w->before = w->round;
	w->round = now;
	if (w->plain)
		return;
	most = w->delivered * 5 / 2 + WINDOW_START * w->mtu;
	w->cwnd = MIN_OF(w->cwnd, most);
}

/*
 * Returns how many bytes the window changes by in a round trip at most: a part
 * of it, so that a long fast link is filled soon, but no more than makes the
 * queue a little longer before that is seen.
 */
static uint64_t
window_step(const struct cc_window *w)
{
	uint64_t step = MIN_OF(w->cwnd / WINDOW_STEP,
	    w->cwnd * WINDOW_STEP_QUEUE / MAX_OF(w->srtt, (mono_ms)1));

	return w->lossy ? w->mtu : MAX_OF(step, (uint64_t)w->mtu);
}

/*
 * Doubles the window each round trip until a queue stands; then half of it, which
 * was in flight when that queue began, is enough.  What the start has sent beyond
 * that may be lost: this does not tell that the half is too much.
 */
static void
window_double(struct cc_window *w, const struct ssp_cc_ack *a, mono_ms now)
{
	w->standing = w->queue > WINDOW_TARGET / 2 ? w->standing + 1 : 0;
	if (w->standing >= WINDOW_STANDS) {
		window_cut(w, now,
		    MAX_OF(w->cwnd - w->cwnd / ((1u << w->again) + 1),
			(uint64_t)WINDOW_START * w->mtu));
		w->judged = now;
		w->fates[0] = w->fates[1] = 0;
	} else if (window_full(w))
		w->cwnd += a->bytes >> w->again;
}

static void
window_steer(struct cc_window *w, const struct ssp_cc_ack *a, mono_ms now)
{
	int64_t off, step;

	if (w->queue > 2 * WINDOW_TARGET && now - w->cut >= w->srtt) {
		window_cut(w, now, w->cwnd * 7 / 10);
		return;
	}
	if (w->slow_start) {
		window_double(w, a, now);
		return;
	}
	off = (int64_t)WINDOW_TARGET - (int64_t)w->queue;
	if (off > 0 && !window_full(w))
		return;
	off = MAX_OF(off, -(int64_t)WINDOW_TARGET);
	step = off * (int64_t)(a->bytes * window_step(w)) /
	       ((int64_t)w->cwnd * WINDOW_TARGET);
	w->cwnd = (uint64_t)MAX_OF((int64_t)w->cwnd + step, 0);
}

static void
window_on_ack(void *cc, mono_ms now, const struct ssp_cc_ack *a)
{
	struct cc_window *w = cc;
	mono_ms min = ssp_rtt_min(a->rtt), rtt = a->rtt->latest;

	w->srtt = ssp_rtt_srtt(a->rtt);
	w->queue = a->rtt->have && rtt > min ? rtt - min : 0;
	w->acked += a->bytes;
	w->peak[0] = MAX_OF(w->peak[0], (uint64_t)a->in_flight);
	w->least[0] = mono_min(w->least[0], w->queue);
	if (!w->plain)
		window_steer(w, a, now);
	else if (a->in_flight + w->mtu >= w->cwnd)
		w->cwnd +=
		    w->slow_start ? a->bytes : a->bytes * w->mtu / w->cwnd;
	window_round(w, now);
	if (a->sent >= w->judged)
		w->fates[0] += a->bytes;
	if (!w->plain)
		window_judge(w, now);
	window_bound(w);
	window_pace(w, now);
}

/*
 * Returns the window that empties the queue which stood for the last round trip,
 * and no less: without a queue a loss was no congestion.
 */
static uint64_t
window_drained(const struct cc_window *w)
{
	mono_ms queue = mono_min(w->least[0], w->least[1]);

	if (queue == MONO_NEVER)
		queue = 0;
	queue = mono_min(queue, w->srtt);
	return MAX_OF(w->cwnd * (w->srtt - queue) / MAX_OF(w->srtt, (mono_ms)1),
	    w->cwnd * 7 / 10);
}

static void
window_on_loss(void *cc, mono_ms now, mono_ms sent, size_t bytes)
{
	struct cc_window *w = cc;
	uint64_t drained = window_drained(w);

	if (sent >= w->judged)
		w->fates[1] += bytes;
	/* Reduce once for all losses of a round trip. */
	if (sent < w->cut)
		return;
	if (w->plain) {
		window_cut(w, now, w->cwnd / 2);
	} else if (!w->slow_start && drained < w->cwnd) {
		w->early = w->early && drained > w->cwnd - w->cwnd / 8;
		window_cut(w, now, drained);
	}
}

static void
window_on_ce(void *cc, mono_ms now)
{
	struct cc_window *w = cc;

	if (now - w->cut < w->srtt)
		return;
	w->early = false;
	/* RFC 8511: a mark is milder than loss. */
	window_cut(w, now, w->cwnd * 4 / 5);
}

static size_t
window_budget(void *cc, mono_ms now, size_t in_flight)
{
	struct cc_window *w = cc;
	uint64_t room = w->cwnd > in_flight ? w->cwnd - in_flight : 0;

	return (size_t)MIN_OF(room, ssp_pacer_budget(&w->pacer, now));
}

static mono_ms
window_next_send(void *cc, mono_ms now, size_t in_flight)
{
	struct cc_window *w = cc;

	if (in_flight + w->mtu / 2 > w->cwnd)
		return MONO_NEVER;
	return ssp_pacer_next(&w->pacer, now, w->mtu);
}

static mono_ms
window_interval(UNUSED void *cc, UNUSED mono_ms now, const struct ssp_rtt *rtt)
{
	return ssp_cc_interval(rtt);
}

static void
window_reset(void *cc, mono_ms now)
{
	window_start(cc, now);
}

static void
window_resize(void *cc, size_t mtu)
{
	struct cc_window *w = cc;

	w->mtu = mtu;
	window_bound(w);
	ssp_pacer_burst(&w->pacer, WINDOW_BURST * mtu);
}

const struct ssp_cc_ops ssp_cc_window = {
	.name = "window",
	.new = window_new,
	.free = mem_free,
	.on_sent = window_on_sent,
	.on_ack = window_on_ack,
	.on_loss = window_on_loss,
	.on_ce = window_on_ce,
	.budget = window_budget,
	.next_send = window_next_send,
	.interval = window_interval,
	.reset = window_reset,
	.resize = window_resize,
};

const struct ssp_cc_ops ssp_cc_plain = {
	.name = "plain",
	.new = plain_new,
	.free = mem_free,
	.on_sent = window_on_sent,
	.on_ack = window_on_ack,
	.on_loss = window_on_loss,
	.on_ce = window_on_ce,
	.budget = window_budget,
	.next_send = window_next_send,
	.interval = window_interval,
	.reset = window_reset,
	.resize = window_resize,
};
