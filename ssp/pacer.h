/*
 * ssp/pacer.h - spreads bytes over time.
 *
 * Purpose:   a token bucket: bytes become available at a rate; unused ones
 *            accumulate, so that a short burst is sent at once.
 * Units:     bytes, milliseconds, bytes a second.
 * Source:    RFC 9002 section 7.7.
 * Tests:     regress/unit/check_ssp_link.c
 */
#ifndef SSP_PACER_H
#define SSP_PACER_H

#include "base/types.h"

struct ssp_pacer {
	uint64_t rate;  /* bytes a second; 0: no limit */
	uint64_t burst; /* maximum bytes accumulated */
	int64_t credit; /* thousandths of a byte; may be negative */
	mono_ms filled;
};

void ssp_pacer_init(struct ssp_pacer *p, mono_ms now, uint64_t burst);

/* Changes rate and burst; the credit stays, limited by the new burst. */
void ssp_pacer_set(
    struct ssp_pacer *p, mono_ms now, uint64_t rate, uint64_t burst);

/* Changes the burst alone. */
void ssp_pacer_burst(struct ssp_pacer *p, uint64_t burst);

/* Returns the bytes that may be sent now. */
uint64_t ssp_pacer_budget(struct ssp_pacer *p, mono_ms now);

/* N bytes were sent. */
void ssp_pacer_sent(struct ssp_pacer *p, mono_ms now, uint64_t n);

/* Returns when N bytes (at most the burst) may be sent. */
mono_ms ssp_pacer_next(struct ssp_pacer *p, mono_ms now, uint64_t n);

#endif
