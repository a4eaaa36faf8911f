/*
 * Joining rows and wrapping lines.  See wrap.h for the rule.
 */
#include "mux/vt/wrap.h"

static bool
line_has_wide(const struct vt_line *line, unsigned n)
{
	unsigned i, any = 0;

	for (i = 0; i < n; i++)
		any |= line->cells[i].width | (unsigned)line->cells[i].flags;
	return any != 0;
}

struct vt_extent
vt_wrap_extent(const struct vt_line *row)
{
	struct vt_extent ext = { vt_line_written(row), false };

	ext.wide = line_has_wide(row, ext.width);
	return ext;
}

size_t
vt_wrap_group(struct vt_line *const *rows, size_t n, unsigned cols)
{
	size_t i, cells = 0;

	for (i = 0; i < n; i++) {
		if ((rows[i]->flags & VT_LINE_WRAPPED) == 0)
			return i + 1;
		cells += cols;
		if ((rows[i]->flags & VT_LINE_DOUBLE_WIDTH) != 0 ||
		    i + 1 == VT_WRAP_ROWS || cells + cols > VT_WRAP_CELLS)
			return i + 1;
		/* Double-width rows do not join with others. */
		if (i + 1 < n &&
		    (rows[i + 1]->flags & VT_LINE_DOUBLE_WIDTH) != 0)
			return i + 1;
	}
	return n;
}

unsigned
vt_wrap_joined(
    const struct vt_line *row, const struct vt_line *next, unsigned cols)
{
	if (row->len != cols || next->len == 0)
		return cols;
	if (cols > 0 && row->cells[cols - 1].width == VT_PAD &&
	    next->cells[0].width == VT_WIDE && next->cells[0].flags == 0)
		return cols - 1;
	/* A block, too, wraps as a whole. */
	if (next->cells[0].width == VT_TAB || next->cells[0].flags == 1)
		while (cols > 0 && row->cells[cols - 1].width == VT_PAD)
			cols--;
	return cols;
}

struct vt_line *
vt_wrap_join(struct vt_pool *pool, struct vt_line *const *rows, size_t n,
    unsigned cols, struct vt_extent *ext)
{
	struct vt_line *line;
	unsigned at = 0, w = cols;
	uint16_t flags = 0;
	size_t i;

	if (n == 1) {
		*ext = vt_wrap_extent(rows[0]);
		return vt_line_ref(rows[0]);
	}
	line = vt_line_new(pool);
	for (i = 0; i < n; i++) {
		w = i + 1 < n ? vt_wrap_joined(rows[i], rows[i + 1], cols)
			      : cols;
		if (rows[i]->len > 0)
			vt_line_copy(pool, line, at, rows[i], 0,
			    MIN_OF(w, (unsigned)rows[i]->len));
		flags |= rows[i]->flags;
		at += w;
	}
	line->flags = flags & (uint16_t)~VT_LINE_WRAPPED;
	line->flags |= rows[n - 1]->flags & VT_LINE_WRAPPED;
	*ext = vt_wrap_extent(line);
	/* Count the last row, even if it is empty. */
	ext->width = MAX_OF(ext->width, at - w + 1);
	return line;
}

/* Returns END, or where the block at it begins if that is behind FROM. */
static unsigned
wrap_block(const struct vt_line *line, unsigned from, unsigned end)
{
	const unsigned in = line->cells[end].flags - 1u;

	return end > from + in ? end - in : end;
}

unsigned
vt_wrap_end(const struct vt_line *line, const struct vt_extent *ext,
    unsigned from, unsigned cols)
{
	unsigned end = from + cols, start;

	if (end >= ext->width)
		return ext->width;
	if (!ext->wide || end >= line->len)
		return end;
	if (unlikely(line->cells[end].flags > 1))
		return wrap_block(line, from, end);
	if (line->cells[end].width == VT_TAIL && cols > 1)
		return end - 1;
	if (line->cells[end].width != VT_TAB_REST)
		return end;
	/* A tab that fits into no row is cut. */
	for (start = end; line->cells[start].width == VT_TAB_REST; start--)
		if (start == from)
			return end;
	return start > from ? start : end;
}

size_t
vt_wrap_rows(
    const struct vt_line *line, const struct vt_extent *ext, unsigned cols)
{
	unsigned at = 0;
	size_t n = 1;

	if (ext->width <= cols)
		return 1;
	if (!ext->wide || cols == 1)
		return (ext->width + cols - 1) / cols;
	while ((at = vt_wrap_end(line, ext, at, cols)) < ext->width)
		n++;
	return n;
}

struct vt_line *
vt_wrap_cut(struct vt_pool *pool, const struct vt_line *line,
    const struct vt_extent *ext, unsigned from, unsigned end, unsigned cols)
{
	bool last = end >= ext->width;
	struct vt_line *row;
	unsigned stop = end;

	if (last) /* include the erased columns that fit */
		stop = MIN_OF((unsigned)line->len, from + cols);
	if (from == 0 && last && line->len <= cols)
		return vt_line_ref(line);
	row = vt_line_new(pool);
	if (from < line->len && stop > from)
		vt_line_copy(pool, row, 0, line, from, stop - from);
	if (!last)
		for (stop = end - from; stop < cols; stop++)
			vt_line_put_pad(row, stop, 0);
	row->flags |= line->flags & VT_LINE_DOUBLE;
	if (from == 0)
		row->flags |= line->flags & VT_LINE_MARKS;
	if (!last)
		row->flags |= VT_LINE_WRAPPED;
	else
		row->flags |= line->flags & VT_LINE_WRAPPED;
	return row;
}
