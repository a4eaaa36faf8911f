#include "mux/vt/show.h"

#include "mux/vt/line_int.h"

/* Returns the second column of a pair whose first one is C. */
static struct vt_cell
pair_rest(struct vt_cell c)
{
	return (struct vt_cell){ c.ch == 0 ? 0 : ' ', c.style, VT_NARROW, 0 };
}

/* Spreads the N cells of LINE, which has room for twice as many. */
static void
pair_cells(struct vt_line *line, unsigned n)
{
	struct vt_cell *cells = line->cells, c, tail;
	unsigned i;

	for (i = n; i-- > 0;) {
		c = cells[i];
		if (c.width == VT_TAIL) {
			tail = c;
			c = cells[--i];
			cells[2 * i] = c;
			cells[2 * i + 1] = tail;
			cells[2 * i + 2] = cells[2 * i + 3] = pair_rest(c);
			continue;
		}
		if (c.width == VT_PAD)
			c.ch = 0;
		c.width = VT_NARROW;
		cells[2 * i] = c;
		cells[2 * i + 1] = pair_rest(c);
	}
}

struct vt_line *
vt_show_pairs(const struct vt_line *src, unsigned cols, bool text)
{
	struct vt_line *line = vt_line_new(NULL);
	unsigned i, n = MIN_OF(vt_line_used(src), cols / 2);

	if (n > 0) {
		vt_line_copy(NULL, line, 0, src, 0, n);
		vt_line_open(line, 0, 2 * n);
		pair_cells(line, n);
	}
	for (i = 0; !text && i < line->len; i++) {
		line->cells[i].ch = 0;
		line->cells[i].width = VT_NARROW;
	}
	line->flags = src->flags;
	return line;
}

/* Whether the cell at COL is what follows the first column C of a pair. */
static bool
is_rest(const struct vt_line *line, unsigned col, unsigned first)
{
	const struct vt_cell c = vt_line_cell(line, col);

	return c.width == VT_NARROW && (c.ch == 0 || c.ch == ' ') &&
	       pen_equal(vt_line_pen(line, col), vt_line_pen(line, first)) &&
	       vt_link_equal(
		   vt_line_link(line, col), vt_line_link(line, first));
}

bool
vt_show_paired(const struct vt_line *line, unsigned cols)
{
	unsigned i;

	if ((line->flags & VT_LINE_DOUBLE_WIDTH) == 0 || cols < 2)
		return false;
	for (i = 0; i + 1 < cols; i += 2) {
		if (vt_line_cell(line, i).width == VT_WIDE) {
			if (i + 3 >= cols || !is_rest(line, i + 2, i) ||
			    !is_rest(line, i + 3, i))
				return false;
			i += 2;
		} else if (vt_line_cell(line, i).width != VT_NARROW ||
			   !is_rest(line, i + 1, i)) {
			return false;
		}
	}
	/* A last column of its own can show nothing. */
	return i >= cols || vt_cell_is_blank(vt_line_cell(line, i));
}

struct vt_line *
vt_show_halved(const struct vt_line *line, unsigned cols)
{
	struct vt_line *half = vt_line_clone(NULL, line);
	unsigned i, n = MIN_OF((unsigned)half->len, cols) / 2;
	struct vt_cell *c = half->cells;

	half->len = (uint16_t)(2 * n);
	for (i = 0; i < n; i++) {
		if (c[2 * i].width == VT_WIDE && i + 1 < n) {
			c[i] = c[2 * i];
			c[i + 1] = c[2 * i + 1];
			i++;
		} else {
			c[i] = c[2 * i];
		}
	}
	half->len = (uint16_t)n;
	half->hash = 0;
	return half;
}
