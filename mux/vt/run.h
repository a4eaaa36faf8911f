/*
 * mux/vt/run.h - reads several bytes of output at a time.
 *
 * Purpose:   utf8_ascii_run for the short runs between control sequences;
 *            UTF-8 decoding from one load of four bytes.
 * Ownership: plain values.
 * Units:     bytes.
 * Tests:     regress/unit/check_vt_parser.c
 */
#ifndef MUX_VT_RUN_H
#define MUX_VT_RUN_H

#include <string.h>

#include "base/utf8.h"

#if defined(__SSE2__)
# include <emmintrin.h>
#endif

/*
 * utf8_ascii_run for the short runs between sequences: inline, and without a
 * branch that the processor would mispredict.
 */
static inline size_t
vt_run_ascii(const uint8_t *s, size_t n)
{
	size_t k = 0;

#if defined(__SSE2__)
	if (likely(n >= 16)) {
		__m128i x = _mm_loadu_si128((const __m128i *)(const void *)s);
		int mask;

		/*
		 * As signed bytes: from 0x7f on, adding one gives a negative
		 * number.
		 */
		x = _mm_add_epi8(x, _mm_set1_epi8(1));
		x = _mm_cmpgt_epi8(x, _mm_set1_epi8(0x20));
		mask = _mm_movemask_epi8(x) ^ 0xffff;
		if (mask != 0)
			return (size_t)__builtin_ctz((unsigned)mask);
		k = 16;
	}
#endif
	return k < n ? k + utf8_ascii_run(s + k, n - k) : k;
}

/* Loads four bytes, the first one lowest. */
static inline uint32_t
vt_run_load(const uint8_t *s)
{
	uint32_t w;

	memcpy(&w, s, sizeof w);
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
	w = __builtin_bswap32(w);
#endif
	return w;
}

/*
 * Decodes the character at S if it looks well-formed; four bytes must be
 * readable.  The result may still be a control or a surrogate.
 *
 * Returns: its length; 0 if it needs the full decoder.
 */
static inline unsigned
vt_run_take(const uint8_t *s, uint32_t *cp)
{
	uint32_t w = vt_run_load(s), c;

	if ((w & 0xc0c0f0) == 0x8080e0) {
		*cp = c = (w & 0xf) << 12 | (w >> 2 & 0xfc0) | (w >> 16 & 0x3f);
		return likely(c >= 0x800) ? 3 : 0;
	}
	if ((w & 0xc0e0) == 0x80c0) {
		*cp = c = (w & 0x1f) << 6 | (w >> 8 & 0x3f);
		return likely(c >= 0x80) ? 2 : 0;
	}
	if ((w & 0x80) == 0) {
		*cp = w & 0x7f;
		return 1;
	}
	if ((w & 0xc0c0c0f8) == 0x808080f0) {
		*cp = c = (w & 0x7) << 18 | (w << 4 & 0x3f000) |
			  (w >> 10 & 0xfc0) | (w >> 24 & 0x3f);
		return likely(c - 0x10000 < 0x100000) ? 4 : 0;
	}
	return 0;
}

/* Like vt_run_take, but returns 0 also for controls and surrogates. */
static inline unsigned
vt_run_decode(const uint8_t *s, uint32_t *cp)
{
	unsigned k = vt_run_take(s, cp);
	uint32_t c = *cp;

	if (unlikely(k == 0 || c < 0x20 || c - 0x7f < 0xa0 - 0x7f ||
		     c - 0xd800 < 0x800))
		return 0;
	return k;
}

#endif
