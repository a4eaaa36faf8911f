/* Makes targets from objects, and chooses among several sessions. */
#include "mux/client.h"
#include "mux/session.h"
#include "mux/target.h"

/* --- targets from objects ------------------------------------------------------ */

void
target_from_link_pane(struct target *t, struct winlink *wl, struct pane *p)
{
	t->session = wl->session;
	t->link = wl;
	t->window = wl->window;
	t->pane = p;
	t->index = wl->index;
}

void
target_from_link(struct target *t, struct winlink *wl)
{
	target_from_link_pane(t, wl, wl->window->active);
}

void
target_from_session(struct target *t, struct session *s)
{
	*t = (struct target){ .session = s, .index = -1 };
	if (s->current != NULL)
		target_from_link(t, s->current);
}

/* Tells whether A is the better session than B. */
static bool
better_session(
    const struct session *a, const struct session *b, bool unattached)
{
	if (unattached && (a->attached == 0) != (b->attached == 0))
		return a->attached == 0;
	return a->used > b->used;
}

struct session *
target_session_with(
    const struct mux *m, const struct window *w, bool unattached)
{
	struct session *best = NULL, *s;
	const struct map_entry *e;

	MAP_FOREACH(e, &m->session_ids) {
		s = e->value;
		if (s->current == NULL ||
		    (w != NULL && session_link_to(s, w) == NULL))
			continue;
		if (best == NULL || better_session(s, best, unattached))
			best = s;
	}
	return best;
}

struct session *
target_best_session(const struct mux *m, bool unattached)
{
	return target_session_with(m, NULL, unattached);
}

struct winlink *
target_link_to(const struct session *s, const struct window *w)
{
	if (s->current != NULL && s->current->window == w)
		return s->current;
	return session_link_to(s, w);
}

bool
target_from_window(
    struct target *t, struct window *w, const struct session *prefer)
{
	const struct session *s = prefer;

	if (s == NULL || session_link_to(s, w) == NULL)
		s = target_session_with(w->mux, w, false);
	if (s == NULL)
		return false;
	target_from_link(t, target_link_to(s, w));
	return true;
}

bool
target_from_pane(struct target *t, struct pane *p, const struct session *prefer)
{
	if (!target_from_window(t, p->window, prefer))
		return false;
	t->pane = p;
	return true;
}

bool
target_from_inside(struct target *t, struct pane *p)
{
	if (!target_from_pane(t, p, NULL))
		return false;
	target_from_session(t, t->session);
	return true;
}

bool
target_from_client(struct target *t, const struct client *c)
{
	if (c == NULL || c->session == NULL || c->session->current == NULL)
		return false;
	target_from_session(t, c->session);
	return true;
}

bool
target_valid(const struct mux *m, const struct target *t)
{
	const struct map_entry *e;
	const struct list_node *n;
	const struct winlink *wl;
	const struct pane *p;

	MAP_FOREACH(e, &m->session_ids) {
		if (e->value != t->session)
			continue;
		SESSION_FOREACH_LINK(wl, n, t->session)
		{
			if (wl != t->link || wl->window != t->window)
				continue;
			WINDOW_FOREACH_PANE(p, n, wl->window)
			{
				if (p == t->pane)
					return true;
			}
			return false;
		}
		return false;
	}
	return false;
}
