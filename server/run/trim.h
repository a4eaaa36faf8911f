/*
 * server/run/trim.h - returns unused memory to the system in quiet times.
 *
 * Purpose:   four seconds after the last output and the last object freed,
 *            empties the pool of spare rows and trims the heap, once.
 * Ownership: the server owns it.
 * Tests:     regress/unit/check_run.c, regress/e2e/churn.sh
 */
#ifndef SERVER_RUN_TRIM_H
#define SERVER_RUN_TRIM_H

#include "base/io/loop.h"

/* Longer than a pane takes to pack its history. */
#define TRIM_QUIET_MS 4000

struct vt_pool;

struct trim {
	struct loop *loop;
	struct vt_pool *pool;
	struct loop_timer *timer;
	mono_ms quiet;
	mono_ms noted; /* the last trim_note */
	bool armed;
};

/* QUIET: time without trim_note before memory is returned. */
struct trim *trim_new(struct loop *loop, struct vt_pool *pool, mono_ms quiet);
void trim_free(struct trim *t); /* NULL is fine */

/* Sets the timer; for trim_note. */
void trim_arm(struct trim *t);

/* Memory may have been freed: starts the quiet time again. */
static inline void
trim_note(struct trim *t)
{
	t->noted = loop_now(t->loop);
	if (!t->armed)
		trim_arm(t);
}

#endif
