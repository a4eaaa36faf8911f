/*
 * Writes payloads and schedules acks.
 *
 * ACK frame: varint newest state received, then the packet part (ssp/acktr.h).
 * Every payload carries one.  An ack is sent alone when the peer should not
 * wait longer, at once after eight datagrams, and again (spaced like copies) if
 * loss was measured, because a lost ack makes the peer repeat everything it
 * sent.
 */
#include "ssp/frame.h"
#include "ssp/transport_int.h"

#define TP_HEARTBEAT_YIELD 500 /* ms more if the peer may ping first */
#define TP_AGAIN 200           /* ms, at least, to an unanswered heartbeat */
#define TP_SEARCH 1000         /* ms between pings to a silent peer */
#define TP_SILENT 2000         /* ms beyond a silence: more than a few losses */
#define TP_SEARCH_LONG 53000   /* ms beyond one until pings become rare */
#define TP_OUTAGE 1000         /* ms of silence that mean an outage, not loss */
#define TP_ACK_AGAIN 30        /* ms between an ack and its copy */
#define TP_ACK_PARTS_AGAIN 15  /* the same while fragments are missing */
#define TP_CC_ROOM (SSP_CC_BODY_MAX + 8) /* bytes reserved for a CC frame */
#define TP_CC_TYPICAL 16                 /* bytes counted for a CC frame */
#define TP_CLOSE_TRIES 16
#define TP_ACK_ROOM 140    /* bytes for the longest ACK and all riders */
#define TP_ACK_MAP 16      /* bytes of bitmap where there are fewer */
#define TP_ACK_LATE_MAP 16 /* the same of a second ACK */
#define TP_ACK_LATE_BODY (TP_ACK_LATE_MAP + 25)
#define TP_CLOSE_TIME 10000 /* ms */

/* Returns whether the last state is sent, and streams have arrived. */
static bool
tp_flushed(struct ssp_transport *tp, mono_ms now)
{
	return ssp_sender_flushed(&tp->tx, now) &&
	       ssp_streams_flushed(tp->streams);
}

/* Returns whether a CLOSE is due. */
static bool
tp_close_due(struct ssp_transport *tp, mono_ms now)
{
	return tp->close == SSP_CLOSE_ASKED && now >= tp->close_next &&
	       tp_flushed(tp, now);
}

/* Handles the timeouts of the shutdown. */
static void
tp_close_tick(struct ssp_transport *tp, mono_ms now)
{
	mono_ms rto = ssp_rtt_rto(&tp->core.rtt);

	if (tp->close == SSP_CLOSE_ASKED &&
	    (now - tp->close_at >= TP_CLOSE_TIME ||
		tp->close_tries > TP_CLOSE_TRIES))
		tp->close = SSP_CLOSE_GAVE_UP;
	/* Stay a while, to repeat a lost confirmation. */
	if (tp->close == SSP_CLOSE_PEER && !tp->close_confirm &&
	    now - tp->close_at >= 3 * rto)
		tp->close = SSP_CLOSE_DONE;
}

static mono_ms
tp_close_deadline(struct ssp_transport *tp, mono_ms now)
{
	mono_ms t = tp->close_at + TP_CLOSE_TIME;

	if (tp->close == SSP_CLOSE_ASKED)
		return tp_flushed(tp, now) ? mono_min(tp->close_next, t) : t;
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
	else if (tp->close == SSP_CLOSE_ASKED && tp_flushed(tp, now))
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

	if (!tp->acktr.any || tp->bare)
		return;
	wr_init(&b, body, sizeof body);
	wr_varint(&b, ssp_receiver_newest(&tp->rx));
	ssp_acktr_put(&tp->acktr, &b,
	    wr_left(w) < TP_ACK_ROOM ? TP_ACK_MAP : SSP_ACKTR_BITMAP_MAX);
	ssp_frame_put(w, SSP_FRAME_ACK, body, wr_len(&b));
}

/* Acks what came by the slower of two paths, if there is room for it. */
static void
tp_put_ack_late(struct ssp_transport *tp, struct wr *w)
{
	uint8_t body[TP_ACK_LATE_BODY];
	struct wr b;

	wr_init(&b, body, sizeof body);
	wr_varint(&b, ssp_receiver_newest(&tp->rx));
	if (wr_left(w) >= sizeof body + 4 &&
	    ssp_acktr_put_late(&tp->acktr, &b, TP_ACK_LATE_MAP) && b.err == 0)
		ssp_frame_put(w, SSP_FRAME_ACK, body, wr_len(&b));
}

/* Writes acks and other short frames that accompany any datagram. */
static void
tp_put_riders(struct ssp_transport *tp, mono_ms now, uint64_t pn, struct wr *w)
{
	uint8_t body[9];
	struct wr b;

	if (tp->lane != NULL && tp->acktr.any && !tp->bare)
		tp_put_ack_late(tp, w);
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
	tp_put_pace(tp, pn, w);
	tp_put_close(tp, now, w);
	ssp_reasm_put(&tp->rx.reasm, w);
}

/*
 * Writes the CC frame, last, when everything else is known.
 * Returns: the bytes that both ends count for the datagram.
 */
static size_t
tp_put_cc(struct ssp_transport *tp, mono_ms now, struct wr *w)
{
	struct ssp_core *c = &tp->core;
	size_t bytes = wr_len(w) + c->overhead;
	uint8_t body[SSP_CC_BODY_MAX];
	struct ssp_cc_flight f;
	struct wr b;

	if (c->hear == NULL)
		return bytes;
	bytes += TP_CC_TYPICAL;
	f.waiting = ssp_sender_more(&tp->tx) || ssp_streams_more(tp->streams);
	f.more =
	    f.waiting && c->cc_ops->budget(c->cc, now, c->loss.in_flight) >=
			     bytes + (c->mtu + c->overhead) / 2;
	f.next =
	    mono_min(ssp_sender_deadline(&tp->tx, now), now + SSP_IDLE_FIRST);
	f.bytes = bytes;
	wr_init(&b, body, sizeof body);
	wr_varint(&b, c->hear_ops->id);
	wr_varint(&b, bytes);
	if (c->hear_ops->put(c->hear, now, &f, &b) && b.err == 0 &&
	    ssp_frame_size(SSP_FRAME_CC, wr_len(&b)) <= wr_left(w))
		ssp_frame_put(w, SSP_FRAME_CC, body, wr_len(&b));
	return bytes;
}

static mono_ms
tp_heartbeat_gap(const struct ssp_transport *tp, mono_ms now)
{
	mono_ms silent = now - tp->core.last_heard, rto;
	mono_ms gap = tp->idle.gap;

	if (tp->core.heard && silent >= gap && silent < gap + TP_SILENT &&
	    tp->spoke) {
		/* The ping, or its answer, is lost. */
		rto = ssp_rtt_rto(&tp->core.rtt);
		return CLAMP(rto, (mono_ms)TP_AGAIN, (mono_ms)TP_SEARCH);
	}
	if (tp->core.heard && silent >= gap + TP_SILENT &&
	    silent < gap + TP_SEARCH_LONG)
		return TP_SEARCH;
	if (!tp_leads(tp))
		return gap + SSP_IDLE_YIELD;
	/*
	 * Of two that lead, the end that last asked for an ack waits less: one
	 * exchange, not two.
	 */
	return gap + (tp->spoke ? 0 : TP_HEARTBEAT_YIELD);
}

/* Writes a PING; a leader's tells how long the next silence will be. */
static void
tp_put_ping(struct ssp_transport *tp, mono_ms now, uint64_t pn, struct wr *w)
{
	mono_ms silent = now - tp->last_sent;
	uint8_t body[8];
	struct wr b;

	wr_init(&b, body, sizeof body);
	if (tp_leads(tp) && !tp->poke &&
	    (tp->idle.asking || silent >= tp->idle.gap)) {
		if (!tp->idle.asking) {
			tp->idle_pn = pn;
			tp->answered = false;
		}
		ssp_idle_asked(&tp->idle, now, silent);
		wr_varint(&b, ssp_idle_next(&tp->idle) / 1000);
		tp->idle_long = true;
		tp->idle_short_pn = 0;
	}
	ssp_frame_put(w, SSP_FRAME_PING, body, wr_len(&b));
}

/*
 * A state goes soon after another one of either side: shortens the next silence,
 * and tells the peer, until it is known to know.
 */
static void
tp_put_busy(struct ssp_transport *tp, uint64_t pn, struct wr *w)
{
	uint8_t body[8];
	struct wr b;

	ssp_idle_busy(&tp->idle);
	if (!tp_leads(tp) || !tp->idle_long || tp->idle.gap > SSP_IDLE_FIRST ||
	    wr_left(w) < sizeof(body))
		return;
	if (tp->idle_short_pn == 0)
		tp->idle_short_pn = pn;
	wr_init(&b, body, sizeof body);
	wr_varint(&b, SSP_IDLE_FIRST / 1000);
	ssp_frame_put(w, SSP_FRAME_PING, body, wr_len(&b));
}

static mono_ms
tp_expire_time(const struct ssp_transport *tp)
{
	mono_ms oldest = ssp_loss_oldest(&tp->core.loss);

	if (oldest == MONO_NEVER)
		return MONO_NEVER;
	return oldest + tp_patience(tp, &tp->core.rtt, oldest);
}

/* Declares datagrams lost whose ack is overdue. */
static void
tp_expire(struct ssp_transport *tp, mono_ms now)
{
	struct ssp_core *c = &tp->core;
	mono_ms oldest = ssp_loss_oldest(&c->loss), rto;
	bool silent;

	if (tp_expire_time(tp) > now)
		return;
	rto = ssp_rtt_rto(&c->rtt) + ssp_core_ack_wait(c, oldest);
	silent = now - c->last_heard >= mono_min(rto + rto / 2, TP_OUTAGE);
	ssp_loss_expire(
	    &c->loss, now, tp_patience(tp, &c->rtt, oldest), silent);
	if (tp->lane != NULL && !silent)
		tp_lane_rest(tp, now, false);
}

static bool
tp_finished(const struct ssp_transport *tp)
{
	return (tp->close == SSP_CLOSE_DONE && !tp->close_confirm) ||
	       tp->close == SSP_CLOSE_GAVE_UP;
}

/* Returns when either side last sent a state. */
static mono_ms
tp_talked(const struct ssp_transport *tp)
{
	return MAX_OF(tp->tx.input_at, tp->tx.made);
}

/* Whether a side message may be sent now or soon: never beside other traffic. */
static bool
tp_side_open(struct ssp_transport *tp, mono_ms now)
{
	const struct ssp_core *c = &tp->core;

	return c->link != SSP_LINK_LOCAL && tp->close == SSP_CLOSE_OPEN &&
	       c->heard && c->rtt.have && !ssp_transport_unacked(tp, now);
}

mono_ms
tp_side_time(struct ssp_transport *tp, mono_ms now)
{
	if (!tp_side_open(tp, now))
		return MONO_NEVER;
	/* Look again when the one that waits has gone. */
	return MAX_OF(ssp_side_room(&tp->side, tp_talked(tp)),
	    now + ssp_side_waits(&tp->side));
}

static mono_ms
tp_side_due(struct ssp_transport *tp, mono_ms now)
{
	if (tp->side.nout == 0 || !tp_side_open(tp, now))
		return MONO_NEVER;
	return MAX_OF(ssp_side_time(&tp->side, tp_talked(tp),
			  ssp_rtt_srtt(&tp->core.rtt)),
	    now);
}

/* Writes a part of a side message; true if one was due. */
static bool
tp_put_side(struct ssp_transport *tp, mono_ms now, uint64_t pn, struct wr *w)
{
	struct ssp_core *c = &tp->core;
	size_t before = wr_len(w);

	if (tp_side_due(tp, now) > now ||
	    !ssp_side_write(&tp->side, now, pn, w))
		return false;
	c->st.side_parts++;
	c->st.side_bytes += wr_len(w) - before;
	return true;
}

/* Returns when the path takes bytes of streams. */
static mono_ms
tp_stream_room(const struct ssp_transport *tp, mono_ms now)
{
	const mono_ms room = ssp_sender_room(&tp->tx, now);

	return tp->lane == NULL ? room : MAX_OF(room, tp_lane_first(tp, now));
}

/* Returns whether no stream has a frame to send; a closing peer reads none. */
static bool
tp_streams_still(const struct ssp_transport *tp)
{
	return tp->close == SSP_CLOSE_PEER ||
	       ssp_streams_count(tp->streams) == 0 ||
	       ssp_streams_still(tp->streams);
}

/* Returns when the next frame of a stream should be sent. */
static mono_ms
tp_stream_time(struct ssp_transport *tp, mono_ms now)
{
	if (tp_streams_still(tp))
		return MONO_NEVER;
	return ssp_streams_time(tp->streams, now, tp_stream_room(tp, now));
}

/*
 * Writes frames of streams behind a state; ROOM: when the link took bulk before
 * it.
 */
static unsigned
tp_put_streams(struct ssp_transport *tp, mono_ms now, uint64_t pn, struct wr *w,
    mono_ms room)
{
	unsigned wrote;

	if (tp_streams_still(tp))
		return 0;
	wrote = ssp_streams_write(tp->streams, now, pn, w, room);
	tp->core.st.stream_parts += (wrote & SSP_STREAMS_DATA) != 0;
	return wrote;
}

/* Resets the due acks after a datagram was sent. */
static void
tp_sent(struct ssp_transport *tp, mono_ms now)
{
	tp->last_sent = now;
	tp->unacked = 0;
	tp->poke = false;
	tp->core.answering = false;
	tp->ack_due = tp->lazy_from = MONO_NEVER;
	tp->lazy_due = tp->covered_due = MONO_NEVER;
	if (tp->ack_copies > 0) {
		tp->ack_copies--;
		tp->ack_due =
		    now + (ssp_reasm_pending(&tp->rx.reasm) ? TP_ACK_PARTS_AGAIN
							    : TP_ACK_AGAIN);
	}
}

/* Returns when the next ack is due, for any reason. */
static mono_ms
tp_ack_time(const struct ssp_transport *tp, mono_ms now)
{
	const struct ssp_core *c = &tp->core;
	mono_ms due =
	    mono_min(tp->ack_due, mono_min(tp->lazy_due, tp->covered_due));

	if (c->hear == NULL)
		return due;
	return mono_min(due, c->hear_ops->feedback(c->hear, now));
}

/* Returns whether a datagram is due now, apart from states. */
static bool
tp_due(struct ssp_transport *tp, mono_ms now)
{
	return tp_ack_time(tp, now) <= now || tp_close_due(tp, now) ||
	       tp->poke || now - tp->last_sent >= tp_heartbeat_gap(tp, now);
}

/*
 * Returns whether this datagram, a client's copy, can do without an ack: the two
 * before it carried one, and none is owed.  (A server's states are larger:
 * padding would take what this saves.)
 */
static bool
tp_bare(const struct ssp_transport *tp, mono_ms now)
{
	return tp->core.asks && tp->ack_due == MONO_NEVER &&
	       tp->lazy_due == MONO_NEVER && tp->covered_due == MONO_NEVER &&
	       ssp_sender_copying(&tp->tx, now);
}

size_t
ssp_transport_send(struct ssp_transport *tp, mono_ms now, uint64_t pn,
    uint8_t *out, size_t cap)
{
	struct ssp_core *c = &tp->core;
	uint8_t riders[SSP_ACK_ROOM - TP_CC_ROOM];
	bool due, ping, side = false, eliciting, busy;
	unsigned streams;
	enum ssp_put put;
	struct wr w, tail;
	mono_ms room;
	size_t bytes;

	cap = MIN_OF(cap, c->mtu);
	if (cap < TP_MTU_MIN)
		return 0;
	tp_expire(tp, now);
	if (tp->lane != NULL)
		tp_lane_expire(tp, now);
	tp_close_tick(tp, now);
	if (tp_finished(tp))
		return 0;
	due = tp_due(tp, now);
	if (due)
		tp->tx.hold = 0; /* send it along */
	if (!due && ssp_sender_deadline(&tp->tx, now) > now &&
	    tp_side_due(tp, now) > now && tp_stream_time(tp, now) > now)
		return 0;
	ping = tp->poke || (due && tp_ack_time(tp, now) > now);

	tp->bare = !due && tp_bare(tp, now);
	/* Accompanying frames come first; the sender fills the rest. */
	wr_init(&tail, riders, sizeof riders);
	tp_put_riders(tp, now, pn, &tail);
	wr_init(
	    &w, out, cap - wr_len(&tail) - (c->hear != NULL ? TP_CC_ROOM : 0));
	room = tp_streams_still(tp) ? now : tp_stream_room(tp, now);
	busy = tp_leads(tp) && now - tp_talked(tp) < SSP_IDLE_FIRST;
	put = ssp_sender_put(&tp->tx, now, pn, &w);
	ping |= ssp_sender_ping(&tp->tx);
	streams = tp_put_streams(tp, now, pn, &w, room);
	if (put == SSP_PUT_NONE && streams == 0)
		side = tp_put_side(tp, now, pn, &w);
	eliciting = put != SSP_PUT_NONE || streams != 0 || side;
	if (!eliciting && !due && !ping) {
		ssp_reasm_tell_all(&tp->rx.reasm);
		return 0;
	}
	if (ping && !eliciting)
		tp_put_ping(tp, now, pn, &w);
	else if (put == SSP_PUT_STATE && busy)
		tp_put_busy(tp, pn, &w);
	w.end = out + cap;
	wr_bytes(&w, riders, wr_len(&tail));
	eliciting |= ping || tp->close != SSP_CLOSE_OPEN;
	bytes = tp_put_cc(tp, now, &w);
	bug_assert(w.err == 0);
	ssp_loss_sent(&c->loss, now, pn, bytes, eliciting, false);
	c->counted += bytes;
	if (c->cc_ops != NULL)
		c->cc_ops->on_sent(c->cc, now, bytes,
		    put == SSP_PUT_BULK || (streams & SSP_STREAMS_DATA) != 0);
	if (c->hear != NULL && c->hear != c->cc)
		c->hear_ops->on_sent(c->hear, now, bytes, false);
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
	t = mono_min(t, tp_side_due(tp, now));
	t = mono_min(t, tp_stream_time(tp, now));
	t = mono_min(t, tp_close_deadline(tp, now));
	t = mono_min(t, tp_expire_time(tp));
	if (tp->lane != NULL)
		t = mono_min(t, tp_lane_time(tp, now));
	return MAX_OF(t, now);
}
