/*
 * ssp/transport_int.h - internals of a transport, for ssp/transport*.c.
 *
 * Purpose:   transport.c is the facade, transport_in.c reads payloads,
 *            transport_out.c writes them and computes deadlines.
 * Tests:     see ssp/transport.h
 */
#ifndef SSP_TRANSPORT_INT_H
#define SSP_TRANSPORT_INT_H

#include "ssp/acktr.h"
#include "ssp/core.h"
#include "ssp/idle.h"
#include "ssp/receiver.h"
#include "ssp/sender.h"
#include "ssp/side.h"
#include "ssp/streams_int.h"

#define TP_MTU_MIN 400       /* minimum payload */
#define TP_MTU_ETHERNET 1440 /* maximum where the personality knows no larger */

/* Longer datagrams, in bytes on the network, have no copies (conn_copy.c). */
#define TP_COPIED 600

enum tp_close_what {
	TP_CLOSE_ASK = 1,
	TP_CLOSE_CONFIRM = 2
};

/* A path's rest after all that flew there was lost. */
struct tp_rest {
	mono_ms until;
	mono_ms at;       /* the last time */
	unsigned backoff; /* times in a row */
};

/* A second path for bytes of streams. */
struct tp_lane {
	struct ssp_rtt rtt; /* with the delay of the peer's acks */
	const struct ssp_cc_ops *ops;
	void *cc;
	const struct ssp_cc_ops *like; /* the first path's when it was made */
	size_t mtu;                    /* payload that the path carries */
	size_t cc_mtu;                 /* full datagram, as cc was told */
	mono_ms pause;                 /* nothing fitted */
	struct tp_rest rest, first;
};

struct ssp_transport {
	struct ssp_core core;
	size_t mtu; /* payload that the path carries; core.mtu is not more */
	struct ssp_sender tx;
	struct ssp_receiver rx;
	struct ssp_acktr acktr;
	struct ssp_side side;
	struct ssp_streams *streams;
	struct tp_lane *lane;                /* NULL: there is one path */
	struct ssp_sprout_tab const *sprout; /* NULL: none yet */
	const struct ssp_sprout_tab *(*sprout_get)(void *arg);
	void *sprout_arg;
	const struct ssp_cc_ops *pinned; /* whatever anybody chooses */
	enum ssp_pacing pace_mine, pace_peer;
	bool pace_reads;       /* the peer reads PACE */
	bool pace_tell;        /* it may not know our choice */
	bool pace_told;        /* it has been told one */
	bool pace_lacks;       /* sprout was chosen, and cannot be */
	uint64_t pace_pn;      /* all datagrams since then tell; 0: none yet */
	uint64_t pace_peer_pn; /* told the peer's choice */
	void (*on_packet)(void *, mono_ms, uint64_t, bool);
	void *on_packet_arg;

	mono_ms ack_due;     /* MONO_NEVER: no ack is due */
	mono_ms lazy_from;   /* arrival of the first unacked lazy state */
	mono_ms lazy_due;    /* latest time of their ack */
	mono_ms covered_due; /* the same for covered states */
	unsigned unacked;    /* eliciting datagrams since the last ack sent */
	unsigned ack_copies;
	mono_ms last_sent;
	bool spoke;     /* the last datagram sent was ack-eliciting */
	mono_ms expire; /* when datagrams in flight count as lost */
	struct ssp_idle idle;
	uint64_t idle_pn; /* the first ping at the end of a silence */
	bool idle_long;   /* the peer expects a longer silence than the first */
	uint64_t idle_short_pn; /* since then it is told otherwise; 0: not */
	bool answered;          /* something sent since then has arrived */
	bool moved;             /* the peer's port is new */
	mono_ms quiet;          /* silence before the datagram being read */
	bool poke;
	bool bare; /* the datagram being written carries no ack */

	unsigned ce_repeat;
	uint64_t ce_peer; /* ECN marks reported by the peer */
	uint64_t ce_pn;

	enum ssp_close_state close;
	uint64_t close_num;
	mono_ms close_at, close_next;
	unsigned close_tries;
	bool close_confirm;
};

/* Returns whether this end pings at the end of a silence. */
static inline bool
tp_leads(const struct ssp_transport *tp)
{
	return !tp->core.asks;
}

/* Returns when a side message should be put (transport_out.c). */
mono_ms tp_side_time(struct ssp_transport *tp, mono_ms now);

/* Chooses the personality anew (transport_pace.c). */
void tp_pace(struct ssp_transport *tp, mono_ms now);

/* Chooses core.mtu for the path and the personality, and tells the latter. */
void tp_resize(struct ssp_transport *tp);

/* Replaces the personality; NULL: none. */
void tp_set_cc(
    struct ssp_transport *tp, mono_ms now, const struct ssp_cc_ops *ops);

/* A CC frame of personality ID came: the peer wants to be informed. */
void tp_hear(struct ssp_transport *tp, mono_ms now, uint64_t id);

/* Writes a PACE frame if the peer may not know the choice, and reads one. */
void tp_put_pace(struct ssp_transport *tp, uint64_t pn, struct wr *w);
struct ssp_frame;
int tp_on_pace(struct ssp_transport *tp, mono_ms now, uint64_t pn,
    const struct ssp_frame *f);

/* The second path (transport_lane.c); these, but for _free, need one. */
void tp_lane_free(struct tp_lane *l);
void tp_lane_ack(
    struct ssp_transport *tp, mono_ms now, const struct ssp_ack *a);
void tp_lane_acked(
    struct ssp_transport *tp, mono_ms now, const struct ssp_pkt *p);
void tp_lane_expire(struct ssp_transport *tp, mono_ms now);
mono_ms tp_lane_time(struct ssp_transport *tp, mono_ms now);

/* Returns when the first path takes bytes of streams, if its window does now. */
mono_ms tp_lane_first(const struct ssp_transport *tp, mono_ms now);

/* All that flew by the first path, or the second, is overdue. */
void tp_lane_rest(struct ssp_transport *tp, mono_ms now, bool second);

/* Returns how long datagrams sent at OLDEST wait for an ack; RTT: by path. */
mono_ms tp_patience(
    const struct ssp_transport *tp, const struct ssp_rtt *rtt, mono_ms oldest);

static inline void
tp_owe_ack(struct ssp_transport *tp, mono_ms when)
{
	tp->ack_due = mono_min(tp->ack_due, when);
}

#endif
