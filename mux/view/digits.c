#include "mux/view/digits.h"

#include <stdio.h>

#include "base/grapheme.h"
#include "mux/glyphs.h"
#include "mux/session.h"
#include "mux/view/float.h"
#include "mux/view/mode.h"
#include "mux/view/text.h"
#include "mux/window.h"

/* Panes 10 to 35 are selected by letters. */
#define LETTER_FIRST 10
#define LETTER_END 36

/*
 * Draws INDEX in the middle of F: big digits and, from 10 to 35, the letter
 * that selects the pane; small digits where there is no room.  Returns whether
 * there is room for a text in the first row.
 */
static bool
draw_index(struct vt_frame *f, const struct grapheme_table *gt, unsigned index,
    colour shade)
{
	const struct pen block = { .bg = shade }, plain = { .fg = shade };
	unsigned cols = f->cols, rows = f->rows, x;
	char text[16], letter;
	size_t n;

	n = (size_t)snprintf(text, sizeof(text), "%u", index);
	if (cols < n * GLYPH_STEP || rows < GLYPH_H) {
		if (n <= cols)
			(void)vt_frame_text(f, gt, (cols - (unsigned)n) / 2,
			    rows / 2, cols, text, n, &plain);
		return false;
	}
	x = cols / 2 - (unsigned)n * GLYPH_STEP / 2;
	glyphs_draw(f, x, rows / 2 - GLYPH_H / 2, text, &block);
	if (rows <= GLYPH_H + 1)
		return false;
	if (index >= LETTER_FIRST && index < LETTER_END) {
		letter = (char)('a' + (index - LETTER_FIRST));
		(void)vt_frame_text(f, gt, x + (unsigned)n * GLYPH_STEP - 2,
		    rows / 2 + GLYPH_H - GLYPH_H / 2, cols, &letter, 1, &plain);
	}
	return true;
}

static struct vt_frame *
draw_pane(struct view_builder *b, struct pane *p, colour shade)
{
	const struct view_context *cx = &b->cx;
	const struct pen plain = { .fg = shade };
	struct vt_frame *shown = view_mode_frame(b, p), *f;

	if (shown == NULL)
		shown = vt_term_frame(p->term, 0);
	f = vt_frame_new(shown->cols, shown->rows);
	f->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	vt_frame_blit(f, 0, 0, shown,
	    &(struct vt_rect){ 0, 0, shown->cols, shown->rows });
	vt_frame_unref(shown);
	if (draw_index(
		f, p->mux->setup.graphemes, (unsigned)pane_index(p), shade))
		view_text_pane(cx, f, 0, 0, f->cols, p,
		    OPTION_DISPLAY_PANES_FORMAT, &plain);
	return f;
}

void
view_digits_add(struct view_builder *b, struct sync_view *v)
{
	const struct client *c = b->cx.client;
	const struct options *o = &c->session->options;
	const struct window *w = client_link(c)->window;
	struct vt_frame *f;
	struct pane *p = NULL;

	while ((p = view_next_pane(w, p)) != NULL) {
		if (!pane_visible(p))
			continue;
		f = draw_pane(b, p,
		    view_text_colour(&b->cx,
			options_colour(o,
			    p == w->active ? OPTION_DISPLAY_PANES_ACTIVE_COLOUR
					   : OPTION_DISPLAY_PANES_COLOUR)));
		sync_view_add(v, VIEW_SURFACE_DIGITS + p->id,
		    SYNC_SURFACE_OVERLAY, b->window_x + p->x,
		    b->window_y + p->y, f);
		vt_frame_unref(f);
	}
}
