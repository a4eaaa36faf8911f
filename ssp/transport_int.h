/*
 * ssp/transport_int.h - the inside of a transport, for ssp/transport*.c only.
 *
 * Purpose:   transport.c is the facade, transport_in.c reads payloads,
 *            transport_out.c writes them and knows when.
 * Ownership: see ssp/transport.h.
 * Units:     see ssp/transport.h.
 * Errors:    see ssp/transport.h.
 * Tests:     those of ssp/transport.h
 */
#ifndef SSP_TRANSPORT_INT_H
#define SSP_TRANSPORT_INT_H

#include "ssp/acktr.h"
#include "ssp/core.h"
#include "ssp/receiver.h"
#include "ssp/sender.h"
#include "ssp/side.h"

#define TP_MTU_MIN 400 /* smaller is not supported */

enum tp_close_what {
	TP_CLOSE_ASK = 1,
	TP_CLOSE_CONFIRM = 2
};

struct ssp_transport {
	struct ssp_core core;
	struct ssp_sender tx;
	struct ssp_receiver rx;
	struct ssp_acktr acktr;
	struct ssp_side side;
	struct ssp_sprout_tab const *sprout;
	void (*on_packet)(void *, mono_ms, uint64_t, bool);
	void *on_packet_arg;

	mono_ms ack_due;     /* MONO_NEVER: none is owed */
	mono_ms lazy_from;   /* the first lazy state that has no ack yet came */
	mono_ms lazy_due;    /* when the ack of these goes at the latest */
	mono_ms covered_due; /* the same of states that are covered */
	unsigned unacked;    /* eliciting datagrams since the last ack sent */
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

/* When a part of a side message may go (transport_out.c). */
mono_ms tp_side_time(struct ssp_transport *tp, mono_ms now);

static inline void
tp_owe_ack(struct ssp_transport *tp, mono_ms when)
{
	tp->ack_due = mono_min(tp->ack_due, when);
}

#endif
