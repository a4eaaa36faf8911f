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

#include "base/types.h"

/* Longer than a pane takes to pack its history. */
#define TRIM_QUIET_MS 4000

struct loop;
struct trim;
struct vt_pool;

/* QUIET: time without trim_note before memory is returned. */
struct trim *trim_new(struct loop *loop, struct vt_pool *pool, mono_ms quiet);
void trim_free(struct trim *t); /* NULL is fine */

/* Memory may have been freed: starts the quiet time again. */
void trim_note(struct trim *t);

#endif
