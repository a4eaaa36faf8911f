/*
 * ssp/timestamp.h - round trips from 16-bit timestamps.
 *
 * Purpose:   each datagram carries the sender's clock and, once, the newest
 *            timestamp of the peer plus the time it was held.  On arrival, the
 *            clock minus that reply is the round trip without the waiting time
 *            of either side.
 * Ownership: struct ssp_stamp is a plain value, one for each path, so that
 *            samples of different paths never mix.
 * Units:     milliseconds modulo 65,536 on the wire; 0xffff means none.
 * Errors:    an impossible sample is dropped (false).
 * Source:    mosh's method (network.cc).
 * Tests:     regress/unit/check_ssp_datagram.c
 */
#ifndef SSP_TIMESTAMP_H
#define SSP_TIMESTAMP_H

#include "base/types.h"

#define SSP_STAMP_NONE 0xffff
#define SSP_STAMP_HOLD_MAX 1000 /* ms; an older timestamp is not returned */

/*
 * Larger samples come from a timestamp before the wrap.  Two clocks read in
 * whole milliseconds can give -1: that counts as 0.
 */
#define SSP_STAMP_SAMPLE_MAX 60000

struct ssp_stamp {
	mono_ms at;    /* arrival of PEER */
	uint16_t peer; /* newest timestamp of the peer, not returned yet */
	bool have;
};

/* Returns the timestamp to write. */
uint16_t ssp_stamp_now(mono_ms now);

/* Returns the reply to write, once. */
uint16_t ssp_stamp_reply(struct ssp_stamp *s, mono_ms now);

/* Records the timestamp of a datagram newer than all before. */
void ssp_stamp_got(struct ssp_stamp *s, mono_ms now, uint16_t stamp);

/* Computes a sample from a received reply; false if there is none. */
bool ssp_stamp_sample(mono_ms now, uint16_t reply, mono_ms *sample);

#endif
