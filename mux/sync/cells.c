#include "mux/sync/cells.h"

#include <string.h>

#include "base/err.h"
#include "base/utf8.h"
#include "mux/vt/block.h"

/*
 * Bytes from 0x20 on are UTF-8, one code point a cell. Lower bytes are codes:
 */
enum cells_code {
	/* End of the run; later columns keep their cells. */
	CELLS_END = 0x00,
	CELLS_NARROW = 0x01, /* the following cells are one column wide */
	CELLS_WIDE = 0x02,   /* two columns wide */
	/* u8 length, then that many bytes of UTF-8: one cell */
	CELLS_CLUSTER = 0x03,
	/* u8 mask, then the fields it names: the pen from here on */
	CELLS_PEN = 0x04,
	CELLS_PLAIN = 0x05,  /* the default pen, no link */
	CELLS_BLANK = 0x06,  /* varint count: cells never written */
	CELLS_REPEAT = 0x07, /* varint count: repeats the last code point */
	CELLS_PAD = 0x08,    /* padding before a wrapped wide cell */
	CELLS_ERASE = 0x09,  /* end; the rest of the row is blank */
	CELLS_TAB = 0x0a,    /* varint count: the columns of a tab */
};

/* Fields of CELLS_PEN; a field that is not named has its default. */
enum cells_pen {
	CELLS_PEN_FG = 1,
	CELLS_PEN_BG = 2,
	CELLS_PEN_UL = 4,
	CELLS_PEN_ATTRS = 8,
	CELLS_PEN_LINK = 16,
	/* u8 scale, width, num << 4 | den, valign << 4 | halign, row, then
	   varint column and text: the cells from here on are of a block */
	CELLS_PEN_BLOCK = 32,
	CELLS_PEN_ALL = 63,
};

#define CELLS_REPEAT_MIN 4

void
sync_put_varint(struct buf *b, uint64_t v)
{
	uint8_t bytes[8];
	struct wr w;

	if (likely(v < 1u << 6)) { /* the value itself */
		(void)buf_add_u8(b, (uint8_t)v);
		return;
	}
	wr_init(&w, bytes, sizeof(bytes));
	wr_varint(&w, v);
	(void)buf_add(b, bytes, wr_len(&w));
}

/* Appends u8 kind, then its bytes: three for RGB, else one. */
static void
colour_put(struct buf *b, colour c)
{
	(void)buf_add_u8(b, (uint8_t)colour_kind(c));
	if (colour_kind(c) == COLOUR_KIND_RGB) {
		(void)buf_add_u8(b, (uint8_t)(c >> 16));
		(void)buf_add_u8(b, (uint8_t)(c >> 8));
	}
	(void)buf_add_u8(b, (uint8_t)c);
}

static colour
colour_get(struct rd *r)
{
	uint32_t kind, v = 0;

	kind = rd_u8(r);
	if (kind > COLOUR_KIND_THEME)
		rd_fail(r, -ERR_PEER);
	if (kind == COLOUR_KIND_RGB) {
		v = (uint32_t)rd_u8(r) << 16;
		v |= (uint32_t)rd_u8(r) << 8;
	}
	return kind << 24 | v | rd_u8(r);
}

static void
link_put(struct buf *b, const struct vt_link *link)
{
	sync_put_varint(b, link->uri_len);
	(void)buf_add(b, vt_link_uri(link), link->uri_len);
	sync_put_varint(b, link->id_len);
	(void)buf_add(b, vt_link_id(link), link->id_len);
}

/* Appends a block, of which the column DX follows. */
static void
block_put(struct buf *b, const struct vt_link *block, unsigned dx)
{
	const struct vt_block *k = &block->block;

	(void)buf_add_u8(b, k->scale);
	(void)buf_add_u8(b, k->width);
	(void)buf_add_u8(b, (uint8_t)(k->num << 4 | k->den));
	(void)buf_add_u8(b, (uint8_t)(k->valign << 4 | k->halign));
	(void)buf_add_u8(b, k->row);
	sync_put_varint(b, dx);
	sync_put_varint(b, block->uri_len);
	(void)buf_add(b, vt_link_uri(block), block->uri_len);
}

static void
pen_put(struct buf *b, const struct pen *pen, const struct vt_link *link,
    const struct vt_link *block, unsigned dx)
{
	uint8_t mask = 0;

	if (pen->fg != COLOUR_DEFAULT)
		mask |= CELLS_PEN_FG;
	if (pen->bg != COLOUR_DEFAULT)
		mask |= CELLS_PEN_BG;
	if (pen->ul != COLOUR_DEFAULT)
		mask |= CELLS_PEN_UL;
	if (pen->attrs != 0)
		mask |= CELLS_PEN_ATTRS;
	if (link != NULL)
		mask |= CELLS_PEN_LINK;
	if (block != NULL)
		mask |= CELLS_PEN_BLOCK;
	if (mask == 0) {
		(void)buf_add_u8(b, CELLS_PLAIN);
		return;
	}
	(void)buf_add_u8(b, CELLS_PEN);
	(void)buf_add_u8(b, mask);
	if (mask & CELLS_PEN_FG)
		colour_put(b, pen->fg);
	if (mask & CELLS_PEN_BG)
		colour_put(b, pen->bg);
	if (mask & CELLS_PEN_UL)
		colour_put(b, pen->ul);
	if (mask & CELLS_PEN_ATTRS)
		sync_put_varint(b, pen->attrs);
	if (mask & CELLS_PEN_LINK)
		link_put(b, link);
	if (mask & CELLS_PEN_BLOCK)
		block_put(b, block, dx);
}

static bool
link_same(const struct vt_link *a, const struct vt_link *b)
{
	return a == b || (a != NULL && b != NULL && vt_link_equal(a, b));
}

/* State of the encoder: what the bytes so far have set. */
struct cells_put {
	struct buf *b;
	const struct vt_line *line;
	const struct pen *pen;
	const struct vt_link *link;
	const struct vt_link *block; /* of the next cell, or NULL */
	unsigned dx;                 /* its column in the block */
	unsigned style;              /* index already compared, or UINT_MAX */
	bool wide;
	bool sized; /* the reader knows blocks */
};

/* The same for a cell of a block, or the first cell after one. */
static void
cells_put_block(struct cells_put *p, struct vt_cell c, unsigned col)
{
	const struct pen *pen = vt_line_pen(p->line, col);
	const struct vt_link *link = vt_line_link(p->line, col);
	const struct vt_link *block = vt_line_block(p->line, col);
	const unsigned dx = block == NULL ? 0 : c.flags - 1u;

	if (!pen_equal(pen, p->pen) || !link_same(link, p->link) ||
	    !link_same(block, p->block) || (block != NULL && dx != p->dx))
		pen_put(p->b, pen, link, block, dx);
	p->pen = pen;
	p->link = link;
	p->block = block;
	p->dx = dx;
	p->style = block == NULL ? c.style : UINT16_MAX + 1u;
}

/* Moves on by N columns of a block. */
static void
cells_put_moved(struct cells_put *p, unsigned n)
{
	if (unlikely(p->block != NULL))
		p->dx = (p->dx + n) % vt_block_cols(p->block);
}

static void
cells_put_style(struct cells_put *p, struct vt_cell c, unsigned col)
{
	const struct pen *pen;
	const struct vt_link *link;

	if (unlikely(p->sized && (c.flags != 0 || p->block != NULL))) {
		cells_put_block(p, c, col);
		return;
	}
	if (c.style == p->style)
		return;
	p->style = c.style;
	pen = vt_line_pen(p->line, col);
	link = vt_line_link(p->line, col);
	if (pen_equal(pen, p->pen) && link_same(link, p->link))
		return;
	pen_put(p->b, pen, link, NULL, 0);
	p->pen = pen;
	p->link = link;
}

/*
 * Compares styles by content: a line may hold the same style twice, and another
 * copy of the line may have another order.
 */
static bool
style_same(const struct vt_line *line, unsigned a, unsigned b)
{
	return pen_equal(vt_line_pen(line, a), vt_line_pen(line, b)) &&
	       link_same(vt_line_link(line, a), vt_line_link(line, b));
}

/* Whether the cell at COL continues the block of the one before, or none. */
static bool
block_goes_on(const struct vt_line *line, unsigned col)
{
	const struct vt_cell a = vt_line_cell(line, col - 1);
	const struct vt_cell b = vt_line_cell(line, col);
	const struct vt_link *k;

	if (likely((a.flags | b.flags) == 0))
		return true;
	k = vt_line_block(line, col - 1);
	return k != NULL && b.flags == a.flags % vt_block_cols(k) + 1 &&
	       link_same(k, vt_line_block(line, col));
}

/*
 * Returns the number of cells from COL on that equal the one at COL. Compares
 * by content, so that both ends encode the same bytes.
 */
static unsigned
cells_same(const struct vt_line *line, unsigned col, unsigned to)
{
	struct vt_cell a = vt_line_cell(line, col), c;
	unsigned style = a.style, n = 1;

	while (col + n < to) {
		c = vt_line_cell(line, col + n);
		if (c.ch != a.ch || c.width != a.width ||
		    !block_goes_on(line, col + n))
			break;
		if (c.style != style && !style_same(line, col, col + n))
			break;
		style = c.style;
		n++;
	}
	return n;
}

static void
cells_put_text(struct cells_put *p, struct vt_cell c)
{
	uint8_t bytes[UTF8_MAX];
	const char *s;
	size_t len;

	if ((c.width == VT_WIDE) != p->wide) {
		p->wide = c.width == VT_WIDE;
		(void)buf_add_u8(p->b, p->wide ? CELLS_WIDE : CELLS_NARROW);
	}
	if (c.ch & VT_CELL_CLUSTER) {
		s = vt_line_cluster(p->line, c, &len);
		(void)buf_add_u8(p->b, CELLS_CLUSTER);
		(void)buf_add_u8(p->b, (uint8_t)len);
		(void)buf_add(p->b, s, len);
	} else
		(void)buf_add(p->b, bytes, utf8_encode(c.ch, bytes));
}

/*
 * Puts the ASCII characters from column COL on that are in the current style and
 * that none of the codes shortens, in one go.  Returns the number of cells.  The
 * last run of equal ones is left to the caller if it may go on.
 */
static unsigned
cells_put_ascii(struct cells_put *p, unsigned col, unsigned to)
{
	const struct vt_line *line = p->line;
	const struct vt_cell *cell = line->cells;
	const uint64_t style = vt_cell_get(
	    (struct vt_cell){ 0, (uint16_t)p->style, VT_NARROW, 0 });
	unsigned i, run = col; /* where the equal ones begin */
	uint64_t c, last = 0;
	uint8_t *out;

	to = MIN_OF(to, line->len);
	if (p->wide || col >= to || to - col > p->b->max - p->b->len ||
	    buf_reserve(p->b, to - col, &out) != 0)
		return 0;
	for (i = col; i < to; i++) {
		/*
		 * The bits above the character are zero only for a narrow cell
		 * of this style.
		 */
		c = vt_cell_get(cell[i]) ^ style;
		if (c - 0x20 > 0x7e - 0x20)
			break;
		if (c != last) {
			last = c;
			run = i;
		} else if (i - run >= CELLS_REPEAT_MIN) {
			break;
		}
		out[i - col] = (uint8_t)c;
	}
	if (i == to)
		run = i;
	buf_commit(p->b, run - col);
	return run - col;
}

void
sync_cells_put(struct buf *b, const struct vt_line *line, unsigned from,
    unsigned to, bool erase)
{
	static const struct pen plain;
	struct cells_put p = {
		.b = b,
		.line = line,
		.pen = &plain,
		.style = UINT16_MAX + 1u,
		.sized = (line->flags & VT_LINE_SIZED) != 0,
	};
	struct vt_cell c;
	unsigned col, n, run;

	for (col = from; col < to; col += n) {
		n = 1;
		c = vt_line_cell(line, col);
		if (c.width == VT_TAIL)
			continue;
		cells_put_style(&p, c, col);
		if ((run = cells_put_ascii(&p, col, to)) > 0) {
			n = run;
		} else if (c.width == VT_PAD) {
			(void)buf_add_u8(b, CELLS_PAD);
		} else if (c.width == VT_TAB) {
			while (col + n < to &&
			       vt_line_cell(line, col + n).width == VT_TAB_REST)
				n++;
			(void)buf_add_u8(b, CELLS_TAB);
			sync_put_varint(b, n);
		} else if (c.ch == 0) {
			n = cells_same(line, col, to);
			(void)buf_add_u8(b, CELLS_BLANK);
			sync_put_varint(b, n);
		} else {
			cells_put_text(&p, c);
			if (c.width != VT_NARROW || (c.ch & VT_CELL_CLUSTER)) {
				cells_put_moved(&p, c.width == VT_WIDE ? 2 : 1);
				continue;
			}
			n = cells_same(line, col, to);
			if (n > CELLS_REPEAT_MIN) {
				(void)buf_add_u8(b, CELLS_REPEAT);
				sync_put_varint(b, n - 1);
			} else
				n = 1;
		}
		cells_put_moved(&p, n);
	}
	(void)buf_add_u8(b, erase ? CELLS_ERASE : CELLS_END);
}

/* State of the decoder. */
struct cells_get {
	struct rd *r;
	struct vt_line *line;
	unsigned col;
	unsigned cols;
	struct pen pen;
	struct vt_link *link;  /* one reference is the decoder's */
	struct vt_link *block; /* likewise */
	unsigned dx;           /* of the next cell in the block */
	unsigned style;
	uint32_t gen;  /* line->gen that `style` belongs to; 0 unknown */
	uint32_t last; /* last code point, 0 if none may be repeated */
	bool wide;
};

static unsigned
cells_style(struct cells_get *g)
{
	if (g->gen == 0 || g->gen != g->line->gen) {
		g->style = vt_line_style(NULL, g->line, &g->pen,
		    g->block != NULL ? g->block : g->link);
		g->gen = g->line->gen;
	}
	return g->style;
}

/* Ends N columns of cells that have been written. */
static void
cells_moved(struct cells_get *g, unsigned n)
{
	if (unlikely(g->block != NULL && n > 0)) {
		if (vt_line_style_at(g->line, g->style)->link != 0)
			vt_block_mark(g->line, g->col, n, g->block, g->dx);
		g->dx = (g->dx + n) % vt_block_cols(g->block);
	}
	g->col += n;
}

static int
cells_get_block(struct cells_get *g)
{
	struct vt_block k = { 0 };
	const uint8_t *text;
	uint64_t dx, len;
	uint8_t v;

	k.scale = rd_u8(g->r);
	k.width = rd_u8(g->r);
	v = rd_u8(g->r);
	k.num = v >> 4;
	k.den = v & 15;
	v = rd_u8(g->r);
	k.valign = v >> 4;
	k.halign = v & 15;
	k.row = rd_u8(g->r);
	dx = rd_varint(g->r);
	len = rd_varint(g->r);
	peer_check(g->r->err == 0 && vt_block_valid(&k) &&
		   dx < (unsigned)k.scale * k.width && len > 0 &&
		   len <= VT_BLOCK_TEXT_MAX);
	text = rd_bytes(g->r, (size_t)len);
	/* security: the text goes to the user's terminal. */
	peer_check(text != NULL && utf8_valid(text, (size_t)len) &&
		   !utf8_has_control(text, (size_t)len));
	g->block = vt_block_new(&k, (const char *)text, (size_t)len, g->link);
	g->dx = (unsigned)dx;
	return 0;
}

static int
cells_get_pen(struct cells_get *g, bool plain)
{
	const uint8_t *uri, *id;
	size_t urilen, idlen;
	uint8_t mask = plain ? 0 : rd_u8(g->r);

	peer_check(mask <= CELLS_PEN_ALL);
	g->pen = (struct pen){ 0 };
	if (mask & CELLS_PEN_FG)
		g->pen.fg = colour_get(g->r);
	if (mask & CELLS_PEN_BG)
		g->pen.bg = colour_get(g->r);
	if (mask & CELLS_PEN_UL)
		g->pen.ul = colour_get(g->r);
	if (mask & CELLS_PEN_ATTRS)
		g->pen.attrs = (uint32_t)rd_varint(g->r) & 0xffff;
	vt_link_unref(g->link);
	vt_link_unref(g->block);
	g->link = g->block = NULL;
	g->gen = 0;
	if (mask & CELLS_PEN_LINK) {
		urilen = (size_t)rd_varint(g->r);
		peer_check(urilen <= VT_LINK_MAX);
		uri = rd_bytes(g->r, urilen);
		idlen = (size_t)rd_varint(g->r);
		peer_check(idlen <= VT_LINK_ID_MAX);
		id = rd_bytes(g->r, idlen);
		peer_check(uri != NULL && id != NULL);
		g->link = vt_link_new(
		    (const char *)uri, urilen, (const char *)id, idlen);
	}
	if (mask & CELLS_PEN_BLOCK)
		return cells_get_block(g);
	return g->r->err;
}

static int
cells_get_cp(struct cells_get *g, uint32_t cp)
{
	unsigned w = g->wide ? 2 : 1;

	/* security: a control character would reach the user's terminal. */
	peer_check((cp < 0x7f || cp > 0x9f) && g->col + w <= g->cols);
	vt_line_put(
	    g->line, g->col, cp, g->wide ? VT_WIDE : VT_NARROW, cells_style(g));
	cells_moved(g, w);
	g->last = g->wide ? 0 : cp;
	return 0;
}

static int
cells_get_utf8(struct cells_get *g)
{
	size_t used;
	uint32_t cp;

	used = utf8_decode_final(g->r->p, rd_left(g->r), &cp);
	g->r->p += used;
	return cells_get_cp(g, cp);
}

static int
cells_get_cluster(struct cells_get *g)
{
	unsigned w = g->wide ? 2 : 1;
	const uint8_t *s;
	size_t len;

	len = rd_u8(g->r);
	peer_check(len > 0 && len <= VT_CLUSTER_MAX);
	s = rd_bytes(g->r, len);
	peer_check(s != NULL && utf8_valid(s, len) &&
		   !utf8_has_control(s, len) && g->col + w <= g->cols);
	vt_line_put_cluster(g->line, g->col, (const char *)s, len,
	    g->wide ? VT_WIDE : VT_NARROW, cells_style(g));
	cells_moved(g, w);
	g->last = 0;
	return 0;
}

static int
cells_get_count(struct cells_get *g, bool blank)
{
	uint64_t n = rd_varint(g->r);

	peer_check(n <= g->cols - g->col && (blank || g->last != 0));
	if (blank) {
		vt_line_erase(
		    g->line, g->col, g->col + (unsigned)n, cells_style(g));
		g->last = 0;
	} else
		vt_line_fill(g->line, g->col, g->col + (unsigned)n, g->last,
		    cells_style(g));
	cells_moved(g, (unsigned)n);
	return 0;
}

static int
cells_get_tab(struct cells_get *g)
{
	const uint64_t n = rd_varint(g->r);

	peer_check(n > 0 && n <= g->cols - g->col);
	vt_line_put_tab(g->line, g->col, (unsigned)n, cells_style(g));
	cells_moved(g, (unsigned)n);
	g->last = 0;
	return 0;
}

/* Decodes one code; sets *done at the end. */
static int
cells_get_code(struct cells_get *g, uint8_t code, bool *done)
{
	switch (code) {
	case CELLS_ERASE:
		if (g->col < g->cols) {
			vt_line_erase(g->line, g->col, g->cols,
			    vt_line_style(
				NULL, g->line, &(struct pen){ 0 }, NULL));
		}
		*done = true;
		return 0;
	case CELLS_END:
		*done = true;
		return 0;
	case CELLS_NARROW:
	case CELLS_WIDE:
		g->wide = code == CELLS_WIDE;
		return 0;
	case CELLS_CLUSTER:
		return cells_get_cluster(g);
	case CELLS_PEN:
	case CELLS_PLAIN:
		return cells_get_pen(g, code == CELLS_PLAIN);
	case CELLS_BLANK:
	case CELLS_REPEAT:
		return cells_get_count(g, code == CELLS_BLANK);
	case CELLS_TAB:
		return cells_get_tab(g);
	case CELLS_PAD:
		peer_check(g->col < g->cols);
		vt_line_put_pad(g->line, g->col, cells_style(g));
		cells_moved(g, 1);
		g->last = 0;
		return 0;
	default:
		return -ERR_PEER;
	}
}

int
sync_cells_get(struct rd *r, struct vt_line *line, unsigned from, unsigned cols)
{
	struct cells_get g = {
		.r = r,
		.line = line,
		.col = from,
		.cols = cols,
	};
	bool done = false;
	int err = 0;

	while (!done && err == 0) {
		if (r->err != 0 || rd_left(r) == 0)
			err = -ERR_PEER;
		else if (*r->p >= 0x20)
			err = cells_get_utf8(&g);
		else
			err = cells_get_code(&g, rd_u8(r), &done);
	}
	vt_link_unref(g.link);
	vt_link_unref(g.block);
	if (err == 0 && r->err != 0)
		err = -ERR_PEER;
	return err;
}
