#include "mux/session.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "mux/client.h"

/* The winlink of a list node that is not NULL. */
#define LINK(n) container_of(n, struct winlink, node)

/* --- names ------------------------------------------------------------------- */

/* Makes an unused name: a number, after the name of the group. */
static char *
free_name(struct mux *m, const struct session_group *g)
{
	uint32_t n = m->next_session;
	char *name;

	for (;; n++) {
		name = g == NULL ? mem_printf("%u", n)
				 : mem_printf("%s-%u", g->name, n);
		if (mux_session_named(m, name) == NULL)
			return name;
		mem_free(name);
	}
}

int
session_name_check(const struct mux *m, const char *name, struct cause *cause)
{
	if (strlen(name) > SESSION_NAME_MAX || !utf8_is_name(name))
		return cause_set(
		    cause, -ERR_SYNTAX, "invalid session name: %s", name);
	if (mux_session_named(m, name) != NULL)
		return cause_set(
		    cause, -ERR_EXISTS, "duplicate session: %s", name);
	return 0;
}

int
session_new(struct mux *m, const char *name, struct session_group *group,
    struct session **out, struct cause *cause)
{
	struct session *s;
	int r;

	if (name != NULL && (r = session_name_check(m, name, cause)) != 0)
		return r;
	s = mem_zalloc(sizeof(*s));
	s->name = name != NULL ? mem_strdup(name) : free_name(m, group);
	s->id = m->next_session++;
	s->mux = m;
	list_init(&s->links);
	list_init(&s->last_links);
	options_init(&s->options, &m->session_options);
	environ_init(&s->environ);
	s->created = s->activity = m->wall;
	s->used = ++m->ticks;
	(void)map_set(&m->sessions, s->name, s);
	(void)map_set_id(&m->session_ids, s->id, s);
	if (group != NULL) {
		session_group_add(group, s);
		s->current = session_first_link(s);
	}
	mux_say(m, MUX_EVENT_SESSION_CREATED, s, NULL, NULL, NULL);
	*out = s;
	return 0;
}

int
session_rename(struct session *s, const char *name, struct cause *cause)
{
	int r;

	if (strcmp(name, s->name) == 0)
		return 0;
	if ((r = session_name_check(s->mux, name, cause)) != 0)
		return r;
	(void)map_remove(&s->mux->sessions, s->name);
	mem_free(s->name);
	s->name = mem_strdup(name);
	(void)map_set(&s->mux->sessions, s->name, s);
	mux_say(s->mux, MUX_EVENT_SESSION_RENAMED, s, NULL, NULL, s->name);
	return 0;
}

void
session_touch(struct session *s)
{
	s->activity = s->mux->wall;
	s->used = ++s->mux->ticks;
}

void
session_drop_link(struct winlink *wl)
{
	struct session *s = wl->session;
	struct window *w = wl->window;

	if (list_linked(&wl->last_node))
		list_remove(&s->last_links, &wl->last_node);
	if (s->current == wl)
		s->current = NULL;
	list_remove(&s->links, &wl->node);
	list_remove(&w->links, &wl->window_node);
	mem_free(wl);
	if (list_empty(&w->links))
		window_free(w);
}

/* --- making and removing links ----------------------------------------------- */

void
session_destroy(struct session *s)
{
	struct mux *m = s->mux;
	struct winlink *wl;
	char *name;
	bool moved;

	mux_step(m);
	moved = client_session_gone(s);
	mux_step(m);
	(void)map_remove(&m->sessions, s->name);
	(void)map_remove_id(&m->session_ids, s->id);
	mux_say(m, MUX_EVENT_SESSION_CLOSED, s, NULL, NULL, s->name);
	session_leave_group(s);
	while ((wl = session_first_link(s)) != NULL) {
		mux_say_link(m, MUX_EVENT_WINDOW_UNLINKED, wl);
		session_drop_link(wl);
	}
	mux_step(m);
	if (moved)
		client_fit_windows(m);
	options_fini(&s->options);
	environ_fini(&s->environ);
	name = s->name;
	mem_free(s->path);
	mem_free(s);
	mem_free(name);
}

/* Destroys a session and those of its group, which have no windows left. */
static void
destroy_group(struct session *s)
{
	struct session_group *g = s->group;
	struct session *other;

	if (g == NULL) {
		session_destroy(s);
		return;
	}
	while ((other = list_entry(list_first(&g->sessions), struct session,
		    group_node)) != NULL) {
		bool last = g->sessions.count == 1;

		session_destroy(other);
		if (last)
			break; /* the group is freed too */
	}
}

int
session_link(struct session *s, struct window *w, int index,
    struct winlink **out, struct cause *cause)
{
	const bool fresh = list_empty(&w->links);
	struct winlink *wl;

	if (index < 0)
		index = winlink_free_index(
		    s, (int)options_number(&s->options, OPTION_BASE_INDEX));
	else if (session_link_at(s, index) != NULL)
		return cause_set(cause, -ERR_EXISTS, "index in use: %d", index);
	if (index < 0)
		return cause_set(cause, -ERR_RANGE, "no free index");
	wl = winlink_make(s, w, index);
	if (s->current == NULL) {
		s->current = wl;
		if (fresh)
			client_update_focus(s->mux);
	}
	mux_say_link(s->mux, MUX_EVENT_WINDOW_LINKED, wl);
	/* All links of a new window are of the step that makes it. */
	if (fresh)
		session_sync_group(s, true);
	else
		session_sync(s);
	if (out != NULL)
		*out = wl;
	return 0;
}

void
session_leave_window(struct session *s)
{
	if (session_last(s) != 0 && session_previous(s, false) != 0)
		(void)session_next(s, false);
}

void
session_unlink(struct winlink *wl)
{
	struct session *s = wl->session;

	mux_step(s->mux);
	if (s->current == wl)
		session_leave_window(s);
	if (s->links.count == 1) {
		destroy_group(s);
		return;
	}
	mux_say_link(s->mux, MUX_EVENT_WINDOW_UNLINKED, wl);
	session_drop_link(wl);
	session_sync(s);
}

/* Replaces the window of OLD by W; in two steps, if it is not NEW. */
static int
replace(struct winlink *old, struct window *w, bool new, struct winlink **out,
    struct cause *cause)
{
	struct session *s = old->session;
	const bool current = s->current == old;
	const int index = old->index;
	int r;

	/* session_unlink could destroy the session. */
	mux_say_link(s->mux, MUX_EVENT_WINDOW_UNLINKED, old);
	session_drop_link(old);
	if (!new)
		mux_step(s->mux);
	if ((r = session_link(s, w, index, out, cause)) != 0)
		return r;
	if (!new &&current)
		s->current = NULL; /* so that the session tells of it */
	if (current)
		(void)session_select(*out);
	return 0;
}

int
session_replace(struct winlink *old, struct window *w, struct winlink **out,
    struct cause *cause)
{
	return replace(old, w, true, out, cause);
}

int
session_link_window(struct winlink *src, struct session *dst, int index,
    bool kill, bool select, struct winlink **out, struct cause *cause)
{
	struct session *from = src->session;
	struct window *w = src->window;
	struct winlink *old, *fresh;
	int r;

	if (from != dst && from->group != NULL && from->group == dst->group)
		return cause_set(cause, -ERR_STATE, "sessions are grouped");
	old = index < 0 ? NULL : session_link_at(dst, index);
	if (old != NULL && old->window == w)
		return cause_set(cause, -ERR_EXISTS, "same index: %d", index);
	if (old != NULL && kill)
		r = replace(old, w, false, &fresh, cause);
	else
		r = session_link(dst, w, index, &fresh, cause);
	if (r != 0)
		return r;
	if (select)
		(void)session_select(fresh);
	if (out != NULL)
		*out = fresh;
	return 0;
}

int
session_swap(
    struct winlink *a, struct winlink *b, bool select, struct cause *cause)
{
	struct session *sa = a->session, *sb = b->session;
	struct window *wa = a->window, *wb = b->window;

	if (a->session != b->session && a->session->group != NULL &&
	    a->session->group == b->session->group)
		return cause_set(cause, -ERR_STATE,
		    "can't move window, sessions are grouped");
	if (wa == wb)
		return 0;
	list_remove(&wa->links, &a->window_node);
	list_remove(&wb->links, &b->window_node);
	a->window = wb;
	b->window = wa;
	list_push_back(&wb->links, &a->window_node);
	list_push_back(&wa->links, &b->window_node);
	mux_say_link(a->session->mux, MUX_EVENT_WINDOW_MOVED, a);
	mux_say_link(b->session->mux, MUX_EVENT_WINDOW_MOVED, b);
	if (select) {
		(void)session_select(b);
		if (sa != sb)
			(void)session_select(a);
	}
	session_sync(sa);
	if (sa != sb)
		session_sync(sb);
	return 0;
}

int
session_shuffle(struct winlink *wl, bool before, int *index)
{
	struct session *s = wl->session;
	int at = wl->index, last;
	struct winlink *move;

	if (!before) {
		if (at == SESSION_INDEX_MAX)
			return -ERR_RANGE;
		at++;
	}
	if ((last = winlink_free_index(s, at)) < 0)
		return -ERR_RANGE;
	for (; last > at; last--) {
		move = session_link_at(s, last - 1);
		bug_assert(move != NULL);
		move->index = last;
		if (s->mux->mark.session == s->id &&
		    s->mux->mark.index == last - 1)
			s->mux->mark.index = last;
		mux_say_link(s->mux, MUX_EVENT_WINDOW_MOVED, move);
	}
	session_sync_group(s, false); /* the window that comes tells */
	*index = at;
	return 0;
}

void
session_renumber(struct session *s)
{
	int index = (int)options_number(&s->options, OPTION_BASE_INDEX);
	int mark = s->mux->mark.session == s->id ? s->mux->mark.index : -1;
	struct list_node *n;
	struct winlink *wl;
	bool moved = false;

	LIST_FOREACH(n, &s->links) {
		wl = LINK(n);
		if (wl->index == mark)
			s->mux->mark.index = index;
		if (wl->index != index) {
			wl->index = index;
			mux_say_link(s->mux, MUX_EVENT_WINDOW_MOVED, wl);
			moved = true;
		}
		index++;
	}
	if (moved)
		session_sync(s);
}

/* --- the current window ------------------------------------------------------ */

bool
session_select(struct winlink *wl)
{
	struct session *s = wl->session;
	int64_t at = s->mux->wall;

	if (s->current == wl)
		return false;
	/* Later than the window before, in one turn of the loop as well. */
	if (s->current != NULL && s->current->window->activity >= at &&
	    s->current->window->activity < at + 1000)
		at = s->current->window->activity + 1;
	if (list_linked(&wl->last_node))
		list_remove(&s->last_links, &wl->last_node);
	if (s->current != NULL)
		list_push_front(&s->last_links, &s->current->last_node);
	s->current = wl;
	alert_seen(wl);
	alert_visited(wl->window);
	wl->window->activity = at;
	client_update_focus(s->mux);
	mux_say_link(s->mux, MUX_EVENT_SESSION_WINDOW, wl);
	return true;
}

/* Returns the next link with an alert, once around; NULL if there is none. */
static struct winlink *
step_alert(struct winlink *from, int step)
{
	struct winlink *wl = from;

	do {
		wl = winlink_step(wl, step);
		if (wl != from && wl->alerts != 0)
			return wl;
	} while (wl != from);
	return NULL;
}

static int
step_window(struct session *s, bool alert, int step)
{
	struct winlink *wl;

	if (s->current == NULL)
		return -ERR_NOTFOUND;
	wl = alert ? step_alert(s->current, step)
		   : winlink_step(s->current, step);
	if (wl == NULL || !session_select(wl))
		return -ERR_NOTFOUND;
	return 0;
}

int
session_next(struct session *s, bool alert)
{
	return step_window(s, alert, 1);
}

int
session_previous(struct session *s, bool alert)
{
	return step_window(s, alert, -1);
}

int
session_last(struct session *s)
{
	struct winlink *wl = session_last_link(s);

	if (wl == NULL || !session_select(wl))
		return -ERR_NOTFOUND;
	return 0;
}
