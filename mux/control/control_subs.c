#include "mux/control/control_subs.h"

#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "mux/control/control_text.h"
#include "mux/session.h"
#include "mux/window.h"

#define SUBS_LINE_MAX ((size_t)8 << 20)

enum sub_kind {
	SUB_SESSION,
	SUB_PANE,
	SUB_PANES,
	SUB_WINDOW,
	SUB_WINDOWS
};

/* The last value at one object. */
struct sub_value {
	char *text;
	unsigned round;
};

struct sub {
	struct list_node node;
	char *name;
	enum sub_kind kind;
	uint32_t id; /* of SUB_PANE and SUB_WINDOW */
	char *format;
	struct map values; /* by "%3 1": the object and the window's index */
	unsigned round;
};

/* One look at a subscription. */
struct look {
	struct control_subs *cs;
	struct sub *sub;
	struct session *s;
	const struct control_subs_host *host;
};

void
control_subs_init(struct control_subs *cs)
{
	list_init(&cs->all);
	cs->values = 0;
}

static void
value_free(struct control_subs *cs, struct sub_value *v)
{
	cs->values--;
	mem_free(v->text);
	mem_free(v);
}

static void
sub_free(struct control_subs *cs, struct sub *sub)
{
	struct map_entry *e;

	list_remove(&cs->all, &sub->node);
	MAP_FOREACH(e, &sub->values)
		value_free(cs, e->value);
	map_fini(&sub->values);
	mem_free(sub->name);
	mem_free(sub->format);
	mem_free(sub);
}

void
control_subs_fini(struct control_subs *cs)
{
	while (!list_empty(&cs->all))
		sub_free(cs, container_of(cs->all.head.next, struct sub, node));
}

static struct sub *
sub_find(const struct control_subs *cs, const char *name)
{
	struct list_node *n;
	struct sub *sub;

	LIST_FOREACH(n, &cs->all) {
		sub = container_of(n, struct sub, node);
		if (strcmp(sub->name, name) == 0)
			return sub;
	}
	return NULL;
}

/* Reads "", "%*", "%3", "@*" or "@2". */
static bool
parse_what(const char *what, enum sub_kind *kind, uint32_t *id)
{
	int64_t n;

	*id = 0;
	*kind = SUB_SESSION;
	if (*what == '\0')
		return true;
	if (*what != '%' && *what != '@')
		return false;
	if (strcmp(what + 1, "*") == 0) {
		*kind = *what == '%' ? SUB_PANES : SUB_WINDOWS;
		return true;
	}
	*kind = *what == '%' ? SUB_PANE : SUB_WINDOW;
	if (str_to_int(what + 1, 0, UINT32_MAX - 1, &n) != 0)
		return false;
	*id = (uint32_t)n;
	return true;
}

int
control_subs_set(struct control_subs *cs, const char *spec, struct cause *cause)
{
	const char *what = strchr(spec, ':');
	const char *format = what == NULL ? NULL : strchr(what + 1, ':');
	const size_t n = what == NULL ? strlen(spec) : (size_t)(what - spec);
	char *name = mem_strndup(spec, n), *place;
	struct sub *sub = sub_find(cs, name), *old = sub;
	enum sub_kind kind;
	uint32_t id;
	bool good;

	if (format == NULL) {
		if (what == NULL && sub != NULL)
			sub_free(cs, sub);
		mem_free(name);
		return 0;
	}
	place = mem_strndup(what + 1, (size_t)(format - what - 1));
	good = parse_what(place, &kind, &id);
	mem_free(place);
	if (!good || n > CONTROL_SUBS_NAME) {
		mem_free(name);
		return cause_set(cause, -ERR_SYNTAX,
		    "bad subscription: %.128s: need name:what:format, what "
		    "empty, %%*, %%N, @* or @N",
		    spec);
	}
	if (old == NULL && cs->all.count >= CONTROL_SUBS_MAX) {
		mem_free(name);
		return cause_set(cause, -ERR_LIMIT,
		    "too many subscriptions: a client may have %d",
		    CONTROL_SUBS_MAX);
	}
	if (old != NULL)
		sub_free(cs, old);
	sub = mem_zalloc(sizeof(*sub));
	sub->name = name;
	sub->kind = kind;
	sub->id = id;
	sub->format = mem_strdup(format + 1);
	map_init_names(&sub->values);
	list_push_back(&cs->all, &sub->node);
	return 0;
}

static void
say(const struct look *l, const struct winlink *wl, const struct pane *p,
    const char *value)
{
	struct buf b;

	buf_init(&b, SUBS_LINE_MAX);
	(void)buf_add_str(&b, "%subscription-changed ");
	control_text_add(&b, l->sub->name);
	(void)buf_addf(&b, " $%u ", l->s->id);
	if (wl == NULL)
		(void)buf_add_str(&b, "- - ");
	else
		(void)buf_addf(&b, "@%u %d ", wl->window->id, wl->index);
	if (p == NULL)
		(void)buf_add_str(&b, "- : ");
	else
		(void)buf_addf(&b, "%%%u : ", p->id);
	control_text_add(&b, value);
	(void)buf_add_u8(&b, '\n');
	/* A value that is too long is dropped, never cut. */
	if (!b.overflow)
		l->host->line(l->host->arg, (const char *)b.data, b.len);
	buf_fini(&b);
}

/* Compares the value at one object with the last one. */
static void
look_at(const struct look *l, struct winlink *wl, struct pane *p)
{
	struct sub_value *v;
	char key[48], *text;

	snprintf(key, sizeof(key), "%u/%u/%d/%u", l->s->id,
	    wl == NULL ? 0 : wl->window->id, wl == NULL ? -1 : wl->index,
	    p == NULL ? 0 : p->id);
	v = map_get(&l->sub->values, key);
	if (v == NULL && l->cs->values >= CONTROL_SUBS_VALUES)
		return;
	text = l->host->expand(l->host->arg, l->s, wl, p, l->sub->format);
	if (v == NULL) {
		v = mem_zalloc(sizeof(*v));
		(void)map_set(&l->sub->values, key, v);
		l->cs->values++;
	}
	v->round = l->sub->round;
	if (v->text != NULL && strcmp(v->text, text) == 0) {
		mem_free(text);
		return;
	}
	mem_free(v->text);
	v->text = text;
	say(l, wl, p, text);
}

static void
look_window(const struct look *l, struct winlink *wl)
{
	const struct sub *sub = l->sub;
	struct list_node *n;
	struct pane *p;

	if (sub->kind == SUB_WINDOW || sub->kind == SUB_WINDOWS) {
		if (sub->kind == SUB_WINDOWS || wl->window->id == sub->id)
			look_at(l, wl, NULL);
		return;
	}
	LIST_FOREACH(n, &wl->window->panes) {
		p = container_of(n, struct pane, node);
		if (sub->kind == SUB_PANES || p->id == sub->id)
			look_at(l, wl, p);
	}
}

/* Drops the values of objects that are gone. */
static void
sweep(const struct look *l)
{
	struct map *m = &l->sub->values;
	struct sub_value *v;
	size_t i = 0;

	while (i < m->count) {
		v = m->entries[i].value;
		if (v->round == l->sub->round) {
			i++;
			continue;
		}
		(void)map_remove(m, m->entries[i].name);
		value_free(l->cs, v);
	}
}

void
control_subs_tick(struct control_subs *cs, struct session *s,
    const struct control_subs_host *host)
{
	struct look l = { .cs = cs, .s = s, .host = host };
	struct list_node *n, *wn;

	LIST_FOREACH(n, &cs->all) {
		l.sub = container_of(n, struct sub, node);
		l.sub->round++;
		if (l.sub->kind == SUB_SESSION)
			look_at(&l, NULL, NULL);
		else
			LIST_FOREACH(wn, &s->links)
				look_window(
				    &l, container_of(wn, struct winlink, node));
		sweep(&l);
	}
}
