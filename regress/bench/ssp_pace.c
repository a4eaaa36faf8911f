/*
 * ssp_pace [-k skip] [-l link] [-o csv] [-r rule] [-s seconds] TRACEDIR - a copy
 * by a stream, and keys beside it, on recorded cellular links without a limit
 * of their queue, by each congestion personality.  TRACEDIR as in ssp_cell; -l
 * and -r: only links and rules whose names contain the word.  The rule `-' is
 * no copy: keys alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "regress/sim/cell.h"
#include "regress/sim/copy.h"
#include "ssp/cc.h"
#include "ssp/sprout.h"

#define DELAY 20 /* ms, one way */

static const struct {
	const char *name, *file, *back;
} links[] = {
	{ "Verizon LTE down", "Verizon-LTE-short.down",
	    "Verizon-LTE-short.up" },
	{ "Verizon LTE up", "Verizon-LTE-short.up", "Verizon-LTE-short.down" },
	{ "Verizon EV-DO down", "Verizon-EVDO-driving.down",
	    "Verizon-EVDO-driving.up" },
	{ "Verizon EV-DO up", "Verizon-EVDO-driving.up",
	    "Verizon-EVDO-driving.down" },
	{ "AT&T LTE down", "ATT-LTE-driving.down", "ATT-LTE-driving.up" },
	{ "AT&T LTE up", "ATT-LTE-driving.up", "ATT-LTE-driving.down" },
	{ "T-Mobile LTE down", "TMobile-LTE-short.down",
	    "TMobile-LTE-short.up" },
	{ "T-Mobile LTE up", "TMobile-LTE-short.up", "TMobile-LTE-short.down" },
	{ "T-Mobile UMTS down", "TMobile-UMTS-driving.down",
	    "TMobile-UMTS-driving.up" },
	{ "T-Mobile UMTS up", "TMobile-UMTS-driving.up",
	    "TMobile-UMTS-driving.down" },
};

static const char *const rules[] = { "-", "auto", "window", "remy", "remy-0.1",
	"remy-10", "remy-cell", "sprout", "mosh", "plain" };

static struct copy_cfg cfg = { .skip = 10, .seconds = 120 };
static const char *only_link = "", *only_rule = "";
static FILE *csv;

static uint32_t *
load(const char *dir, const char *file, size_t *n)
{
	char *path = mem_printf("%s/%s", dir, file);
	uint32_t *t = cell_trace_load(path, n);

	mem_free(path);
	return t;
}

static void
run_rule(size_t i, const char *rule)
{
	sim_us from = (cfg.skip + 3) * (sim_us)SIM_S;
	struct cell_cfg perfect = { .trace = cfg.down.trace,
		.ntrace = cfg.down.ntrace,
		.delay = cfg.down.delay };
	struct copy_result r;
	double bits, best, capacity;

	cfg.idle = strcmp(rule, "-") == 0;
	cfg.cc = ssp_cc_find(rule);
	copy_run(&cfg, &r);
	best = cell_perfect(
	    &perfect, from, from + (sim_us)cfg.seconds * SIM_S, &bits);
	capacity = bits / 1000 / cfg.seconds;
	printf("%-20s %-8s %8.0f %8.0f %4.0f%% %8.0f   %6.0f %6.0f %6.0f%s\n",
	    links[i].name, rule, r.kbits, capacity, r.kbits / capacity * 100,
	    r.delay95 - best, r.median - 2 * DELAY, r.p95 - 2 * DELAY,
	    r.p99 - 2 * DELAY, r.why != NULL ? r.why : "");
	fflush(stdout);
	if (csv != NULL)
		fprintf(csv, "%s,%s,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f\n",
		    links[i].name, rule, r.kbits, capacity, r.delay95 - best,
		    best, r.median - 2 * DELAY, r.p95 - 2 * DELAY,
		    r.p99 - 2 * DELAY);
}

static void
run_link(size_t i, const char *dir)
{
	uint32_t *down = load(dir, links[i].file, &cfg.down.ntrace);
	uint32_t *up = load(dir, links[i].back, &cfg.up.ntrace);
	size_t k;

	cfg.down.trace = down;
	cfg.up.trace = up;
	cfg.down.delay = cfg.up.delay = DELAY * SIM_MS;
	for (k = 0; down != NULL && up != NULL && k < ARRAY_LEN(rules); k++)
		if (strstr(rules[k], only_rule) != NULL)
			run_rule(i, rules[k]);
	mem_free(down);
	mem_free(up);
}

static int
usage(void)
{
	fprintf(stderr,
	    "usage: ssp_pace [-k skip] [-l link] [-o csv] [-r rule] "
	    "[-s seconds] TRACEDIR\n");
	return 2;
}

int
main(int argc, char **argv)
{
	struct ssp_sprout_tab *tab;
	size_t i;
	int c;

	while ((c = getopt(argc, argv, "k:l:o:r:s:")) != -1)
		switch (c) {
		case 'k':
			cfg.skip = (unsigned)atoi(optarg);
			break;
		case 'l':
			only_link = optarg;
			break;
		case 'o':
			csv = fopen(optarg, "w");
			break;
		case 'r':
			only_rule = optarg;
			break;
		case 's':
			cfg.seconds = (unsigned)atoi(optarg);
			break;
		default:
			return usage();
		}
	if (optind + 1 != argc || cfg.seconds == 0)
		return usage();
	if (csv != NULL)
		fprintf(csv,
		    "link,rule,kbits,capacity,self95_ms,best95_ms,key50_ms,"
		    "key95_ms,key99_ms\n");
	tab = ssp_sprout_tab_new();
	cfg.sprout = tab;
	printf("%-20s %-8s %8s %8s %5s %8s   %6s %6s %6s (ms beyond the round "
	       "trip)\n",
	    "link", "rule", "kbit/s", "capacity", "use", "self95", "key 50",
	    "95", "99");
	for (i = 0; i < ARRAY_LEN(links); i++)
		if (strstr(links[i].name, only_link) != NULL)
			run_link(i, argv[optind]);
	ssp_sprout_tab_free(tab);
	if (csv != NULL)
		fclose(csv);
	return 0;
}
