/*
 * Reading a line: text, comparison by value, content hash.
 */
#include <string.h>

#include "base/utf8.h"
#include "mux/vt/line_int.h"

static const struct vt_style style_default;

const struct vt_style *
vt_line_style_at(const struct vt_line *line, unsigned style)
{
	return style < line->nstyles ? &line->styles[style] : &style_default;
}

const struct pen *
vt_line_pen(const struct vt_line *line, unsigned col)
{
	return &vt_line_style_at(line, vt_line_cell(line, col).style)->pen;
}

static struct vt_link *
style_link(const struct vt_line *line, const struct vt_style *s)
{
	return s->link == 0 ? NULL : line->links[s->link - 1];
}

struct vt_link *
vt_line_link(const struct vt_line *line, unsigned col)
{
	struct vt_cell c = vt_line_cell(line, col);
	struct vt_link *k = style_link(line, vt_line_style_at(line, c.style));

	return k != NULL && k->block.scale > 0 ? k->over : k;
}

struct vt_link *
vt_line_block(const struct vt_line *line, unsigned col)
{
	struct vt_cell c = vt_line_cell(line, col);
	struct vt_link *k;

	if (likely(c.flags == 0))
		return NULL;
	k = style_link(line, vt_line_style_at(line, c.style));
	return k != NULL && k->block.scale > 0 ? k : NULL;
}

/* Writes the text of a cell of the block K, as vt_line_text does. */
static size_t
block_text(const struct vt_link *k, struct vt_cell c, char *out)
{
	size_t n = 0;

	if (k->block.row > 0) {
		out[n++] = ' ';
	} else if (c.flags == 1) {
		n = MIN_OF((size_t)k->uri_len, (size_t)VT_CLUSTER_MAX);
		while (n < k->uri_len && n > 0 &&
		       ((unsigned char)k->text[n] & 0xc0) == 0x80)
			n--;
		memcpy(out, k->text, n);
	}
	out[n] = '\0';
	return n;
}

size_t
vt_line_text(const struct vt_line *line, unsigned col, char *out)
{
	struct vt_cell c = vt_line_cell(line, col);
	const struct vt_link *k;
	const char *p;
	size_t n;

	if (unlikely(c.flags != 0) && (k = vt_line_block(line, col)) != NULL)
		return block_text(k, c, out);
	if (c.width == VT_TAIL || c.width == VT_PAD) {
		n = 0;
	} else if ((c.ch & VT_CELL_CLUSTER) != 0) {
		p = vt_line_cluster(line, c, &n);
		memcpy(out, p, n);
	} else {
		n = utf8_encode(c.ch == 0 ? ' ' : c.ch, (uint8_t *)out);
	}
	out[n] = '\0';
	return n;
}

unsigned
vt_line_used(const struct vt_line *line)
{
	unsigned n = line->len;

	while (n > 0 && vt_cell_is_blank(line->cells[n - 1]))
		n--;
	return n;
}

unsigned
vt_line_written(const struct vt_line *line)
{
	unsigned n = line->len;

	while (n > 0 && line->cells[n - 1].ch == 0 &&
	       line->cells[n - 1].width != VT_TAIL)
		n--;
	return n;
}

/* --- content hash --------------------------------------------------------- */

#define HASH_K UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t
hash_step(uint64_t h, uint64_t v)
{
	h = (h ^ v) * HASH_K;
	return h ^ h >> 32;
}

/* Hashes byte by byte, seven to a step, so that byte order does not matter. */
static uint64_t
hash_bytes(uint64_t h, const void *p, size_t n)
{
	const uint8_t *b = p;
	uint64_t v = n;
	size_t i;

	for (i = 0; i < n; i++) {
		v = v << 8 | b[i];
		if (i % 7 == 6) {
			h = hash_step(h, v);
			v = 0;
		}
	}
	return hash_step(h, v);
}

static uint64_t
hash_link(uint64_t h, const struct vt_link *k)
{
	if (k->block.scale > 0) {
		h = hash_bytes(h, &k->block, sizeof(k->block));
		if (k->over != NULL)
			h = hash_link(h, k->over);
	}
	h = hash_bytes(h, vt_link_uri(k), k->uri_len);
	return hash_bytes(h, vt_link_id(k), k->id_len);
}

static uint64_t
hash_style(const struct vt_line *line, unsigned style)
{
	const struct vt_style *s = vt_line_style_at(line, style);
	const struct vt_link *k = style_link(line, s);
	uint64_t h;

	h = hash_step(1, (uint64_t)s->pen.fg << 32 | s->pen.bg);
	h = hash_step(h, (uint64_t)s->pen.ul << 32 | s->pen.attrs);
	if (k != NULL)
		h = hash_link(h, k);
	return h;
}

/* The part of a cell in its line's hash. */
static uint64_t
hash_cell(const struct vt_line *line, struct vt_cell c)
{
	const char *p;
	size_t len;

	if ((c.ch & VT_CELL_CLUSTER) == 0)
		return (uint64_t)c.flags << 40 | (uint64_t)c.width << 32 | c.ch;
	p = vt_line_cluster(line, c, &len);
	return hash_bytes((uint64_t)c.flags << 8 | c.width, p, len);
}

uint64_t
vt_line_hash(const struct vt_line *line)
{
	/*
	 * The cached hash is not part of the content: write it through const.
	 */
	struct vt_line *l = container_of(&line->refs, struct vt_line, refs);
	const struct vt_cell *c = line->cells;
	unsigned i, n, style = 0;
	uint64_t h, sh, v;

	if (line->hash != 0)
		return line->hash;
	n = vt_line_used(line);
	h = hash_step(line->flags, n);
	sh = hash_style(line, style);
	for (i = 0; i < n; i++) {
		/* Most are narrow characters in the style of the last one. */
		v = vt_cell_get(c[i]) ^ (uint64_t)style << 32;
		if (likely(v < VT_CELL_CLUSTER)) {
			h = hash_step(h, v ^ sh);
			continue;
		}
		if (c[i].style != style) {
			style = c[i].style;
			sh = hash_style(line, style);
		}
		h = hash_step(h, hash_cell(line, c[i]) ^ sh);
	}
	l->hash = h == 0 ? 1 : h;
	return l->hash;
}

/* --- equality -------------------------------------------------------------- */

static bool
cells_same(const struct vt_line *a, struct vt_cell ca, const struct vt_line *b,
    struct vt_cell cb)
{
	const struct vt_style *sa, *sb;
	const char *pa, *pb;
	size_t na, nb;

	if (ca.width != cb.width || ca.flags != cb.flags)
		return false;
	if ((ca.ch & cb.ch & VT_CELL_CLUSTER) != 0) {
		pa = vt_line_cluster(a, ca, &na);
		pb = vt_line_cluster(b, cb, &nb);
		if (na != nb || memcmp(pa, pb, na) != 0)
			return false;
	} else if (ca.ch != cb.ch) {
		return false;
	}
	if ((ca.style | cb.style) == 0)
		return true;
	sa = vt_line_style_at(a, ca.style);
	sb = vt_line_style_at(b, cb.style);
	return pen_equal(&sa->pen, &sb->pen) &&
	       vt_link_equal(style_link(a, sa), style_link(b, sb));
}

bool
vt_line_cell_equal(const struct vt_line *a, unsigned acol,
    const struct vt_line *b, unsigned bcol)
{
	return cells_same(a, vt_line_cell(a, acol), b, vt_line_cell(b, bcol));
}

/* Compares cell I of two lines that both have it. */
static inline bool
same_at(const struct vt_line *a, const struct vt_line *b, unsigned i)
{
	const uint64_t x = vt_cell_get(a->cells[i]);
	const uint64_t y = vt_cell_get(b->cells[i]);

	if (likely(((x | y) & VT_CELL_LOCAL) == 0))
		return x == y;
	return cells_same(a, a->cells[i], b, b->cells[i]);
}

/*
 * Returns whether cells of A and B have equal styles if, and only if, they have
 * equal indexes: neither has links, and one table begins with the other.
 */
static bool
tables_alike(const struct vt_line *a, const struct vt_line *b)
{
	const size_t n = MIN_OF(a->nstyles, b->nstyles);

	return (a->nlinks | b->nlinks) == 0 &&
	       (n == 0 ||
		   memcmp(a->styles, b->styles, n * sizeof(*a->styles)) == 0);
}

/*
 * Compares cells FROM..TO-1, at most 64, that both lines have.  ALIKE: as
 * tables_alike says.
 */
static uint64_t
differ_both(const struct vt_line *a, const struct vt_line *b, unsigned from,
    unsigned to, bool alike)
{
	const struct vt_cell *p = a->cells + from, *q = b->cells + from;
	uint64_t bits = 0, all = 0, x, y;
	unsigned i;

	for (i = 0; i < to - from; i++) {
		x = vt_cell_get(p[i]);
		y = vt_cell_get(q[i]);
		all |= x | y;
		bits |= (uint64_t)(x != y) << i;
	}
	all &= alike ? VT_CELL_CLUSTER : VT_CELL_LOCAL;
	if (likely(all == 0))
		return bits;
	for (bits = i = 0; i < to - from; i++)
		bits |= (uint64_t)!same_at(a, b, from + i) << i;
	return bits;
}

void
vt_line_differ(const struct vt_line *a, const struct vt_line *b, unsigned cols,
    uint64_t *out)
{
	const unsigned both =
	    MIN_OF(cols, MIN_OF((unsigned)a->len, (unsigned)b->len));
	const struct vt_line *longer = a->len > b->len ? a : b;
	const bool alike = tables_alike(a, b);
	unsigned i, at, to, end;

	for (at = 0; at < cols; at += 64) {
		to = CLAMP(both, at, at + 64);
		out[at / 64] = differ_both(a, b, at, to, alike);
		/* Beyond the end of a line is nothing but blanks. */
		end = MIN_OF(MIN_OF(cols, (unsigned)longer->len), at + 64);
		for (i = to; i < end; i++)
			if (!vt_cell_is_blank(longer->cells[i]) &&
			    !vt_line_cell_equal(a, i, b, i))
				out[at / 64] |= UINT64_C(1) << (i - at);
	}
}

bool
vt_line_equal(const struct vt_line *a, const struct vt_line *b)
{
	uint64_t x, local;
	unsigned i, n;

	if (a == b)
		return true;
	if (a->flags != b->flags)
		return false;
	if (a->hash != 0 && b->hash != 0 && a->hash != b->hash)
		return false;
	n = vt_line_used(a);
	if (n != vt_line_used(b))
		return false;
	local = tables_alike(a, b) ? VT_CELL_CLUSTER : VT_CELL_LOCAL;
	for (i = 0; i < n; i++) {
		x = vt_cell_get(a->cells[i]);
		if ((x != vt_cell_get(b->cells[i]) || (x & local) != 0) &&
		    !cells_same(a, a->cells[i], b, b->cells[i]))
			return false;
	}
	return true;
}
