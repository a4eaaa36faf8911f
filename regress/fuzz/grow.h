/*
 * regress/fuzz/grow.h - looks for work that grows faster than its input.
 *
 * Purpose:   repeats random pieces of a fuzz target's corpus to two lengths,
 *            compares the processor time for each byte, and bounds the memory.
 * Ownership: copies what is given to it.
 * Errors:    grow_run returns the number of inputs whose long form costs more
 *            than GROW_RATIO times as much a byte as the short one and
 *            GROW_HALF times as much as its half, each measured several times,
 *            and prints them; one more if the process had more memory than
 *            struct grow allows.
 */
#ifndef REGRESS_FUZZ_GROW_H
#define REGRESS_FUZZ_GROW_H

#include <stddef.h>
#include <stdint.h>

#define GROW_RATIO 3.0
#define GROW_HALF 1.5 /* of the long form to its half; 2: quadratic */

struct grow {
	double seconds; /* of processor time, for all inputs */
	double floor;   /* us; shorter times of the long form are fine */
	double memory;  /* bytes that each byte of an input may cost */
	size_t size; /* bytes of the long form; the short one has an eighth */
	uint64_t seed;
};

/* Adds a file of the corpus as a source of pieces. */
void grow_add(const uint8_t *data, size_t size);

/* Tries inputs. */
int grow_run(const struct grow *g);

#endif
