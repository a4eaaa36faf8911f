#include "ssp/cc.h"

#define CC_INTERVAL_MIN 20  /* ms: 50 frames a second look smooth */
#define CC_INTERVAL_LAN 8   /* ms, if the SRTT is below CC_LAN_RTT */
#define CC_INTERVAL_MAX 250 /* ms: four frames a second stay usable */
#define CC_LAN_RTT 5        /* ms */

mono_ms
ssp_cc_interval(const struct ssp_rtt *rtt)
{
	mono_ms srtt = ssp_rtt_srtt(rtt);

	if (srtt < CC_LAN_RTT)
		return CC_INTERVAL_LAN;
	return CLAMP(
	    (srtt + 1) / 2, (mono_ms)CC_INTERVAL_MIN, (mono_ms)CC_INTERVAL_MAX);
}
