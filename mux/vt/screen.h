/*
 * mux/vt/screen.h - cursor, margins and areas of the screen that is shown.
 *
 * Purpose:   what handlers do to the screen, in terms of the terminal's state.
 * Ownership: as ctl.h.
 * Units:     ints from 0; spans are half-open [x0, x1), margins inclusive.
 * Errors:    places are clamped.
 * Source:    xterm for what a movement clamps to and what cancels a wrap.
 * Tests:     regress/vt/
 */
#ifndef MUX_VT_SCREEN_H
#define MUX_VT_SCREEN_H

#include "mux/vt/ctl.h"

/* The pen that erasing leaves: only the background (BCE). */
static inline struct pen
vt_erase_pen(const struct vt_term *t)
{
	return (struct pen){ COLOUR_DEFAULT, t->pen.bg, COLOUR_DEFAULT, 0 };
}

/* Forgets what a combining mark could have joined. */
static inline void
vt_unjoin(struct vt_term *t)
{
	t->last.joinable = false;
}

/* The pen or the link has changed. */
static inline void
vt_pen_changed(struct vt_term *t)
{
	t->pen_plain = t->link == NULL &&
		       (t->pen.fg | t->pen.bg | t->pen.ul | t->pen.attrs) == 0;
	t->pen_gen = 0;
}

/* Row Y to write. */
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

/* The pen's style in a line that is ours. */
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

/* The style that erasing leaves in a line that is ours. */
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

/* The cursor's column (row) lies within the margins. */
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

/* The last column that text at column X may fill. */
static inline int
vt_right_edge(const struct vt_term *t)
{
	return t->x > t->right ? t->cols - 1 : t->right;
}

/* Where rows and columns are counted from (DECOM). */
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
 * Before a change that begins or ends at column X: a wide character across it
 * becomes two spaces, as in xterm in the background in force.
 */
static inline void
vt_row_split(struct vt_term *t, struct vt_line *line, int x)
{
	unsigned col = (unsigned)x;

	if (col < line->len && unlikely(line->cells[col].width == VT_TAIL))
		vt_line_fill(
		    line, col - 1, col + 1, ' ', vt_erase_style(t, line));
}

/* To a place of the screen, clamped; a pending wrap is off. */
static inline void
vt_move(struct vt_term *t, int x, int y)
{
	t->x = CLAMP(x, 0, t->cols - 1);
	t->y = CLAMP(y, 0, t->rows - 1);
	t->wrap = false;
	vt_unjoin(t);
}

/* To a place counted from the origin, clamped to the origin's area. */
static inline void
vt_move_origin(struct vt_term *t, int x, int y)
{
	if (unlikely(vt_mode_on(t, VT_MODE_DECOM))) {
		x = MIN_OF(x + t->left, t->right);
		y = MIN_OF(y + t->top, t->bottom);
	}
	vt_move(t, x, y);
}

/* N rows or columns, stopping at the margins as xterm does. */
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

/* Down (up) one row, scrolling at the margin. */
void vt_index(struct vt_term *t);
void vt_reverse_index(struct vt_term *t);

/* Scrolls the area of the margins from row TOP on. */
void vt_scroll_up(struct vt_term *t, int top, int n);
void vt_scroll_down(struct vt_term *t, int top, int n);

/*
 * Moves X..right of row Y by N columns: vt_line_insert or vt_line_delete; what
 * is cut in two goes, and the row wraps no more.
 */
typedef void (*vt_shift_fn)(struct vt_line *line, unsigned col, unsigned n,
    unsigned right, unsigned style);
void vt_row_shift(struct vt_term *t, int y, int x, int n, vt_shift_fn shift);

/* Scrolls columns X..right of the rows within the margins. */
void vt_insert_columns(struct vt_term *t, int x, int n);
void vt_delete_columns(struct vt_term *t, int x, int n);

/* Erases [x0, x1) of a row; PROTECT leaves protected cells alone. */
void vt_erase_span(struct vt_term *t, int y, int x0, int x1, bool protect);

/* Erases whole rows [y0, y1). */
void vt_erase_rows(struct vt_term *t, int y0, int y1, bool protect);

/* To be called when margins have changed. */
static inline void
vt_margins_changed(struct vt_term *t)
{
	t->whole = (t->left | t->top | (t->right ^ (t->cols - 1)) |
		       (t->bottom ^ (t->rows - 1))) == 0;
}

/* Margins as at reset. */
void vt_margins_reset(struct vt_term *t);

/* DECSC and DECRC for the screen shown. */
void vt_cursor_save(struct vt_term *t);
void vt_cursor_restore(struct vt_term *t);

/* Shows the main or the alternate screen, which is made when missing. */
void vt_show_alternate(struct vt_term *t, bool on);

#endif
