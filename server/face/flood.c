#include "server/face/flood.h"

#include "base/compiler.h"

/* ms without output that count as a pause. */
#define FLOOD_PAUSE_MIN 4
#define FLOOD_PAUSE_MAX 20
#define FLOOD_PAUSE_PART 4 /* of a round trip */

mono_ms
flood_until(struct flood *f, mono_ms now, mono_ms rtt, uint64_t written,
    mono_ms written_at)
{
	mono_ms pause, wait;

	if (!f->dirty)
		f->since = now;
	f->dirty = true;
	/* A smaller count means that other panes are visible now. */
	if (f->urgent || rtt < FLOOD_RTT || written < f->written ||
	    written - f->written < FLOOD_BYTES)
		return 0;
	pause = CLAMP(rtt / FLOOD_PAUSE_PART, (mono_ms)FLOOD_PAUSE_MIN,
	    (mono_ms)FLOOD_PAUSE_MAX);
	wait = mono_min(rtt * 5, f->first ? FLOOD_FIRST : FLOOD_HOLD);
	return mono_min(f->since + wait, written_at + pause);
}

void
flood_shown(struct flood *f, uint64_t written)
{
	f->written = written;
	f->first = f->urgent;
	f->dirty = f->urgent = false;
}
