/* What a pane shows: its frame, colours and cursor. */
#include <string.h>

#include "base/mem.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/window.h"
#include "server/face/redraw_int.h"
#include "server/face/viewer.h"
#include "server/io/pane_io.h"

/* A colour as a palette's entry. */
static uint32_t
palette_entry(const struct viewer *vw, colour c)
{
	c = redraw_text_colour(vw, c);
	if (colour_kind(c) == COLOUR_KIND_INDEX)
		return VT_PALETTE_INDEX | (c & 0xff);
	if (colour_kind(c) == COLOUR_KIND_RGB)
		return c & 0xffffff;
	return VT_PALETTE_UNSET;
}

/* Sets entry N unless the program has set it. */
static void
palette_default(
    struct vt_palette **slot, const struct viewer *vw, unsigned n, colour c)
{
	uint32_t entry = palette_entry(vw, c);

	if (entry != VT_PALETTE_UNSET &&
	    vt_palette_get(*slot, n) == VT_PALETTE_UNSET)
		vt_palette_own(slot)->rgb[n] = entry;
}

/* window-style, window-active-style and pane-colours under a pane. */
static void
pane_palette(
    struct viewer *vw, struct pane *p, bool active, struct vt_palette **slot)
{
	static const struct pen plain;
	const struct option_entry *e;
	struct pen pen = plain;
	size_t i;

	e = options_get(&p->options, OPTION_PANE_COLOURS);
	for (i = 0; e != NULL && i < e->count; i++)
		if (e->items[i].index < 256)
			palette_default(slot, vw, e->items[i].index,
			    e->items[i].value.colour);
	pen = redraw_text_pen(
	    vw, p, options_string(&p->options, OPTION_WINDOW_STYLE), &plain);
	if (active)
		pen = redraw_text_pen(vw, p,
		    options_string(&p->options, OPTION_WINDOW_ACTIVE_STYLE),
		    &pen);
	palette_default(slot, vw, VT_DYN_FG, pen.fg);
	palette_default(slot, vw, VT_DYN_BG, pen.bg);
}

/* cursor-style and cursor-colour, where the program has no wish. */
static void
pane_cursor(struct viewer *vw, struct pane *p, struct vt_frame_state *st)
{
	int64_t style = options_number(&p->options, OPTION_CURSOR_STYLE);
	colour c = redraw_text_colour(
	    vw, options_colour(&p->options, OPTION_CURSOR_COLOUR));
	uint32_t rgb = palette_entry(vw, c);

	if (st->cursor_shape == VT_CURSOR_DEFAULT)
		redraw_cursor_style(st, style);
	if (rgb != VT_PALETTE_UNSET && (rgb & VT_PALETTE_INDEX))
		rgb = colour_palette_rgb(rgb & 0xff);
	if (rgb != VT_PALETTE_UNSET &&
	    vt_palette_get(st->palette, VT_DYN_CURSOR) == VT_PALETTE_UNSET)
		vt_palette_own(&st->palette)->rgb[VT_DYN_CURSOR] = rgb;
}

void
redraw_cursor_style(struct vt_frame_state *st, int64_t style)
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

/* Whether an option changes how a pane looks: for most none does. */
static bool
pane_styled(const struct pane *p)
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
	       options_colour(&p->options, OPTION_CURSOR_COLOUR) != COLOUR_NONE;
}

/* The pane's screen now: one frame for all who see it. */
static struct vt_frame *
shared_frame(struct pane_io *io, const struct pane *p, uint32_t bits)
{
	const uint32_t tty = VT_FRAME_ECHO | VT_FRAME_CANONICAL;
	struct vt_frame **slot = io == NULL ? NULL : &io->frames[bits != 0];
	struct vt_frame *f;

	if (slot != NULL && *slot != NULL && (*slot)->version != 0 &&
	    (*slot)->version == vt_term_version(p->term) &&
	    ((*slot)->state.modes & tty) == bits)
		return vt_frame_ref(*slot);
	f = vt_term_frame(p->term, 0);
	f->state.modes &= ~tty;
	f->state.modes |= bits;
	if (slot == NULL)
		return f;
	vt_frame_share(f);
	vt_frame_unref(*slot);
	*slot = vt_frame_ref(f);
	return f;
}

struct vt_frame *
redraw_pane_frame(struct viewer *vw, struct pane *p, bool active)
{
	const struct sync_surface *old;
	struct vt_frame *f;
	uint32_t bits = 0;
	bool styled = pane_styled(p);

	old = vw->view == NULL ? NULL
			       : sync_view_find(vw->view, SURFACE_PANE(p->id));
	/* On this machine nothing is predicted. */
	if (active && vw->link->ops->far)
		(void)redraw_pane_modes(vw, p, &bits);
	/* In the middle of an update the old picture stands. */
	if (old != NULL && vt_term_sync_pending(p->term) &&
	    old->frame->cols == p->w && old->frame->rows == p->h)
		return vt_frame_ref(old->frame);
	if (old != NULL && old->frame->version == vt_term_version(p->term) &&
	    old->frame->version != 0 &&
	    (old->frame->state.modes & (VT_FRAME_ECHO | VT_FRAME_CANONICAL)) ==
		bits &&
	    !vw->panes_dirty && !styled)
		return vt_frame_ref(old->frame);
	if (!styled)
		return shared_frame(
		    pane_io_find(vw->all->panes, p->id), p, bits);
	f = vt_term_frame(p->term, 0);
	f->state.modes &= ~(uint32_t)(VT_FRAME_ECHO | VT_FRAME_CANONICAL);
	f->state.modes |= bits;
	pane_palette(vw, p, active, &f->state.palette);
	pane_cursor(vw, p, &f->state);
	return f;
}
