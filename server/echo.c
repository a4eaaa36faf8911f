#include "server/echo.h"

void
echo_init(struct echo *e)
{
	*e = (struct echo){ .due_at = MONO_NEVER, .later_at = MONO_NEVER };
}

void
echo_input(struct echo *e, mono_ms now, uint64_t index)
{
	(void)echo_expire(e, now);
	if (e->due_at == MONO_NEVER || e->due_at == mono_add(now, ECHO_MS)) {
		e->due = index;
		e->due_at = mono_add(now, ECHO_MS);
		return;
	}
	e->later = index;
	e->later_at = mono_add(now, ECHO_MS);
}

bool
echo_expire(struct echo *e, mono_ms now)
{
	uint64_t before = e->ack;

	while (now >= e->due_at) {
		e->ack = e->due;
		e->due = e->later;
		e->due_at = e->later_at;
		e->later_at = MONO_NEVER;
	}
	return e->ack != before;
}

mono_ms
echo_deadline(const struct echo *e)
{
	return e->due_at;
}
