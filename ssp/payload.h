/*
 * ssp/payload.h - the interface between a connection and its payload.
 *
 * Purpose:   separates datagrams (the connection) from payloads (the state
 *            transport) by a table of functions, so that each is tested without
 *            the other.  A payload is a list of frames (ssp/frame.h); a reader
 *            skips frames of the other layer.
 * Ownership: ARG belongs to the maker of the table; a connection does not free
 *            it.
 * Units:     milliseconds, bytes of payload.
 * Errors:    recv returns 0 or -ERR_PEER, which the connection only counts.
 * Tests:     regress/unit/check_ssp_conn.c
 */
#ifndef SSP_PAYLOAD_H
#define SSP_PAYLOAD_H

#include <stdbool.h>

#include "base/types.h"

/* What becomes of a second path for bulk; at first there is none. */
enum ssp_lane {
	SSP_LANE_OPEN, /* send_lane may be called */
	SSP_LANE_SHUT, /* it is not; what flies there is lost */
	SSP_LANE_SWAP, /* it is the path of send now, and that is the second */
};

struct ssp_payload_ops {
	/*
	 * A payload arrived in datagram PN, authentic and not a replay.
	 * Datagrams may arrive out of order: PN may be lower than before.
	 */
	int (*recv)(
	    void *arg, mono_ms now, uint64_t pn, const uint8_t *p, size_t len);

	/*
	 * Writes the payload, at most CAP bytes, of the datagram with number
	 * PN.  PN rises after each call that returned more than 0.  Returns 0
	 * if there is nothing to send.
	 */
	size_t (*send)(
	    void *arg, mono_ms now, uint64_t pn, uint8_t *out, size_t cap);

	/*
	 * Returns when to call send next, at the latest; MONO_NEVER: no need.
	 */
	mono_ms (*deadline)(void *arg, mono_ms now);

	/* Sets the largest CAP of future calls of send. */
	void (*set_mtu)(void *arg, size_t cap);

	/* A round-trip sample without hold time; 0 is below 1 ms. */
	void (*rtt)(void *arg, mono_ms now, mono_ms sample);

	/*
	 * A datagram arrived with the ECN mark CE: a queue on the path grows.
	 */
	void (*ecn)(void *arg, mono_ms now);

	/*
	 * The path changed, or the peer is heard again after silence: drop any
	 * back-off; unacknowledged data may be sent at once.  RESET: the path
	 * leads to another host, so estimates of round trip and congestion
	 * start again.
	 */
	void (*poke)(void *arg, mono_ms now, bool reset);

	/*
	 * Returns whether something sent awaits an ack, so that silence means
	 * trouble.
	 */
	bool (*waiting)(void *arg, mono_ms now);

	/* Returns how long the peer may delay that ack; NULL: not at all. */
	mono_ms (*held)(void *arg);

	/* Returns the silence of the peer that is normal; NULL: seven seconds. */
	mono_ms (*idle)(void *arg);

	/* The path stays on one machine, or does not; may be NULL. */
	void (*near)(void *arg, bool near);

	/* The link is now a reliable stream (true) or datagrams (false). */
	void (*set_stream)(void *arg, mono_ms now, bool stream);

	/* The peer has these capabilities (enum ssp_cap); may be NULL. */
	void (*peer)(void *arg, mono_ms now, uint64_t caps);

	/* RTT is that of the second path, 0: unknown; NULL: no bulk there. */
	void (*lane)(void *arg, mono_ms now, enum ssp_lane what, mono_ms rtt);

	/* As send, by the second path.  It is called when send wrote nothing. */
	size_t (*send_lane)(
	    void *arg, mono_ms now, uint64_t pn, uint8_t *out, size_t cap);
};

struct ssp_payload {
	const struct ssp_payload_ops *ops;
	void *arg;
};

#endif
