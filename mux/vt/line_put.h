/*
 * mux/vt/line_put.h - a few characters into a line, inline.
 *
 * Purpose:   the writer for the short texts between control sequences: where
 *            they end is random, so there is no branch on their length.
 * Ownership: as in line.h; the line must be ours alone.
 * Units:     columns, bytes of printable ASCII.
 * Errors:    none.
 * Source:    our own.
 * Tests:     regress/unit/check_vt_line.c
 */
#ifndef MUX_VT_LINE_PUT_H
#define MUX_VT_LINE_PUT_H

#include <string.h>

#include "mux/vt/line.h"

#if defined(__SSE2__)
# include <emmintrin.h>
#endif

/* Most bytes vt_line_put_few takes; so many must be readable at P. */
#define VT_LINE_FEW 16

/* A narrow cell. */
static inline struct vt_cell
vt_cell_of(uint32_t ch, unsigned style)
{
	return (struct vt_cell){ ch, (uint16_t)style, VT_NARROW, 0 };
}

#if defined(__SSE2__)
/* The upper half of a narrow cell, as it lies in memory after `ch`. */
static inline uint32_t
vt_cell_high(unsigned style)
{
	struct vt_cell c = vt_cell_of(0, style);
	uint32_t w;

	memcpy(&w, (const char *)&c + sizeof(c.ch), sizeof(w));
	return w;
}

/* Where M is all ones the two cells in V, elsewhere what is there. */
static inline void
vt_cells_blend(struct vt_cell *at, __m128i v, __m128i m)
{
	__m128i *out = (__m128i *)(void *)at, old = _mm_loadu_si128(out);

	_mm_storeu_si128(
	    out, _mm_xor_si128(old, _mm_and_si128(_mm_xor_si128(old, v), m)));
}

/*
 * Cells SKIP..SKIP+N-1 of the eight at DST from the N bytes at P: all eight
 * are written, the others as they were.
 */
static inline void
vt_cells_few(struct vt_cell *dst, unsigned skip, const uint8_t *p, unsigned n,
    unsigned style)
{
	const __m128i zero = _mm_setzero_si128();
	const __m128i high = _mm_set1_epi32((int)vt_cell_high(style));
	__m128i v, m, lo, hi;

	v = _mm_loadl_epi64((const __m128i *)(const void *)p);
	v = _mm_sll_epi64(v, _mm_cvtsi32_si128((int)(8 * skip)));
	m = _mm_srl_epi64(
	    _mm_set1_epi32(-1), _mm_cvtsi32_si128((int)(64 - 8 * n)));
	m = _mm_sll_epi64(m, _mm_cvtsi32_si128((int)(8 * skip)));
	v = _mm_unpacklo_epi8(v, zero);
	m = _mm_unpacklo_epi8(m, m);
	lo = _mm_unpacklo_epi16(v, zero);
	hi = _mm_unpackhi_epi16(v, zero);
	v = _mm_unpacklo_epi16(m, m);
	m = _mm_unpackhi_epi16(m, m);
	vt_cells_blend(
	    dst, _mm_unpacklo_epi32(lo, high), _mm_unpacklo_epi32(v, v));
	vt_cells_blend(
	    dst + 2, _mm_unpackhi_epi32(lo, high), _mm_unpackhi_epi32(v, v));
	vt_cells_blend(
	    dst + 4, _mm_unpacklo_epi32(hi, high), _mm_unpacklo_epi32(m, m));
	vt_cells_blend(
	    dst + 6, _mm_unpackhi_epi32(hi, high), _mm_unpackhi_epi32(m, m));
}
#else
static inline void
vt_cells_few(struct vt_cell *dst, unsigned skip, const uint8_t *p, unsigned n,
    unsigned style)
{
	unsigned i;

	for (i = 0; i < n; i++)
		dst[skip + i] = vt_cell_of(p[i], style);
}
#endif

/* The same for the cells of a line from COL on, of which there are 8. */
static inline void
vt_line_cells_few(struct vt_line *line, unsigned col, const uint8_t *p,
    unsigned n, unsigned style)
{
	unsigned from = MIN_OF(col, line->cap - 8u);

	vt_cells_few(line->cells + from, col - from, p, n, style);
}

/*
 * Puts 1 to VT_LINE_FEW bytes of printable ASCII at COL.  Returns false, and
 * has done nothing, where it takes more than that: no room in the cells, or a
 * wide cell across either end.
 */
static inline bool
vt_line_put_few(struct vt_line *line, unsigned col, const uint8_t *p,
    unsigned n, unsigned style)
{
	unsigned end = col + n, len = line->len, after;
	struct vt_cell *cells = line->cells;

	if (unlikely(end > line->cap || line->cap < 8))
		return false;
	/* What lies after the line's end is garbage: it does not count. */
	after = MIN_OF(end, line->cap - 1u);
	if (unlikely(((col < len) & (cells[col].width == VT_TAIL)) |
		     ((end < len) & (cells[after].width == VT_TAIL))))
		return false;
	if (unlikely(col > len))
		memset(cells + len, 0, (col - len) * sizeof(*cells));
	if (n == 1) {
		cells[col] = vt_cell_of(*p, style);
	} else if (likely(n <= 8)) {
		vt_line_cells_few(line, col, p, n, style);
	} else {
		vt_cells_few(cells + col, 0, p, 8, style);
		vt_line_cells_few(line, col + 8, p + 8, n - 8, style);
	}
	line->len = (uint16_t)MAX_OF(len, end);
	return true;
}

#endif
