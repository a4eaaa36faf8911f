#include "config.h"

#include <string.h>

#include "base/utf8.h"

#if defined(__SSE2__)
# include <emmintrin.h>
#elif defined(__aarch64__) && defined(__ARM_NEON)
# include <arm_neon.h>
#endif

/*
 * One step of the decoder, without branches on the data: the four bytes from
 * P on (zeros past the end) are loaded as one big-endian word.  The first
 * byte's upper five bits give the length; its row says which bits are fixed,
 * where the code point is and what the smallest value of that length is.
 * Everything Unicode's table 3-7 forbids then shows as a wrong fixed bit or a
 * value out of range.
 */
struct utf8_row {
	uint32_t mask;  /* bits that are given */
	uint32_t fixed; /* ... and their value */
	uint32_t min;   /* smallest code point in this form */
	uint8_t len;
	uint8_t shift; /* of the assembled bits */
	uint8_t lead;  /* value bits of the first byte */
};

#define ROW1                    \
 {                              \
  0x80000000, 0, 0, 1, 18, 0x7f \
 }
#define ROW0        \
 {                  \
  0, 1, 0, 0, 18, 0 \
 } /* never matches */
#define ROW2                                \
 {                                          \
  0xe0c00000, 0xc0800000, 0x80, 2, 12, 0x1f \
 }
#define ROW3                                \
 {                                          \
  0xf0c0c000, 0xe0808000, 0x800, 3, 6, 0x0f \
 }
#define ROW4                                  \
 {                                            \
  0xf8c0c0c0, 0xf0808080, 0x10000, 4, 0, 0x07 \
 }

/* clang-format off */
static const struct utf8_row utf8_rows[32] = {
	ROW1, ROW1, ROW1, ROW1, ROW1, ROW1, ROW1, ROW1,
	ROW1, ROW1, ROW1, ROW1, ROW1, ROW1, ROW1, ROW1,
	ROW0, ROW0, ROW0, ROW0, ROW0, ROW0, ROW0, ROW0,
	ROW2, ROW2, ROW2, ROW2, ROW3, ROW3, ROW4, ROW0,
};
/* clang-format on */

static inline uint32_t
load_be(const uint8_t *p, size_t n)
{
	uint8_t b[4] = { 0, 0, 0, 0 };

	if (likely(n >= 4)) {
		memcpy(b, p, 4);
	} else {
		b[0] = p[0];
		b[1] = n > 1 ? p[1] : 0;
		b[2] = n > 2 ? p[2] : 0;
	}
	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 |
	       (uint32_t)b[2] << 8 | b[3];
}

/* The code point in W as ROW has it; only meaningful if utf8_ok says so. */
static inline uint32_t
utf8_value(const struct utf8_row *row, uint32_t w)
{
	return ((w >> 24 & row->lead) << 18 | (w >> 4 & 0x3f000) |
		   (w >> 2 & 0xfc0) | (w & 0x3f)) >>
	       row->shift;
}

static inline bool
utf8_ok(const struct utf8_row *row, uint32_t w, uint32_t cp)
{
	return ((w & row->mask) == row->fixed) & (cp >= row->min) &
	       (cp >> 11 != 0x1b) & (cp <= 0x10ffff);
}

/*
 * Length of the maximal subpart of an ill-formed sequence (section 3.9):
 * 0 if all N bytes are the beginning of a well-formed one.
 */
static size_t
utf8_subpart(const uint8_t *p, size_t n)
{
	uint8_t b = p[0], lo = 0x80, hi = 0xbf;
	size_t len = b < 0xc2 || b > 0xf4 ? 1 : b < 0xe0 ? 2 : b < 0xf0 ? 3 : 4;
	size_t i;

	/* Table 3-7: four first bytes restrict the second one. */
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
	const struct utf8_row *row;
	uint32_t w;

	if (p[0] < 0x80) {
		*cp = p[0];
		return 1;
	}
	w = load_be(p, n);
	row = &utf8_rows[w >> 27];
	*cp = utf8_value(row, w);
	if (likely(utf8_ok(row, w, *cp)))
		return row->len;
	*cp = UTF8_REPLACEMENT;
	return utf8_subpart(p, n);
}

size_t
utf8_decode_final(const uint8_t *p, size_t n, uint32_t *cp)
{
	size_t used = utf8_decode(p, n, cp);

	/* An unfinished beginning is one maximal subpart in full. */
	return used == UTF8_INCOMPLETE ? n : used;
}

size_t
utf8_decode_run(
    const uint8_t *p, size_t n, uint32_t *cps, size_t max, size_t *ncps)
{
	const struct utf8_row *row;
	size_t at = 0, count = 0;
	uint32_t w, cp;

	while (at < n && count < max) {
		w = load_be(p + at, n - at);
		row = &utf8_rows[w >> 27];
		cp = utf8_value(row, w);
		if (!utf8_ok(row, w, cp) || cp < 0x20 ||
		    (cp >= 0x7f && cp < 0xa0))
			break;
		cps[count++] = cp;
		at += row->len;
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
utf8_valid(const void *p, size_t n)
{
	const uint8_t *in = p;
	const struct utf8_row *row;
	size_t at = 0;
	uint32_t w;

	while (at < n) {
		at += utf8_ascii_run(in + at, n - at);
		if (at == n)
			break;
		w = load_be(in + at, n - at);
		row = &utf8_rows[w >> 27];
		if (!utf8_ok(row, w, utf8_value(row, w)))
			return false;
		at += row->len;
	}
	return true;
}

size_t
utf8_ascii_run_portable(const uint8_t *p, size_t n)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t w, bad;
	size_t i = 0;

	/*
	 * Below 0x20 a byte borrows into its top bit, 0x7f carries into it, and
	 * from 0x80 it is set.  A borrow or carry only reaches bytes after
	 * (above) a bad one, so "none is bad" is exact.
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

/* One bit for each of 16 bytes: set if it is within 0x20..0x7e. */
static inline unsigned
ascii_bits(const uint8_t *p)
{
	__m128i v = _mm_loadu_si128((const void *)p);

	/* Signed: 0x7f + 1 and everything from 0x80 to 0xfe are negative. */
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
	return i + utf8_ascii_run_portable(p + i, n - i);
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
		/* Four bits of each byte that is out of range. */
		nibbles = vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(
					    vreinterpretq_u16_u8(v), 4)),
		    0);
		if (nibbles != 0)
			return i + (size_t)__builtin_ctzll(nibbles) / 4;
	}
	return i + utf8_ascii_run_portable(p + i, n - i);
}

#else

size_t
utf8_ascii_run(const uint8_t *p, size_t n)
{
	return utf8_ascii_run_portable(p, n);
}

#endif
