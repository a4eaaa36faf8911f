#include "base/due.h"

#include "base/compiler.h"

void
due_init(struct due *d)
{
	unsigned i;

	for (i = 0; i < DUE_MAX; i++)
		d->at[i] = MONO_NEVER;
	d->first = MONO_NEVER;
}

void
due_set(struct due *d, unsigned slot, mono_ms at)
{
	mono_ms old = d->at[slot];
	unsigned i;

	bug_assert(slot < DUE_MAX);
	d->at[slot] = at;
	if (at <= d->first)
		d->first = at;
	else if (old == d->first) {
		d->first = at;
		for (i = 0; i < DUE_MAX; i++)
			d->first = mono_min(d->first, d->at[i]);
	}
}

unsigned
due_take(struct due *d, unsigned from, mono_ms now)
{
	if (now < d->first)
		return DUE_MAX;
	for (; from < DUE_MAX; from++)
		if (d->at[from] <= now) {
			due_set(d, from, MONO_NEVER);
			return from;
		}
	return DUE_MAX;
}
