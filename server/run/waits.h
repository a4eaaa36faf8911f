/*
 * server/run/waits.h - the channels of wait-for.
 *
 * Purpose:   commands that wait for a channel's signal or for its lock.
 * Ownership: struct waits owns the channels; commands wait by the tokens of
 *            cmdq.h, which may be stale.
 * Errors:    -ERR_LIMIT past WAITS_MAX channels or WAITERS_MAX waiters of one;
 *            -ERR_STATE: the channel to unlock is not locked.
 * Source:    tmux(1), wait-for.
 * Tests:     regress/unit/check_waits.c, regress/e2e/wait.sh
 */
#ifndef SERVER_RUN_WAITS_H
#define SERVER_RUN_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

#define WAITS_MAX 10000
#define WAITERS_MAX 10000

struct run;
struct waits;

struct waits *waits_new(struct run *run);
void waits_free(struct waits *ws);

/* Returns true if NAME was signalled before: the caller need not wait. */
bool waits_woken(struct waits *ws, const char *name);

/* The next signal continues TOKEN; WHO names the waiter. */
int waits_wait(
    struct waits *ws, const char *name, uint64_t token, const char *who);

/* Wakes all waiters; without one, keeps the signal for the next. */
int waits_signal(struct waits *ws, const char *name);

/* Takes the lock; false: it is taken, or *ERROR is set. */
bool waits_try_lock(struct waits *ws, const char *name, int *error);

/* TOKEN is continued when it has got the lock. */
int waits_lock(
    struct waits *ws, const char *name, uint64_t token, const char *who);

/* Lists waiters for the signal, then those for the lock, a line each. */
void waits_list(struct waits *ws, const char *name, struct buf *out);

/* Continues the first waiter named WHO, without giving it the lock. */
void waits_wake(struct waits *ws, const char *name, const char *who);

/* Gives the lock to the next waiter. */
int waits_unlock(struct waits *ws, const char *name);

#endif
