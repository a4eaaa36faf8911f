/*
 * base/compiler.h - attributes, assertions and small helpers of the language.
 *
 * Purpose:   hides the differences between compilers: attributes, assertions,
 *            small macros.
 * Errors:    bug_assert() checks an invariant of this program; it is on in
 *            every build and aborts.  Data from a pty, peer, file or user is
 *            never asserted: peer_check() returns -ERR_PEER.
 * Source:    the two kinds of assertion follow mosh's fatal_assert and
 *            dos_assert.
 * Tests:     regress/unit/check_mem.c
 */
#ifndef BASE_COMPILER_H
#define BASE_COMPILER_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define WARN_UNUSED __attribute__((warn_unused_result))
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))
#define NORETURN __attribute__((noreturn))
#define UNUSED __attribute__((unused))
#define MALLOC_LIKE __attribute__((malloc, returns_nonnull, warn_unused_result))

#define COLD __attribute__((noinline, cold))
#define NOINLINE __attribute__((noinline))
#define ALWAYS_INLINE inline __attribute__((always_inline))

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* Number of elements of a true array. */
#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

#define MIN_OF(a, b) ((a) < (b) ? (a) : (b))
#define MAX_OF(a, b) ((a) > (b) ? (a) : (b))
#define CLAMP(x, lo, hi) ((x) < (lo) ? (lo) : (x) > (hi) ? (hi) : (x))

/* clang-format off */

/* Returns the struct that contains MEMBER at PTR (not NULL). */
#define container_of(ptr, type, member) \
	((type *)((uintptr_t)(ptr) - offsetof(type, member)))

/* Aborts, in every build, when X does not hold. */
#define bug_assert(x) \
	(likely(x) ? (void)0 : bug_failed(#x, __FILE__, __LINE__))

/* Returns -ERR_PEER from the calling function when X does not hold. */
#define peer_check(x) \
	do { \
		if (unlikely(!(x))) \
			return -ERR_PEER; \
	} while (0)

/* clang-format on */

/* Prints the expression and its place, then aborts. */
NORETURN void bug_failed(const char *expr, const char *file, int line);

#endif
