#include "server/face/mouse_place.h"

#include "mux/client.h"
#include "mux/session.h"
#include "mux/view/scrollbar.h"
#include "mux/view/show.h"
#include "mux/view/title.h"
#include "mux/window.h"
#include "server/face/viewer.h"

static enum key_mouse_place
range_place(const struct style_range *r)
{
	switch (r->kind) {
	case STYLE_RANGE_LEFT:
		return KEY_MOUSE_AT_STATUS_LEFT;
	case STYLE_RANGE_RIGHT:
		return KEY_MOUSE_AT_STATUS_RIGHT;
	case STYLE_RANGE_WINDOW:
	case STYLE_RANGE_SESSION:
	case STYLE_RANGE_PANE:
	case STYLE_RANGE_USER:
		return KEY_MOUSE_AT_STATUS;
	case STYLE_RANGE_CONTROL:
		return (enum key_mouse_place)(
		    KEY_MOUSE_AT_CONTROL0 + r->argument);
	case STYLE_RANGE_NONE:
		break;
	}
	return KEY_MOUSE_AT_STATUS_DEFAULT;
}

/* Sets the target of -t = to the session, window or pane of a status range. */
static void
range_target(
    struct session *s, const struct style_range *r, struct cmd_state *st)
{
	struct winlink *wl;
	struct pane *p;

	if (r->kind == STYLE_RANGE_WINDOW &&
	    (wl = session_link_at(s, (int)r->argument)) != NULL) {
		st->mouse_window = wl->window->id;
		st->mouse_pane = wl->window->active->id;
		st->index = wl->index;
	} else if (r->kind == STYLE_RANGE_PANE &&
		   (p = mux_pane(s->mux, r->argument)) != NULL) {
		st->mouse_window = p->window->id;
		st->mouse_pane = p->id;
	} else if (r->kind == STYLE_RANGE_SESSION &&
		   mux_session(s->mux, r->argument) != NULL)
		st->mouse_session = r->argument;
}

/* The ranges of the status line at (*X, Y); *X becomes its column there. */
static const struct format_drawn *
status_line(const struct viewer *vw, int *x, int y)
{
	const struct view_builder *b = &vw->builder;
	const struct cell_rect *r = &b->status_area;

	if (*x < r->x || *x >= r->x + r->w || y < r->y || y >= r->y + r->h ||
	    (unsigned)(y - r->y) >= b->range_count)
		return NULL;
	*x -= r->x;
	return &b->ranges[y - r->y];
}

void
mouse_within(
    struct viewer *vw, const struct mouse_event *ev, struct cmd_state *st)
{
	struct pane *p = mux_pane(vw->run->mux, st->mouse_pane);
	const struct format_drawn *line;
	const struct format_range *r;
	int x = ev->x, y;

	st->mouse_x = st->mouse_y = st->mouse_line = -1;
	if ((line = status_line(vw, &x, ev->y)) != NULL) {
		st->mouse_line = (int)(line - vw->builder.ranges);
		st->mouse_x = x;
		st->mouse_y = st->mouse_line;
		r = format_drawn_at(line, x);
		if (r != NULL)
			st->mouse_range = r->range;
		return;
	}
	if (p == NULL)
		return;
	x = ev->x - vw->builder.window_x - p->x;
	y = ev->y - vw->builder.window_y - p->y;
	if (x >= 0 && x < p->w && y >= 0 && y < p->h) {
		st->mouse_x = view_show_column(&vw->builder, p, x, y);
		st->mouse_y = y;
	}
}

/* The place at (x, y) of the window, which belongs to P. */
static enum key_mouse_place
pane_place_at(const struct viewer *vw, const struct pane *p, int x, int y)
{
	static const enum key_mouse_place bar[] = {
		[VIEW_SCROLLBAR_NONE] = KEY_MOUSE_AT_BORDER,
		[VIEW_SCROLLBAR_UP] = KEY_MOUSE_AT_SCROLLBAR_UP,
		[VIEW_SCROLLBAR_SLIDER] = KEY_MOUSE_AT_SCROLLBAR_SLIDER,
		[VIEW_SCROLLBAR_DOWN] = KEY_MOUSE_AT_SCROLLBAR_DOWN,
	};
	enum view_scrollbar_part part =
	    view_scrollbar_at(&vw->builder, p, x, y, NULL);

	const bool left = p->window->layout.scrollbar_left;

	/* The space beside a scrollbar belongs to the pane. */
	if (part == VIEW_SCROLLBAR_NONE && y >= p->y && y < p->y + p->h &&
	    x >= p->x - (left ? p->bar : 0) &&
	    x < p->x + p->w + (left ? 0 : p->bar))
		return KEY_MOUSE_AT_PANE;
	return bar[part];
}

bool
mouse_place(struct viewer *vw, int x, int y, struct cmd_state *st,
    enum key_mouse_place *place)
{
	struct session *s = vw->client->session;
	const struct format_range *r;
	struct winlink *wl;
	const struct format_drawn *line;
	struct style_range range;
	struct pane *p;

	st->mouse_session = s->id;
	if ((line = status_line(vw, &x, y)) != NULL) {
		r = format_drawn_at(line, x);
		*place = r == NULL ? KEY_MOUSE_AT_STATUS_DEFAULT
				   : range_place(&r->range);
		if (r != NULL)
			range_target(s, &r->range, st);
		return true;
	}
	x -= vw->builder.window_x;
	y -= vw->builder.window_y;
	wl = client_link(vw->client);
	if (wl == NULL)
		return false;
	st->mouse_window = wl->window->id;
	p = view_title_at(&vw->builder.cx, wl->window, x, y, &range);
	if (p != NULL && range.kind == STYLE_RANGE_CONTROL) {
		st->mouse_pane = p->id;
		*place = range_place(&range);
		return true;
	}
	if ((p = window_pane_at(wl->window, x, y)) == NULL) {
		*place = KEY_MOUSE_AT_EMPTY;
		return true;
	}
	st->mouse_pane = p->id;
	*place = pane_place_at(vw, p, x, y);
	return true;
}

static bool
is_scrollbar(enum key_mouse_place place)
{
	return place == KEY_MOUSE_AT_SCROLLBAR_UP ||
	       place == KEY_MOUSE_AT_SCROLLBAR_SLIDER ||
	       place == KEY_MOUSE_AT_SCROLLBAR_DOWN;
}

/* Whether a floating pane has its own border at (x, y) of the window. */
static bool
on_own_border(const struct pane *p, int x, int y)
{
	const int border = pane_border(p);
	const int left = p->float_at.x, top = p->float_at.y;
	const int right = left + p->float_at.w, bottom = top + p->float_at.h;

	if (!pane_floats(p) || border == 0 || x < left - border ||
	    x >= right + border || y < top - border || y >= bottom + border)
		return false;
	return x < left || x >= right || y < top || y >= bottom;
}

bool
mouse_place_dragged(struct viewer *vw, int x, int y, struct cmd_state *st,
    enum key_mouse_place *place)
{
	const struct winlink *wl = client_link(vw->client);
	const struct pane *p = mux_pane(vw->run->mux, st->mouse_pane), *under;
	int column = x;

	if (is_scrollbar(*place) || st->mouse_window == MUX_NONE ||
	    wl == NULL || p == NULL || p->window != wl->window)
		return true;
	if (status_line(vw, &column, y) != NULL) {
		st->mouse_pane = MUX_NONE;
		return mouse_place(vw, x, y, st, place);
	}
	x -= vw->builder.window_x;
	y -= vw->builder.window_y;
	*place = pane_place_at(vw, p, x, y);
	if (*place != KEY_MOUSE_AT_BORDER || on_own_border(p, x, y))
		return true;
	/* tmux does not look at the left edge. */
	if (y >= p->y && y < p->y + p->h && x < p->x) {
		*place = KEY_MOUSE_AT_PANE;
		return true;
	}
	under = window_pane_at(wl->window, x, y);
	return under != NULL &&
	       pane_place_at(vw, under, x, y) == KEY_MOUSE_AT_BORDER;
}
