#include "mux/mux.h"

#include <string.h>

#include "base/mem.h"
#include "mux/client.h"
#include "mux/notify.h"
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
	outer_init(&m->outer);
	m->mark = (struct mux_mark){ MUX_NONE, MUX_NONE, MUX_NONE, -1 };
	m->paste = paste_new(m);
	m->notify = notify_new();
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
	notify_free(m->notify);
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
	outer_fini(&m->outer);
	mem_free(m);
}

bool
mux_mark_holds(const struct mux *m)
{
	const struct session *s = mux_session(m, m->mark.session);
	const struct pane *p = mux_pane(m, m->mark.pane);
	const struct winlink *wl =
	    s == NULL ? NULL : session_link_at(s, m->mark.index);

	return p != NULL && wl != NULL && wl->window->id == m->mark.window &&
	       p->window == wl->window;
}

bool
mux_get_mark(struct mux *m, struct winlink **wl, struct pane **p)
{
	/* As in tmux, a pane that comes back is marked again. */
	if (!mux_mark_holds(m))
		return false;
	if (wl != NULL)
		*wl = session_link_at(
		    mux_session(m, m->mark.session), m->mark.index);
	if (p != NULL)
		*p = mux_pane(m, m->mark.pane);
	return true;
}

void
mux_option_changed(struct mux *m, struct session *s, struct window *w,
    struct pane *p, const char *name)
{
	struct option_name option;
	struct map_entry *e;

	mux_say(m, MUX_EVENT_OPTION_CHANGED, s, w, p, name);
	if (option_match(name, &option, NULL) != 0 ||
	    (option_effects(option.row) & OPT_ON_LAYOUT) == 0)
		return;
	if (w != NULL)
		window_options_changed(w);
	else
		MAP_FOREACH(e, &m->windows)
			window_options_changed(e->value);
	client_fit_windows(m);
}
