/*
 * The rate is one of 257 values.  Each tick it moves by Brownian motion (sigma
 * 200 packets/s per root second), cut off at five sigmas; rate 0 (an outage)
 * tends to persist.  An observation of k arrivals multiplies the belief by the
 * Poisson probability of k.  The forecast treats future ticks as independent
 * given the present rate; the distribution of the cumulative count for each
 * rate is computed once, with the tables.
 *
 * One quirk of the published code is kept, because its numbers depend on it:
 * the probability to leave or stay in an outage is multiplied by the holding
 * probability after the Brownian step, so some probability is lost until the
 * next normalisation.
 */
#include "ssp/sprout.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

#define SPROUT_MAX_RATE 1000.0
#define SPROUT_BINS (SSP_SPROUT_RATES - 1)
#define SPROUT_WIDTH (SPROUT_MAX_RATE / SPROUT_BINS)
#define SPROUT_SIGMA 200.0 /* packets/s per root second */
#define SPROUT_ESCAPE 1.0  /* outages end at this rate, per second */
#define SPROUT_SIGMAS 5.0  /* longer steps are ignored */
#define SPROUT_BAND 80     /* maximum number of reachable values */
#define SPROUT_PERCENTILE 0.05
#define SPROUT_GRID (2 * SPROUT_MAX_RATE / 32768)
#define SPROUT_TICK_S (SSP_SPROUT_TICK / 1000.0)
#define SPROUT_TOP (SSP_SPROUT_COUNTS - 1)

struct ssp_sprout_tab {
	double rate[SSP_SPROUT_RATES];
	unsigned low[SSP_SPROUT_RATES];   /* first reachable value */
	unsigned reach[SSP_SPROUT_RATES]; /* number of reachable values */
	double step[SSP_SPROUT_RATES][SPROUT_BAND];
	double seen[SSP_SPROUT_COUNTS][SSP_SPROUT_RATES];
	double least[SSP_SPROUT_COUNTS][SSP_SPROUT_RATES]; /* or more */
	/* cumulative distributions: [tick] -> [count][rate] */
	float *cum[SSP_SPROUT_AHEAD];
};

static unsigned
sprout_counts(unsigned tick)
{
	return SPROUT_TOP * (tick + 1) + 1;
}

/*
 * The distribution function of a step of X packets/s, sampled at points
 * SPROUT_GRID apart as in the published model: exact values would move
 * forecasts near a rounding edge by one.
 */
static double
sprout_phi(double x, double sigma)
{
	double i;

	if (x <= -SPROUT_MAX_RATE)
		return 0;
	if (x >= SPROUT_MAX_RATE)
		return 1;
	i = floor((x + SPROUT_MAX_RATE) / SPROUT_GRID);
	x = i < 1 ? -SPROUT_MAX_RATE
		  : (i + 0.5) * SPROUT_GRID - SPROUT_MAX_RATE;
	return 0.5 * erfc(-x / sigma * 0.70710678118654752440);
}

static unsigned
sprout_bin(double rate)
{
	if (rate < SPROUT_WIDTH)
		return 0;
	if (rate >= SPROUT_MAX_RATE)
		return SPROUT_BINS;
	return (unsigned)(rate / SPROUT_WIDTH);
}

static void
sprout_build_steps(struct ssp_sprout_tab *tab)
{
	double s = SPROUT_SIGMA * sqrt(SPROUT_TICK_S), lo, hi, w, hold;
	unsigned o, n, last;

	hold = exp(-SPROUT_ESCAPE * SPROUT_TICK_S);
	for (o = 0; o < SSP_SPROUT_RATES; o++) {
		lo = tab->rate[o] - SPROUT_SIGMAS * s;
		hi = tab->rate[o] + SPROUT_SIGMAS * s;
		tab->low[o] = sprout_bin(lo);
		last = sprout_bin(hi);
		tab->reach[o] = last - tab->low[o] + 1;
		bug_assert(tab->reach[o] <= SPROUT_BAND);
		for (n = tab->low[o]; n <= last; n++) {
			lo = n == 0 ? -HUGE_VAL : n * SPROUT_WIDTH;
			hi = n == SPROUT_BINS ? HUGE_VAL
					      : (n + 1) * SPROUT_WIDTH;
			w = sprout_phi(hi - tab->rate[o], s) -
			    sprout_phi(lo - tab->rate[o], s);
			if (o == 0)
				w *= n == 0 ? hold : 1 - hold;
			tab->step[o][n - tab->low[o]] = w;
		}
	}
}

static void
sprout_build_seen(struct ssp_sprout_tab *tab)
{
	unsigned k, i;
	double m;

	for (k = 0; k < SSP_SPROUT_COUNTS; k++) {
		tab->seen[k][0] = k == 0;
		for (i = 1; i < SSP_SPROUT_RATES; i++) {
			m = tab->rate[i] * SPROUT_TICK_S;
			tab->seen[k][i] = exp(k * log(m) - m - lgamma(k + 1.0));
		}
	}
	for (i = 0; i < SSP_SPROUT_RATES; i++)
		for (tab->least[0][i] = 1, k = 1; k < SSP_SPROUT_COUNTS; k++)
			tab->least[k][i] = MAX_OF(
			    tab->least[k - 1][i] - tab->seen[k - 1][i], 1e-12);
}

/* Computes the distribution of cumulative counts for one initial rate. */
static void
sprout_build_cum(struct ssp_sprout_tab *tab, unsigned value)
{
	double c[SPROUT_TOP * SSP_SPROUT_AHEAD + 1] = { 1 };
	double d[SPROUT_TOP * SSP_SPROUT_AHEAD + 1], a[SSP_SPROUT_COUNTS];
	struct ssp_sprout_belief b = { .p = { 0 } };
	unsigned t, k, i, len = 1, lo = value, hi = value + 1;
	double sum;

	b.p[value] = 1;
	for (t = 0; t < SSP_SPROUT_AHEAD; t++) {
		ssp_sprout_normalise(&b);
		/* the belief spreads by about 40 values each tick */
		while (lo > 0 && b.p[lo - 1] > 0)
			lo--;
		while (hi < SSP_SPROUT_RATES && b.p[hi] > 0)
			hi++;
		for (k = 0; k < SSP_SPROUT_COUNTS; k++)
			for (a[k] = 0, i = lo; i < hi; i++)
				a[k] += b.p[i] * tab->seen[k][i];
		memset(d, 0, sizeof d);
		for (i = 0; i < len; i++)
			for (k = 0; k < SSP_SPROUT_COUNTS; k++)
				d[i + k] += c[i] * a[k];
		memcpy(c, d, sizeof c);
		len = sprout_counts(t);
		for (sum = 0, i = 0; i < len; i++) {
			sum += c[i];
			tab->cum[t][i * SSP_SPROUT_RATES + value] = (float)sum;
		}
		ssp_sprout_evolve(tab, &b);
	}
}

struct ssp_sprout_tab *
ssp_sprout_tab_new(void)
{
	struct ssp_sprout_tab *tab = mem_zalloc(sizeof *tab);
	unsigned i;

	for (i = 0; i < SSP_SPROUT_RATES; i++)
		tab->rate[i] = i == 0 ? 0 : (i + 0.5) * SPROUT_WIDTH;
	sprout_build_steps(tab);
	sprout_build_seen(tab);
	for (i = 0; i < SSP_SPROUT_AHEAD; i++)
		tab->cum[i] =
		    mem_calloc((size_t)sprout_counts(i) * SSP_SPROUT_RATES,
			sizeof *tab->cum[i]);
	for (i = 0; i < SSP_SPROUT_RATES; i++)
		sprout_build_cum(tab, i);
	return tab;
}

void
ssp_sprout_tab_free(struct ssp_sprout_tab *tab)
{
	unsigned i;

	if (tab == NULL)
		return;
	for (i = 0; i < SSP_SPROUT_AHEAD; i++)
		mem_free(tab->cum[i]);
	mem_free(tab);
}

void
ssp_sprout_prior(struct ssp_sprout_belief *b)
{
	unsigned i;

	for (i = 0; i < SSP_SPROUT_RATES; i++)
		b->p[i] = 1.0 / SSP_SPROUT_RATES;
}

void
ssp_sprout_evolve(const struct ssp_sprout_tab *tab, struct ssp_sprout_belief *b)
{
	double out[SSP_SPROUT_RATES] = { 0 };
	unsigned o, n;
	double *to;

	for (o = 0; o < SSP_SPROUT_RATES; o++) {
		if (b->p[o] < 1e-15)
			continue;
		to = out + tab->low[o];
		for (n = 0; n < tab->reach[o]; n++)
			to[n] += b->p[o] * tab->step[o][n];
	}
	memcpy(b->p, out, sizeof out);
}

void
ssp_sprout_observe(
    const struct ssp_sprout_tab *tab, struct ssp_sprout_belief *b, unsigned k)
{
	unsigned i;

	k = MIN_OF(k, (unsigned)SPROUT_TOP);
	for (i = 0; i < SSP_SPROUT_RATES; i++)
		b->p[i] *= tab->seen[k][i];
	ssp_sprout_normalise(b);
}

void
ssp_sprout_observe_least(
    const struct ssp_sprout_tab *tab, struct ssp_sprout_belief *b, unsigned k)
{
	unsigned i;

	k = MIN_OF(k, (unsigned)SPROUT_TOP);
	for (i = 0; i < SSP_SPROUT_RATES; i++)
		b->p[i] *= tab->least[k][i];
	ssp_sprout_normalise(b);
}

void
ssp_sprout_normalise(struct ssp_sprout_belief *b)
{
	double sum = 0;
	unsigned i;

	for (i = 0; i < SSP_SPROUT_RATES; i++)
		sum += b->p[i];
	if (!(sum > 1e-300)) {
		ssp_sprout_prior(b);
		return;
	}
	for (i = 0; i < SSP_SPROUT_RATES; i++)
		b->p[i] /= sum;
}

double
ssp_sprout_mean(
    const struct ssp_sprout_tab *tab, const struct ssp_sprout_belief *b)
{
	double mean = 0;
	unsigned i;

	for (i = 0; i < SSP_SPROUT_RATES; i++)
		mean += b->p[i] * tab->rate[i];
	return mean;
}

void
ssp_sprout_forecast(const struct ssp_sprout_tab *tab,
    const struct ssp_sprout_belief *b, unsigned out[SSP_SPROUT_AHEAD])
{
	unsigned t, i, c = 0;
	const float *row;
	double sum;

	for (t = 0; t < SSP_SPROUT_AHEAD; t++) {
		for (; c + 1 < sprout_counts(t); c++) {
			row = tab->cum[t] + (size_t)c * SSP_SPROUT_RATES;
			for (sum = 0, i = 0; i < SSP_SPROUT_RATES; i++)
				sum += b->p[i] * (double)row[i];
			if (sum >= SPROUT_PERCENTILE)
				break;
		}
		out[t] = c;
	}
}
