#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regress/unit/unit.h"
#include "ssp/sprout.h"

/*
 * Reference vectors (doc/PROTOCOL.md): observations as "KxN" (K packets in each
 * of N ticks; u: none), then the results of the model.
 */
static const struct {
	const char *seen;
	double outage, mean;
	unsigned forecast[SSP_SPROUT_AHEAD];
} vectors[] = {
	{ "", .0039, 501.95, { 1, 1, 3, 4, 5, 6, 8, 9 } },
	{ "ux50", .0042, 566.24, { 2, 4, 7, 10, 12, 15, 17, 20 } },
	{ "0x5", .8538, 4.70, { 0 } },
	{ "0x50", .9704, .80, { 0 } },
	{ "1x50", 0, 68.01, { 0, 0, 0, 1, 1, 2, 3, 4 } },
	{ "2x50", 0, 113.12, { 0, 1, 2, 2, 4, 5, 6, 7 } },
	{ "5x50", 0, 258.29, { 2, 4, 8, 11, 14, 18, 21, 24 } },
	{ "10x50", 0, 505.79, { 5, 12, 20, 27, 35, 43, 51, 59 } },
	{ "20x50", 0, 953.36, { 12, 28, 44, 61, 77, 94, 111, 128 } },
	{ "5x50 0x1", .0001, 191.82, { 1, 2, 4, 6, 8, 10, 12, 14 } },
	{ "5x50 0x5", .6215, 14.17, { 0 } },
	{ "5x50 0x25", .9704, .80, { 0 } },
	{ "5x50 0x25 5x1", 0, 85.87, { 0, 0, 1, 2, 3, 4, 5, 6 } },
	{ "5x50 0x25 5x5", 0, 193.51, { 1, 3, 5, 7, 10, 12, 14, 17 } },
	{ "5x50 ux5", .0007, 258.20, { 1, 3, 6, 8, 10, 13, 15, 18 } },
	{ "5x50 ux25", .0119, 275.76, { 0, 2, 3, 4, 6, 7, 9, 10 } },
	{ "1,0x25", .2369, 31.72, { 0 } },
};

static void
tick(const struct ssp_sprout_tab *tab, struct ssp_sprout_belief *b, int k)
{
	ssp_sprout_evolve(tab, b);
	if (k >= 0)
		ssp_sprout_observe(tab, b, (unsigned)k);
}

static void
play(const struct ssp_sprout_tab *tab, struct ssp_sprout_belief *b,
    const char *seen)
{
	char *end;
	int k, second;
	long n;

	while (*seen != '\0') {
		second = -2;
		k = -1;
		if (*seen == 'u')
			seen++;
		else {
			k = (int)strtol(seen, &end, 10);
			seen = end;
		}
		if (*seen == ',') {
			second = (int)strtol(seen + 1, &end, 10);
			seen = end;
		}
		n = strtol(seen + 1, &end, 10);
		seen = end;
		while (n-- > 0) {
			tick(tab, b, k);
			if (second != -2)
				tick(tab, b, second);
		}
		while (*seen == ' ')
			seen++;
	}
}

START_TEST(forecasts_are_the_published_models)
{
	struct ssp_sprout_tab *tab = ssp_sprout_tab_new();
	struct ssp_sprout_belief b;
	unsigned f[SSP_SPROUT_AHEAD], i;
	size_t v;

	for (v = 0; v < sizeof vectors / sizeof vectors[0]; v++) {
		ssp_sprout_prior(&b);
		play(tab, &b, vectors[v].seen);
		ssp_sprout_normalise(&b);
		ssp_sprout_forecast(tab, &b, f);
		ck_assert_double_eq_tol(b.p[0], vectors[v].outage, .00006);
		ck_assert_double_eq_tol(
		    ssp_sprout_mean(tab, &b), vectors[v].mean, .006);
		for (i = 0; i < SSP_SPROUT_AHEAD; i++)
			ck_assert_msg(f[i] == vectors[v].forecast[i],
			    "\"%s\": tick %u: %u, not %u", vectors[v].seen, i,
			    f[i], vectors[v].forecast[i]);
	}
	ssp_sprout_tab_free(tab);
}
END_TEST

START_TEST(the_least_never_lowers_the_mean)
{
	struct ssp_sprout_tab *tab = ssp_sprout_tab_new();
	struct ssp_sprout_belief b;
	double before;
	unsigned k;

	for (k = 1; k < SSP_SPROUT_COUNTS + 5; k++) {
		ssp_sprout_prior(&b);
		play(tab, &b, "5x20");
		before = ssp_sprout_mean(tab, &b);
		ssp_sprout_observe_least(tab, &b, k);
		ck_assert_double_ge(ssp_sprout_mean(tab, &b), before - 1e-9);
	}
	ssp_sprout_tab_free(tab);
}
END_TEST

UNIT_SUITE(ssp_sprout)
{
	Suite *s = suite_create("ssp_sprout");
	TCase *tc = tcase_create("model");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, forecasts_are_the_published_models);
	tcase_add_test(tc, the_least_never_lowers_the_mean);
	suite_add_tcase(s, tc);
	return s;
}
