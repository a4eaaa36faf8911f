/*
 * ssp/cc.h - congestion personalities behind one interface.
 *
 * Purpose:   decides how many bytes of bulk may be sent now, and when more may
 *            be.  Acks and small interactive instructions are counted but never
 *            delayed.
 * Ownership: new/free; a personality belongs to one transport.
 * Units:     milliseconds; bytes on the network (with overhead).
 * Errors:    -ERR_PEER from take for a body that does not parse.
 * Source:    our own interface; mosh's rule, windows with a delay target, the
 *            plain window, Sprout (NSDI 2013), Remy (SIGCOMM 2013).
 * Tests:     regress/unit/check_ssp_link.c, check_ssp_sprout.c,
 *            check_ssp_remy.c, regress/sim/check_pace.c
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
	uint64_t window;  /* bytes in flight at first; 0: its own */
	uint64_t counted; /* bytes that the connection has sent */
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
	/*
	 * Write and read the body of CC frames (NULL: no CC frames).  put returns
	 * false if there is nothing to say.
	 */
	bool (*put)(
	    void *cc, mono_ms now, const struct ssp_cc_flight *f, struct wr *w);
	int (*take)(void *cc, mono_ms now, size_t bytes, struct rd *r);

	/* Returns the deadline of the next CC frame (NULL: never). */
	mono_ms (*feedback)(void *cc, mono_ms now);

	/* Says what it does, and why (NULL: its name says it). */
	void (*tell)(const void *cc, char *out, size_t size);

	/* The path has changed. */
	void (*reset)(void *cc, mono_ms now);
	/*
	 * Full datagrams have MTU bytes now, many more or fewer than before (NULL:
	 * it knows only datagrams of Ethernet's size, and gets no larger ones).
	 */
	void (*resize)(void *cc, size_t mtu);
};

extern const struct ssp_cc_ops ssp_cc_auto;   /* window, or follow */
extern const struct ssp_cc_ops ssp_cc_mosh;   /* paced by frames */
extern const struct ssp_cc_ops ssp_cc_window; /* window with a delay target */
extern const struct ssp_cc_ops ssp_cc_follow; /* what is delivered, in flight */
extern const struct ssp_cc_ops ssp_cc_plain;  /* window until loss (Reno) */
extern const struct ssp_cc_ops ssp_cc_sprout; /* forecasts of the receiver */

/* Searched rules: log throughput - DELTA log delay, with 1, 0.1 and 10. */
extern const struct ssp_cc_ops ssp_cc_remy, ssp_cc_remy_fast, ssp_cc_remy_calm;
extern const struct ssp_cc_ops ssp_cc_remy_cell; /* for cellular links */

/* Returns the personality of that name, or NULL. */
const struct ssp_cc_ops *ssp_cc_find(const char *name);

/* mosh's frame interval: SRTT/2 within bounds; shorter on a LAN. */
mono_ms ssp_cc_interval(const struct ssp_rtt *rtt);

#endif
