/*
 * base/str.h - strings: bounded numbers, comparison, quoting, base64.
 *
 * Purpose:   what <string.h> lacks or does unsafely.
 * Ownership: results named "new" are the caller's (mem_free).
 * Units:     bytes.
 * Errors:    -ERR_SYNTAX, -ERR_RANGE as said.
 * Source:    strtonum of OpenBSD for str_to_int; RFC 4648 for base64.
 * Tests:     regress/unit/check_str.c
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>

#include "base/buf.h"

/* The whole of S as a decimal number within MIN..MAX. */
int str_to_int(const char *s, int64_t min, int64_t max, int64_t *out);

/* As above for the N bytes at S. */
int str_to_intn(const char *s, size_t n, int64_t min, int64_t max, int64_t *out);

bool str_starts(const char *s, const char *prefix);
bool str_ends(const char *s, const char *suffix);
bool str_eq_nocase(const char *a, const char *b); /* ASCII only */

/* As strlcpy/strlcat: result always terminated; length wanted is returned. */
size_t str_copy(char *dst, const char *src, size_t size);
size_t str_append(char *dst, const char *src, size_t size);

/*
 * Makes bytes fit for a log or an error message: control bytes as \n, \033,
 * invalid UTF-8 as \377.  At most MAX bytes of input are shown, then "...".
 */
char *str_printable_new(const void *p, size_t n, size_t max);

/* Quotes S for /bin/sh. */
char *str_shell_quote_new(const char *s);

/* Standard base64 with padding. */
void str_base64_encode(struct buf *out, const void *p, size_t n);

/*
 * Decodes base64; white space is skipped, padding optional.
 * Returns 0, -ERR_SYNTAX, or -ERR_LIMIT when OUT is full.
 */
int str_base64_decode(struct buf *out, const char *s, size_t n);

/* Hex digit value 0..15, or -1. */
int str_hex_digit(int c);

/* 64-bit content hash of N bytes, not against an attacker (seeded FNV-like). */
uint64_t str_hash(const void *p, size_t n, uint64_t seed);

#endif
