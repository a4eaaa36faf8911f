/*
 * The facade: joins a sender and a receiver, writes and reads payloads, and
 * decides when acks go.
 *
 * ACK frame: varint newest state held, then what ssp/acktr.h writes.  Every
 * payload carries one.  One goes alone when the peer should not wait any
 * longer, at once after eight datagrams, and again (spaced like copies) where
 * loss was measured, because a lost ack makes the peer repeat all it sent.
 */
#include "ssp/transport.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "ssp/acktr.h"
#include "ssp/core.h"
#include "ssp/frame.h"
#include "ssp/receiver.h"
#include "ssp/sender.h"

#define TP_MTU 1100            /* payload: fits every path in use */
#define TP_MTU_MIN 400         /* smaller is not supported */
#define TP_OVERHEAD 66         /* IPv4, UDP, header, timestamps, tag */
#define TP_HEARTBEAT 3000      /* ms */
#define TP_HEARTBEAT_YIELD 500 /* ms more, where the peer may ask first */
#define TP_SEARCH 1000         /* ms between pings to a peer gone silent */
#define TP_SILENT 4000         /* ms without hearing: it should have pinged */
#define TP_SEARCH_LONG 60000   /* ms of silence until pings get rare again */
#define TP_ACK_EVERY 8         /* datagrams that are acked at once */
#define TP_ACK_GAP 3           /* ms until a gap among fragments is told of */
#define TP_ACK_PARTS 4         /* the same while fragments are missing */
#define TP_ACK_COPIES 2        /* repetitions of an ack at most */
#define TP_CE_REPEAT 8         /* acks that carry a new count of marks */
#define TP_OUTAGE 1000         /* ms of silence that loss is not measured in */
#define TP_CC_ROOM (SSP_CC_BODY_MAX + 8) /* bytes kept for a CC frame */
#define TP_CC_TYPICAL 16                 /* bytes it is accounted with */
#define TP_CLOSE_TRIES 16
#define TP_CLOSE_TIME 10000 /* ms */

enum tp_close_what {
	TP_CLOSE_ASK = 1,
	TP_CLOSE_CONFIRM = 2
};

struct ssp_transport {
	struct ssp_core core;
	struct ssp_sender tx;
	struct ssp_receiver rx;
	struct ssp_acktr acktr;
	struct ssp_sprout_tab const *sprout;
	void (*on_packet)(void *, mono_ms, uint64_t, bool);
	void *on_packet_arg;

	mono_ms ack_due;  /* MONO_NEVER: none is owed */
	unsigned unacked; /* eliciting datagrams since the last ack sent */
	unsigned ack_copies;
	mono_ms last_sent;
	bool spoke;     /* the last datagram sent wanted an ack */
	mono_ms expire; /* when datagrams in flight are given up */
	bool poke;

	unsigned ce_repeat;
	uint64_t ce_peer; /* marks the peer has told of */
	uint64_t ce_pn;

	enum ssp_close_state close;
	uint64_t close_num;
	mono_ms close_at, close_next;
	unsigned close_tries;
	bool close_confirm;
};

void
ssp_transport_cfg_init(struct ssp_transport_cfg *cfg, enum ssp_link_kind link)
{
	memset(cfg, 0, sizeof *cfg);
	cfg->link = link;
	cfg->mtu = link == SSP_LINK_DATAGRAM ? TP_MTU : 16000;
	cfg->overhead = link == SSP_LINK_DATAGRAM ? TP_OVERHEAD : 4;
	cfg->collect_first = link == SSP_LINK_LOCAL ? 0 : 1;
	cfg->collect_more = link == SSP_LINK_LOCAL ? 2 : 8;
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
	if (c->cc_ops != NULL)
		c->cc_ops->on_ack(c->cc, now, &a);
	ssp_sender_packet(&tp->tx, now, p->pn, true);
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
	if (c->cc_ops != NULL && !p->probe)
		c->cc_ops->on_loss(c->cc, now, p->time, p->size);
	/* Nothing is repaired for one who does not hear it. */
	if (!c->loss.outage)
		ssp_sender_packet(&tp->tx, now, p->pn, false);
	if (tp->on_packet != NULL)
		tp->on_packet(tp->on_packet_arg, now, p->pn, false);
}

static const struct ssp_loss_ops tp_loss_ops = { tp_acked, tp_lost };

static void
tp_set_cc(struct ssp_transport *tp, mono_ms now, const struct ssp_cc_ops *ops)
{
	struct ssp_core *c = &tp->core;
	struct ssp_cc_cfg cfg = {
		.now = now, .mtu = c->mtu + c->overhead, .tab = tp->sprout
	};

	if (c->cc_ops != NULL)
		c->cc_ops->free(c->cc);
	c->cc = NULL;
	c->cc_ops = ops;
	if (ops != NULL)
		c->cc = ops->new (&cfg);
}

static const struct ssp_cc_ops *
tp_default_cc(enum ssp_link_kind link)
{
	return link == SSP_LINK_LOCAL ? NULL : &ssp_cc_window;
}

struct ssp_transport *
ssp_transport_new(const struct ssp_transport_cfg *cfg, mono_ms now)
{
	struct ssp_transport *tp = mem_zalloc(sizeof *tp);
	struct ssp_core *c = &tp->core;
	struct ssp_coder coder = { .zip = cfg->zip, .verify = cfg->verify };

	c->link = cfg->link;
	c->mtu = MAX_OF(cfg->mtu > 0 ? cfg->mtu : TP_MTU, (size_t)TP_MTU_MIN);
	c->overhead = cfg->overhead > 0 ? cfg->overhead : TP_OVERHEAD;
	c->collect_first = cfg->collect_first;
	c->collect_more = cfg->collect_more;
	c->trace = cfg->trace;
	ssp_rtt_init(&c->rtt);
	ssp_loss_init(&c->loss, &tp_loss_ops, tp);
	ssp_redundancy_init(&c->redundancy, now);
	ssp_acktr_init(&tp->acktr);
	tp->sprout = cfg->sprout;
	tp->on_packet = cfg->on_packet;
	tp->on_packet_arg = cfg->on_packet_arg;
	tp_set_cc(
	    tp, now, cfg->cc != NULL ? cfg->cc : tp_default_cc(cfg->link));
	coder.ops = cfg->local_ops;
	ssp_sender_init(&tp->tx, c, &coder, cfg->local, now);
	coder.ops = cfg->remote_ops;
	ssp_receiver_init(&tp->rx, c, &coder, cfg->remote);
	tp->ack_due = tp->expire = MONO_NEVER;
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
	tp_set_cc(tp, 0, NULL);
	ssp_loss_fini(&tp->core.loss);
	mem_free(tp);
}

static void
tp_owe_ack(struct ssp_transport *tp, mono_ms when)
{
	tp->ack_due = mono_min(tp->ack_due, when);
}

/* A state that is new, or part of one: its ack is worth repeating. */
static void
tp_ack_news(struct ssp_transport *tp)
{
	unsigned most =
	    ssp_reasm_pending(&tp->rx.reasm) ? TP_ACK_PARTS : TP_ACK_COPIES;

	tp->ack_copies = MIN_OF(ssp_core_copies(&tp->core), most);
}

static int
tp_on_ack(struct ssp_transport *tp, mono_ms now, UNUSED uint64_t pn,
    const struct ssp_frame *f)
{
	struct ssp_ack a;
	struct rd r;
	uint64_t num;
	int e;

	rd_init(&r, f->body, f->len);
	num = rd_varint(&r);
	if ((e = ssp_ack_get(&a, &r)) != 0)
		return e;
	ssp_loss_ack(&tp->core.loss, now, &a, ssp_rtt_srtt(&tp->core.rtt));
	ssp_sender_ack(&tp->tx, now, num);
	return 0;
}

static int
tp_news(struct ssp_transport *tp, mono_ms now, int e)
{
	if (e < 0)
		return e;
	if (e == SSP_NEWS_STATE)
		ssp_sender_input(&tp->tx, now);
	if (e != SSP_NEWS_NONE)
		tp_ack_news(tp);
	if (tp->rx.resync)
		tp_owe_ack(tp, now);
	return 0;
}

static int
tp_on_state(struct ssp_transport *tp, mono_ms now, UNUSED uint64_t pn,
    const struct ssp_frame *f)
{
	return tp_news(
	    tp, now, ssp_receiver_state(&tp->rx, now, f->body, f->len));
}

static int
tp_on_frag(struct ssp_transport *tp, mono_ms now, UNUSED uint64_t pn,
    const struct ssp_frame *f)
{
	return tp_news(
	    tp, now, ssp_receiver_frag(&tp->rx, now, f->body, f->len));
}

static int
tp_on_parity(struct ssp_transport *tp, mono_ms now, UNUSED uint64_t pn,
    const struct ssp_frame *f)
{
	return tp_news(
	    tp, now, ssp_receiver_parity(&tp->rx, now, f->body, f->len));
}

static int
tp_on_missing(struct ssp_transport *tp, mono_ms now, uint64_t pn,
    const struct ssp_frame *f)
{
	return ssp_sender_missing(&tp->tx, now, pn, f->body, f->len);
}

static int
tp_on_ping(struct ssp_transport *tp, mono_ms now, UNUSED uint64_t pn,
    UNUSED const struct ssp_frame *f)
{
	ssp_reasm_tell_all(&tp->rx.reasm);
	tp_owe_ack(tp, now);
	return 0;
}

static int
tp_on_cc(struct ssp_transport *tp, mono_ms now, UNUSED uint64_t pn,
    const struct ssp_frame *f)
{
	struct ssp_core *c = &tp->core;
	struct rd r;
	uint64_t id, bytes;

	rd_init(&r, f->body, f->len);
	id = rd_varint(&r);
	bytes = rd_varint(&r);
	peer_check(r.err == 0 && bytes <= 65536);
	if (c->cc_ops == NULL || c->cc_ops->take == NULL || c->cc_ops->id != id)
		return 0;
	return c->cc_ops->take(c->cc, now, (size_t)bytes, &r);
}

static int
tp_on_close(struct ssp_transport *tp, mono_ms now, UNUSED uint64_t pn,
    const struct ssp_frame *f)
{
	struct rd r;
	uint64_t num;
	uint8_t what;

	rd_init(&r, f->body, f->len);
	what = rd_u8(&r);
	num = rd_varint(&r);
	peer_check(r.err == 0);
	if (what == TP_CLOSE_CONFIRM && tp->close == SSP_CLOSE_ASKED)
		tp->close = SSP_CLOSE_DONE;
	if (what == TP_CLOSE_ASK && num <= ssp_receiver_newest(&tp->rx)) {
		if (tp->close != SSP_CLOSE_DONE)
			tp->close = SSP_CLOSE_PEER;
		tp->close_at = now;
		tp->close_confirm = true;
		tp_owe_ack(tp, now);
	}
	ssp_trace(
	    &tp->core.trace, SSP_TRACE_CLOSE, now, (uint64_t)tp->close, 0, 0);
	return 0;
}

static int
tp_on_resync(struct ssp_transport *tp, mono_ms now, UNUSED uint64_t pn,
    UNUSED const struct ssp_frame *f)
{
	tp->core.st.resyncs++;
	ssp_sender_resync(&tp->tx, now);
	return 0;
}

static int
tp_on_ecn(struct ssp_transport *tp, mono_ms now, uint64_t pn,
    const struct ssp_frame *f)
{
	struct ssp_core *c = &tp->core;
	struct rd r;
	uint64_t n;

	rd_init(&r, f->body, f->len);
	n = rd_varint(&r);
	peer_check(r.err == 0);
	if (pn < tp->ce_pn || n <= tp->ce_peer)
		return 0;
	tp->ce_pn = pn;
	tp->ce_peer = n;
	c->st.ce_told = n;
	if (c->cc_ops != NULL)
		c->cc_ops->on_ce(c->cc, now);
	return 0;
}

typedef int (*tp_frame_fn)(struct ssp_transport *tp, mono_ms now, uint64_t pn,
    const struct ssp_frame *f);

/* What the transport does with each type; others are skipped. */
static const struct {
	tp_frame_fn fn;
	bool eliciting; /* wants an ack soon */
} tp_frames[] = {
	[SSP_FRAME_ACK] = { tp_on_ack, false },
	[SSP_FRAME_STATE] = { tp_on_state, true },
	[SSP_FRAME_FRAG] = { tp_on_frag, true },
	[SSP_FRAME_MISSING] = { tp_on_missing, false },
	[SSP_FRAME_PING] = { tp_on_ping, true },
	[SSP_FRAME_CC] = { tp_on_cc, false },
	[SSP_FRAME_CLOSE] = { tp_on_close, true },
	[SSP_FRAME_RESYNC] = { tp_on_resync, true },
	[SSP_FRAME_ECN] = { tp_on_ecn, false },
	[SSP_FRAME_PARITY] = { tp_on_parity, true },
};

/* All frames of a payload; *ELICITING if one of them wants an ack. */
static int
tp_frames_in(struct ssp_transport *tp, mono_ms now, uint64_t pn, struct rd *r,
    bool *eliciting, unsigned *n)
{
	struct ssp_frame f;
	int e;

	while ((e = ssp_frame_next(r, &f)) == 1) {
		++*n;
		if (f.type >= ARRAY_LEN(tp_frames) ||
		    tp_frames[f.type].fn == NULL)
			continue;
		*eliciting |= tp_frames[f.type].eliciting;
		if ((e = tp_frames[f.type].fn(tp, now, pn, &f)) != 0) {
			ssp_trace(&tp->core.trace, SSP_TRACE_DROPPED, now, pn,
			    (uint64_t)-e, f.type);
			return e;
		}
	}
	return e;
}

/* Something came after a silence: what was given up may be tried again. */
static void
tp_heard(struct ssp_transport *tp, mono_ms now)
{
	struct ssp_core *c = &tp->core;

	if (tp->tx.backoff > 0 || !c->heard)
		ssp_sender_wake(&tp->tx, now);
	c->heard = true;
	c->last_heard = now;
}

int
ssp_transport_recv(struct ssp_transport *tp, mono_ms now, uint64_t pn,
    const uint8_t *payload, size_t len)
{
	struct ssp_core *c = &tp->core;
	bool eliciting = false, ahead;
	unsigned n = 0;
	struct rd r;
	int e;

	ahead = tp->acktr.any && pn > tp->acktr.largest + 1;
	if (!ssp_acktr_add(&tp->acktr, pn)) {
		c->st.duplicates++;
		return 0;
	}
	tp_heard(tp, now);
	c->st.packets_received++;
	c->st.bytes_received += len;
	if (c->cc_ops != NULL && c->cc_ops->on_recv != NULL)
		c->cc_ops->on_recv(c->cc, now, len + c->overhead);
	rd_init(&r, payload, len);
	e = tp_frames_in(tp, now, pn, &r, &eliciting, &n);
	ssp_trace(&c->trace, SSP_TRACE_RECEIVED, now, pn, len, n);
	if (e < 0)
		c->st.bad_payloads++;
	if (eliciting) {
		tp->unacked++;
		tp_owe_ack(tp, now + ssp_core_ack_delay(c));
		if (tp->unacked >= TP_ACK_EVERY)
			tp_owe_ack(tp, now);
		else if (ahead && ssp_reasm_pending(&tp->rx.reasm))
			tp_owe_ack(tp, now + TP_ACK_GAP);
	}
	return e;
}

/* While the last state has not gone there is nothing to say yet. */
static bool
tp_close_due(struct ssp_transport *tp, mono_ms now)
{
	return tp->close == SSP_CLOSE_ASKED && now >= tp->close_next &&
	       ssp_sender_flushed(&tp->tx, now);
}

/* Times out the shutdown. */
static void
tp_close_tick(struct ssp_transport *tp, mono_ms now)
{
	mono_ms rto = ssp_rtt_rto(&tp->core.rtt);

	if (tp->close == SSP_CLOSE_ASKED &&
	    (now - tp->close_at >= TP_CLOSE_TIME ||
		tp->close_tries > TP_CLOSE_TRIES))
		tp->close = SSP_CLOSE_GAVE_UP;
	/* The confirmation may have to be said again for a while. */
	if (tp->close == SSP_CLOSE_PEER && !tp->close_confirm &&
	    now - tp->close_at >= 3 * rto)
		tp->close = SSP_CLOSE_DONE;
}

static mono_ms
tp_close_deadline(struct ssp_transport *tp, mono_ms now)
{
	mono_ms t = tp->close_at + TP_CLOSE_TIME;

	if (tp->close == SSP_CLOSE_ASKED)
		return ssp_sender_flushed(&tp->tx, now)
			   ? mono_min(tp->close_next, t)
			   : t;
	if (tp->close == SSP_CLOSE_PEER && !tp->close_confirm)
		return tp->close_at + 3 * ssp_rtt_rto(&tp->core.rtt);
	return MONO_NEVER;
}

static void
tp_put_close(struct ssp_transport *tp, mono_ms now, struct wr *w)
{
	uint8_t body[9], what = 0;
	struct wr b;

	if (tp->close_confirm)
		what = TP_CLOSE_CONFIRM;
	else if (tp->close == SSP_CLOSE_ASKED &&
		 ssp_sender_flushed(&tp->tx, now))
		what = TP_CLOSE_ASK;
	if (what == 0)
		return;
	wr_init(&b, body, sizeof body);
	wr_u8(&b, what);
	wr_varint(&b, what == TP_CLOSE_ASK ? ssp_sender_newest(&tp->tx) : 0);
	ssp_frame_put(w, SSP_FRAME_CLOSE, body, wr_len(&b));
	tp->close_confirm = false;
	if (what == TP_CLOSE_ASK && tp_close_due(tp, now)) {
		tp->close_tries++;
		tp->close_next = now + ssp_rtt_rto(&tp->core.rtt) / 2;
	}
}

static void
tp_put_ack(struct ssp_transport *tp, struct wr *w)
{
	uint8_t body[SSP_ACKTR_BITMAP_MAX + 32];
	struct wr b;

	if (!tp->acktr.any)
		return;
	wr_init(&b, body, sizeof body);
	wr_varint(&b, ssp_receiver_newest(&tp->rx));
	ssp_acktr_put(
	    &tp->acktr, &b, wr_left(w) < 200 ? 16 : SSP_ACKTR_BITMAP_MAX);
	ssp_frame_put(w, SSP_FRAME_ACK, body, wr_len(&b));
}

/* Acks and other short frames that ride on whatever goes out. */
static void
tp_put_riders(struct ssp_transport *tp, mono_ms now, struct wr *w)
{
	uint8_t body[9];
	struct wr b;

	tp_put_ack(tp, w);
	if (tp->rx.resync) {
		wr_init(&b, body, sizeof body);
		wr_varint(&b, ssp_receiver_newest(&tp->rx));
		ssp_frame_put(w, SSP_FRAME_RESYNC, body, wr_len(&b));
		tp->rx.resync = false;
	}
	if (tp->ce_repeat > 0) {
		tp->ce_repeat--;
		wr_init(&b, body, sizeof body);
		wr_varint(&b, tp->core.st.ce_seen);
		ssp_frame_put(w, SSP_FRAME_ECN, body, wr_len(&b));
	}
	tp_put_close(tp, now, w);
	ssp_reasm_put(&tp->rx.reasm, w);
}

/*
 * The personality's word to the peer; goes last, when all else is known.
 * Returns: what the datagram is accounted with at both ends.
 */
static size_t
tp_put_cc(struct ssp_transport *tp, mono_ms now, struct wr *w)
{
	struct ssp_core *c = &tp->core;
	size_t bytes = wr_len(w) + c->overhead;
	uint8_t body[SSP_CC_BODY_MAX];
	struct ssp_cc_flight f;
	struct wr b;

	if (c->cc_ops == NULL || c->cc_ops->put == NULL)
		return bytes;
	bytes += TP_CC_TYPICAL;
	f.waiting = ssp_sender_more(&tp->tx);
	f.more =
	    f.waiting && c->cc_ops->budget(c->cc, now, c->loss.in_flight) >=
			     bytes + (c->mtu + c->overhead) / 2;
	f.next =
	    mono_min(ssp_sender_deadline(&tp->tx, now), now + TP_HEARTBEAT);
	f.bytes = bytes;
	wr_init(&b, body, sizeof body);
	wr_varint(&b, c->cc_ops->id);
	wr_varint(&b, bytes);
	c->cc_ops->put(c->cc, now, &f, &b);
	if (b.err == 0 &&
	    ssp_frame_size(SSP_FRAME_CC, wr_len(&b)) <= wr_left(w))
		ssp_frame_put(w, SSP_FRAME_CC, body, wr_len(&b));
	return bytes;
}

static mono_ms
tp_heartbeat_gap(const struct ssp_transport *tp, mono_ms now)
{
	mono_ms silent = now - tp->core.last_heard;

	if (tp->core.heard && silent >= TP_SILENT && silent < TP_SEARCH_LONG)
		return TP_SEARCH;
	/* Whoever spoke last waits a little less: one exchange, not two. */
	return TP_HEARTBEAT + (tp->spoke ? 0 : TP_HEARTBEAT_YIELD);
}

/*
 * How long an answer is waited for: a little more than a timeout while the
 * peer is heard, twice as long when it is not.
 */
static mono_ms
tp_patience(const struct ssp_transport *tp, mono_ms oldest)
{
	const struct ssp_core *c = &tp->core;
	mono_ms rto = ssp_rtt_rto(&c->rtt) + ssp_core_ack_delay(c);

	if (c->rtt.have && c->last_heard > oldest + rto / 2)
		return rto + rto / 4;
	return 2 * rto;
}

static mono_ms
tp_expire_time(const struct ssp_transport *tp)
{
	mono_ms oldest = ssp_loss_oldest(&tp->core.loss);

	if (oldest == MONO_NEVER)
		return MONO_NEVER;
	return oldest + tp_patience(tp, oldest);
}

/* Gives up datagrams nobody answers for. */
static void
tp_expire(struct ssp_transport *tp, mono_ms now)
{
	struct ssp_core *c = &tp->core;
	mono_ms oldest = ssp_loss_oldest(&c->loss), rto;
	bool silent;

	if (tp_expire_time(tp) > now)
		return;
	rto = ssp_rtt_rto(&c->rtt) + ssp_core_ack_delay(c);
	silent = now - c->last_heard >= mono_min(rto + rto / 2, TP_OUTAGE);
	ssp_loss_expire(&c->loss, now, tp_patience(tp, oldest), silent);
}

static bool
tp_finished(const struct ssp_transport *tp)
{
	return (tp->close == SSP_CLOSE_DONE && !tp->close_confirm) ||
	       tp->close == SSP_CLOSE_GAVE_UP;
}

/* After a datagram went: what is owed now? */
static void
tp_sent(struct ssp_transport *tp, mono_ms now)
{
	tp->last_sent = now;
	tp->unacked = 0;
	tp->poke = false;
	tp->ack_due = MONO_NEVER;
	if (tp->ack_copies > 0) {
		tp->ack_copies--;
		tp->ack_due = now + 15;
	}
}

/* When an ack goes, for whatever reason. */
static mono_ms
tp_ack_time(const struct ssp_transport *tp, mono_ms now)
{
	const struct ssp_core *c = &tp->core;

	if (c->cc_ops == NULL || c->cc_ops->feedback == NULL)
		return tp->ack_due;
	return mono_min(tp->ack_due, c->cc_ops->feedback(c->cc, now));
}

/* Something is to go out now. */
static bool
tp_due(struct ssp_transport *tp, mono_ms now)
{
	return tp_ack_time(tp, now) <= now || tp_close_due(tp, now) ||
	       tp->poke || now - tp->last_sent >= tp_heartbeat_gap(tp, now);
}

size_t
ssp_transport_send(struct ssp_transport *tp, mono_ms now, uint64_t pn,
    uint8_t *out, size_t cap)
{
	struct ssp_core *c = &tp->core;
	uint8_t riders[SSP_ACK_ROOM - TP_CC_ROOM];
	bool due, ping, eliciting;
	enum ssp_put put;
	struct wr w, tail;
	size_t bytes;

	cap = MIN_OF(cap, c->mtu);
	if (cap < TP_MTU_MIN)
		return 0;
	tp_expire(tp, now);
	tp_close_tick(tp, now);
	if (tp_finished(tp))
		return 0;
	due = tp_due(tp, now);
	if (!due && ssp_sender_deadline(&tp->tx, now) > now)
		return 0;
	ping = tp->poke || (due && tp_ack_time(tp, now) > now);

	/* Riders take their room first; the sender fills the rest. */
	wr_init(&tail, riders, sizeof riders);
	tp_put_riders(tp, now, &tail);
	wr_init(&w, out,
	    cap - wr_len(&tail) -
		(c->cc_ops != NULL && c->cc_ops->put != NULL ? TP_CC_ROOM : 0));
	put = ssp_sender_put(&tp->tx, now, pn, &w);
	ping |= ssp_sender_ping(&tp->tx);
	if (put == SSP_PUT_NONE && !due && !ping) {
		ssp_reasm_tell_all(&tp->rx.reasm);
		return 0;
	}
	if (ping && put == SSP_PUT_NONE)
		ssp_frame_put(&w, SSP_FRAME_PING, NULL, 0);
	w.end = out + cap;
	wr_bytes(&w, riders, wr_len(&tail));
	eliciting = put != SSP_PUT_NONE || ping || tp->close != SSP_CLOSE_OPEN;
	bytes = tp_put_cc(tp, now, &w);
	bug_assert(w.err == 0);
	ssp_loss_sent(&c->loss, now, pn, bytes, eliciting, false);
	if (c->cc_ops != NULL)
		c->cc_ops->on_sent(c->cc, now, bytes, put == SSP_PUT_BULK);
	c->st.packets_sent++;
	c->st.bytes_sent += wr_len(&w);
	c->st.acks_only_sent += !eliciting;
	tp->spoke = eliciting;
	tp_sent(tp, now);
	ssp_trace(&c->trace, SSP_TRACE_SENT, now, pn, wr_len(&w), eliciting);
	return wr_len(&w);
}

mono_ms
ssp_transport_deadline(struct ssp_transport *tp, mono_ms now)
{
	mono_ms t;

	if (tp_finished(tp))
		return MONO_NEVER;
	if (tp->poke)
		return now;
	t = ssp_sender_deadline(&tp->tx, now);
	t = mono_min(t, tp_ack_time(tp, now));
	t = mono_min(t, tp->last_sent + tp_heartbeat_gap(tp, now));
	t = mono_min(t, tp_close_deadline(tp, now));
	t = mono_min(t, tp_expire_time(tp));
	return MAX_OF(t, now);
}

void
ssp_transport_sent_probe(
    struct ssp_transport *tp, mono_ms now, uint64_t pn, size_t len)
{
	ssp_loss_sent(
	    &tp->core.loss, now, pn, len + tp->core.overhead, true, true);
}

void
ssp_transport_set_mtu(struct ssp_transport *tp, size_t mtu)
{
	tp->core.mtu = MAX_OF(mtu, (size_t)TP_MTU_MIN);
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
		if (c->cc_ops != NULL)
			c->cc_ops->reset(c->cc, now);
	}
	ssp_sender_wake(&tp->tx, now);
	tp->poke = true;
}

void
ssp_transport_set_link(
    struct ssp_transport *tp, mono_ms now, enum ssp_link_kind link)
{
	struct ssp_core *c = &tp->core;

	if (c->link == link)
		return;
	c->link = link;
	tp_set_cc(tp, now, tp_default_cc(link));
	ssp_transport_poke(tp, now, true);
}

void *
ssp_transport_current(struct ssp_transport *tp)
{
	return tp->tx.current;
}

void
ssp_transport_changed(struct ssp_transport *tp, mono_ms now)
{
	if (tp->close == SSP_CLOSE_OPEN || tp->close == SSP_CLOSE_PEER)
		ssp_sender_changed(&tp->tx, now);
}

void
ssp_transport_set_current(struct ssp_transport *tp, mono_ms now, void *obj)
{
	tp->tx.coder.ops->free(tp->tx.current);
	tp->tx.current = obj;
	ssp_transport_changed(tp, now);
}

uint64_t
ssp_transport_sent_num(const struct ssp_transport *tp)
{
	return ssp_sender_newest(&tp->tx);
}

uint64_t
ssp_transport_acked_num(const struct ssp_transport *tp)
{
	return tp->tx.sent[0].num;
}

bool
ssp_transport_unacked(struct ssp_transport *tp, mono_ms now)
{
	return ssp_sender_unacked(&tp->tx, now);
}

const void *
ssp_transport_remote(const struct ssp_transport *tp, uint64_t *num)
{
	const struct ssp_received *s = &tp->rx.state[tp->rx.nstate - 1];

	if (num != NULL)
		*num = s->num;
	return s->obj;
}

const void *
ssp_transport_remote_last(const struct ssp_transport *tp)
{
	return tp->rx.seen;
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
	       tp->core.loss.count <= SSP_LOSS_RING;
}
