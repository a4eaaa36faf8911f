/* Groups of sessions, which share their windows. */
#include <string.h>

#include "base/mem.h"
#include "mux/session.h"

/* The winlink or session of a list node that is not NULL. */
#define LINK(n) container_of(n, struct winlink, node)
#define MEMBER(n) container_of(n, struct session, group_node)

static struct session *
member_of(const struct list_node *n)
{
	return list_entry(
	    (struct list_node *)(uintptr_t)n, struct session, group_node);
}

/* A place to find again after links were replaced. */
struct session_place {
	const struct window *window; /* only compared, never dereferenced */
	int index;
};

/* Returns the link of S at a place, or else one to its window. */
static struct winlink *
find_place(const struct session *s, const struct session_place *at)
{
	struct winlink *wl = session_link_at(s, at->index);

	if (wl != NULL && wl->window == at->window)
		return wl;
	return session_link_to(s, at->window);
}

/* Gives S the links of FROM, with the same indexes; TELL: with events. */
static void
copy_links(const struct session *from, struct session *s, bool tell)
{
	struct session_place *stack, current = { NULL, -1 };
	struct winlink *wl;
	struct list gone;
	struct list_node *n, *tmp;
	size_t depth = 0, i;

	/* The current window goes: another one becomes current before. */
	if (s->current != NULL &&
	    session_link_at(from, s->current->index) == NULL) {
		session_leave_window(s);
		mux_step(s->mux);
	}
	stack = mem_calloc(s->last_links.count + 1, sizeof(*stack));
	LIST_FOREACH_SAFE(n, &s->last_links, tmp) {
		wl = container_of(n, struct winlink, last_node);
		stack[depth++] =
		    (struct session_place){ wl->window, wl->index };
		list_remove(&s->last_links, n);
	}
	if (s->current != NULL)
		current = (struct session_place){ s->current->window,
			s->current->index };
	s->current = NULL;
	/* Drop the old links last, so that no window is freed in between. */
	list_init(&gone);
	LIST_FOREACH_SAFE(n, &s->links, tmp) {
		list_remove(&s->links, n);
		list_push_back(&gone, n);
	}
	LIST_FOREACH(n, &from->links) {
		wl = winlink_make(s, LINK(n)->window, LINK(n)->index);
		wl->alerts = LINK(n)->alerts;
		/* As in tmux, also of windows that the session had. */
		if (tell)
			mux_say_link(s->mux, MUX_EVENT_WINDOW_LINKED, wl);
	}
	s->current = find_place(s, &current);
	for (i = depth; i > 0; i--) {
		wl = find_place(s, &stack[i - 1]);
		if (wl != NULL && wl != s->current &&
		    !list_linked(&wl->last_node))
			list_push_front(&s->last_links, &wl->last_node);
	}
	if (s->current == NULL && (wl = session_last_link(s)) != NULL) {
		list_remove(&s->last_links, &wl->last_node);
		s->current = wl;
	}
	if (s->current == NULL && from->current != NULL)
		s->current = session_link_at(s, from->current->index);
	if (s->current == NULL)
		s->current = session_first_link(s);
	LIST_FOREACH_SAFE(n, &gone, tmp) {
		list_remove(&gone, n);
		if (session_link_to(s, LINK(n)->window) == NULL) {
			mux_step(s->mux); /* behind all links */
			mux_say_link(
			    s->mux, MUX_EVENT_WINDOW_UNLINKED, LINK(n));
		}
		list_push_back(&s->links, n);
		session_drop_link(LINK(n));
	}
	mem_free(stack);
}

void
session_sync_group(struct session *s, bool tell)
{
	struct list_node *n;

	if (s->group == NULL)
		return;
	LIST_FOREACH(n, &s->group->sessions)
		if (MEMBER(n) != s)
			copy_links(s, MEMBER(n), tell);
}

void
session_sync(struct session *s)
{
	if (s->group == NULL)
		return;
	mux_step(s->mux);
	session_sync_group(s, true);
	mux_step(s->mux);
}

static struct session_group *
session_group_find(const struct mux *m, const char *name)
{
	struct list_node *n;
	struct session_group *g;

	LIST_FOREACH(n, &m->groups) {
		g = container_of(n, struct session_group, node);
		if (strcmp(g->name, name) == 0)
			return g;
	}
	return NULL;
}

struct session_group *
session_group_get(struct mux *m, const char *name)
{
	struct session_group *g = session_group_find(m, name);
	struct list_node *at;

	if (g != NULL)
		return g;
	g = mem_zalloc(sizeof(*g));
	g->name = mem_strdup(name);
	list_init(&g->sessions);
	LIST_FOREACH(at, &m->groups)
		if (strcmp(container_of(at, struct session_group, node)->name,
			name) > 0)
			break;
	list_insert_before(&m->groups, at, &g->node);
	return g;
}

void
session_group_add(struct session_group *g, struct session *s)
{
	struct session *from = member_of(list_first(&g->sessions));

	if (s->group != NULL)
		return;
	s->group = g;
	list_push_back(&g->sessions, &s->group_node);
	mux_say(s->mux, MUX_EVENT_SESSION_GROUP_ADDED, s, NULL, NULL, g->name);
	if (from != NULL && from->links.count > 0)
		copy_links(from, s, true);
}

void
session_leave_group(struct session *s)
{
	struct session_group *g = s->group;
	struct mux_event e = mux_event_make(MUX_EVENT_SESSION_GROUP_REMOVED);

	if (g == NULL)
		return;
	e.session = s->id;
	e.owner = s->name;
	e.text = g->name;
	s->group = NULL;
	list_remove(&g->sessions, &s->group_node);
	mux_events_add(&s->mux->events, &e);
	if (!list_empty(&g->sessions))
		return;
	list_remove(&s->mux->groups, &g->node);
	mem_free(g->name);
	mem_free(g);
}

unsigned
session_group_attached(const struct session_group *g)
{
	struct list_node *n;
	unsigned sum = 0;

	LIST_FOREACH(n, &g->sessions)
		sum += MEMBER(n)->attached;
	return sum;
}
