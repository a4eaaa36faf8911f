#include "ssp/idle.h"

#include <string.h>

#include "base/compiler.h"

void
ssp_idle_init(struct ssp_idle *i)
{
	memset(i, 0, sizeof(*i));
	i->gap = SSP_IDLE_FIRST;
	i->most = SSP_IDLE_MAX;
}

void
ssp_idle_reset(struct ssp_idle *i)
{
	mono_ms most = i->most;
	bool near = i->near;

	ssp_idle_init(i);
	i->near = near;
	i->most = most;
}

void
ssp_idle_busy(struct ssp_idle *i)
{
	if (!i->asking)
		i->gap = SSP_IDLE_FIRST;
}

void
ssp_idle_limit(struct ssp_idle *i, mono_ms ms)
{
	i->most = CLAMP(ms, (mono_ms)SSP_IDLE_FIRST, (mono_ms)SSP_IDLE_MAX);
	i->gap = MIN_OF(i->gap, i->most);
}

void
ssp_idle_asked(struct ssp_idle *i, mono_ms now, mono_ms silent)
{
	if (i->asking || silent < i->gap)
		return;
	i->asking = true;
	i->asked_at = now;
}

mono_ms
ssp_idle_next(const struct ssp_idle *i)
{
	mono_ms next = i->gap + i->gap / 2;

	if (i->near)
		next = MAX_OF(next, (mono_ms)SSP_IDLE_NEAR);
	next = MIN_OF(next, i->most);
	/* Not again what has failed, unless that is long ago. */
	if (i->bad != 0 && next >= i->bad && i->kept < SSP_IDLE_TRUST)
		return i->gap;
	return next;
}

void
ssp_idle_answered(struct ssp_idle *i, mono_ms now)
{
	if (!i->asking)
		return;
	i->asking = false;
	if (now - i->asked_at >= SSP_IDLE_OUTAGE) {
		ssp_idle_reset(i);
		return;
	}
	i->kept++;
	i->good = MAX_OF(i->good, i->gap);
	if (i->good >= i->bad)
		i->bad = 0;
	i->gap = ssp_idle_next(i);
}

/* A silence of MS was too long. */
static void
idle_failed(struct ssp_idle *i, mono_ms ms)
{
	/* What was good is not: another NAT, or an outage. */
	if (ms <= i->good || i->good == 0) {
		ssp_idle_reset(i);
		i->bad = MAX_OF(ms, (mono_ms)SSP_IDLE_FIRST + 1);
		return;
	}
	i->bad = ms;
	i->gap = i->good;
	i->kept = 0;
}

void
ssp_idle_came(struct ssp_idle *i, mono_ms now, mono_ms silent, bool moved)
{
	if (i->asking && now - i->asked_at >= SSP_IDLE_OUTAGE)
		ssp_idle_reset(i);
	else if (i->asking)
		idle_failed(i, i->gap);
	else if (moved && silent > SSP_IDLE_FIRST)
		idle_failed(i, silent);
	i->asking = false;
}

void
ssp_idle_pinged(struct ssp_idle *i, mono_ms silent)
{
	mono_ms knows = silent - MIN_OF(silent, (mono_ms)SSP_IDLE_YIELD);

	if (!i->asking && knows < i->gap)
		i->gap = MAX_OF(knows, (mono_ms)SSP_IDLE_FIRST);
}

void
ssp_idle_told(struct ssp_idle *i, mono_ms ms)
{
	i->gap = CLAMP(ms, (mono_ms)SSP_IDLE_FIRST, (mono_ms)SSP_IDLE_MAX);
}
