/*
 * ssp/payload.h - the face that a connection sees of what it carries.
 *
 * Purpose:   the boundary between datagrams (the connection) and payloads (the
 *            state transport): a table of functions, so that each side is
 *            tested without the other.  A payload is a list of frames
 *            (ssp/frame.h); a reader skips the frames that are not its own.
 * Ownership: ARG belongs to whoever made the table; a connection does not free
 *            it.
 * Units:     milliseconds, bytes of payload.
 * Errors:    recv returns 0 or -ERR_PEER; the connection counts it, no more.
 * Tests:     regress/unit/check_ssp_conn.c
 */
#ifndef SSP_PAYLOAD_H
#define SSP_PAYLOAD_H

#include <stdbool.h>

#include "base/types.h"

struct ssp_payload_ops {
	/*
	 * A payload came in datagram PN, authentic and never seen before.
	 * Datagrams come in order of arrival: PN may be lower than before.
	 */
	int (*recv)(
	    void *arg, mono_ms now, uint64_t pn, const uint8_t *p, size_t len);

	/*
	 * Writes what should go now, at most CAP bytes, for the datagram that
	 * will carry number PN (PN rises from call to call once the answer was
	 * not 0).  Returns 0 if there is nothing to send.
	 */
	size_t (*send)(
	    void *arg, mono_ms now, uint64_t pn, uint8_t *out, size_t cap);

	/* When send should be asked again at the latest; MONO_NEVER: not. */
	mono_ms (*deadline)(void *arg, mono_ms now);

	/* Largest CAP that send will be given from now on. */
	void (*set_mtu)(void *arg, size_t cap);

	/* One round trip, hold time taken out; 0 is below the clock's grain. */
	void (*rtt)(void *arg, mono_ms now, mono_ms sample);

	/* A datagram arrived with the CE mark: the path's queue grows. */
	void (*ecn)(void *arg, mono_ms now);

	/*
	 * The path is another one, or is heard again after silence: forget any
	 * back-off; what is unacknowledged may go at once.  RESET: it is a
	 * different path, so estimates of round trip and congestion start
	 * anew.
	 */
	void (*poke)(void *arg, mono_ms now, bool reset);

	/*
	 * Something was sent whose arrival the peer has not yet confirmed, so
	 * silence means trouble.
	 */
	bool (*waiting)(void *arg, mono_ms now);

	/* How long the peer may hold back that sign; NULL: not at all. */
	mono_ms (*held)(void *arg);

	/* The link is a reliable stream (true) or lossy datagrams. */
	void (*set_stream)(void *arg, mono_ms now, bool stream);
};

struct ssp_payload {
	const struct ssp_payload_ops *ops;
	void *arg;
};

#endif
