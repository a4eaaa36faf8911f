/*
 * base/io/loop_int.h - declarations shared by loop.c and loop_timer.c.
 *
 * Purpose:   the fields of a loop.  Its timers are a heap over one clock, which
 *            is set only for an earlier deadline.
 * Ownership: see loop.h.
 * Units:     mono_ms.
 * Tests:     regress/unit/check_loop.c
 */
#ifndef BASE_IO_LOOP_INT_H
#define BASE_IO_LOOP_INT_H

#include <event2/event.h>

#include "base/io/loop.h"
#include "base/list.h"

struct loop_deferred {
	loop_fn fn;
	void *arg;
};

/* Counters that tests read. */
struct loop_stats {
	unsigned turns;
	unsigned events; /* of descriptors and signals */
	unsigned arms;   /* times that the clock was set */
};

struct loop {
	struct event_base *base;
	struct loop_deferred *deferred;
	size_t firstdeferred; /* index of the next call to run */
	size_t ndeferred;
	size_t capdeferred;
	struct loop_deferred last; /* its fn is NULL: none */
	mono_ms now;
	bool stopped;
	struct loop_stats stats;

	/* Active timers: a heap ordered by (at, seq). */
	struct loop_timer **timers;
	size_t ntimers;
	size_t captimers;
	uint64_t seq;      /* of the last timer set */
	bool firing;       /* due timers are running */
	struct list aside; /* set while firing; for the next turn */
	struct event *clock;
	int clock_fd;  /* -1: libevent keeps the clock */
	mono_ms armed; /* time that the clock is set to */
};

/* Makes a base with timeouts as precise as needed; NULL on failure. */
struct event_base *loop_clock_base(void);

void loop_timers_init(struct loop *l);
void loop_timers_fini(struct loop *l);

/* Returns whether a timer is due. */
bool loop_timers_due(const struct loop *l);

/* Sets the clock unless it already fires in time. */
void loop_timers_arm(struct loop *l);

/* Runs due timers, except those set during this call. */
void loop_timers_run(struct loop *l);

#endif
