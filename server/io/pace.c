#include "server/io/pace.h"

#include "base/compiler.h"

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

bool
pace_junk_floods(struct pace_junk *j, mono_ms now)
{
	mono_ms past = mono_until(j->at, now);

	j->count -= (unsigned)MIN_OF(past, (mono_ms)j->count);
	j->at = now;
	return j->count >= PACE_JUNK;
}

void
pace_junk_came(struct pace_junk *j, mono_ms now)
{
	/* A flood is over soon after its last datagram. */
	if (!pace_junk_floods(j, now))
		j->count++;
}
