/*
 * base/io/loop_int.h - what the files of the loop share.
 *
 * Purpose:   the loop's own fields; its timers are a heap of ours over one
 *            clock that is set only when something is due earlier.
 * Ownership: as in loop.h.
 * Units:     mono_ms.
 * Errors:    none.
 * Source:    our own.
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
	size_t firstdeferred; /* those before it have run */
	size_t ndeferred;
	size_t capdeferred;
	mono_ms now;
	bool stopped;
	struct loop_stats stats;

	/* Timers that are set: a heap by (at, seq). */
	struct loop_timer **timers;
	size_t ntimers;
	size_t captimers;
	uint64_t seq;      /* of the last timer that was set */
	bool firing;       /* the due ones are being run */
	struct list aside; /* set meanwhile: for the next turn */
	struct event *clock;
	int clock_fd;  /* -1: the clock is libevent's */
	mono_ms armed; /* what the clock is set to */
};

/* A base whose timeouts are as precise as the clock needs; NULL on failure. */
struct event_base *loop_clock_base(void);

void loop_timers_init(struct loop *l);
void loop_timers_fini(struct loop *l);

/* Whether some timer is due. */
bool loop_timers_due(const struct loop *l);

/* Sets the clock if it would go off too late. */
void loop_timers_arm(struct loop *l);

/* Runs those that are due and were set before. */
void loop_timers_run(struct loop *l);

#endif
