/*
 * base/due.h - a small set of deadlines.
 *
 * Purpose:   one slot for each thing that an object does later; the earliest
 *            deadline is at hand for the object's timer.
 * Ownership: plain value.
 * Units:     mono_ms; MONO_NEVER for a slot that is off.
 * Tests:     regress/unit/check_due.c
 */
#ifndef BASE_DUE_H
#define BASE_DUE_H

#include "base/types.h"

#define DUE_MAX 16u

struct due {
	mono_ms at[DUE_MAX];
	mono_ms first; /* the earliest of all */
};

/* Switches all slots off. */
void due_init(struct due *d);

/* Sets the deadline of SLOT; MONO_NEVER switches it off. */
void due_set(struct due *d, unsigned slot, mono_ms at);

/*
 * Switches the first slot from FROM on off whose deadline is not after NOW.
 * Returns its number, or DUE_MAX if there is none.
 */
unsigned due_take(struct due *d, unsigned from, mono_ms now);

#endif
