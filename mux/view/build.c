#include "mux/view/build.h"

#include <string.h>

#include "base/mem.h"
#include "mux/mode/mode.h"
#include "mux/session.h"
#include "mux/view/chrome.h"
#include "mux/view/float.h"
#include "mux/view/mode.h"
#include "mux/view/pane.h"
#include "mux/view/people.h"
#include "mux/view/scrollbar.h"
#include "mux/view/show.h"
#include "mux/view/status.h"
#include "mux/view/tty.h"
#include "mux/window.h"

void
view_builder_init(struct view_builder *b, struct client *c,
    const struct view_host *host, void *arg)
{
	memset(b, 0, sizeof(*b));
	b->cx = (struct view_context){ .client = c, .host = host, .arg = arg };
	b->status_at = b->people_at = b->modes_at = MONO_NEVER;
}

void
view_builder_fini(struct view_builder *b)
{
	sync_view_free(b->view);
	vt_frame_unref(b->chrome);
	vt_frame_unref(b->outside);
	view_status_fini(b);
	view_scrollbar_fini(b);
	view_show_fini(b);
}

mono_ms
view_deadline(const struct view_builder *b)
{
	return mono_min(mono_min(b->status_at, b->people_at), b->modes_at);
}

static void
expire_modes(struct view_builder *b, mono_ms now)
{
	struct winlink *wl = client_link(b->cx.client);
	struct list_node *n;
	struct pane *p;

	b->modes_at = MONO_NEVER;
	if (wl == NULL)
		return;
	WINDOW_FOREACH_PANE(p, n, wl->window)
	{
		(void)mode_expire(p, now);
	}
}

bool
view_expire(struct view_builder *b, mono_ms now)
{
	if (now < view_deadline(b))
		return false;
	if (now >= b->people_at)
		b->people_at = MONO_NEVER;
	if (now >= b->status_at) {
		b->status_at = MONO_NEVER;
		b->status_dirty = true;
	}
	if (now >= b->modes_at)
		expire_modes(b, now);
	return true;
}

bool
view_status_shown(const struct view_builder *b)
{
	return b->status_area.w > 0 && b->status_area.h > 0;
}

int
view_status_rows(const struct view_builder *b)
{
	return b->side == CLIENT_TOP || b->side == CLIENT_BOTTOM
		   ? b->status_area.h
		   : 0;
}

/* --- modes of the focused pane ----------------------------------------------- */

/* The focused pane and its frame in the last view; NULL if it has none. */
static struct pane *
find_focus(const struct view_builder *b, const struct vt_frame **f)
{
	struct pane *p = client_pane(b->cx.client);
	const struct sync_surface *sf;

	if (b->view == NULL || p == NULL)
		return NULL;
	sf = sync_view_find(b->view, VIEW_SURFACE_PANE(p->id));
	if (sf == NULL)
		return NULL;
	*f = sf->frame;
	return p;
}

bool
view_focus_echoes(const struct view_builder *b)
{
	const struct vt_frame *f;

	return find_focus(b, &f) != NULL &&
	       (f->state.modes & VT_FRAME_ECHO) != 0;
}

bool
view_modes_changed(const struct view_builder *b)
{
	const struct vt_frame *f;
	struct pane *p = find_focus(b, &f);
	uint32_t bits = 0;

	return p != NULL && b->cx.host->tty != NULL &&
	       b->cx.host->tty(b->cx.arg, p, &bits) &&
	       bits != (f->state.modes & VIEW_PANE_TTY_BITS);
}

/* --- the view ------------------------------------------------------------------ */

static void
add_panes(struct view_builder *b, struct sync_view *v, struct window *w)
{
	const struct pane *active = client_pane(b->cx.client);
	const struct pane *only = client_zoomed(b->cx.client);
	struct pane *p = NULL;
	struct vt_frame *f;

	b->modes_at = MONO_NEVER;
	while ((p = view_next_pane(w, p)) != NULL) {
		if (!pane_visible(p) || (only != NULL && p != only))
			continue;
		if (pane_floats(p) && (f = view_float_frame(b, p)) != NULL) {
			sync_view_add(v, VIEW_SURFACE_FLOAT(p->id),
			    SYNC_SURFACE_CHROME,
			    b->window_x + p->float_at.x - 1,
			    b->window_y + p->y - 1, f);
			vt_frame_unref(f);
		}
		if ((f = view_mode_frame(b, p)) == NULL)
			f = view_pane_frame(b, p, p == active);
		sync_view_add(v, VIEW_SURFACE_PANE(p->id), SYNC_SURFACE_PANE,
		    b->window_x + p->x, b->window_y + p->y, f);
		vt_frame_unref(f);
		view_scrollbar_add(b, v, p);
	}
	view_scrollbar_sweep(b);
	view_show_sweep(b, v);
	v->focus = VIEW_SURFACE_PANE(active->id);
	b->panes_dirty = false;
}

/* Places status lines and window; client_view pans a large window. */
static void
place(struct view_builder *b)
{
	struct client *c = b->cx.client;
	struct cell_rect r = { 0 };

	b->side = client_status(c, &b->status_area, &b->area);
	(void)client_view(c, &r);
	b->window_x = b->area.x - r.x;
	b->window_y = b->area.y - r.y;
}

static void
add_overlays(struct view_builder *b, struct sync_view *v, enum view_layer layer)
{
	if (b->cx.host->overlays != NULL)
		b->cx.host->overlays(b->cx.arg, b, v, layer);
}

struct sync_view *
view_build(struct view_builder *b, mono_ms now)
{
	struct client *c = b->cx.client;
	struct winlink *wl = client_link(c);
	struct sync_view *v;

	if (wl == NULL)
		return NULL;
	v = b->view == NULL ? sync_view_new(0, 0) : sync_view_clone(b->view);
	sync_view_clear(v);
	v->moves = c->moves;
	sync_prompt_unref(v->prompt);
	v->prompt = NULL;
	b->now = now;
	b->mouse_wanted = VT_MOUSE_OFF;
	b->kitty_wanted = b->other_wanted = 0;
	b->pixels_wanted = false;
	v->cols = (uint16_t)c->w;
	v->rows = (uint16_t)c->h;
	place(b);
	b->floats_dirty = false;
	view_chrome_add(b, v, wl->window);
	add_panes(b, v, wl->window);
	view_people_add(b, v, wl->window, now);
	add_overlays(b, v, VIEW_LAYER_WINDOW);
	view_status_add(b, v, now);
	add_overlays(b, v, VIEW_LAYER_TOP);
	view_tty_set(b, &v->tty, wl->window);
	sync_view_free(b->view);
	b->view = v;
	return v;
}
