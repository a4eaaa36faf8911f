#include "mux/alert.h"

#include "mux/pane.h"
#include "mux/session.h"
#include "mux/window.h"

/* One row for each kind. */
static const struct {
	enum alert_kind kind;
	enum option_id action;
	enum mux_event_type event;
} alert_rows[] = {
	{ ALERT_BELL, OPTION_BELL_ACTION, MUX_EVENT_ALERT_BELL },
	{ ALERT_ACTIVITY, OPTION_ACTIVITY_ACTION, MUX_EVENT_ALERT_ACTIVITY },
	{ ALERT_SILENCE, OPTION_SILENCE_ACTION, MUX_EVENT_ALERT_SILENCE },
};

void
alert_output(struct pane *p)
{
	struct window *w = p->window;

	w->activity = w->mux->wall;
	w->activity_at = w->mux->now;
	if (options_flag(&w->options, OPTION_MONITOR_ACTIVITY))
		w->alerts |= ALERT_ACTIVITY;
	/* The next silence after output counts again. */
	w->alerts &= ~(unsigned)ALERT_SILENCE;
	w->silence_told = false;
}

void
alert_bell(struct pane *p)
{
	p->window->alerts |= ALERT_BELL;
	mux_say(p->mux, MUX_EVENT_PANE_BELL, NULL, p->window, p, NULL);
}

void
alert_visited(struct window *w)
{
	w->activity_at = w->mux->now;
	w->silence_told = false;
}

static void
set_flags(struct winlink *wl, unsigned alerts)
{
	if (wl->alerts == alerts)
		return;
	wl->alerts = alerts;
	mux_say_link(wl->session->mux, MUX_EVENT_WINDOW_FLAGS, wl);
}

void
alert_seen(struct winlink *wl)
{
	struct list_node *n;

	LIST_FOREACH(n, &wl->window->links)
		set_flags(container_of(n, struct winlink, window_node), 0);
}

void
alert_clear_session(struct session *s)
{
	struct list_node *n;
	struct winlink *wl;

	SESSION_FOREACH_LINK(wl, n, s)
	{
		wl->window->alerts = 0;
		set_flags(wl, 0);
	}
}

/*
 * Tells whether bell-action and the like want an alert of KIND in WL for
 * clients of session S.
 */
static bool
alert_wanted(
    const struct session *s, const struct winlink *wl, enum alert_kind kind)
{
	size_t i;
	bool current = wl == s->current;

	for (i = 0; i < ARRAY_LEN(alert_rows); i++) {
		if (alert_rows[i].kind != kind)
			continue;
		/* The three options have the choices of bell-action. */
		switch (options_number(&s->options, alert_rows[i].action)) {
		case BELL_ACTION_ANY:
			return true;
		case BELL_ACTION_CURRENT:
			return current;
		case BELL_ACTION_OTHER:
			return !current;
		}
		return false;
	}
	return false;
}

/*
 * Reports one kind of alert to all links of a window. A bell is reported each
 * time, the others only when their flag is new. The window that attached
 * clients look at gets no flag.
 */
static void
tell(struct window *w, enum alert_kind kind, enum mux_event_type event)
{
	struct list_node *n;
	struct winlink *wl;
	struct session *s;

	LIST_FOREACH(n, &w->links) {
		wl = container_of(n, struct winlink, window_node);
		s = wl->session;
		if (kind != ALERT_BELL && (wl->alerts & kind))
			continue;
		if (s->current != wl || s->attached == 0)
			set_flags(wl, wl->alerts | kind);
		if (alert_wanted(s, wl, kind))
			mux_say_link(s->mux, event, wl);
	}
}

/* Returns the kinds that W's options watch for. */
static unsigned
watched(const struct window *w)
{
	unsigned kinds = 0;

	if (options_flag(&w->options, OPTION_MONITOR_BELL))
		kinds |= ALERT_BELL;
	if (options_flag(&w->options, OPTION_MONITOR_ACTIVITY))
		kinds |= ALERT_ACTIVITY;
	if (options_number(&w->options, OPTION_MONITOR_SILENCE) > 0)
		kinds |= ALERT_SILENCE;
	return kinds;
}

static mono_ms
run_window(struct window *w)
{
	unsigned kinds = watched(w), found;
	mono_ms due = MONO_NEVER;
	size_t i;

	if (kinds & ALERT_SILENCE) {
		due = mono_add(
		    w->activity_at, (mono_ms)options_number(
					&w->options, OPTION_MONITOR_SILENCE) *
					1000);
		if (w->silence_told)
			due = MONO_NEVER;
		else if (due <= w->mux->now) {
			w->alerts |= ALERT_SILENCE;
			w->silence_told = true;
			due = MONO_NEVER;
		}
	}
	found = w->alerts & kinds;
	w->alerts = 0;
	for (i = 0; i < ARRAY_LEN(alert_rows); i++)
		if (found & alert_rows[i].kind)
			tell(w, alert_rows[i].kind, alert_rows[i].event);
	return due;
}

mono_ms
alert_run(struct mux *m)
{
	mono_ms next = MONO_NEVER;
	struct map_entry *e;

	MAP_FOREACH(e, &m->windows)
		next = mono_min(next, run_window(e->value));
	return next;
}
