/*
 * Two congestion windows.
 *
 * `window' keeps the queue that it causes near a target delay, as LEDBAT does
 * (RFC 6817), and limits the bytes in flight by the bytes delivered in the last
 * round trip.  It ignores loss without a queue (radio links); the limit by
 * delivery makes that safe on links that drop instead of queueing.
 *
 * `plain' is classic TCP (RFC 5681): it grows until loss, then halves.  It
 * serves as a reference.
 */
#include "base/mem.h"
#include "ssp/cc.h"
#include "ssp/pacer.h"

#define WINDOW_TARGET 40      /* ms of queue */
#define WINDOW_START 48       /* datagrams: a full screen at once */
#define WINDOW_MIN 4          /* datagrams */
#define WINDOW_MAX (8u << 20) /* bytes */
#define WINDOW_BURST 10       /* datagrams sent back to back */

struct cc_window {
	struct ssp_pacer pacer;
	bool plain;
	bool slow_start;
	size_t mtu;
	uint64_t cwnd;
	mono_ms srtt;
	mono_ms cut;        /* time of the last reduction */
	mono_ms round;      /* start of the current round trip */
	uint64_t acked;     /* bytes delivered in this round */
	uint64_t delivered; /* decaying maximum over rounds */
	mono_ms queue;      /* ms, newest estimate */
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
	w->cut = w->round = now;
	w->acked = w->delivered = 0;
	w->queue = 0;
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

/* Once a round trip: limits the window by the delivered bytes. */
static void
window_round(struct cc_window *w, mono_ms now)
{
	uint64_t most;

	if (now - w->round < MAX_OF(w->srtt, (mono_ms)1))
		return;
	w->delivered = MAX_OF(w->acked, w->delivered - w->delivered / 4);
	w->acked = 0;
	w->round = now;
	if (w->plain)
		return;
	most = w->delivered * 5 / 2 + WINDOW_START * w->mtu;
	w->cwnd = MIN_OF(w->cwnd, most);
}

static void
window_steer(struct cc_window *w, const struct ssp_cc_ack *a, mono_ms now)
{
	bool full = a->in_flight + WINDOW_BURST / 2 * w->mtu >= w->cwnd;
	int64_t off, step;

	if (w->queue > 2 * WINDOW_TARGET && now - w->cut >= w->srtt) {
		w->slow_start = false;
		w->cwnd = w->cwnd * 7 / 10;
		w->cut = now;
		return;
	}
	if (w->slow_start && w->queue > WINDOW_TARGET / 2)
		w->slow_start = false;
	if (w->slow_start) {
		if (full)
			w->cwnd += a->bytes;
		return;
	}
	off = (int64_t)WINDOW_TARGET - (int64_t)w->queue;
	if (off > 0 && !full)
		return;
	off = MAX_OF(off, -(int64_t)WINDOW_TARGET);
	step = off * (int64_t)(a->bytes * w->mtu) /
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
	if (!w->plain)
		window_steer(w, a, now);
	else if (a->in_flight + w->mtu >= w->cwnd)
		w->cwnd +=
		    w->slow_start ? a->bytes : a->bytes * w->mtu / w->cwnd;
	window_round(w, now);
	window_bound(w);
	window_pace(w, now);
}

static void
window_on_loss(void *cc, mono_ms now, mono_ms sent, UNUSED size_t bytes)
{
	struct cc_window *w = cc;

	/* Reduce once for all losses of a round trip. */
	if (sent < w->cut || (!w->plain && w->queue <= WINDOW_TARGET / 2))
		return;
	w->slow_start = false;
	w->cwnd = w->plain ? w->cwnd / 2 : w->cwnd * 7 / 10;
	w->cut = now;
	window_bound(w);
	window_pace(w, now);
}

static void
window_on_ce(void *cc, mono_ms now)
{
	struct cc_window *w = cc;

	if (now - w->cut < w->srtt)
		return;
	w->slow_start = false;
	w->cwnd = w->cwnd * 4 / 5; /* RFC 8511: a mark is milder than loss */
	w->cut = now;
	window_bound(w);
	window_pace(w, now);
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
