#include "mux/vt/block.h"

#include "mux/vt/line_int.h"

struct vt_link *
vt_block_new(const struct vt_block *block, const char *text, size_t n,
    struct vt_link *over)
{
	struct vt_link *k;

	if (n > VT_BLOCK_TEXT_MAX) {
		n = VT_BLOCK_TEXT_MAX;
		while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80)
			n--;
	}
	k = vt_link_new(text, n, NULL, 0);
	k->block = *block;
	if (over != NULL)
		k->over = vt_link_ref(over);
	return k;
}

bool
vt_block_valid(const struct vt_block *b)
{
	return b->scale >= 1 && b->scale <= VT_BLOCK_SCALE_MAX &&
	       b->width >= 1 && b->width <= VT_BLOCK_WIDTH_MAX &&
	       b->num <= VT_BLOCK_FRACTION_MAX &&
	       b->den <= VT_BLOCK_FRACTION_MAX &&
	       b->valign <= VT_BLOCK_ALIGN_MAX &&
	       b->halign <= VT_BLOCK_ALIGN_MAX && b->row < b->scale;
}

bool
vt_block_same(const struct vt_link *a, const struct vt_link *b)
{
	struct vt_block ba = a->block, bb = b->block;

	ba.row = bb.row = 0;
	return a->uri_len == b->uri_len && memcmp(&ba, &bb, sizeof(ba)) == 0 &&
	       memcmp(a->text, b->text, a->uri_len) == 0 &&
	       vt_link_equal(a->over, b->over);
}

/* Whether LINE has row ROW of a block as K from COL on. */
static bool
has_row(const struct vt_line *line, unsigned col, const struct vt_link *k,
    unsigned row)
{
	const struct vt_link *here, *last = NULL;
	unsigned i;

	if (col + vt_block_cols(k) > line->len)
		return false;
	for (i = 0; i < vt_block_cols(k); i++) {
		here = vt_line_block(line, col + i);
		if (here == NULL || line->cells[col + i].flags != i + 1)
			return false;
		if (here != last && here != k &&
		    (here->block.row != row || !vt_block_same(here, k)))
			return false;
		last = here;
		if (here->block.row != row)
			return false;
	}
	return true;
}

bool
vt_block_whole(struct vt_line *const *rows, unsigned nrows, unsigned x,
    unsigned y, bool above)
{
	const struct vt_link *k = vt_line_block(rows[y], x);
	const unsigned in = vt_line_cell(rows[y], x).flags - 1u;
	unsigned i = 0;

	if (k == NULL || in > x || y - k->block.row + k->block.scale > nrows)
		return false;
	if (k->block.row > y) {
		if (!above)
			return false;
		i = k->block.row - y;
	}
	for (; i < k->block.scale; i++)
		if (!has_row(rows[y + i - k->block.row], x - in, k, i))
			return false;
	return true;
}

void
vt_block_mark(struct vt_line *line, unsigned col, unsigned n,
    const struct vt_link *k, unsigned dx)
{
	const unsigned cols = vt_block_cols(k);
	unsigned i;

	for (i = 0; i < n; i++)
		line->cells[col + i].flags = (uint8_t)((dx + i) % cols + 1);
	line->flags |= VT_LINE_BLOCKS;
}

void
vt_block_strip(
    struct vt_pool *pool, struct vt_line *line, unsigned from, unsigned to)
{
	const struct vt_style *s;
	struct vt_link *over;
	struct vt_cell *c;
	struct pen pen;
	unsigned i;

	vt_line_styles_trim(pool, line);
	for (i = from; i < MIN_OF(to, (unsigned)line->len); i++) {
		c = &line->cells[i];
		if (c->flags == 0)
			continue;
		s = vt_line_style_at(line, c->style);
		pen = s->pen;
		over = vt_line_link(line, i);
		c->style = (uint16_t)vt_line_style_add(line, &pen, over);
		line->cells[i].flags = 0;
	}
}

/* Returns the column after the cells of a block's row from COL on. */
static unsigned
piece_end(const struct vt_line *line, unsigned col)
{
	unsigned to = col + 1;

	while (to < line->len && line->cells[to].flags > 1)
		to++;
	return to;
}

struct vt_line *
vt_block_tidy(struct vt_pool *pool, const struct vt_line *line)
{
	struct vt_line *copy;
	const struct vt_link *k;
	unsigned x, to;

	copy = vt_line_ref(line);
	if (likely((line->flags & VT_LINE_BLOCKS) == 0))
		return copy;
	for (x = 0; x < copy->len; x = to) {
		to = x + 1;
		if (copy->cells[x].flags == 0)
			continue;
		k = vt_line_block(copy, x);
		if (k != NULL && has_row(copy, x, k, k->block.row)) {
			to = x + vt_block_cols(k);
			continue;
		}
		to = piece_end(copy, x);
		vt_block_strip(pool, vt_line_own(pool, &copy), x, to);
	}
	return copy;
}

/* The same for row Y. */
static bool
settle_row(struct vt_pool *pool, struct vt_line **rows, unsigned nrows,
    unsigned y, bool keep, bool above)
{
	const struct vt_link *k;
	bool left = false;
	unsigned x = 0, to;

	while (x < rows[y]->len) {
		if (rows[y]->cells[x].flags == 0) {
			x++;
			continue;
		}
		k = keep ? vt_line_block(rows[y], x) : NULL;
		if (k != NULL && rows[y]->cells[x].flags == 1 &&
		    vt_block_whole(rows, nrows, x, y, above)) {
			x += vt_block_cols(k);
			left = true;
			continue;
		}
		to = piece_end(rows[y], x);
		vt_block_strip(pool, vt_line_own(pool, &rows[y]), x, to);
		x = to;
	}
	return left;
}

bool
vt_block_settle(struct vt_pool *pool, struct vt_line **rows, unsigned nrows,
    bool keep, bool above)
{
	bool left = false;
	unsigned y;

	for (y = 0; y < nrows; y++)
		if (unlikely((rows[y]->flags & VT_LINE_BLOCKS) != 0) &&
		    settle_row(pool, rows, nrows, y, keep, above))
			left = true;
	return left;
}
