#include "server/core/monitors.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "mux/mux.h"
#include "mux/session.h"
#include "mux/target.h"
#include "mux/window.h"
#include "server/core/hooks.h"
#include "server/core/server.h"
#include "server/io/scope.h"
#include "server/run/cmdq.h"

/*
 * The value of a format at one object; the map's key is "s1/1", "@2/1" or
 * "%3/1": the object and its session.
 */
struct monitor_value {
	char *last;
	unsigned round;
};

enum monitor_scope {
	MONITOR_GLOBAL,
	MONITOR_SESSION,
	MONITOR_WINDOW,
	MONITOR_PANE,
};

struct monitor {
	struct list_node node;
	struct monitor_spec spec; /* spec.name owns the text of all three */
	bool only_true;
	enum monitor_scope scope;
	uint32_t id;                /* of the scope */
	const struct options *tree; /* valid while its object is there */
	struct map values;
	unsigned round;
};

struct monitors {
	struct server *sv;
	struct list all; /* struct monitor, by name */
	mono_ms next;    /* time of the next look */
};

struct monitors *
monitors_new(struct server *sv)
{
	struct monitors *ms = mem_zalloc(sizeof(*ms));

	ms->sv = sv;
	list_init(&ms->all);
	return ms;
}

static void
value_free(struct monitor_value *v)
{
	mem_free(v->last);
	mem_free(v);
}

static void
monitor_free(struct monitors *ms, struct monitor *mon)
{
	struct map_entry *e;

	list_remove(&ms->all, &mon->node);
	MAP_FOREACH(e, &mon->values)
		value_free(e->value);
	map_fini(&mon->values);
	mem_free(mon->spec.name);
	mem_free(mon);
}

void
monitors_free(struct monitors *ms)
{
	struct list_node *n, *tmp;

	if (ms == NULL)
		return;
	LIST_FOREACH_SAFE(n, &ms->all, tmp)
		monitor_free(ms, container_of(n, struct monitor, node));
	mem_free(ms);
}

/* Whether WHAT is nothing, %* or @*, or a pane or window by its id. */
static bool
is_subject(const char *what)
{
	int64_t n;

	return *what == '\0' ||
	       ((*what == '%' || *what == '@') &&
		   (strcmp(what + 1, "*") == 0 ||
		       str_to_int(what + 1, 0, UINT32_MAX - 1, &n) == 0));
}

int
monitor_spec_cut(char *text, struct monitor_spec *spec, struct cause *cause)
{
	char *what = strchr(text, ':');
	char *format = what == NULL ? NULL : strchr(what + 1, ':');

	if (format != NULL) {
		*format = '\0';
		if (!is_subject(what + 1)) {
			*format = ':';
			format = NULL;
		}
	}
	if (format == NULL)
		return cause_set(
		    cause, -ERR_SYNTAX, "invalid subscription: %.256s", text);
	if (*text != '@' || what - text < 2 || what - text >= OPTION_NAME_MAX)
		return cause_set(
		    cause, -ERR_SYNTAX, "monitor hook name must start with @");
	*what++ = '\0';
	format++;
	*spec = (struct monitor_spec){ text, what, format };
	return 0;
}

/* Returns the tree of a monitor, or NULL if its object is gone. */
static const struct options *
monitor_tree(const struct monitors *ms, const struct monitor *mon)
{
	struct mux *m = ms->sv->run.mux;
	struct session *s;
	struct window *w;
	struct pane *p;

	switch (mon->scope) {
	case MONITOR_SESSION:
		s = mux_session(m, mon->id);
		return s == NULL ? NULL : &s->options;
	case MONITOR_WINDOW:
		w = mux_window(m, mon->id);
		return w == NULL ? NULL : &w->options;
	case MONITOR_PANE:
		p = mux_pane(m, mon->id);
		return p == NULL ? NULL : &p->options;
	case MONITOR_GLOBAL:
		break;
	}
	return mon->tree;
}

/* Returns whether a monitor still has its object and its @option. */
static bool
monitor_lives(const struct monitors *ms, const struct monitor *mon)
{
	const struct options *tree = monitor_tree(ms, mon);
	struct option_name n;

	return tree != NULL && option_match(mon->spec.name, &n, NULL) == 0 &&
	       options_own(tree, &n) != NULL;
}

static void
monitors_prune(struct monitors *ms)
{
	struct list_node *n, *tmp;
	struct monitor *mon;

	LIST_FOREACH_SAFE(n, &ms->all, tmp) {
		mon = container_of(n, struct monitor, node);
		if (!monitor_lives(ms, mon))
			monitor_free(ms, mon);
	}
}

int
monitors_add(struct monitors *ms, const struct options *tree,
    const struct cmd_state *ids, const struct monitor_spec *spec,
    bool only_true, struct cause *cause)
{
	struct mux *m = ms->sv->run.mux;
	const struct session *s = mux_session(m, ids->session);
	const struct window *w = mux_window(m, ids->window);
	const struct pane *p = mux_pane(m, ids->pane);
	struct list_node *n, *tmp, *at = NULL;
	struct monitor *mon;
	char *text;

	monitors_prune(ms);
	LIST_FOREACH_SAFE(n, &ms->all, tmp) {
		mon = container_of(n, struct monitor, node);
		if (mon->tree == tree &&
		    strcmp(mon->spec.name, spec->name) == 0)
			monitor_free(ms, mon);
		else if (at == NULL && strcmp(mon->spec.name, spec->name) > 0)
			at = n;
	}
	if (ms->all.count >= MONITORS_MAX)
		return cause_set(cause, -ERR_LIMIT, "too many monitors");
	mon = mem_zalloc(sizeof(*mon));
	text = mem_printf("%s:%s:%s", spec->name, spec->what, spec->format);
	(void)monitor_spec_cut(text, &mon->spec, NULL);
	mon->only_true = only_true;
	mon->tree = tree;
	if (p != NULL && tree == &p->options) {
		mon->scope = MONITOR_PANE;
		mon->id = p->id;
	} else if (w != NULL && tree == &w->options) {
		mon->scope = MONITOR_WINDOW;
		mon->id = w->id;
	} else if (s != NULL && tree == &s->options) {
		mon->scope = MONITOR_SESSION;
		mon->id = s->id;
	}
	map_init_names(&mon->values);
	if (at != NULL)
		list_insert_before(&ms->all, at, &mon->node);
	else
		list_push_back(&ms->all, &mon->node);
	return 0;
}

void
monitors_each(struct monitors *ms, const struct options *tree, const char *name,
    monitors_fn fn, void *arg)
{
	struct list_node *n;
	struct monitor *mon;

	monitors_prune(ms);
	LIST_FOREACH(n, &ms->all) {
		mon = container_of(n, struct monitor, node);
		if (mon->tree == tree &&
		    (name == NULL || strcmp(mon->spec.name, name) == 0))
			fn(arg, &mon->spec);
	}
}

/* A value that has changed: its place and its variables. */
struct monitor_change {
	char *name;
	struct cmd_state st;
};

/* Keeps ids only: an event fired before this one may free T's objects. */
static struct monitor_change
monitor_change_new(const struct monitor *mon, const struct target *t,
    const char *value, const char *last)
{
	struct monitor_change ch = { .name = mem_strdup(mon->spec.name) };
	struct cmd_state *st = &ch.st;
	char id[24];

	cmd_state_init(st);
	st->flags |= CMD_STATE_NOHOOKS | CMD_STATE_EVENT;
	st->hook = hook_vars_new();
	hook_vars_add(st->hook, "hook", ch.name);
	st->session = t->session->id;
	snprintf(id, sizeof(id), "$%u", t->session->id);
	hook_vars_add(st->hook, "hook_session", id);
	hook_vars_add(st->hook, "hook_session_name", t->session->name);
	if (t->window != NULL) {
		st->window = t->window->id;
		st->index = t->link->index;
		snprintf(id, sizeof(id), "@%u", t->window->id);
		hook_vars_add(st->hook, "hook_window", id);
		hook_vars_add(st->hook, "hook_window_name", t->window->name);
	}
	if (t->pane != NULL) {
		st->pane = t->pane->id;
		snprintf(id, sizeof(id), "%%%u", t->pane->id);
		hook_vars_add(st->hook, "hook_pane", id);
	}
	hook_vars_add(st->hook, "hook_value", value);
	hook_vars_add(st->hook, "hook_last", last);
	return ch;
}

/* Runs the commands of @NAME and continues its waiters. */
static void
monitor_fire(struct monitors *ms, struct monitor_change *ch)
{
	struct cmdlist *list =
	    hooks_user_commands(ms->sv->hooks, ch->name, &ch->st);

	if (list != NULL)
		cmdq_append(ms->sv->run.queue, list, &ch->st, NULL, NULL);
	hooks_tell(ms->sv->hooks, ch->name, &ch->st, list != NULL);
	cmdlist_unref(list);
	hook_vars_unref(ch->st.hook);
	mem_free(ch->name);
}

struct monitor_look {
	struct monitors *ms;
	struct monitor *mon;
	char key[24]; /* of the object in question */
	/* Fired after all formats have been expanded. */
	struct monitor_change *changes;
	size_t count;
};

/* Expands the format at T; LETTER and ID make its key. */
static void
look_at(
    struct monitor_look *l, const struct target *t, char letter, uint32_t id)
{
	const struct scope_where w = {
		.session = t->session,
		.link = t->link,
		.pane = t->pane,
	};
	struct monitor *mon = l->mon;
	struct monitor_value *v;
	char key[48], *value;
	bool yes;

	snprintf(key, sizeof(key), "%c%u/%u", letter, id, t->session->id);
	value =
	    scope_new(l->ms->sv->scope, &w, mon->spec.format, FORMAT_NO_JOBS);
	v = map_get(&mon->values, key);
	if (v == NULL) {
		/* The first value is only remembered. */
		v = mem_zalloc(sizeof(*v));
		v->last = value;
		(void)map_set(&mon->values, key, v);
	} else if (strcmp(v->last, value) == 0) {
		mem_free(value);
	} else {
		yes = *value != '\0' && strcmp(value, "0") != 0;
		if (!mon->only_true || yes) {
			l->changes = mem_resize(
			    l->changes, l->count + 1, sizeof(*l->changes));
			l->changes[l->count++] =
			    monitor_change_new(mon, t, value, v->last);
		}
		mem_free(v->last);
		v->last = value;
	}
	v->round = mon->round;
}

/* Looks at all objects of session S that spec.what names. */
static void
look_in_session(struct monitor_look *l, struct session *s)
{
	const char *what = l->mon->spec.what;
	struct list_node *node, *n;
	struct winlink *wl;
	struct target t;
	struct pane *p;

	if (*what != '%' && *what != '@') {
		t = (struct target){ .session = s, .index = -1 };
		look_at(l, &t, 's', s->id);
		return;
	}
	LIST_FOREACH(node, &s->links) {
		wl = container_of(node, struct winlink, node);
		t = (struct target){ .session = s,
			.link = wl,
			.window = wl->window,
			.index = wl->index };
		if (*what == '@') {
			snprintf(l->key, sizeof(l->key), "@%u", wl->window->id);
			if (strcmp(what, "@*") == 0 ||
			    strcmp(what, l->key) == 0)
				look_at(l, &t, '@', wl->window->id);
			continue;
		}
		LIST_FOREACH(n, &wl->window->panes) {
			p = container_of(n, struct pane, node);
			t.pane = p;
			snprintf(l->key, sizeof(l->key), "%%%u", p->id);
			if (strcmp(what, "%*") == 0 ||
			    strcmp(what, l->key) == 0)
				look_at(l, &t, '%', p->id);
		}
	}
}

/* Drops the values of objects that are gone. */
static void
monitor_sweep(struct monitor *mon)
{
	struct monitor_value *v;
	size_t i = 0;

	while (i < mon->values.count) {
		v = mon->values.entries[i].value;
		if (v->round == mon->round) {
			i++;
			continue;
		}
		(void)map_remove(&mon->values, mon->values.entries[i].name);
		value_free(v);
	}
}

/* Expands the format of one monitor at each of its objects. */
static void
monitor_look(struct monitor_look *l)
{
	struct mux *m = l->ms->sv->run.mux;
	struct monitor *mon = l->mon;
	struct map_entry *e;
	struct session *s;

	mon->round++;
	MAP_FOREACH(e, &m->session_ids) {
		s = e->value;
		if (s->current == NULL ||
		    (mon->scope == MONITOR_SESSION && mon->id != s->id))
			continue;
		look_in_session(l, s);
	}
	monitor_sweep(mon);
}

void
monitors_tick(struct monitors *ms, mono_ms now)
{
	struct monitor_look l = { .ms = ms };
	struct list_node *n;
	size_t i;

	if (list_empty(&ms->all) || now < ms->next)
		return;
	ms->next = mono_add(now, MONITORS_PERIOD_MS);
	monitors_prune(ms);
	LIST_FOREACH(n, &ms->all) {
		l.mon = container_of(n, struct monitor, node);
		monitor_look(&l);
	}
	for (i = 0; i < l.count; i++)
		monitor_fire(ms, &l.changes[i]);
	mem_free(l.changes);
	cmdq_run_hooks(&ms->sv->run);
}

bool
monitors_want_tick(const struct monitors *ms)
{
	return !list_empty(&ms->all);
}
