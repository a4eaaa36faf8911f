#include "mux/view/float.h"

#include "mux/view/border.h"
#include "mux/view/chrome.h"
#include "mux/view/text.h"
#include "mux/view/title.h"
#include "mux/window.h"

/* Returns the pane of a node of the stack, or NULL. */
static struct pane *
in_stack(struct list_node *n)
{
	return n == NULL ? NULL : container_of(n, struct pane, z_node);
}

struct pane *
view_next_pane(const struct window *w, const struct pane *p)
{
	struct list_node *n;
	struct pane *o;

	if (p == NULL || !pane_floats(p)) {
		n = p == NULL ? list_first(&w->panes)
			      : list_next(&w->panes, &p->node);
		for (; n != NULL; n = list_next(&w->panes, n)) {
			o = container_of(n, struct pane, node);
			if (!pane_floats(o))
				return o;
		}
		n = list_last(&w->stack);
	} else
		n = list_prev(&w->stack, &p->z_node);
	while ((o = in_stack(n)) != NULL && !pane_floats(o))
		n = list_prev(&w->stack, n);
	return o;
}

static struct vt_frame *
draw_float(struct view_builder *b, struct pane *p)
{
	static const struct pen plain;
	bool active = p == client_pane(b->cx.client);
	struct pen pen = view_text_pen(&b->cx, p,
	    options_string(&p->options, active ? OPTION_PANE_ACTIVE_BORDER_STYLE
					       : OPTION_PANE_BORDER_STYLE),
	    &plain);
	const struct border_box box = {
		.lines = (enum border_lines)options_number(
		    &p->options, OPTION_PANE_BORDER_LINES),
		.indicators = (enum border_indicators)options_number(
		    &p->window->options, OPTION_PANE_BORDER_INDICATORS),
		.pen = &pen,
		.active = active,
		.number = (unsigned)pane_index(p),
	};
	struct vt_frame *f =
	    vt_frame_new((unsigned)p->float_at.w + 2, (unsigned)p->h + 2);

	f->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	if (view_chrome_marked(b, p->window) == p->id)
		pen.attrs ^= PEN_REVERSE;
	view_border_box(f, &box);
	view_title_draw(&b->cx, f, p->float_at.x - 1, p->y - 1, p, &pen);
	vt_frame_share(f);
	return f;
}

struct vt_frame *
view_float_frame(struct view_builder *b, struct pane *p)
{
	const struct sync_surface *old = NULL;

	if (pane_border(p) == 0)
		return NULL;
	if (b->view != NULL && !b->floats_dirty)
		old = sync_view_find(b->view, VIEW_SURFACE_FLOAT(p->id));
	if (old != NULL && old->frame->cols == p->float_at.w + 2 &&
	    old->frame->rows == p->h + 2)
		return vt_frame_ref(old->frame);
	return draw_float(b, p);
}
