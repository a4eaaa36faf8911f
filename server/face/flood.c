#include "server/face/flood.h"

#include "base/compiler.h"

/* So long nothing comes: the end, or at least a pause. */
#define FLOOD_PAUSE_MIN 4
#define FLOOD_PAUSE_MAX 20
#define FLOOD_PAUSE_PART 4 /* of a round trip */

mono_ms
flood_until(
    struct flood *f, mono_ms now, mono_ms rtt, uint64_t said, mono_ms said_at)
{
	mono_ms pause, hold;

	if (!f->dirty)
		f->since = now;
	f->dirty = true;
	/* Other panes are in sight than before if it is less. */
	if (f->urgent || rtt < FLOOD_RTT || said < f->said ||
	    said - f->said < FLOOD_BYTES)
		return 0;
	pause = CLAMP(rtt / FLOOD_PAUSE_PART, (mono_ms)FLOOD_PAUSE_MIN,
	    (mono_ms)FLOOD_PAUSE_MAX);
	hold = mono_min(rtt * 5, f->first ? FLOOD_FIRST : FLOOD_HOLD);
	return mono_min(f->since + hold, said_at + pause);
}

void
flood_shown(struct flood *f, uint64_t said)
{
	f->said = said;
	f->first = f->urgent;
	f->dirty = f->urgent = false;
}
