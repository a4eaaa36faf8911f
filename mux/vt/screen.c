#include "mux/vt/screen.h"

#include <string.h>

#include "mux/vt/sized.h"

/* --- movement ------------------------------------------------------------ */

/*
 * Makes one step of a reverse wrap: to the right margin of the row above.
 * REVWRAP requires that the row above was wrapped; REVWRAP2 does not, and moves
 * from the top margin to the bottom one.
 */
static bool
screen_back_row(struct vt_term *t)
{
	bool any = vt_mode_on(t, VT_MODE_REVWRAP2);
	int y = t->y - 1;

	if (t->y == t->top || y < 0) {
		if (!any)
			return false;
		y = t->bottom;
	} else if (!any && (vt_row_line(t, y)->flags & VT_LINE_WRAPPED) == 0)
		return false;
	t->y = y;
	t->x = MIN_OF(t->right, vt_row_cols(t, y) - 1);
	return true;
}

void
vt_back(struct vt_term *t, int n)
{
	bool rev =
	    vt_mode_on(t, VT_MODE_DECAWM) &&
	    (vt_mode_on(t, VT_MODE_REVWRAP) || vt_mode_on(t, VT_MODE_REVWRAP2));
	int left = t->x < t->left ? 0 : t->left, step;
	int most;

	if (likely(!rev)) {
		vt_move(t, t->x - MIN_OF(n, t->x - left), t->y);
		return;
	}
	most = t->cols * t->rows;
	/* With a pending wrap the cursor counts as one column further. */
	if (t->wrap)
		n--;
	/*
	 * More steps than cells go around the screen; whole rounds change
	 * nothing.
	 */
	if (n > most)
		n = most + n % most;
	while (n > 0) {
		step = MIN_OF(n, t->x - left);
		t->x -= step;
		n -= step;
		if (n == 0 || !screen_back_row(t))
			break;
		left = t->left;
		n--;
	}
	vt_move(t, t->x, t->y);
}

void
vt_index(struct vt_term *t)
{
	t->wrap = false;
	vt_unjoin(t);
	if (t->y == t->bottom) {
		if (vt_x_inside(t))
			vt_scroll_up(t, t->top, 1);
	} else if (t->y < t->rows - 1)
		t->y++;
}

void
vt_reverse_index(struct vt_term *t)
{
	t->wrap = false;
	vt_unjoin(t);
	if (t->y == t->top) {
		if (vt_x_inside(t))
			vt_scroll_down(t, t->top, 1);
	} else if (t->y > 0)
		t->y--;
}

/* --- areas ----------------------------------------------------------------- */

/* Returns the area within the margins from row TOP on, half-open. */
static struct vt_rect
screen_area(const struct vt_term *t, int top)
{
	return (struct vt_rect){ (unsigned)t->left, (unsigned)top,
		(unsigned)t->right + 1, (unsigned)t->bottom + 1 };
}

void
vt_unwrap_above(struct vt_term *t, int y)
{
	if (y > 0 && (vt_row_line(t, y - 1)->flags & VT_LINE_WRAPPED) != 0)
		vt_row_own(t, y - 1)->flags &= (uint16_t)~VT_LINE_WRAPPED;
}

void
vt_scroll_up(struct vt_term *t, int top, int n)
{
	struct vt_rect r;
	struct pen pen;

	if (n <= 0)
		return;
	if (unlikely(vt_odd(t)))
		vt_sized_scroll(t, top, n, true, top == 0 && !t->alternate);
	r = screen_area(t, top);
	pen = vt_erase_pen(t);
	if (top > 0 && t->left == 0)
		vt_unwrap_above(t, top);
	vt_grid_scroll_up(
	    t->grid, &r, (unsigned)n, &pen, top == 0 && !t->alternate);
}

void
vt_scroll_down(struct vt_term *t, int top, int n)
{
	struct vt_rect r;
	struct pen pen;

	if (n <= 0)
		return;
	if (unlikely(vt_odd(t)))
		vt_sized_scroll(t, top, n, false, false);
	r = screen_area(t, top);
	pen = vt_erase_pen(t);
	if (top > 0 && t->left == 0)
		vt_unwrap_above(t, top);
	vt_grid_scroll_down(t->grid, &r, (unsigned)n, &pen);
}

void
vt_row_shift(struct vt_term *t, int y, int x, int n, vt_shift_fn shift)
{
	const int end = unlikely(vt_odd(t))
			    ? MIN_OF(t->right + 1, vt_row_cols(t, y))
			    : t->right + 1;
	struct vt_line *line;

	if (unlikely(vt_odd(t)))
		vt_sized_shift(t, y, x, n, end, shift == vt_line_insert);
	line = vt_row_own(t, y);
	vt_row_split(t, line, x);
	vt_row_split(t, line, end);
	shift(line, (unsigned)x, (unsigned)n, (unsigned)end,
	    vt_erase_style(t, line));
	line->flags &= (uint16_t)~VT_LINE_WRAPPED;
}

void
vt_insert_columns(struct vt_term *t, int x, int n)
{
	int y;

	for (y = t->top; y <= t->bottom; y++)
		vt_row_shift(t, y, x, n, vt_line_insert);
}

void
vt_delete_columns(struct vt_term *t, int x, int n)
{
	int y;

	for (y = t->top; y <= t->bottom; y++)
		vt_row_shift(t, y, x, n, vt_line_delete);
}

void
vt_erase_span(struct vt_term *t, int y, int x0, int x1, bool protect)
{
	const struct vt_line *old;
	struct vt_line *line;
	unsigned style;

	if (x0 >= x1)
		return;
	if (unlikely(vt_odd(t)))
		vt_sized_clear(t, y, x0, x1, false, protect);
	old = vt_row_line(t, y);
	if (x0 <= 0 && x1 >= t->cols && !protect)
		vt_unwrap_above(t, y);
	if (x0 >= old->len && t->pen.bg == COLOUR_DEFAULT &&
	    (old->flags & VT_LINE_WRAPPED) == 0)
		return; /* it is blank already */
	line = vt_row_own(t, y);
	vt_row_split(t, line, x0);
	vt_row_split(t, line, x1);
	style = vt_erase_style(t, line);
	if (protect)
		vt_line_erase_unprotected(
		    line, (unsigned)x0, (unsigned)x1, style);
	else
		vt_line_erase(line, (unsigned)x0, (unsigned)x1, style);
	if (x1 >= t->cols)
		line->flags &= (uint16_t)~VT_LINE_WRAPPED;
	if (x0 <= 0 && x1 >= t->cols && !protect)
		line->flags &= (uint16_t)~VT_LINE_BLOCKS;
}

void
vt_erase_rows(struct vt_term *t, int y0, int y1, bool protect)
{
	struct vt_rect r = { 0, (unsigned)y0, (unsigned)t->cols, (unsigned)y1 };
	struct pen pen = vt_erase_pen(t);

	if (y0 >= y1)
		return;
	if (!protect) {
		if (unlikely(vt_odd(t))) {
			vt_sized_cut_row(t, y0, 0, t->cols);
			vt_sized_cut_row(t, y1, 0, t->cols);
		}
		vt_unwrap_above(t, y0);
		vt_grid_erase(t->grid, &r, &pen);
		return;
	}
	for (; y0 < y1; y0++)
		vt_erase_span(t, y0, 0, t->cols, true);
}

void
vt_margins_reset(struct vt_term *t)
{
	t->top = t->left = 0;
	t->bottom = t->rows - 1;
	t->right = t->cols - 1;
	t->whole = true;
}

/* --- saved cursor, alternate screen ---------------------------------------- */

void
vt_cursor_save(struct vt_term *t)
{
	struct vt_saved *s = &t->screens[t->alternate].saved;

	s->valid = true;
	s->x = t->x;
	s->y = t->y;
	s->wrap = t->wrap;
	s->origin = vt_mode_on(t, VT_MODE_DECOM);
	s->pen = t->pen;
	s->charsets = t->charsets;
}

void
vt_cursor_restore(struct vt_term *t)
{
	const struct vt_saved *s = &t->screens[t->alternate].saved;

	vt_unjoin(t);
	if (!s->valid) {
		memset(&t->pen, 0, sizeof t->pen);
		vt_charsets_init(&t->charsets);
		vt_mode_put(t, VT_MODE_DECOM, false);
		vt_move(t, 0, 0);
		vt_pen_changed(t);
		return;
	}
	t->pen = s->pen;
	t->charsets = s->charsets;
	vt_mode_put(t, VT_MODE_DECOM, s->origin);
	vt_move(t, s->x, s->y);
	if (s->origin) {
		t->x = CLAMP(t->x, t->left, t->right);
		t->y = CLAMP(t->y, t->top, t->bottom);
	}
	t->wrap = s->wrap && t->x == s->x;
	vt_pen_changed(t);
}

void
vt_show_alternate(struct vt_term *t, bool on)
{
	struct vt_screen *s = &t->screens[on];

	if (t->alternate == on)
		return;
	if (s->grid == NULL)
		s->grid = vt_grid_new(
		    t->pool, (unsigned)t->cols, (unsigned)t->rows, 0, 0);
	t->screens[!on].odd = vt_odd(t);
	t->modes[0] &= ~VT_MODES_ODD;
	if (s->odd)
		vt_odd_begin(t);
	t->alternate = on;
	t->grid = s->grid;
	if (unlikely(vt_odd(t)))
		vt_odd_clamp(t);
	vt_unjoin(t);
}
