#include "ssp/cc.h"

#include <string.h>

#define CC_INTERVAL_MIN 20  /* ms: 50 frames a second are seen as smooth */
#define CC_INTERVAL_LAN 8   /* ms, where the round trip is below 5 ms */
#define CC_INTERVAL_MAX 250 /* ms: four frames a second still feel alive */
#define CC_LAN_RTT 5        /* ms */

static const struct ssp_cc_ops *const cc_all[] = {
	&ssp_cc_window,
	&ssp_cc_plain,
	&ssp_cc_mosh,
	&ssp_cc_sprout,
};

const struct ssp_cc_ops *
ssp_cc_find(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(cc_all); i++)
		if (strcmp(cc_all[i]->name, name) == 0)
			return cc_all[i];
	return NULL;
}

mono_ms
ssp_cc_interval(const struct ssp_rtt *rtt)
{
	mono_ms srtt = ssp_rtt_srtt(rtt);

	if (srtt < CC_LAN_RTT)
		return CC_INTERVAL_LAN;
	return CLAMP(
	    (srtt + 1) / 2, (mono_ms)CC_INTERVAL_MIN, (mono_ms)CC_INTERVAL_MAX);
}
