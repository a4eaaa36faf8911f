#include "mux/mux.h"

#include <string.h>

#include "base/mem.h"
#include "mux/client.h"
#include "mux/pane.h"
#include "mux/paste.h"
#include "mux/session.h"
#include "mux/window.h"

struct mux *
mux_new(const struct mux_setup *setup)
{
	struct mux *m = mem_zalloc(sizeof(*m));

	m->setup = *setup;
	map_init_names(&m->sessions);
	map_init_ids(&m->session_ids);
	map_init_ids(&m->windows);
	map_init_ids(&m->panes);
	map_init_ids(&m->clients);
	list_init(&m->groups);
	mux_events_init(&m->events);
	options_init(&m->server_options, NULL);
	options_init(&m->session_options, NULL);
	options_init(&m->window_options, NULL);
	options_set_defaults(&m->server_options, OPT_SERVER);
	options_set_defaults(&m->session_options, OPT_SESSION);
	options_set_defaults(&m->window_options, OPT_WINDOW);
	environ_init(&m->environ);
	m->mark = (struct mux_mark){ MUX_NONE, MUX_NONE, MUX_NONE, -1 };
	m->paste = paste_new(m);
	return m;
}

void
mux_free(struct mux *m)
{
	if (m == NULL)
		return;
	while (m->clients.count > 0)
		client_free(m->clients.entries[0].value);
	while (m->session_ids.count > 0)
		session_destroy(m->session_ids.entries[0].value);
	while (m->windows.count > 0) /* never linked */
		window_free(m->windows.entries[0].value);
	paste_free(m->paste);
	mux_events_fini(&m->events);
	map_fini(&m->sessions);
	map_fini(&m->session_ids);
	map_fini(&m->windows);
	map_fini(&m->panes);
	map_fini(&m->clients);
	options_fini(&m->server_options);
	options_fini(&m->session_options);
	options_fini(&m->window_options);
	environ_fini(&m->environ);
	mem_free(m);
}

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
		m->mark = none;
		mux_say(m, MUX_EVENT_MARKED_PANE, NULL, NULL, NULL, NULL);
		return;
	}
	m->mark.session = wl->session->id;
	m->mark.window = wl->window->id;
	m->mark.pane = p->id;
	m->mark.index = wl->index;
	mux_say(m, MUX_EVENT_MARKED_PANE, wl->session, wl->window, p, NULL);
}

bool
mux_get_mark(struct mux *m, struct winlink **wl, struct pane **p)
{
	struct session *s;
	struct winlink *link;
	struct pane *found;

	if (m->mark.pane == MUX_NONE)
		return false;
	s = mux_session(m, m->mark.session);
	found = mux_pane(m, m->mark.pane);
	link = s == NULL ? NULL : session_link_at(s, m->mark.index);
	if (found == NULL || link == NULL ||
	    link->window->id != m->mark.window ||
	    found->window != link->window) {
		mux_set_mark(m, NULL, NULL);
		return false;
	}
	if (wl != NULL)
		*wl = link;
	if (p != NULL)
		*p = found;
	return true;
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
	mux_events_add(&m->events, &e);
	mem_free(copy);
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
	mux_events_add(&m->events, &e);
}

/* Options that change sizes or places at once. */
static const struct {
	const char *name;
	bool clients; /* what clients leave for windows changes */
} placing_options[] = {
	{ "aggressive-resize", false },
	{ "pane-border-status", false },
	{ "pane-scrollbars", false },
	{ "pane-scrollbars-position", false },
	{ "pane-scrollbars-style", false },
	{ "status", true },
	{ "window-size", false },
};

void
mux_option_changed(struct mux *m, struct session *s, struct window *w,
    struct pane *p, const char *name)
{
	struct map_entry *e;
	size_t i;

	mux_say(m, MUX_EVENT_OPTION_CHANGED, s, w, p, name);
	for (i = 0; i < ARRAY_LEN(placing_options); i++)
		if (strcmp(placing_options[i].name, name) == 0)
			break;
	if (i == ARRAY_LEN(placing_options))
		return;
	if (placing_options[i].clients)
		client_fit_windows(m);
	else if (w != NULL)
		window_options_changed(w);
	else
		MAP_FOREACH(e, &m->windows)
			window_options_changed(e->value);
}
