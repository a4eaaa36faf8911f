/*
 * base/str.h - strings: bounded numbers, comparison, quoting, base64.
 *
 * Purpose:   what <string.h> lacks or does unsafely.
 * Ownership: results named "new" are the caller's (mem_free).
 * Units:     bytes.
 * Errors:    -ERR_SYNTAX, -ERR_RANGE as said.
 * Source:    strtonum of OpenBSD for str_to_int; RFC 4648 for base64; the
 *            multiply-rotate mixing of MurmurHash3 for str_hash.
 * Tests:     regress/unit/check_str.c
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>

#include "base/buf.h"

/*
 * The whole of S as a decimal number within MIN..MAX: an optional + or - and
 * digits, nothing else (no white space).  Returns 0, -ERR_SYNTAX when it is no
 * number, or -ERR_RANGE; OUT is set only on success.
 */
int str_to_int(const char *s, int64_t min, int64_t max, int64_t *out);

/* As above for the N bytes at S. */
int str_to_intn(
    const char *s, size_t n, int64_t min, int64_t max, int64_t *out);

/*
 * A span of time in milliseconds: "90" and "90s" (seconds), "10m", "1h", "2d",
 * and such in a row ("1h30m"); at least 1 ms and at most MAX.
 * Returns 0, -ERR_SYNTAX or -ERR_RANGE; OUT is set only on success.
 */
int str_to_span(const char *s, uint64_t max, uint64_t *out);

/* Does S begin or end so?  ASCII case counts, except in str_eq_nocase. */
bool str_starts(const char *s, const char *prefix);
bool str_ends(const char *s, const char *suffix);
bool str_eq_nocase(const char *a, const char *b); /* ASCII only */

/* As strlcpy/strlcat: result always terminated; length wanted is returned. */
size_t str_copy(char *dst, const char *src, size_t size);
size_t str_append(char *dst, const char *src, size_t size);

/*
 * Makes bytes fit for a log or an error message: control bytes as \n \r \t or
 * three octal digits (\033), the bytes of invalid UTF-8 and of C1 controls as
 * octal too, a backslash doubled.  At most MAX bytes of input are shown (never
 * part of a code point), then "...".
 */
char *str_printable_new(const void *p, size_t n, size_t max);

/*
 * The same into DST (SIZE at least 16), also cut with "..." when DST is too
 * small; always terminated.  Returns the length.
 */
size_t str_printable(
    char *dst, size_t size, const void *p, size_t n, size_t max);

/* Quotes S for /bin/sh; a word of harmless characters stays as it is. */
char *str_shell_quote_new(const char *s);

/* Appends standard base64 with padding (all of it or nothing: -ERR_LIMIT). */
int str_base64_encode(struct buf *out, const void *p, size_t n);

/*
 * Decodes base64; white space is skipped, padding optional, bits left over in
 * the last character are ignored.
 * Returns 0, -ERR_SYNTAX, or -ERR_LIMIT when OUT would pass its maximum; on
 * error OUT is unchanged (but its overflow flag may be set).
 */
int str_base64_decode(struct buf *out, const char *s, size_t n);

/* Hex digit value 0..15, or -1. */
int str_hex_digit(int c);

/*
 * Appends TEXT broken at blanks (or behind commas) into lines of at most WIDTH
 * bytes, as far as its words allow; lines after the first begin with INDENT
 * blanks.  AT is how many columns the first line has already.  WIDTH 0: as it
 * is.  No newline at the end.
 */
void str_wrap(
    struct buf *out, const char *text, size_t at, size_t indent, size_t width);

/*
 * 64-bit content hash of N bytes, the same on every machine; not against an
 * attacker who chooses the bytes.
 */
uint64_t str_hash(const void *p, size_t n, uint64_t seed);

#endif
