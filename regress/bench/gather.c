#include "regress/bench/gather.h"

#include <sys/ioctl.h>

#include <sched.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/io/sys.h"

/* A trial counts so much of the pace; one preempted counts at most twice it. */
#define GATHER_WEIGHT 4

void
gather_init(struct gather *g, bool able)
{
	*g = (struct gather){ .able = able };
}

void
gather_init_here(struct gather *g)
{
	gather_init(g, sysconf(_SC_NPROCESSORS_ONLN) > 1);
}

/* The way that brings most, of those that are known. */
static unsigned
gather_best(const struct gather *g)
{
	unsigned best = GATHER_ASLEEP, i;

	for (i = 0; i < GATHER_WAYS; i++)
		if (g->pace[i] != 0 && g->pace[i] < g->pace[best])
			best = i;
	return best;
}

/* Which way comes next: what is not known, else the best, mostly. */
static enum gather_way
gather_choose(const struct gather *g)
{
	unsigned best = gather_best(g), turn, i;

	if (!g->able)
		return GATHER_ASLEEP;
	for (i = 0; i < GATHER_WAYS; i++)
		if (g->pace[i] == 0)
			return (enum gather_way)i;
	if (g->trials % GATHER_EXPLORE != 0)
		return (enum gather_way)best;
	/* One of the others after the other. */
	turn = g->trials / GATHER_EXPLORE;
	i = (best + 1 + turn % (GATHER_WAYS - 1)) % GATHER_WAYS;
	turn /= GATHER_WAYS - 1;
	if (g->pace[i] / GATHER_SLOW > g->pace[best] &&
	    turn % GATHER_SELDOM != 0)
		return (enum gather_way)best;
	return (enum gather_way)i;
}

/* The next trial begins. */
static void
gather_begin(struct gather *g, uint64_t now)
{
	g->way = gather_choose(g);
	g->bytes = 0;
	g->begun = now;
}

/* Microseconds that a trial may take. */
static uint64_t
gather_limit(const struct gather *g)
{
	uint64_t pace = g->pace[gather_best(g)];

	return pace == 0 ? UINT64_MAX
			 : MAX_OF(pace * (GATHER_TRIAL >> 10) *
				      GATHER_PATIENCE / 1000,
			       (uint64_t)GATHER_LATE_US);
}

void
gather_took(struct gather *g, size_t n, uint64_t now)
{
	uint32_t *pace = &g->pace[g->way], took;
	bool pause = now - g->last > GATHER_PAUSE_US;

	g->last = now;
	if (pause) {
		g->bytes = 0;
		g->begun = now;
		return;
	}
	g->bytes += n;
	if (g->bytes < GATHER_TRIAL && now - g->begun < gather_limit(g))
		return;
	took = (uint32_t)MIN_OF(
	    (now - g->begun) * 1000 / MAX_OF(g->bytes >> 10, (size_t)1),
	    (uint64_t)INT32_MAX);
	took = MAX_OF(took, 1u);
	/* That fast by chance it never is. */
	if (*pace == 0 || took < *pace / GATHER_SLOW)
		*pace = took;
	else if (took < *pace)
		*pace -= (*pace - took) / GATHER_WEIGHT;
	else
		*pace += MIN_OF(took - *pace, *pace) / GATHER_WEIGHT;
	g->trials++;
	g->done[g->way]++;
	gather_begin(g, now);
}

/* What each way is. */
static const struct {
	bool awake;
	size_t most; /* parsed at a time */
} gather_ways[GATHER_WAYS] = {
	[GATHER_ASLEEP] = { false, SIZE_MAX },
	[GATHER_AWAKE] = { true, SIZE_MAX },
	[GATHER_EAGER] = { true, GATHER_LITTLE },
	[GATHER_BRISK] = { false, GATHER_LITTLE },
};

size_t
gather_piece(const struct gather *g, size_t most)
{
	return MIN_OF(most, gather_ways[g->way].most);
}

bool
gather_may(const struct gather *g)
{
	return g->able && gather_ways[g->way].awake;
}

void
gather_waited(struct gather *g, uint64_t now, uint64_t took)
{
	g->waits++;
	if (took >= GATHER_LATE_US)
		g->late++;
	/* It was no pause of the writer's: it counts. */
	g->last = now;
}

void
gather_wait(struct gather *g, int fd, uint64_t until)
{
	uint64_t begin = sys_now_us(), now = begin;
	int n = 0, i;

	if (!gather_may(g))
		return;
	until = MIN_OF(until, begin + GATHER_US);
	while (now < until && ioctl(fd, FIONREAD, &n) == 0 && n == 0) {
		for (i = 0; i < GATHER_YIELDS; i++)
			sched_yield();
		now = sys_now_us();
	}
	gather_waited(g, now, now - begin);
}
