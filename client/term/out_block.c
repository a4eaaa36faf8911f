/*
 * Text in blocks of cells (OSC 66).  A terminal that has them draws a block
 * whole, and erases it whole when one of its cells is erased.  So blocks that go
 * are erased first, then the rows are painted around those that stay or come,
 * and those that come are drawn last.
 */
#include "client/term/out_int.h"
#include "mux/vt/block.h"

static bool
has_blocks(const struct vt_frame *f)
{
	unsigned y, flags = 0;

	for (y = 0; y < f->rows; y++)
		flags |= f->lines[y]->flags;
	return (flags & VT_LINE_BLOCKS) != 0;
}

struct vt_frame *
out_block_frame(const struct term_out *o, const struct vt_frame *f)
{
	struct vt_frame *own;

	if (likely(!has_blocks(f)))
		return vt_frame_ref(f);
	own = vt_frame_clone(f);
	(void)vt_block_settle(NULL, own->lines, own->rows,
	    (o->caps & TERM_CAP(TEXTSIZE)) != 0, false);
	return own;
}

/* Returns the block whose first cell is (X, Y), or NULL. */
static struct vt_link *
block_from(const struct vt_frame *f, unsigned x, unsigned y)
{
	struct vt_link *k = vt_line_block(f->lines[y], x);

	return k != NULL && k->block.row == 0 &&
		       f->lines[y]->cells[x].flags == 1
		   ? k
		   : NULL;
}

/* Whether frame F, too, has the block K of frame OF at (X, Y), and its pen. */
static bool
stays(const struct vt_frame *of, const struct vt_frame *f,
    const struct vt_link *k, unsigned x, unsigned y)
{
	const struct vt_link *other = block_from(f, x, y);

	return other != NULL && vt_link_equal(k, other) &&
	       pen_equal(
		   vt_line_pen(of->lines[y], x), vt_line_pen(f->lines[y], x));
}

/* Erases a block on the terminal, and makes its cells blank in F. */
static void
erase_block(struct term_out *o, struct vt_frame *f, const struct vt_link *k,
    unsigned x, unsigned y)
{
	static const struct pen plain;
	const unsigned cols = vt_block_cols(k), rows = k->block.scale;
	unsigned i;

	out_cell_pen(o, &plain, NULL);
	for (i = 0; i < rows; i++) {
		/* The first takes the text; each, its row's background. */
		tickit_term_goto(o->tt, (int)(y + i), (int)x);
		tickit_termdrv_write_strf(&o->drv, "\033[%uX", cols);
		vt_line_erase(vt_frame_own(f, y + i), x, x + cols, 0);
	}
}

bool
out_block_begin(struct term_out *o, const struct vt_frame *f)
{
	struct vt_frame *shown = o->shown;
	struct vt_link *k;
	unsigned x, y;

	if (likely(!has_blocks(shown)))
		return has_blocks(f);
	o->shown = vt_frame_clone(shown);
	for (y = 0; y < shown->rows; y++) {
		if ((shown->lines[y]->flags & VT_LINE_BLOCKS) == 0)
			continue;
		for (x = 0; x < shown->lines[y]->len; x++)
			if ((k = block_from(shown, x, y)) != NULL &&
			    !stays(shown, f, k, x, y))
				erase_block(o, o->shown, k, x, y);
	}
	vt_frame_unref(shown);
	return true;
}

void
out_block_row(struct term_out *o, unsigned y, const struct vt_line *old,
    const struct vt_line *new, const uint64_t *bits)
{
	unsigned x = 0, from;

	while (x < o->cols) {
		while (x < o->cols && vt_line_cell(new, x).flags != 0)
			x++;
		for (from = x; x < o->cols && vt_line_cell(new, x).flags == 0;
		     x++)
			;
		out_cell_span(o, y, old, new, bits, from, x);
	}
}

/* Draws the block K at (X, Y) of F. */
static void
draw_block(struct term_out *o, const struct vt_frame *f,
    const struct vt_link *k, unsigned x, unsigned y)
{
	const struct vt_block *b = &k->block;

	tickit_term_goto(o->tt, (int)y, (int)x);
	out_cell_graphics(o, false);
	out_cell_pen(o, vt_line_pen(f->lines[y], x), k->over);
	tickit_termdrv_write_strf(
	    &o->drv, "\033]66;s=%u:w=%u", b->scale, b->width);
	if (b->den > 0)
		tickit_termdrv_write_strf(&o->drv, ":n=%u:d=%u:v=%u:h=%u",
		    b->num, b->den, b->valign, b->halign);
	out_puts(o, ";");
	out_text(o, vt_link_uri(k), k->uri_len);
	out_puts(o, "\033\\");
	o->x = -1;
}

void
out_block_end(struct term_out *o, const struct vt_frame *f)
{
	struct vt_link *k;
	unsigned x, y;

	for (y = 0; y < f->rows; y++) {
		if ((f->lines[y]->flags & VT_LINE_BLOCKS) == 0)
			continue;
		for (x = 0; x < f->lines[y]->len; x++)
			if ((k = block_from(f, x, y)) != NULL &&
			    !stays(f, o->shown, k, x, y))
				draw_block(o, f, k, x, y);
	}
}
