#include "ssp/redundancy.h"

#include "base/compiler.h"

/* Copies from this loss rate on, ascending. */
static const struct {
	double loss;
	unsigned copies;
} redundancy_copies[] = {
	{ 0.003, 1 }, /* one datagram in a few hundred: a copy is cheap */
	{ 0.05, 2 }, { 0.12, 3 },
	{ 0.20, SSP_COPIES_MAX }, /* as many as the schedule has */
};

/* Losses independent of each other: so close that a copy costs no time. */
static const struct ssp_schedule redundancy_close[SSP_PACES] = {
	[SSP_PACE_ALONE] = { 4, { 1, 4, 9, 16 } },
	[SSP_PACE_RUN] = { 3, { 1, 4, 9 } },
	[SSP_PACE_FAST] = { 2, { 1, 4 } },
};

/* Bursts: some copy should fall behind the end of one. */
static const struct ssp_schedule redundancy_spread[SSP_PACES] = {
	[SSP_PACE_ALONE] = { 5, { 5, 20, 45, 80, 120 } },
	[SSP_PACE_RUN] = { 3, { 10, 40, 80 } },
	[SSP_PACE_FAST] = { 2, { 10, 40 } },
};

/* After a timeout: each copy waits for the ack of those before it. */
static const struct ssp_schedule redundancy_again[SSP_PACES] = {
	[SSP_PACE_ALONE] = { 4, { 30, 60, 90, 120 } },
	[SSP_PACE_RUN] = { 2, { 20, 60 } },
	[SSP_PACE_FAST] = { 2, { 20, 60 } },
};

/* Queueing above both limits means that a full queue causes the losses. */
#define REDUNDANCY_QUEUE_MS 20
#define REDUNDANCY_QUEUE_SHARE 4

void
ssp_redundancy_init(struct ssp_redundancy *r, mono_ms now)
{
	r->credit = SSP_COPY_BURST * 1000;
	r->filled = now;
}

bool
ssp_redundancy_queue(mono_ms srtt, mono_ms rtt_min)
{
	mono_ms queue = srtt > rtt_min ? srtt - rtt_min : 0;

	return queue >= REDUNDANCY_QUEUE_MS &&
	       queue >= rtt_min / REDUNDANCY_QUEUE_SHARE;
}

unsigned
ssp_redundancy_copies(double loss, mono_ms srtt, mono_ms rtt_min)
{
	unsigned n = 0;
	size_t i;

	for (i = 0; i < ARRAY_LEN(redundancy_copies); i++)
		if (loss >= redundancy_copies[i].loss)
			n = redundancy_copies[i].copies;
	if (ssp_redundancy_queue(srtt, rtt_min))
		n = MIN_OF(n, 1u);
	return n;
}

const struct ssp_schedule *
ssp_redundancy_schedule(enum ssp_pace pace, bool bunched, bool again)
{
	if (again)
		return &redundancy_again[pace];
	return bunched ? &redundancy_spread[pace] : &redundancy_close[pace];
}

const struct ssp_schedule *
ssp_redundancy_spread(void)
{
	return &redundancy_spread[SSP_PACE_ALONE];
}

mono_ms
ssp_redundancy_at(const struct ssp_schedule *s, unsigned i)
{
	bug_assert(i >= 1 && i <= SSP_COPIES_MAX);
	return s->at[MIN_OF(i, s->n) - 1];
}

bool
ssp_redundancy_spend(struct ssp_redundancy *r, mono_ms now, size_t n)
{
	uint64_t gain;

	gain = MIN_OF(now - r->filled, (mono_ms)10000) * SSP_COPY_RATE;
	r->credit = MIN_OF(r->credit + gain, (uint64_t)SSP_COPY_BURST * 1000);
	r->filled = now;
	if (r->credit < (uint64_t)n * 1000)
		return false;
	r->credit -= (uint64_t)n * 1000;
	return true;
}
