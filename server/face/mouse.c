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

/* Sets the position in the pane or status line, for mouse_x and others. */
static void
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
	const struct format_drawn *line;
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
	if ((p = window_pane_at(wl->window, x, y)) == NULL) {
		*place = KEY_MOUSE_AT_EMPTY;
		return true;
	}
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
mouse_window_place(const struct viewer *vw, int *x, int *y)
{
	*x = vw->mouse.x - vw->builder.window_x;
	*y = vw->mouse.y - vw->builder.window_y;
}

/* --- dragging a floating pane ------------------------------------------------ */

/* Returns which border of a pane from AT, SIZE long, is at the mouse. */
static int
grabbed(int mouse, int at, int size, int border)
{
	return mouse < at               ? -1
	       : mouse >= at + size     ? 1
	       : border > 0 || size < 1 ? 0
	       : mouse == at            ? -1
	       : mouse == at + size - 1 ? 1
					: 0;
}

/* Moves one border of a side by BY, as far as the pane keeps a cell. */
static int
drag_side(int *at, int *size, int grab, int by)
{
	if (grab < 0) {
		by = MIN_OF(by, *size - LAYOUT_PANE_MIN);
		*at += by;
		*size -= by;
	} else if (grab > 0) {
		by = MAX_OF(by, LAYOUT_PANE_MIN - *size);
		*size += by;
	} else
		by = 0;
	return by;
}

/* Sets a side of a pane with BORDER from the cells A to B, in any order. */
static void
span_side(int *at, int *size, int a, int b, int border)
{
	*at = MIN_OF(a, b) + border;
	*size = MAX_OF(
	    MAX_OF(a, b) - MIN_OF(a, b) + 1 - 2 * border, LAYOUT_PANE_MIN);
}

/* Moves the dragged pane with the mouse. */
static void
drag_float(struct viewer *vw, struct pane *p, const struct mouse_event *ev)
{
	struct viewer_mouse *m = &vw->mouse;
	struct cell_rect r = p->float_at;
	int dx = ev->x - m->x, dy = ev->y - m->y;

	if (m->kind == DRAG_MOVE) {
		r.x += dx;
		r.y += dy;
	} else if (m->kind == DRAG_SPAN) {
		span_side(&r.x, &r.w, m->anchor_x, ev->x - vw->builder.window_x,
		    pane_border(p));
		span_side(&r.y, &r.h, m->anchor_y, ev->y - vw->builder.window_y,
		    pane_border(p));
	} else {
		dx = drag_side(&r.x, &r.w, m->grab_x, dx);
		dy = drag_side(&r.y, &r.h, m->grab_y, dy);
	}
	m->x += dx;
	m->y += dy;
	if (dx != 0 || dy != 0)
		(void)window_float_place(p, &r);
}

void
mouse_drag_float(struct viewer *vw, struct pane *p,
    const struct mouse_event *ev, enum drag_kind kind)
{
	struct viewer_mouse *m = &vw->mouse;
	int border = pane_border(p);

	m->float_drag = true;
	m->kind = kind;
	m->pane = p->id;
	mouse_window_place(vw, &m->anchor_x, &m->anchor_y);
	if (kind == DRAG_RESIZE) {
		m->grab_x =
		    grabbed(m->x - vw->builder.window_x, p->x, p->w, border);
		m->grab_y =
		    grabbed(m->y - vw->builder.window_y, p->y, p->h, border);
		if (m->grab_y < 0 && m->grab_x == 0)
			m->kind = DRAG_MOVE;
	}
	drag_float(vw, p, ev);
}

void
mouse_drop(struct viewer *vw)
{
	vw->mouse.border_drag = false;
	vw->mouse.float_drag = false;
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

/* Moves the dragged border or pane with the mouse until the button is released. */
static bool
drag_border(struct viewer *vw, const struct mouse_event *ev)
{
	struct session *s = vw->client->session;
	struct pane *p;

	if ((!vw->mouse.border_drag && !vw->mouse.float_drag) ||
	    !role_prompts(vw->client))
		return false;
	if (ev->action != MOUSE_MOTION || ev->button == MOUSE_NONE) {
		mouse_drop(vw);
		vw->mouse.dragging = false;
		return true;
	}
	if (vw->mouse.float_drag) {
		p = mux_pane(vw->run->mux, vw->mouse.pane);
		if (p != NULL && pane_floats(p))
			drag_float(vw, p, ev);
	} else if (s->current != NULL)
		mouse_drag_border(vw, s->current->window, ev);
	run_drain(vw->run);
	return true;
}

/*
 * A modal pane takes the mouse: a click outside may close it, all else there is
 * dropped. Returns whether EV is done.
 */
static bool
mouse_modal(struct viewer *vw, const struct cmd_state *st,
    enum key_mouse_place place, const struct mouse_event *ev)
{
	const struct winlink *wl = client_link(vw->client);
	struct pane *p = wl == NULL ? NULL : wl->window->modal;

	if (p == NULL ||
	    (place != KEY_MOUSE_AT_PANE && place != KEY_MOUSE_AT_BORDER &&
		place != KEY_MOUSE_AT_EMPTY))
		return false;
	if (place != KEY_MOUSE_AT_EMPTY && st->mouse_pane == p->id)
		return false;
	if (ev->action == MOUSE_PRESS && (p->flags & PANE_MODAL_CLICK) != 0 &&
	    role_types(vw->client)) {
		(void)window_close_pane(p);
		run_drain(vw->run);
	}
	return true;
}

/* Commands without a target act on the pane or window under the mouse. */
static void
mouse_current(struct cmd_state *st)
{
	if (st->mouse_pane == MUX_NONE)
		return;
	st->window = st->mouse_window;
	st->pane = st->mouse_pane;
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
	if (ev->action == MOUSE_PRESS) {
		vw->mouse.press_x = x;
		vw->mouse.press_y = y;
	} else if (ev->action == MOUSE_MOTION && ev->button != MOUSE_NONE) {
		x = vw->mouse.press_x;
		y = vw->mouse.press_y;
	}
	keys_state(vw, &st);
	if (!mouse_place(vw, x, y, &st, &place) ||
	    mouse_modal(vw, &st, place, ev))
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
	/* As in tmux: the pane under the mouse is the binding's current one. */
	if (place == KEY_MOUSE_AT_PANE || place == KEY_MOUSE_AT_BORDER) {
		st.window = st.mouse_window;
		st.pane = st.mouse_pane;
	}
	st.flags |= CMD_STATE_MOUSE;
	st.mouse = *ev;
	st.mouse_where = place;
	mouse_within(vw, ev, &st);
	if (options_flag(&c->session->options, OPTION_MOUSE)) {
		mouse_current(&st);
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
	if (!vw->mouse.border_drag && !vw->mouse.float_drag) {
		vw->mouse.x = ev->x;
		vw->mouse.y = ev->y;
	}
}
