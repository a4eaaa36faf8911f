/*
 * base/bidi.h - the Unicode bidirectional algorithm for a line of text.
 *
 * Purpose:   levels and order of characters as they are shown.  A paragraph
 *            begins at the left, as in other terminals: a prompt must not move
 *            when somebody types Hebrew behind it.
 * Ownership: none.
 * Units:     code points.
 * Errors:    -ERR_UNSUPPORTED without the library, -ERR_LIMIT if it has no
 *            memory; the result then is not set.
 * Source:    UAX #9 through fribidi (configure --with-fribidi).
 * Tests:     regress/unit/check_bidi.c
 */
#ifndef BASE_BIDI_H
#define BASE_BIDI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether rmux was built with the library. */
bool bidi_have(void);

/* Whether CP may be written from right to left; false for most at once. */
bool bidi_is_rtl(uint32_t cp);

/* Returns the mirror image of CP, or CP. */
uint32_t bidi_mirror(uint32_t cp);

/* A paragraph. */
struct bidi;

/* Resolves the levels of a paragraph of N characters (1 to 2^20). */
int bidi_new(const uint32_t *cp, size_t n, struct bidi **out);
void bidi_free(struct bidi *b); /* NULL is fine */

/* Whether character I is written from right to left. */
bool bidi_level_odd(const struct bidi *b, size_t i);

/*
 * Orders the characters FROM..FROM+N-1, which stand in one row: sets order[i] to
 * the number, less FROM, of the character that is shown at place I from the left.
 */
int bidi_order(struct bidi *b, size_t from, size_t n, int *order);

#endif
