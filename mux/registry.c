/* Finds the objects of the model by id, and appends events about them. */
#include "base/mem.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/window.h"

void
mux_set_now(struct mux *m, mono_ms now, int64_t wall)
{
	m->now = now;
	m->wall = wall;
}

struct session *
mux_session(const struct mux *m, uint32_t id)
{
	return map_get_id(&m->session_ids, id);
}

struct window *
mux_window(const struct mux *m, uint32_t id)
{
	return map_get_id(&m->windows, id);
}

struct pane *
mux_pane(const struct mux *m, uint32_t id)
{
	return map_get_id(&m->panes, id);
}

struct client *
mux_client(const struct mux *m, uint32_t id)
{
	return map_get_id(&m->clients, id);
}

struct session *
mux_session_named(const struct mux *m, const char *name)
{
	return map_get(&m->sessions, name);
}

bool
mux_next_event(struct mux *m, struct mux_event *out)
{
	struct pane *p;

	if (!mux_events_next(&m->events, out))
		return false;
	if (out->type == MUX_EVENT_PANE_OUTPUT &&
	    (p = mux_pane(m, out->pane)) != NULL)
		p->flags &= ~(unsigned)PANE_OUTPUT_QUEUED;
	return true;
}

void
mux_set_mark(struct mux *m, const struct winlink *wl, struct pane *p)
{
	struct mux_mark none = { MUX_NONE, MUX_NONE, MUX_NONE, -1 };

	if (wl == NULL || p == NULL) {
		if (m->mark.pane == MUX_NONE)
			return;
		mux_say(m, MUX_EVENT_MARKED_PANE, NULL,
		    mux_window(m, m->mark.window), mux_pane(m, m->mark.pane),
		    NULL);
		m->mark = none;
		return;
	}
	m->mark.session = wl->session->id;
	m->mark.window = wl->window->id;
	m->mark.pane = p->id;
	m->mark.index = wl->index;
	mux_say(m, MUX_EVENT_MARKED_PANE, NULL, wl->window, p, NULL);
}

void
mux_say(struct mux *m, enum mux_event_type type, const struct session *s,
    const struct window *w, const struct pane *p, const char *text)
{
	struct mux_event e = mux_event_make(type);
	char *copy = text == NULL ? NULL : mem_strdup(text);

	if (s != NULL)
		e.session = s->id;
	if (w != NULL)
		e.window = w->id;
	if (p != NULL)
		e.pane = p->id;
	e.text = copy;
	if (w != NULL && mux_event_row(type)->hook != NULL)
		e.titled = w->name;
	mux_events_add(&m->events, &e);
	mem_free(copy);
}

void
mux_step(struct mux *m)
{
	m->events.step++;
}

void
mux_say_client(struct mux *m, enum mux_event_type type, const struct client *c,
    const struct session *s, const char *text)
{
	struct mux_event e = mux_event_make(type);
	char *copy = text == NULL ? NULL : mem_strdup(text);

	e.client = c->id;
	if (s != NULL)
		e.session = s->id;
	if (s != NULL && s->current != NULL) {
		e.window = s->current->window->id;
		/* A window whose last pane goes has none. */
		if (s->current->window->active != NULL)
			e.pane = s->current->window->active->id;
	}
	e.text = copy;
	mux_events_add(&m->events, &e);
	mem_free(copy);
}

void
mux_say_link(struct mux *m, enum mux_event_type type, const struct winlink *wl)
{
	struct mux_event e = mux_event_make(type);

	e.session = wl->session->id;
	e.window = wl->window->id;
	e.index = wl->index;
	e.titled = wl->window->name;
	if (type == MUX_EVENT_WINDOW_UNLINKED) {
		e.text = wl->window->name;
		e.owner = wl->session->name;
	}
	mux_events_add(&m->events, &e);
}
