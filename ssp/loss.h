/*
 * ssp/loss.h - the fate of every datagram sent, and the loss of the link.
 *
 * Purpose:   records packet numbers sent; learns from acks which arrived and
 *            which are lost; estimates the loss; counts bytes in flight.
 * Ownership: ssp_loss_init/fini; callbacks run inside ssp_loss_ack/_timeout
 *            and must not call back.
 * Units:     milliseconds, bytes; loss is a share of one.
 * Errors:    none; an ack of numbers never sent is ignored.
 * Source:    the packet and time thresholds of RFC 9002 section 6.1, with a
 *            reordering window that grows when a loss proves false (RFC 8985).
 * Tests:     regress/unit/check_ssp_link.c
 */
#ifndef SSP_LOSS_H
#define SSP_LOSS_H

#include <stdbool.h>

#include "base/types.h"
#include "ssp/acktr.h"

#define SSP_LOSS_RING 2048 /* datagrams remembered */
#define SSP_LOSS_REORDER 3 /* packets overtaken before one counts as lost */
#define SSP_LOSS_REORDER_MAX 64

enum ssp_pkt_state {
	SSP_PKT_FLYING,
	SSP_PKT_ACKED,
	SSP_PKT_LOST
};

struct ssp_pkt {
	uint64_t pn;
	mono_ms time;
	uint32_t size;
	uint16_t fate;      /* lost and counted: which one, see total */
	uint8_t state;      /* enum ssp_pkt_state */
	bool eliciting : 1; /* the peer acks it soon */
	bool probe : 1;     /* says nothing of congestion */
	bool counted : 1;   /* the estimate has its loss */
};

struct ssp_loss_ops {
	void (*acked)(void *arg, mono_ms now, const struct ssp_pkt *p);
	void (*lost)(void *arg, mono_ms now, const struct ssp_pkt *p);
};

struct ssp_loss {
	struct ssp_pkt *ring;
	unsigned head; /* oldest */
	unsigned count;
	unsigned settled; /* of the oldest, how many are not waited for */
	const struct ssp_loss_ops *ops;
	void *arg;

	bool outage; /* while expiring: the peer is not heard at all */
	bool any_acked;
	uint64_t largest_acked;
	mono_ms largest_time; /* send time of largest_acked */
	unsigned reorder;     /* packets */
	mono_ms reorder_ms;
	size_t in_flight; /* bytes that an ack is expected for */
	uint64_t acked, lost, spurious;

	unsigned seen;  /* fates counted, up to the slow filter's length */
	uint32_t fates; /* counted since the estimate was forgotten */
	uint32_t total; /* counted ever */
	double fast;
	double slow;
};

void ssp_loss_init(
    struct ssp_loss *l, const struct ssp_loss_ops *ops, void *arg);
void ssp_loss_fini(struct ssp_loss *l);

/* Notes a datagram sent now; numbers rise. */
void ssp_loss_sent(struct ssp_loss *l, mono_ms now, uint64_t pn, size_t size,
    bool eliciting, bool probe);

/* Uses an ack; SRTT helps to tell late from lost. */
void ssp_loss_ack(
    struct ssp_loss *l, mono_ms now, const struct ssp_ack *a, mono_ms srtt);

/*
 * Gives up what was sent more than AGE ago and should have been acked soon.
 * (Acks are acked when the peer next has something to say: no hurry.)
 * In:      silent  the peer was not heard since: an outage, not loss
 */
void ssp_loss_expire(struct ssp_loss *l, mono_ms now, mono_ms age, bool silent);

/* When the oldest datagram waited for was sent; MONO_NEVER if none is. */
mono_ms ssp_loss_oldest(const struct ssp_loss *l);

/* The record of PN, or NULL. */
const struct ssp_pkt *ssp_loss_find(const struct ssp_loss *l, uint64_t pn);

/* Estimated share of our datagrams that are lost, 0..1. */
double ssp_loss_rate(const struct ssp_loss *l);

/* Forgets the estimate (another path). */
void ssp_loss_forget(struct ssp_loss *l);

#endif
