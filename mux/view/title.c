#include "mux/view/title.h"

#include <string.h>

#include "base/mem.h"
#include "mux/client.h"
#include "mux/view/text.h"
#include "mux/window.h"

#define TITLE_MIN 4   /* columns of a pane with a title */
#define TITLE_START 2 /* columns of the pane before it */

/* Whether the option shows titles of P's kind, and at the TOP or the bottom. */
static bool
is_on(const struct pane *p, bool *top)
{
	switch (
	    options_number(&p->window->options, OPTION_PANE_BORDER_STATUS)) {
	case PANE_BORDER_STATUS_TOP:
		*top = true;
		return true;
	case PANE_BORDER_STATUS_BOTTOM:
		*top = false;
		return true;
	case PANE_BORDER_STATUS_TOP_FLOATING:
		*top = true;
		return pane_floats(p);
	case PANE_BORDER_STATUS_BOTTOM_FLOATING:
		*top = false;
		return pane_floats(p);
	default:
		return false;
	}
}

bool
view_title_place(const struct pane *p, struct cell_rect *r)
{
	bool top;
	int end;

	if (!is_on(p, &top) || p->w < TITLE_MIN || pane_whole(p) ||
	    (pane_floats(p) && pane_border(p) == 0))
		return false;
	/* The title goes over a scrollbar at the right. */
	end = p->x + p->w + (p->window->layout.scrollbar_left ? 0 : p->bar);
	/* That of a float ends a column before the window does. */
	if (pane_floats(p))
		end = MIN_OF(end, p->window->w - 1);
	*r = (struct cell_rect){
		.x = p->x + TITLE_START,
		.y = top ? p->y - 1 : p->y + p->h,
		.w = end - p->x - TITLE_START,
		.h = 1,
	};
	return r->w > 0;
}

void
view_title_draw(const struct view_context *cx, struct vt_frame *f, int x, int y,
    struct pane *p, const struct pen *pen)
{
	struct cell_rect r;

	if (view_title_place(p, &r) && r.y >= y && r.y - y < f->rows)
		view_text_pane(cx, f, (unsigned)(r.x - x), (unsigned)(r.y - y),
		    r.w, p, OPTION_PANE_BORDER_FORMAT, pen);
}

/* The range of P's title at column X of it. */
static bool
range_at(const struct view_context *cx, struct pane *p, int cols, int x,
    struct style_range *range)
{
	static const struct pen plain;
	const struct format_range *found;
	struct format_drawn drawn;
	char *text;

	text = cx->host->expand(cx->arg, cx->client, p, NULL, 0,
	    options_string(&p->options, OPTION_PANE_BORDER_FORMAT), 0);
	format_draw(&drawn, cx->client->mux->setup.graphemes, &plain, text,
	    strlen(text), cols);
	found = format_drawn_at(&drawn, x);
	if (found != NULL)
		*range = found->range;
	format_drawn_fini(&drawn);
	mem_free(text);
	return found != NULL;
}

struct pane *
view_title_at(const struct view_context *cx, const struct window *w, int x,
    int y, struct style_range *range)
{
	struct pane *above = window_float_at(w, x, y), *p;
	struct list_node *n;
	struct cell_rect r;

	WINDOW_FOREACH_PANE(p, n, w)
	{
		if ((above != NULL ? p != above : pane_floats(p)) ||
		    !pane_visible(p) || !view_title_place(p, &r) || y != r.y ||
		    x < r.x || x >= r.x + r.w)
			continue;
		return range_at(cx, p, r.w, x - r.x, range) ? p : NULL;
	}
	return NULL;
}
