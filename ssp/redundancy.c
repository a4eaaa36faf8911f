#include "ssp/redundancy.h"

#include "base/compiler.h"

/* Copies from this loss rate on, ascending. */
static const struct {
	double loss;
	unsigned copies;
} redundancy_copies[] = {
	{ 0.003, 1 }, /* one datagram in a few hundred: a copy is cheap */
	{ 0.04, 2 }, { 0.12, 3 },
	{ 0.20, 5 }, /* the last only if the round trip is long */
};

static const mono_ms redundancy_at[SSP_COPIES_MAX] = { 5, 15, 35, 75, 155 };
static const mono_ms redundancy_busy[SSP_COPIES_BUSY] = { 5, 25 };

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

mono_ms
ssp_redundancy_at(unsigned i, bool busy)
{
	if (busy && i >= 1 && i <= SSP_COPIES_BUSY)
		return redundancy_busy[i - 1];
	bug_assert(i >= 1 && i <= SSP_COPIES_MAX);
	return redundancy_at[i - 1];
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
