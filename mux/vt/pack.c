/*
 * Packing of lines; unpack.c reverses it.
 *
 * A new style is a mask byte and the fields that it names.  Foreground and
 * background are a palette index, or the difference of each RGB component to
 * the last RGB of that kind in the line (gradients become constants, which
 * compress), or four bytes.  Then follow underline colour, attributes, link.
 */
#include "base/mem.h"
#include "base/utf8.h"
#include "mux/vt/line_int.h"
#include "mux/vt/pack_int.h"

#if defined(__SSE2__)
# include <emmintrin.h>
#endif

void
vt_bytes_room(struct vt_bytes *b, size_t n)
{
	if (b->cap - b->len >= n)
		return;
	b->cap = b->cap + b->cap / 2 + n + 64;
	b->p = mem_resize(b->p, b->cap, 1);
}

static uint8_t *
put_varint(uint8_t *p, size_t v)
{
	while (v >= 0x80) {
		*p++ = (uint8_t)(v | 0x80);
		v >>= 7;
	}
	*p++ = (uint8_t)v;
	return p;
}

static uint8_t *
put_le32(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)v;
	p[1] = (uint8_t)(v >> 8);
	p[2] = (uint8_t)(v >> 16);
	p[3] = (uint8_t)(v >> 24);
	return p + 4;
}

/* Writes N cells as bytes; true if all are narrow and ASCII (or erased). */
static bool
pack_ascii(uint8_t *dst, const struct vt_cell *c, unsigned n)
{
	uint32_t bad = 0;
	unsigned i = 0;
#if defined(__SSE2__)
	const struct vt_cell want = { 0x7f, UINT16_MAX, VT_NARROW, 0 };
	__m128i v0, v1, v2, v3, lo, hi, allow, acc = _mm_setzero_si128();

	memcpy(&allow, &want, sizeof(want));
	memcpy((char *)&allow + sizeof(want), &want, sizeof(want));
	for (; i + 8 <= n; i += 8) {
		const __m128i *in = (const __m128i *)(const void *)(c + i);

		v0 = _mm_loadu_si128(in);
		v1 = _mm_loadu_si128(in + 1);
		v2 = _mm_loadu_si128(in + 2);
		v3 = _mm_loadu_si128(in + 3);
		acc = _mm_or_si128(acc,
		    _mm_or_si128(_mm_or_si128(v0, v1), _mm_or_si128(v2, v3)));
		lo = _mm_castps_si128(_mm_shuffle_ps(
		    _mm_castsi128_ps(v0), _mm_castsi128_ps(v1), 0x88));
		hi = _mm_castps_si128(_mm_shuffle_ps(
		    _mm_castsi128_ps(v2), _mm_castsi128_ps(v3), 0x88));
		lo = _mm_packs_epi32(lo, hi);
		_mm_storel_epi64(
		    (__m128i *)(void *)(dst + i), _mm_packus_epi16(lo, lo));
	}
	acc = _mm_andnot_si128(allow, acc);
	if (_mm_movemask_epi8(_mm_cmpeq_epi8(acc, _mm_setzero_si128())) !=
	    0xffff)
		return false;
#endif
	for (; i < n; i++) {
		bad |= (c[i].ch & ~UINT32_C(0x7f)) | c[i].width;
		dst[i] = (uint8_t)c[i].ch;
	}
	return bad == 0;
}

/* Where text and specials of a line that is not plain are written. */
struct text_out {
	uint8_t *text;
	uint8_t *spec;
	unsigned count; /* specials so far */
	unsigned last;  /* cell of the last one */
};

static void
put_special(struct text_out *o, unsigned cell, size_t code, unsigned what)
{
	o->spec = put_varint(o->spec, cell - o->last);
	o->spec = put_varint(o->spec, code << 2 | what);
	o->last = cell;
	o->count++;
}

/*
 * Like utf8_encode, but inline, since it runs for every cell, and without a
 * branch on the length, which is unpredictable in mixed scripts.  Writes four
 * bytes.
 */
static inline uint8_t *
put_utf8(uint8_t *p, uint32_t c)
{
	static const uint32_t keep[4] = { 0, 0x7f, 0x3f1f, 0x3f3f0f };
	static const uint32_t lead[4] = { 0, 0, 0x80c0, 0x8080e0 };
	unsigned len;

	if (unlikely(c >= 0xd800) && (c >= 0x10000 || c < 0xe000))
		return p + utf8_encode(c, p);
	len = 1u + (c >= 0x80) + (c >= 0x800);
	/*
	 * As three bytes, the last with a seventh bit; leading zero bytes are
	 * shifted out.
	 */
	c = (c >> 12 | (c << 2 & 0x3f00) | (c & 0x7f) << 16) >> (24 - 8 * len);
	put_le32(p, (c & keep[len]) | lead[len]);
	return p + len;
}

/* True for a narrow cell that is no cluster. */
static inline bool
cell_is_simple(const struct vt_cell *c)
{
	return (c->ch & VT_CELL_CLUSTER) == 0 && c->width == VT_NARROW;
}

/* Writes the run of such cells from cell I on; returns the cell after it. */
static inline unsigned
put_narrow_run(
    struct text_out *o, const struct vt_line *line, unsigned i, unsigned n)
{
	const struct vt_cell *c = line->cells;
	uint8_t *p = o->text;

	do
		p = put_utf8(p, c[i].ch);
	while (++i < n && cell_is_simple(&c[i]));
	o->text = p;
	return i;
}

static void
put_cluster(struct text_out *o, const struct vt_line *line, unsigned i)
{
	struct vt_cell c = line->cells[i];
	size_t k, len;
	const char *p = vt_line_cluster(line, c, &len);

	for (k = 0; k < len; k++) /* for a few bytes memcpy costs more */
		*o->text++ = (uint8_t)p[k];
	put_special(o, i, len,
	    c.width == VT_WIDE ? SPECIAL_WIDE_CLUSTER : SPECIAL_CLUSTER);
}

/* Writes the run of wide cells from cell I on; returns the cell after it. */
static unsigned
put_wide_run(
    struct text_out *o, const struct vt_line *line, unsigned i, unsigned n)
{
	const struct vt_cell *c = line->cells;
	unsigned from = i;
	uint8_t *p = o->text;

	do {
		p = put_utf8(p, c[i].ch);
		i += 2;
	} while (
	    i < n && c[i].width == VT_WIDE && (c[i].ch & VT_CELL_CLUSTER) == 0);
	o->text = p;
	put_special(o, from, (i - from) / 2, SPECIAL_WIDE);
	return i;
}

/* Writes the padding or the tab at cell I; returns the cell after it. */
static unsigned
put_gap(struct text_out *o, const struct vt_line *line, unsigned i, unsigned n)
{
	const struct vt_cell *c = line->cells;
	const unsigned from = i;

	if (c[i].width == VT_PAD) {
		put_special(o, i, 0, SPECIAL_PAD);
		*o->text++ = 0;
		return i + 1;
	}
	do
		*o->text++ = ' ';
	while (++i < n && c[i].width == VT_TAB_REST);
	put_special(o, from, i - from, SPECIAL_PAD);
	return i;
}

/*
 * Writes text of any kind: length, bytes and specials.  Writes both where the
 * longest text would end, then moves them together.
 */
static void
pack_text(struct vt_bytes *out, const struct vt_line *line, unsigned n)
{
	struct text_out o = { NULL, NULL, 0, 0 };
	uint8_t *text, *spec, *p;
	unsigned i;

	/*
	 * First a varint of at most 4 bytes; two varints of 3 for each special.
	 */
	vt_bytes_room(out, 16 + n * 10u + line->ntext);
	text = o.text = out->p + out->len + 4;
	spec = o.spec = text + n * 4u + line->ntext;
	for (i = 0; i < n;) {
		struct vt_cell c = line->cells[i];

		if (cell_is_simple(&c)) {
			i = put_narrow_run(&o, line, i, n);
		} else if ((c.ch & VT_CELL_CLUSTER) != 0) {
			put_cluster(&o, line, i);
			i += c.width == VT_WIDE ? 2 : 1;
		} else if (c.width == VT_WIDE) {
			i = put_wide_run(&o, line, i, n);
		} else {
			i = put_gap(&o, line, i, n);
		}
	}
	p = put_varint(out->p + out->len, (size_t)(o.text - text));
	memmove(p, text, (size_t)(o.text - text));
	p = put_varint(p + (o.text - text), o.count);
	memmove(p, spec, (size_t)(o.spec - spec));
	out->len = (size_t)(p + (o.spec - spec) - out->p);
}

static inline unsigned
colour_form(colour c)
{
	if (likely(colour_kind(c) == COLOUR_KIND_RGB))
		return COLOUR_STEP;
	if (c == COLOUR_DEFAULT)
		return COLOUR_ABSENT;
	return colour_kind(c) == COLOUR_KIND_INDEX && (c & 0xffff00) == 0
		   ? COLOUR_BYTE
		   : COLOUR_FULL;
}

/* Writes a colour: at most four bytes. */
static inline uint8_t *
put_colour(uint8_t *p, colour c, uint32_t *last)
{
	switch (colour_form(c)) {
	case COLOUR_STEP:
		*p++ = (uint8_t)((c >> 16) - (*last >> 16));
		*p++ = (uint8_t)((c >> 8) - (*last >> 8));
		*p++ = (uint8_t)(c - *last);
		*last = c & 0xffffff;
		return p;
	case COLOUR_ABSENT:
		return p;
	case COLOUR_BYTE:
		*p++ = (uint8_t)c;
		return p;
	default:
		return put_le32(p, c);
	}
}

/* Returns the mask of a style: the fields in its data, and their form. */
static inline uint8_t
style_mask(const struct vt_style *s)
{
	unsigned mask = colour_form(s->pen.fg) | colour_form(s->pen.bg) << 2;

	mask |= s->pen.ul != COLOUR_DEFAULT ? STYLE_UL : 0;
	mask |= s->pen.attrs != 0 ? STYLE_ATTRS : 0;
	mask |= s->link != 0 ? STYLE_LINK : 0;
	return (uint8_t)mask;
}

#define PEN_BYTES 32 /* more than a packed pen needs */

static inline uint8_t *
put_pen(uint8_t *p, const struct pen *pen, struct pack_styles *ps)
{
	p = put_colour(p, pen->fg, &ps->fg);
	p = put_colour(p, pen->bg, &ps->bg);
	if (unlikely(pen->ul != COLOUR_DEFAULT))
		p = put_le32(p, pen->ul);
	if (pen->attrs != 0)
		p = put_varint(p, pen->attrs);
	return p;
}

static void pack_link(struct vt_bytes *out, const struct vt_link *k);

/* The same for a block; its hyperlink follows. */
static void
pack_block(struct vt_bytes *out, const struct vt_link *k)
{
	uint8_t *p;

	vt_bytes_room(out, 16 + sizeof(k->block) + k->uri_len);
	p = put_varint(out->p + out->len, LINK_BLOCK);
	memcpy(p, &k->block, sizeof(k->block));
	p = put_varint(p + sizeof(k->block), k->uri_len);
	memcpy(p, vt_link_uri(k), k->uri_len);
	p += k->uri_len;
	*p++ = k->over != NULL;
	out->len = (size_t)(p - out->p);
	if (k->over != NULL)
		pack_link(out, k->over);
}

/* Writes the link of a style; makes room for it. */
static void
pack_link(struct vt_bytes *out, const struct vt_link *k)
{
	uint8_t *p;

	if (unlikely(k->block.scale > 0)) {
		pack_block(out, k);
		return;
	}
	vt_bytes_room(out, 16 + (size_t)k->uri_len + k->id_len);
	p = put_varint(out->p + out->len, k->uri_len);
	memcpy(p, vt_link_uri(k), k->uri_len);
	p = put_varint(p + k->uri_len, k->id_len);
	memcpy(p, vt_link_id(k), k->id_len);
	out->len = (size_t)(p + k->id_len - out->p);
}

/* A run of cells of one style, up to END. */
struct pack_run {
	uint16_t style;
	uint16_t end;
};

/* Finds the runs among N cells, without a branch on where a run ends. */
static unsigned
runs_find(const struct vt_line *line, unsigned n, struct pack_run *runs)
{
	const struct vt_cell *c = line->cells;
	unsigned i, count = 0;

	for (i = 0; i + 1 < n; i++) {
		runs[count].style = c[i].style;
		runs[count].end = (uint16_t)(i + 1);
		count += c[i].style != c[i + 1].style;
	}
	runs[count].style = c[i].style;
	runs[count].end = (uint16_t)n;
	return count + 1;
}

/*
 * Writes the reference of each run, and lists the new styles in ORDER.  MAP is
 * zero.
 *
 * Returns: the number of new styles.
 */
static unsigned
pack_references(struct vt_bytes *out, const struct pack_run *runs,
    unsigned count, uint16_t *map, uint16_t *order)
{
	uint8_t *p = out->p + out->len;
	unsigned i, styles = 0, falls = runs[0].style == 0;

	for (i = 1; i < count; i++)
		falls |= runs[i].style <= runs[i - 1].style;
	if (!falls) {
		/*
		 * The styles are in the order of their first use: all
		 * references are new.
		 */
		memset(p, 1, count);
		for (i = 0; i < count; i++)
			order[i] = runs[i].style;
		out->len += count;
		return count;
	}
	for (i = 0; i < count; i++) {
		uint16_t style = runs[i].style;

		if (style == 0) {
			*p++ = 0;
		} else if (map[style] == 0) {
			order[styles++] = style;
			map[style] = (uint16_t)styles;
			*p++ = 1;
		} else {
			p = put_varint(p, 1u + map[style]);
		}
	}
	out->len = (size_t)(p - out->p);
	return styles;
}

/* The mask of a style that has two RGB colours and nothing else. */
#define STYLE_RGB (COLOUR_STEP | COLOUR_STEP << 2)

/* Both colours of such a style as pen_colours returns them, without the RGB. */
#define COLOURS_RGB \
 ((uint64_t)COLOUR_KIND_RGB << 56 | (uint64_t)COLOUR_KIND_RGB << 24)

/* Returns foreground and background as one number. */
static inline uint64_t
pen_colours(const struct pen *pen)
{
	return (uint64_t)pen->bg << 32 | pen->fg;
}

/*
 * Writes the differences of the six bytes of V to those of LAST, all at once.
 * Writes eight bytes.
 */
static inline uint8_t *
put_steps(uint8_t *p, uint64_t v, uint64_t last)
{
	const uint64_t top = UINT64_C(0x8080808080808080);
	uint64_t d;

	/* Subtract bytewise: no byte borrows from the next. */
	d = ((v | top) - (last & ~top)) ^ ((v ^ ~last) & top);
	d = __builtin_bswap64(d);
	d = d >> 40 | (d & 0xffffff00) << 16;
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
	d = __builtin_bswap64(d);
#endif
	memcpy(p, &d, sizeof d);
	return p + 6;
}

/*
 * Writes the styles of a gradient or an image, which have two RGB colours each.
 * There must be room.
 *
 * Returns: false, and writes nothing, if a style has anything else.
 */
static bool
pack_rgb_styles(struct vt_bytes *out, const struct vt_line *line,
    const uint16_t *order, unsigned styles)
{
	uint8_t *p = out->p + out->len + styles;
	uint64_t v, last = 0, other = 0;
	const struct vt_style *s;
	unsigned i;

	for (i = 0; i < styles; i++) {
		s = &line->styles[order[i]];
		v = pen_colours(&s->pen);
		other |= (v ^ COLOURS_RGB) & UINT64_C(0xff000000ff000000);
		other |= s->pen.ul | s->pen.attrs | s->link;
		p = put_steps(p, v, last);
		last = v;
	}
	if (other != 0)
		return false;
	memset(out->p + out->len, STYLE_RGB, styles);
	out->len = (size_t)(p - out->p);
	return true;
}

/* Writes the masks of all styles, then the data of all. */
static void
pack_styles(struct vt_bytes *out, const struct vt_line *line,
    const uint16_t *order, unsigned styles)
{
	struct pack_styles ps = { 0, 0 };
	const struct vt_style *s;
	unsigned i;
	uint8_t *p;

	vt_bytes_room(out, styles * (PEN_BYTES + 1u));
	if (styles > 0 && style_mask(&line->styles[order[0]]) == STYLE_RGB &&
	    pack_rgb_styles(out, line, order, styles))
		return;
	p = out->p + out->len;
	for (i = 0; i < styles; i++)
		*p++ = style_mask(&line->styles[order[i]]);
	for (i = 0; i < styles; i++) {
		s = &line->styles[order[i]];
		p = put_pen(p, &s->pen, &ps);
		if (unlikely(s->link != 0)) {
			out->len = (size_t)(p - out->p);
			pack_link(out, line->links[s->link - 1]);
			vt_bytes_room(out, (styles - i) * PEN_BYTES);
			p = out->p + out->len;
		}
	}
	out->len = (size_t)(p - out->p);
}

/*
 * Writes the styles of N cells.  Data of one kind are kept together (all
 * lengths, all references, all masks, then all data): that compresses far
 * better than style after style.
 */
static void
pack_runs(struct vt_bytes *out, const struct vt_line *line, unsigned n)
{
	struct pack_run small_runs[256], *runs = small_runs;
	uint16_t small[2 * 256], *map = small;
	unsigned i, count, styles;
	uint8_t *p;

	if (n > ARRAY_LEN(small_runs))
		runs = mem_alloc(n * sizeof(*runs));
	if (line->nstyles > ARRAY_LEN(small) / 2)
		map = mem_alloc(line->nstyles * 2u * sizeof(*map));
	memset(map, 0, line->nstyles * sizeof(*map));
	count = runs_find(line, n, runs);
	/* At most three bytes for each length and each reference. */
	vt_bytes_room(out, count * 6u + 8);
	p = put_varint(out->p + out->len, count);
	p = put_varint(p, runs[0].end);
	for (i = 1; i < count; i++)
		p = put_varint(p, (size_t)(runs[i].end - runs[i - 1].end));
	out->len = (size_t)(p - out->p);
	styles = pack_references(out, runs, count, map, map + line->nstyles);
	pack_styles(out, line, map + line->nstyles, styles);
	if (map != small)
		mem_free(map);
	if (runs != small_runs)
		mem_free(runs);
}

/*
 * Appends the text of N cells with that of blocks, so that a search of packed
 * bytes finds it.  Nothing else reads it.
 */
static void
pack_found(struct vt_bytes *out, const struct vt_line *line, unsigned n)
{
	char text[VT_CLUSTER_MAX + 1];
	unsigned i;
	size_t len;

	for (i = 0; i < n; i++) {
		len = vt_line_text(line, i, text);
		vt_bytes_room(out, len);
		memcpy(out->p + out->len, text, len);
		out->len += len;
	}
}

/* Appends the packed form of LINE; true if all its text is ASCII. */
static bool
pack_line(struct vt_bytes *out, const struct vt_line *line)
{
	unsigned i, n = vt_line_used(line), styled = 0;
	size_t start = out->len, kind = 0;
	uint8_t *p;

	vt_bytes_room(out, n + 32u);
	if (line->nstyles > 0)
		for (i = 0; i < n; i++)
			styled |= line->cells[i].style;
	if (styled != 0)
		kind |= PACK_RUNS;
	if (line->flags != 0)
		kind |= PACK_FLAGS;
	p = out->p + start + 1;
	if (line->flags != 0)
		p = put_varint(p, line->flags);
	p = put_varint(p, n);
	out->len = (size_t)(p - out->p);
	if ((line->flags & VT_LINE_BLOCKS) == 0 &&
	    pack_ascii(p, line->cells, n)) {
		kind |= PACK_PLAIN;
		out->len += n;
	} else {
		pack_text(out, line, n);
	}
	out->p[start] = (uint8_t)kind;
	if (styled != 0)
		pack_runs(out, line, n);
	if (unlikely((line->flags & VT_LINE_BLOCKS) != 0))
		pack_found(out, line, n);
	return (kind & PACK_PLAIN) != 0;
}

/* --- framing: 15 bits of length, or 31 with the top bit of the first set ------ */

bool
vt_pack_framed(struct vt_bytes *out, const struct vt_line *line)
{
	size_t start = out->len, n;
	bool plain;

	vt_bytes_room(out, 2);
	out->len += 2;
	plain = pack_line(out, line);
	n = out->len - start - 2;
	if (n >= 0x8000) {
		vt_bytes_room(out, 2);
		memmove(out->p + start + 4, out->p + start + 2, n);
		out->len += 2;
		out->p[start + 2] = (uint8_t)(n >> 8);
		out->p[start + 3] = (uint8_t)n;
		n = 0x8000 | n >> 16;
	}
	out->p[start] = (uint8_t)(n >> 8);
	out->p[start + 1] = (uint8_t)n;
	return plain;
}
