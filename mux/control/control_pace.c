#include "mux/control/control_pace.h"

void
control_pace_note(
    struct control_pace *p, mono_ms now, size_t taken, size_t waiting)
{
	p->taken += taken;
	if (waiting == 0)
		*p = (struct control_pace){ 0 };
	else if (!p->behind) {
		p->behind = true;
		p->since = now;
		p->taken = 0;
	} else if (now >= mono_add(p->since, CONTROL_PACE_MS)) {
		p->stopped = p->taken < CONTROL_PACE_READS;
		p->since = now;
		p->taken = 0;
	}
	p->far = waiting > (p->far ? CONTROL_PACE_NEAR : CONTROL_PACE_FAR);
}

bool
control_pace_holds(const struct control_pace *p)
{
	return p->far && !p->stopped;
}

mono_ms
control_pace_deadline(const struct control_pace *p)
{
	return control_pace_holds(p) ? mono_add(p->since, CONTROL_PACE_MS)
				     : MONO_NEVER;
}
