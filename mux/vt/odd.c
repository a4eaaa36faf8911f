#include "mux/vt/odd.h"

#include "mux/vt/screen.h"
#include "mux/vt/sized.h"

/* Runs of text that meet no odd row until the screen is searched for one. */
#define ODD_PATIENCE 64

int
vt_row_cols(const struct vt_term *t, int y)
{
	const bool twice =
	    (vt_row_line(t, y)->flags & VT_LINE_DOUBLE_WIDTH) != 0;

	return twice ? MAX_OF(t->cols / 2, 1) : t->cols;
}

void
vt_odd_clamp(struct vt_term *t)
{
	const int last = vt_row_cols(t, t->y) - 1;

	if (t->x > last) {
		t->x = last;
		t->wrap = false;
	}
}

bool
vt_odd_meets(struct vt_term *t)
{
	unsigned flags = vt_row_line(t, t->y)->flags;

	if (t->y + 1 < t->rows)
		flags |= vt_row_line(t, t->y + 1)->flags;
	if ((flags & VT_LINE_ODD) != 0) {
		t->odd_missed = 0;
		return true;
	}
	if (++t->odd_missed >= ODD_PATIENCE)
		vt_odd_look(t);
	return false;
}

void
vt_odd_look(struct vt_term *t)
{
	unsigned flags = 0;
	int y;

	for (y = 0; y < t->rows; y++)
		flags |= vt_row_line(t, y)->flags;
	t->odd_missed = 0;
	t->modes[0] &= ~VT_MODES_ODD;
	if ((flags & VT_LINE_ODD) != 0)
		vt_odd_begin(t);
}

void
vt_odd_reset(struct vt_term *t)
{
	int y;

	for (y = 0; y < t->rows && vt_odd(t); y++)
		if ((vt_row_line(t, y)->flags & VT_LINE_DOUBLE) != 0)
			vt_row_own(t, y)->flags &= (uint16_t)~VT_LINE_DOUBLE;
	vt_odd_look(t);
}

/*
 * DECDHL, DECSWL, DECDWL.  As in xterm, nothing while left and right margins
 * are allowed.
 */
void
vt_ctl_dechdl(struct vt_term *t, const struct vt_seq *seq)
{
	static const uint16_t kinds[] = {
		['3' - '3'] = VT_LINE_DOUBLE_WIDTH | VT_LINE_DOUBLE_TOP,
		['4' - '3'] = VT_LINE_DOUBLE_WIDTH | VT_LINE_DOUBLE_BOTTOM,
		['5' - '3'] = 0,
		['6' - '3'] = VT_LINE_DOUBLE_WIDTH,
	};
	const uint16_t kind = kinds[(seq->final - '3') & 3];
	struct vt_line *line;

	if (vt_mode_on(t, VT_MODE_DECLRMM) ||
	    (vt_row_line(t, t->y)->flags & VT_LINE_DOUBLE) == kind)
		return;
	vt_sized_clear(t, t->y, 0, t->cols, false, false);
	line = vt_row_own(t, t->y);
	line->flags &= (uint16_t) ~(VT_LINE_DOUBLE | VT_LINE_BLOCKS);
	line->flags |= kind;
	if (kind == 0)
		return;
	/* No text goes on from a row of double width. */
	line->flags &= (uint16_t)~VT_LINE_WRAPPED;
	vt_unwrap_above(t, t->y);
	vt_odd_begin(t);
	vt_odd_clamp(t);
	vt_unjoin(t);
}
