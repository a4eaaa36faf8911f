/*
 * A second path for bytes of streams: its own round trip, losses and congestion
 * control beside those of the first, with which it shares the packet numbers.
 *
 * The first path goes first.  The second takes a datagram when the first is full
 * and so many bytes wait that the first would need longer for the last of them
 * than the second needs for this one: so it helps, however slow it is.
 */
#include "base/mem.h"
#include "ssp/cc.h"
#include "ssp/transport_int.h"

#define LANE_REST_MAX 10000 /* ms */
#define LANE_PAUSE 5        /* ms; then something may fit */
#define LANE_START 10       /* datagrams: nobody waits for a screen */
#define LANE_QUEUE 60       /* ms of queue that the credit allows for */

static void
lane_cc_end(struct tp_lane *l)
{
	if (l->cc != NULL)
		l->ops->free(l->cc);
	l->cc = NULL;
}

void
tp_lane_free(struct tp_lane *l)
{
	if (l == NULL)
		return;
	lane_cc_end(l);
	mem_free(l);
}

static void
lane_cc(struct ssp_transport *tp, mono_ms now)
{
	const struct ssp_core *c = &tp->core;
	struct tp_lane *l = tp->lane;
	const size_t mtu = l->mtu + c->overhead;
	const struct ssp_cc_cfg cfg = {
		.now = now, .mtu = mtu, .window = LANE_START * mtu
	};

	lane_cc_end(l);
	l->cc_mtu = mtu;
	l->like = c->cc_ops;
	/* A personality that needs the peer's word hears of one path only. */
	l->ops = c->cc_ops == NULL || c->cc_ops->put != NULL ? &ssp_cc_auto
							     : c->cc_ops;
	l->cc = l->ops->new (&cfg);
}

/* The path carries payloads of MTU bytes; cc hears as in tp_resize. */
static void
lane_resize(struct ssp_transport *tp, size_t mtu)
{
	struct tp_lane *l = tp->lane;
	size_t full;

	l->mtu =
	    l->ops->resize != NULL ? mtu : MIN_OF(mtu, (size_t)TP_MTU_ETHERNET);
	full = l->mtu + tp->core.overhead;
	if (l->ops->resize == NULL ||
	    (full <= 2 * l->cc_mtu && l->cc_mtu <= 2 * full))
		return;
	l->ops->resize(l->cc, full);
	l->cc_mtu = full;
}

/* Tells the streams how far ahead the peer may have to hold bytes. */
static void
lane_far(struct ssp_transport *tp)
{
	tp->core.far = ssp_rtt_srtt(&tp->lane->rtt) + LANE_QUEUE;
}

void
ssp_transport_lane_open(struct ssp_transport *tp, mono_ms now, mono_ms rtt)
{
	ssp_transport_lane_shut(tp, now);
	tp->lane = mem_zalloc(sizeof(*tp->lane));
	ssp_rtt_init(&tp->lane->rtt);
	/* Until the first datagram. */
	tp->lane->mtu = MIN_OF(tp->core.mtu, (size_t)TP_MTU_ETHERNET);
	lane_cc(tp, now);
	if (rtt == 0 || ssp_rtt_sample(&tp->lane->rtt, now, rtt) == 0)
		lane_far(tp);
}

void
ssp_transport_lane_shut(struct ssp_transport *tp, mono_ms now)
{
	struct tp_lane *l = tp->lane;

	if (l == NULL)
		return;
	/* They are no sign of congestion any more. */
	tp->lane = NULL;
	tp->core.far = 0;
	ssp_loss_drop_second(&tp->core.loss, now);
	tp_lane_free(l);
}

void
ssp_transport_lane_swap(struct ssp_transport *tp, mono_ms now)
{
	struct ssp_core *c = &tp->core;
	struct tp_lane *l = tp->lane;
	const struct tp_lane was = *l;

	ssp_loss_swap(&c->loss);
	ssp_loss_forget(&c->loss);
	l->rtt = c->rtt;
	c->rtt = was.rtt;
	l->rest = l->first;
	l->first = was.rest;
	l->pause = 0;
	/* The connection tells the first one's size next. */
	l->mtu = c->mtu;
	if (l->ops == c->cc_ops) {
		l->cc = c->cc;
		l->cc_mtu = c->cc_mtu;
		c->cc = was.cc;
		c->cc_mtu = was.cc_mtu;
		tp_resize(tp);
	} else {
		lane_cc(tp, now);
		if (c->cc_ops != NULL)
			c->cc_ops->reset(c->cc, now);
	}
	lane_far(tp);
}

/* --- fates --- */

/*
 * Returns how long to wait for an ack: a little over the timeout while
 * datagrams arrive from the peer, else twice the timeout.
 */
mono_ms
tp_patience(
    const struct ssp_transport *tp, const struct ssp_rtt *rtt, mono_ms oldest)
{
	const struct ssp_core *c = &tp->core;
	mono_ms rto = ssp_rtt_rto(rtt) + ssp_core_ack_wait(c, oldest);

	if (rtt->have && c->last_heard > oldest + rto / 2)
		return rto + rto / 4;
	return 2 * rto;
}

void
tp_lane_ack(struct ssp_transport *tp, mono_ms now, const struct ssp_ack *a)
{
	struct ssp_core *c = &tp->core;
	struct tp_lane *l = tp->lane;
	const struct ssp_pkt *p = ssp_loss_news_second(&c->loss, a);

	/*
	 * The newest one waited least for this ack, which came by the quicker way
	 * back.
	 */
	if (p != NULL && ssp_rtt_sample(&l->rtt, now, now - p->time) == 0)
		lane_far(tp);
	ssp_loss_ack_both(
	    &c->loss, now, a, ssp_rtt_srtt(&c->rtt), ssp_rtt_srtt(&l->rtt));
}

void
tp_lane_acked(struct ssp_transport *tp, mono_ms now, const struct ssp_pkt *p)
{
	struct tp_lane *l = tp->lane;
	struct ssp_cc_ack a = { .bytes = p->size,
		.sent = p->time,
		.in_flight = tp->core.loss.second.in_flight + p->size };

	if (l != NULL) {
		a.rtt = &l->rtt;
		l->ops->on_ack(l->cc, now, &a);
		l->rest = (struct tp_rest){ .backoff = 0 };
	}
	ssp_streams_acked(tp->streams, p->pn);
	if (tp->on_packet != NULL)
		tp->on_packet(tp->on_packet_arg, now, p->pn, true);
}

void
tp_lane_rest(struct ssp_transport *tp, mono_ms now, bool second)
{
	struct tp_lane *l = tp->lane;
	struct tp_rest *r = second ? &l->rest : &l->first;
	const mono_ms rto = ssp_rtt_rto(second ? &l->rtt : &tp->core.rtt);

	/* What was sent at once is overdue at once. */
	if (r->backoff > 0 && now - r->at < rto)
		return;
	/* Once may be chance. */
	if (r->backoff > 0)
		r->until =
		    now + mono_min(rto << (r->backoff - 1), LANE_REST_MAX);
	r->backoff = MIN_OF(r->backoff + 1, 10u);
	r->at = now;
}

/* Returns when what flies by the second path is overdue. */
static mono_ms
lane_overdue(const struct ssp_transport *tp)
{
	const mono_ms oldest = ssp_loss_oldest_second(&tp->core.loss);

	return oldest == MONO_NEVER
		   ? MONO_NEVER
		   : oldest + tp_patience(tp, &tp->lane->rtt, oldest);
}

void
tp_lane_expire(struct ssp_transport *tp, mono_ms now)
{
	struct ssp_core *c = &tp->core;
	const mono_ms due = lane_overdue(tp);
	mono_ms rto;
	bool silent;

	if (due > now)
		return;
	rto = ssp_rtt_rto(&tp->lane->rtt);
	silent = now - c->last_heard >= rto + rto / 2;
	ssp_loss_expire_second(&c->loss, now,
	    tp_patience(tp, &tp->lane->rtt, ssp_loss_oldest_second(&c->loss)),
	    silent);
	if (!silent)
		tp_lane_rest(tp, now, true);
}

/* --- sending --- */

/* Returns whether the second path may carry anything. */
static bool
lane_open(const struct ssp_transport *tp)
{
	return tp->core.link == SSP_LINK_DATAGRAM && tp->core.hear == NULL &&
	       (tp->close == SSP_CLOSE_OPEN || tp->close == SSP_CLOSE_ASKED) &&
	       ssp_streams_count(tp->streams) > 0;
}

/* Returns how many waiting bytes keep the first path busy for longer. */
static uint64_t
lane_enough(const struct ssp_transport *tp, mono_ms now)
{
	const struct ssp_core *c = &tp->core;
	const mono_ms first = MAX_OF(ssp_rtt_srtt(&c->rtt), (mono_ms)1),
		      second = ssp_rtt_srtt(&tp->lane->rtt);
	uint64_t more = 0;

	if (tp_lane_first(tp, now) > now)
		return 0;
	if (second > first)
		more = (second - first) * c->loss.in_flight / first;
	return MAX_OF(more, (uint64_t)tp->lane->mtu);
}

/* Returns when the second path should take a datagram; MONO_NEVER: not now. */
static mono_ms
lane_ready(struct ssp_transport *tp, mono_ms now)
{
	const struct ssp_core *c = &tp->core;
	const struct tp_lane *l = tp->lane;
	const size_t fly = c->loss.second.in_flight;
	mono_ms t;

	if (!lane_open(tp))
		return MONO_NEVER;
	t = ssp_streams_wide(tp->streams, now, lane_enough(tp, now));
	if (t == MONO_NEVER)
		return t;
	if (l->ops->budget(l->cc, now, fly) < (l->mtu + c->overhead) / 2)
		t = MAX_OF(
		    t, MAX_OF(l->ops->next_send(l->cc, now, fly), now + 1));
	return MAX_OF(t, MAX_OF(l->rest.until, l->pause));
}

mono_ms
tp_lane_first(const struct ssp_transport *tp, mono_ms now)
{
	const struct tp_lane *l = tp->lane;

	/* Never both at once. */
	if (l->rest.until > now || !lane_open(tp))
		return now;
	if (ssp_streams_turn(tp->streams))
		return MONO_NEVER;
	return l->rest.backoff > 0 ? now : l->first.until;
}

mono_ms
tp_lane_time(struct ssp_transport *tp, mono_ms now)
{
	return mono_min(lane_overdue(tp), lane_ready(tp, now));
}

size_t
ssp_transport_lane_send(struct ssp_transport *tp, mono_ms now, uint64_t pn,
    uint8_t *out, size_t cap)
{
	struct ssp_core *c = &tp->core;
	struct tp_lane *l = tp->lane;
	size_t bytes;
	struct wr w;

	if (l == NULL || cap < TP_MTU_MIN)
		return 0;
	/* The user has chosen another personality. */
	if (l->like != c->cc_ops)
		lane_cc(tp, now);
	lane_resize(tp, cap);
	if (lane_ready(tp, now) > now)
		return 0;
	wr_init(&w, out, l->mtu);
	if (!ssp_streams_spread(tp->streams, now, pn, &w)) {
		l->pause = now + LANE_PAUSE;
		return 0;
	}
	bytes = wr_len(&w) + c->overhead;
	ssp_loss_sent_second(&c->loss, now, pn, bytes);
	c->counted += bytes;
	l->ops->on_sent(l->cc, now, bytes, true);
	c->st.packets_sent++;
	c->st.bytes_sent += wr_len(&w);
	c->st.stream_parts++;
	c->st.lane_parts++;
	ssp_trace(&c->trace, SSP_TRACE_SENT, now, pn, wr_len(&w), true);
	return wr_len(&w);
}
