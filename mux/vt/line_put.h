/*
 * mux/vt/line_put.h - writes a few characters into a line, inline.
 *
 * Purpose:   writes the short texts between control sequences.  Their length is
 *            random, so the code does not branch on it.
 * Ownership: as in line.h; the line must have one owner.
 * Units:     columns, bytes of printable ASCII.
 * Tests:     regress/unit/check_vt_line.c
 */
#ifndef MUX_VT_LINE_PUT_H
#define MUX_VT_LINE_PUT_H

#include <stddef.h>
#include <string.h>

#include "mux/vt/line.h"

#if defined(__SSE2__)
# include <emmintrin.h>
#endif

/* Most bytes that vt_line_put_few writes.  That many must be readable at P. */
#define VT_LINE_FEW 16

/* A narrow cell. */
static inline struct vt_cell
vt_cell_of(uint32_t ch, unsigned style)
{
	return (struct vt_cell){ ch, (uint16_t)style, VT_NARROW, 0 };
}

#if defined(__SSE2__)
/* Returns the upper half of a narrow cell, which follows `ch` in memory. */
static inline uint32_t
vt_cell_high(unsigned style)
{
	_Static_assert(offsetof(struct vt_cell, style) == 4 &&
			   offsetof(struct vt_cell, width) == 6 &&
			   VT_NARROW == 0,
	    "the style is the lower part, the rest is 0");
	return style;
}

/*
 * Sets cells 0..N-1 (N at most 8) at DST from the bytes at P.  Reads 8 bytes
 * and writes 8 cells, then restores those after the Nth: DST must have N + 8
 * cells.
 */
static inline void
vt_cells_few(struct vt_cell *dst, const uint8_t *p, unsigned n, unsigned style)
{
	const __m128i zero = _mm_setzero_si128();
	const __m128i high = _mm_set1_epi32((int)vt_cell_high(style));
	__m128i *out = (__m128i *)(void *)dst;
	__m128i *after = (__m128i *)(void *)(dst + n);
	__m128i a, b, c, d, v, w;

	a = _mm_loadu_si128(after);
	b = _mm_loadu_si128(after + 1);
	c = _mm_loadu_si128(after + 2);
	d = _mm_loadu_si128(after + 3);
	v = _mm_loadl_epi64((const __m128i *)(const void *)p);
	v = _mm_unpacklo_epi8(v, zero);
	w = _mm_unpacklo_epi16(v, zero);
	_mm_storeu_si128(out, _mm_unpacklo_epi32(w, high));
	_mm_storeu_si128(out + 1, _mm_unpackhi_epi32(w, high));
	w = _mm_unpackhi_epi16(v, zero);
	_mm_storeu_si128(out + 2, _mm_unpacklo_epi32(w, high));
	_mm_storeu_si128(out + 3, _mm_unpackhi_epi32(w, high));
	_mm_storeu_si128(after, a);
	_mm_storeu_si128(after + 1, b);
	_mm_storeu_si128(after + 2, c);
	_mm_storeu_si128(after + 3, d);
}
#else
static inline void
vt_cells_few(struct vt_cell *dst, const uint8_t *p, unsigned n, unsigned style)
{
	unsigned i;

	for (i = 0; i < n; i++)
		dst[i] = vt_cell_of(p[i], style);
}
#endif

_Static_assert((VT_TAIL & (VT_NARROW | VT_WIDE)) == 0, "a bit of its own");
_Static_assert(VT_LINE_SLACK >= 8, "vt_cells_few needs it");

/*
 * Writes 1 to VT_LINE_FEW bytes of printable ASCII at COL.  Returns false, and
 * changes nothing, if the line has no room or a wide cell or tab straddles either end.
 */
static inline bool
vt_line_put_few(struct vt_line *line, unsigned col, const uint8_t *p,
    unsigned n, unsigned style)
{
	unsigned end = col + n, len = line->len;
	struct vt_cell *cells = line->cells;

	if (unlikely(end > line->cap))
		return false;
	/* Ignore cells after the line's end: they hold garbage. */
	if (unlikely(((cells[col].width | cells[end].width) & VT_TAIL) != 0) &&
	    ((col < len && vt_cell_continues(cells[col])) ||
		(end < len && vt_cell_continues(cells[end]))))
		return false;
	if (unlikely(col > len))
		memset(cells + len, 0, (col - len) * sizeof(*cells));
	if (n == 1) {
		cells[col] = vt_cell_of(*p, style);
	} else if (likely(n <= 8)) {
		vt_cells_few(cells + col, p, n, style);
	} else {
		vt_cells_few(cells + col, p, 8, style);
		vt_cells_few(cells + col + 8, p + 8, n - 8, style);
	}
	line->len = (uint16_t)MAX_OF(len, end);
	return true;
}

#endif
