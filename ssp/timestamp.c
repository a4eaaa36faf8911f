#include "ssp/timestamp.h"

static uint16_t
stamp_make(mono_ms t)
{
	uint16_t v = (uint16_t)t;

	return v == SSP_STAMP_NONE ? 0 : v;
}

uint16_t
ssp_stamp_now(mono_ms now)
{
	return stamp_make(now);
}

uint16_t
ssp_stamp_reply(struct ssp_stamp *s, mono_ms now)
{
	if (!s->have)
		return SSP_STAMP_NONE;
	s->have = false;
	if (now - s->at > SSP_STAMP_HOLD_MAX)
		return SSP_STAMP_NONE;
	return stamp_make(s->peer + (now - s->at));
}

void
ssp_stamp_got(struct ssp_stamp *s, mono_ms now, uint16_t stamp)
{
	if (stamp == SSP_STAMP_NONE)
		return;
	s->have = true;
	s->peer = stamp;
	s->at = now;
}

bool
ssp_stamp_sample(mono_ms now, uint16_t reply, mono_ms *sample)
{
	uint16_t diff;

	if (reply == SSP_STAMP_NONE)
		return false;
	diff = (uint16_t)(ssp_stamp_now(now) - reply);
	if (diff >= 65530)
		diff = 0;
	*sample = diff;
	return diff <= SSP_STAMP_SAMPLE_MAX;
}
