/*
 * ssp/sprout.h - Sprout's model of a link with a varying rate.
 *
 * Purpose:   a probability distribution (belief) of the link rate, updated by
 *            the arrivals of each tick of 20 ms, and a cautious forecast of the
 *            next eight ticks.
 * Ownership: struct ssp_sprout_tab is built once a process and shared; a belief
 *            is a plain value.
 * Units:     packets of SSP_SPROUT_UNIT bytes, packets a second, ticks.
 * Source:    Winstein, Sivaraman, Balakrishnan: Stochastic Forecasts Achieve
 *            High Throughput and Low Delay over Cellular Networks (NSDI 2013).
 * Tests:     regress/unit/check_ssp_sprout.c
 */
#ifndef SSP_SPROUT_H
#define SSP_SPROUT_H

#include "base/types.h"

#define SSP_SPROUT_TICK 20   /* ms */
#define SSP_SPROUT_AHEAD 8   /* ticks forecast */
#define SSP_SPROUT_RATES 257 /* values of the rate */
#define SSP_SPROUT_COUNTS 30 /* arrivals distinguished in a tick: 0..29 */
#define SSP_SPROUT_UNIT 1400 /* bytes that count as one arrival */

struct ssp_sprout_tab;

/* Takes tens of milliseconds of CPU time and 1.2 MB. */
struct ssp_sprout_tab *ssp_sprout_tab_new(void);
void ssp_sprout_tab_free(struct ssp_sprout_tab *tab);

struct ssp_sprout_belief {
	double p[SSP_SPROUT_RATES];
};

/* Sets the prior: all rates are equally likely. */
void ssp_sprout_prior(struct ssp_sprout_belief *b);

/* Advances the belief by one tick. */
void ssp_sprout_evolve(
    const struct ssp_sprout_tab *tab, struct ssp_sprout_belief *b);

/* Updates the belief: K packets arrived in the tick (29 at most). */
void ssp_sprout_observe(
    const struct ssp_sprout_tab *tab, struct ssp_sprout_belief *b, unsigned k);

/*
 * Updates the belief: K packets arrived and the link was idle after them, so K
 * is a lower bound of what it could deliver.
 */
void ssp_sprout_observe_least(
    const struct ssp_sprout_tab *tab, struct ssp_sprout_belief *b, unsigned k);

/* Scales the belief to a sum of one. */
void ssp_sprout_normalise(struct ssp_sprout_belief *b);

/* Returns the mean rate in packets a second. */
double ssp_sprout_mean(
    const struct ssp_sprout_tab *tab, const struct ssp_sprout_belief *b);

/*
 * Forecasts the packets that the link delivers within 1..8 ticks, each with
 * probability 0.95 at least; the belief must be normalised.
 */
void ssp_sprout_forecast(const struct ssp_sprout_tab *tab,
    const struct ssp_sprout_belief *b, unsigned out[SSP_SPROUT_AHEAD]);

#endif
