#include "regress/fuzz/grow.h"

#include <sys/resource.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "regress/chance.h"

#define SOURCES_MAX 4096
#define PIECE_MAX 48
#define TRIES 4  /* runs of a round */
#define ROUNDS 4 /* rounds that a suspect must fail */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct {
	uint8_t *data;
	size_t size;
} sources[SOURCES_MAX];
static size_t source_count;
static uint64_t rng;
static const struct grow *cfg;

struct piece {
	uint8_t data[PIECE_MAX];
	size_t size;
};

/* An input: HEAD, BODY again and again, TAIL. */
struct recipe {
	struct piece head, body, tail;
	bool count; /* numbers stand in the body, so that no two are equal */
};

void
grow_add(const uint8_t *data, size_t size)
{
	if (source_count == SOURCES_MAX || size == 0)
		return;
	sources[source_count].data = malloc(size);
	if (sources[source_count].data == NULL)
		abort();
	memcpy(sources[source_count].data, data, size);
	sources[source_count++].size = size;
}

static void
take_piece(struct piece *p, size_t max)
{
	size_t at, i = chance_below(&rng, (unsigned)source_count);

	p->size = chance_below(&rng, (unsigned)max + 1);
	if (p->size > sources[i].size || chance_below(&rng, 4) == 0)
		p->size = sources[i].size < max ? sources[i].size : max;
	at = chance_below(&rng, (unsigned)(sources[i].size - p->size + 1));
	memcpy(p->data, sources[i].data + at, p->size);
}

static double
cpu_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* Fills OUT with LEN bytes of the recipe. */
static void
cook(const struct recipe *r, uint8_t *out, size_t len)
{
	size_t n = 0, end = len - r->tail.size, i, k = 0;
	char digits[16];

	memcpy(out, r->head.data, r->head.size);
	n = r->head.size;
	while (n < end) {
		for (i = 0; i < r->body.size && n < end; i++)
			out[n++] = r->body.data[i];
		if (r->count) {
			snprintf(digits, sizeof(digits), "%zu", k++);
			for (i = 0; digits[i] != '\0' && n < end; i++)
				out[n++] = (uint8_t)digits[i];
		}
	}
	memcpy(out + end, r->tail.data, r->tail.size);
}

/* Returns the time of one run over LEN bytes that the recipe makes. */
static double
measure(const struct recipe *r, size_t len)
{
	uint8_t *in = malloc(len);
	double t;

	if (in == NULL)
		abort();
	cook(r, in, len);
	t = cpu_us();
	LLVMFuzzerTestOneInput(in, len);
	t = cpu_us() - t;
	free(in);
	return t;
}

/* Returns the most memory that the process has had, in bytes. */
static double
peak_bytes(void)
{
	struct rusage u;

	if (getrusage(RUSAGE_SELF, &u) != 0)
		return 0;
#ifdef __APPLE__
	return (double)u.ru_maxrss;
#else
	return (double)u.ru_maxrss * 1024;
#endif
}

static void
least(double *t, double now)
{
	*t = now < *t ? now : *t;
}

/*
 * Returns the ratio of the time for each byte of the long form to that of the
 * short one, or 0 if the recipe is fine.  Other work makes single runs slow, so
 * only the least times count.  Half of the long form shows whether the cost is
 * still growing: a cheap head of fixed length before a dear body is fine.
 */
static double
ratio_of(const struct recipe *r, double *us)
{
	double whole, half = 1e18, eighth = 1e18;
	int round, i;

	*us = whole = measure(r, cfg->size);
	if (whole < cfg->floor ||
	    whole < GROW_RATIO * 8 * measure(r, cfg->size / 8))
		return 0;
	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < TRIES; i++) {
			least(&eighth, measure(r, cfg->size / 8));
			least(&half, measure(r, cfg->size / 2));
			least(&whole, measure(r, cfg->size));
		}
		if (whole < cfg->floor || whole < GROW_RATIO * 8 * eighth ||
		    whole < GROW_HALF * 2 * half)
			return 0;
	}
	*us = whole;
	return whole / eighth / 8;
}

static void
print_piece(const char *name, const struct piece *p)
{
	size_t i;

	printf("#   %s \"", name);
	for (i = 0; i < p->size; i++)
		if (p->data[i] >= 0x20 && p->data[i] < 0x7f &&
		    p->data[i] != '"' && p->data[i] != '\\')
			putchar(p->data[i]);
		else
			printf("\\%03o", p->data[i]);
	printf("\"\n");
}

int
grow_run(const struct grow *g)
{
	double end = cpu_us() + g->seconds * 1e6, ratio, us, slowest = 0;
	double peak = peak_bytes(), grown;
	unsigned long count = 0;
	struct recipe r;
	int bad = 0;

	cfg = g;
	rng = g->seed;
	while (source_count > 0 && cpu_us() < end) {
		take_piece(&r.head, PIECE_MAX / 2);
		do
			take_piece(&r.body, PIECE_MAX);
		while (r.body.size == 0);
		take_piece(&r.tail, PIECE_MAX / 2);
		r.count = chance_below(&rng, 4) == 0;
		count++;
		ratio = ratio_of(&r, &us);
		slowest = us > slowest ? us : slowest;
		if (ratio <= 0)
			continue;
		bad++;
		printf("# a byte costs %.1f times as much in %zu bytes as in "
		       "%zu (%.0f us)%s\n",
		    ratio, g->size, g->size / 8, us,
		    r.count ? ", counted" : "");
		print_piece("head", &r.head);
		print_piece("body", &r.body);
		print_piece("tail", &r.tail);
		if (bad == 5)
			break;
	}
	grown = (peak_bytes() - peak) / (double)g->size;
	printf("# %lu inputs grown, slowest %.1f ns a byte, at most %.0f bytes "
	       "of memory for one\n",
	    count, slowest * 1e3 / (double)g->size, grown);
	if (grown > g->memory) {
		printf("# more than %.0f\n", g->memory);
		bad++;
	}
	return bad;
}
