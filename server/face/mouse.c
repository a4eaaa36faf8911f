#include "server/face/mouse.h"

#include "mux/client.h"
#include "mux/mode/copy.h"
#include "mux/mode/mode.h"
#include "mux/session.h"
#include "mux/view/scrollbar.h"
#include "mux/view/show.h"
#include "mux/window.h"
#include "server/face/mouse_place.h"
#include "server/face/people.h"
#include "server/face/requests.h"
#include "server/face/role.h"
#include "server/face/viewer.h"
#include "server/io/pane_input.h"
#include "server/run/cmdq.h"

static bool
is_drag(const struct mouse_event *ev)
{
	return ev->action == MOUSE_MOTION && ev->button != MOUSE_NONE;
}

/* --- keys ----------------------------------------------------------------------- */

/* Counts a press and waits for the next one. */
static enum key_mouse_kind
press(struct viewer *vw, const struct mouse_event *ev,
    enum key_mouse_place place, uint32_t pane)
{
	const unsigned button = (unsigned)ev->button;
	enum key_mouse_kind kind =
	    click_press(&vw->mouse.click, button, place, pane);

	vw->mouse.button = button;
	vw->mouse.dragging = false;
	vw->mouse.clicked = *ev;
	due_set(&vw->due, VIEWER_DUE_CLICK,
	    vw->mouse.click.count == 0
		? MONO_NEVER
		: mono_add(loop_now(vw->run->loop), CLICK_MS));
	return kind;
}

static key_code
mouse_key(struct viewer *vw, const struct mouse_event *ev,
    enum key_mouse_place place, uint32_t pane)
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
		kind = press(vw, ev, place, pane);
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

/* Sets the event of ST; its commands act on the pane under the mouse. */
static void
mouse_state(struct viewer *vw, const struct mouse_event *ev,
    enum key_mouse_place place, struct cmd_state *st)
{
	const struct pane *p = mux_pane(vw->run->mux, st->mouse_pane);

	if (p != NULL) {
		st->window = p->window->id;
		st->pane = p->id;
	}
	st->flags |= CMD_STATE_MOUSE;
	st->mouse = *ev;
	st->mouse_where = place;
	mouse_within(vw, ev, st);
}

void
mouse_click_due(struct viewer *vw, UNUSED mono_ms now)
{
	const struct mouse_event *ev = &vw->mouse.clicked;
	enum key_mouse_place place;
	struct cmd_state st;

	if (!click_due(&vw->mouse.click) || vw->client->session == NULL)
		return;
	keys_state(vw, &st);
	if (!mouse_place(vw, ev->x, ev->y, &st, &place))
		return;
	mouse_state(vw, ev, place, &st);
	(void)keys_lookup(vw,
	    key_mouse(KEY_MOUSE_DOUBLE_CLICK, vw->mouse.click.button, place) |
		ev->mods,
	    &st);
}

/* --- drags ---------------------------------------------------------------------- */

void
mouse_drag_border(
    struct viewer *vw, struct window *w, const struct mouse_event *ev)
{
	const int left = vw->builder.window_x, top = vw->builder.window_y;
	int x = vw->mouse.x - left, y = vw->mouse.y - top;

	/* A border that is dragged too far stays in the hand. */
	vw->mouse.drag = MOUSE_DRAG_BORDER;
	(void)window_drag_border(w, &x, &y, ev->x - left, ev->y - top);
	vw->mouse.x = x + left;
	vw->mouse.y = y + top;
}

/* Scrolls a drag at an edge of P on, if it is time. */
static void
drag_on(struct viewer *vw, struct pane *p)
{
	due_set(&vw->due, VIEWER_DUE_DRAG,
	    copy_mode_drag_next(p, loop_now(vw->run->loop)));
}

int
mouse_grab(const struct viewer *vw, const struct pane *p)
{
	int row = 0;

	(void)view_scrollbar_at(&vw->builder, p,
	    vw->mouse.x - vw->builder.window_x,
	    vw->mouse.y - vw->builder.window_y, &row);
	return row;
}

void
mouse_drag_mode(struct viewer *vw, struct pane *p)
{
	switch (copy_mode_dragging(p)) {
	case COPY_DRAGS_NOTHING:
		return;
	case COPY_DRAGS_SELECTION:
		vw->mouse.drag = MOUSE_DRAG_SELECT;
		break;
	case COPY_DRAGS_SLIDER:
		vw->mouse.drag = MOUSE_DRAG_SLIDER;
		break;
	}
	vw->mouse.drag_pane = p->id;
	drag_on(vw, p);
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

	m->drag = MOUSE_DRAG_FLOAT;
	m->kind = kind;
	m->drag_pane = p->id;
	m->anchor_x = m->press_x - vw->builder.window_x;
	m->anchor_y = m->press_y - vw->builder.window_y;
	if (kind == DRAG_RESIZE) {
		m->grab_x = grabbed(m->x - vw->builder.window_x, p->float_at.x,
		    p->float_at.w, border);
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
	struct pane *p = mux_pane(vw->run->mux, vw->mouse.drag_pane);

	if ((vw->mouse.drag == MOUSE_DRAG_SELECT ||
		vw->mouse.drag == MOUSE_DRAG_SLIDER) &&
	    p != NULL)
		copy_mode_drag_end(p);
	vw->mouse.drag = MOUSE_DRAG_NONE;
	due_set(&vw->due, VIEWER_DUE_DRAG, MONO_NEVER);
}

void
mouse_drag_due(struct viewer *vw, UNUSED mono_ms now)
{
	struct pane *p = mux_pane(vw->run->mux, vw->mouse.drag_pane);

	if (vw->mouse.drag != MOUSE_DRAG_SELECT || p == NULL)
		return;
	drag_on(vw, p);
	viewers_redraw_window(vw->all, p->window);
	run_drain(vw->run);
}

/* The release of a selection belongs to its pane, wherever the mouse is. */
static void
keep_in_pane(
    const struct viewer *vw, const struct pane *p, struct mouse_event *ev)
{
	const int x = vw->builder.window_x + p->x;
	const int y = vw->builder.window_y + p->y;

	ev->x = CLAMP(ev->x, x, x + p->w - 1);
	ev->y = CLAMP(ev->y, y, y + p->h - 1);
}

/* Continues a drag until the button is released; false: there is none. */
static bool
drag_continues(struct viewer *vw, struct mouse_event *ev)
{
	struct session *s = vw->client->session;
	struct pane *p = mux_pane(vw->run->mux, vw->mouse.drag_pane);
	struct mouse_event in_pane = *ev;

	if (vw->mouse.drag == MOUSE_DRAG_NONE)
		return false;
	if (vw->mouse.drag == MOUSE_DRAG_BORDER && role_prompts(vw->client)) {
		if (is_drag(ev) && s->current != NULL)
			mouse_drag_border(vw, s->current->window, ev);
	} else if (vw->mouse.drag == MOUSE_DRAG_FLOAT &&
		   role_prompts(vw->client)) {
		if (is_drag(ev) && p != NULL && pane_floats(p))
			drag_float(vw, p, ev);
	} else if (p != NULL && is_drag(ev) && copy_mode_top(p) != NULL) {
		in_pane.x -= vw->builder.window_x + p->x;
		in_pane.y -= vw->builder.window_y + p->y;
		if (vw->mouse.drag == MOUSE_DRAG_SLIDER)
			copy_mode_slide(p, in_pane.y);
		else {
			copy_mode_drag(p, NULL, &in_pane);
			drag_on(vw, p);
		}
		viewers_redraw_window(vw->all, p->window);
	} else {
		if (p != NULL && vw->mouse.drag == MOUSE_DRAG_SELECT)
			keep_in_pane(vw, p, ev);
		mouse_drop(vw);
		return false;
	}
	if (!is_drag(ev))
		mouse_drop(vw);
	run_drain(vw->run);
	/* The release of a border is a key as well. */
	return is_drag(ev);
}

/* --- dispatch ------------------------------------------------------------------- */

void
mouse_to_pane(struct viewer *vw, struct pane *p, const struct mouse_event *ev)
{
	struct mouse_event in_pane = *ev;

	outer_mouse(&in_pane, vw->builder.window_x + p->x,
	    vw->builder.window_y + p->y, &vw->client->outer, &p->window->outer);
	in_pane.x = view_show_column(&vw->builder, p, in_pane.x, in_pane.y);
	if (mode_mouse(p, &in_pane)) {
		requests_run(vw->all, vw, p);
		run_drain(vw->run);
	} else {
		people_typed_into(vw, p, AUDIT_MOUSE, 1);
		pane_input_mouse(vw->all->panes, p, &in_pane);
	}
}

/*
 * focus-follows-mouse
 *
 * security: only an admin's mouse moves the window's active pane.
 */
static void
follow(struct viewer *vw, const struct mouse_event *ev,
    enum key_mouse_place place, uint32_t pane)
{
	struct pane *p = mux_pane(vw->run->mux, pane);

	if (ev->action == MOUSE_MOTION && ev->button == MOUSE_NONE &&
	    role_prompts(vw->client) &&
	    options_flag(
		&vw->client->session->options, OPTION_FOCUS_FOLLOWS_MOUSE) &&
	    p != NULL && place == KEY_MOUSE_AT_PANE && !p->window->zoomed &&
	    window_set_active(p->window, p))
		run_drain(vw->run);
}

/* A bar that hides appears under the mouse. */
static void
hover(struct viewer *vw, const struct mouse_event *ev, uint32_t pane)
{
	const struct pane *p = mux_pane(vw->run->mux, pane);

	if (p != NULL &&
	    view_scrollbar_hover(&vw->builder, p, ev->x - vw->builder.window_x,
		ev->y - vw->builder.window_y, loop_now(vw->run->loop)))
		viewer_dirty(vw);
}

/* Whether the place is a button in the title of a pane. */
static bool
on_title(const struct cmd_state *st, enum key_mouse_place place)
{
	return place >= KEY_MOUSE_AT_CONTROL0 && st->mouse_pane != MUX_NONE;
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
		place != KEY_MOUSE_AT_EMPTY && !on_title(st, place)))
		return false;
	if (place != KEY_MOUSE_AT_EMPTY && st->mouse_pane == p->id)
		return false;
	if (ev->action == MOUSE_PRESS && (p->flags & PANE_MODAL_CLICK) != 0 &&
	    role_types(vw->client, p)) {
		(void)window_close_pane(p);
		run_drain(vw->run);
	}
	return true;
}

/*
 * Gets the place of EV. A drag begins where the button was pressed, and keeps
 * that pane; false: it has left the pane.
 */
static bool
event_place(struct viewer *vw, const struct mouse_event *ev,
    struct cmd_state *st, enum key_mouse_place *place)
{
	struct viewer_mouse *m = &vw->mouse;
	const bool drags = is_drag(ev);

	if (ev->action == MOUSE_PRESS) {
		m->press_x = ev->x;
		m->press_y = ev->y;
	}
	if (!drags)
		return mouse_place(vw, ev->x, ev->y, st, place);
	return mouse_place(vw, m->press_x, m->press_y, st, place) &&
	       (!m->dragging ||
		   mouse_place_dragged(vw, ev->x, ev->y, st, place));
}

static void
mouse_dispatch(struct viewer *vw, const struct mouse_event *ev)
{
	struct client *c = vw->client;
	enum key_mouse_place place;
	struct cmd_state st;
	struct pane *p;

	keys_state(vw, &st);
	if (!event_place(vw, ev, &st, &place) ||
	    mouse_modal(vw, &st, place, ev))
		return;
	follow(vw, ev, place, st.mouse_pane);
	/* A hook may have detached the client. */
	if (c->session == NULL)
		return;
	client_touch(c);
	mouse_state(vw, ev, place, &st);
	hover(vw, ev, st.mouse_pane);
	if (options_flag(&c->options, OPTION_MOUSE) &&
	    keys_lookup(vw, mouse_key(vw, ev, place, st.mouse_pane), &st))
		return;
	if (c->session == NULL || !mouse_place(vw, ev->x, ev->y, &st, &place))
		return;
	p = mux_pane(vw->run->mux, st.mouse_pane);
	if (p == NULL || place != KEY_MOUSE_AT_PANE || !role_types(c, p))
		return;
	mouse_to_pane(vw, p, ev);
}

void
mouse_moved(struct viewer *vw, const struct mouse_event *event)
{
	struct mouse_event ev = *event;

	if (vw->client->session == NULL || drag_continues(vw, &ev))
		return;
	if (overlays_mouse(&vw->overlays, &ev)) {
		keys_noted(vw);
		return;
	}
	/* A hook of the drag's end may have detached the client. */
	if (vw->client->session == NULL)
		return;
	mouse_dispatch(vw, &ev);
	if (vw->mouse.drag != MOUSE_DRAG_BORDER &&
	    vw->mouse.drag != MOUSE_DRAG_FLOAT) {
		vw->mouse.x = ev.x;
		vw->mouse.y = ev.y;
	}
}
