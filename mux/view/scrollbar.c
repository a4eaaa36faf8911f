#include "mux/view/scrollbar.h"

#include <string.h>

#include "base/mem.h"
#include "mux/mode/mode.h"
#include "mux/mode/slider.h"
#include "mux/pane.h"
#include "mux/session.h"
#include "mux/view/text.h"
#include "mux/window.h"

struct view_bar {
	uint32_t pane;
	bool kept;          /* the pane is in the view that is built */
	bool able;          /* the bar appears when it is used */
	bool shown;         /* by the last view */
	bool scrolls;       /* the pane is in a mode that scrolls */
	struct cell_rect r; /* of bar and padding */
	int cols;           /* of the pane or beside it, at most for the bar */
	int pad;            /* blank columns between bar and pane */
	bool left;
	struct slider slider;
	struct pen rest;
	struct pen knob;
	/* For bars that hide: how far the mode had scrolled, and until when. */
	uint64_t above;
	mono_ms until;
	struct vt_frame *frame;
};

static struct view_bar *
find_bar(const struct view_builder *b, uint32_t pane)
{
	size_t i;

	for (i = 0; i < b->bar_count; i++)
		if (b->bars[i].pane == pane)
			return &b->bars[i];
	return NULL;
}

static struct view_bar *
make_bar(struct view_builder *b, uint32_t pane)
{
	struct view_bar *bar = find_bar(b, pane);

	if (bar != NULL)
		return bar;
	b->bars = mem_resize(b->bars, b->bar_count + 1, sizeof(*b->bars));
	bar = &b->bars[b->bar_count++];
	memset(bar, 0, sizeof(*bar));
	bar->pane = pane;
	return bar;
}

static void
drop_bar(struct view_builder *b, size_t i)
{
	vt_frame_unref(b->bars[i].frame);
	b->bars[i] = b->bars[--b->bar_count];
}

void
view_scrollbar_sweep(struct view_builder *b)
{
	size_t i = 0;

	while (i < b->bar_count) {
		if (!b->bars[i].kept) {
			drop_bar(b, i);
			continue;
		}
		b->bars[i++].kept = false;
	}
}

void
view_scrollbar_fini(struct view_builder *b)
{
	while (b->bar_count > 0)
		drop_bar(b, 0);
	mem_free(b->bars);
	b->bars = NULL;
}

/* --- drawing -------------------------------------------------------------------- */

static uint64_t
pane_history(const struct pane *p)
{
	const struct vt_grid *g = vt_term_main_grid(p->term);

	return vt_grid_screen(g) - vt_grid_first(g);
}

/* Sets colours and columns; COLS is what the pane leaves or has. */
static void
style_bar(
    struct view_builder *b, struct pane *p, struct view_bar *bar, int cols)
{
	static const struct pen plain;
	struct style sy;
	int w;

	view_text_option_style(&b->cx, p, OPTION_PANE_SCROLLBARS_STYLE, &sy);
	w = sy.width < 0 ? 1 : CLAMP(sy.width, 1, SCROLLBAR_COLS_MAX);
	bar->pad = sy.pad < 0 ? 0 : CLAMP(sy.pad, 0, SCROLLBAR_COLS_MAX);
	bar->r.w = MIN_OF(w + bar->pad, cols);
	bar->pad = MIN_OF(bar->pad, bar->r.w - 1);
	bar->rest = bar->knob = plain;
	/* Colours that the style leaves out. */
	if (sy.pen.fg == COLOUR_DEFAULT)
		sy.pen.fg =
		    (colour)COLOUR_KIND_THEME << 24 | STYLE_THEME_LIGHTGREY;
	if (sy.pen.bg == COLOUR_DEFAULT)
		sy.pen.bg =
		    (colour)COLOUR_KIND_THEME << 24 | STYLE_THEME_DARKGREY;
	bar->rest.fg = bar->knob.bg = view_text_colour(&b->cx, sy.pen.fg);
	bar->rest.bg = bar->knob.fg = view_text_colour(&b->cx, sy.pen.bg);
}

static struct view_bar
place_bar(struct view_builder *b, struct pane *p, const struct view_bar *old,
    bool over)
{
	struct view_bar bar = *old;
	const int cols = over ? p->w : p->bar;

	if (b->panes_dirty || bar.frame == NULL || bar.cols != cols)
		style_bar(b, p, &bar, cols);
	bar.cols = cols;
	bar.left = options_number(
		       &p->window->options, OPTION_PANE_SCROLLBARS_POSITION) ==
		   PANE_SCROLLBARS_POSITION_LEFT;
	if (bar.left)
		bar.r.x = over ? p->x : p->x - bar.r.w;
	else
		bar.r.x = p->x + p->w - (over ? bar.r.w : 0);
	bar.r.y = p->y;
	bar.r.h = p->h;
	return bar;
}

static void
draw_bar(struct view_bar *bar)
{
	const unsigned h = (unsigned)bar->r.h, w = (unsigned)bar->r.w;
	const unsigned pad = (unsigned)bar->pad;
	const unsigned x = bar->left ? 0 : pad, to = x + w - pad;
	const unsigned y = bar->slider.at;

	vt_frame_unref(bar->frame);
	bar->frame = vt_frame_new(w, h);
	bar->frame->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	vt_frame_fill(bar->frame, &(struct vt_rect){ x, 0, to, h }, &bar->rest);
	vt_frame_fill(bar->frame,
	    &(struct vt_rect){ x, y, to, y + bar->slider.size }, &bar->knob);
	vt_frame_share(bar->frame);
}

/* Draws NOW in place of OLD unless they look the same. */
static void
redraw_bar(struct view_bar *now, const struct view_bar *old)
{
	if (old->frame == NULL || now->r.w != old->r.w ||
	    now->r.h != old->r.h || now->pad != old->pad ||
	    now->left != old->left || now->slider.at != old->slider.at ||
	    now->slider.size != old->slider.size ||
	    !pen_equal(&now->rest, &old->rest))
		draw_bar(now);
}

/* --- visibility ----------------------------------------------------------------- */

static bool
hides(int64_t mode)
{
	return mode == PANE_SCROLLBARS_MODAL ||
	       mode == PANE_SCROLLBARS_AUTO_HIDE;
}

/* Whether P can show a bar; modal ones only in modes that scroll. */
static bool
may_show(const struct pane *p, int64_t mode, bool scrolls)
{
	if (vt_term_alternate(p->term))
		return false;
	switch (mode) {
	case PANE_SCROLLBARS_ON:
		return p->bar > 0;
	case PANE_SCROLLBARS_MODAL:
		return scrolls;
	case PANE_SCROLLBARS_AUTO_HIDE:
		return true;
	default:
		return false;
	}
}

/* The end of the time for which a bar that hides is shown from now on. */
static mono_ms
hides_at(const struct view_builder *b, const struct pane *p)
{
	return mono_add(b->now, (mono_ms)options_number(&p->window->options,
				    OPTION_PANE_SCROLLBARS_TIMEOUT));
}

static struct slider
slider_of(const struct pane *p, bool scrolls, uint64_t above, uint64_t history)
{
	if (scrolls)
		return slider_within((unsigned)p->h, history, above);
	/* Other modes have no history. */
	return slider_end(
	    (unsigned)p->h, mode_top(p) != NULL ? 0 : pane_history(p));
}

void
view_scrollbar_add(struct view_builder *b, struct sync_view *v, struct pane *p)
{
	const int64_t mode =
	    options_number(&p->window->options, OPTION_PANE_SCROLLBARS);
	uint64_t above = 0, history = 0;
	struct view_bar *bar, now;
	bool scrolls, moved;

	if (mode == PANE_SCROLLBARS_OFF)
		return;
	scrolls = mode_scrolled(p, &above, &history);
	bar = make_bar(b, p->id);
	bar->kept = true;
	/* Scrolling shows a bar; a mode begins at the end of the text. */
	moved = scrolls && above != (bar->scrolls ? bar->above : history);
	bar->scrolls = scrolls;
	bar->above = above;
	if (moved)
		bar->until = hides_at(b, p);
	bar->able = may_show(p, mode, scrolls);
	if (bar->able && hides(mode) &&
	    options_flag(&b->cx.client->options, OPTION_MOUSE))
		b->mouse_wanted = VT_MOUSE_ANY;
	bar->shown = bar->able && (!hides(mode) || bar->until > b->now);
	if (!bar->able)
		return;
	now = place_bar(b, p, bar, hides(mode));
	now.slider = slider_of(p, scrolls, above, history);
	if (bar->shown)
		redraw_bar(&now, bar);
	*bar = now;
	if (!bar->shown)
		return;
	if (hides(mode))
		b->modes_at = mono_min(b->modes_at, bar->until);
	sync_view_add(v, VIEW_SURFACE_SCROLLBAR(p->id), SYNC_SURFACE_CHROME,
	    b->window_x + bar->r.x, b->window_y + bar->r.y, bar->frame);
}

/* --- the mouse ------------------------------------------------------------------ */

static bool
is_over(const struct view_bar *bar, int x, int y)
{
	const int from = bar->r.x + (bar->left ? 0 : bar->pad);

	return x >= from && x < from + bar->r.w - bar->pad && y >= bar->r.y &&
	       y < bar->r.y + bar->r.h;
}

bool
view_scrollbar_hover(
    struct view_builder *b, const struct pane *p, int x, int y, mono_ms now)
{
	struct view_bar *bar = find_bar(b, p->id);

	if (bar == NULL || !bar->able || !is_over(bar, x, y))
		return false;
	b->now = now;
	bar->until = hides_at(b, p);
	return true;
}

enum view_scrollbar_part
view_scrollbar_at(
    const struct view_builder *b, const struct pane *p, int x, int y, int *grab)
{
	const struct view_bar *bar = find_bar(b, p->id);
	int row;

	if (grab != NULL)
		*grab = 0;
	if (bar == NULL || !bar->shown || !is_over(bar, x, y))
		return VIEW_SCROLLBAR_NONE;
	row = y - bar->r.y - (int)bar->slider.at;
	if (row < 0)
		return VIEW_SCROLLBAR_UP;
	if (row >= (int)bar->slider.size)
		return VIEW_SCROLLBAR_DOWN;
	if (grab != NULL)
		*grab = row;
	return VIEW_SCROLLBAR_SLIDER;
}
