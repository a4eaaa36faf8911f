#include "ssp/pacer.h"

#include "base/compiler.h"

#define PACER_GAP_MAX 60000 /* ms; a longer pause fills any bucket */

void
ssp_pacer_init(struct ssp_pacer *p, mono_ms now, uint64_t burst)
{
	*p = (struct ssp_pacer){
		.burst = burst, .credit = (int64_t)burst * 1000, .filled = now
	};
}

static void
pacer_fill(struct ssp_pacer *p, mono_ms now)
{
	uint64_t gap = MIN_OF(now - p->filled, (mono_ms)PACER_GAP_MAX);
	int64_t top = (int64_t)p->burst * 1000;

	p->credit = MIN_OF(p->credit + (int64_t)(gap * p->rate), top);
	p->filled = now;
}

void
ssp_pacer_burst(struct ssp_pacer *p, uint64_t burst)
{
	p->burst = burst;
	p->credit = MIN_OF(p->credit, (int64_t)burst * 1000);
}

void
ssp_pacer_set(struct ssp_pacer *p, mono_ms now, uint64_t rate, uint64_t burst)
{
	pacer_fill(p, now);
	p->rate = rate;
	ssp_pacer_burst(p, burst);
}

uint64_t
ssp_pacer_budget(struct ssp_pacer *p, mono_ms now)
{
	if (p->rate == 0)
		return UINT64_MAX;
	pacer_fill(p, now);
	return p->credit > 0 ? (uint64_t)p->credit / 1000 : 0;
}

void
ssp_pacer_sent(struct ssp_pacer *p, mono_ms now, uint64_t n)
{
	pacer_fill(p, now);
	p->credit -= (int64_t)n * 1000;
}

mono_ms
ssp_pacer_next(struct ssp_pacer *p, mono_ms now, uint64_t n)
{
	int64_t need;

	if (p->rate == 0)
		return now;
	pacer_fill(p, now);
	need = (int64_t)MIN_OF(n, p->burst) * 1000 - p->credit;
	if (need <= 0)
		return now;
	return now + ((uint64_t)need + p->rate - 1) / p->rate;
}
