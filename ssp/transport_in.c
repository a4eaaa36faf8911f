/* Reads payloads: a table of frame handlers. */
#include "base/err.h"
#include "ssp/frame.h"
#include "ssp/transport_int.h"

#define TP_ACK_EVERY 8  /* datagrams until an immediate ack */
#define TP_ACK_LAZY 16  /* the same if all of them are lazy */
#define TP_ACK_LOCAL 4  /* the same on a local link */
#define TP_ACK_GAP 3    /* ms until a gap among fragments is reported */
#define TP_ACK_PARTS 4  /* ack copies while fragments are missing */
#define TP_ACK_COPIES 1 /* maximum ack copies otherwise */

/* A new state, or part of one, arrived: repeat its ack. */
static void
tp_ack_news(struct ssp_transport *tp)
{
	unsigned most = TP_ACK_COPIES;

	if (ssp_reasm_pending(&tp->rx.reasm))
		most = TP_ACK_PARTS;
	else if (ssp_sender_busy(&tp->tx))
		most = 0;
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
	if (tp->lane != NULL)
		tp_lane_ack(tp, now, &a);
	else
		ssp_loss_ack(
		    &tp->core.loss, now, &a, ssp_rtt_srtt(&tp->core.rtt));
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
	uint64_t known = tp->core.st.duplicates;
	int e = ssp_receiver_state(&tp->rx, now, f->body, f->len);

	if (tp->core.st.duplicates > known)
		ssp_sender_again(&tp->tx, now);
	/* With prompt acks, each copy may cause an ack of its own. */
	if (e == SSP_NEWS_STATE && (f->body[0] & SSP_INS_HASTE) != 0)
		tp->core.answering = !tp->core.asks;
	return tp_news(tp, now, e);
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
    const struct ssp_frame *f)
{
	struct rd r;
	uint64_t s;

	rd_init(&r, f->body, f->len);
	s = f->len > 0 ? rd_varint(&r) : 0;
	peer_check(r.err == 0);
	if (tp_leads(tp))
		ssp_idle_pinged(&tp->idle, tp->quiet);
	else if (s > 0)
		ssp_idle_told(&tp->idle, MIN_OF(s, (uint64_t)3600) * 1000);
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
	tp_hear(tp, now, id);
	if (c->hear == NULL || c->hear_ops->id != id)
		return 0;
	return c->hear_ops->take(c->hear, now, (size_t)bytes, &r);
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
	/* It does not say by which path the mark came. */
	if (tp->lane != NULL)
		tp->lane->ops->on_ce(tp->lane->cc, now);
	return 0;
}

static int
tp_on_side(struct ssp_transport *tp, mono_ms now, UNUSED uint64_t pn,
    const struct ssp_frame *f)
{
	/* The sender measures the delay of the part by a prompt ack. */
	tp_owe_ack(tp, now);
	return ssp_side_read(&tp->side, f->body, f->len);
}

static int
tp_on_stream(struct ssp_transport *tp, UNUSED mono_ms now, UNUSED uint64_t pn,
    const struct ssp_frame *f)
{
	return ssp_streams_read(tp->streams, f->type, f->body, f->len);
}

typedef int (*tp_frame_fn)(struct ssp_transport *tp, mono_ms now, uint64_t pn,
    const struct ssp_frame *f);

/* Handler of each frame type; others are skipped. */
static const struct {
	tp_frame_fn fn;
	bool eliciting; /* asks for an ack */
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
	[SSP_FRAME_SIDE] = { tp_on_side, true },
	[SSP_FRAME_PACE] = { tp_on_pace, false },
	[SSP_FRAME_STREAM] = { tp_on_stream, true },
	[SSP_FRAME_CREDIT] = { tp_on_stream, true },
	[SSP_FRAME_OPEN] = { tp_on_stream, true },
	[SSP_FRAME_END] = { tp_on_stream, true },
	[SSP_FRAME_RESET] = { tp_on_stream, true },
};

/* How soon an ack is due. */
enum tp_hurry {
	TP_HURRY_NONE,
	TP_HURRY_COVERED, /* with the next datagram, or after ... */
	TP_HURRY_LAZY,    /* ... SSP_ACK_COVERED, SSP_ACK_LAZY ... */
	TP_HURRY_ANSWER,  /* ... or SSP_ACK_ANSWER */
	TP_HURRY_COPY,    /* only a state that we have */
	TP_HURRY_SOON,
};

static enum tp_hurry
tp_hurry(const struct ssp_frame *f)
{
	if (!tp_frames[f->type].eliciting)
		return TP_HURRY_NONE;
	if (f->type != SSP_FRAME_STATE || f->len == 0)
		return TP_HURRY_SOON;
	switch (f->body[0] & SSP_INS_HASTE) {
	case SSP_INS_HASTE:
		return TP_HURRY_COVERED;
	case SSP_INS_LAZY:
		return TP_HURRY_LAZY;
	case SSP_INS_ANSWER:
		return TP_HURRY_ANSWER;
	}
	return TP_HURRY_SOON;
}

/* Processes all frames of a payload; *HURRY is the most urgent one. */
static int
tp_frames_in(struct ssp_transport *tp, mono_ms now, uint64_t pn, struct rd *r,
    enum tp_hurry *hurry, unsigned *n)
{
	enum tp_hurry this;
	struct ssp_frame f;
	uint64_t known;
	int e;

	while ((e = ssp_frame_next(r, &f)) == 1) {
		++*n;
		if (f.type >= ARRAY_LEN(tp_frames) ||
		    tp_frames[f.type].fn == NULL)
			continue;
		known = tp->core.st.duplicates;
		e = tp_frames[f.type].fn(tp, now, pn, &f);
		this = tp_hurry(&f);
		if (this == TP_HURRY_SOON && tp->core.st.duplicates > known)
			this = TP_HURRY_COPY;
		*hurry = MAX_OF(*hurry, this);
		if (e != 0) {
			ssp_trace(&tp->core.trace, SSP_TRACE_DROPPED, now, pn,
			    (uint64_t)-e, f.type);
			return e;
		}
	}
	return e;
}

/* A datagram arrived; after silence, ends the back-off. */
static void
tp_heard(struct ssp_transport *tp, mono_ms now)
{
	struct ssp_core *c = &tp->core;

	if (tp->tx.backoff > 0 || !c->heard)
		ssp_sender_wake(&tp->tx, now);
	ssp_streams_heard(tp->streams);
	c->heard = true;
	c->last_heard = now;
}

/*
 * Each lazy state delays the ack of those before, so that one ack serves many.
 * The timers of the sender start with the last of them.
 */
static void
tp_owe_lazy(struct ssp_transport *tp, mono_ms now, enum tp_hurry hurry)
{
	if (hurry == TP_HURRY_ANSWER) {
		tp_owe_ack(tp, now + SSP_ACK_ANSWER);
	} else if (hurry == TP_HURRY_COVERED) {
		tp->covered_due =
		    mono_min(tp->covered_due, now + SSP_ACK_COVERED);
	} else {
		tp->lazy_from = mono_min(tp->lazy_from, now);
		tp->lazy_due = mono_min(
		    now + SSP_ACK_LAZY, tp->lazy_from + tp->core.flow_rx);
	}
}

/* Returns the number of datagrams after which an ack is due at once. */
static unsigned
tp_ack_every(const struct ssp_transport *tp)
{
	if (tp->core.link == SSP_LINK_LOCAL)
		return TP_ACK_LOCAL;
	return tp->ack_due == MONO_NEVER ? TP_ACK_LAZY : TP_ACK_EVERY;
}

/*
 * Returns when to ack a copy of a state that we have.  The peer sends copies
 * before it can have an ack, so the last datagram may well be one; if it is
 * old, it was lost.
 */
static mono_ms
tp_copy_ack(const struct ssp_transport *tp, mono_ms now)
{
	return MAX_OF(now + ssp_core_ack_delay(&tp->core),
	    tp->last_sent + SSP_ACK_ANSWER);
}

/* A datagram came after a silence: did the NAT survive that? */
static void
tp_idle_heard(struct ssp_transport *tp, mono_ms now)
{
	mono_ms srtt = ssp_rtt_srtt(&tp->core.rtt);

	if (!tp_leads(tp))
		return;
	if (tp->idle.asking && tp->answered)
		ssp_idle_answered(&tp->idle, now);
	else if (!tp->idle.asking || now - tp->idle.asked_at > 2 * srtt)
		ssp_idle_came(&tp->idle, now, tp->quiet, tp->moved);
	/* else both spoke at the same time */
	tp->moved = false;
}

int
ssp_transport_recv(struct ssp_transport *tp, mono_ms now, uint64_t pn,
    const uint8_t *payload, size_t len)
{
	struct ssp_core *c = &tp->core;
	enum tp_hurry hurry = TP_HURRY_NONE;
	bool ahead, next, lossy = ssp_core_copies(c) > 0;
	uint64_t before = tp->acktr.largest;
	unsigned n = 0;
	struct rd r;
	int e;

	ahead = tp->acktr.any && pn > tp->acktr.largest + 1;
	next = tp->acktr.any && pn == tp->acktr.largest + 1;
	if (!ssp_acktr_add(&tp->acktr, pn)) {
		c->st.duplicates++;
		return 0;
	}
	if (ahead || next)
		ssp_loss_heard(&c->loss, pn - before - 1);
	else if (pn < before)
		ssp_loss_heard_late(&c->loss);
	tp->quiet = now - MAX_OF(tp->last_sent, c->last_heard);
	tp_heard(tp, now);
	c->st.packets_received++;
	c->st.bytes_received += len;
	if (c->hear != NULL)
		c->hear_ops->on_recv(c->hear, now, len + c->overhead);
	rd_init(&r, payload, len);
	e = tp_frames_in(tp, now, pn, &r, &hurry, &n);
	tp_idle_heard(tp, now);
	ssp_trace(&c->trace, SSP_TRACE_RECEIVED, now, pn, len, n);
	if (e < 0)
		c->st.bad_payloads++;
	if (hurry != TP_HURRY_NONE) {
		tp->unacked++;
		/* Ack soon when a gap appears, and when it closes. */
		if (hurry < TP_HURRY_COPY &&
		    (next || (lossy && hurry == TP_HURRY_ANSWER)))
			tp_owe_lazy(tp, now, hurry);
		else if (hurry == TP_HURRY_COPY)
			tp_owe_ack(tp, tp_copy_ack(tp, now));
		else
			tp_owe_ack(tp, now + ssp_core_ack_delay(c));
		if (tp->unacked >= tp_ack_every(tp))
			tp_owe_ack(tp, now);
		else if (ahead && ssp_reasm_pending(&tp->rx.reasm))
			tp_owe_ack(tp, now + TP_ACK_GAP);
	} else if (ahead && !lossy) {
		/* The peer may not know of the loss. */
		tp_owe_ack(tp, now + ssp_core_ack_delay(c));
	}
	return e;
}
