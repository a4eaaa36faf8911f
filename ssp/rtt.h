/*
 * ssp/rtt.h - round-trip estimate and retransmission timeout of one peer.
 *
 * Purpose:   turns timestamp replies into SRTT, RTTVAR and RTO, and remembers
 *            the smallest round trip of the last minutes.
 * Ownership: struct ssp_rtt is a plain value; the caller embeds it.
 * Units:     milliseconds.
 * Errors:    -ERR_RANGE for samples of SSP_RTT_SAMPLE_MAX or more; nothing
 *            changes then.
 * Source:    RFC 6298 section 2; the filter constants are also mosh's.  The
 *            ceiling is 60 s where mosh has 1 s, because a link slower than
 *            the ceiling is resent to for ever.
 * Tests:     regress/unit/check_ssp_link.c
 */
#ifndef SSP_RTT_H
#define SSP_RTT_H

#include <stdbool.h>

#include "base/compiler.h"
#include "base/types.h"

#define SSP_RTO_MIN 50           /* ms; below this timers are noise */
#define SSP_RTO_MAX 60000        /* ms */
#define SSP_RTO_INITIAL 1000     /* ms, while no sample is known */
#define SSP_SRTT_INITIAL 100     /* ms, what is paced by until then */
#define SSP_RTT_SAMPLE_MAX 50000 /* ms; 16-bit stamps wrap at 65,536 */
#define SSP_RTT_MIN_SPAN 60000   /* ms that one minimum is good for */

struct ssp_rtt {
	bool have;
	uint32_t srtt8; /* ms * 8 */
	uint32_t var4;  /* ms * 4 */
	mono_ms latest;
	mono_ms min_now;  /* minimum of the span that began at min_since */
	mono_ms min_last; /* minimum of the span before */
	mono_ms min_since;
};

void ssp_rtt_init(struct ssp_rtt *rtt);

/*
 * Adds one round-trip sample.
 * In:      sample  time from send to matching reply, hold time taken out
 * Returns: 0, or -ERR_RANGE if the sample was ignored.
 */
int ssp_rtt_sample(
    struct ssp_rtt *rtt, mono_ms now, mono_ms sample) WARN_UNUSED;

mono_ms ssp_rtt_srtt(const struct ssp_rtt *rtt);
mono_ms ssp_rtt_var(const struct ssp_rtt *rtt);

/* SRTT + 4 RTTVAR, clamped; SSP_RTO_INITIAL before the first sample. */
mono_ms ssp_rtt_rto(const struct ssp_rtt *rtt);

/* Smallest sample of the last one to two minutes; SRTT if there is none. */
mono_ms ssp_rtt_min(const struct ssp_rtt *rtt);

#endif
