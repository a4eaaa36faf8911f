/*
 * ssp/rtt.h - round-trip estimate and retransmission timeout of one peer.
 *
 * Purpose:   computes SRTT, RTTVAR and RTO from round-trip samples, and keeps
 *            the minimum of the last minutes.
 * Ownership: struct ssp_rtt is a plain value; the caller embeds it.
 * Units:     milliseconds.
 * Errors:    -ERR_RANGE for samples of SSP_RTT_SAMPLE_MAX or more, which are
 *            ignored.
 * Source:    RFC 6298 section 2; mosh uses the same filter constants.  The
 *            maximum RTO is 60 s (mosh: 1 s), because a link slower than the
 *            maximum would be resent to for ever.
 * Tests:     regress/unit/check_ssp_link.c
 */
#ifndef SSP_RTT_H
#define SSP_RTT_H

#include <stdbool.h>

#include "base/compiler.h"
#include "base/types.h"

#define SSP_RTO_MIN 50           /* ms; shorter timers are noise */
#define SSP_RTO_MAX 60000        /* ms */
#define SSP_RTO_INITIAL 1000     /* ms, before the first sample */
#define SSP_SRTT_INITIAL 100     /* ms, assumed before the first sample */
#define SSP_RTT_SAMPLE_MAX 50000 /* ms; 16-bit timestamps wrap at 65,536 */
#define SSP_RTT_MIN_SPAN 60000   /* ms of one minimum */

#define SSP_RTT_FEW 6 /* samples that say little of the variance */

struct ssp_rtt {
	bool have;
	uint8_t few;    /* samples, at most SSP_RTT_FEW */
	uint32_t srtt8; /* ms * 8 */
	uint32_t var4;  /* ms * 4 */
	mono_ms latest;
	mono_ms min_now;  /* minimum since min_since */
	mono_ms min_last; /* minimum of the previous span */
	mono_ms min_since;
};

void ssp_rtt_init(struct ssp_rtt *rtt);

/*
 * Adds one round-trip sample.
 * In:      sample  time from sending to the reply, without hold time
 * Returns: 0, or -ERR_RANGE if the sample was ignored.
 */
int ssp_rtt_sample(
    struct ssp_rtt *rtt, mono_ms now, mono_ms sample) WARN_UNUSED;

mono_ms ssp_rtt_srtt(const struct ssp_rtt *rtt);
mono_ms ssp_rtt_var(const struct ssp_rtt *rtt);

/* Returns SRTT + 4 RTTVAR, clamped; SSP_RTO_INITIAL before any sample. */
mono_ms ssp_rtt_rto(const struct ssp_rtt *rtt);

/*
 * Returns the timeout of something small, of which one too many costs little:
 * the RTO, but while its variance is a guess, at most half of SRTT above that.
 */
mono_ms ssp_rtt_early(const struct ssp_rtt *rtt);

/*
 * Returns the smallest sample of the last one to two minutes, or SRTT without
 * samples.
 */
mono_ms ssp_rtt_min(const struct ssp_rtt *rtt);

#endif
