/*
 * ssp/cc.h - congestion personalities behind one small interface.
 *
 * Purpose:   how many bytes of bulk may go now, and when more may.  Small
 *            interactive instructions and acks are never held back by it; they
 *            are only accounted for.
 * Ownership: new/free; a personality belongs to one transport.
 * Units:     milliseconds; bytes as they cross the network (with overhead).
 * Errors:    -ERR_PEER from take for a body that does not parse.
 * Source:    our own; rows for mosh's rule, a window with a delay target, the
 *            plain window, and Sprout (NSDI 2013).  Remy's tables fit too: what
 *            they need (sent and received times of acks) is in on_ack.
 * Tests:     regress/unit/check_ssp_link.c, regress/unit/check_ssp_sprout.c
 */
#ifndef SSP_CC_H
#define SSP_CC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/types.h"
#include "base/wire.h"
#include "ssp/rtt.h"

#define SSP_CC_BODY_MAX 48 /* bytes of a CC frame */

struct ssp_sprout_tab;

struct ssp_cc_cfg {
	mono_ms now;
	size_t mtu; /* bytes of a full datagram on the network */
	const struct ssp_sprout_tab *tab;
};

/* An acknowledged datagram. */
struct ssp_cc_ack {
	size_t bytes;
	mono_ms sent;     /* when it went */
	size_t in_flight; /* before this ack */
	const struct ssp_rtt *rtt;
};

/* What goes out with a datagram, for personalities that tell the peer. */
struct ssp_cc_flight {
	size_t bytes; /* of this datagram */
	bool more;    /* bulk follows at once */
	bool waiting; /* bulk waits for room */
	mono_ms next; /* otherwise: when something may follow */
};

struct ssp_cc_ops {
	const char *name;
	unsigned id; /* of its CC frames; 0: sends none */

	void *(*new)(const struct ssp_cc_cfg *cfg);
	void (*free)(void *cc);

	void (*on_sent)(void *cc, mono_ms now, size_t bytes, bool bulk);
	void (*on_ack)(void *cc, mono_ms now, const struct ssp_cc_ack *a);
	/* SENT is when the lost datagram went. */
	void (*on_loss)(void *cc, mono_ms now, mono_ms sent, size_t bytes);
	void (*on_ce)(void *cc, mono_ms now);

	/* Bytes of bulk that may go now. */
	size_t (*budget)(void *cc, mono_ms now, size_t in_flight);
	/* When the budget may be positive again, acks aside; NOW if it is. */
	mono_ms (*next_send)(void *cc, mono_ms now, size_t in_flight);
	/* Milliseconds between frames that go on and on. */
	mono_ms (*interval)(void *cc, mono_ms now, const struct ssp_rtt *rtt);

	/* A datagram came (NULL where nothing depends on it). */
	void (*on_recv)(void *cc, mono_ms now, size_t bytes);
	/* Writes and reads the body of CC frames (NULL: there are none). */
	void (*put)(
	    void *cc, mono_ms now, const struct ssp_cc_flight *f, struct wr *w);
	int (*take)(void *cc, mono_ms now, size_t bytes, struct rd *r);

	/* When the peer should hear a CC frame at the latest (NULL: never). */
	mono_ms (*feedback)(void *cc, mono_ms now);

	/* The path is another one. */
	void (*reset)(void *cc, mono_ms now);
};

extern const struct ssp_cc_ops ssp_cc_mosh;   /* paced by frames alone */
extern const struct ssp_cc_ops ssp_cc_window; /* window with a delay target */
extern const struct ssp_cc_ops ssp_cc_plain;  /* window until loss (Reno) */
extern const struct ssp_cc_ops ssp_cc_sprout; /* forecasts of the receiver */

/* The personality of that name, or NULL. */
const struct ssp_cc_ops *ssp_cc_find(const char *name);

/* mosh's frame interval, SRTT/2 within bounds; quicker where RTT is tiny. */
mono_ms ssp_cc_interval(const struct ssp_rtt *rtt);

#endif
