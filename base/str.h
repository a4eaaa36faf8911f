/*
 * base/str.h - strings: bounded numbers, comparison, quoting, base64.
 *
 * Purpose:   adds what <string.h> lacks, and safe forms of what it does
 *            unsafely.
 * Ownership: the caller owns results of functions named "new" (mem_free).
 * Units:     bytes.
 * Errors:    -ERR_SYNTAX, -ERR_RANGE where stated.
 * Source:    strtonum of OpenBSD for str_to_int; RFC 4648 for base64; the
 *            multiply-rotate mixing of MurmurHash3 for str_hash.
 * Tests:     regress/unit/check_str.c
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>

#include "base/buf.h"

/*
 * Parses all of S as a decimal number within MIN..MAX: an optional + or -, then
 * digits, no white space.  Returns 0, -ERR_SYNTAX if S is no number, or
 * -ERR_RANGE; sets OUT only on success.
 */
int str_to_int(const char *s, int64_t min, int64_t max, int64_t *out);

/* The same for the N bytes at S. */
int str_to_intn(
    const char *s, size_t n, int64_t min, int64_t max, int64_t *out);

/*
 * Parses a duration into milliseconds: "90" and "90s" (seconds), "10m", "1h",
 * "2d", or several in a row ("1h30m"); at least 1 ms, at most MAX.  Returns 0,
 * -ERR_SYNTAX or -ERR_RANGE; sets OUT only on success.
 */
int str_to_span(const char *s, uint64_t max, uint64_t *out);

/* Return whether S begins or ends with that text. */
bool str_starts(const char *s, const char *prefix);
bool str_ends(const char *s, const char *suffix);
bool str_eq_nocase(const char *a, const char *b); /* ASCII only */

/*
 * Returns whether the N bytes at S begin with PREFIX, which is in lower case,
 * in any case of ASCII letters.
 */
bool str_begins_nocase(const char *s, size_t n, const char *prefix);

/* As strlcpy and strlcat: always terminate; return the length needed. */
size_t str_copy(char *dst, const char *src, size_t size);
size_t str_append(char *dst, const char *src, size_t size);

/*
 * Makes bytes safe for a log or an error message: \n \r \t for these control
 * bytes, three octal digits (\033) for the others, for the bytes of invalid
 * UTF-8 and for C1 controls, and a doubled backslash.  Shows at most MAX bytes
 * of input (never part of a code point), then "...".
 */
char *str_printable_new(const void *p, size_t n, size_t max);

/*
 * The same into DST (SIZE at least 16); also cuts with "..." if DST is too
 * small; always terminates.  Returns the length.
 */
size_t str_printable(
    char *dst, size_t size, const void *p, size_t n, size_t max);

/*
 * Copies at most MAX bytes of text without control characters (C0, DEL, C1) and
 * invalid UTF-8, for a message of a peer that a terminal shows.
 */
char *str_plain_new(const void *p, size_t n, size_t max);

/* Quotes S for /bin/sh; leaves a word of safe characters unquoted. */
char *str_shell_quote_new(const char *s);

/* Appends standard base64 with padding, or nothing and -ERR_LIMIT. */
int str_base64_encode(struct buf *out, const void *p, size_t n);

/*
 * Decodes base64; skips white space, accepts missing padding, ignores unused
 * bits of the last character.  Returns 0, -ERR_SYNTAX, or -ERR_LIMIT when OUT
 * would exceed its maximum; on error OUT keeps its contents (but its overflow
 * flag may be set).
 */
int str_base64_decode(struct buf *out, const char *s, size_t n);

/* Returns the value 0..15 of a hex digit, or -1. */
int str_hex_digit(int c);

/*
 * Appends TEXT, broken at blanks (or after commas) into lines of at most WIDTH
 * bytes where its words allow; later lines begin with INDENT blanks.  AT is the
 * number of columns already used in the first line.  WIDTH 0 disables breaking.
 * Adds no final newline.
 */
void str_wrap(
    struct buf *out, const char *text, size_t at, size_t indent, size_t width);

/*
 * Returns a 64-bit hash of N bytes, the same on every machine; not
 * collision-resistant against an attacker who chooses the bytes.
 */
uint64_t str_hash(const void *p, size_t n, uint64_t seed);

#endif
