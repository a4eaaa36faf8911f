/*
 * base/spin.h - whether to wait for an answer without sleeping.
 *
 * Purpose:   who expects an answer at once may look for it again and again
 *            for a moment instead of sleeping: an idle core takes longer to
 *            wake than the answer to come.  This decides whether, by what it
 *            has brought and cost so far: never more than SPIN_SHARE of a
 *            core, only now and then where answers come late, and not while
 *            others want the core.
 * Ownership: plain data.
 * Units:     microseconds of any monotonic clock.
 * Errors:    none.
 * Source:    our own; adaptive mutexes and halt polling do alike.
 * Tests:     regress/unit/check_spin.c
 */
#ifndef BASE_SPIN_H
#define BASE_SPIN_H

#include <stdbool.h>
#include <stdint.h>

/* The longest wait without sleep. */
#define SPIN_US 250

/* Per cent of a core at most, over SPIN_SAVED_US / SPIN_SHARE * 100. */
#define SPIN_SHARE 2
#define SPIN_SAVED_US 20000

/* Who yields and gets the core back later than that is not alone. */
#define SPIN_LATE_US 100

/* Then others are left alone, twice as long each time. */
#define SPIN_REST_MIN_US 50000
#define SPIN_REST_MAX_US 4000000

/* While few answers come in time, one wait in so many is tried. */
#define SPIN_TRY 16

struct spin {
	bool able;         /* there is a second core */
	uint64_t saved;    /* microseconds that may be spent */
	uint64_t saved_at; /* counted until then */
	uint64_t begun;
	uint64_t rest; /* length of the last rest */
	uint64_t rest_until;
	unsigned score;   /* of 256: how many were answered in time */
	unsigned skipped; /* since the last try */
};

void spin_init(struct spin *s, bool able);

/* How long to spin now: SPIN_US or 0. */
uint64_t spin_begin(struct spin *s, uint64_t now);

/*
 * It is over, because the answer came or not.
 * In:      late  somebody else had the core for a while
 */
void spin_end(struct spin *s, uint64_t now, bool answered, bool late);

#endif
