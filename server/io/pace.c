#include "server/io/pace.h"

bool
pace_rests(struct pace *p, uint64_t now_us, uint64_t said)
{
	bool flood;

	if (now_us < p->until)
		return false;
	/* Output that comes later begins a new burst. */
	flood = p->until != 0 && now_us - p->until < PACE_REST_MS * 1000 &&
		said - p->said >= PACE_BYTES;
	p->until = flood ? 0 : now_us + PACE_BURST_US;
	p->said = said;
	return flood;
}
