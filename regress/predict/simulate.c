/* Prints rates of local echo per program and link as a table. */
#include <stdio.h>
#include <stdlib.h>

#include "base/compiler.h"
#include "regress/predict/world.h"

static void
simulate(const struct grapheme_table *gt, struct world_cfg *cfg, unsigned runs)
{
	struct world_result r, sum = { 0 };
	unsigned i;

	for (i = 0; i < runs; i++) {
		cfg->seed = i + 1;
		world_run(gt, cfg, &r);
		if (r.bad != NULL)
			printf("seed %u: %s\n", cfg->seed, r.bad);
		sum.keys += r.keys;
		sum.at_once += r.at_once;
		sum.drawn += r.drawn;
		sum.wrong += r.wrong;
		sum.shown_ms += r.shown_ms;
		sum.odd_ms += r.odd_ms;
		sum.stats.confirmed += r.stats.confirmed;
		sum.stats.wrong += r.stats.wrong;
		sum.stats.wrong_ms += r.stats.wrong_ms;
	}
	printf("%-5s %5u %4u %6u  %6.3f  %6.3f  %7.3f  %7.3f  %6.0f\n",
	    far_name(cfg->kind), cfg->rtt, cfg->loss, sum.keys,
	    (double)sum.at_once / sum.keys, (double)sum.drawn / sum.keys,
	    100.0 * sum.wrong / sum.keys,
	    100.0 * (double)sum.odd_ms / (double)sum.shown_ms,
	    sum.stats.wrong == 0
		? 0.0
		: (double)sum.stats.wrong_ms / (double)sum.stats.wrong);
}

int
main(int argc, char **argv)
{
	static const unsigned links[][2] = { { 50, 0 }, { 100, 0 }, { 100, 29 },
		{ 250, 0 }, { 500, 0 }, { 500, 10 }, { 1000, 0 }, { 5000, 0 } };
	struct grapheme_table *gt = grapheme_table_new(NULL);
	struct world_cfg cfg = { .keys = 600, .jitter = 20 };
	unsigned runs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 5;
	unsigned kind;
	size_t i;

	printf("far    rtt  loss   keys at once   drawn  wrong %%   "
	       "odd %%  wrong ms\n");
	for (kind = 0; kind < FAR_KINDS; kind++)
		for (i = 0; i < ARRAY_LEN(links); i++) {
			cfg.kind = (enum far_kind)kind;
			cfg.rtt = links[i][0];
			cfg.loss = links[i][1];
			simulate(gt, &cfg, runs);
		}
	grapheme_table_free(gt);
	return 0;
}
