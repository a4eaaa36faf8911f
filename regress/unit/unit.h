/*
 * regress/unit/unit.h - the frame of a unit test file.
 *
 * Purpose:   a test file defines UNIT_SUITE(name) { ...return suite; } and is
 *            named in its folder's Makefile.inc; the runner finds it.
 * Ownership: Check owns suites once they are returned.
 * Errors:    the runner fails when no test ran at all.
 * Source:    Check, which prints TAP for automake's driver.
 */
#ifndef REGRESS_UNIT_H
#define REGRESS_UNIT_H

#include <check.h>
#include <stdlib.h>

typedef Suite *(*unit_suite_fn)(void);

/* Registers a suite; a runner has at most 128. */
void unit_register(unit_suite_fn fn);

#define UNIT_SUITE(name)                                         \
 static Suite *unit_suite_##name(void);                          \
 __attribute__((constructor)) static void unit_init_##name(void) \
 {                                                               \
  unit_register(unit_suite_##name);                              \
 }                                                               \
 static Suite *unit_suite_##name(void)

/*
 * Seed of a randomised test: $UNIT_SEED, or the fixed default.  Print it with
 * every failure so that the run can be repeated.
 */
unsigned long unit_seed(unsigned long fallback);

/*
 * Return the number of rounds of a randomised test, and the step from case to
 * case of an exhaustive one: N (a fifth under ASan) and 1; in the short form
 * ($UNIT_SHORT, set under valgrind) a twentieth of N, at least 1, and N.
 * $UNIT_ROUNDS: so many times N, for long runs.
 */
unsigned unit_rounds(unsigned n);
unsigned unit_stride(unsigned n);

#endif
