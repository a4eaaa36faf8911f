/*
 * Moving and copying cells within and between lines, and changing pens.
 */
#include "base/mem.h"
#include "mux/vt/line_int.h"

/* Turns padding that moves away from the margin into erased columns. */
static void
line_unpad(struct vt_line *line, unsigned from, unsigned to)
{
	unsigned i;

	for (i = from; i < to && i < line->len; i++)
		if (line->cells[i].width == VT_PAD)
			line->cells[i].width = VT_NARROW;
}

void
vt_line_insert(struct vt_line *line, unsigned col, unsigned n, unsigned right,
    unsigned style)
{
	unsigned move, end;

	if (col >= right || n == 0)
		return;
	n = MIN_OF(n, right - col);
	if (col < line->len) {
		vt_line_cut(line, col);
		vt_line_cut(line, right);
		vt_line_cut(line, right - n);
		end = MIN_OF((unsigned)line->len, right);
		move = MIN_OF(end - col, right - col - n);
		if (move > 0) {
			line_unpad(line, col, col + move);
			end = col + n + move;
			if (end > line->cap)
				vt_line_grow(line, end);
			memmove(line->cells + col + n, line->cells + col,
			    move * sizeof(struct vt_cell));
			memset(
			    line->cells + col, 0, n * sizeof(struct vt_cell));
			line->len = (uint16_t)MAX_OF(end, line->len);
		}
	}
	vt_line_erase(line, col, col + n, style);
}

void
vt_line_delete(struct vt_line *line, unsigned col, unsigned n, unsigned right,
    unsigned style)
{
	unsigned end, move = 0;

	if (col >= right || n == 0)
		return;
	n = MIN_OF(n, right - col);
	end = MIN_OF((unsigned)line->len, right);
	vt_line_cut(line, col);
	vt_line_cut(line, right);
	vt_line_cut(line, col + n);
	if (end > col + n) {
		move = end - col - n;
		line_unpad(line, col + n, end);
		memmove(line->cells + col, line->cells + col + n,
		    move * sizeof(struct vt_cell));
	}
	if (col < end) {
		/* The cells after the moved ones are stale: blank them. */
		memset(line->cells + col + move, 0,
		    (end - col - move) * sizeof(struct vt_cell));
		if (end == line->len)
			line->len = (uint16_t)(col + move);
	}
	if (style != 0)
		vt_line_erase(line, right - n, right, style);
}

/* Translates one cell of SRC for DST.  MAP caches styles (0: unknown). */
static struct vt_cell
copy_cell(struct vt_line *dst, const struct vt_line *src, struct vt_cell c,
    uint16_t *map)
{
	const struct vt_style *s;
	struct vt_link *link;
	const char *p;
	size_t n;

	if (unlikely(c.flags != 0))
		dst->flags |= VT_LINE_BLOCKS;
	if (c.style != 0) {
		if (map[c.style] == 0) {
			s = &src->styles[c.style];
			link = s->link == 0 ? NULL : src->links[s->link - 1];
			map[c.style] =
			    (uint16_t)vt_line_style_add(dst, &s->pen, link);
		}
		c.style = map[c.style];
	}
	if ((c.ch & VT_CELL_CLUSTER) != 0) {
		p = vt_line_cluster(src, c, &n);
		c.ch = vt_line_text_add(dst, p, n);
	}
	return c;
}

/*
 * Copies a whole line without styles: appends its text unchanged and adjusts
 * the offsets in its cells.
 */
static void
copy_whole(struct vt_line *dst, unsigned dcol, const struct vt_line *src)
{
	uint32_t at, ch;
	struct vt_cell *out;
	unsigned i;

	/* Make room before the copy, since that reads the cells. */
	vt_line_text_room(dst, src->ntext);
	at = dst->ntext;
	memcpy(dst->text + at, src->text, src->ntext);
	dst->ntext += src->ntext;
	out = vt_line_open(dst, dcol, dcol + src->len);
	for (i = 0; i < src->len; i++) {
		out[i] = src->cells[i];
		ch = out[i].ch;
		out[i].ch = ch + ((ch & VT_CELL_CLUSTER) != 0 ? at : 0);
	}
}

/* Copies cells to another line.  Both ends are whole cells. */
static void
copy_between(struct vt_line *dst, unsigned dcol, const struct vt_line *src,
    unsigned scol, unsigned n)
{
	uint16_t small[64] = { 0 }, *map = small;
	struct vt_cell *out;
	unsigned i;

	if (src->nstyles == 0 && src->ntext > 0 && n == src->len) {
		copy_whole(dst, dcol, src);
		return;
	}
	if (src->nstyles > ARRAY_LEN(small))
		map = mem_calloc(src->nstyles, sizeof(*map));
	out = vt_line_open(dst, dcol, dcol + n);
	if (src->nstyles == 0 && src->ntext == 0) {
		memcpy(out, src->cells + scol, n * sizeof(*out));
	} else {
		/* Blank the cells first: adding text may compact it. */
		memset(out, 0, n * sizeof(*out));
		for (i = 0; i < n; i++) {
			struct vt_cell c = src->cells[scol + i];

			dst->cells[dcol + i] = copy_cell(dst, src, c, map);
		}
	}
	if (map != small)
		mem_free(map);
}

/* Splits wide cells and tabs that straddle the ends of dcol..dcol+n-1. */
static void
copy_mend(struct vt_line *dst, unsigned dcol, unsigned n)
{
	struct vt_cell *c;

	if (dcol < dst->len && (c = &dst->cells[dcol])->width == VT_TAIL) {
		c->ch = ' ';
		c->width = VT_NARROW;
	}
	if (dcol < dst->len && dst->cells[dcol].width == VT_TAB_REST &&
	    (dcol == 0 || dst->cells[dcol - 1].width < VT_TAB))
		vt_line_untab(dst, dcol);
	if (dcol + n <= dst->len && n > 0 &&
	    (c = &dst->cells[dcol + n - 1])->width == VT_WIDE) {
		c->ch = ' ';
		c->width = VT_NARROW;
	}
}

void
vt_line_copy(struct vt_pool *pool, struct vt_line *dst, unsigned dcol,
    const struct vt_line *src, unsigned scol, unsigned n)
{
	struct vt_line *tmp = NULL;
	unsigned have;

	if (n == 0 || (dst == src && dcol == scol))
		return;
	if (dst == src)
		src = tmp = vt_line_clone(pool, src);
	vt_line_styles_trim(pool, dst);
	have = scol < src->len ? MIN_OF(n, src->len - scol) : 0;
	if (have > 0) {
		copy_between(dst, dcol, src, scol, have);
		copy_mend(dst, dcol, have);
		line_unpad(dst, dcol, dcol + have);
	}
	if (have < n)
		vt_line_erase(dst, dcol + have, dcol + n, 0);
	vt_line_unref(pool, tmp);
}

void
vt_line_repen(struct vt_pool *pool, struct vt_line *line, unsigned from,
    unsigned to, vt_pen_fn fn, void *arg)
{
	unsigned i, old = UINT16_MAX + 1u, new = 0;
	const struct vt_style *s;
	struct vt_link *link;
	struct pen pen;

	vt_line_styles_trim(pool, line);
	if (from < to && to > line->len) {
		/*
		 * Give columns that were never written cells to carry the pen.
		 */
		i = line->len;
		vt_line_open(line, MAX_OF(i, from), to);
		memset(line->cells + MAX_OF(i, from), 0,
		    (to - MAX_OF(i, from)) * sizeof(struct vt_cell));
	}
	for (i = from; i < to; i++) {
		if (line->cells[i].width == VT_TAIL) {
			/* Both columns of a wide cell have one style. */
			line->cells[i].style = line->cells[i - 1].style;
			continue;
		}
		if (line->cells[i].style != old) {
			old = line->cells[i].style;
			s = vt_line_style_at(line, old);
			pen = s->pen;
			link = s->link == 0 ? NULL : line->links[s->link - 1];
			fn(&pen, arg);
			new = vt_line_style_add(line, &pen, link);
		}
		line->cells[i].style = (uint16_t) new;
	}
	if (to < line->len && from < to && line->cells[to].width == VT_TAIL)
		line->cells[to].style = line->cells[to - 1].style;
}
