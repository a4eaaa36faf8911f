/*
 * remy [options] STATE - searches rules of congestion control by computer.
 *
 *	-m MODEL   networks and users to expect: see regress/tools/remy_sim.h
 *	-D DELTA   the objective: log2 throughput - DELTA log2 delay
 *	-s SEED    of the networks drawn (1)
 *	-n N       networks of an evaluation (24)
 *	-l MS      length of each (20000)
 *	-r N       rules at the most (64)
 *	-g N       turns of all rules, then stop
 *	-t S       seconds of CPU time, all processes together, then stop (60)
 *	-j N       processes (1)
 *	-p         print the table of STATE as C, search nothing
 *	-e MODEL   print how STATE fares on networks of another model
 *
 * STATE is a text file with model, objective, seed, score and rules.  If it is
 * there, the search goes on from it, and its own -m, -D, -s, -n and -l apply.
 *
 * The search is that of "TCP ex Machina": it draws networks, improves the rule
 * used most by trying its neighbours, then the next one; when no rule gets
 * better, or all have been tried four times, it splits the rule used most at
 * the median of what senders remembered there.
 */
#include <sys/resource.h>
#include <sys/wait.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "regress/tools/remy_sim.h"

#define REMY_TRIES 64 /* neighbours at once, at most */
#define REMY_NETS 256
#define REMY_ROUNDS 4 /* improvements of a rule before the next one */
#define REMY_TURNS 3  /* turns of all rules until a split */

struct state {
	char model[256];
	double delta;
	unsigned long long seed;
	unsigned nets;
	double ms;
	/* so far */
	unsigned turn, splits;
	unsigned long long tried; /* tables evaluated */
	double cpu;               /* seconds */
	double score, throughput, delay;
	size_t n;
	struct ssp_remy_rule rule[REMY_RULES];
	/* not stored */
	struct remy_model networks;
	struct remy_net net[REMY_NETS];
	unsigned jobs;
	double began; /* CPU time at the start */
	double until;
	unsigned turns; /* stop then; 0: no limit */
	const char *path;
};

static double
cpu_now(void)
{
	struct rusage a, b;

	getrusage(RUSAGE_SELF, &a);
	getrusage(RUSAGE_CHILDREN, &b);
	return (double)(a.ru_utime.tv_sec + b.ru_utime.tv_sec) +
	       (double)(a.ru_utime.tv_usec + b.ru_utime.tv_usec) / 1e6;
}

static bool
over(const struct state *st)
{
	return cpu_now() - st->began >= st->until ||
	       (st->turns > 0 && st->turn >= st->turns);
}

/* --- the file ------------------------------------------------------------- */

static void
state_save(struct state *st)
{
	char *tmp = mem_printf("%s.new", st->path);
	double cpu = st->cpu + cpu_now() - st->began;
	FILE *f = fopen(tmp, "w");
	size_t i;
	unsigned k;

	if (f == NULL) {
		perror(tmp);
		exit(1);
	}
	fprintf(f, "remy 1\nmodel %s\ndelta %g\nseed %llu\nnets %u\nms %g\n",
	    st->model, st->delta, st->seed, st->nets, st->ms);
	fprintf(f,
	    "turn %u\nsplits %u\ntried %llu\ncpu %.0f\nscore %.6f\n"
	    "throughput %.4f\ndelay %.4f\nrules %zu\n",
	    st->turn, st->splits, st->tried, cpu, st->score, st->throughput,
	    st->delay, st->n);
	for (i = 0; i < st->n; i++) {
		for (k = 0; k < SSP_REMY_AXES; k++)
			fprintf(f, "%.6g %.6g ", st->rule[i].low[k],
			    st->rule[i].high[k]);
		fprintf(f, "%.6g %.6g %.6g\n", st->rule[i].multiple,
		    st->rule[i].increment, st->rule[i].gap);
	}
	if (fclose(f) != 0 || rename(tmp, st->path) != 0) {
		perror(st->path);
		exit(1);
	}
	mem_free(tmp);
}

static bool
state_load(struct state *st)
{
	FILE *f = fopen(st->path, "r");
	struct ssp_remy_rule *r;
	bool ok;
	size_t i;

	if (f == NULL)
		return false;
	ok = fscanf(f,
		 "remy 1 model %255s delta %lf seed %llu nets %u ms %lf turn "
		 "%u splits %u tried %llu cpu %lf score %lf throughput %lf "
		 "delay %lf rules %zu",
		 st->model, &st->delta, &st->seed, &st->nets, &st->ms,
		 &st->turn, &st->splits, &st->tried, &st->cpu, &st->score,
		 &st->throughput, &st->delay, &st->n) == 13 &&
	     st->n > 0 && st->n <= REMY_RULES;
	for (i = 0; ok && i < st->n; i++) {
		r = &st->rule[i];
		ok =
		    fscanf(f, "%lf %lf %lf %lf %lf %lf %lf %lf %lf", &r->low[0],
			&r->high[0], &r->low[1], &r->high[1], &r->low[2],
			&r->high[2], &r->multiple, &r->increment, &r->gap) == 9;
	}
	fclose(f);
	if (!ok) {
		fprintf(stderr, "remy: %s is damaged\n", st->path);
		exit(1);
	}
	return true;
}

/* --- evaluation ----------------------------------------------------------- */

static void
state_nets(struct state *st, uint64_t seed)
{
	unsigned i;

	for (i = 0; i < st->nets; i++) {
		remy_net_free(&st->net[i]);
		remy_net_make(&st->net[i], &st->networks,
		    seed * 1000003 + i * 7919, st->ms);
	}
}

static double
state_eval(const struct state *st, const struct ssp_remy_rule *rules,
    struct remy_score *out, struct remy_use *use)
{
	struct ssp_remy_table t = { "", rules, st->n };
	struct remy_score sc = { 0 };
	unsigned i;

	for (i = 0; i < st->nets; i++)
		remy_sim(&st->net[i], st->ms, &t, st->delta, &sc, use);
	if (out != NULL)
		*out = sc;
	return sc.count == 0 ? 0 : sc.sum / sc.count;
}

/* Evaluates N variants of rule I; SCORE[0..n). */
static void
state_try(struct state *st, size_t i, const struct ssp_remy_rule *variant,
    unsigned n, double *score)
{
	struct ssp_remy_rule *rules = mem_calloc(st->n, sizeof(*rules));
	int p[64][2];
	unsigned j, k, jobs = CLAMP(st->jobs, 1u, 64u);
	pid_t pid = 0;
	double d;

	memcpy(rules, st->rule, st->n * sizeof(*rules));
	st->tried += n;
	for (j = 0; j < jobs; j++) {
		if (jobs > 1 && (pipe(p[j]) != 0 || (pid = fork()) < 0)) {
			perror("remy");
			exit(1);
		}
		if (jobs > 1 && pid > 0) {
			close(p[j][1]);
			continue;
		}
		for (k = j; k < n; k += jobs) {
			rules[i] = variant[k];
			d = state_eval(st, rules, NULL, NULL);
			if (jobs == 1)
				score[k] = d;
			else if (write(p[j][1], &d, sizeof(d)) != sizeof(d))
				_exit(1);
		}
		if (jobs > 1)
			_exit(0);
	}
	for (j = 0; jobs > 1 && j < jobs; j++) {
		for (k = j; k < n; k += jobs)
			if (read(p[j][0], &score[k], sizeof(score[k])) !=
			    sizeof(score[k]))
				score[k] = -1e9;
		close(p[j][0]);
	}
	while (jobs > 1 && wait(NULL) > 0)
		;
	mem_free(rules);
}

/* --- the search ----------------------------------------------------------- */

/* Writes the neighbours of R; returns their number. */
static unsigned
neighbours(const struct ssp_remy_rule *r, struct ssp_remy_rule *out)
{
	static const double inc[] = { .25, 1, 4 }, mult[] = { .01, .04, .16 },
			    gap[] = { 1.1, 1.5, 3 };
	unsigned n = 0, i;
	int sign;

	for (i = 0; i < ARRAY_LEN(inc); i++)
		for (sign = -1; sign <= 1; sign += 2) {
			out[n] = *r;
			out[n++].increment =
			    CLAMP(r->increment + sign * inc[i], -16.0, 256.0);
			out[n] = *r;
			out[n++].multiple =
			    CLAMP(r->multiple + sign * mult[i], 0.0, 1.25);
			out[n] = *r;
			out[n++].gap =
			    CLAMP(r->gap * pow(gap[i], sign), .02, 100.0);
			/* the same window, another way */
			out[n] = *r;
			out[n].multiple =
			    CLAMP(r->multiple + sign * mult[i], 0.0, 1.25);
			out[n++].increment =
			    CLAMP(r->increment - sign * inc[i], -16.0, 256.0);
		}
	return n;
}

/* Improves rule I; returns whether it got better. */
static bool
improve(struct state *st, size_t i)
{
	struct ssp_remy_rule v[REMY_TRIES];
	double score[REMY_TRIES];
	unsigned n, k, best, round;
	bool better = false;

	for (round = 0; round < REMY_ROUNDS && !over(st); round++) {
		n = neighbours(&st->rule[i], v);
		state_try(st, i, v, n, score);
		for (best = 0, k = 1; k < n; k++)
			if (score[k] > score[best])
				best = k;
		if (score[best] <= st->score + 1e-5)
			break;
		st->rule[i] = v[best];
		st->score = score[best];
		better = true;
		state_save(st);
	}
	return better;
}

static int
number_order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
median(const struct remy_use *use, unsigned axis)
{
	double x[REMY_SAMPLES];
	unsigned i;

	for (i = 0; i < use->n; i++)
		x[i] = use->at[i][axis];
	qsort(x, use->n, sizeof(*x), number_order);
	return x[use->n / 2];
}

/* Splits rule I at the medians of what USE has sampled there. */
static void
split(struct state *st, size_t i, const struct remy_use *use)
{
	struct ssp_remy_rule r = st->rule[i], part;
	double at[SSP_REMY_AXES];
	unsigned k, corner;
	bool first = true, sane;

	for (k = 0; k < SSP_REMY_AXES; k++)
		at[k] = median(use, k);
	for (corner = 0; corner < 1u << SSP_REMY_AXES; corner++) {
		part = r;
		sane = true;
		for (k = 0; k < SSP_REMY_AXES; k++) {
			if (corner & 1u << k)
				part.low[k] = at[k];
			else
				part.high[k] = at[k];
			sane = sane && part.low[k] < part.high[k];
		}
		if (!sane)
			continue;
		if (first)
			st->rule[i] = part;
		else if (st->n < REMY_RULES)
			st->rule[st->n++] = part;
		first = false;
	}
	st->splits++;
}

static size_t
most_used(const struct remy_use *use, size_t n, const bool *done)
{
	size_t i, best = n;

	for (i = 0; i < n; i++)
		if (!done[i] && use->used[i] > 0 &&
		    (best == n || use->used[i] > use->used[best]))
			best = i;
	return best;
}

/* One turn: improves all rules that are used, the most used one first. */
static bool
turn(struct state *st)
{
	struct remy_use *use = mem_zalloc(sizeof(*use));
	bool done[REMY_RULES] = { false }, better = false;
	struct remy_score sc;
	size_t i;

	state_nets(st, st->seed + st->turn);
	use->rule = st->n;
	st->score = state_eval(st, st->rule, &sc, use);
	while (!over(st) && (i = most_used(use, st->n, done)) < st->n) {
		done[i] = true;
		better = improve(st, i) || better;
	}
	st->score = state_eval(st, st->rule, &sc, NULL);
	st->throughput = sc.throughput / sc.count;
	st->delay = sc.delay / sc.count;
	st->turn++;
	state_save(st);
	mem_free(use);
	return better;
}

static void
split_most(struct state *st, size_t most)
{
	struct remy_use *use = mem_zalloc(sizeof(*use));
	bool none[REMY_RULES] = { false };
	size_t i;

	if (st->n + 7 > most)
		goto out;
	use->rule = st->n;
	state_eval(st, st->rule, NULL, use);
	i = most_used(use, st->n, none);
	memset(use, 0, sizeof(*use));
	use->rule = i;
	state_eval(st, st->rule, NULL, use);
	if (i < st->n && use->n > 0)
		split(st, i, use);
out:
	mem_free(use);
}

static void
search(struct state *st, size_t most)
{
	unsigned turns = 0;
	bool better;

	while (!over(st)) {
		better = turn(st);
		printf("turn %u: %zu rules, score %.3f (throughput %.2f of the "
		       "share, delay %.2f round trips), %llu tables tried\n",
		    st->turn, st->n, st->score, st->throughput, st->delay,
		    st->tried);
		fflush(stdout);
		if (!better || ++turns >= REMY_TURNS) {
			split_most(st, most);
			turns = 0;
		}
	}
	state_save(st);
}

/* --- output --------------------------------------------------------------- */

static void
print_def(const struct state *st)
{
	const struct ssp_remy_rule *r;
	size_t i;

	printf("/*\n * Made by regress/tools/remy: do not edit.\n *\n"
	       " * model   %s\n * delta   %g\n * seed    %llu, %u networks of "
	       "%g s\n * search  %u turns, %u splits, %llu tables, %.2f "
	       "core-hours\n * score   %.3f: throughput %.2f of the share, "
	       "delay %.2f round trips\n *\n * R(ack interval from, to, send "
	       "interval from, to, RTT ratio from, to,\n *   multiple, "
	       "increment, gap)\n */\n",
	    st->model, st->delta, st->seed, st->nets, st->ms / 1000, st->turn,
	    st->splits, st->tried, st->cpu / 3600, st->score, st->throughput,
	    st->delay);
	for (i = 0; i < st->n; i++) {
		r = &st->rule[i];
		printf("R(%.6g, %.6g, %.6g, %.6g, %.6g, %.6g,\n  %.6g, %.6g, "
		       "%.6g)\n",
		    r->low[0], r->high[0], r->low[1], r->high[1], r->low[2],
		    r->high[2], r->multiple, r->increment, r->gap);
	}
}

static void
print_eval(struct state *st, const char *model)
{
	struct remy_score sc;
	double score;

	if (!remy_model_parse(&st->networks, model)) {
		fprintf(stderr, "remy: bad model: %s\n", model);
		exit(1);
	}
	/* networks that no search has drawn */
	state_nets(st, st->seed + 1000000);
	score = state_eval(st, st->rule, &sc, NULL);
	printf("%s: score %.3f, throughput %.2f of the share, delay %.2f round "
	       "trips (%u senders)\n",
	    model, score, sc.throughput / sc.count, sc.delay / sc.count,
	    sc.count);
}

static int
usage(void)
{
	fprintf(stderr,
	    "usage: remy [-m model] [-D delta] [-s seed] [-n networks] "
	    "[-l ms]\n            [-r rules] [-g turns] [-t seconds] [-j "
	    "processes] [-p] "
	    "[-e model] state\n");
	return 2;
}

static void
state_first(struct state *st)
{
	unsigned k;

	st->n = 1;
	for (k = 0; k < SSP_REMY_AXES; k++)
		st->rule[0].high[k] = SSP_REMY_TOP;
	st->rule[0].multiple = 1;
	st->rule[0].increment = 1;
	st->rule[0].gap = 1;
}

int
main(int argc, char **argv)
{
	static struct state keeps;
	struct state *st = &keeps;
	const char *model = "rate=1-30,rtt=20-200,senders=1-2,on=5000,off=2000";
	const char *other = NULL;
	size_t most = 64;
	bool print = false;
	int c;

	st->delta = 1;
	st->seed = 1;
	st->nets = 24;
	st->ms = 20000;
	st->until = 60;
	st->jobs = 1;
	while ((c = getopt(argc, argv, "D:e:g:j:l:m:n:pr:s:t:")) != -1)
		switch (c) {
		case 'D':
			st->delta = strtod(optarg, NULL);
			break;
		case 'e':
			other = optarg;
			break;
		case 'g':
			st->turns = (unsigned)strtoul(optarg, NULL, 10);
			break;
		case 'j':
			st->jobs = (unsigned)strtoul(optarg, NULL, 10);
			break;
		case 'l':
			st->ms = strtod(optarg, NULL);
			break;
		case 'm':
			model = optarg;
			break;
		case 'n':
			st->nets = (unsigned)strtoul(optarg, NULL, 10);
			break;
		case 'p':
			print = true;
			break;
		case 'r':
			most = strtoul(optarg, NULL, 10);
			break;
		case 's':
			st->seed = strtoull(optarg, NULL, 10);
			break;
		case 't':
			st->until = strtod(optarg, NULL);
			break;
		default:
			return usage();
		}
	if (optind + 1 != argc || strlen(model) >= sizeof(st->model) ||
	    strchr(model, ' ') != NULL)
		return usage();
	memcpy(st->model, model, strlen(model) + 1);
	st->path = argv[optind];
	most = MIN_OF(most, (size_t)REMY_RULES);
	if (!state_load(st))
		state_first(st);
	if (!remy_model_parse(&st->networks, st->model) || st->nets == 0 ||
	    st->nets > REMY_NETS || !(st->ms > 0)) {
		fprintf(stderr, "remy: bad model, networks or length\n");
		return 1;
	}
	st->began = cpu_now();
	if (st->turns > 0)
		st->turns += st->turn;
	if (print)
		print_def(st);
	else if (other != NULL)
		print_eval(st, other);
	else
		search(st, most);
	return 0;
}
