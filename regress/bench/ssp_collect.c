/*
 * ssp_collect [-d MS] FILE... - the delay of output by the collection interval.
 *
 * FILE holds the times at which a program wrote, microseconds from its start,
 * one a line, in order.  For each collection interval the table shows the mean
 * delay that waiting adds to a write, in ms, on a link of MS one way (250):
 *
 *	mosh    its published rule: the first write starts the interval, at its
 *	        end everything is sent, then nothing for SRTT / 2 (20 to 250)
 *	rmux    the sender of ssp/ itself in virtual time with that interval for
 *	        first and later writes (whole milliseconds only)
 *
 * and last rmux with its defaults.  The delay of the link does not count.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "regress/sim/pair.h"

#define WRITES_MAX 1000000
#define PATIENCE (20 * (sim_us)SIM_S)

static const double intervals[] = { .1, .5, 1, 2, 4, 8, 15, 30, 60, 100 };

struct writes {
	double *at; /* us */
	size_t n;
};

struct collect {
	struct pair p;
	sim_us *sent;
	size_t written, seen;
	double sum; /* ms */
};

static double delay = 250;

static bool
read_writes(const char *path, struct writes *w)
{
	FILE *f = fopen(path, "r");

	w->n = 0;
	w->at = mem_calloc(WRITES_MAX, sizeof *w->at);
	if (f == NULL) {
		perror(path);
		return false;
	}
	while (w->n < WRITES_MAX && fscanf(f, "%lf", &w->at[w->n]) == 1)
		w->n++;
	fclose(f);
	return true;
}

/* Sum of the delays under mosh's rule, ms. */
static double
mosh_rule(const struct writes *w, double interval)
{
	double last = -1e12, pace = delay, go, sum = 0;
	size_t i, from;

	pace = MAX_OF(MIN_OF(pace, 250), 20) * 1000;
	for (i = 0; i < w->n;) {
		from = i;
		go = MAX_OF(w->at[i] + interval * 1000, last + pace);
		for (; i < w->n && w->at[i] <= go; i++)
			sum += go - w->at[i];
		if (i == from) /* impossible: interval >= 0 */
			break;
		last = go;
	}
	return sum / 1000;
}

static void
collect_news(void *arg, struct pair_end *e, sim_us now)
{
	struct collect *c = arg;
	uint64_t echo;

	ssp_transport_remote_seen(e->tp);
	if (e->i == 1)
		return;
	echo = pair_remote_screen(&c->p)->echo;
	for (; c->seen < c->written && c->seen < echo; c->seen++)
		c->sum += (double)(now - c->sent[c->seen]) / SIM_MS - delay;
}

/* The same with the sender of ssp/; FIRST < 0: its default interval. */
static double
rmux_sender(const struct writes *w, int interval)
{
	struct collect *c = mem_zalloc(sizeof *c);
	struct sim_link_cfg link;
	struct pair_cfg pc;
	struct toy_screen *s;
	double sum;
	sim_us start;

	memset(&link, 0, sizeof link);
	memset(&pc, 0, sizeof pc);
	link.delay = (sim_us)(delay * SIM_MS);
	c->sent = mem_calloc(w->n + 1, sizeof *c->sent);
	pc.cols = 80;
	pc.rows = 24;
	pc.collect_set = interval >= 0;
	pc.collect = interval >= 0 ? (mono_ms)interval : 0;
	pc.news = collect_news;
	pc.news_arg = c;
	pair_init(&c->p, &pc, 1);
	sim_links(&c->p.sim, &link);
	/* One key gives the sender a round trip; then the link is idle. */
	toy_log_add(pair_log(&c->p), "x", 1);
	pair_kick(&c->p, 0);
	sim_run(&c->p.sim, 5 * SIM_S);
	start = c->p.sim.now;
	for (; c->written < w->n;) {
		sim_run(&c->p.sim, start + (sim_us)w->at[c->written]);
		s = pair_screen(&c->p);
		s->cell[s->echo % ((uint64_t)s->cols * s->rows)] ^= 1;
		s->echo++;
		c->sent[c->written++] = c->p.sim.now;
		pair_kick(&c->p, 1);
	}
	sim_run(&c->p.sim, c->p.sim.now + PATIENCE);
	sum = c->seen == w->n ? c->sum : -1;
	if (sum < 0)
		fprintf(stderr, "%zu of %zu writes were seen\n", c->seen, w->n);
	pair_fini(&c->p);
	mem_free(c->sent);
	mem_free(c);
	return sum;
}

int
main(int argc, char **argv)
{
	struct writes *w;
	double mosh, rmux;
	size_t i, k, n, all = 0;
	int c;

	while ((c = getopt(argc, argv, "d:")) != -1)
		if (c == 'd')
			delay = atof(optarg);
		else
			return 2;
	n = (size_t)(argc - optind);
	w = mem_calloc(n + 1, sizeof *w);
	for (i = 0; i < n; i++) {
		if (!read_writes(argv[optind + (int)i], &w[i]))
			return 1;
		all += w[i].n;
	}
	if (all == 0) {
		fprintf(stderr, "usage: ssp_collect [-d MS] FILE...\n");
		return 2;
	}
	printf("# %zu writes\ninterval     mosh     rmux  (ms)\n", all);
	for (k = 0; k <= ARRAY_LEN(intervals); k++) {
		bool last = k == ARRAY_LEN(intervals);
		double ms = last ? -1 : intervals[k];

		for (i = 0, mosh = rmux = 0; i < n; i++) {
			mosh += last ? 0 : mosh_rule(&w[i], ms);
			if (last || ms >= 1)
				rmux += rmux_sender(&w[i], (int)ms);
		}
		mosh /= (double)all;
		rmux /= (double)all;
		if (last)
			printf("as it is        - %8.2f\n", rmux);
		else if (ms < 1)
			printf("%8.1f %8.2f        -\n", ms, mosh);
		else
			printf("%8.1f %8.2f %8.2f\n", ms, mosh, rmux);
		fflush(stdout);
	}
	for (i = 0; i < n; i++)
		mem_free(w[i].at);
	mem_free(w);
	return 0;
}
