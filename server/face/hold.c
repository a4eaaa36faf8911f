#include "server/face/hold.h"

#include "base/compiler.h"
#include "server/face/echo.h"

#define HOLD_ROWS 8u /* rows below the cursor that one long line may fill */

/* Whether cell X may belong to an editor's ruler: a digit or a separator. */
static bool
hold_number(const struct vt_line *l, unsigned x)
{
	const uint32_t ch = vt_line_cell(l, x).ch;

	return (ch >= '0' && ch <= '9') || ch == 0 || ch == ' ' || ch == ',' ||
	       ch == '-' || ch == '%' || ch == ':' || ch == '/';
}

/* Whether A and B differ only in the numbers of a ruler. */
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

/* Whether the new cell X looks as the client's prediction draws it. */
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

/* Whether the cursor's row only gained text between both cursor positions. */
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

/* Whether B is A with the cells from some column on shifted right by N. */
static bool
hold_pushed(
    const struct vt_line *a, const struct vt_line *b, unsigned n, unsigned cols)
{
	unsigned x = 0;

	if (a->flags != b->flags)
		return false;
	while (x < cols && vt_line_cell_equal(a, x, b, x))
		x++;
	return x + n >= cols || echo_kept(a, b, x + n, n, cols);
}

/*
 * Number of rows below the cursor that continue the edited line: an editor
 * wraps the cells pushed out of one row into the next.
 */
static unsigned
hold_below(const struct vt_frame *a, const struct vt_frame *b)
{
	unsigned n = (unsigned)b->state.x - a->state.x, y = b->state.y + 1u;

	if ((b->state.modes & VT_FRAME_ALTERNATE) == 0)
		return 0;
	while (y < b->rows && y <= b->state.y + HOLD_ROWS &&
	       !vt_line_equal(a->lines[y], b->lines[y]) &&
	       hold_pushed(a->lines[y], b->lines[y], n, b->cols))
		y++;
	return y - 1 - b->state.y;
}

static bool
hold_frame(const struct vt_frame *a, const struct vt_frame *b)
{
	struct vt_frame_state st = a->state;
	unsigned y, rulers = 0, below;

	st.x = b->state.x;
	if (a->cols != b->cols || a->rows != b->rows ||
	    b->state.x <= a->state.x || b->state.x > b->cols ||
	    b->state.y >= b->rows || !vt_frame_state_equal(&st, &b->state) ||
	    !hold_row(a, b))
		return false;
	below = hold_below(a, b);
	for (y = 0; y < b->rows; y++) {
		if ((y >= b->state.y && y <= b->state.y + below) ||
		    a->lines[y] == b->lines[y] ||
		    vt_line_equal(a->lines[y], b->lines[y]))
			continue;
		if (++rulers > 1 ||
		    !hold_ruler(a->lines[y], b->lines[y], b->cols))
			return false;
	}
	return true;
}

/*
 * Whether the modes are equal, or only the pty's modes and bracketed paste
 * differ and the pty is canonical and echoes.
 */
static bool
hold_line_modes(uint32_t old, uint32_t new)
{
	const uint32_t cooked = VT_FRAME_CANONICAL | VT_FRAME_ECHO;

	if (old == new)
		return true;
	return ((old ^ new) & ~(cooked | VT_FRAME_BRACKETED_PASTE)) == 0 &&
	       (new &cooked) == cooked;
}

static bool
hold_blank(const struct vt_line *l, unsigned cols)
{
	unsigned x;

	for (x = 0; x < cols; x++)
		if (vt_line_cell(l, x).ch > ' ')
			return false;
	return true;
}

/* Whether the only change is that the cursor begins a new line. */
static bool
hold_newline(const struct vt_frame *a, const struct vt_frame *b)
{
	struct vt_frame_state st = a->state;
	unsigned y, up = a->state.y + 1u == a->rows;

	st.x = b->state.x;
	st.y = b->state.y;
	st.modes = b->state.modes;
	if (a->cols != b->cols || a->rows != b->rows || b->state.x != 0 ||
	    b->state.y + up != a->state.y + 1u ||
	    (b->state.modes & VT_FRAME_ALTERNATE) != 0 ||
	    !hold_line_modes(a->state.modes, b->state.modes) ||
	    !vt_frame_state_equal(&st, &b->state))
		return false;
	for (y = 0; y + up < b->rows; y++)
		if (a->lines[y + up] != b->lines[y] &&
		    !vt_line_equal(a->lines[y + up], b->lines[y]))
			return false;
	return hold_blank(b->lines[b->state.y], b->cols);
}

enum hold
hold_what(const struct sync_view *old, const struct sync_view *new)
{
	const struct sync_surface *a, *b;
	enum hold got = HOLD_ACK;
	size_t i;

	if (old == NULL || !sync_view_same_places(old, new))
		return HOLD_NOT;
	for (i = 0; i < new->nsurfaces; i++) {
		a = &old->surfaces[i];
		b = &new->surfaces[i];
		if (a->frame == b->frame || vt_frame_equal(a->frame, b->frame))
			continue;
		if (b->id != new->focus || b->kind != SYNC_SURFACE_PANE)
			return HOLD_NOT;
		if (hold_frame(a->frame, b->frame))
			got = HOLD_TEXT;
		else if (hold_newline(a->frame, b->frame))
			got = HOLD_LINE;
		else
			return HOLD_NOT;
	}
	return got;
}

/* Whether only the cursor's row was cleared, as a pager does to its prompt. */
static bool
hold_cleared(const struct vt_frame *a, const struct vt_frame *b)
{
	struct vt_frame_state st = a->state;
	unsigned y;

	st.x = b->state.x;
	if (a->cols != b->cols || a->rows != b->rows || b->state.x != 0 ||
	    a->state.x == 0 || b->state.y >= b->rows ||
	    !vt_frame_state_equal(&st, &b->state) ||
	    !hold_blank(b->lines[b->state.y], b->cols))
		return false;
	for (y = 0; y < b->rows; y++)
		if (y != b->state.y && a->lines[y] != b->lines[y] &&
		    !vt_line_equal(a->lines[y], b->lines[y]))
			return false;
	return true;
}

bool
hold_draws(const struct sync_view *old, const struct sync_view *new)
{
	const struct sync_surface *a, *b;
	uint32_t was, is;

	if (old == NULL || new->focus != old->focus)
		return false;
	a = sync_view_find(old, new->focus);
	b = sync_view_find(new, new->focus);
	if (a == NULL || b == NULL || b->kind != SYNC_SURFACE_PANE)
		return false;
	was = a->frame->state.modes;
	is = b->frame->state.modes;
	if ((was & is & VT_FRAME_ALTERNATE) == 0)
		return false;
	return (was & ~is & VT_FRAME_CURSOR_VISIBLE) != 0 ||
	       hold_cleared(a->frame, b->frame);
}

mono_ms
hold_time(enum hold what, mono_ms rtt)
{
	if (what == HOLD_TEXT)
		return rtt >= HOLD_CONFIRM
			   ? 0
			   : MIN_OF(HOLD_CONFIRM - rtt, (mono_ms)HOLD_MOST);
	if (rtt < HOLD_RTT)
		return 0;
	if (what == HOLD_LINE)
		return MIN_OF(rtt / 2, (mono_ms)HOLD_LINE_MOST);
	return what == HOLD_DRAWN ? HOLD_DRAW : 0;
}
