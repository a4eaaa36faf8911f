#include "mux/pretend.h"

void
mux_pretend(struct mux_pretence *p, struct client *c, struct winlink *wl)
{
	struct session *s = wl->session;

	*p = (struct mux_pretence){
		.client = c,
		.session = c->session,
		.last_session = c->last_session,
		.wl = wl,
		.current = s->current,
		.alerts = wl->alerts,
	};
	if (c->session != s) {
		c->last_session = c->session->id;
		c->session = s;
	}
	wl->alerts = 0;
	if (s->current == wl)
		return;
	if (list_linked(&wl->last_node)) {
		p->behind = wl->last_node.next;
		list_remove(&s->last_links, &wl->last_node);
	}
	list_push_front(&s->last_links, &s->current->last_node);
	s->current = wl;
}

void
mux_pretend_end(struct mux_pretence *p)
{
	struct winlink *wl = p->wl;
	struct session *s = wl->session;

	if (p->current != wl) {
		list_remove(&s->last_links, &p->current->last_node);
		if (p->behind != NULL)
			list_insert_before(
			    &s->last_links, p->behind, &wl->last_node);
		s->current = p->current;
	}
	wl->alerts = p->alerts;
	p->client->session = p->session;
	p->client->last_session = p->last_session;
}
