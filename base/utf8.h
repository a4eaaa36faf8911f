/*
 * base/utf8.h - strict UTF-8.
 *
 * Purpose:   decoding, encoding and checking.
 * Ownership: nothing is kept.
 * Units:     bytes and code points.
 * Errors:    invalid input is replaced as the Unicode standard recommends: one
 *            U+FFFD for each maximal subpart of an ill-formed sequence (section
 *            3.9, table 3-8).  Surrogates, overlong forms and values above
 *            U+10FFFF are ill-formed.
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

/* Result of utf8_decode for a sequence that is cut by the end of input. */
#define UTF8_INCOMPLETE 0

/*
 * Takes one code point (or one maximal subpart, as U+FFFD) from P.
 * Returns: bytes used (1..4), or UTF8_INCOMPLETE when P[0..n) is a valid but
 *          unfinished beginning (n < 4).  N is at least 1.
 */
size_t utf8_decode(const uint8_t *p, size_t n, uint32_t *cp);

/*
 * As utf8_decode, but an unfinished end counts as ill-formed: one U+FFFD for
 * all of it.
 */
size_t utf8_decode_final(const uint8_t *p, size_t n, uint32_t *cp);

/* Writes CP to OUT (at least 4 bytes); returns its length.  Invalid: U+FFFD. */
size_t utf8_encode(uint32_t cp, uint8_t *out);

/*
 * As utf8_encode, inline and in one store of four bytes, for a CP that is a
 * code point and no surrogate.
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

/* Whether all N bytes are well-formed; true for none. */
bool utf8_valid(const void *p, size_t n);

/*
 * Decodes code points that a terminal prints, as many as there are and as MAX
 * allows: stops before C0, DEL (0x7f), C1 (U+0080..U+009F), anything ill-formed
 * and an unfinished end.  Never yields a replacement for ill-formed input.
 * Out: cps[0..*ncps).  Returns the bytes used.
 */
size_t utf8_decode_run(
    const uint8_t *p, size_t n, uint32_t *cps, size_t max, size_t *ncps);

/* Number of leading bytes in 0x20..0x7e; the fast path of a terminal. */
size_t utf8_ascii_run(const uint8_t *p, size_t n);

#endif
