/*
 * base/utf8.h - strict UTF-8.
 *
 * Purpose:   decodes, encodes and checks UTF-8.
 * Units:     bytes and code points.
 * Errors:    ill-formed input is replaced as the Unicode standard recommends:
 *            one U+FFFD for each maximal subpart of an ill-formed sequence
 *            (section 3.9, table 3-8).  Surrogates, overlong forms and values
 *            above U+10FFFF are ill-formed.
 * Source:    Unicode 15 section 3.9, table 3-7.
 * Tests:     regress/unit/check_utf8.c
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <string.h>

#include "base/compiler.h"

#define UTF8_REPLACEMENT 0xfffdu
#define UTF8_MAX 4

/* Result of utf8_decode for a sequence that the end of input cuts. */
#define UTF8_INCOMPLETE 0

/*
 * Decodes one code point at P, or one maximal subpart as U+FFFD.
 * Returns: bytes used (1..4), or UTF8_INCOMPLETE when P[0..n) is a valid but
 *          unfinished beginning (n < 4).  N is at least 1.
 */
size_t utf8_decode(const uint8_t *p, size_t n, uint32_t *cp);

/*
 * As utf8_decode, but an unfinished end is ill-formed: one U+FFFD for all of
 * it.
 */
size_t utf8_decode_final(const uint8_t *p, size_t n, uint32_t *cp);

/*
 * Writes CP, or U+FFFD if it is invalid, to OUT (at least 4 bytes); returns the
 * length.
 */
size_t utf8_encode(uint32_t cp, uint8_t *out);

/*
 * As utf8_encode, inline and in one four-byte store; CP must be a valid code
 * point, not a surrogate.
 */
static inline size_t
utf8_put(uint32_t cp, uint8_t out[UTF8_MAX])
{
	uint32_t w;
	size_t n;

	if (cp < 0x80) {
		w = cp;
		n = 1;
	} else if (cp < 0x800) {
		w = 0x80c0 | cp >> 6 | (cp & 0x3f) << 8;
		n = 2;
	} else if (cp < 0x10000) {
		w = 0x8080e0 | cp >> 12 | (cp << 2 & 0x3f00) |
		    (cp & 0x3f) << 16;
		n = 3;
	} else {
		w = 0x808080f0 | cp >> 18 | (cp >> 4 & 0x3f00) |
		    (cp << 10 & 0x3f0000) | (cp & 0x3f) << 24;
		n = 4;
	}
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
	w = __builtin_bswap32(w);
#endif
	memcpy(out, &w, sizeof w);
	return n;
}

/* Returns whether all N bytes are well-formed; true for N = 0. */
bool utf8_valid(const void *p, size_t n);

/*
 * Tells whether the bytes have a control character: C0, DEL, or C1 (U+0080 to
 * U+009F) as UTF-8.
 */
bool utf8_has_control(const void *p, size_t n);

/*
 * Decodes up to MAX printable code points.  Stops before C0, DEL (0x7f), C1
 * (U+0080..U+009F), ill-formed bytes and an unfinished end; never yields a
 * replacement.  Returns the bytes used.
 * Out: cps[0..*ncps)
 */
size_t utf8_decode_run(
    const uint8_t *p, size_t n, uint32_t *cps, size_t max, size_t *ncps);

/* Returns the number of leading bytes in 0x20..0x7e; a terminal's fast path. */
size_t utf8_ascii_run(const uint8_t *p, size_t n);

/*
 * Tells whether S can name a session, window or buffer: UTF-8 without control
 * characters.
 */
bool utf8_is_name(const char *s);

#endif
