/* The loops of formats: over the model, options and environments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "mux/fmt/vars_int.h"
#include "mux/window.h"

/* --- loops ------------------------------------------------------------------------ */

/* One object to sort. */
struct loop_item {
	void *what;
	const char *name;
	int64_t time;
	int64_t size;
	uint64_t index;
	uint64_t id; /* in order of creation */
};

typedef int (*loop_compare_fn)(const void *a, const void *b);

static int
compare_id(const void *a, const void *b)
{
	uint64_t x = ((const struct loop_item *)a)->id,
		 y = ((const struct loop_item *)b)->id;

	return x < y ? -1 : x > y;
}

static int
compare_name(const void *a, const void *b)
{
	int r = strcmp(((const struct loop_item *)a)->name,
	    ((const struct loop_item *)b)->name);

	return r != 0 ? r : compare_id(a, b);
}

static int
compare_index(const void *a, const void *b)
{
	uint64_t x = ((const struct loop_item *)a)->index,
		 y = ((const struct loop_item *)b)->index;

	return x < y ? -1 : x > y;
}

static int
compare_time(const void *a, const void *b)
{
	int64_t x = ((const struct loop_item *)a)->time,
		y = ((const struct loop_item *)b)->time;

	return x > y ? -1 : x < y ? 1 : compare_id(b, a);
}

static int
compare_size(const void *a, const void *b)
{
	int64_t x = ((const struct loop_item *)a)->size,
		y = ((const struct loop_item *)b)->size;

	return x < y ? -1 : x > y;
}

/* Panes: the height in the stack, then the title. */
static int
compare_high(const void *a, const void *b)
{
	int r = compare_size(a, b);

	return r != 0 ? r
		      : strcmp(((const struct loop_item *)a)->name,
			    ((const struct loop_item *)b)->name);
}

static int
compare_high_index(const void *a, const void *b)
{
	int r = compare_high(a, b);

	return r != 0 ? r : compare_index(a, b);
}

static const loop_compare_fn loop_compare[] = {
	[FORMAT_SORT_DEFAULT] = compare_id,
	[FORMAT_SORT_INDEX] = compare_index,
	[FORMAT_SORT_NAME] = compare_name,
	[FORMAT_SORT_TIME] = compare_time,
	[FORMAT_SORT_SIZE] = compare_high_index,
};

static size_t
list_sessions(const struct vars *v, struct loop_item *items)
{
	const struct map_entry *e;
	struct session *s;
	size_t n = 0;

	MAP_FOREACH(e, &v->m->sessions) {
		s = e->value;
		items[n++] = (struct loop_item){ s, s->name, s->activity,
			(int64_t)s->links.count, s->id, s->id };
	}
	return n;
}

static size_t
list_windows(const struct vars *v, struct loop_item *items)
{
	const struct list_node *node;
	struct winlink *wl;
	struct window *w;
	size_t n = 0;

	if (v->session == NULL)
		return 0;
	SESSION_FOREACH_LINK(wl, node, v->session)
	{
		w = wl->window;
		items[n++] = (struct loop_item){ wl, w->name, w->activity,
			(int64_t)w->w * w->h, (uint64_t)wl->index,
			(uint64_t)wl->index };
	}
	return n;
}

static size_t
list_panes(const struct vars *v, struct loop_item *items)
{
	const struct list_node *node;
	struct pane *p;
	size_t n = 0;

	if (v->window == NULL)
		return 0;
	WINDOW_FOREACH_PANE(p, node, v->window)
	{
		items[n] = (struct loop_item){ p, p->title, p->last_output,
			window_pane_z(p), n, p->id };
		n++;
	}
	return n;
}

static size_t
list_clients(const struct vars *v, struct loop_item *items)
{
	const struct map_entry *e;
	struct client *c;
	size_t n = 0;

	MAP_FOREACH(e, &v->m->clients) {
		c = e->value;
		items[n++] = (struct loop_item){ c, c->name, c->activity,
			(int64_t)c->w * c->h, c->id, c->id };
	}
	return n;
}

/*
 * Makes the variables of one round; returns whether it is the current object.
 */
static bool
round_session(const struct vars *v, void *what, struct vars *sub)
{
	struct target t;

	target_from_session(&t, what);
	vars_init(sub, v->m, v->host, v->client, &t);
	sub->kind = VARS_SESSION;
	return v->client != NULL && what == v->client->session;
}

static bool
round_window(const struct vars *v, void *what, struct vars *sub)
{
	struct winlink *wl = what;
	struct target t;

	target_from_link(&t, wl);
	vars_init(sub, v->m, v->host, v->client, &t);
	sub->kind = VARS_WINDOW;
	sub->in_windows = true;
	return wl == wl->session->current;
}

static bool
round_pane(const struct vars *v, void *what, struct vars *sub)
{
	*sub = *v;
	sub->pane = what;
	sub->kind = VARS_PANE;
	sub->in_windows = false;
	return sub->pane == sub->window->active;
}

static bool
round_client(const struct vars *v, void *what, struct vars *sub)
{
	struct client *c = what;
	struct target t = { .index = -1 };

	(void)target_from_client(&t, c);
	vars_init(sub, v->m, v->host, c, &t);
	return c == v->client;
}

/* One row for each kind of loop over the model. */
static const struct {
	size_t (*list)(const struct vars *v, struct loop_item *items);
	bool (*round)(const struct vars *v, void *what, struct vars *sub);
} loop_rows[] = {
	[FORMAT_LOOP_SESSIONS] = { list_sessions, round_session },
	[FORMAT_LOOP_WINDOWS] = { list_windows, round_window },
	[FORMAT_LOOP_PANES] = { list_panes, round_pane },
	[FORMAT_LOOP_CLIENTS] = { list_clients, round_client },
};

static void
reverse_items(struct loop_item *items, size_t n)
{
	struct loop_item tmp;
	size_t i;

	for (i = 0; i < n / 2; i++) {
		tmp = items[i];
		items[i] = items[n - 1 - i];
		items[n - 1 - i] = tmp;
	}
}

/* Panes with the same height and title keep their order in reverse, too. */
static void
keep_equal(struct loop_item *items, size_t n)
{
	size_t i, same;

	for (i = 0; i < n; i += same) {
		for (same = 1; i + same < n &&
			       compare_high(&items[i], &items[i + same]) == 0;)
			same++;
		reverse_items(items + i, same);
	}
}

/* Names a round in a trace. */
static void
name_round(
    char *text, size_t size, enum format_loop_kind kind, const struct vars *v)
{
	switch (kind) {
	case FORMAT_LOOP_SESSIONS:
		snprintf(text, size, "session loop: $%u", v->session->id);
		break;
	case FORMAT_LOOP_WINDOWS:
		snprintf(text, size, "window loop: %d @%u", v->link->index,
		    v->window->id);
		break;
	case FORMAT_LOOP_PANES:
		snprintf(text, size, "pane loop: %%%u", v->pane->id);
		break;
	default:
		snprintf(text, size, "client loop: %s", v->client->name);
		break;
	}
}

static void
loop_model(struct vars *v, const struct format_loop *loop, format_item_fn each,
    void *arg)
{
	struct vars sub;
	struct format_item item;
	struct loop_item *items;
	char name[256];
	size_t n = v->m->sessions.count + v->m->clients.count, i;

	if (v->session != NULL)
		n += v->session->links.count;
	if (v->window != NULL)
		n += v->window->panes.count;
	items = mem_calloc(n + 1, sizeof(*items));
	n = loop_rows[loop->kind].list(v, items);
	if ((size_t)loop->sort < ARRAY_LEN(loop_compare) &&
	    loop_compare[loop->sort] != NULL)
		qsort(items, n, sizeof(*items), loop_compare[loop->sort]);
	if (loop->reverse)
		reverse_items(items, n);
	if (loop->reverse && loop->sort == FORMAT_SORT_SIZE)
		keep_equal(items, n);
	for (i = 0; i < n; i++) {
		item.current =
		    loop_rows[loop->kind].round(v, items[i].what, &sub);
		sub.caller_env = v->caller_env;
		if (sub.in_windows && loop->kind == FORMAT_LOOP_WINDOWS) {
			sub.prev = i > 0 ? items[i - 1].what : NULL;
			sub.next = i + 1 < n ? items[i + 1].what : NULL;
		}
		item.scope = vars_scope(&sub);
		item.last = i + 1 == n;
		item.name = NULL;
		if (loop->traced) {
			name_round(name, sizeof(name), loop->kind, &sub);
			item.name = name;
		}
		if (!each(arg, &item))
			break;
	}
	mem_free(items);
}

/* --- O: and V: -------------------------------------------------------------------- */

/* The items of one loop; they point into the trees. */
struct rounds {
	struct vars_item *items;
	size_t count;
	size_t room;
};

static struct vars_item *
add_item(struct rounds *r, const char *name)
{
	struct vars_item *it;

	if (r->count == r->room) {
		r->room = r->room == 0 ? 64 : r->room * 2;
		r->items = mem_resize(r->items, r->room, sizeof(*r->items));
	}
	it = &r->items[r->count++];
	*it = (struct vars_item){ .name = name };
	return it;
}

/* Adds an option: each item of an array, or one without value. */
static void
add_option(struct rounds *r, const struct option_entry *e)
{
	const char *name = e->row == NULL ? e->name : e->row->name;
	const bool array = e->row != NULL && (e->row->flags & OPT_ARRAY) != 0;
	struct vars_item *it;
	size_t i = 0;

	do {
		it = add_item(r, name);
		it->option = e;
		it->at = i;
		if (!array)
			it->value = &e->value;
		else if (i < e->count)
			it->value = &e->items[i].value;
	} while (array && ++i < e->count);
}

static int
by_item_name(const void *a, const void *b)
{
	const struct vars_item *x = a, *y = b;
	int r = strcmp(x->name, y->name);

	return r != 0 ? r : x->at < y->at ? -1 : x->at > y->at;
}

/* The tree that the flags of O: choose, or NULL. */
static const struct options *
loop_tree(const struct vars *v, const char *flags)
{
	const bool global = strchr(flags, 'g') != NULL;

	if (strchr(flags, 'v') != NULL)
		return &v->m->server_options;
	if (strchr(flags, 'w') != NULL) {
		if (global)
			return &v->m->window_options;
		return v->window == NULL ? NULL : &v->window->options;
	}
	if (strchr(flags, 'p') != NULL)
		return v->pane == NULL || global ? NULL : &v->pane->options;
	if (*flags != '\0' && strpbrk(flags, "gs") == NULL)
		return NULL;
	if (global)
		return &v->m->session_options;
	return v->session == NULL ? NULL : &v->session->options;
}

static void
list_options(const struct vars *v, const char *flags, struct rounds *r)
{
	const struct options *o = loop_tree(v, flags);
	const struct map_entry *m;
	size_t i;

	if (o == NULL)
		return;
	MAP_FOREACH(m, &o->user)
		add_option(r, m->value);
	for (i = 0; i < o->count; i++)
		add_option(r, o->entries[i]);
	if (r->count > 0)
		qsort(r->items, r->count, sizeof(*r->items), by_item_name);
}

/*
 * The environment that the flag of V: chooses, or NULL.  CALLER is that of the
 * program that gave the command, if there is one.
 */
static const struct environ *
loop_environ(
    const struct vars *v, const char *flags, const struct environ *caller)
{
	if (strcmp(flags, "g") == 0)
		return &v->m->environ;
	if (strcmp(flags, "c") == 0) {
		if (v->caller_env != NULL)
			return caller;
		return v->client == NULL ? NULL : &v->client->environ;
	}
	if (*flags != '\0' && strcmp(flags, "s") != 0)
		return NULL;
	return v->session == NULL ? NULL : &v->session->environ;
}

static void
list_environ(const struct vars *v, const char *flags,
    const struct environ *caller, struct rounds *r)
{
	const struct environ *env = loop_environ(v, flags, caller);
	const struct map_entry *m;

	if (env == NULL)
		return;
	MAP_FOREACH(m, &env->vars)
		add_item(r, m->name)->var = m->value;
}

/* Names a round of O: or V: in a trace. */
static void
name_item(char *text, size_t size, const struct vars_item *it)
{
	const struct option_entry *e = it->option;
	char key[16];

	if (e == NULL)
		snprintf(text, size, "environment loop: %s", it->name);
	else if (e->row != NULL && (e->row->flags & OPT_ARRAY) != 0 &&
		 it->at < e->count)
		snprintf(text, size, "option loop: %s[%s]", it->name,
		    option_key_text(e->items[it->at].index,
			e->items[it->at].word, key, sizeof(key)));
	else
		snprintf(text, size, "option loop: %s", it->name);
}

static void
loop_items(struct vars *v, const struct format_loop *loop, format_item_fn each,
    void *arg)
{
	struct rounds r = { NULL, 0, 0 };
	struct format_item item = { .current = false };
	const char *const *e = v->caller_env;
	char name[256];
	struct environ caller;
	struct vars sub = *v;
	size_t i;

	environ_init(&caller);
	if (loop->kind == FORMAT_LOOP_OPTIONS)
		list_options(v, loop->flags, &r);
	else {
		for (; e != NULL && *e != NULL; e++)
			environ_put(&caller, *e);
		list_environ(v, loop->flags, &caller, &r);
	}
	item.scope = vars_scope(&sub);
	for (i = 0; i < r.count; i++) {
		sub.item = &r.items[i];
		item.last = i + 1 == r.count;
		if (loop->traced) {
			name_item(name, sizeof(name), &r.items[i]);
			item.name = name;
		}
		if (!each(arg, &item))
			break;
	}
	mem_free(r.items);
	environ_fini(&caller);
}

void
vars_loop(
    void *ctx, const struct format_loop *loop, format_item_fn each, void *arg)
{
	if ((size_t)loop->kind < ARRAY_LEN(loop_rows))
		loop_model(ctx, loop, each, arg);
	else
		loop_items(ctx, loop, each, arg);
}
