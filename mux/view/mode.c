#include "mux/view/mode.h"

#include "mux/mode/mode.h"
#include "mux/pane.h"
#include "mux/session.h"
#include "mux/view/show.h"
#include "mux/view/text.h"
#include "mux/window.h"

/* A mode is drawn for this client. */
struct painter {
	struct view_builder *b;
};

static colour
mode_colour(void *arg, colour c)
{
	return view_text_colour(&((struct painter *)arg)->b->cx, c);
}

static colour
mode_window_colour(void *arg, struct pane *p, enum option_id id)
{
	return view_text_option_colour(
	    &((struct painter *)arg)->b->cx, p, &p->window->options, id);
}

/* Mode styles are options of the client's window. */
static struct pen
mode_style(void *arg, enum option_id id, const struct pen *base)
{
	const struct view_context *cx = &((struct painter *)arg)->b->cx;
	const bool session = (option_row(id)->scope & OPT_SESSION) != 0;

	return view_text_style(cx,
	    session ? &cx->client->session->options
		    : &client_pane(cx->client)->options,
	    id, base);
}

static char *
mode_expand(void *arg, const char *format)
{
	const struct view_context *cx = &((struct painter *)arg)->b->cx;

	return cx->host->expand(
	    cx->arg, cx->client, NULL, NULL, 0, format, FORMAT_STRFTIME);
}

static void
mode_row(void *arg, struct vt_frame *f, unsigned x, unsigned y, struct pane *p,
    enum option_id format, const struct pen *base)
{
	const struct painter *pt = arg;

	view_text_pane(
	    &pt->b->cx, f, x, y, (int)(f->cols - x), p, format, base);
}

static struct vt_frame *
draw(struct view_builder *b, struct mode *m)
{
	const struct view_context *cx = &b->cx;
	struct painter pt = { b };
	struct mode_paint paint = {
		.now = b->now,
		.wall = cx->client->mux->wall,
		.graphemes = cx->client->mux->setup.graphemes,
		.colour = mode_colour,
		.window_colour = mode_window_colour,
		.style = mode_style,
		.expand = mode_expand,
		.row = mode_row,
		.arg = &pt,
	};
	const time_t t = (time_t)(paint.wall / 1000);

	if (cx->host->local_time != NULL)
		cx->host->local_time(cx->arg, t, &paint.local);
	else
		(void)gmtime_r(&t, &paint.local);
	return mode_frame(m, &paint);
}

struct vt_frame *
view_mode_frame(struct view_builder *b, struct pane *p)
{
	const struct sync_surface *old;
	struct mode *m = mode_top(p);
	struct vt_frame *f;

	if (m == NULL)
		return NULL;
	old = b->view == NULL
		  ? NULL
		  : sync_view_find(b->view, VIEW_SURFACE_PANE(p->id));
	if (old != NULL && !b->panes_dirty &&
	    old->frame->version == m->version && old->frame->cols == p->w &&
	    old->frame->rows == p->h)
		f = vt_frame_ref(old->frame);
	else
		f = view_show(b, p, draw(b, m));
	b->modes_at = mono_min(b->modes_at, m->due);
	return f;
}
