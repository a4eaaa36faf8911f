#include "mux/view/chrome.h"

#include <string.h>

#include "base/utf8.h"
#include "mux/session.h"
#include "mux/view/border.h"
#include "mux/view/text.h"
#include "mux/view/title.h"
#include "mux/window.h"

#define FILL_DEFAULT 0xb7 /* MIDDLE DOT */

static unsigned
pane_number(void *arg, uint32_t id)
{
	const struct mux *m = arg;
	struct pane *p = mux_pane(m, id);

	return p == NULL ? 0 : (unsigned)pane_index(p);
}

/* Draws pane-border-format in the row above or below each pane. */
static void
draw_titles(
    struct view_builder *b, struct window *w, const struct border_style *st)
{
	const struct pen *pen;
	struct cell_rect r;
	struct list_node *n;
	struct pane *p;

	WINDOW_FOREACH_PANE(p, n, w)
	{
		if (!pane_visible(p) || pane_floats(p) ||
		    !view_title_place(p, &r) || r.y < 0 ||
		    r.y >= b->chrome->rows)
			continue;
		pen =
		    p == client_pane(b->cx.client) ? &st->active : &st->normal;
		/* A zoomed pane has a title row but no border in it. */
		if (w->zoomed)
			vt_frame_repeat(b->chrome, (unsigned)p->x,
			    (unsigned)r.y, (unsigned)p->w,
			    st->lines == BORDER_NUMBER && st->number != NULL
				? '0' + st->number(st->arg, p->id) % 10
				: view_border_across(st->lines),
			    pen);
		view_title_draw(&b->cx, b->chrome, 0, 0, p, pen);
	}
}

/* The pens of borders. */
static void
border_pens(
    struct view_builder *b, const struct window *w, struct border_style *st)
{
	static const struct pen plain;

	st->normal = view_text_style(
	    &b->cx, &w->options, OPTION_PANE_BORDER_STYLE, &plain);
	st->active = view_text_style(
	    &b->cx, &w->options, OPTION_PANE_ACTIVE_BORDER_STYLE, &plain);
}

static bool
line_right(const struct view_builder *b, const struct window *w)
{
	return w->w < b->area.w && layout_count_tiled(&w->layout) > 0;
}

/* A row of titles at the bottom is that line, too. */
static bool
line_below(const struct view_builder *b, const struct window *w)
{
	return w->h < b->area.h && layout_count_tiled(&w->layout) > 0 &&
	       w->layout.edge != LAYOUT_EDGE_BOTTOM;
}

uint32_t
view_chrome_marked(const struct view_builder *b, const struct window *w)
{
	const struct mux_mark *mark = &w->mux->mark;
	const struct session *s = b->cx.client->session;

	return s != NULL && mark->session == s->id && mark->window == w->id
		   ? mark->pane
		   : LAYOUT_NO_PANE;
}

/* Returns fill-character; the middle dot if its width is not 1. */
static uint32_t
fill_character(const struct view_context *cx, const struct window *w,
    bool inside, struct pen *pen)
{
	const char *s = options_string(&w->options, OPTION_FILL_CHARACTER);
	uint32_t cp;

	*pen = (struct pen){ 0 };
	cp = view_text_fill(cx, w->active, s, inside, pen);
	if (cp < 0x20 || cp == 0x7f ||
	    grapheme_cp_width(w->mux->setup.graphemes, cp) != 1)
		return inside ? ' ' : FILL_DEFAULT;
	return cp;
}

/* Fills the parts of the window that no tiled pane covers. */
static void
fill_inside(struct view_builder *b, struct window *w)
{
	struct pen pen;
	uint32_t fill;

	if (layout_count_tiled(&w->layout) > 0)
		return;
	fill = fill_character(&b->cx, w, true, &pen);
	vt_frame_repeat(b->chrome, 0, 0, (unsigned)w->w, fill, &pen);
	vt_frame_same_rows(b->chrome, 0);
}

static void
draw_chrome(struct view_builder *b, struct window *w)
{
	struct border_style st = {
		.lines = (enum border_lines)options_number(
		    &w->options, OPTION_PANE_BORDER_LINES),
		.indicators = (enum border_indicators)options_number(
		    &w->options, OPTION_PANE_BORDER_INDICATORS),
		.active_pane = client_pane(b->cx.client)->id,
		.marked_pane = view_chrome_marked(b, w),
		.right = line_right(b, w),
		.below = line_below(b, w),
		.alone = w->zoomed,
		.alone_y = w->zoomed ? w->zoom->y : 0,
		.alone_h = w->zoomed ? w->zoom->h : 0,
		.number = pane_number,
		.arg = w->mux,
	};

	border_pens(b, w, &st);
	vt_frame_unref(b->chrome);
	b->chrome =
	    vt_frame_new((unsigned)w->w + st.right, (unsigned)w->h + st.below);
	b->chrome->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	fill_inside(b, w);
	if (!w->zoomed || st.right || st.below)
		view_borders(b->chrome, 0, 0, &w->layout, &st);
	draw_titles(b, w, &st);
	vt_frame_share(b->chrome);
	vt_frame_unref(b->outside);
	b->outside = NULL;
	b->chrome_window = w->id;
	b->chrome_dirty = false;
	b->floats_dirty = true;
}

/* Draws the client's screen behind a smaller window. */
static void
draw_outside(struct view_builder *b, const struct window *w)
{
	unsigned cols = (unsigned)b->area.w, rows = (unsigned)b->area.h;
	struct pen pen;
	uint32_t fill = fill_character(&b->cx, w, false, &pen);

	vt_frame_unref(b->outside);
	b->outside = vt_frame_new(cols, rows);
	b->outside->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	vt_frame_repeat(b->outside, 0, 0, cols, fill, &pen);
	vt_frame_same_rows(b->outside, 0);
	vt_frame_share(b->outside);
}

static void
add_outside(struct view_builder *b, struct sync_view *v, const struct window *w)
{
	if (b->area.h <= 0 || (w->w + line_right(b, w) >= b->area.w &&
				  w->h + line_below(b, w) >= b->area.h))
		return;
	if (b->outside == NULL || b->outside->cols != b->area.w ||
	    b->outside->rows != b->area.h)
		draw_outside(b, w);
	sync_view_add(v, VIEW_SURFACE_OUTSIDE, SYNC_SURFACE_CHROME, b->area.x,
	    b->area.y, b->outside);
}

void
view_chrome_add(struct view_builder *b, struct sync_view *v, struct window *w)
{
	if (b->chrome_dirty || b->chrome == NULL || b->chrome_window != w->id ||
	    b->chrome->cols != w->w + line_right(b, w) ||
	    b->chrome->rows != w->h + line_below(b, w))
		draw_chrome(b, w);
	if (client_zoomed(b->cx.client) != NULL)
		return;
	add_outside(b, v, w);
	sync_view_add(v, VIEW_SURFACE_CHROME, SYNC_SURFACE_CHROME, b->window_x,
	    b->window_y, b->chrome);
}
