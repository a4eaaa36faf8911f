/*
 * ssp/cc.h - congestion personalities behind one interface.
 *
 * Purpose:   decides how many bytes of bulk may be sent now, and when more may
 *            be.  Acks and small interactive instructions are counted but never
 *            delayed.
 * Ownership: new/free; a personality belongs to one transport.
 * Units:     milliseconds; bytes on the network (with overhead).
 * Errors:    -ERR_PEER from take for a body that does not parse.
 * Source:    our own interface.  Rows: mosh's rule, a window with a delay
 *            target, the plain window, and Sprout (NSDI 2013).  on_ack has what
 *            Remy's tables need (times of sending and receipt).
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
	mono_ms sent;     /* time of sending */
	size_t in_flight; /* before this ack */
	const struct ssp_rtt *rtt;
};

/* A datagram being sent, for personalities that inform the peer. */
struct ssp_cc_flight {
	size_t bytes; /* of this datagram */
	bool more;    /* more bulk follows at once */
	bool waiting; /* bulk waits for budget */
	mono_ms next; /* otherwise: next possible send */
};

struct ssp_cc_ops {
	const char *name;
	unsigned id; /* of its CC frames; 0: none */

	void *(*new)(const struct ssp_cc_cfg *cfg);
	void (*free)(void *cc);

	void (*on_sent)(void *cc, mono_ms now, size_t bytes, bool bulk);
	void (*on_ack)(void *cc, mono_ms now, const struct ssp_cc_ack *a);
	/* SENT is the time of sending of the lost datagram. */
	void (*on_loss)(void *cc, mono_ms now, mono_ms sent, size_t bytes);
	void (*on_ce)(void *cc, mono_ms now);

	/* Returns the bytes of bulk that may be sent now. */
	size_t (*budget)(void *cc, mono_ms now, size_t in_flight);
	/*
	 * Returns when the budget may become positive without further acks; NOW
	 * if it is positive.
	 */
	mono_ms (*next_send)(void *cc, mono_ms now, size_t in_flight);
	/* Returns the interval of continuous frames in milliseconds. */
	mono_ms (*interval)(void *cc, mono_ms now, const struct ssp_rtt *rtt);

	/* A datagram arrived (NULL: not used). */
	void (*on_recv)(void *cc, mono_ms now, size_t bytes);
	/* Write and read the body of CC frames (NULL: no CC frames). */
	void (*put)(
	    void *cc, mono_ms now, const struct ssp_cc_flight *f, struct wr *w);
	int (*take)(void *cc, mono_ms now, size_t bytes, struct rd *r);

	/* Returns the deadline of the next CC frame (NULL: never). */
	mono_ms (*feedback)(void *cc, mono_ms now);

	/* The path has changed. */
	void (*reset)(void *cc, mono_ms now);
};

extern const struct ssp_cc_ops ssp_cc_mosh;   /* paced by frames */
extern const struct ssp_cc_ops ssp_cc_window; /* window with a delay target */
extern const struct ssp_cc_ops ssp_cc_plain;  /* window until loss (Reno) */
extern const struct ssp_cc_ops ssp_cc_sprout; /* forecasts of the receiver */

/* Returns the personality of that name, or NULL. */
const struct ssp_cc_ops *ssp_cc_find(const char *name);

/* mosh's frame interval: SRTT/2 within bounds; shorter on a LAN. */
mono_ms ssp_cc_interval(const struct ssp_rtt *rtt);

#endif
