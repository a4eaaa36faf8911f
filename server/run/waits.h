/*
 * server/run/waits.h - the channels of wait-for.
 *
 * Purpose:   commands that wait for a channel's signal or for its lock.
 * Ownership: struct waits owns the channels; commands wait by tokens of
 *            cmdq.h, which may have become stale.
 * Units:     none.
 * Errors:    -ERR_LIMIT past WAITS_MAX channels or WAITERS_MAX waiters of one;
 *            -ERR_STATE: unlocking what is not locked.
 * Source:    tmux(1), wait-for.
 * Tests:     regress/e2e/wait.sh
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

/* True if a signal was waiting already: the caller goes on. */
bool waits_woken(struct waits *ws, const char *name);

/* TOKEN, of WHO, is continued by the next signal. */
int waits_wait(
    struct waits *ws, const char *name, uint64_t token, const char *who);

/* Wakes all that wait, or the next one to come. */
int waits_signal(struct waits *ws, const char *name);

/* True: the lock is the caller's now; false: somebody has it. */
bool waits_try_lock(struct waits *ws, const char *name, int *error);

/* TOKEN is continued when the lock has become its own. */
int waits_lock(
    struct waits *ws, const char *name, uint64_t token, const char *who);

/* Those that wait for a signal, then those for the lock, a line each. */
void waits_list(struct waits *ws, const char *name, struct buf *out);

/* Lets the first of these that is WHO go on; it gets no lock. */
void waits_wake(struct waits *ws, const char *name, const char *who);

/* Hands the lock to the next one that waits for it. */
int waits_unlock(struct waits *ws, const char *name);

#endif
