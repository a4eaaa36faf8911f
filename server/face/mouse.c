#include "server/face/mouse.h"

#include "mux/client.h"
#include "mux/mode/mode.h"
#include "mux/session.h"
#include "mux/window.h"
#include "server/face/requests.h"
#include "server/face/role.h"
#include "server/face/viewer.h"
#include "server/io/pane_input.h"
#include "server/run/cmdq.h"

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
	case STYLE_RANGE_CONTROL:
		return KEY_MOUSE_AT_STATUS;
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

/* The status line at row Y of the client, or -1. */
static int
status_row(const struct viewer *vw, int y)
{
	int row = y;

	if (!vw->builder.status_top)
		row -= vw->client->h - (int)vw->builder.status_rows;
	return row >= 0 && row < (int)vw->builder.status_rows ? row : -1;
}

/* Sets the position in the pane or status line, for mouse_x and others. */
static void
mouse_within(
    struct viewer *vw, const struct mouse_event *ev, struct cmd_state *st)
{
	struct pane *p = mux_pane(vw->run->mux, st->mouse_pane);
	const struct format_range *r;
	int x, y;

	st->mouse_x = st->mouse_y = -1;
	st->mouse_line = status_row(vw, ev->y);
	if (st->mouse_line >= 0) {
		st->mouse_x = ev->x;
		st->mouse_y = st->mouse_line;
		r = format_drawn_at(&vw->builder.ranges[st->mouse_line], ev->x);
		if (r != NULL)
			st->mouse_range = r->range;
		return;
	}
	if (p == NULL)
		return;
	x = ev->x - vw->builder.window_x - p->x;
	y = ev->y - vw->builder.window_y - p->y;
	if (x >= 0 && x < p->w && y >= 0 && y < p->h) {
		st->mouse_x = x;
		st->mouse_y = y;
	}
}

/* Finds the place under (x, y) of the client; fills the mouse fields of ST. */
static bool
mouse_place(struct viewer *vw, int x, int y, struct cmd_state *st,
    enum key_mouse_place *place)
{
	struct session *s = vw->client->session;
	const struct format_range *r;
	struct winlink *wl;
	struct pane *p;
	int row;

	row = status_row(vw, y);
	st->mouse_session = s->id;
	if (row >= 0) {
		r = format_drawn_at(&vw->builder.ranges[row], x);
		*place = r == NULL ? KEY_MOUSE_AT_STATUS_DEFAULT
				   : range_place(&r->range);
		if (r != NULL)
			range_target(s, &r->range, st);
		return true;
	}
	x -= vw->builder.window_x;
	y -= vw->builder.window_y;
	wl = client_link(vw->client);
	if (wl == NULL || (p = window_pane_at(wl->window, x, y)) == NULL)
		return false;
	st->mouse_window = wl->window->id;
	st->mouse_pane = p->id;
	*place = x >= p->x && x < p->x + p->w && y >= p->y && y < p->y + p->h
		     ? KEY_MOUSE_AT_PANE
		     : KEY_MOUSE_AT_BORDER;
	return true;
}

static key_code
mouse_key(
    struct viewer *vw, const struct mouse_event *ev, enum key_mouse_place place)
{
	enum key_mouse_kind kind;
	unsigned button = (unsigned)ev->button;

	if (ev->button == MOUSE_WHEEL_UP || ev->button == MOUSE_WHEEL_DOWN)
		return key_mouse(ev->button == MOUSE_WHEEL_UP
				     ? KEY_MOUSE_WHEEL_UP
				     : KEY_MOUSE_WHEEL_DOWN,
			   0, place) |
		       ev->mods;
	if (ev->action == MOUSE_MOTION) {
		kind =
		    ev->button == MOUSE_NONE ? KEY_MOUSE_MOVE : KEY_MOUSE_DRAG;
		vw->mouse.dragging |= ev->button != MOUSE_NONE;
	} else if (ev->action == MOUSE_PRESS) {
		kind = KEY_MOUSE_DOWN;
		vw->mouse.button = button;
		vw->mouse.dragging = false;
	} else {
		kind = vw->mouse.dragging ? KEY_MOUSE_DRAG_END : KEY_MOUSE_UP;
		if (button == 0)
			button = vw->mouse.button;
		vw->mouse.dragging = false;
	}
	if (kind == KEY_MOUSE_MOVE)
		button = 0;
	return key_mouse(kind, button, place) | ev->mods;
}

void
mouse_drag_border(
    struct viewer *vw, struct window *w, const struct mouse_event *ev)
{
	int x = vw->builder.window_x, y = vw->builder.window_y;

	vw->mouse.border_drag = true;
	if (window_drag_border(w, vw->mouse.x - x, vw->mouse.y - y, ev->x - x,
		ev->y - y) == 0) {
		vw->mouse.x = ev->x;
		vw->mouse.y = ev->y;
	}
}

void
mouse_drop(struct viewer *vw)
{
	vw->mouse.border_drag = false;
}

void
mouse_to_pane(struct viewer *vw, struct pane *p, const struct mouse_event *ev)
{
	struct mouse_event in_pane = *ev;

	in_pane.x -= vw->builder.window_x + p->x;
	in_pane.y -= vw->builder.window_y + p->y;
	if (mode_mouse(p, &in_pane)) {
		requests_run(vw->all, vw, p);
		run_drain(vw->run);
	} else
		pane_input_mouse(vw->all->panes, p, &in_pane);
}

/* Moves the dragged border with the mouse until the button is released. */
static bool
drag_border(struct viewer *vw, const struct mouse_event *ev)
{
	struct session *s = vw->client->session;

	if (!vw->mouse.border_drag || !role_prompts(vw->client))
		return false;
	if (ev->action != MOUSE_MOTION || ev->button == MOUSE_NONE) {
		vw->mouse.border_drag = vw->mouse.dragging = false;
		return true;
	}
	if (s->current != NULL)
		mouse_drag_border(vw, s->current->window, ev);
	run_drain(vw->run);
	return true;
}

static void
mouse_dispatch(struct viewer *vw, const struct mouse_event *ev)
{
	struct client *c = vw->client;
	enum key_mouse_place place;
	struct cmd_state st;
	struct pane *p;
	key_code key;
	int x = ev->x, y = ev->y;

	/* A drag belongs to the place of the button press. */
	if (ev->action == MOUSE_MOTION && ev->button != MOUSE_NONE) {
		x = vw->mouse.x;
		y = vw->mouse.y;
	}
	keys_state(vw, &st);
	if (!mouse_place(vw, x, y, &st, &place))
		return;
	/* security: only an admin's mouse moves the window's active pane. */
	if (ev->action == MOUSE_MOTION && ev->button == MOUSE_NONE &&
	    role_prompts(c) &&
	    options_flag(&c->session->options, OPTION_FOCUS_FOLLOWS_MOUSE) &&
	    (p = mux_pane(vw->run->mux, st.mouse_pane)) != NULL &&
	    place == KEY_MOUSE_AT_PANE && !p->window->zoomed &&
	    window_set_active(p->window, p))
		run_drain(vw->run);
	client_touch(c);
	st.flags |= CMD_STATE_MOUSE;
	st.mouse = *ev;
	st.mouse_where = place;
	mouse_within(vw, ev, &st);
	if (options_flag(&c->session->options, OPTION_MOUSE)) {
		key = mouse_key(vw, ev, place);
		if (keys_lookup(vw, key, &st))
			return;
	}
	if (!mouse_place(vw, ev->x, ev->y, &st, &place))
		return;
	p = mux_pane(vw->run->mux, st.mouse_pane);
	if (p == NULL || place != KEY_MOUSE_AT_PANE || !role_types(c))
		return;
	mouse_to_pane(vw, p, ev);
}

void
mouse_moved(struct viewer *vw, const struct mouse_event *ev)
{
	if (vw->client->session == NULL || ev->px >= 0 || drag_border(vw, ev) ||
	    overlays_mouse(&vw->overlays, ev))
		return;
	mouse_dispatch(vw, ev);
	if (!vw->mouse.border_drag) {
		vw->mouse.x = ev->x;
		vw->mouse.y = ev->y;
	}
}
