#include "server/io/pace.h"

bool
pace_gives_way(const struct pace_typing *t, uint32_t id, mono_ms now)
{
	return t->at != 0 && t->pane != id && now < t->at + PACE_TYPING_MS;
}

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
