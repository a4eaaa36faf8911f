/*
 * What copy mode shows.
 */
#include "mux/mode/copy_int.h"

/* The base of the styles: only those with noattr lose its attribute. */
const struct pen copy_style_base = { .attrs = PEN_PROTECTED };

/*
 * Lays a style over a cell: its colours, where it has some, and its attributes
 * beside those of the cell, unless it has noattr.
 */
static void
over(struct pen *pen, void *arg)
{
	const struct pen *style = arg;
	uint32_t kept = pen->attrs;

	if (style->fg != 0)
		pen->fg = style->fg;
	if (style->bg != 0)
		pen->bg = style->bg;
	if ((style->attrs & (uint32_t)PEN_PROTECTED) == 0)
		kept &= (uint32_t)PEN_PROTECTED;
	if (pen_underline(style) != PEN_UL_NONE)
		kept &= ~(uint32_t)PEN_UL_MASK;
	pen->attrs = kept | (style->attrs & ~(uint32_t)PEN_PROTECTED);
}

/* Gives a cell the colours and attributes of a style. */
static void
instead(struct pen *pen, void *arg)
{
	const struct pen *style = arg;

	pen->fg = style->fg;
	pen->bg = style->bg;
	pen->attrs = (pen->attrs & (uint32_t)PEN_PROTECTED) |
		     (style->attrs & ~(uint32_t)PEN_PROTECTED);
}

/* All columns of a tab have one style: turns one that goes on at COL to blanks. */
static void
cut_tab(struct vt_line *l, unsigned col)
{
	if (col < l->len && l->cells[col].width == VT_TAB_REST)
		vt_line_set_width(l, col, VT_NARROW);
}

static void
paint_columns(struct vt_frame *f, unsigned y, unsigned from, unsigned to,
    vt_pen_fn fn, struct pen *style)
{
	struct vt_line *l;

	to = MIN_OF(to, f->cols);
	if (from >= to)
		return;
	l = vt_frame_own(f, y);
	cut_tab(l, from);
	cut_tab(l, to);
	vt_line_repen(NULL, l, from, to, fn, style);
}

/*
 * Paints columns FROM..TO-1 of ROW with a style instead of what they have; the
 * cell of the mark has its colours reversed, as in tmux.
 */
static void
paint_marked(struct copy *c, struct vt_frame *f, vt_row row, unsigned from,
    unsigned to, struct pen *style)
{
	const struct vt_pos mark = c->at[COPY_AT_MARK];
	struct pen reversed = *style;

	paint_columns(f, (unsigned)(row - c->top), from, to, instead, style);
	if (!c->mark_shown || mark.row != row || mark.col < from ||
	    mark.col >= to)
		return;
	reversed.fg = style->bg;
	reversed.bg = style->fg;
	paint_columns(f, (unsigned)(row - c->top), mark.col, mark.col + 1,
	    instead, &reversed);
}

static struct pen
style_of(const struct mode_paint *paint, enum option_id id)
{
	return paint->style(paint->arg, id, &copy_style_base);
}

static void
draw_text(struct copy *c, struct vt_frame *f)
{
	const struct vt_line *l;
	unsigned y;

	for (y = 0; y < MIN_OF(c->rows, f->rows); y++) {
		l = text_row(&c->text.text, c->top + y);
		if (l == NULL)
			continue;
		vt_line_unref(NULL, f->lines[y]);
		f->lines[y] = vt_line_ref(l);
		if (l->len > f->cols)
			vt_line_truncate(vt_frame_own(f, y), f->cols);
	}
}

/*
 * The place at which the current match lies: the cursor's, or with emacs keys
 * after a search downwards the one before it.
 */
static struct vt_pos
current_place(const struct copy *c)
{
	const struct vt_pos here = copy_here(c);

	if (copy_is_vi(c) || !c->find_down ||
	    (here.col == 0 && here.row == copy_first(c)))
		return here;
	if (here.col > 0)
		return (struct vt_pos){ here.row, here.col - 1 };
	return (struct vt_pos){ here.row - 1, c->cols - 1 };
}

static void
draw_matches(struct copy *c, struct vt_frame *f, const struct mode_paint *paint)
{
	const struct vt_pos here = current_place(c);
	struct vt_match found[256];
	struct pen style, current;
	size_t i, n;
	vt_row row;
	bool now;

	if (!c->search_marks)
		return;
	style = style_of(paint, OPTION_COPY_MODE_MATCH_STYLE);
	current = style_of(paint, OPTION_COPY_MODE_CURRENT_MATCH_STYLE);
	n = copy_search_rows(
	    c, c->top, c->top + c->rows, found, ARRAY_LEN(found));
	for (i = 0; i < n; i++) {
		now = vt_pos_compare(found[i].start, here) <= 0 &&
		      vt_pos_compare(here, found[i].end) < 0;
		for (row = MAX_OF(found[i].start.row, c->top);
		     row <= found[i].end.row && row < c->top + f->rows; row++)
			paint_marked(c, f, row,
			    row == found[i].start.row ? found[i].start.col : 0,
			    row == found[i].end.row ? found[i].end.col
						    : c->cols,
			    now ? &current : &style);
	}
}

static void
draw_lines(struct copy *c, struct vt_frame *f, const struct mode_paint *paint)
{
	struct pen style = style_of(paint, OPTION_COPY_MODE_CURRENT_LINE_STYLE);
	const vt_row mark = c->at[COPY_AT_MARK].row;

	if (!pen_equal(&style, &copy_style_base) && c->cy < f->rows)
		paint_columns(f, c->cy, 0, f->cols, over, &style);
	if (c->mark_shown && mark >= c->top && mark < c->top + f->rows) {
		style = style_of(paint, OPTION_COPY_MODE_MARK_STYLE);
		paint_marked(c, f, mark, 0, f->cols, &style);
	}
}

static void
draw_selection(
    struct copy *c, struct vt_frame *f, const struct mode_paint *paint)
{
	struct pen style;
	unsigned y, from, to;

	if (!c->selecting)
		return;
	style = style_of(paint, OPTION_COPY_MODE_SELECTION_STYLE);
	for (y = 0; y < MIN_OF(c->rows, f->rows); y++)
		if (copy_selected_columns(c, c->top + y, &from, &to))
			paint_columns(f, y, from, to, over, &style);
}

/* Whether the $ for a cursor after the last column is shown as selected. */
static bool
dollar_selected(struct copy *c)
{
	const vt_row row = copy_row_here(c);
	struct copy_span s;

	if (!c->selecting)
		return false;
	s = copy_span(c);
	if (row < s.a.row || row > s.b.row ||
	    c->cx < (row == s.a.row ? s.first_start : s.rest_start))
		return false;
	return c->rect || row < s.b.row || s.last_end > c->cx;
}

/* Places the cursor; a $ marks one after the last column. */
static void
draw_cursor(struct copy *c, struct vt_frame *f, const struct mode_paint *paint)
{
	static const struct pen plain;
	const unsigned x = copy_gutter(c) + c->cx;
	const unsigned y = MIN_OF(c->cy, f->rows - 1U);
	struct pen style;

	if (x >= f->cols) {
		(void)vt_frame_text(f, paint->graphemes, f->cols - 1U, y,
		    f->cols, "$", 1, &plain);
		if (dollar_selected(c)) {
			style =
			    style_of(paint, OPTION_COPY_MODE_SELECTION_STYLE);
			paint_columns(
			    f, y, f->cols - 1U, f->cols, over, &style);
		}
	}
	f->state.modes |= VT_FRAME_CURSOR_VISIBLE;
	f->state.x = (uint16_t)MIN_OF(x, f->cols - 1U);
	f->state.y = (uint16_t)y;
}

void
copy_draw(struct mode *m, struct vt_frame *f, const struct mode_paint *paint)
{
	struct copy *c = copy_of(m);
	struct pen style;

	copy_sync(c);
	draw_text(c, f);
	draw_lines(c, f, paint);
	draw_matches(c, f, paint);
	draw_selection(c, f, paint);
	copy_draw_numbers(c, f, paint);
	/* As in tmux, a pane of one row has no indicator. */
	if ((c->flags & COPY_OPEN_HIDE_POSITION) == 0 && f->rows > 1 &&
	    paint->row != NULL) {
		style = style_of(paint, OPTION_COPY_MODE_POSITION_STYLE);
		style.attrs &= ~(uint32_t)PEN_PROTECTED;
		paint->row(paint->arg, f, copy_gutter(c), 0, c->mode.pane,
		    OPTION_COPY_MODE_POSITION_FORMAT, &style);
	}
	draw_cursor(c, f, paint);
}
