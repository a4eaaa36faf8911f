/*
 * ssp/core.h - state shared by sender, receiver and transport.
 *
 * Purpose:   the estimates and counters of one link, in one struct that the
 *            parts of a transport point to.
 * Ownership: embedded in struct ssp_transport; private to ssp/.
 * Units:     milliseconds, bytes.
 * Tests:     regress/sim/check_sim.c
 */
#ifndef SSP_CORE_H
#define SSP_CORE_H

#include "ssp/cc.h"
#include "ssp/loss.h"
#include "ssp/redundancy.h"
#include "ssp/rtt.h"
#include "ssp/trace.h"
#include "ssp/transport.h"

#define SSP_LAZY_SEEN 4  /* datagram fates known before acks may wait */
#define SSP_ACK_ROOM 200 /* bytes of a payload reserved for acks etc. */

/* Maximum delay of the ack of a state, in ms. */
#define SSP_ACK_ANSWER 60    /* SSP_HASTE_ANSWER */
#define SSP_ACK_LAZY 300     /* SSP_HASTE_LAZY */
#define SSP_ACK_COVERED 1000 /* SSP_HASTE_COVERED */
#define SSP_ACK_LOCAL 250    /* SSP_HASTE_SOON on a local link */

/*
 * How soon the sender of a state needs its ack; bits of the instruction carry
 * it.
 */
enum ssp_haste {
	SSP_HASTE_SOON,    /* within ssp_core_ack_delay */
	SSP_HASTE_ANSWER,  /* with the state that answers it */
	SSP_HASTE_LAZY,    /* with the next datagram, or after several */
	SSP_HASTE_COVERED, /* the peer repeats a lost state by itself */
};

struct ssp_core {
	enum ssp_link_kind link;
	bool asks;       /* the peer's states answer ours */
	bool patient;    /* nobody waits for our next state */
	bool answering;  /* this datagram is the first ack of a state */
	size_t mtu;      /* maximum payload */
	size_t overhead; /* bytes a datagram adds */
	mono_ms collect_first;
	mono_ms collect_more;
	mono_ms collect_still;
	mono_ms flow_tx; /* ms that acks of our lazy states may wait */
	mono_ms flow_rx; /* ms that acks of the peer's may wait */
	struct ssp_rtt rtt;
	struct ssp_loss loss;
	struct ssp_redundancy redundancy;
	const struct ssp_cc_ops *cc_ops; /* NULL: bulk is unlimited */
	void *cc;
	size_t cc_mtu; /* full datagram on the network, as cc was told */
	/* What informs the peer's personality; NULL: it wants nothing. */
	const struct ssp_cc_ops *hear_ops;
	void *hear;       /* perhaps the same as cc */
	uint64_t counted; /* bytes sent, with overhead */
	struct ssp_trace trace;
	struct ssp_transport_stats st; /* only the counters are used */
	mono_ms last_heard;
	bool heard;
	mono_ms lazy_at;   /* last state sent as SSP_HASTE_LAZY */
	mono_ms answer_at; /* ... as SSP_HASTE_ANSWER */
	mono_ms far; /* ms after which bulk by a second path is late; 0: none */
};

/* Returns how long the peer may delay an ack; both ends compute it. */
static inline mono_ms
ssp_core_ack_delay(const struct ssp_core *c)
{
	mono_ms srtt = ssp_rtt_srtt(&c->rtt);

	/*
	 * No loss on a local link: an ack only lets the peer forget states.  It
	 * waits for a key, or for several frames (each wake-up costs more).
	 */
	if (c->link == SSP_LINK_LOCAL)
		return SSP_ACK_LOCAL;
	return CLAMP(srtt / 8, (mono_ms)10, (mono_ms)25);
}

/*
 * Returns how long a datagram sent at SENT may stay unacked: a lazy state sent
 * after it may share its ack.
 */
static inline mono_ms
ssp_core_ack_wait(const struct ssp_core *c, mono_ms sent)
{
	if (sent <= c->lazy_at)
		return c->flow_tx;
	return sent <= c->answer_at ? SSP_ACK_ANSWER : ssp_core_ack_delay(c);
}

/* Returns the copies of something small, for a loss rate. */
static inline unsigned
ssp_core_copies_at(const struct ssp_core *c, double loss)
{
	if (c->link != SSP_LINK_DATAGRAM)
		return 0;
	return ssp_redundancy_copies(
	    loss, ssp_rtt_srtt(&c->rtt), ssp_rtt_min(&c->rtt));
}

/* Returns the same for the loss known: 0 before the first one. */
static inline unsigned
ssp_core_copies(const struct ssp_core *c)
{
	return ssp_loss_none(&c->loss)
		   ? 0
		   : ssp_core_copies_at(c, ssp_loss_expect(&c->loss));
}

/*
 * Returns whether small states need no ack of their own: enough fates are
 * known, and the loss is so low that nothing is repeated.
 */
static inline bool
ssp_core_lazy(const struct ssp_core *c)
{
	return c->link == SSP_LINK_DATAGRAM && c->rtt.have &&
	       c->loss.seen >= SSP_LAZY_SEEN && ssp_core_copies(c) == 0;
}

#endif
