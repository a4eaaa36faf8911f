/*
 * Cursor and tab movement, margins.
 */
#include "mux/vt/screen.h"

void
vt_ctl_cuu(struct vt_term *t, const struct vt_params *p)
{
	vt_up(t, vt_param_nz(p, 0, 1));
}

void
vt_ctl_cud(struct vt_term *t, const struct vt_params *p)
{
	vt_down(t, vt_param_nz(p, 0, 1));
}

void
vt_ctl_cuf(struct vt_term *t, const struct vt_params *p)
{
	vt_forward(t, vt_param_nz(p, 0, 1));
}

void
vt_ctl_cub(struct vt_term *t, const struct vt_params *p)
{
	vt_back(t, vt_param_nz(p, 0, 1));
}

void
vt_ctl_cnl(struct vt_term *t, const struct vt_params *p)
{
	vt_down(t, vt_param_nz(p, 0, 1));
	vt_carriage_return(t);
}

void
vt_ctl_cpl(struct vt_term *t, const struct vt_params *p)
{
	vt_up(t, vt_param_nz(p, 0, 1));
	vt_carriage_return(t);
}

void
vt_ctl_cup(struct vt_term *t, const struct vt_params *p)
{
	vt_move_origin(t, vt_param_nz(p, 1, 1) - 1, vt_param_nz(p, 0, 1) - 1);
}

void
vt_ctl_hvp(struct vt_term *t, const struct vt_params *p)
{
	vt_ctl_cup(t, p);
}

/* Returns the cursor's row, relative to the origin. */
static int
cursor_row(const struct vt_term *t)
{
	return t->y - vt_origin_y(t);
}

static int
cursor_col(const struct vt_term *t)
{
	return t->x - vt_origin_x(t);
}

void
vt_ctl_cha(struct vt_term *t, const struct vt_params *p)
{
	vt_move_origin(t, vt_param_nz(p, 0, 1) - 1, cursor_row(t));
}

void
vt_ctl_hpa(struct vt_term *t, const struct vt_params *p)
{
	vt_ctl_cha(t, p);
}

void
vt_ctl_hpr(struct vt_term *t, const struct vt_params *p)
{
	vt_move_origin(t, cursor_col(t) + vt_param_nz(p, 0, 1), cursor_row(t));
}

void
vt_ctl_vpa(struct vt_term *t, const struct vt_params *p)
{
	vt_move_origin(t, cursor_col(t), vt_param_nz(p, 0, 1) - 1);
}

void
vt_ctl_vpr(struct vt_term *t, const struct vt_params *p)
{
	vt_move_origin(t, cursor_col(t), cursor_row(t) + vt_param_nz(p, 0, 1));
}

/* --- tabs ------------------------------------------------------------------ */

void
vt_ctl_cht(struct vt_term *t, const struct vt_params *p)
{
	int n = vt_param_nz(p, 0, 1), before;

	do {
		before = t->x;
		vt_tab(t);
	} while (--n > 0 && t->x > before);
}

/* CBT - leaves a pending wrap pending, like HT. */
void
vt_ctl_cbt(struct vt_term *t, const struct vt_params *p)
{
	int n = vt_param_nz(p, 0, 1);

	for (; n > 0 && t->x > 0; n--)
		t->x = (int)vt_tabs_prev(&t->tabs, (unsigned)t->x);
	vt_unjoin(t);
}

void
vt_ctl_tbc(struct vt_term *t, const struct vt_params *p)
{
	int what = vt_param(p, 0, 0);

	if (what == 0)
		vt_tabs_set(&t->tabs, (unsigned)t->x, false);
	else if (what == 3)
		vt_tabs_clear_all(&t->tabs);
}

void
vt_ctl_decst8c(struct vt_term *t, const struct vt_params *p)
{
	if (vt_param(p, 0, 0) == 5)
		vt_tabs_reset(&t->tabs);
}

/* --- margins --------------------------------------------------------------- */

/* DECSTBM - sets the margins and homes the cursor, if top < bottom. */
void
vt_ctl_decstbm(struct vt_term *t, const struct vt_params *p)
{
	int top = vt_param_nz(p, 0, 1);
	int bottom = vt_param_nz(p, 1, t->rows);

	bottom = MIN_OF(bottom, t->rows);
	if (top >= bottom)
		return;
	t->top = top - 1;
	t->bottom = bottom - 1;
	vt_margins_changed(t);
	vt_move_origin(t, 0, 0);
}

/* DECSLRM while DECLRMM is set; otherwise this is SCOSC. */
void
vt_ctl_decslrm(struct vt_term *t, const struct vt_params *p)
{
	int left = vt_param_nz(p, 0, 1);
	int right = vt_param_nz(p, 1, t->cols);

	if (!vt_mode_on(t, VT_MODE_DECLRMM)) {
		vt_cursor_save(t);
		return;
	}
	right = MIN_OF(right, t->cols);
	if (left >= right)
		return;
	t->left = left - 1;
	t->right = right - 1;
	vt_margins_changed(t);
	vt_move_origin(t, 0, 0);
}

void
vt_ctl_scorc(struct vt_term *t, const struct vt_params *p UNUSED)
{
	vt_cursor_restore(t);
}

/* --- scrolling ------------------------------------------------------------- */

/* Another row may be under the cursor. */
static void
scrolled(struct vt_term *t)
{
	if (unlikely(vt_odd(t)))
		vt_odd_clamp(t);
	vt_unjoin(t);
}

void
vt_ctl_su(struct vt_term *t, const struct vt_params *p)
{
	vt_scroll_up(t, t->top, MIN_OF(vt_param_nz(p, 0, 1), t->rows));
	scrolled(t);
}

/* An explicit 0 ends highlight tracking in xterm; it does not scroll. */
void
vt_ctl_sd(struct vt_term *t, const struct vt_params *p)
{
	if (vt_param(p, 0, 1) == 0)
		return;
	vt_scroll_down(t, t->top, vt_param_nz(p, 0, 1));
	scrolled(t);
}

void
vt_ctl_sd_ecma(struct vt_term *t, const struct vt_params *p)
{
	vt_scroll_down(t, t->top, vt_param_nz(p, 0, 1));
	scrolled(t);
}

void
vt_ctl_sl(struct vt_term *t, const struct vt_params *p)
{
	if (vt_x_inside(t) && vt_y_inside(t))
		vt_delete_columns(t, t->left, vt_param_nz(p, 0, 1));
	vt_unjoin(t);
}

void
vt_ctl_sr(struct vt_term *t, const struct vt_params *p)
{
	if (vt_x_inside(t) && vt_y_inside(t))
		vt_insert_columns(t, t->left, vt_param_nz(p, 0, 1));
	vt_unjoin(t);
}

void
vt_ctl_decic(struct vt_term *t, const struct vt_params *p)
{
	if (vt_x_inside(t) && vt_y_inside(t))
		vt_insert_columns(t, t->x, vt_param_nz(p, 0, 1));
	vt_unjoin(t);
}

void
vt_ctl_decdc(struct vt_term *t, const struct vt_params *p)
{
	if (vt_x_inside(t) && vt_y_inside(t))
		vt_delete_columns(t, t->x, vt_param_nz(p, 0, 1));
	vt_unjoin(t);
}
