#include "config.h"

#include <string.h>

#include "base/utf8.h"

#if defined(__SSE2__)
# include <emmintrin.h>
#elif defined(__aarch64__) && defined(__ARM_NEON)
# include <arm_neon.h>
#endif

/* Loads up to four bytes at P as a big-endian word, padded with zeros. */
static inline uint32_t
load_be(const uint8_t *p, size_t n)
{
	uint32_t w;

	if (likely(n >= 4)) {
		memcpy(&w, p, 4);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		w = __builtin_bswap32(w);
#endif
		return w;
	}
	w = (uint32_t)p[0] << 24;
	if (n > 1)
		w |= (uint32_t)p[1] << 16;
	if (n > 2)
		w |= (uint32_t)p[2] << 8;
	return w;
}

/*
 * Decodes the first code point of the word W of load_be.  One test covers the
 * fixed bits of each length; the value shows what table 3-7 forbids besides.
 * Text keeps one length for long stretches, so the branches are predicted and
 * the next step need not wait for this one.  A table of lengths would add its
 * loads to that chain: measured slower on all text, four times on CJK.
 * Returns: the length, or 0 for ill-formed or cut input.
 */
static inline size_t
utf8_step(uint32_t w, uint32_t *cp)
{
	if ((w & 0xf0c0c000) == 0xe0808000) {
		*cp = (w >> 12 & 0xf000) | (w >> 10 & 0xfc0) | (w >> 8 & 0x3f);
		return *cp >= 0x800 && *cp >> 11 != 0x1b ? 3 : 0;
	}
	if ((w & 0xe0c00000) == 0xc0800000) {
		*cp = (w >> 18 & 0x7c0) | (w >> 16 & 0x3f);
		return *cp >= 0x80 ? 2 : 0;
	}
	if (w < 0x80000000) {
		*cp = w >> 24;
		return 1;
	}
	if ((w & 0xf8c0c0c0) == 0xf0808080) {
		*cp = (w >> 6 & 0x1c0000) | (w >> 4 & 0x3f000) |
		      (w >> 2 & 0xfc0) | (w & 0x3f);
		return *cp >= 0x10000 && *cp <= 0x10ffff ? 4 : 0;
	}
	return 0;
}

/*
 * Returns the length of the maximal subpart of an ill-formed sequence (section
 * 3.9), or 0 if all N bytes begin a well-formed one.
 */
static size_t
utf8_subpart(const uint8_t *p, size_t n)
{
	uint8_t b = p[0], lo = 0x80, hi = 0xbf;
	size_t len = b < 0xc2 || b > 0xf4 ? 1 : b < 0xe0 ? 2 : b < 0xf0 ? 3 : 4;
	size_t i;

	/* Table 3-7: four first bytes restrict the second byte. */
	if (b == 0xe0)
		lo = 0xa0;
	else if (b == 0xed)
		hi = 0x9f;
	else if (b == 0xf0)
		lo = 0x90;
	else if (b == 0xf4)
		hi = 0x8f;
	for (i = 1; i < len; i++) {
		if (i == n)
			return 0;
		if (p[i] < lo || p[i] > hi)
			return i;
		lo = 0x80;
		hi = 0xbf;
	}
	return 1;
}

size_t
utf8_decode(const uint8_t *p, size_t n, uint32_t *cp)
{
	size_t len;

	if (p[0] < 0x80) {
		*cp = p[0];
		return 1;
	}
	len = utf8_step(load_be(p, n), cp);
	if (likely(len > 0))
		return len;
	*cp = UTF8_REPLACEMENT;
	return utf8_subpart(p, n);
}

size_t
utf8_decode_final(const uint8_t *p, size_t n, uint32_t *cp)
{
	size_t used = utf8_decode(p, n, cp);

	/* An unfinished sequence is one maximal subpart. */
	return used == UTF8_INCOMPLETE ? n : used;
}

/* Returns whether a terminal executes CP instead of printing it. */
static inline bool
is_control(uint32_t cp)
{
	return cp < 0x20 || (cp >= 0x7f && cp < 0xa0);
}

size_t
utf8_decode_run(
    const uint8_t *p, size_t n, uint32_t *cps, size_t max, size_t *ncps)
{
	size_t at = 0, count = 0, len;
	uint32_t cp;

	while (at < n && count < max) {
		len = utf8_step(load_be(p + at, n - at), &cp);
		if (unlikely(len == 0 || is_control(cp)))
			break;
		cps[count++] = cp;
		at += len;
	}
	*ncps = count;
	return at;
}

size_t
utf8_encode(uint32_t cp, uint8_t *out)
{
	if (cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff))
		cp = UTF8_REPLACEMENT;
	if (cp < 0x80) {
		out[0] = (uint8_t)cp;
		return 1;
	}
	if (cp < 0x800) {
		out[0] = (uint8_t)(0xc0 | cp >> 6);
		out[1] = (uint8_t)(0x80 | (cp & 0x3f));
		return 2;
	}
	if (cp < 0x10000) {
		out[0] = (uint8_t)(0xe0 | cp >> 12);
		out[1] = (uint8_t)(0x80 | (cp >> 6 & 0x3f));
		out[2] = (uint8_t)(0x80 | (cp & 0x3f));
		return 3;
	}
	out[0] = (uint8_t)(0xf0 | cp >> 18);
	out[1] = (uint8_t)(0x80 | (cp >> 12 & 0x3f));
	out[2] = (uint8_t)(0x80 | (cp >> 6 & 0x3f));
	out[3] = (uint8_t)(0x80 | (cp & 0x3f));
	return 4;
}

bool
utf8_has_control(const void *p, size_t n)
{
	const uint8_t *s = p;
	size_t i;

	for (i = 0; i < n; i++)
		if (s[i] < 0x20 || s[i] == 0x7f ||
		    (s[i] == 0xc2 && i + 1 < n && s[i + 1] >= 0x80 &&
			s[i + 1] <= 0x9f))
			return true;
	return false;
}

bool
utf8_valid(const void *p, size_t n)
{
	const uint8_t *in = p;
	size_t at = 0, len;
	uint32_t cp;

	while (at < n) {
		if (in[at] < 0x80) {
			len = utf8_ascii_run(in + at, n - at);
			at += MAX_OF(len, 1);
			continue;
		}
		len = utf8_step(load_be(in + at, n - at), &cp);
		if (len == 0)
			return false;
		at += len;
	}
	return true;
}

/* Scans eight bytes at a time; the vector versions end with it. */
static size_t
ascii_run_portable(const uint8_t *p, size_t n)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t w, bad;
	size_t i = 0;

	/*
	 * The top bit of a byte becomes set by a borrow below 0x20, by a carry
	 * at 0x7f, and is set from 0x80.  A borrow or carry reaches only bytes
	 * after (above) a bad one, so "no bit set" is exact.
	 */
	for (; n - i >= 8; i += 8) {
		memcpy(&w, p + i, 8);
		bad = (w | (w - ones * 0x20) | (w + ones)) & (ones * 0x80);
		if (bad != 0)
			break;
	}
	while (i < n && p[i] >= 0x20 && p[i] < 0x7f)
		i++;
	return i;
}

#if defined(__SSE2__)

/* Returns one bit for each of 16 bytes: set if within 0x20..0x7e. */
static inline unsigned
ascii_bits(const uint8_t *p)
{
	__m128i v = _mm_loadu_si128((const void *)p);

	/* Signed: 0x7f + 1 and all of 0x80..0xfe are negative. */
	v = _mm_add_epi8(v, _mm_set1_epi8(1));
	v = _mm_cmpgt_epi8(v, _mm_set1_epi8(0x20));
	return (unsigned)_mm_movemask_epi8(v);
}

size_t
utf8_ascii_run(const uint8_t *p, size_t n)
{
	unsigned bits;
	size_t i;

	for (i = 0; n - i >= 16; i += 16) {
		bits = ascii_bits(p + i);
		if (bits != 0xffff)
			return i + (size_t)__builtin_ctz(~bits);
	}
	return i + ascii_run_portable(p + i, n - i);
}

#elif defined(__aarch64__) && defined(__ARM_NEON)

size_t
utf8_ascii_run(const uint8_t *p, size_t n)
{
	uint8x16_t v;
	uint64_t nibbles;
	size_t i;

	for (i = 0; n - i >= 16; i += 16) {
		v = vsubq_u8(vld1q_u8(p + i), vdupq_n_u8(0x20));
		v = vcgeq_u8(v, vdupq_n_u8(0x5f));
		/* Four bits for each byte out of range. */
		nibbles = vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(
					    vreinterpretq_u16_u8(v), 4)),
		    0);
		if (nibbles != 0)
			return i + (size_t)__builtin_ctzll(nibbles) / 4;
	}
	return i + ascii_run_portable(p + i, n - i);
}

#else

size_t
utf8_ascii_run(const uint8_t *p, size_t n)
{
	return ascii_run_portable(p, n);
}

#endif

bool
utf8_is_name(const char *s)
{
	const uint8_t *p = (const uint8_t *)s;
	size_t left = strlen(s), n;
	uint32_t cp;

	for (; left > 0; p += n, left -= n) {
		n = utf8_decode_final(p, left, &cp);
		if (cp < 0x20 || (cp >= 0x7f && cp < 0xa0))
			return false;
		if (cp == UTF8_REPLACEMENT && n < 3)
			return false;
	}
	return true;
}
