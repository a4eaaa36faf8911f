/*
 * Packing and unpacking of lines.
 *
 * A new style is a mask byte and the fields it names: foreground and
 * background as a palette index, as the difference of each RGB component to
 * the last RGB of that kind in the line (gradients become constants, which
 * compress), or as four bytes; underline colour, attributes, link.
 */
#include "mux/vt/pack.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "mux/vt/line_int.h"

#if defined(__SSE2__)
# include <emmintrin.h>
#endif

enum pack_kind {
	PACK_PLAIN = 1 << 0, /* ASCII and erased cells only */
	PACK_RUNS = 1 << 1,  /* there are styles */
	PACK_FLAGS = 1 << 2, /* there are line flags */
};

enum pack_special {
	SPECIAL_WIDE = 0,    /* code: so many wide cells */
	SPECIAL_CLUSTER = 1, /* a cluster of so many bytes, narrow */
	SPECIAL_WIDE_CLUSTER = 2,
	SPECIAL_PAD = 3,
};

/* How a colour is given; two bits each for fg and bg in the style's mask. */
enum pack_colour {
	COLOUR_ABSENT,
	COLOUR_BYTE, /* palette index */
	COLOUR_STEP, /* RGB, as differences */
	COLOUR_FULL, /* four bytes */
};

#define STYLE_UL (1 << 4)
#define STYLE_ATTRS (1 << 5)
#define STYLE_LINK (1 << 6)

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

/* Writes N cells as bytes; true if all were narrow and ASCII (or erased). */
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

/* Where text and specials of a line that is not plain are written to. */
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

/* As utf8_encode, here where it is called for every cell. */
static inline uint8_t *
put_utf8(uint8_t *p, uint32_t c)
{
	if (c < 0x80) {
		*p++ = (uint8_t)c;
	} else if (c < 0x800) {
		*p++ = (uint8_t)(0xc0 | c >> 6);
		*p++ = (uint8_t)(0x80 | (c & 0x3f));
	} else if (c < 0x10000) {
		if ((c & 0xf800) == 0xd800)
			c = UTF8_REPLACEMENT;
		*p++ = (uint8_t)(0xe0 | c >> 12);
		*p++ = (uint8_t)(0x80 | (c >> 6 & 0x3f));
		*p++ = (uint8_t)(0x80 | (c & 0x3f));
	} else {
		p += utf8_encode(c, p);
	}
	return p;
}

static void
put_cluster(struct text_out *o, const struct vt_line *line, unsigned i)
{
	struct vt_cell c = line->cells[i];
	size_t k, len;
	const char *p = vt_line_cluster(line, c, &len);

	for (k = 0; k < len; k++) /* a few bytes: memcpy costs more */
		*o->text++ = (uint8_t)p[k];
	put_special(o, i, len,
	    c.width == VT_WIDE ? SPECIAL_WIDE_CLUSTER : SPECIAL_CLUSTER);
}

/* A run of wide cells from cell I; returns the cell after it. */
static unsigned
put_wide_run(
    struct text_out *o, const struct vt_line *line, unsigned i, unsigned n)
{
	const struct vt_cell *c = line->cells;
	unsigned from = i;

	do {
		o->text = put_utf8(o->text, c[i].ch);
		i += 2;
	} while (
	    i < n && c[i].width == VT_WIDE && (c[i].ch & VT_CELL_CLUSTER) == 0);
	put_special(o, from, (i - from) / 2, SPECIAL_WIDE);
	return i;
}

/*
 * Text of any kind: its length, bytes, and the specials.  Both are written
 * where the longest text would end, then moved together.
 */
static void
pack_text(struct vt_bytes *out, const struct vt_line *line, unsigned n)
{
	struct text_out o = { NULL, NULL, 0, 0 };
	uint8_t *text, *spec, *p;
	unsigned i;

	/* A varint of at most 4 bytes first; two of 3 for each special. */
	vt_bytes_room(out, 16 + n * 10u + line->ntext);
	text = o.text = out->p + out->len + 4;
	spec = o.spec = text + n * 4u + line->ntext;
	for (i = 0; i < n;) {
		struct vt_cell c = line->cells[i];

		if (c.width == VT_NARROW && (c.ch & VT_CELL_CLUSTER) == 0) {
			o.text = put_utf8(o.text, c.ch);
			i++;
		} else if ((c.ch & VT_CELL_CLUSTER) != 0) {
			put_cluster(&o, line, i);
			i += c.width == VT_WIDE ? 2 : 1;
		} else if (c.width == VT_WIDE) {
			i = put_wide_run(&o, line, i, n);
		} else {
			put_special(&o, i++, 0, SPECIAL_PAD);
			*o.text++ = 0;
		}
	}
	p = put_varint(out->p + out->len, (size_t)(o.text - text));
	memmove(p, text, (size_t)(o.text - text));
	p = put_varint(p + (o.text - text), o.count);
	memmove(p, spec, (size_t)(o.spec - spec));
	out->len = (size_t)(p + (o.spec - spec) - out->p);
}

/* What is remembered between the styles of one line. */
struct pack_styles {
	uint32_t fg; /* the last RGB of each kind */
	uint32_t bg;
};

static unsigned
colour_form(colour c)
{
	switch (colour_kind(c)) {
	case COLOUR_KIND_DEFAULT:
		return c == COLOUR_DEFAULT ? COLOUR_ABSENT : COLOUR_FULL;
	case COLOUR_KIND_INDEX:
		return (c & 0xffff00) == 0 ? COLOUR_BYTE : COLOUR_FULL;
	case COLOUR_KIND_RGB:
		return COLOUR_STEP;
	default:
		return COLOUR_FULL;
	}
}

static uint8_t *
put_colour(uint8_t *p, colour c, uint32_t *last)
{
	switch (colour_form(c)) {
	case COLOUR_ABSENT:
		return p;
	case COLOUR_BYTE:
		*p++ = (uint8_t)c;
		return p;
	case COLOUR_STEP:
		*p++ = (uint8_t)((c >> 16) - (*last >> 16));
		*p++ = (uint8_t)((c >> 8) - (*last >> 8));
		*p++ = (uint8_t)(c - *last);
		*last = c & 0xffffff;
		return p;
	default:
		return put_le32(p, c);
	}
}

/* The mask of a style: which fields its data has, and in which form. */
static uint8_t
style_mask(const struct vt_style *s)
{
	unsigned mask = colour_form(s->pen.fg) | colour_form(s->pen.bg) << 2;

	if (s->pen.ul != COLOUR_DEFAULT)
		mask |= STYLE_UL;
	if (s->pen.attrs != 0)
		mask |= STYLE_ATTRS;
	if (s->link != 0)
		mask |= STYLE_LINK;
	return (uint8_t)mask;
}

static void
put_style(struct vt_bytes *out, const struct vt_line *line,
    const struct vt_style *s, struct pack_styles *ps)
{
	const struct vt_link *k =
	    s->link == 0 ? NULL : line->links[s->link - 1];
	uint8_t *p;

	vt_bytes_room(
	    out, 64 + (k == NULL ? 0 : (size_t)k->uri_len + k->id_len));
	p = out->p + out->len;
	p = put_colour(p, s->pen.fg, &ps->fg);
	p = put_colour(p, s->pen.bg, &ps->bg);
	if (s->pen.ul != COLOUR_DEFAULT)
		p = put_le32(p, s->pen.ul);
	if (s->pen.attrs != 0)
		p = put_varint(p, s->pen.attrs);
	if (k != NULL) {
		p = put_varint(p, k->uri_len);
		memcpy(p, vt_link_uri(k), k->uri_len);
		p = put_varint(p + k->uri_len, k->id_len);
		memcpy(p, vt_link_id(k), k->id_len);
		p += k->id_len;
	}
	out->len = (size_t)(p - out->p);
}

/* The number of runs and their lengths. */
static void
pack_run_lengths(struct vt_bytes *out, const struct vt_line *line, unsigned n)
{
	unsigned i, j, runs = 1;
	uint8_t *p;

	for (i = 1; i < n; i++)
		runs += line->cells[i].style != line->cells[i - 1].style;
	vt_bytes_room(out, runs * 6u + 8);
	p = put_varint(out->p + out->len, runs);
	for (i = 0; i < n; i = j) {
		for (j = i + 1;
		     j < n && line->cells[j].style == line->cells[i].style; j++)
			;
		p = put_varint(p, j - i);
	}
	out->len = (size_t)(p - out->p);
}

/*
 * Like things stand together (all lengths, all references, all masks, then
 * all data), which compresses far better than style after style.
 */
static void
pack_runs(struct vt_bytes *out, const struct vt_line *line, unsigned n)
{
	struct pack_styles ps = { 0, 0 };
	uint16_t small[2 * 128], *map = small, *order;
	unsigned i, styles = 0;
	uint8_t *p;

	pack_run_lengths(out, line, n);
	if (line->nstyles > ARRAY_LEN(small) / 2)
		map = mem_alloc(line->nstyles * 2u * sizeof(*map));
	order = map + line->nstyles;
	memset(map, 0, line->nstyles * sizeof(*map));
	p = out->p + out->len;
	for (i = 0; i < n; i++) {
		uint16_t style = line->cells[i].style;

		if (i > 0 && style == line->cells[i - 1].style)
			continue;
		if (style != 0 && map[style] == 0) {
			order[styles++] = style;
			map[style] = (uint16_t)styles;
			*p++ = 1;
			continue;
		}
		p = put_varint(p, style == 0 ? 0 : 1u + map[style]);
	}
	out->len = (size_t)(p - out->p);
	vt_bytes_room(out, styles);
	for (i = 0; i < styles; i++)
		out->p[out->len++] = style_mask(&line->styles[order[i]]);
	for (i = 0; i < styles; i++)
		put_style(out, line, &line->styles[order[i]], &ps);
	if (map != small)
		mem_free(map);
}

bool
vt_pack_line(struct vt_bytes *out, const struct vt_line *line)
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
	if (pack_ascii(p, line->cells, n)) {
		kind |= PACK_PLAIN;
		out->len += n;
	} else {
		pack_text(out, line, n);
	}
	out->p[start] = (uint8_t)kind;
	if (styled != 0)
		pack_runs(out, line, n);
	return (kind & PACK_PLAIN) != 0;
}

/* --- unpacking -------------------------------------------------------------- */

struct reader {
	const uint8_t *p;
	const uint8_t *end;
	bool bad;
};

static size_t
get_varint(struct reader *r)
{
	size_t v = 0;
	unsigned shift = 0;

	while (r->p < r->end && shift < 32) {
		uint8_t b = *r->p++;

		v |= (size_t)(b & 0x7f) << shift;
		if ((b & 0x80) == 0)
			return v;
		shift += 7;
	}
	r->bad = true;
	return 0;
}

/* N bytes of the input, or NULL. */
static const uint8_t *
get_bytes(struct reader *r, size_t n)
{
	const uint8_t *p = r->p;

	if ((size_t)(r->end - r->p) < n) {
		r->bad = true;
		return NULL;
	}
	r->p += n;
	return p;
}

static uint32_t
get_le32(struct reader *r)
{
	const uint8_t *p = get_bytes(r, 4);

	return p == NULL ? 0
			 : p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
			       (uint32_t)p[3] << 24;
}

static colour
get_colour(struct reader *r, unsigned form, uint32_t *last)
{
	const uint8_t *p;

	switch (form) {
	case COLOUR_ABSENT:
		return COLOUR_DEFAULT;
	case COLOUR_BYTE:
		p = get_bytes(r, 1);
		return p == NULL ? COLOUR_DEFAULT : colour_index(*p);
	case COLOUR_STEP:
		p = get_bytes(r, 3);
		if (p == NULL)
			return COLOUR_DEFAULT;
		*last = (((*last >> 16) + p[0]) & 0xff) << 16 |
			(((*last >> 8) + p[1]) & 0xff) << 8 |
			((*last + p[2]) & 0xff);
		return (colour)COLOUR_KIND_RGB << 24 | *last;
	default:
		return get_le32(r);
	}
}

static struct vt_link *
get_link(struct reader *r)
{
	size_t urilen, idlen;
	const uint8_t *uri, *id;

	urilen = get_varint(r);
	uri = get_bytes(r, urilen);
	idlen = get_varint(r);
	id = get_bytes(r, idlen);
	if (r->bad)
		return NULL;
	return vt_link_new((const char *)uri, urilen, (const char *)id, idlen);
}

/* Reads the data of a new style into the line; returns its index. */
static unsigned
get_style(struct reader *r, unsigned mask, struct vt_line *line,
    struct pack_styles *ps)
{
	struct vt_link *link = NULL;
	struct pen pen = { 0, 0, 0, 0 };
	unsigned style;

	pen.fg = get_colour(r, mask & 3u, &ps->fg);
	pen.bg = get_colour(r, mask >> 2 & 3u, &ps->bg);
	if ((mask & STYLE_UL) != 0)
		pen.ul = get_le32(r);
	if ((mask & STYLE_ATTRS) != 0)
		pen.attrs = (uint32_t)get_varint(r);
	if ((mask & STYLE_LINK) != 0)
		link = get_link(r);
	if (r->bad)
		return 0;
	style = vt_line_style_add(line, &pen, link);
	vt_link_unref(link);
	return style;
}

/* Passes over N varints of R; returns how many of them are 1. */
static size_t
skip_varints(struct reader *r, size_t n)
{
	size_t ones = 0;

	for (; n > 0 && !r->bad; n--)
		ones += get_varint(r) == 1;
	return ones;
}

static void
unpack_runs(struct reader *r, struct vt_line *line)
{
	struct pack_styles ps = { 0, 0 };
	size_t i, runs = get_varint(r), n = 0, ref, len, news;
	struct reader refs, data;
	const uint8_t *masks;
	uint16_t *map;
	unsigned at = 0, style;

	if (r->bad || runs > line->len) {
		r->bad = true;
		return;
	}
	refs = *r;
	skip_varints(&refs, runs);
	data = refs;
	news = skip_varints(&data, runs);
	masks = get_bytes(&data, news);
	if (masks == NULL) {
		r->bad = true;
		return;
	}
	map = mem_calloc(runs + 1, sizeof(*map));
	for (i = 0; i < runs && !data.bad; i++) {
		len = get_varint(r);
		ref = get_varint(&refs);
		style = 0;
		if (ref == 1) {
			style = get_style(&data, masks[n], line, &ps);
			map[n++] = (uint16_t)style;
		} else if (ref >= 2 && ref - 2 < n) {
			style = map[ref - 2];
		}
		if (len > line->len - at) {
			r->bad = true;
			break;
		}
		for (; len > 0; len--)
			line->cells[at++].style = (uint16_t)style;
	}
	r->bad |= data.bad;
	mem_free(map);
}

/* Reads COUNT cells of plain code points. */
static unsigned
unpack_plain(struct vt_line *line, unsigned at, unsigned to, unsigned step,
    struct reader *text)
{
	uint32_t cp;

	for (; at < to; at += step) {
		if (text->p == text->end) {
			text->bad = true;
			return at;
		}
		text->p += utf8_decode_final(
		    text->p, (size_t)(text->end - text->p), &cp);
		line->cells[at].ch = cp;
		if (step == 2) {
			line->cells[at].width = VT_WIDE;
			line->cells[at + 1].width = VT_TAIL;
		}
	}
	return at;
}

/* Reads what one special says at cell AT; returns the cell after it. */
static unsigned
unpack_special(
    struct vt_line *line, unsigned at, size_t code, struct reader *text)
{
	size_t n = code >> 2, wide = (code & 3) == SPECIAL_WIDE_CLUSTER;
	const uint8_t *p;

	if ((code & 3) == SPECIAL_PAD) {
		if (unpack_plain(line, at, at + 1, 1, text) > at) {
			line->cells[at].ch = 0;
			line->cells[at++].width = VT_PAD;
		}
		return at;
	}
	if ((code & 3) == SPECIAL_WIDE) {
		if (n > (size_t)(line->len - at) / 2) {
			text->bad = true;
			return at;
		}
		return unpack_plain(line, at, at + 2 * (unsigned)n, 2, text);
	}
	p = get_bytes(text, n);
	if (p == NULL || n == 0 || n > VT_CLUSTER_MAX ||
	    line->len - at < 1 + wide) {
		text->bad = true;
		return at;
	}
	line->cells[at].ch = vt_line_text_add(line, p, n);
	if (wide != 0) {
		line->cells[at].width = VT_WIDE;
		line->cells[at + 1].width = VT_TAIL;
	}
	return at + 1 + (unsigned)wide;
}

static void
unpack_text(struct reader *r, struct vt_line *line)
{
	struct reader text = { NULL, NULL, false };
	size_t textlen = get_varint(r), count, i, gap, code;
	unsigned at = 0, start = 0;

	text.p = get_bytes(r, textlen);
	if (text.p == NULL)
		return;
	text.end = text.p + textlen;
	count = get_varint(r);
	for (i = 0; i < count && !r->bad && !text.bad; i++) {
		gap = get_varint(r);
		code = get_varint(r);
		if (start + gap < at || start + gap >= line->len) {
			r->bad = true;
			return;
		}
		start += (unsigned)gap;
		at = unpack_plain(line, at, start, 1, &text);
		if (!text.bad)
			at = unpack_special(line, at, code, &text);
	}
	if (!text.bad)
		unpack_plain(line, at, line->len, 1, &text);
	r->bad |= text.bad;
}

struct vt_line *
vt_unpack_line(struct vt_pool *pool, const uint8_t *p, size_t n)
{
	struct reader r = { p, p + n, false };
	const uint8_t *k = get_bytes(&r, 1), *text;
	struct vt_line *line;
	size_t flags = 0, cells;

	if (k == NULL)
		return NULL;
	if ((*k & PACK_FLAGS) != 0)
		flags = get_varint(&r);
	cells = get_varint(&r);
	if (r.bad || cells > VT_LINE_CELLS_MAX)
		return NULL;
	line = vt_line_new(pool);
	line->flags = (uint16_t)flags;
	if ((*k & PACK_PLAIN) != 0) {
		text = get_bytes(&r, cells);
		if (text != NULL)
			vt_line_put_ascii(line, 0, text, (unsigned)cells, 0);
	} else if (cells > 0) {
		memset(vt_line_open(line, 0, (unsigned)cells), 0,
		    cells * sizeof(struct vt_cell));
		unpack_text(&r, line);
	}
	if (!r.bad && (*k & PACK_RUNS) != 0)
		unpack_runs(&r, line);
	if (r.bad) {
		vt_line_unref(pool, line);
		return NULL;
	}
	return line;
}

const uint8_t *
vt_pack_text(const uint8_t *p, size_t n, size_t *len)
{
	struct reader r = { p, p + n, false };
	const uint8_t *k = get_bytes(&r, 1);
	size_t size;

	*len = 0;
	if (k == NULL)
		return p;
	if ((*k & PACK_FLAGS) != 0)
		get_varint(&r);
	size = get_varint(&r);
	if ((*k & PACK_PLAIN) == 0)
		size = get_varint(&r);
	p = get_bytes(&r, size);
	*len = p == NULL ? 0 : size;
	return p;
}

/* --- framing: 15 bits of length, or 31 with the top bit of the first set ------ */

bool
vt_pack_framed(struct vt_bytes *out, const struct vt_line *line)
{
	size_t start = out->len, n;
	bool plain;

	vt_bytes_room(out, 2);
	out->len += 2;
	plain = vt_pack_line(out, line);
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

/* Length of the framed line's body, *HEAD of what comes before it. */
static size_t
framed_body(const uint8_t *p, size_t n, size_t *head)
{
	size_t len;

	*head = 2;
	if (n < 2)
		return 0;
	len = (size_t)p[0] << 8 | p[1];
	if ((len & 0x8000) != 0) {
		*head = 4;
		if (n < 4)
			return 0;
		len = (len & 0x7fff) << 16 | (size_t)p[2] << 8 | p[3];
	}
	return len;
}

size_t
vt_pack_framed_size(const uint8_t *p, size_t n)
{
	size_t head, body = framed_body(p, n, &head);

	return MIN_OF(head + body, n);
}

struct vt_line *
vt_unpack_framed(struct vt_pool *pool, const uint8_t *p, size_t n)
{
	size_t head, body = framed_body(p, n, &head);

	if (n < head || n - head < body)
		return NULL;
	return vt_unpack_line(pool, p + head, body);
}

/* The next run of wide cells of the specials, *from..*to-1; false at the end. */
static bool
wide_run_next(struct reader *r, size_t *left, unsigned *from, unsigned *to)
{
	size_t code;

	while (*left > 0 && !r->bad) {
		(*left)--;
		*from += (unsigned)get_varint(r);
		code = get_varint(r);
		*to = *from;
		if ((code & 3) == SPECIAL_WIDE)
			*to += 2 * (unsigned)(code >> 2);
		else if ((code & 3) == SPECIAL_WIDE_CLUSTER)
			*to += 2;
		if (*to > *from)
			return true;
	}
	return false;
}

size_t
vt_pack_framed_rows(const uint8_t *p, size_t n, unsigned width, unsigned cols)
{
	struct reader r = { p, p + n, false };
	size_t head, left = 0, rows = 1;
	unsigned at = 0, end, from = 0, to = 0;
	const uint8_t *k;

	framed_body(p, n, &head);
	get_bytes(&r, head);
	k = get_bytes(&r, 1);
	if (k != NULL && (*k & PACK_PLAIN) == 0) {
		if ((*k & PACK_FLAGS) != 0)
			get_varint(&r);
		get_varint(&r);
		get_bytes(&r, get_varint(&r));
		left = get_varint(&r);
	}
	/* A row ends after COLS columns, or before if that is within a cell. */
	for (; (end = at + cols) < width; at = end, rows++) {
		while (to <= end && wide_run_next(&r, &left, &from, &to))
			;
		if (cols > 1 && end > from && end < to && (end - from) % 2 != 0)
			end--;
	}
	return rows;
}
