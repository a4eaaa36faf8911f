/*
 * Unpacking of lines: the reading half of pack.c.
 */
#include "base/mem.h"
#include "base/utf8.h"
#include "mux/vt/block.h"
#include "mux/vt/line_int.h"
#include "mux/vt/pack_int.h"
#include "mux/vt/wrap.h"

struct unpack_reader {
	const uint8_t *p;
	const uint8_t *end;
	bool bad;
};

static size_t
get_varint(struct unpack_reader *r)
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

/* Returns N bytes of the input, or NULL. */
static const uint8_t *
get_bytes(struct unpack_reader *r, size_t n)
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
get_le32(struct unpack_reader *r)
{
	const uint8_t *p = get_bytes(r, 4);

	return p == NULL ? 0
			 : p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
			       (uint32_t)p[3] << 24;
}

static colour
get_colour(struct unpack_reader *r, unsigned form, uint32_t *last)
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

static struct vt_link *get_link(struct unpack_reader *r, bool block);

static struct vt_link *
get_block(struct unpack_reader *r)
{
	struct vt_link *over = NULL, *k = NULL;
	const uint8_t *p, *text, *more;
	struct vt_block block;
	size_t len;

	p = get_bytes(r, sizeof(block));
	len = get_varint(r);
	text = get_bytes(r, len);
	more = get_bytes(r, 1);
	if (more != NULL && *more != 0)
		over = get_link(r, false);
	if (!r->bad) {
		memcpy(&block, p, sizeof(block));
		r->bad = !vt_block_valid(&block) || len > VT_BLOCK_TEXT_MAX;
	}
	if (!r->bad)
		k = vt_block_new(&block, (const char *)text, len, over);
	vt_link_unref(over);
	return k;
}

/* Reads a link, or, if BLOCK, a block. */
static struct vt_link *
get_link(struct unpack_reader *r, bool block)
{
	size_t urilen, idlen;
	const uint8_t *uri, *id;

	urilen = get_varint(r);
	if (unlikely(urilen == LINK_BLOCK)) {
		r->bad |= !block;
		return block ? get_block(r) : NULL;
	}
	uri = get_bytes(r, urilen);
	idlen = get_varint(r);
	id = get_bytes(r, idlen);
	if (r->bad)
		return NULL;
	return vt_link_new((const char *)uri, urilen, (const char *)id, idlen);
}

/* Adds a new style to the line from its data; returns its index. */
static unsigned
get_style(struct unpack_reader *r, unsigned mask, struct vt_line *line,
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
		link = get_link(r, true);
	if (r->bad)
		return 0;
	style = vt_line_style_add(line, &pen, link);
	vt_link_unref(link);
	return style;
}

/* Skips N varints of R; returns how many of them are 1. */
static size_t
skip_varints(struct unpack_reader *r, size_t n)
{
	size_t ones = 0;

	for (; n > 0 && !r->bad; n--)
		ones += get_varint(r) == 1;
	return ones;
}

/* Gives the cells of blocks their columns. */
static void
unpack_blocks(struct vt_line *line)
{
	const struct vt_style *s;
	const struct vt_link *k, *last = NULL;
	unsigned i, dx = 0;

	for (i = 0; i < line->len; i++) {
		s = vt_line_style_at(line, line->cells[i].style);
		k = s->link == 0 ? NULL : line->links[s->link - 1];
		if (k != NULL && k->block.scale == 0)
			k = NULL;
		if (k != last)
			dx = 0;
		if (k != NULL) {
			vt_block_mark(line, i, 1, k, dx);
			dx = (dx + 1) % vt_block_cols(k);
		}
		last = k;
	}
}

static void
unpack_runs(struct unpack_reader *r, struct vt_line *line)
{
	struct pack_styles ps = { 0, 0 };
	size_t i, runs = get_varint(r), n = 0, ref, len, news;
	struct unpack_reader refs, data;
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
	if ((line->flags & VT_LINE_BLOCKS) != 0)
		unpack_blocks(line);
}

/* Reads COUNT cells of plain code points. */
static unsigned
unpack_plain(struct vt_line *line, unsigned at, unsigned to, unsigned step,
    struct unpack_reader *text)
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

/* Reads a padding, or a tab of N columns; returns the cell after it. */
static unsigned
unpack_gap(
    struct vt_line *line, unsigned at, size_t n, struct unpack_reader *text)
{
	const unsigned from = at;

	if (n > (size_t)(line->len - at)) {
		text->bad = true;
		return at;
	}
	at = unpack_plain(line, at, at + (unsigned)MAX_OF(n, 1U), 1, text);
	if (n == 0 && at > from) {
		line->cells[from].ch = 0;
		line->cells[from].width = VT_PAD;
	} else if (at > from && !text->bad) {
		vt_line_put_tab(line, from, at - from, 0);
	}
	return at;
}

/* Applies one special at cell AT; returns the cell after it. */
static unsigned
unpack_special(
    struct vt_line *line, unsigned at, size_t code, struct unpack_reader *text)
{
	size_t n = code >> 2, wide = (code & 3) == SPECIAL_WIDE_CLUSTER;
	const uint8_t *p;

	if ((code & 3) == SPECIAL_PAD)
		return unpack_gap(line, at, n, text);
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
unpack_text(struct unpack_reader *r, struct vt_line *line)
{
	struct unpack_reader text = { NULL, NULL, false };
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

/* Returns the line packed in the N bytes at P, or NULL. */
static struct vt_line *
unpack_line(struct vt_pool *pool, const uint8_t *p, size_t n)
{
	struct unpack_reader r = { p, p + n, false };
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

/* --- framed lines ------------------------------------------------------- */

/* Returns the length of a framed line's body, and in *HEAD that of its head. */
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
	return unpack_line(pool, p + head, body);
}

unsigned
vt_pack_framed_flags(const uint8_t *p, size_t n)
{
	struct unpack_reader r = { p, p + n, false };
	const uint8_t *k;
	size_t head, flags;

	framed_body(p, n, &head);
	get_bytes(&r, head);
	k = get_bytes(&r, 1);
	if (k == NULL || (*k & PACK_FLAGS) == 0)
		return 0;
	flags = get_varint(&r);
	return r.bad ? 0 : (uint16_t)flags;
}

bool
vt_pack_framed_text(
    const uint8_t *p, size_t n, const uint8_t **text, size_t *len)
{
	struct unpack_reader r = { p, p + n, false };
	const uint8_t *k;
	size_t head;

	framed_body(p, n, &head);
	get_bytes(&r, head);
	k = get_bytes(&r, 1);
	if (k == NULL)
		return false;
	if ((vt_pack_framed_flags(p, n) & VT_LINE_BLOCKS) != 0)
		return false;
	if ((*k & PACK_FLAGS) != 0)
		get_varint(&r);
	*len = get_varint(&r);
	if ((*k & PACK_PLAIN) == 0)
		*len = *len == 0 ? 0 : get_varint(&r);
	*text = get_bytes(&r, *len);
	return !r.bad;
}

/*
 * Finds the next run of wide cells, or the next tab, *from..*to-1; false at the
 * end.
 */
static bool
wide_run_next(struct unpack_reader *r, size_t *left, unsigned *from,
    unsigned *to, bool *tab)
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
		*tab = (code & 3) == SPECIAL_PAD;
		if (*tab)
			*to += (unsigned)(code >> 2);
		if (*to > *from)
			return true;
	}
	return false;
}

/* The same for a line with blocks, by unpacking it. */
static size_t
block_rows(const uint8_t *p, size_t n, unsigned width, unsigned cols)
{
	const struct vt_extent ext = { width, true };
	struct vt_line *line = vt_unpack_framed(NULL, p, n);
	size_t rows = 1;

	if (line != NULL)
		rows = vt_wrap_rows(line, &ext, cols);
	vt_line_unref(NULL, line);
	return rows;
}

size_t
vt_pack_framed_rows(const uint8_t *p, size_t n, unsigned width, unsigned cols)
{
	struct unpack_reader r = { p, p + n, false };
	size_t head, left = 0, rows = 1;
	unsigned at = 0, end, from = 0, to = 0;
	bool tab = false;
	const uint8_t *k;

	if ((vt_pack_framed_flags(p, n) & VT_LINE_BLOCKS) != 0)
		return block_rows(p, n, width, cols);
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
	/* A row ends after COLS columns, or before a wide cell or tab there. */
	for (; (end = at + cols) < width; at = end, rows++) {
		while (to <= end && wide_run_next(&r, &left, &from, &to, &tab))
			;
		if (end <= from || end >= to)
			continue;
		if (tab)
			end = from > at ? from : end;
		else if (cols > 1 && (end - from) % 2 != 0)
			end--;
	}
	return rows;
}
