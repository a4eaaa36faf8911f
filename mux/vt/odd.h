/*
 * mux/vt/odd.h - rows that need care: of double width, or with blocks.
 *
 * Purpose:   rows of double width (DECDWL, DECDHL): columns, edges, cursor; for
 *            blocks see sized.h.
 * Ownership: as in ctl.h.
 * Units:     columns from 0.
 * Source:    DEC's VT510 manual; xterm.  As there, a row's right half keeps
 *            its cells while the row is double, and IL, DL and scrolling move
 *            the attribute with the row.
 * Tests:     regress/vt/15_esc.vt, 36_double.vt
 *
 * A bit among the modes says that the screen may have such rows.  While it is
 * clear, nothing looks at rows: the fast paths test it together with modes that
 * they test anyway.
 */
#ifndef MUX_VT_ODD_H
#define MUX_VT_ODD_H

#include "mux/vt/ctl.h"

/* Flags of rows that need care. */
#define VT_LINE_ODD (VT_LINE_DOUBLE_WIDTH | VT_LINE_BLOCKS)

static inline bool
vt_odd(const struct vt_term *t)
{
	return (t->modes[0] & VT_MODES_ODD) != 0;
}

/* Records that a row of the screen is odd. */
static inline void
vt_odd_begin(struct vt_term *t)
{
	t->modes[0] |= VT_MODES_ODD;
}

/* Returns the columns of row Y: half of the screen's if it is double. */
int vt_row_cols(const struct vt_term *t, int y);

/* Moves the cursor back into its row; that cancels a pending wrap. */
void vt_odd_clamp(struct vt_term *t);

/*
 * Whether text at the cursor meets an odd row before its second wrap.  If it
 * often does not, looks whether the screen has odd rows at all.
 */
bool vt_odd_meets(struct vt_term *t);

/* Looks at all rows of the shown screen and sets or clears the bit. */
void vt_odd_look(struct vt_term *t);

/* Makes all rows of single width, as DECLRMM does. */
void vt_odd_reset(struct vt_term *t);

#endif
