/*
 * regress/chance.h - random numbers that are the same in every run.
 *
 * Purpose:   random delays, losses and contents for tests and benches.
 * Ownership: the state is the caller's; its first value is the seed.
 * Source:    Knuth's linear congruential generator (MMIX)
 */
#ifndef REGRESS_CHANCE_H
#define REGRESS_CHANCE_H

#include <stdint.h>

/* Returns a random number below N (0 for N = 0) and advances *STATE. */
static inline unsigned
chance_below(uint64_t *state, unsigned n)
{
	*state = *state * UINT64_C(6364136223846793005) +
		 UINT64_C(1442695040888963407);
	return n == 0 ? 0 : (unsigned)(*state >> 33) % n;
}

#endif
