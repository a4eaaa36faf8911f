/*
 * ssp/loss.h - the fate of each datagram sent, and the loss rate of the link.
 *
 * Purpose:   records the packet numbers sent; derives from acks which arrived
 *            and which are lost; estimates the loss rate; counts bytes in
 *            flight.
 * Ownership: ssp_loss_init/fini; callbacks run inside ssp_loss_ack and
 *            ssp_loss_expire and must not call ssp_loss functions that change
 *            it.
 * Units:     milliseconds, bytes; the loss rate is 0..1.
 * Errors:    an ack of a number never sent is ignored.
 * Source:    RFC 9002 section 6.1 for packet and time thresholds; the
 *            reordering window grows after a spurious loss (RFC 8985).
 * Tests:     regress/unit/check_ssp_link.c
 */
#ifndef SSP_LOSS_H
#define SSP_LOSS_H

#include <stdbool.h>

#include "base/types.h"
#include "ssp/acktr.h"

#define SSP_LOSS_RING 2048      /* datagrams remembered */
#define SSP_LOSS_RING_MAX 16384 /* the same while so many are in flight */
#define SSP_LOSS_REORDER 3      /* packet threshold of RFC 9002 */
#define SSP_LOSS_REORDER_MAX 64
#define SSP_LOSS_START 64 /* fates until the estimate is trusted alone */
#define SSP_LOSS_NEAR 12 /* ms between datagrams that a burst would take both */

enum ssp_pkt_state {
	SSP_PKT_FLYING,
	SSP_PKT_ACKED,
	SSP_PKT_LOST
};

struct ssp_pkt {
	uint64_t pn;
	mono_ms time;
	uint32_t size;
	uint16_t fate;      /* if counted: `total` at its loss */
	uint8_t state;      /* enum ssp_pkt_state */
	bool eliciting : 1; /* asks for an ack */
	bool probe : 1;     /* does not count for congestion */
	bool counted : 1;   /* the estimate includes its loss */
	bool guessed : 1;   /* lost: no ack came, which may be lost itself */
	bool second : 1;    /* went by the second path */
};

struct ssp_loss_ops {
	void (*acked)(void *arg, mono_ms now, const struct ssp_pkt *p);
	void (*lost)(void *arg, mono_ms now, const struct ssp_pkt *p);
};

/* The datagrams of a second path, which say nothing of the first. */
struct ssp_loss_second {
	bool used;        /* some may be in the ring */
	unsigned settled; /* oldest records that await no ack by it */
	size_t in_flight; /* bytes by it that await an ack */
	unsigned reorder; /* as those of struct ssp_loss */
	mono_ms reorder_ms;
};

struct ssp_loss {
	struct ssp_pkt *ring; /* CAP records */
	unsigned cap;
	unsigned head; /* oldest */
	unsigned count;
	unsigned clean;   /* oldest records, all acked */
	unsigned settled; /* oldest records that await no ack */
	struct ssp_loss_second second;
	const struct ssp_loss_ops *ops;
	void *arg;

	bool outage; /* while expiring: the peer is silent */
	bool any_acked;
	uint64_t largest_acked;
	mono_ms largest_time; /* send time of largest_acked */
	unsigned reorder;     /* packets */
	mono_ms reorder_ms;
	size_t in_flight; /* bytes awaiting an ack */
	uint64_t acked, lost, spurious;

	unsigned heard;      /* fates of the peer's, to SSP_LOSS_START */
	unsigned start_lost; /* losses among those and our fates */

	unsigned seen;  /* fates counted, at most LOSS_SLOW */
	uint32_t fates; /* fates since the last reset */
	uint32_t total; /* fates counted in all */
	double fast;
	double slow;
	uint32_t pairs; /* losses with another datagram just behind */
	double bunch;   /* loss rate of those behind */
};

void ssp_loss_init(
    struct ssp_loss *l, const struct ssp_loss_ops *ops, void *arg);
void ssp_loss_fini(struct ssp_loss *l);

/* Records a datagram sent now; numbers must ascend. */
void ssp_loss_sent(struct ssp_loss *l, mono_ms now, uint64_t pn, size_t size,
    bool eliciting, bool probe);

/* Processes an ack; SRTT sets the time threshold. */
void ssp_loss_ack(
    struct ssp_loss *l, mono_ms now, const struct ssp_ack *a, mono_ms srtt);

/*
 * Declares lost the ack-eliciting datagrams sent more than AGE ago.  (Others
 * carry only acks, which the peer acks without hurry.)
 * In:      silent  nothing arrived from the peer since: an outage, which does
 *                  not count as loss
 */
void ssp_loss_expire(struct ssp_loss *l, mono_ms now, mono_ms age, bool silent);

/*
 * Returns when the oldest unacknowledged ack-eliciting datagram was sent;
 * MONO_NEVER without one.
 */
mono_ms ssp_loss_oldest(const struct ssp_loss *l);

/*
 * The same for a second path, whose datagrams are lost by what came of theirs
 * alone.  Neither path's count for the estimates of the other: all that is said
 * of the link below is said of the first.
 */
void ssp_loss_sent_second(
    struct ssp_loss *l, mono_ms now, uint64_t pn, size_t size);
void ssp_loss_ack_both(struct ssp_loss *l, mono_ms now, const struct ssp_ack *a,
    mono_ms srtt, mono_ms srtt_second);
void ssp_loss_expire_second(
    struct ssp_loss *l, mono_ms now, mono_ms age, bool silent);
mono_ms ssp_loss_oldest_second(const struct ssp_loss *l);

/* Returns the newest datagram of the second path that A is the first to ack. */
const struct ssp_pkt *ssp_loss_news_second(
    const struct ssp_loss *l, const struct ssp_ack *a);

/* The second path has gone: what flies there is lost. */
void ssp_loss_drop_second(struct ssp_loss *l, mono_ms now);

/* The second path is the first now, and the first the second. */
void ssp_loss_swap(struct ssp_loss *l);

/* Returns the record of PN, or NULL. */
const struct ssp_pkt *ssp_loss_find(const struct ssp_loss *l, uint64_t pn);

/* Returns the estimated loss rate of our datagrams, 0..1. */
double ssp_loss_rate(const struct ssp_loss *l);

/*
 * Tells that a datagram of the peer arrived, and LOST before it did not.  Until
 * enough fates of our own are known, those of the peer tell of the link.
 */
void ssp_loss_heard(struct ssp_loss *l, uint64_t lost);

/* Tells that a datagram of the peer that was missing arrived late. */
void ssp_loss_heard_late(struct ssp_loss *l);

/*
 * Returns the loss rate to be prepared for, 0..1: the estimate, or, while few
 * fates are known, the mean of what they leave possible.
 */
double ssp_loss_expect(const struct ssp_loss *l);

/* Returns whether the link is new and neither side has seen a loss. */
static inline bool
ssp_loss_none(const struct ssp_loss *l)
{
	return l->fates < SSP_LOSS_START && l->start_lost == 0;
}

/*
 * Returns whether losses come in bursts: whether a datagram soon after a lost
 * one is lost clearly more often than others.  True until the opposite is
 * known: copies apart are a fair choice on any link.
 */
bool ssp_loss_bunched(const struct ssp_loss *l);

/* Resets the estimates (new path); a little of what was expected stays. */
void ssp_loss_forget(struct ssp_loss *l);

#endif
