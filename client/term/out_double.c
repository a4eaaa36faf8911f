/*
 * Rows of double size (DECDWL, DECDHL).  Their cells come in pairs, which show
 * the same on any terminal.  A terminal that has such rows gets the attribute
 * and one character for each pair.  Scrolling and deleting lines move the
 * attribute with the row; clearing the screen ends it.
 */
#include "client/term/out_int.h"
#include "mux/vt/show.h"

/* Returns the flags of a row that is to be painted with the attribute, or 0. */
static unsigned
row_kind(const struct term_out *o, const struct vt_line *line)
{
	if ((line->flags & VT_LINE_DOUBLE_WIDTH) == 0 ||
	    (o->caps & TERM_CAP(DOUBLESIZE)) == 0 ||
	    !vt_show_paired(line, o->cols))
		return 0;
	return line->flags & VT_LINE_DOUBLE;
}

/* Writes the attribute KIND of row Y, and erases the row. */
static void
set_kind(struct term_out *o, unsigned y, unsigned kind)
{
	static const struct pen plain;
	const char *attr = kind == 0                      ? "\033#5"
			   : kind & VT_LINE_DOUBLE_TOP    ? "\033#3"
			   : kind & VT_LINE_DOUBLE_BOTTOM ? "\033#4"
							  : "\033#6";

	tickit_term_goto(o->tt, (int)y, 0);
	out_cell_pen(o, &plain, NULL);
	out_puts(o, attr);
	out_puts(o, "\033[2K");
}

static void
paint_half(struct term_out *o, unsigned y, const struct vt_line *old,
    const struct vt_line *new)
{
	struct vt_line *half = vt_show_halved(new, o->cols);
	const unsigned cols = o->cols;

	o->cols = cols / 2;
	out_cell_row(o, y, old, half);
	o->cols = cols;
	vt_line_unref(NULL, half);
}

void
out_double_row(struct term_out *o, unsigned y, const struct vt_line *old,
    const struct vt_line *new)
{
	unsigned before, after;
	struct vt_line *was;

	if (likely(((old->flags | new->flags) & VT_LINE_DOUBLE_WIDTH) == 0)) {
		out_cell_row(o, y, old, new);
		return;
	}
	before = row_kind(o, old);
	after = row_kind(o, new);
	if (before != after) {
		set_kind(o, y, after);
		was = vt_line_new(NULL);
	} else if (after != 0) {
		was = vt_show_halved(old, o->cols);
	} else {
		was = vt_line_ref(old);
	}
	if (after != 0) {
		paint_half(o, y, was, new);
		/* The next row counts its columns otherwise. */
		o->x = -1;
	} else {
		out_cell_row(o, y, was, new);
	}
	vt_line_unref(NULL, was);
}

int
out_double_column(const struct term_out *o, const struct vt_frame *f)
{
	const struct vt_line *line = f->lines[f->state.y];

	return row_kind(o, line) != 0 ? f->state.x / 2 : f->state.x;
}

void
out_double_stop(struct term_out *o)
{
	unsigned y;

	for (y = 0; o->shown != NULL && y < o->shown->rows; y++)
		if (row_kind(o, o->shown->lines[y]) != 0) {
			tickit_term_goto(o->tt, (int)y, 0);
			out_puts(o, "\033#5");
		}
}
