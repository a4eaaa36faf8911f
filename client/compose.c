#include "client/compose.h"

#include <string.h>

#include "base/mem.h"

/* Turns colours that a program has changed (OSC 4, 10, 11) into RGB. */
static void
resolve_colour(colour *c, const struct vt_palette *p, unsigned dynamic)
{
	uint32_t rgb = VT_PALETTE_UNSET;

	if (colour_kind(*c) == COLOUR_KIND_INDEX)
		rgb = vt_palette_get(p, *c & 0xff);
	else if (*c == COLOUR_DEFAULT && dynamic != 0)
		rgb = vt_palette_get(p, dynamic);
	if (rgb == VT_PALETTE_UNSET)
		return;
	if (rgb & VT_PALETTE_INDEX)
		*c = colour_index(rgb & 0xff);
	else
		*c = colour_rgb(rgb >> 16, rgb >> 8, rgb);
}

static void
resolve_pen(struct pen *pen, void *arg)
{
	const struct vt_palette *p = arg;

	resolve_colour(&pen->fg, p, VT_DYN_FG);
	resolve_colour(&pen->bg, p, VT_DYN_BG);
	resolve_colour(&pen->ul, p, 0);
}

static void
reverse_pen(struct pen *pen, UNUSED void *arg)
{
	pen->attrs ^= PEN_REVERSE;
}

/* Shares the lines of a surface that covers whole rows of the screen. */
static void
compose_lines(struct vt_frame *f, const struct sync_surface *s)
{
	unsigned y;
	int to;

	for (y = 0; y < s->frame->rows; y++) {
		to = s->y + (int)y;
		if (to < 0 || to >= (int)f->rows)
			continue;
		vt_line_unref(NULL, f->lines[to]);
		f->lines[to] = vt_line_ref(s->frame->lines[y]);
	}
}

static void
compose_rect(struct vt_frame *f, const struct sync_surface *s)
{
	struct vt_rect r = { 0, 0, s->frame->cols, s->frame->rows };
	int x = s->x, y = s->y;

	if (x < 0) {
		if ((unsigned)-x >= r.right)
			return;
		r.left = (unsigned)-x;
		x = 0;
	}
	if (y < 0) {
		if ((unsigned)-y >= r.bottom)
			return;
		r.top = (unsigned)-y;
		y = 0;
	}
	if (x >= (int)f->cols || y >= (int)f->rows)
		return;
	r.right = MIN_OF(r.right, r.left + f->cols - (unsigned)x);
	r.bottom = MIN_OF(r.bottom, r.top + f->rows - (unsigned)y);
	vt_frame_blit(f, (unsigned)x, (unsigned)y, s->frame, &r);
}

static void
compose_surface(struct vt_frame *f, const struct sync_surface *s)
{
	const struct vt_frame_state *st = &s->frame->state;
	bool reverse = (st->modes & VT_FRAME_REVERSE_VIDEO) != 0;
	unsigned y, left, right;
	int to;

	if (s->x == 0 && s->frame->cols == f->cols)
		compose_lines(f, s);
	else
		compose_rect(f, s);
	if ((st->palette == NULL && !reverse) || s->x >= (int)f->cols)
		return;
	left = s->x < 0 ? 0 : (unsigned)s->x;
	right = (unsigned)MAX_OF(
	    0, MIN_OF(s->x + (int)s->frame->cols, (int)f->cols));
	for (y = 0; y < s->frame->rows && left < right; y++) {
		to = s->y + (int)y;
		if (to < 0 || to >= (int)f->rows)
			continue;
		if (st->palette != NULL)
			vt_line_repen(NULL, vt_frame_own(f, (unsigned)to), left,
			    right, resolve_pen, st->palette);
		if (reverse)
			vt_line_repen(NULL, vt_frame_own(f, (unsigned)to), left,
			    right, reverse_pen, NULL);
	}
}

/* Tells whether a pane or a border above surface S covers a cell. */
static bool
covered(const struct sync_view *v, const struct sync_surface *s, int x, int y)
{
	const struct sync_surface *o, *end = v->surfaces + v->nsurfaces;

	for (o = s + 1; o < end; o++)
		if ((o->kind == SYNC_SURFACE_PANE ||
			o->kind == SYNC_SURFACE_CHROME) &&
		    x >= o->x && x < o->x + (int)o->frame->cols && y >= o->y &&
		    y < o->y + (int)o->frame->rows)
			return true;
	return false;
}

/* Places the focused surface's cursor, if it is on the screen. */
static void
compose_cursor(struct vt_frame *f, const struct sync_view *v)
{
	const struct sync_surface *s = sync_view_find(v, v->focus);
	int x, y;

	f->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	if (s == NULL)
		return;
	x = s->x + s->frame->state.x;
	y = s->y + s->frame->state.y;
	vt_frame_state_copy(&f->state, &s->frame->state);
	if (covered(v, s, x, y))
		f->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	if (x < 0 || y < 0 || x >= (int)f->cols || y >= (int)f->rows) {
		f->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
		x = y = 0;
	}
	f->state.x = (uint16_t)x;
	f->state.y = (uint16_t)y;
}

struct vt_frame *
compose_view(const struct sync_view *v, unsigned cols, unsigned rows,
    const struct vt_frame *prev)
{
	struct vt_frame *f;
	size_t i;
	unsigned y;

	f = vt_frame_new(cols, rows);
	for (i = 0; i < v->nsurfaces; i++)
		compose_surface(f, &v->surfaces[i]);
	compose_cursor(f, v);
	if (prev == NULL || prev->cols != cols || prev->rows != rows)
		return f;
	for (y = 0; y < rows; y++) {
		if (f->lines[y] == prev->lines[y] ||
		    !vt_line_equal(f->lines[y], prev->lines[y]))
			continue;
		vt_line_unref(NULL, f->lines[y]);
		f->lines[y] = vt_line_ref(prev->lines[y]);
	}
	return f;
}
