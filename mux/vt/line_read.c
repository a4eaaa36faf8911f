/*
 * Reading a line: text, comparison by value, content hash.
 */
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

	return style_link(line, vt_line_style_at(line, c.style));
}

size_t
vt_line_text(const struct vt_line *line, unsigned col, char *out)
{
	struct vt_cell c = vt_line_cell(line, col);
	const char *p;
	size_t n;

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
hash_style(const struct vt_line *line, unsigned style)
{
	const struct vt_style *s = vt_line_style_at(line, style);
	const struct vt_link *k = style_link(line, s);
	uint64_t h;

	h = hash_step(1, (uint64_t)s->pen.fg << 32 | s->pen.bg);
	h = hash_step(h, (uint64_t)s->pen.ul << 32 | s->pen.attrs);
	if (k != NULL) {
		h = hash_bytes(h, vt_link_uri(k), k->uri_len);
		h = hash_bytes(h, vt_link_id(k), k->id_len);
	}
	return h;
}

uint64_t
vt_line_hash(const struct vt_line *line)
{
	/*
	 * The cached hash is not part of the content: write it through const.
	 */
	struct vt_line *l = container_of(&line->refs, struct vt_line, refs);
	unsigned i, n, style = UINT16_MAX + 1u;
	uint64_t h, sh = 0, v;
	struct vt_cell c;
	const char *p;
	size_t len;

	if (line->hash != 0)
		return line->hash;
	n = vt_line_used(line);
	h = hash_step(line->flags, n);
	for (i = 0; i < n; i++) {
		c = line->cells[i];
		if (c.style != style) {
			style = c.style;
			sh = hash_style(line, style);
		}
		v = (uint64_t)c.width << 32 | c.ch;
		if ((c.ch & VT_CELL_CLUSTER) != 0) {
			p = vt_line_cluster(line, c, &len);
			v = hash_bytes(c.width, p, len);
		}
		h = hash_step(h, v ^ sh);
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

	if (ca.width != cb.width)
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

bool
vt_line_equal(const struct vt_line *a, const struct vt_line *b)
{
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
	for (i = 0; i < n; i++)
		if (!cells_same(a, a->cells[i], b, b->cells[i]))
			return false;
	return true;
}
