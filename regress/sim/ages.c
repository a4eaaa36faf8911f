#include "regress/sim/ages.h"

#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"

#define AGES 200000 /* ms, at most */
#define AGES_MS 1000u

/* Counts the ages from `seen' to NOW. */
static void
ages_count(double *age, uint64_t newest, uint64_t seen, uint64_t now)
{
	uint64_t t = seen, a, step;

	while (t < now) {
		a = t > newest ? (t - newest) / AGES_MS : 0;
		step = AGES_MS - (t - MIN_OF(newest, t)) % AGES_MS;
		step = MIN_OF(step, now - t);
		age[MIN_OF(a, (uint64_t)AGES - 1)] += (double)step;
		t += step;
	}
}

static double
ages_share(const double *age, double share)
{
	double sum = 0, run = 0;
	unsigned i;

	for (i = 0; i < AGES; i++)
		sum += age[i];
	for (i = 0; i < AGES; i++)
		if ((run += age[i]) >= sum * share)
			return i;
	return AGES;
}

void
ages_init(struct ages *a, uint64_t from, uint64_t to)
{
	memset(a, 0, sizeof *a);
	a->from = from;
	a->to = to;
	a->age = mem_calloc(AGES, sizeof *a->age);
}

void
ages_see(struct ages *a, uint64_t sent, uint64_t now)
{
	if (now > a->from && a->seen < a->to)
		ages_count(a->age, a->newest, MAX_OF(a->seen, a->from),
		    MIN_OF(now, a->to));
	a->seen = now;
	a->newest = MAX_OF(a->newest, sent);
}

double
ages_fini(struct ages *a, double share)
{
	double ms;

	if (a->seen < a->to)
		ages_count(a->age, a->newest, MAX_OF(a->seen, a->from), a->to);
	ms = ages_share(a->age, share);
	mem_free(a->age);
	return ms;
}
