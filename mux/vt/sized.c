#include "mux/vt/sized.h"

#include <string.h>

#include "mux/vt/line_int.h"
#include "mux/vt/line_put.h"
#include "mux/vt/screen.h"

/* --- removing ------------------------------------------------------------------ */

static bool
has_blocks(const struct vt_term *t, int y)
{
	return (vt_row_line(t, y)->flags & VT_LINE_BLOCKS) != 0;
}

/* Replaces the cells of row Y that are row ROW of the block K at X by CH. */
static void
remove_row(struct vt_term *t, int y, int x, const struct vt_link *k,
    unsigned row, uint32_t ch)
{
	struct vt_line *line = NULL;
	const struct vt_link *here;
	struct pen pen;
	unsigned i, col;

	for (i = 0; i < vt_block_cols(k); i++) {
		col = (unsigned)x + i;
		here = vt_line_block(vt_row_line(t, y), col);
		if (here == NULL || here->block.row != row ||
		    vt_row_line(t, y)->cells[col].flags != i + 1 ||
		    !vt_block_same(here, k))
			continue;
		if (line == NULL)
			line = vt_row_own(t, y);
		pen = *vt_line_pen(line, col);
		line->cells[col] =
		    vt_cell_of(ch, vt_line_style(t->pool, line, &pen, NULL));
	}
}

/* Replaces the cells of the block of cell (X, Y) by CH. */
static void
remove_block(struct vt_term *t, int x, int y, uint32_t ch)
{
	struct vt_link *k = vt_line_block(vt_row_line(t, y), (unsigned)x);
	int i, top;

	if (k == NULL)
		return;
	k = vt_link_ref(k);
	x -= vt_row_line(t, y)->cells[x].flags - 1;
	top = y - k->block.row;
	for (i = MAX_OF(0, -top); i < k->block.scale && x >= 0; i++)
		if (top + i < t->rows && has_blocks(t, top + i))
			remove_row(t, top + i, x, k, (unsigned)i, ch);
	vt_link_unref(k);
	t->pen_gen = 0;
}

void
vt_sized_clear(
    struct vt_term *t, int y, int x0, int x1, bool over, bool protect)
{
	const struct vt_link *k;
	int x;

	if (!has_blocks(t, y))
		return;
	for (x = MAX_OF(x0, 0); x < x1 && x < vt_row_line(t, y)->len; x++) {
		k = vt_line_block(vt_row_line(t, y), (unsigned)x);
		if (k == NULL ||
		    (protect &&
			(vt_line_pen(vt_row_line(t, y), (unsigned)x)->attrs &
			    PEN_PROTECTED) != 0))
			continue;
		remove_block(t, x, y,
		    over && (k->block.row > 0 ||
				vt_row_line(t, y)->cells[x].flags > 1)
			? ' '
			: 0);
	}
}

void
vt_sized_cut_row(struct vt_term *t, int y, int x0, int x1)
{
	const struct vt_link *k;
	int x;

	if (y <= 0 || y >= t->rows || !has_blocks(t, y))
		return;
	for (x = x0; x < x1 && x < vt_row_line(t, y)->len; x++) {
		k = vt_line_block(vt_row_line(t, y), (unsigned)x);
		if (k != NULL && k->block.row > 0)
			remove_block(t, x, y, 0);
	}
}

/* Removes the block that goes across the left edge of column X of row Y. */
static void
cut_column(struct vt_term *t, int y, int x)
{
	if (x > 0 && x < vt_row_line(t, y)->len &&
	    vt_row_line(t, y)->cells[x].flags > 1)
		remove_block(t, x, y, 0);
}

void
vt_sized_shift(struct vt_term *t, int y, int x, int n, int end, bool insert)
{
	const struct vt_link *k;
	int i;

	if (!has_blocks(t, y) || x >= end)
		return;
	n = MIN_OF(n, end - x);
	cut_column(t, y, x);
	cut_column(t, y, end);
	cut_column(t, y, insert ? end - n : x + n);
	for (i = x; i < end && i < vt_row_line(t, y)->len; i++) {
		k = vt_line_block(vt_row_line(t, y), (unsigned)i);
		if (k != NULL && k->block.scale > 1)
			remove_block(t, i, y, 0);
	}
}

void
vt_sized_scroll(struct vt_term *t, int top, int n, bool up, bool keep)
{
	const int x0 = t->left, x1 = t->right + 1;
	int y;

	vt_sized_cut_row(t, top, x0, x1);
	vt_sized_cut_row(t, t->bottom + 1, x0, x1);
	if (!up)
		vt_sized_cut_row(t, MAX_OF(t->bottom + 1 - n, top), x0, x1);
	else if (!keep || !vt_full_width(t))
		vt_sized_cut_row(t, MIN_OF(top + n, t->bottom + 1), x0, x1);
	if (vt_full_width(t))
		return;
	for (y = top; y <= t->bottom; y++)
		if (has_blocks(t, y)) {
			cut_column(t, y, x0);
			cut_column(t, y, x1);
		}
}

void
vt_sized_settle(struct vt_term *t)
{
	(void)vt_block_settle(
	    t->pool, t->grid->lines, t->grid->rows, true, !t->alternate);
	t->pen_gen = 0;
}

int
vt_sized_past(const struct vt_term *t, int y, int x, int w)
{
	const struct vt_line *line = vt_row_line(t, y);
	const struct vt_link *k;
	int i;

	if (!has_blocks(t, y))
		return -1;
	for (i = x; i < x + w && i < line->len; i++) {
		k = vt_line_block(line, (unsigned)i);
		if (k != NULL && k->block.row > 0)
			return i + (int)vt_block_cols(k) -
			       (line->cells[i].flags - 1);
	}
	return -1;
}

/* --- putting ------------------------------------------------------------------- */

/*
 * Returns the bytes of the cluster at P, and its columns; a cluster that is
 * wider than MOST columns loses all but its first code point.
 */
static size_t
cluster_at(const struct vt_term *t, const char *p, size_t n, int most,
    size_t *show, int *w)
{
	const size_t used =
	    grapheme_next(t->graphemes, (const uint8_t *)p, n, w);
	uint32_t cp;

	*show = used;
	if (*w > most && *w > 0) {
		*show = utf8_decode_final((const uint8_t *)p, used, &cp);
		*w = grapheme_cp_width(t->graphemes, cp);
	}
	return used;
}

/* Writes the text of a block in the usual size, cut at its edge. */
static void
put_text(struct vt_term *t, struct vt_line *line, unsigned x,
    const struct vt_sized *s, unsigned cols, unsigned style)
{
	size_t at = 0, used, show;
	unsigned col = 0;
	int w;

	for (; at < s->len && col < cols; at += used) {
		used = cluster_at(
		    t, s->text + at, s->len - at, (int)(cols - col), &show, &w);
		if (used == 0 || w > (int)(cols - col))
			return;
		if (w > 0)
			vt_line_put_cluster(line, x + col, s->text + at, show,
			    w == 2 ? VT_WIDE : VT_NARROW, style);
		col += (unsigned)w;
	}
}

void
vt_sized_put_row(struct vt_term *t, int x, int y, const struct vt_sized *s,
    unsigned row, const struct pen *pen, struct vt_link *over)
{
	const unsigned cols = (unsigned)s->block.scale * s->block.width;
	struct vt_line *line = vt_row_own(t, y);
	struct vt_block block = s->block;
	struct vt_link *k;
	unsigned style;

	block.row = (uint8_t)row;
	k = vt_block_new(&block, s->text, s->len, over);
	vt_row_split(t, line, x);
	vt_row_split(t, line, x + (int)cols);
	style = vt_line_style(t->pool, line, pen, k);
	/* A style of its own keeps the cells in the line. */
	vt_line_fill(line, (unsigned)x, (unsigned)x + cols, 0, style);
	if (row == 0)
		put_text(t, line, (unsigned)x, s, cols, style);
	if (vt_line_style_at(line, style)->link != 0)
		vt_block_mark(line, (unsigned)x, cols, k, 0);
	vt_link_unref(k);
	t->pen_gen = 0;
}

bool
vt_sized_append(struct vt_term *t, uint32_t cp)
{
	struct vt_line *const *rows = t->grid->lines;
	int x = t->wrap ? t->x : t->x - 1, i, top;
	char text[VT_BLOCK_TEXT_MAX + UTF8_MAX];
	struct vt_link *k, *over;
	struct vt_sized s;
	struct pen pen;

	if (x < 0 || vt_line_block(rows[t->y], (unsigned)x) == NULL)
		x = t->x;
	if ((k = vt_line_block(rows[t->y], (unsigned)x)) == NULL)
		return false;
	top = t->y - k->block.row;
	if (k->uri_len + UTF8_MAX > VT_BLOCK_TEXT_MAX ||
	    !vt_block_whole(
		rows, t->grid->rows, (unsigned)x, (unsigned)t->y, false))
		return true; /* there is no room for it */
	memcpy(text, k->text, k->uri_len);
	s = (struct vt_sized){ k->block, text, k->uri_len };
	s.len += utf8_encode(cp, (uint8_t *)text + s.len);
	pen = *vt_line_pen(rows[t->y], (unsigned)x);
	over = k->over == NULL ? NULL : vt_link_ref(k->over);
	x -= rows[t->y]->cells[x].flags - 1;
	for (i = 0; i < s.block.scale; i++)
		vt_sized_put_row(t, x, top + i, &s, (unsigned)i, &pen, over);
	vt_link_unref(over);
	return true;
}
