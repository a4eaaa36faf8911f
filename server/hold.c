#include "server/hold.h"

#include "base/compiler.h"
#include "server/echo.h"

/* A ruler: digits, and what stands between them. */
static bool
hold_number(const struct vt_line *l, unsigned x)
{
	const uint32_t ch = vt_line_cell(l, x).ch;

	return (ch >= '0' && ch <= '9') || ch == 0 || ch == ' ' || ch == ',' ||
	       ch == '-' || ch == '%' || ch == ':' || ch == '/';
}

/* A and B differ in numbers alone. */
static bool
hold_ruler(const struct vt_line *a, const struct vt_line *b, unsigned cols)
{
	unsigned x;

	if (a->flags != b->flags)
		return false;
	for (x = 0; x < cols; x++)
		if (!vt_line_cell_equal(a, x, b, x) &&
		    (!hold_number(a, x) || !hold_number(b, x) ||
			!pen_equal(vt_line_pen(a, x), vt_line_pen(b, x))))
			return false;
	return true;
}

/* Cell X, which is new, looks as whoever guessed it has drawn it. */
static bool
hold_typed(const struct vt_line *l, unsigned x)
{
	static const struct pen plain;
	const struct vt_cell c = vt_line_cell(l, x);
	const struct pen *pen = vt_line_pen(l, x);

	return c.width == VT_NARROW && c.ch >= ' ' &&
	       vt_line_link(l, x) == NULL &&
	       (pen_equal(pen, &plain) ||
		   (x > 0 && pen_equal(pen, vt_line_pen(l, x - 1))));
}

/* The row of the cursor: text from where it was to where it is. */
static bool
hold_row(const struct vt_frame *a, const struct vt_frame *b)
{
	const struct vt_line *la = a->lines[a->state.y];
	const struct vt_line *lb = b->lines[b->state.y];
	unsigned x, n = (unsigned)b->state.x - a->state.x;

	if (la->flags != lb->flags)
		return false;
	for (x = 0; x < b->state.x; x++)
		if (x >= a->state.x ? !hold_typed(lb, x)
				    : !vt_line_cell_equal(la, x, lb, x))
			return false;
	if ((b->state.modes & VT_FRAME_ALTERNATE) == 0)
		n = 0;
	return echo_kept(la, lb, b->state.x, n, b->cols);
}

static bool
hold_frame(const struct vt_frame *a, const struct vt_frame *b)
{
	struct vt_frame_state st = a->state;
	unsigned y, rulers = 0;

	st.x = b->state.x;
	if (a->cols != b->cols || a->rows != b->rows ||
	    b->state.x <= a->state.x || b->state.x > b->cols ||
	    b->state.y >= b->rows || !vt_frame_state_equal(&st, &b->state) ||
	    !hold_row(a, b))
		return false;
	for (y = 0; y < b->rows; y++) {
		if (y == b->state.y || a->lines[y] == b->lines[y] ||
		    vt_line_equal(a->lines[y], b->lines[y]))
			continue;
		if (++rulers > 1 ||
		    !hold_ruler(a->lines[y], b->lines[y], b->cols))
			return false;
	}
	return true;
}

enum hold
hold_what(const struct sync_view *old, const struct sync_view *new)
{
	const struct sync_surface *a, *b;
	enum hold got = HOLD_SAID;
	size_t i;

	if (old == NULL || !sync_view_same_places(old, new))
		return HOLD_NOT;
	for (i = 0; i < new->nsurfaces; i++) {
		a = &old->surfaces[i];
		b = &new->surfaces[i];
		if (a->frame == b->frame || vt_frame_equal(a->frame, b->frame))
			continue;
		if (b->id != new->focus || b->kind != SYNC_SURFACE_PANE ||
		    !hold_frame(a->frame, b->frame))
			return HOLD_NOT;
		got = HOLD_TEXT;
	}
	return got;
}

mono_ms
hold_time(mono_ms rtt)
{
	return rtt >= HOLD_CONFIRM
		   ? 0
		   : MIN_OF(HOLD_CONFIRM - rtt, (mono_ms)HOLD_MOST);
}
