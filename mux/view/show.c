#include "mux/view/show.h"

#include "mux/pane.h"
#include "mux/vt/show.h"

/*
 * Whether the client's terminal has rows of double size, and this pane whole
 * rows of it.
 */
static bool
is_wide_enough(const struct view_builder *b, const struct pane *p)
{
	const struct client *c = b->cx.client;

	return b->window_x + p->x == 0 && p->w == c->w &&
	       client_has_feature(c, "doublesize");
}

/* Shows row Y of F. */
static void
show_row(struct vt_frame *f, unsigned y, bool halves)
{
	struct vt_line *line = f->lines[y];
	bool text;

	/*
	 * Elsewhere than on such a terminal, text of double height has its
	 * place in the upper half only.
	 */
	text = halves || (line->flags & VT_LINE_DOUBLE_BOTTOM) == 0;
	f->lines[y] = vt_show_pairs(line, f->cols, text);
	vt_line_unref(NULL, line);
	if (f->state.y == y)
		f->state.x = (uint16_t)MIN_OF(f->state.x * 2u, f->cols - 1u);
}

struct vt_frame *
view_show(
    const struct view_builder *b, const struct pane *p, struct vt_frame *f)
{
	struct vt_frame *shown;
	unsigned y;
	bool halves;

	if (likely(!view_show_changed(f)))
		return f;
	shown = vt_frame_clone(f);
	shown->version = f->version;
	vt_frame_unref(f);
	halves = is_wide_enough(b, p);
	for (y = 0; y < shown->rows; y++)
		if ((shown->lines[y]->flags & VT_LINE_SHOWN) != 0)
			show_row(shown, y, halves);
	return shown;
}

bool
view_show_changed(const struct vt_frame *f)
{
	unsigned y, flags = 0;

	for (y = 0; y < f->rows; y++)
		flags |= f->lines[y]->flags;
	return (flags & VT_LINE_SHOWN) != 0;
}

int
view_show_column(
    const struct view_builder *b, const struct pane *p, int x, int y)
{
	const struct sync_surface *sf;

	if (b->view == NULL || x < 0 || y < 0)
		return x;
	sf = sync_view_find(b->view, VIEW_SURFACE_PANE(p->id));
	if (sf == NULL || y >= (int)sf->frame->rows)
		return x;
	return (sf->frame->lines[y]->flags & VT_LINE_DOUBLE_WIDTH) != 0 ? x / 2
									: x;
}
