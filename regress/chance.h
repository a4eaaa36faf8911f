/*
 * regress/chance.h - the same chance in every run.
 *
 * Purpose:   what tests and benches draw: delays, losses, contents.
 * Ownership: the state is the caller's; its first value is the seed.
 * Source:    Knuth's linear congruential generator (MMIX)
 */
#ifndef REGRESS_CHANCE_H
#define REGRESS_CHANCE_H

#include <stdint.h>

/* Some number below N (0 of 0); *STATE moves on. */
static inline unsigned
chance_below(uint64_t *state, unsigned n)
{
	*state = *state * UINT64_C(6364136223846793005) +
		 UINT64_C(1442695040888963407);
	return n == 0 ? 0 : (unsigned)(*state >> 33) % n;
}

#endif
