/* The window and pane that a client shows, and the client that it follows. */
#include <string.h>

#include "base/mem.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/target.h"
#include "mux/window.h"

#define CLIENT_CHAIN_MAX 16 /* clients that follow each other */

bool
client_own_panes(const struct client *c)
{
	return (c->flags & CLIENT_ACTIVE_PANE) != 0 ||
	       (c->session != NULL &&
		   options_flag(&c->session->options, OPTION_OWN_PANES));
}

/* Returns the last client of the chain that C follows; NULL for a circle. */
static struct client *
client_leader(const struct client *c)
{
	struct client *o = NULL;
	uint32_t id = c->follow;
	int i;

	for (i = 0; i < CLIENT_CHAIN_MAX && id != MUX_NONE; i++) {
		o = mux_client(c->mux, id);
		if (o == NULL || o == c || o->session == NULL ||
		    o->session->current == NULL)
			return NULL;
		id = o->follow;
	}
	return i < CLIENT_CHAIN_MAX ? o : NULL;
}

struct winlink *
client_link(const struct client *c)
{
	struct client *o;
	struct winlink *wl;

	if (c->session == NULL || c->session->current == NULL)
		return NULL;
	if ((o = client_leader(c)) == NULL)
		return c->session->current;
	wl = session_link_to(c->session, o->session->current->window);
	if (wl != NULL)
		return wl;
	/* security: a guest sees the session that it was invited to. */
	return c->guest ? c->session->current : o->session->current;
}

static struct client_own *
own_of(const struct client *c, const struct window *w)
{
	size_t i;

	for (i = 0; i < c->own_count; i++)
		if (c->own[i].window == w->id)
			return &c->own[i];
	return NULL;
}

/* Returns P if it is visible in W, else NULL. */
static struct pane *
seen_in(struct pane *p, const struct window *w)
{
	return p != NULL && p->window == w && pane_visible(p) ? p : NULL;
}

struct pane *
client_pane(const struct client *c)
{
	const struct winlink *wl = client_link(c);
	const struct client *who = client_leader(c);
	const struct client_own *own;
	struct pane *p = NULL;

	if (wl == NULL)
		return NULL;
	if (who == NULL || who->session->current->window != wl->window)
		who = c;
	if (client_own_panes(who) && (own = own_of(who, wl->window)) != NULL)
		p = seen_in(mux_pane(c->mux, own->pane), wl->window);
	return p != NULL ? p : wl->window->active;
}

struct pane *
client_last_pane(const struct client *c)
{
	const struct winlink *wl = client_link(c);
	const struct client_own *own;

	if (wl == NULL || (own = own_of(c, wl->window)) == NULL)
		return NULL;
	return seen_in(mux_pane(c->mux, own->last), wl->window);
}

struct pane *
client_zoomed(const struct client *c)
{
	const struct winlink *wl = client_link(c);

	if (c->zoom == MUX_NONE || wl == NULL || !client_own_panes(c))
		return NULL;
	return seen_in(mux_pane(c->mux, c->zoom), wl->window);
}

/* Drops entries of windows that no longer exist. */
static void
own_forget(struct client *c)
{
	size_t i = 0;

	while (i < c->own_count)
		if (mux_window(c->mux, c->own[i].window) == NULL)
			c->own[i] = c->own[--c->own_count];
		else
			i++;
}

void
client_set_pane(struct client *c, struct pane *p)
{
	struct pane *before = client_pane(c);
	struct client_own *own;

	if (before == p)
		return;
	own_forget(c);
	if ((own = own_of(c, p->window)) == NULL) {
		if (c->own_count >= CLIENT_WINDOWS_MAX)
			return;
		c->own = mem_resize(c->own, c->own_count + 1, sizeof(*c->own));
		own = &c->own[c->own_count++];
		own->window = p->window->id;
	}
	own->last = before == NULL ? MUX_NONE : before->id;
	own->pane = p->id;
	if (c->zoom != MUX_NONE)
		c->zoom = p->id;
	client_update_focus(c->mux);
	mux_say_client(c->mux, MUX_EVENT_CLIENT_TABLE, c, c->session, NULL);
}

/* --- focus ------------------------------------------------------------------- */

bool
client_may_type(const struct client *c, const struct pane *p)
{
	if (c->role != CLIENT_TYPE)
		return c->role == CLIENT_ADMIN;
	if (c->type_pane != MUX_NONE)
		return p->id == c->type_pane;
	return c->type_window == MUX_NONE || p->window->id == c->type_window;
}

/* Whether a client with the focus types into P. */
static bool
has_focus(const struct mux *m, const struct pane *p)
{
	const struct map_entry *e;
	const struct client *c;

	MAP_FOREACH(e, &m->clients) {
		c = e->value;
		if ((c->flags & CLIENT_FOCUSED) && client_pane(c) == p &&
		    client_may_type(c, p))
			return true;
	}
	return false;
}

/* Sets the flag of panes that lose the focus, or of those that get it. */
static void
move_focus(struct mux *m, bool in)
{
	const struct map_entry *e;
	struct pane *p;

	MAP_FOREACH(e, &m->panes) {
		p = e->value;
		if (((p->flags & PANE_FOCUSED) == 0) != in ||
		    has_focus(m, p) != in)
			continue;
		p->flags ^= PANE_FOCUSED;
		/* No hook hears that a program lost it by its end. */
		if (!p->ended)
			mux_say(m,
			    in ? MUX_EVENT_PANE_FOCUS_IN
			       : MUX_EVENT_PANE_FOCUS_OUT,
			    NULL, p->window, p, NULL);
	}
}

void
client_gain_focus(struct mux *m)
{
	move_focus(m, true);
}

void
client_update_focus(struct mux *m)
{
	move_focus(m, false);
	move_focus(m, true);
}

void
client_see(const struct mux *m, struct client_seen *seen)
{
	const struct session *s = target_best_session(m, false);

	*seen = (struct client_seen){ MUX_NONE, MUX_NONE, MUX_NONE };
	if (s == NULL)
		return;
	seen->session = s->id;
	if (s->current == NULL)
		return;
	seen->window = s->current->window->id;
	if (s->current->window->active != NULL)
		seen->pane = s->current->window->active->id;
}
