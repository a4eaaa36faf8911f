/*
 * Erasing, inserting and deleting; REP; protection.
 */
#include "mux/vt/print.h"
#include "mux/vt/sized.h"

/* --- lines and display ----------------------------------------------------- */

/* Erases the area of one parameter value of ED or EL. */
typedef void (*erase_fn)(struct vt_term *t, bool protect);

static void
erase_right(struct vt_term *t, bool protect)
{
	vt_erase_span(t, t->y, t->x, t->cols, protect);
}

static void
erase_left(struct vt_term *t, bool protect)
{
	vt_erase_span(t, t->y, 0, t->x + 1, protect);
}

static void
erase_line(struct vt_term *t, bool protect)
{
	vt_erase_span(t, t->y, 0, t->cols, protect);
}

/* Moves the main screen into the history before it is cleared, if asked to. */
static void
keep_screen(struct vt_term *t, bool protect)
{
	struct pen pen = vt_erase_pen(t);

	if (!protect && t->scroll_on_clear && !t->alternate)
		vt_grid_keep_screen(t->grid, &pen);
}

static void
erase_below(struct vt_term *t, bool protect)
{
	if (t->x == 0 && t->y == 0)
		keep_screen(t, protect);
	/* The row keeps its prompt marks: zsh erases what it has just marked. */
	erase_right(t, protect);
	vt_erase_rows(t, t->y + 1, t->rows, protect);
}

static void
erase_above(struct vt_term *t, bool protect)
{
	vt_erase_rows(t, 0, t->y, protect);
	erase_left(t, protect);
}

static void
erase_all(struct vt_term *t, bool protect)
{
	keep_screen(t, protect);
	vt_erase_rows(t, 0, t->rows, protect);
}

static void
erase_history(struct vt_term *t, bool protect UNUSED)
{
	vt_grid_clear_history(t->screens[0].grid);
}

static const erase_fn erase_in_line[] = { erase_right, erase_left, erase_line };
static const erase_fn erase_in_display[] = { erase_below, erase_above,
	erase_all, erase_history };

static void
erase_by(
    struct vt_term *t, const erase_fn *fns, int count, int what, bool protect)
{
	if (what >= count)
		return;
	fns[what](t, protect);
	if (fns[what] != erase_history)
		t->wrap = false;
	vt_unjoin(t);
}

/* ED, EL and ECH observe the protection of SPA, not that of DECSCA. */
void
vt_ctl_ed(struct vt_term *t, const struct vt_params *p)
{
	erase_by(t, erase_in_display, ARRAY_LEN(erase_in_display),
	    vt_param(p, 0, 0), t->protect == VT_PROTECT_ISO);
}

void
vt_ctl_decsed(struct vt_term *t, const struct vt_params *p)
{
	erase_by(t, erase_in_display, ARRAY_LEN(erase_in_display),
	    vt_param(p, 0, 0), t->protect != VT_PROTECT_OFF);
}

void
vt_ctl_el(struct vt_term *t, const struct vt_params *p)
{
	erase_by(t, erase_in_line, ARRAY_LEN(erase_in_line), vt_param(p, 0, 0),
	    t->protect == VT_PROTECT_ISO);
}

void
vt_ctl_decsel(struct vt_term *t, const struct vt_params *p)
{
	erase_by(t, erase_in_line, ARRAY_LEN(erase_in_line), vt_param(p, 0, 0),
	    t->protect != VT_PROTECT_OFF);
}

void
vt_ctl_ech(struct vt_term *t, const struct vt_params *p)
{
	int n = MIN_OF(vt_param_nz(p, 0, 1), t->cols - t->x);

	vt_erase_span(t, t->y, t->x, t->x + n, t->protect == VT_PROTECT_ISO);
	t->wrap = false;
	vt_unjoin(t);
}

/* --- characters and lines within the margins -------------------------------- */

void
vt_ctl_ich(struct vt_term *t, const struct vt_params *p)
{
	t->wrap = false;
	vt_unjoin(t);
	if (vt_x_inside(t))
		vt_row_shift(
		    t, t->y, t->x, vt_param_nz(p, 0, 1), vt_line_insert);
}

void
vt_ctl_dch(struct vt_term *t, const struct vt_params *p)
{
	t->wrap = false;
	vt_unjoin(t);
	if (vt_x_inside(t))
		vt_row_shift(
		    t, t->y, t->x, vt_param_nz(p, 0, 1), vt_line_delete);
}

/* IL and DL are ignored outside the margins; they return the carriage. */
void
vt_ctl_il(struct vt_term *t, const struct vt_params *p)
{
	if (!vt_x_inside(t) || !vt_y_inside(t))
		return;
	vt_scroll_down(t, t->y, vt_param_nz(p, 0, 1));
	vt_move(t, t->left, t->y);
}

void
vt_ctl_dl(struct vt_term *t, const struct vt_params *p)
{
	struct vt_rect r = { (unsigned)t->left, (unsigned)t->y,
		(unsigned)t->right + 1, (unsigned)t->bottom + 1 };
	struct pen pen = vt_erase_pen(t);

	if (!vt_x_inside(t) || !vt_y_inside(t))
		return;
	if (unlikely(vt_odd(t)))
		vt_sized_scroll(t, t->y, vt_param_nz(p, 0, 1), true, false);
	if (t->left == 0)
		vt_unwrap_above(t, t->y);
	vt_grid_scroll_up(
	    t->grid, &r, (unsigned)vt_param_nz(p, 0, 1), &pen, false);
	vt_move(t, t->left, t->y);
}

void
vt_ctl_rep(struct vt_term *t, const struct vt_params *p)
{
	vt_print_repeat(t, vt_param_nz(p, 0, 1));
}

/* --- protection ------------------------------------------------------------- */

/* DECSCA - protects from DECSED, DECSEL and DECSERA only. */
void
vt_ctl_decsca(struct vt_term *t, const struct vt_params *p)
{
	int what = vt_param(p, 0, 0);

	if (what > 2)
		return;
	t->protect = VT_PROTECT_DEC;
	if (what == 1)
		t->pen.attrs |= PEN_PROTECTED;
	else
		t->pen.attrs &= ~(uint32_t)PEN_PROTECTED;
	vt_pen_changed(t);
}
