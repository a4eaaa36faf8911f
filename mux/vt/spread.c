/*
 * Text of one script comes in runs, so there is a loop for each encoded length
 * of characters.  One comparison of four bytes tells whether the next character
 * has the same length and is well-formed.  The number of columns bounds the
 * bytes used, so that the loops need no other count.
 */
#include "mux/vt/spread.h"

#include "mux/vt/run.h"

/* The state of one call. */
struct spread {
	const uint8_t *widths; /* of plane 0 */
	const uint8_t *s;
	struct vt_cell *dst;
	struct vt_cell *last; /* last cell at which a wide character fits */
	uint64_t style;       /* a cell with only the style */
	uint64_t tail;        /* a whole tail cell */
};

/* Returns the cell of CP in the style. */
static ALWAYS_INLINE uint64_t
spread_cell(const struct spread *o, uint32_t cp, unsigned width)
{
	return o->style | vt_cell_bits(cp, 0, width - 1);
}

/* Writes CP, of BYTES bytes; false if it is not simple. */
static ALWAYS_INLINE bool
spread_put(struct spread *o, uint32_t cp, unsigned width, unsigned bytes)
{
	if (unlikely(width == 0))
		return false;
	/* Always write a tail; a narrow character's successor overwrites it. */
	vt_cell_set(o->dst, spread_cell(o, cp, width));
	vt_cell_set(o->dst + 1, o->tail);
	o->dst += width;
	o->s += bytes;
	return true;
}

/* Writes up to eight bytes of an ASCII run shorter than sixteen. */
static ALWAYS_INLINE bool
spread_ascii(struct spread *o, unsigned style)
{
	size_t n = vt_run_ascii(o->s, VT_SPREAD_LOOK);
	size_t room = (size_t)(o->last - o->dst) + 1, i;

	if (n == 0 || n == VT_SPREAD_LOOK)
		return false;
	n = MIN_OF(n, room);
	n = MIN_OF(n, 8u);
#if defined(__SSE2__)
	const __m128i zero = _mm_setzero_si128();
	const __m128i high = _mm_set1_epi32((int)style);
	__m128i *out = (__m128i *)(void *)o->dst, x, t;

	(void)i;
	x = _mm_loadl_epi64((const __m128i *)(const void *)o->s);
	x = _mm_unpacklo_epi8(x, zero);
	t = _mm_unpacklo_epi16(x, zero);
	_mm_storeu_si128(out, _mm_unpacklo_epi32(t, high));
	_mm_storeu_si128(out + 1, _mm_unpackhi_epi32(t, high));
	t = _mm_unpackhi_epi16(x, zero);
	_mm_storeu_si128(out + 2, _mm_unpacklo_epi32(t, high));
	_mm_storeu_si128(out + 3, _mm_unpackhi_epi32(t, high));
#else
	for (i = 0; i < n; i++)
		vt_cell_set(
		    o->dst + i, vt_cell_bits(o->s[i], style, VT_NARROW));
#endif
	o->dst += n;
	o->s += n;
	return true;
}

/* Writes one character beyond plane 0. */
static ALWAYS_INLINE bool
spread_four(struct spread *o, const struct grapheme_table *g)
{
	uint32_t cp;

	return vt_run_take(o->s, &cp) == 4 &&
	       spread_put(o, cp, grapheme_simple(g, cp), 4);
}

static ALWAYS_INLINE bool
spread_some(struct spread *o, const struct grapheme_table *g, unsigned style)
{
	uint32_t w = vt_run_load(o->s), cp;

	while ((w & 0xc0c0f0) == 0x8080e0) {
		cp = (w & 0xf) << 12 | (w >> 2 & 0xfc0) | (w >> 16 & 0x3f);
		/* Surrogates are not simple, either. */
		if (unlikely(cp < 0x800) ||
		    !spread_put(o, cp, o->widths[cp], 3))
			return false;
		if (o->dst > o->last)
			return true;
		w = vt_run_load(o->s);
	}
	while ((w & 0xc0e0) == 0x80c0) {
		cp = (w & 0x1f) << 6 | (w >> 8 & 0x3f);
		/* Controls are not simple, either. */
		if (unlikely(cp < 0x80) || !spread_put(o, cp, o->widths[cp], 2))
			return false;
		if (o->dst > o->last)
			return true;
		w = vt_run_load(o->s);
	}
	if ((w & 0x80) == 0) {
		/* Usually a space between two words. */
		if ((w & 0x8000) != 0)
			return spread_put(o, w & 0x7f, o->widths[w & 0x7f], 1);
		return spread_ascii(o, style);
	}
	return (w & 0xf0) != 0xf0 || spread_four(o, g);
}

/* Fills the last column, which has room for a narrow character. */
static inline void
spread_last(struct spread *o, const struct grapheme_table *g)
{
	uint32_t cp;
	unsigned k = vt_run_take(o->s, &cp);

	/* Controls and surrogates are not simple. */
	if (k > 0 && grapheme_simple(g, cp) == 1 &&
	    (k > 1 || vt_run_ascii(o->s, VT_SPREAD_LOOK) < VT_SPREAD_LOOK))
		spread_put(o, cp, 1, k);
}

unsigned
vt_spread(const struct grapheme_table *g, const uint8_t **sp,
    const uint8_t *end, struct vt_cell *dst, unsigned cols, unsigned style)
{
	struct spread o = { g->plane0, *sp, dst, dst,
		vt_cell_bits(0, style, VT_NARROW),
		vt_cell_bits(0, style, VT_TAIL) };
	struct vt_cell *stop = dst + cols;
	const uint8_t *from;
	size_t most;

	if (unlikely(end - o.s < VT_SPREAD_LOOK))
		return 0;
	if (likely(cols > 1)) {
		/* A column takes at most four bytes. */
		most = (size_t)(end - o.s - VT_SPREAD_LOOK) / UTF8_MAX;
		o.last += MIN_OF(most, (size_t)cols - 2);
		do {
			from = o.s;
		} while (spread_some(&o, g, style) && o.dst <= o.last &&
			 o.s != from);
	}
	if (o.dst + 1 == stop && end - o.s >= VT_SPREAD_LOOK)
		spread_last(&o, g);
	*sp = o.s;
	return (unsigned)(o.dst - dst);
}
