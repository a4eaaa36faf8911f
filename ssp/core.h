/*
 * ssp/core.h - what the sender, the receiver and the transport share.
 *
 * Purpose:   the estimates of one link and the counters, in one place that
 *            the parts of a transport point to.
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

#define SSP_LAZY_SEEN 4  /* fates known before acks may wait */
#define SSP_ACK_ROOM 200 /* bytes of a payload kept for acks and the like */

/* How long the ack of a state may wait, in ms. */
#define SSP_ACK_ANSWER 60    /* SSP_HASTE_ANSWER */
#define SSP_ACK_LAZY 300     /* SSP_HASTE_LAZY */
#define SSP_ACK_COVERED 1000 /* SSP_HASTE_COVERED */

/* What a state's sender asks of its ack; bits of an instruction say it. */
enum ssp_haste {
	SSP_HASTE_SOON,    /* within ssp_core_ack_delay */
	SSP_HASTE_ANSWER,  /* with what answers the state */
	SSP_HASTE_LAZY,    /* with what goes next, or after others like it */
	SSP_HASTE_COVERED, /* the peer itself asks again if the state is lost */
};

struct ssp_core {
	enum ssp_link_kind link;
	bool asks;       /* our states are answered by the peer's */
	bool patient;    /* nobody waits for what our next state says */
	bool answering;  /* what goes now is the first ack of a state */
	size_t mtu;      /* largest payload */
	size_t overhead; /* bytes a datagram adds */
	mono_ms collect_first;
	mono_ms collect_more;
	mono_ms collect_still;
	mono_ms flow_tx; /* ms that acks of our lazy states may wait in all */
	mono_ms flow_rx; /* the same for acks of the peer's */
	struct ssp_rtt rtt;
	struct ssp_loss loss;
	struct ssp_redundancy redundancy;
	const struct ssp_cc_ops *cc_ops; /* NULL: bulk is not limited */
	void *cc;
	struct ssp_trace trace;
	struct ssp_transport_stats st; /* only the counters are kept here */
	mono_ms last_heard;
	bool heard;
	mono_ms lazy_at; /* when an ack was last asked for without hurry ... */
	mono_ms answer_at; /* ... with the answer */
};

/* How long the peer may hold back an ack; both ends know it. */
static inline mono_ms
ssp_core_ack_delay(const struct ssp_core *c)
{
	mono_ms srtt = ssp_rtt_srtt(&c->rtt);

	/* Nothing is lost there: an ack rides on the next key or frame. */
	if (c->link == SSP_LINK_LOCAL)
		return 40;
	return CLAMP(srtt / 8, (mono_ms)10, (mono_ms)25);
}

/*
 * How long what was sent at SENT may stay unanswered at most, or was asked to:
 * a lazy state may have gone behind it, whose ack serves for both.
 */
static inline mono_ms
ssp_core_ack_wait(const struct ssp_core *c, mono_ms sent)
{
	if (sent <= c->lazy_at)
		return c->flow_tx;
	return sent <= c->answer_at ? SSP_ACK_ANSWER : ssp_core_ack_delay(c);
}

static inline unsigned
ssp_core_copies(const struct ssp_core *c)
{
	if (c->link != SSP_LINK_DATAGRAM)
		return 0;
	return ssp_redundancy_copies(ssp_loss_rate(&c->loss),
	    ssp_rtt_srtt(&c->rtt), ssp_rtt_min(&c->rtt));
}

/*
 * Small states need no ack of their own: enough datagrams arrived to say so,
 * and so few were lost that nothing is repeated either.
 */
static inline bool
ssp_core_lazy(const struct ssp_core *c)
{
	return c->link == SSP_LINK_DATAGRAM && c->rtt.have &&
	       c->loss.seen >= SSP_LAZY_SEEN && ssp_core_copies(c) == 0;
}

#endif
