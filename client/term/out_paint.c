#include "base/mem.h"
#include "client/term/out_int.h"

/* Smallest block of rows whose scroll saves bytes. */
#define SCROLL_MIN_ROWS 2

#define SCROLLS_MAX 4 /* blocks of rows that one paint scrolls */

static const struct pen pen_plain;

/* --- frames --------------------------------------------------------------- */

/*
 * Rows to look for elsewhere.  Only if some of their columns agree, the hash of
 * all of them is worth computing.
 */
struct sought {
	struct vt_line **lines;
	uint32_t *some; /* [rows] */
};

/* Returns a hash of every fifth column of LINE; equal lines have equal ones. */
static uint32_t
row_some(const struct vt_line *line)
{
	uint32_t h = 0, ch;
	unsigned x;

	for (x = 0; x < line->len; x += 5) {
		ch = line->cells[x].ch;
		if (unlikely((ch & VT_CELL_CLUSTER) != 0))
			ch = VT_CELL_CLUSTER;
		h += ch * (x * UINT32_C(0x9e3779b1) | 1);
	}
	return h;
}

static struct sought
rows_new(const struct vt_frame *f)
{
	struct sought r = { f->lines, mem_calloc(f->rows, sizeof(*r.some)) };
	unsigned y;

	for (y = 0; y < f->rows; y++)
		r.some[y] = row_some(f->lines[y]);
	return r;
}

static bool
row_found(
    const struct sought *a, unsigned ya, const struct sought *b, unsigned yb)
{
	return a->some[ya] == b->some[yb] &&
	       (a->lines[ya] == b->lines[yb] ||
		   vt_line_hash(a->lines[ya]) == vt_line_hash(b->lines[yb]));
}

/*
 * Finds the longest block of rows of NEW that is elsewhere in the shown frame.
 * Returns its length; *y its first row, *shift how many rows it has moved up.
 */
static unsigned
find_scroll(const struct sought *shown, const struct sought *new, unsigned rows,
    unsigned *y, int *shift)
{
	unsigned best = 0, a, b, n;

	for (a = 0; a < rows; a++) {
		if (row_found(shown, a, new, a) ||
		    vt_line_used(new->lines[a]) == 0)
			continue;
		for (b = 0; b < rows; b++) {
			if (a == b || !row_found(shown, b, new, a))
				continue;
			for (n = 1; a + n < rows && b + n < rows &&
				    row_found(shown, b + n, new, a + n);
			     n++)
				;
			if (n > best) {
				best = n;
				*y = a;
				*shift = (int)b - (int)a;
			}
		}
		if (best > 0)
			a = MAX_OF(a, *y + best - 1);
	}
	return best;
}

/* Moves the rows top..bottom-1 of the shown frame up by SHIFT. */
static void
shown_scroll(struct term_out *o, unsigned top, unsigned bottom, int shift)
{
	struct vt_frame *f, *blank;
	unsigned y;
	int from;

	blank = vt_frame_new(o->cols, o->rows);
	f = vt_frame_clone(o->shown);
	for (y = top; y < bottom; y++) {
		from = (int)y + shift;
		vt_line_unref(NULL, f->lines[y]);
		f->lines[y] = vt_line_ref(from >= (int)top && from < (int)bottom
					      ? o->shown->lines[from]
					      : blank->lines[y]);
	}
	vt_frame_unref(blank);
	vt_frame_unref(o->shown);
	o->shown = f;
}

/* Scrolls one block of rows that is elsewhere; false if there is none. */
static bool
paint_scroll(
    struct term_out *o, const struct sought *shown, const struct sought *new)
{
	TickitRect r = { .left = 0, .cols = (int)o->cols };
	unsigned y = 0, n, top, bottom;
	int shift = 0;

	n = find_scroll(shown, new, o->rows, &y, &shift);
	if (n < SCROLL_MIN_ROWS)
		return false;
	top = shift > 0 ? y : (unsigned)((int)y + shift);
	bottom = shift > 0 ? (unsigned)((int)(y + n) + shift) : y + n;
	out_cell_pen(o, &pen_plain, NULL);
	r.top = (int)top;
	r.lines = (int)(bottom - top);
	if (!tickit_term_scrollrect(o->tt, r, shift, 0))
		return false;
	shown_scroll(o, top, bottom, shift);
	return true;
}

static void
paint_scrolls(struct term_out *o, const struct vt_frame *f)
{
	struct sought new = rows_new(f), shown;
	bool more = true;
	unsigned round;

	for (round = 0; more && round < SCROLLS_MAX; round++) {
		shown = rows_new(o->shown);
		more = paint_scroll(o, &shown, &new);
		mem_free(shown.some);
	}
	mem_free(new.some);
}

/* Shows or hides the cursor; a dumb terminal cannot. */
static void
set_visible(struct term_out *o, bool visible)
{
	if (visible == o->visible || (o->caps & ~TERM_CAP(UTF8)) == 0)
		return;
	out_puts(o, visible ? "\033[?25h" : "\033[?25l");
	o->visible = visible;
}

static void
paint_cursor(struct term_out *o, const struct vt_frame *f)
{
	bool visible = (f->state.modes & VT_FRAME_CURSOR_VISIBLE) != 0;
	bool blink = (f->state.modes & VT_FRAME_CURSOR_BLINK) != 0;
	uint32_t rgb = vt_palette_get(f->state.palette, VT_DYN_CURSOR);
	int shape;

	tickit_term_goto(o->tt, f->state.y, out_double_column(o, f));
	if ((o->caps & TERM_CAP(CSTYLE)) &&
	    (f->state.cursor_shape != o->shape || blink != o->blink)) {
		/* DECSCUSR: 0 default, then blinking and steady in turn. */
		shape = f->state.cursor_shape == VT_CURSOR_DEFAULT
			    ? 0
			    : f->state.cursor_shape * 2 - blink;
		tickit_termdrv_write_strf(&o->drv, "\033[%d q", shape);
		o->shape = f->state.cursor_shape;
		o->blink = blink;
	}
	if ((o->caps & TERM_CAP(CCOLOUR)) && rgb != o->cursor_rgb) {
		if (rgb == VT_PALETTE_UNSET)
			out_puts(o, "\033]112\033\\");
		else
			tickit_termdrv_write_strf(
			    &o->drv, "\033]12;#%06x\033\\", rgb);
		o->cursor_rgb = rgb;
	}
	set_visible(o, visible);
}

/* Returns the number of rows of F that differ from the shown ones. */
static unsigned
rows_changed(const struct term_out *o, const struct vt_frame *f)
{
	unsigned y, n = 0;

	if (o->shown == NULL)
		return f->rows;
	for (y = 0; y < f->rows; y++)
		n += !vt_line_equal(o->shown->lines[y], f->lines[y]);
	return n;
}

void
term_out_paint(struct term_out *o, const struct vt_frame *view)
{
	struct vt_frame *f;
	unsigned y, changed;
	bool sync, blocks, fresh;

	bug_assert(view->cols == o->cols && view->rows == o->rows);
	f = out_block_frame(o, view);
	changed = rows_changed(o, f);
	fresh = o->shown == NULL;
	sync = changed > 1 && (o->caps & TERM_CAP(SYNC)) != 0;
	if (sync)
		out_puts(o, "\033[?2026h");
	else if (changed > 1)
		set_visible(o, false);
	if (fresh) {
		out_puts(o, "\033[m");
		o->pen = pen_plain;
		tickit_term_clear(o->tt);
		o->shown = vt_frame_new(o->cols, o->rows);
		o->x = o->y = -1;
	}
	blocks = changed > 0 && out_block_begin(o, f);
	if (changed >= SCROLL_MIN_ROWS && !blocks && !fresh)
		paint_scrolls(o, f);
	for (y = 0; y < f->rows && changed > 0; y++)
		if (o->shown->lines[y] != f->lines[y])
			out_double_row(o, y, o->shown->lines[y], f->lines[y]);
	if (blocks)
		out_block_end(o, f);
	out_cell_pen(o, &pen_plain, NULL);
	out_cell_graphics(o, false);
	paint_cursor(o, f);
	if (sync)
		out_puts(o, "\033[?2026l");
	vt_frame_unref(o->shown);
	o->shown = f;
	tickit_term_flush(o->tt);
}
