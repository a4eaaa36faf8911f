/*
 * ssp_cell [-f] [-k skip] [-l link] [-o csv] [-r rule] [-s seconds] TRACEDIR -
 * congestion personalities on recorded cellular links: a bulk object (the whole
 * screen changes all the time) and a key twice a second beside it.  Prints a
 * table and writes a CSV.  This tree does not include the traces: take those of
 * mahimahi, or any file of delivery opportunities.  -f: the return path has
 * no limit, so the delay is that of the forward link alone; -l and -r: only
 * links and rules whose names contain the word.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "regress/sim/cell.h"
#include "ssp/cc.h"
#include "ssp/sprout.h"

static const struct {
	const char *name, *file, *back;
	double paper_kbits, paper_ms; /* Sprout in its paper; 0: not there */
} links[] = {
	{ "Verizon LTE down (short)", "Verizon-LTE-short.down",
	    "Verizon-LTE-short.up", 4741, 73 },
	{ "Verizon LTE up (short)", "Verizon-LTE-short.up",
	    "Verizon-LTE-short.down", 3703, 332 },
	{ "Verizon EV-DO down", "Verizon-EVDO-driving.down",
	    "Verizon-EVDO-driving.up", 209, 1287 },
	{ "Verizon EV-DO up", "Verizon-EVDO-driving.up",
	    "Verizon-EVDO-driving.down", 239, 199 },
	{ "AT&T LTE down", "ATT-LTE-driving.down", "ATT-LTE-driving.up", 2304,
	    52 },
	{ "AT&T LTE up", "ATT-LTE-driving.up", "ATT-LTE-driving.down", 412,
	    127 },
	{ "T-Mobile UMTS down", "TMobile-UMTS-driving.down",
	    "TMobile-UMTS-driving.up", 680, 331 },
	{ "T-Mobile UMTS up", "TMobile-UMTS-driving.up",
	    "TMobile-UMTS-driving.down", 370, 136 },
};

static const char *const rules[] = { "auto", "sprout", "window", "mosh",
	"plain" };

static uint32_t *
load(const char *dir, const char *file, size_t *n)
{
	char *path = mem_printf("%s/%s", dir, file);
	uint32_t *t = cell_trace_load(path, n);

	mem_free(path);
	return t;
}

static struct cell_cfg cfg = {
	.delay = 20 * SIM_MS, .skip = 10, .seconds = 120
};
static const char *only_link = "", *only_rule = "";
static bool free_back;
static FILE *csv;

static void
run_rule(size_t i, const char *rule)
{
	struct cell_result r;

	cfg.cc = ssp_cc_find(rule);
	cell_run(&cfg, &r);
	printf("%-26s %-7s %9.0f %9.0f %4.0f%% %9.0f %8.1f %9.0f   %.0f / %.0f "
	       "ms%s\n",
	    links[i].name, rule, r.kbits, r.capacity,
	    r.kbits / r.capacity * 100, r.self95, r.frames, r.key95,
	    links[i].paper_kbits, links[i].paper_ms,
	    r.why != NULL ? r.why : "");
	fflush(stdout);
	if (csv != NULL)
		fprintf(csv, "%s,%s,%.0f,%.0f,%.0f,%.0f,%.2f,%.0f,%.0f,%.0f\n",
		    links[i].name, rule, r.kbits, r.capacity, r.self95,
		    r.delay95, r.frames, r.key95, links[i].paper_kbits,
		    links[i].paper_ms);
}

static void
run_link(size_t i, const char *dir)
{
	uint32_t *fwd = load(dir, links[i].file, &cfg.ntrace);
	uint32_t *back = load(dir, links[i].back, &cfg.nback);
	size_t k;

	cfg.trace = fwd;
	cfg.back = free_back ? NULL : back;
	if (free_back)
		cfg.nback = 0;
	for (k = 0; fwd != NULL && k < ARRAY_LEN(rules); k++)
		if (strstr(rules[k], only_rule) != NULL)
			run_rule(i, rules[k]);
	mem_free(fwd);
	mem_free(back);
}

static int
usage(void)
{
	fprintf(stderr, "usage: ssp_cell [-f] [-k skip] [-l link] [-o csv] "
			"[-r rule] [-s seconds] TRACEDIR\n");
	return 2;
}

int
main(int argc, char **argv)
{
	struct ssp_sprout_tab *tab;
	size_t i;
	int c;

	while ((c = getopt(argc, argv, "fk:l:o:r:s:")) != -1)
		switch (c) {
		case 'f':
			free_back = true;
			break;
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
		fprintf(csv, "link,rule,kbits,capacity,self95_ms,delay95_ms,"
			     "frames_s,key95_ms,paper_kbits,paper_ms\n");
	tab = ssp_sprout_tab_new();
	cfg.sprout = tab;
	printf("%-26s %-7s %9s %9s %5s %9s %8s %9s   %s\n", "link", "rule",
	    "kbit/s", "capacity", "use", "self95 ms", "frames/s", "key95 ms",
	    "Sprout's paper");
	for (i = 0; i < ARRAY_LEN(links); i++)
		if (strstr(links[i].name, only_link) != NULL)
			run_link(i, argv[optind]);
	ssp_sprout_tab_free(tab);
	if (csv != NULL)
		fclose(csv);
	return 0;
}
