/*
 * Notifications of control mode: events of the model, errors of configuration
 * files, subscriptions.
 */
#include <string.h>

#include "base/mem.h"
#include "mux/client.h"
#include "mux/control/control_text.h"
#include "mux/fmt/vars.h"
#include "mux/mux.h"
#include "mux/session.h"
#include "mux/window.h"
#include "server/face/controller.h"
#include "server/io/conn.h"
#include "server/io/scope.h"
#include "server/run/notes.h"
#include "server/run/run.h"

#define TELL_LINE_MAX ((size_t)4 << 20)

/* An event, with what its lines need. */
struct telling {
	struct controllers *cs;
	const struct mux_event *e;
	const struct mux_event_row *row;
	struct vars_event vars;
};

static void
notify_text(struct controller *ct, const char *text)
{
	struct buf b;

	buf_init(&b, TELL_LINE_MAX);
	control_text_add(&b, text);
	(void)buf_add_u8(&b, '\n');
	if (!b.overflow)
		controller_notify(ct, buf_cstr(&b), b.len);
	buf_fini(&b);
}

/* Whether the event is about the client's session or a window in it. */
static bool
is_own(const struct controller *ct, const struct mux_event *e)
{
	struct mux *m = ct->all->run->mux;
	const struct session *s = mux_session(m, ct->session);
	const struct window *w = mux_window(m, e->window);

	if (e->type == MUX_EVENT_CLIENT_SESSION)
		return ct->client != NULL && ct->client->id == e->client;
	if (e->session != MUX_NONE && e->session == ct->session)
		return true;
	return s != NULL && w != NULL && session_link_to(s, w) != NULL;
}

/* Whether tmux says nothing to this client about the event. */
static bool
is_silent(const struct controller *ct, const struct mux_event *e)
{
	const struct window *w;

	/* It is about to end. */
	if (ct->client != NULL && ct->client->session == NULL &&
	    ct->session != MUX_NONE)
		return true;
	switch (e->type) {
	case MUX_EVENT_SESSION_CREATED:
	case MUX_EVENT_SESSION_CLOSED:
	case MUX_EVENT_PASTE_CHANGED:
	case MUX_EVENT_PASTE_DELETED:
		return false;
	case MUX_EVENT_WINDOW_LAYOUT:
		w = mux_window(ct->all->run->mux, e->window);
		return w == NULL || w->active == NULL || !is_own(ct, e);
	case MUX_EVENT_WINDOW_RENAMED:
		/* A new window gets its name. */
		return e->window == ct->all->fresh || ct->session == MUX_NONE;
	case MUX_EVENT_PANE_MODE:
		return mux_pane(ct->all->run->mux, e->pane) == NULL ||
		       ct->session == MUX_NONE;
	default:
		return ct->session == MUX_NONE;
	}
}

static void
tell(const struct telling *t, struct controller *ct)
{
	struct mux *m = t->cs->run->mux;
	const char *format = t->row->control;
	struct session *s = mux_session(m, ct->session);
	struct window *w = mux_window(m, t->e->window);
	struct scope_where where = {
		.client = ct->client,
		.session = s,
		.vars = t->vars.vars,
		.var_count = t->vars.count,
		.idle = true,
	};
	char *text;

	if (t->row->other != NULL && !is_own(ct, t->e))
		format = t->row->other;
	if (w != NULL && w->active != NULL && s != NULL)
		where.link = session_link_to(s, w);
	if (where.link != NULL)
		where.pane = w->active;
	text = scope_new(t->cs->scope, &where, format, FORMAT_NO_JOBS);
	/* One change of a layout may have several events. */
	if (ct->last == NULL || strcmp(ct->last, text) != 0)
		notify_text(ct, text);
	mem_free(ct->last);
	ct->last = text;
}

void
controllers_event(struct controllers *cs, const struct mux_event *e)
{
	struct telling t = { .cs = cs, .e = e, .row = mux_event_row(e->type) };
	struct list_node *n;
	struct controller *ct;

	if (e->type == MUX_EVENT_WINDOW_CREATED)
		cs->fresh = e->window;
	if (e->type == MUX_EVENT_PANE_CLOSED)
		LIST_FOREACH(n, &cs->list)
			control_out_forget(
			    container_of(n, struct controller, node)->out,
			    e->pane);
	if (t.row->control == NULL || list_empty(&cs->list))
		return;
	vars_event_init(&t.vars, cs->run->mux, e);
	LIST_FOREACH(n, &cs->list) {
		ct = container_of(n, struct controller, node);
		if (ct->ending)
			continue;
		/* From now on it knows its session. */
		if (e->type == MUX_EVENT_CLIENT_SESSION && is_own(ct, e))
			ct->session = e->session;
		if (!is_silent(ct, e))
			tell(&t, ct);
	}
	vars_event_fini(&t.vars);
}

void
controllers_told(struct controllers *cs)
{
	struct list_node *n;
	struct controller *ct;

	cs->fresh = MUX_NONE;
	LIST_FOREACH(n, &cs->list) {
		ct = container_of(n, struct controller, node);
		mem_free(ct->last);
		ct->last = NULL;
	}
}

void
controller_config_error(struct controller *ct, const char *lines)
{
	const char *p, *end;
	char *text;

	for (p = lines; *p != '\0'; p = *end == '\0' ? end : end + 1) {
		end = p + strcspn(p, "\n");
		if (end == p)
			continue;
		text = mem_printf("%%config-error %.*s", (int)(end - p), p);
		notify_text(ct, text);
		mem_free(text);
	}
}

/* security: a user with read access did not start the server. */
static bool
has_started(const struct controller *ct)
{
	const struct conn *cn = conn_find(ct->all->conns, ct->conn_id);

	return cn != NULL && (conn_flags(cn) & CONTROL_FLAG_START) != 0 &&
	       conn_access(cn) == ACCESS_WRITE;
}

void
controller_errors(struct controller *ct, bool before)
{
	bool hint;
	char *text;

	if (before ? ct->client != NULL || !has_started(ct) : !ct->errors)
		return;
	ct->errors = false;
	text = notes_take(ct->all->run->notes, &hint);
	if (text != NULL && !hint)
		controller_config_error(ct, text);
	mem_free(text);
}

/* --- subscriptions ------------------------------------------------------------ */

static char *
sub_expand(void *arg, struct session *s, struct winlink *wl, struct pane *p,
    const char *format)
{
	const struct controller *ct = arg;
	const struct scope_where w = {
		.client = ct->client,
		.session = s,
		.link = wl != NULL ? wl : s->current,
		.pane = p != NULL    ? p
			: wl != NULL ? wl->window->active
				     : s->current->window->active,
	};

	return scope_new(ct->all->scope, &w, format, 0);
}

static void
sub_line(void *arg, const char *text, size_t n)
{
	controller_notify(arg, text, n);
}

void
controllers_tick(struct controllers *cs, mono_ms now)
{
	struct control_subs_host host = { NULL, sub_expand, sub_line };
	struct list_node *n;
	struct controller *ct;

	LIST_FOREACH(n, &cs->list) {
		ct = container_of(n, struct controller, node);
		if (list_empty(&ct->subs.all) || now < ct->subs_next ||
		    ct->client == NULL || ct->client->session == NULL ||
		    ct->client->session->current == NULL || ct->ending)
			continue;
		ct->subs_next = mono_add(now, CONTROL_SUBS_PERIOD_MS);
		host.arg = ct;
		control_subs_tick(&ct->subs, ct->client->session, &host);
	}
}
