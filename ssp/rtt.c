#include "ssp/rtt.h"

#include <string.h>

#include "base/err.h"

void
ssp_rtt_init(struct ssp_rtt *rtt)
{
	memset(rtt, 0, sizeof *rtt);
	rtt->min_now = rtt->min_last = MONO_NEVER;
}

int
ssp_rtt_sample(struct ssp_rtt *rtt, mono_ms now, mono_ms sample)
{
	uint32_t r, srtt, diff;

	if (sample >= SSP_RTT_SAMPLE_MAX)
		return -ERR_RANGE;
	r = (uint32_t)sample;
	rtt->latest = sample;
	if (rtt->few < SSP_RTT_FEW)
		rtt->few++;
	if (!rtt->have) {
		rtt->have = true;
		rtt->srtt8 = r * 8;
		rtt->var4 = r * 2;
		rtt->min_since = now;
	} else {
		srtt = rtt->srtt8 / 8;
		diff = srtt > r ? srtt - r : r - srtt;
		rtt->var4 = rtt->var4 - rtt->var4 / 4 + diff;
		rtt->srtt8 = rtt->srtt8 - rtt->srtt8 / 8 + r;
	}
	if (now - rtt->min_since >= SSP_RTT_MIN_SPAN) {
		rtt->min_last = rtt->min_now;
		rtt->min_now = MONO_NEVER;
		rtt->min_since = now;
	}
	rtt->min_now = mono_min(rtt->min_now, sample);
	return 0;
}

mono_ms
ssp_rtt_srtt(const struct ssp_rtt *rtt)
{
	return rtt->have ? rtt->srtt8 / 8 : SSP_SRTT_INITIAL;
}

mono_ms
ssp_rtt_var(const struct ssp_rtt *rtt)
{
	return rtt->have ? rtt->var4 / 4 : SSP_SRTT_INITIAL / 2;
}

mono_ms
ssp_rtt_rto(const struct ssp_rtt *rtt)
{
	mono_ms rto;

	if (!rtt->have)
		return SSP_RTO_INITIAL;
	rto = (rtt->srtt8 + 7) / 8 + rtt->var4;
	return CLAMP(rto, (mono_ms)SSP_RTO_MIN, (mono_ms)SSP_RTO_MAX);
}

mono_ms
ssp_rtt_early(const struct ssp_rtt *rtt)
{
	mono_ms rto = ssp_rtt_rto(rtt), srtt = ssp_rtt_srtt(rtt);

	if (!rtt->have || rtt->few >= SSP_RTT_FEW)
		return rto;
	return mono_min(rto, srtt + MAX_OF(srtt / 2, (mono_ms)SSP_RTO_MIN));
}

mono_ms
ssp_rtt_min(const struct ssp_rtt *rtt)
{
	mono_ms m = mono_min(rtt->min_now, rtt->min_last);

	return m == MONO_NEVER ? ssp_rtt_srtt(rtt) : m;
}
