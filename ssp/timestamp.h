/*
 * ssp/timestamp.h - round trips from 16-bit timestamps.
 *
 * Purpose:   each datagram carries the sender's clock and, once, the newest
 *            stamp of the peer advanced by the time it was held; the
 *            difference to the clock on arrival is the round trip without
 *            what either side waited.
 * Ownership: struct ssp_stamp is a plain value; one a path, so that samples of
 *            different paths never mix.
 * Units:     milliseconds modulo 65,536 on the wire; 0xffff means none.
 * Errors:    a sample that cannot be one is dropped (false).
 * Source:    the method is mosh's (network.cc).
 * Tests:     regress/unit/check_ssp_datagram.c
 */
#ifndef SSP_TIMESTAMP_H
#define SSP_TIMESTAMP_H

#include "base/types.h"

#define SSP_STAMP_NONE 0xffff
#define SSP_STAMP_HOLD_MAX 1000 /* ms; a stamp held longer is not returned */

/*
 * Samples above are no round trips: a stamp from the other side of the wrap.
 * Two clocks read in whole ms can make a sample -1: that counts as 0.
 */
#define SSP_STAMP_SAMPLE_MAX 60000

struct ssp_stamp {
	mono_ms at;    /* when PEER came */
	uint16_t peer; /* newest stamp of the peer not yet returned */
	bool have;
};

/* What to write as the timestamp. */
uint16_t ssp_stamp_now(mono_ms now);

/* What to write as the reply; it is then used up. */
uint16_t ssp_stamp_reply(struct ssp_stamp *s, mono_ms now);

/* Takes the timestamp of a datagram newer than all before. */
void ssp_stamp_got(struct ssp_stamp *s, mono_ms now, uint16_t stamp);

/* Turns the reply of a datagram into a sample; false if there is none. */
bool ssp_stamp_sample(mono_ms now, uint16_t reply, mono_ms *sample);

#endif
