/*
 * base/io/loop.h - the event loop of a process.
 *
 * Purpose:   descriptors, timers, signals and deferred calls over libevent; no
 *            other code includes libevent.
 * Ownership: each add or new returns a handle; its caller frees it with the
 *            matching del or free, before the loop.  A callback may free its
 *            own handle.
 * Units:     mono_ms of sys_now(); a timer at or before now fires on the next
 *            turn.
 * Errors:    loop_new aborts if it cannot make a loop.
 * Source:    libevent 2.1 for descriptors and signals.  Timers are a heap over
 *            one timerfd (elsewhere over one libevent timeout with
 *            EVENT_BASE_FLAG_PRECISE_TIMER), so that a turn that changes no
 *            deadline makes no system call for timers.  Only one loop of a
 *            process may own signals.
 * Tests:     regress/unit/check_loop.c
 */
#ifndef BASE_IO_LOOP_H
#define BASE_IO_LOOP_H

#include "base/types.h"

struct loop;
struct loop_io;
struct loop_timer;
struct loop_signal;

enum loop_event {
	LOOP_READ = 1,
	LOOP_WRITE = 2
};

typedef void (*loop_io_fn)(void *arg, int fd, unsigned events);
typedef void (*loop_fn)(void *arg);
typedef void (*loop_signal_fn)(void *arg, int signo);

struct loop *loop_new(void);
void loop_free(struct loop *l);

/* Runs turns until loop_stop; callbacks run on this thread only. */
void loop_run(struct loop *l);

/* Runs one turn; waits for the next event if WAIT. */
void loop_turn(struct loop *l, bool wait);

/* Ends loop_run, also before it starts.  Returns true for the first call. */
bool loop_stop(struct loop *l);

bool loop_stopped(const struct loop *l);

/* Time of the latest event; constant during one callback. */
mono_ms loop_now(const struct loop *l);

/* Watches FD (level-triggered); EVENTS 0 watches nothing yet. */
struct loop_io *loop_io_add(
    struct loop *l, int fd, unsigned events, loop_io_fn fn, void *arg);
void loop_io_set(struct loop_io *io, unsigned events);
void loop_io_del(struct loop_io *io);

struct loop_timer *loop_timer_new(struct loop *l, loop_fn fn, void *arg);

/* Fires once at AT; MONO_NEVER disables T. Cheap if AT does not change. */
void loop_timer_set(struct loop_timer *t, mono_ms at);
void loop_timer_free(struct loop_timer *t);

struct loop_signal *loop_signal_add(
    struct loop *l, int signo, loop_signal_fn fn, void *arg);
void loop_signal_del(struct loop_signal *s);

/*
 * Runs FN once, after all callbacks of this turn; queues each (fn, arg) only
 * once.  loop_defer_cancel drops every call with ARG.
 */
void loop_defer(struct loop *l, loop_fn fn, void *arg);
void loop_defer_cancel(struct loop *l, const void *arg);

/*
 * Runs FN once at the end of this turn, after the deferred calls.  One call
 * waits at a time.
 */
void loop_last(struct loop *l, loop_fn fn, void *arg);

/* As loop_defer for a call known not to be queued: saves the search. */
void loop_defer_new(struct loop *l, loop_fn fn, void *arg);

#endif
