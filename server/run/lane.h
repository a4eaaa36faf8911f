/*
 * server/run/lane.h - the work of guests, a little in each turn.
 *
 * Purpose:   jobs wait in one queue.  At the end of a turn of the loop, after
 *            everything of the owner's, they run in order for LANE_TURN_US;
 *            then the lane rests as long as it has worked.  So a guest cannot
 *            delay a key of the owner by more than a turn of the lane and one
 *            step of a job, and all guests take half of the server's time.
 *            A job that took long is passed over until the others had as much
 *            time: none waits for ever.
 * Ownership: the caller owns the jobs, and ends each with lane_drop.
 * Units:     microseconds of sys_now_us.
 * Source:    deficit round robin (Shreedhar and Varghese, 1995).
 * Tests:     regress/unit/check_lane.c
 */
#ifndef SERVER_RUN_LANE_H
#define SERVER_RUN_LANE_H

#include <stdint.h>

#include "base/io/loop.h"
#include "base/list.h"

#define LANE_TURN_US 1000   /* of a turn; the step that passes it is the last */
#define LANE_QUANTUM_US 250 /* of a job in each round */

struct lane_job;

/*
 * Does one step of the job: one datagram, one picture, a few events.  Returns
 * whether there is more to do.  It may drop its own job and others.
 */
typedef bool (*lane_fn)(struct lane_job *job);

/* Zero but for FN: a job that does not wait. */
struct lane_job {
	struct list_node node;
	lane_fn fn;
	uint64_t debt; /* microseconds that it had beyond its quanta */
};

/* Counters that tests read. */
struct lane_stats {
	uint64_t turns;
	uint64_t steps;
	uint64_t longest; /* turn */
};

struct lane {
	struct loop *loop;
	struct loop_timer *timer; /* ends the rest */
	uint64_t (*clock)(void);
	struct list jobs;
	struct lane_job *running; /* NULL: none, or it was dropped */
	uint64_t until;           /* of the turn that runs */
	bool resting;
	struct lane_stats st;
};

/* CLOCK gives microseconds; NULL: sys_now_us. */
struct lane *lane_new(struct loop *loop, uint64_t (*clock)(void));

/* No job may wait; NULL is fine. */
void lane_free(struct lane *l);

/* Lets JOB run, unless it waits already. */
void lane_add(struct lane *l, struct lane_job *job);

/* JOB does not run any more until it is added again. */
void lane_drop(struct lane *l, struct lane_job *job);

/* Whether the step that runs has used up the turn, and should return. */
bool lane_spent(const struct lane *l);

#endif
