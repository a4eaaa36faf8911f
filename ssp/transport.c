/* The facade over a sender and a receiver. */
#include "ssp/transport.h"

#include <string.h>

#include "base/mem.h"
#include "ssp/sender_int.h"
#include "ssp/transport_int.h"

#define TP_MTU 1100    /* payload that fits every usual path */
#define TP_OVERHEAD 66 /* IPv4, UDP, header, timestamps, tag */
#define TP_SOON 20     /* ms that an ack waits for a delayed change */
#define TP_CE_REPEAT 8 /* acks that carry a new count of ECN marks */

void
ssp_transport_cfg_init(struct ssp_transport_cfg *cfg, enum ssp_link_kind link)
{
	memset(cfg, 0, sizeof *cfg);
	cfg->link = link;
	cfg->mtu = link == SSP_LINK_DATAGRAM ? TP_MTU : 16000;
	cfg->overhead = link == SSP_LINK_DATAGRAM ? TP_OVERHEAD : 4;
	cfg->collect_first = link == SSP_LINK_LOCAL ? 0 : 1;
	cfg->collect_more = link == SSP_LINK_LOCAL ? 2 : 8;
	cfg->collect_still = link == SSP_LINK_LOCAL ? 0 : 20;
	cfg->flow_tx = cfg->flow_rx = SSP_ACK_LAZY;
}

static void
tp_acked(void *arg, mono_ms now, const struct ssp_pkt *p)
{
	struct ssp_transport *tp = arg;
	struct ssp_core *c = &tp->core;
	struct ssp_cc_ack a = { .bytes = p->size,
		.sent = p->time,
		.in_flight = c->loss.in_flight + p->size,
		.rtt = &c->rtt };

	c->st.packets_acked++;
	ssp_trace(&c->trace, SSP_TRACE_PACKET_ACKED, now, p->pn, p->size, 0);
	if (p->second) {
		tp_lane_acked(tp, now, p);
		return;
	}
	/* A small one may have come by the second path, as a copy. */
	if (tp->lane != NULL && p->size > TP_COPIED)
		tp->lane->first = (struct tp_rest){ .backoff = 0 };
	if (c->cc_ops != NULL)
		c->cc_ops->on_ack(c->cc, now, &a);
	ssp_sender_packet(&tp->tx, now, p->pn, true);
	tp->answered |= tp->idle.asking && p->pn >= tp->idle_pn;
	if (tp->pace_tell && tp->pace_pn > 0 && p->pn >= tp->pace_pn)
		tp->pace_tell = false;
	if (tp->idle_short_pn > 0 && p->pn >= tp->idle_short_pn)
		tp->idle_long = false;
	ssp_side_acked(&tp->side, now, p->pn, ssp_rtt_min(&c->rtt));
	ssp_streams_acked(tp->streams, p->pn);
	if (tp->on_packet != NULL)
		tp->on_packet(tp->on_packet_arg, now, p->pn, true);
}

static void
tp_lost(void *arg, mono_ms now, const struct ssp_pkt *p)
{
	struct ssp_transport *tp = arg;
	struct ssp_core *c = &tp->core;

	c->st.packets_lost++;
	ssp_trace(&c->trace, SSP_TRACE_PACKET_LOST, now, p->pn, p->size, 0);
	if (p->second && tp->lane != NULL)
		tp->lane->ops->on_loss(tp->lane->cc, now, p->time, p->size);
	else if (c->cc_ops != NULL && !p->probe && !p->second)
		c->cc_ops->on_loss(c->cc, now, p->time, p->size);
	ssp_side_lost(&tp->side, now, p->pn);
	ssp_streams_lost(tp->streams, now, p->pn, c->loss.outage);
	/* Do not repair anything while the peer is silent. */
	if (!c->loss.outage)
		ssp_sender_packet(&tp->tx, now, p->pn, false);
	if (tp->on_packet != NULL)
		tp->on_packet(tp->on_packet_arg, now, p->pn, false);
}

static const struct ssp_loss_ops tp_loss_ops = { tp_acked, tp_lost };

struct ssp_transport *
ssp_transport_new(const struct ssp_transport_cfg *cfg, mono_ms now)
{
	struct ssp_transport *tp = mem_zalloc(sizeof *tp);
	struct ssp_core *c = &tp->core;
	struct ssp_coder coder = { .zip = cfg->zip, .verify = cfg->verify };

	c->link = cfg->link;
	tp->mtu = MAX_OF(cfg->mtu > 0 ? cfg->mtu : TP_MTU, (size_t)TP_MTU_MIN);
	c->mtu = tp->mtu;
	c->overhead = cfg->overhead > 0 ? cfg->overhead : TP_OVERHEAD;
	c->collect_first = cfg->collect_first;
	c->collect_more = cfg->collect_more;
	c->collect_still = cfg->collect_still;
	c->flow_tx = MAX_OF(cfg->flow_tx, (mono_ms)SSP_ACK_LAZY);
	c->flow_rx = MAX_OF(cfg->flow_rx, (mono_ms)SSP_ACK_LAZY);
	c->asks = cfg->asks;
	c->trace = cfg->trace;
	ssp_rtt_init(&c->rtt);
	ssp_loss_init(&c->loss, &tp_loss_ops, tp);
	ssp_redundancy_init(&c->redundancy, now);
	ssp_acktr_init(&tp->acktr);
	ssp_side_init(&tp->side);
	tp->streams = ssp_streams_new(c, cfg->asks);
	ssp_idle_init(&tp->idle);
	tp->sprout = cfg->sprout;
	tp->on_packet = cfg->on_packet;
	tp->on_packet_arg = cfg->on_packet_arg;
	tp->sprout_get = cfg->sprout_get;
	tp->sprout_arg = cfg->sprout_arg;
	tp->pinned = cfg->cc;
	tp->pace_mine = tp->pace_peer = SSP_PACING_NONE;
	tp_pace(tp, now);
	coder.ops = cfg->local_ops;
	ssp_sender_init(&tp->tx, c, &coder, cfg->local, now);
	coder.ops = cfg->remote_ops;
	ssp_receiver_init(&tp->rx, c, &coder, cfg->remote);
	if (cfg->held_max > 0)
		tp->rx.reasm.max = MAX_OF(cfg->held_max, (size_t)SSP_INS_MAX);
	tp->rx.own_max = cfg->states_max;
	tp->ack_due = tp->expire = MONO_NEVER;
	tp->lazy_from = tp->lazy_due = tp->covered_due = MONO_NEVER;
	tp->last_sent = now;
	c->last_heard = now;
	return tp;
}

void
ssp_transport_free(struct ssp_transport *tp)
{
	if (tp == NULL)
		return;
	ssp_sender_fini(&tp->tx);
	ssp_receiver_fini(&tp->rx);
	ssp_side_fini(&tp->side);
	ssp_streams_free(tp->streams);
	tp_lane_free(tp->lane);
	tp->lane = NULL;
	tp_set_cc(tp, 0, NULL);
	ssp_loss_fini(&tp->core.loss);
	mem_free(tp);
}

void
ssp_transport_set_mtu(struct ssp_transport *tp, size_t mtu)
{
	tp->mtu = MAX_OF(mtu, (size_t)TP_MTU_MIN);
	tp_resize(tp);
}

void
ssp_transport_rtt(struct ssp_transport *tp, mono_ms now, mono_ms sample)
{
	struct ssp_core *c = &tp->core;

	if (ssp_rtt_sample(&c->rtt, now, sample) == 0)
		ssp_trace(&c->trace, SSP_TRACE_RTT, now, sample,
		    ssp_rtt_srtt(&c->rtt), ssp_rtt_rto(&c->rtt));
}

void
ssp_transport_ecn(struct ssp_transport *tp, UNUSED mono_ms now)
{
	tp->core.st.ce_seen++;
	tp->ce_repeat = TP_CE_REPEAT;
}

void
ssp_transport_poke(struct ssp_transport *tp, mono_ms now, bool reset)
{
	struct ssp_core *c = &tp->core;

	if (reset) {
		ssp_rtt_init(&c->rtt);
		ssp_loss_forget(&c->loss);
		ssp_side_moved(&tp->side, now);
		ssp_idle_reset(&tp->idle);
		if (c->cc_ops != NULL)
			c->cc_ops->reset(c->cc, now);
		if (c->hear != NULL && c->hear != c->cc)
			c->hear_ops->reset(c->hear, now);
	}
	ssp_sender_wake(&tp->tx, now);
	ssp_streams_heard(tp->streams);
	tp->moved = !reset;
	tp->poke = true;
}

void
ssp_transport_near(struct ssp_transport *tp, bool near)
{
	tp->idle.near = near;
}

void
ssp_transport_idle_limit(struct ssp_transport *tp, mono_ms ms)
{
	ssp_idle_limit(&tp->idle, ms);
}

mono_ms
ssp_transport_idle(const struct ssp_transport *tp)
{
	return tp->idle.gap;
}

void
ssp_transport_set_link(
    struct ssp_transport *tp, mono_ms now, enum ssp_link_kind link)
{
	struct ssp_core *c = &tp->core;

	if (c->link == link)
		return;
	c->link = link;
	tp_set_cc(tp, now, NULL);
	tp_pace(tp, now);
	ssp_transport_poke(tp, now, true);
}

bool
ssp_transport_side_put(
    struct ssp_transport *tp, mono_ms now, const void *p, size_t n)
{
	return tp->core.link != SSP_LINK_LOCAL && tp->close == SSP_CLOSE_OPEN &&
	       ssp_side_put(&tp->side, now, p, n);
}

void
ssp_transport_side_wanted(struct ssp_transport *tp, bool wanted)
{
	tp->side.wanted = wanted;
}

mono_ms
ssp_transport_side_ready(struct ssp_transport *tp, mono_ms now)
{
	return tp_side_time(tp, now);
}

const uint8_t *
ssp_transport_side_take(struct ssp_transport *tp, size_t *len)
{
	return ssp_side_take(&tp->side, len);
}

/* --- streams --- */

struct ssp_streams *
ssp_transport_streams(struct ssp_transport *tp)
{
	return tp->streams;
}

void
ssp_transport_streams_allow(
    struct ssp_transport *tp, enum ssp_streams_allow allow)
{
	ssp_streams_allow(tp->streams, allow);
}

void
ssp_transport_past_allow(struct ssp_transport *tp, bool trail, bool pages)
{
	tp->tx.coder.trail = trail;
	tp->tx.coder.pages = pages;
}

/* --- objects --- */

void *
ssp_transport_current(struct ssp_transport *tp)
{
	return tp->tx.current;
}

void
ssp_transport_changed(struct ssp_transport *tp, mono_ms now)
{
	tp->tx.hold = 0;
	if (tp->close == SSP_CLOSE_OPEN || tp->close == SSP_CLOSE_PEER)
		ssp_sender_changed(&tp->tx, now);
}

void
ssp_transport_set_current(struct ssp_transport *tp, mono_ms now, void *obj)
{
	tp->tx.coder.ops->free(tp->tx.current);
	tp->tx.current = obj;
	tp->core.patient = false;
	ssp_transport_changed(tp, now);
}

void
ssp_transport_set_later(
    struct ssp_transport *tp, mono_ms now, void *obj, mono_ms until)
{
	mono_ms hold = ssp_sender_hold(&tp->tx, now, until);
	bool patient = hold != 0 && ssp_core_lazy(&tp->core);

	ssp_transport_set_current(tp, now, obj);
	tp->core.patient = patient;
	tp->tx.hold = patient ? hold : 0;
}

void
ssp_transport_set_soon(
    struct ssp_transport *tp, mono_ms now, void *obj, mono_ms until)
{
	mono_ms hold = ssp_sender_hold(&tp->tx, now, until);

	ssp_transport_set_current(tp, now, obj);
	if (hold == 0 || tp->core.link != SSP_LINK_DATAGRAM ||
	    ssp_core_copies(&tp->core) > 0)
		return;
	tp->tx.hold = hold;
	/* It carries the ack of the state that it answers. */
	if (tp->ack_due != MONO_NEVER)
		tp->ack_due =
		    MAX_OF(tp->ack_due, mono_min(hold, now + TP_SOON));
}

void
ssp_transport_put_off(struct ssp_transport *tp, mono_ms now, mono_ms until)
{
	struct ssp_sender *s = &tp->tx;

	if (s->hold > now && sender_changed(s, now))
		s->hold = MAX_OF(s->hold, until);
}

void
ssp_transport_patient(struct ssp_transport *tp, bool patient)
{
	tp->core.patient = patient;
}

uint64_t
ssp_transport_sent_num(const struct ssp_transport *tp)
{
	return ssp_sender_newest(&tp->tx);
}

uint64_t
ssp_transport_too_big(const struct ssp_transport *tp)
{
	return tp->core.st.too_big;
}

uint64_t
ssp_transport_acked_num(const struct ssp_transport *tp)
{
	return tp->tx.acked;
}

bool
ssp_transport_unacked(struct ssp_transport *tp, mono_ms now)
{
	return ssp_sender_unacked(&tp->tx, now) ||
	       ssp_streams_flying(tp->streams);
}

mono_ms
ssp_transport_srtt(const struct ssp_transport *tp)
{
	return ssp_rtt_srtt(&tp->core.rtt);
}

mono_ms
ssp_transport_ack_wait(const struct ssp_transport *tp)
{
	const struct ssp_sender *s = &tp->tx;

	/* More lazy states may follow and delay its ack. */
	if (s->sent[s->nsent - 1].haste == SSP_HASTE_LAZY)
		return tp->core.flow_tx;
	return sender_ack_wait(s, s->nsent - 1);
}

const void *
ssp_transport_remote(const struct ssp_transport *tp, uint64_t *num)
{
	const struct ssp_received *s = &tp->rx.state[tp->rx.nstate - 1];

	if (num != NULL)
		*num = s->num;
	return s->obj;
}

uint64_t
ssp_transport_remote_seen(struct ssp_transport *tp)
{
	return ssp_receiver_seen(&tp->rx);
}

void
ssp_transport_shutdown(struct ssp_transport *tp, mono_ms now)
{
	if (tp->close != SSP_CLOSE_OPEN)
		return;
	tp->close = SSP_CLOSE_ASKED;
	tp->close_at = tp->close_next = now;
}

enum ssp_close_state
ssp_transport_closing(const struct ssp_transport *tp)
{
	return tp->close;
}

void
ssp_transport_stats(
    struct ssp_transport *tp, mono_ms now, struct ssp_transport_stats *st)
{
	struct ssp_core *c = &tp->core;
	unsigned i;

	*st = c->st;
	st->srtt = ssp_rtt_srtt(&c->rtt);
	st->rttvar = ssp_rtt_var(&c->rtt);
	st->rto = ssp_rtt_rto(&c->rtt);
	st->rtt_min = ssp_rtt_min(&c->rtt);
	st->have_rtt = c->rtt.have;
	st->loss = (unsigned)(ssp_loss_rate(&c->loss) * 10000);
	st->copies = ssp_core_copies(c);
	st->interval =
	    c->cc_ops != NULL ? c->cc_ops->interval(c->cc, now, &c->rtt) : 0;
	st->last_heard = c->heard ? c->last_heard : 0;
	st->asked = tp->tx.nsent > 1 ? tp->tx.sent[1].first : now;
	st->in_flight = c->loss.in_flight;
	st->budget = c->cc_ops != NULL
			 ? c->cc_ops->budget(c->cc, now, c->loss.in_flight)
			 : SIZE_MAX;
	st->sent_states = tp->tx.nsent;
	st->received_states = tp->rx.nstate;
	st->reassembly = tp->rx.reasm.bytes;
	for (i = 0, st->bulk = 0; i < tp->tx.nbulk; i++)
		st->bulk += tp->tx.bulk[i]->len;
}

bool
ssp_transport_check(const struct ssp_transport *tp)
{
	return ssp_sender_check(&tp->tx) && ssp_receiver_check(&tp->rx) &&
	       ssp_streams_check(tp->streams) &&
	       tp->core.loss.count <= tp->core.loss.cap;
}
