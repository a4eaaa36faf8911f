/* Links of sessions to windows, without events and groups. */
#include "base/mem.h"
#include "mux/session.h"

static struct winlink *
link_of(const struct list_node *n)
{
	return list_entry(
	    (struct list_node *)(uintptr_t)n, struct winlink, node);
}

/* The winlink of a list node that is not NULL. */
#define LINK(n) container_of(n, struct winlink, node)

struct winlink *
session_link_at(const struct session *s, int index)
{
	struct list_node *n;

	LIST_FOREACH(n, &s->links)
		if (LINK(n)->index == index)
			return LINK(n);
	return NULL;
}

struct winlink *
session_link_to(const struct session *s, const struct window *w)
{
	struct list_node *n;

	LIST_FOREACH(n, &s->links)
		if (LINK(n)->window == w)
			return LINK(n);
	return NULL;
}

struct winlink *
session_first_link(const struct session *s)
{
	return link_of(list_first(&s->links));
}

struct winlink *
session_final_link(const struct session *s)
{
	return link_of(list_last(&s->links));
}

struct winlink *
winlink_next(const struct winlink *wl)
{
	return link_of(list_next(&wl->session->links, &wl->node));
}

struct winlink *
winlink_prev(const struct winlink *wl)
{
	return link_of(list_prev(&wl->session->links, &wl->node));
}

struct winlink *
winlink_step(const struct winlink *wl, int n)
{
	int count = (int)wl->session->links.count;
	struct winlink *at = link_of(&wl->node);

	for (n = (n % count + count) % count; n > 0; n--) {
		at = winlink_next(at);
		if (at == NULL)
			at = session_first_link(wl->session);
	}
	return at;
}

struct winlink *
session_last_link(const struct session *s)
{
	return list_entry(
	    list_first(&s->last_links), struct winlink, last_node);
}

static void
winlink_insert(struct session *s, struct winlink *wl)
{
	struct list_node *n;

	LIST_FOREACH(n, &s->links)
		if (LINK(n)->index > wl->index)
			break;
	list_insert_before(&s->links, n, &wl->node);
}

int
winlink_free_index(const struct session *s, int from)
{
	struct list_node *n;

	LIST_FOREACH(n, &s->links) {
		if (LINK(n)->index < from)
			continue;
		if (LINK(n)->index > from)
			break;
		if (from == SESSION_INDEX_MAX)
			return -1;
		from++;
	}
	return from;
}

struct winlink *
winlink_make(struct session *s, struct window *w, int index)
{
	struct winlink *wl = mem_zalloc(sizeof(*wl));

	wl->index = index;
	wl->session = s;
	wl->window = w;
	winlink_insert(s, wl);
	list_push_back(&w->links, &wl->window_node);
	return wl;
}
