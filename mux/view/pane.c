#include "mux/view/pane.h"

#include <string.h>

#include "mux/pane.h"
#include "mux/view/show.h"
#include "mux/view/text.h"

/* Converts a colour to a palette entry. */
static uint32_t
palette_entry(const struct view_context *cx, colour c)
{
	c = view_text_colour(cx, c);
	if (colour_kind(c) == COLOUR_KIND_INDEX)
		return VT_PALETTE_INDEX | (c & 0xff);
	if (colour_kind(c) == COLOUR_KIND_RGB)
		return c & 0xffffff;
	return VT_PALETTE_UNSET;
}

/* Sets palette entry N unless the program has set it. */
static void
palette_default(struct vt_palette **slot, const struct view_context *cx,
    unsigned n, colour c)
{
	uint32_t entry = palette_entry(cx, c);

	if (entry != VT_PALETTE_UNSET &&
	    vt_palette_get(*slot, n) == VT_PALETTE_UNSET)
		vt_palette_own(slot)->rgb[n] = entry;
}

/* Applies pane-colours, window-style and window-active-style. */
static void
set_palette(const struct view_context *cx, struct pane *p, bool active,
    struct vt_palette **slot)
{
	static const struct pen plain;
	const struct option_entry *e;
	struct pen pen;
	size_t i;

	e = options_get(&p->options, OPTION_PANE_COLOURS);
	for (i = 0; e != NULL && i < e->count; i++)
		if (e->items[i].index < 256)
			palette_default(slot, cx, e->items[i].index,
			    e->items[i].value.colour);
	pen = view_text_pen(
	    cx, p, options_string(&p->options, OPTION_WINDOW_STYLE), &plain);
	if (active)
		pen = view_text_pen(cx, p,
		    options_string(&p->options, OPTION_WINDOW_ACTIVE_STYLE),
		    &pen);
	palette_default(slot, cx, VT_DYN_FG, pen.fg);
	palette_default(slot, cx, VT_DYN_BG, pen.bg);
}

void
view_pane_default(const struct view_context *cx, struct vt_frame_state *st,
    const struct pen *pen)
{
	palette_default(&st->palette, cx, VT_DYN_FG, pen->fg);
	palette_default(&st->palette, cx, VT_DYN_BG, pen->bg);
}

/* --- cursors -------------------------------------------------------------------- */

static void
set_shape(struct vt_frame_state *st, int64_t style)
{
	static const struct {
		uint8_t shape;
		bool blink;
	} looks[] = {
		[CURSOR_STYLE_DEFAULT] = { VT_CURSOR_DEFAULT, false },
		[CURSOR_STYLE_BLINKING_BLOCK] = { VT_CURSOR_BLOCK, true },
		[CURSOR_STYLE_BLOCK] = { VT_CURSOR_BLOCK, false },
		[CURSOR_STYLE_BLINKING_UNDERLINE] = { VT_CURSOR_UNDERLINE,
		    true },
		[CURSOR_STYLE_UNDERLINE] = { VT_CURSOR_UNDERLINE, false },
		[CURSOR_STYLE_BLINKING_BAR] = { VT_CURSOR_BAR, true },
		[CURSOR_STYLE_BAR] = { VT_CURSOR_BAR, false },
	};

	if (style <= CURSOR_STYLE_DEFAULT || style >= (int64_t)ARRAY_LEN(looks))
		return;
	st->cursor_shape = looks[style].shape;
	st->modes &= ~(uint32_t)VT_FRAME_CURSOR_BLINK;
	if (looks[style].blink)
		st->modes |= VT_FRAME_CURSOR_BLINK;
}

void
view_pane_cursor(const struct view_context *cx, struct vt_frame_state *st,
    int64_t style, colour c)
{
	uint32_t rgb = palette_entry(cx, c);

	if (st->cursor_shape == VT_CURSOR_DEFAULT)
		set_shape(st, style);
	/* OSC 12 takes RGB, not a palette index. */
	if (rgb != VT_PALETTE_UNSET && (rgb & VT_PALETTE_INDEX) != 0)
		rgb = colour_palette_rgb(rgb & 0xff);
	if (rgb != VT_PALETTE_UNSET &&
	    vt_palette_get(st->palette, VT_DYN_CURSOR) == VT_PALETTE_UNSET)
		vt_palette_own(&st->palette)->rgb[VT_DYN_CURSOR] = rgb;
}

/* --- frames --------------------------------------------------------------------- */

/* Whether options change the pane's colours or cursor; usually they do not. */
static bool
is_styled(const struct pane *p)
{
	static const enum option_id styles[] = { OPTION_WINDOW_STYLE,
		OPTION_WINDOW_ACTIVE_STYLE };
	const struct option_entry *e;
	size_t i;

	for (i = 0; i < ARRAY_LEN(styles); i++)
		if (strcmp(options_string(&p->options, styles[i]), "default") !=
		    0)
			return true;
	e = options_get(&p->options, OPTION_PANE_COLOURS);
	return (e != NULL && e->count > 0) ||
	       options_number(&p->options, OPTION_CURSOR_STYLE) !=
		   CURSOR_STYLE_DEFAULT ||
	       options_colour(&p->options, OPTION_CURSOR_COLOUR) !=
		   COLOUR_NONE ||
	       options_colour_format(&p->options, OPTION_CURSOR_COLOUR) != NULL;
}

/* Takes a new frame of the pane's screen with BITS of its pty. */
static struct vt_frame *
take_frame(const struct pane *p, uint32_t bits)
{
	struct vt_frame *f = vt_term_frame(p->term, 0);

	f->state.modes &= ~VIEW_PANE_TTY_BITS;
	f->state.modes |= bits;
	return f;
}

/* Whether F shows the pane's current screen with BITS of its pty. */
static bool
is_current(const struct vt_frame *f, const struct pane *p, uint32_t bits)
{
	return f->version != 0 && f->version == vt_term_version(p->term) &&
	       (f->state.modes & VIEW_PANE_TTY_BITS) == bits;
}

/* The frame shared by all clients; replaces it if it is out of date. */
static struct vt_frame *
shared_frame(const struct view_context *cx, const struct pane *p, uint32_t bits)
{
	struct vt_frame **slot = NULL, *f;

	if (cx->host->frames != NULL)
		slot = cx->host->frames(cx->arg, p);
	if (slot == NULL)
		return take_frame(p, bits);
	slot += bits != 0;
	if (*slot != NULL && is_current(*slot, p, bits))
		return vt_frame_ref(*slot);
	f = take_frame(p, bits);
	vt_frame_share(f);
	vt_frame_unref(*slot);
	*slot = vt_frame_ref(f);
	return f;
}

struct vt_frame *
view_pane_frame(struct view_builder *b, struct pane *p, bool active)
{
	const struct view_context *cx = &b->cx;
	const struct sync_surface *old;
	struct vt_frame *f;
	uint32_t bits = 0;
	bool styled = is_styled(p);

	old = b->view == NULL
		  ? NULL
		  : sync_view_find(b->view, VIEW_SURFACE_PANE(p->id));
	if (active && cx->host->tty != NULL &&
	    !cx->host->tty(cx->arg, p, &bits))
		bits = 0;
	/* Keep the old frame until a synchronized update (mode 2026) ends. */
	if (old != NULL && vt_term_sync_pending(p->term) &&
	    old->frame->cols == p->w && old->frame->rows == p->h)
		return vt_frame_ref(old->frame);
	if (old != NULL && !b->panes_dirty && !styled &&
	    is_current(old->frame, p, bits))
		return vt_frame_ref(old->frame);
	if (!styled)
		return view_show(b, p, shared_frame(cx, p, bits));
	f = take_frame(p, bits);
	set_palette(cx, p, active, &f->state.palette);
	view_pane_cursor(cx, &f->state,
	    options_number(&p->options, OPTION_CURSOR_STYLE),
	    view_text_option_colour(cx, p, &p->options, OPTION_CURSOR_COLOUR));
	return view_show(b, p, f);
}
