/* Writing the cells of a line.  No function leaves half of a wide cell. */
#include "base/mem.h"
#include "base/utf8.h"
#include "mux/vt/line_int.h"
#include "mux/vt/line_put.h"

/* Writes N bytes as N narrow cells of one style. */
static inline void
cells_from_ascii(
    struct vt_cell *dst, const uint8_t *p, unsigned n, unsigned style)
{
	unsigned i = 0;
#if defined(__SSE2__)
	const __m128i zero = _mm_setzero_si128();
	const __m128i high = _mm_set1_epi32((int)vt_cell_high(style));
	__m128i b, w, d, *out;

	/* The last eight may overlap the eight before. */
	for (; n >= 8 && i < n; i += 8) {
		i = MIN_OF(i, n - 8);
		out = (__m128i *)(void *)(dst + i);
		b = _mm_loadl_epi64((const __m128i *)(const void *)(p + i));
		w = _mm_unpacklo_epi8(b, zero);
		d = _mm_unpacklo_epi16(w, zero);
		_mm_storeu_si128(out, _mm_unpacklo_epi32(d, high));
		_mm_storeu_si128(out + 1, _mm_unpackhi_epi32(d, high));
		d = _mm_unpackhi_epi16(w, zero);
		_mm_storeu_si128(out + 2, _mm_unpacklo_epi32(d, high));
		_mm_storeu_si128(out + 3, _mm_unpackhi_epi32(d, high));
	}
	if (i + 4 <= n) {
		uint32_t four;

		memcpy(&four, p + i, sizeof(four));
		out = (__m128i *)(void *)(dst + i);
		w = _mm_unpacklo_epi8(_mm_cvtsi32_si128((int)four), zero);
		d = _mm_unpacklo_epi16(w, zero);
		_mm_storeu_si128(out, _mm_unpacklo_epi32(d, high));
		_mm_storeu_si128(out + 1, _mm_unpackhi_epi32(d, high));
		i += 4;
	}
#endif
	for (; i < n; i++)
		dst[i] = vt_cell_of(p[i], style);
}

static inline void
cells_fill(struct vt_cell *dst, unsigned n, struct vt_cell c)
{
	unsigned i;

	for (i = 0; i < n; i++)
		dst[i] = c;
}

void
vt_line_put_ascii(struct vt_line *line, unsigned col, const uint8_t *p,
    unsigned n, unsigned style)
{
	if (unlikely(n == 0))
		return;
	cells_from_ascii(vt_line_open(line, col, col + n), p, n, style);
}

void
vt_line_put(struct vt_line *line, unsigned col, uint32_t cp,
    enum vt_width width, unsigned style)
{
	struct vt_cell *c;

	c = vt_line_open(line, col, col + (width == VT_WIDE ? 2 : 1));
	c[0] = vt_cell_of(cp, style);
	if (width == VT_WIDE) {
		c[0].width = VT_WIDE;
		c[1] = vt_cell_of(0, style);
		c[1].width = VT_TAIL;
	}
}

/* Returns N cut to VT_CLUSTER_MAX bytes, never inside a code point. */
static size_t
cluster_fit(const char *text, size_t n)
{
	if (n <= VT_CLUSTER_MAX)
		return n;
	n = VT_CLUSTER_MAX;
	while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80)
		n--;
	return n;
}

void
vt_line_put_cluster(struct vt_line *line, unsigned col, const char *text,
    size_t n, enum vt_width width, unsigned style)
{
	uint32_t cp;

	n = cluster_fit(text, n);
	if (n == 0)
		return;
	if (utf8_decode_final((const uint8_t *)text, n, &cp) == n) {
		vt_line_put(line, col, cp, width, style);
		return;
	}
	vt_line_put(line, col, ' ', width, style);
	cp = vt_line_text_add(line, text, n);
	line->cells[col].ch = cp;
}

void
vt_line_put_pad(struct vt_line *line, unsigned col, unsigned style)
{
	struct vt_cell *c = vt_line_open(line, col, col + 1);

	*c = vt_cell_of(0, style);
	c->width = VT_PAD;
}

void
vt_line_put_tab(struct vt_line *line, unsigned col, unsigned n, unsigned style)
{
	struct vt_cell *c = vt_line_open(line, col, col + n);
	unsigned i;

	for (i = 0; i < n; i++) {
		c[i] = vt_cell_of(' ', style);
		c[i].width = i == 0 ? VT_TAB : VT_TAB_REST;
	}
}

void
vt_line_untab(struct vt_line *line, unsigned col)
{
	/* A copy may begin with the rest of a tab. */
	while (col > 0 && line->cells[col].width == VT_TAB_REST &&
	       line->cells[col - 1].width >= VT_TAB)
		col--;
	do
		line->cells[col].width = VT_NARROW;
	while (++col < line->len && line->cells[col].width == VT_TAB_REST);
}

/* Adds CP to the cluster of cell C; false if it does not fit. */
static bool
cluster_extend(struct vt_line *line, struct vt_cell *c, uint32_t cp)
{
	uint32_t at = c->ch & ~VT_CELL_CLUSTER;
	uint8_t all[VT_CLUSTER_MAX + UTF8_MAX];
	size_t len = line->text[at], n;

	if (at + 1 + len == line->ntext &&
	    line->ntext + UTF8_MAX <= line->captext) {
		n = utf8_put(cp, line->text + line->ntext);
		if (len + n > VT_CLUSTER_MAX)
			return false;
		line->ntext += (uint32_t)n;
		line->text[at] = (uint8_t)(len + n);
		return true;
	}
	memcpy(all, line->text + at + 1, len);
	n = utf8_put(cp, all + len);
	if (len + n > VT_CLUSTER_MAX)
		return false;
	c->ch = ' ';
	c->ch = vt_line_text_add(line, all, len + n);
	return true;
}

bool
vt_line_append(
    struct vt_pool *pool, struct vt_line *line, unsigned col, uint32_t cp)
{
	struct vt_cell *c;
	uint8_t *all;
	size_t n;

	(void)pool;
	if (col >= line->len)
		vt_line_put(line, col, ' ', VT_NARROW, 0);
	c = &line->cells[col];
	if (c->width >= VT_TAB)
		vt_line_untab(line, col);
	if (c->width == VT_TAIL && col > 0)
		c--;
	if ((c->ch & VT_CELL_CLUSTER) != 0)
		return cluster_extend(line, c, cp);
	if (c->width == VT_PAD)
		c->width = VT_NARROW;
	vt_line_text_room(line, 1 + 2 * UTF8_MAX);
	all = line->text + line->ntext;
	n = utf8_put(c->ch == 0 ? ' ' : c->ch, all + 1);
	n += utf8_put(cp, all + 1 + n);
	all[0] = (uint8_t)n;
	c->ch = VT_CELL_CLUSTER | line->ntext;
	line->ntext += (uint32_t)n + 1;
	return true;
}

void
vt_line_set_width(struct vt_line *line, unsigned col, enum vt_width width)
{
	struct vt_cell *c;

	if (col >= line->len)
		return;
	if (line->cells[col].width >= VT_TAB)
		vt_line_untab(line, col);
	if (line->cells[col].width == VT_TAIL)
		col--;
	if (line->cells[col].width == (uint8_t)width)
		return;
	if (width == VT_WIDE) {
		vt_line_open(line, col + 1, col + 2);
		c = line->cells + col;
		c[0].width = VT_WIDE;
		c[1] = vt_cell_of(0, c[0].style);
		c[1].width = VT_TAIL;
	} else if (line->cells[col].width == VT_WIDE) {
		c = line->cells + col;
		c[0].width = VT_NARROW;
		c[1] = vt_cell_of(0, c[0].style);
	}
}

void
vt_line_erase(struct vt_line *line, unsigned from, unsigned to, unsigned style)
{
	if (style == 0) {
		if (to > line->len)
			to = line->len;
		if (from >= to)
			return;
		vt_line_cut(line, from);
		vt_line_cut(line, to);
		if (to == line->len)
			line->len = (uint16_t)from;
		else
			memset(line->cells + from, 0,
			    (to - from) * sizeof(struct vt_cell));
		return;
	}
	if (from >= to)
		return;
	cells_fill(
	    vt_line_open(line, from, to), to - from, vt_cell_of(0, style));
}

void
vt_line_erase_unprotected(
    struct vt_line *line, unsigned from, unsigned to, unsigned style)
{
	unsigned i, run;

	if (line->nstyles == 0) {
		vt_line_erase(line, from, to, style);
		return;
	}
	for (i = run = from; i < to && i < line->len; i++) {
		const struct pen *pen = &line->styles[line->cells[i].style].pen;

		if ((pen->attrs & PEN_PROTECTED) == 0)
			continue;
		vt_line_erase(line, run, i, style);
		run = i + 1;
	}
	vt_line_erase(line, run, to, style);
}

void
vt_line_wipe(
    struct vt_line *line, unsigned from, unsigned to, bool mind_protected)
{
	unsigned x, style;

	for (x = from; x < to && x < line->len; x++) {
		style = line->cells[x].style;
		if (!mind_protected || line->nstyles == 0 ||
		    (line->styles[style].pen.attrs & PEN_PROTECTED) == 0)
			vt_line_erase(line, x, x + 1, style);
	}
}

void
vt_line_fill(struct vt_line *line, unsigned from, unsigned to, uint32_t cp,
    unsigned style)
{
	if (from < to)
		cells_fill(vt_line_open(line, from, to), to - from,
		    vt_cell_of(cp, style));
}

void
vt_line_truncate(struct vt_line *line, unsigned cols)
{
	if (line->len > cols) {
		vt_line_cut(line, cols);
		line->len = (uint16_t)cols;
	}
}
