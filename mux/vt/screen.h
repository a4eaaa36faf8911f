/*
 * mux/vt/screen.h - cursor, margins and areas of the visible screen.
 *
 * Purpose:   operations of handlers on the screen, by the terminal's state.
 * Ownership: as in ctl.h.
 * Units:     ints from 0; spans are half-open [x0, x1), margins inclusive.
 * Errors:    places are clamped.
 * Source:    xterm for the clamping of movements and for cancelling a wrap.
 * Tests:     regress/vt/
 */
#ifndef MUX_VT_SCREEN_H
#define MUX_VT_SCREEN_H

#include "mux/vt/odd.h"

/* Returns the pen for erased cells: only the background (BCE). */
static inline struct pen
vt_erase_pen(const struct vt_term *t)
{
	return (struct pen){ COLOUR_DEFAULT, t->pen.bg, COLOUR_DEFAULT, 0 };
}

/* Ends joining: a combining mark does not join the last cluster any more. */
static inline void
vt_unjoin(struct vt_term *t)
{
	t->last.joinable = false;
}

/* Must be called after a change of the pen or the link. */
static inline void
vt_pen_changed(struct vt_term *t)
{
	t->pen_plain = t->link == NULL &&
		       (t->pen.fg | t->pen.bg | t->pen.ul | t->pen.attrs) == 0;
	t->pen_gen = 0;
}

/* Moves the cursor to the next tab stop (ctl_c0.c). */
void vt_tab(struct vt_term *t);

/* Returns row Y for writing. */
static inline struct vt_line *
vt_row_own(struct vt_term *t, int y)
{
	return vt_grid_own(t->grid, (unsigned)y);
}

static inline const struct vt_line *
vt_row_line(const struct vt_term *t, int y)
{
	return vt_grid_line(t->grid, (unsigned)y);
}

/* Returns the pen's style in a line with one owner. */
static inline unsigned
vt_pen_style(struct vt_term *t, struct vt_line *line)
{
	if (t->pen_plain)
		return 0;
	if (t->pen_gen != line->gen) {
		t->pen_style = vt_line_style(t->pool, line, &t->pen, t->link);
		t->pen_gen = line->gen;
	}
	return t->pen_style;
}

/* Returns the style of erased cells in a line with one owner. */
static inline unsigned
vt_erase_style(struct vt_term *t, struct vt_line *line)
{
	struct pen pen;

	if (t->pen.bg == COLOUR_DEFAULT)
		return 0;
	pen = vt_erase_pen(t);
	return vt_line_style(t->pool, line, &pen, NULL);
}

static inline bool
vt_full_width(const struct vt_term *t)
{
	return t->left == 0 && t->right == t->cols - 1;
}

/* True if the cursor's column (row) is within the margins. */
static inline bool
vt_x_inside(const struct vt_term *t)
{
	return t->x >= t->left && t->x <= t->right;
}

static inline bool
vt_y_inside(const struct vt_term *t)
{
	return t->y >= t->top && t->y <= t->bottom;
}

/* Returns the last column that text at the cursor may fill in a usual row. */
static inline int
vt_margin_edge(const struct vt_term *t)
{
	return t->x > t->right ? t->cols - 1 : t->right;
}

/* The same in any row. */
static inline int
vt_right_edge(const struct vt_term *t)
{
	const int edge = vt_margin_edge(t);

	return unlikely(vt_odd(t)) ? MIN_OF(edge, vt_row_cols(t, t->y) - 1)
				   : edge;
}

/* Return the row and column of the origin (DECOM). */
static inline int
vt_origin_y(const struct vt_term *t)
{
	return vt_mode_on(t, VT_MODE_DECOM) ? t->top : 0;
}

static inline int
vt_origin_x(const struct vt_term *t)
{
	return vt_mode_on(t, VT_MODE_DECOM) ? t->left : 0;
}

/*
 * Prepares a change that begins or ends at column X: a wide character across it
 * becomes two spaces, as in xterm in the current background.
 */
static inline void
vt_row_split(struct vt_term *t, struct vt_line *line, int x)
{
	unsigned col = (unsigned)x;

	/* The writers of a line cut tabs. */
	if (col < line->len && unlikely(line->cells[col].width == VT_TAIL))
		vt_line_fill(
		    line, col - 1, col + 1, ' ', vt_erase_style(t, line));
}

/* Moves the cursor as vt_move does, on a screen without odd rows. */
static inline void
vt_move_plain(struct vt_term *t, int x, int y)
{
	t->x = CLAMP(x, 0, t->cols - 1);
	t->y = CLAMP(y, 0, t->rows - 1);
	t->wrap = false;
	vt_unjoin(t);
}

/*
 * Moves the cursor to a place of the screen, clamped; cancels a pending wrap.
 */
static inline void
vt_move(struct vt_term *t, int x, int y)
{
	vt_move_plain(t, x, y);
	if (unlikely(vt_odd(t)))
		vt_odd_clamp(t);
}

/* Moves the cursor to a place relative to the origin, clamped to its area. */
static inline void
vt_move_origin(struct vt_term *t, int x, int y)
{
	if (unlikely(vt_mode_on(t, VT_MODE_DECOM))) {
		x = MIN_OF(x + t->left, t->right);
		y = MIN_OF(y + t->top, t->bottom);
	}
	vt_move(t, x, y);
}

/* Move by N rows or columns and stop at the margins, as in xterm. */
static inline void
vt_up(struct vt_term *t, int n)
{
	int limit = t->y < t->top ? 0 : t->top;

	vt_move(t, t->x, MAX_OF(t->y - n, limit));
}

static inline void
vt_down(struct vt_term *t, int n)
{
	int limit = t->y > t->bottom ? t->rows - 1 : t->bottom;

	vt_move(t, t->x, MIN_OF(t->y + n, limit));
}

static inline void
vt_forward(struct vt_term *t, int n)
{
	vt_move(t, MIN_OF(t->x + n, vt_right_edge(t)), t->y);
}

void vt_back(struct vt_term *t, int n); /* with reverse wrap */

static inline void
vt_carriage_return(struct vt_term *t)
{
	bool margin = vt_mode_on(t, VT_MODE_DECOM) || t->x >= t->left;

	t->x = margin ? t->left : 0;
	t->wrap = false;
	vt_unjoin(t);
}

/*
 * Move down (up) one row; scroll at the margin.  The caller clamps the cursor
 * if rows may be odd (vt_odd_clamp).
 */
void vt_index(struct vt_term *t);
void vt_reverse_index(struct vt_term *t);

/* Tells the row above Y that no text of it goes on in Y: Y is another row. */
void vt_unwrap_above(struct vt_term *t, int y);

/* Scroll the area within the margins from row TOP on; likewise. */
void vt_scroll_up(struct vt_term *t, int top, int n);
void vt_scroll_down(struct vt_term *t, int top, int n);

/*
 * Moves X..right of row Y by N columns; SHIFT is vt_line_insert or
 * vt_line_delete.  Wide characters that are cut become spaces; the row loses
 * its wrap flag.
 */
typedef void (*vt_shift_fn)(struct vt_line *line, unsigned col, unsigned n,
    unsigned right, unsigned style);
void vt_row_shift(struct vt_term *t, int y, int x, int n, vt_shift_fn shift);

/* Scroll columns X..right of the rows within the margins. */
void vt_insert_columns(struct vt_term *t, int x, int n);
void vt_delete_columns(struct vt_term *t, int x, int n);

/* Erases [x0, x1) of a row; with PROTECT, leaves protected cells. */
void vt_erase_span(struct vt_term *t, int y, int x0, int x1, bool protect);

/* Erases whole rows [y0, y1). */
void vt_erase_rows(struct vt_term *t, int y0, int y1, bool protect);

/* Must be called after a change of the margins. */
static inline void
vt_margins_changed(struct vt_term *t)
{
	t->whole = (t->left | t->top | (t->right ^ (t->cols - 1)) |
		       (t->bottom ^ (t->rows - 1))) == 0;
}

/* Resets the margins to the screen's edges. */
void vt_margins_reset(struct vt_term *t);

/* DECSC and DECRC for the visible screen. */
void vt_cursor_save(struct vt_term *t);
void vt_cursor_restore(struct vt_term *t);

/* Shows the main or the alternate screen; creates the latter if necessary. */
void vt_show_alternate(struct vt_term *t, bool on);

#endif
