#include "server/core/hooks.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "base/str.h"
#include "conf/parser.h"
#include "mux/mux.h"
#include "mux/session.h"
#include "mux/target.h"
#include "mux/window.h"
#include "server/core/server.h"
#include "server/io/conn.h"
#include "server/io/scope.h"
#include "server/run/cmdq.h"
#include "server/run/parse.h"
#include "server/run/run.h"

struct hooks_ran {
	unsigned count;
	int64_t time;
};

struct hooks_waiter {
	struct list_node node;
	struct hooks_wait w;
};

/* What a format was at one object: of which it is the key, "s1" "@2" "%3". */
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
	struct hooks_spec spec; /* its name owns the text */
	bool only_true;
	enum monitor_scope scope;
	uint32_t id;                /* of the scope */
	const struct options *tree; /* valid while its object is there */
	struct map values;
	unsigned round;
};

struct hooks {
	struct server *sv;
	struct list monitors;
	struct list waiters;
	struct map ran; /* struct hooks_ran by name */
	mono_ms next;   /* when monitors look again */
};

struct hooks *
hooks_new(struct server *sv)
{
	struct hooks *h = mem_zalloc(sizeof(*h));

	h->sv = sv;
	list_init(&h->monitors);
	list_init(&h->waiters);
	map_init_names(&h->ran);
	return h;
}

static void
value_free(struct monitor_value *v)
{
	mem_free(v->last);
	mem_free(v);
}

static void
monitor_free(struct hooks *h, struct monitor *mon)
{
	struct map_entry *e;

	list_remove(&h->monitors, &mon->node);
	MAP_FOREACH(e, &mon->values)
		value_free(e->value);
	map_fini(&mon->values);
	mem_free(mon->spec.name);
	mem_free(mon);
}

static void
waiter_free(struct hooks *h, struct hooks_waiter *w)
{
	list_remove(&h->waiters, &w->node);
	mem_free(w->w.who);
	mem_free(w->w.name);
	mem_free(w->w.filter);
	mem_free(w);
}

void
hooks_free(struct hooks *h)
{
	struct list_node *n, *tmp;
	struct map_entry *e;

	if (h == NULL)
		return;
	LIST_FOREACH_SAFE(n, &h->monitors, tmp)
		monitor_free(h, container_of(n, struct monitor, node));
	LIST_FOREACH_SAFE(n, &h->waiters, tmp)
		waiter_free(h, container_of(n, struct hooks_waiter, node));
	MAP_FOREACH(e, &h->ran)
		mem_free(e->value);
	map_fini(&h->ran);
	mem_free(h);
}

/* --- events ------------------------------------------------------------------- */

int
hooks_check(const char *name, struct cause *cause)
{
	const struct option_row *row = option_row_find(name);

	if ((*name == '@' && name[1] != '\0' &&
		strlen(name) < OPTION_NAME_MAX) ||
	    (row != NULL && (row->flags & OPT_HOOK) != 0))
		return 0;
	return cause_set(cause, -ERR_SYNTAX, "invalid event: %.256s", name);
}

bool
hooks_waited(const struct hooks *h, const char *name)
{
	struct list_node *n;

	LIST_FOREACH(n, &h->waiters)
		if (strcmp(container_of(n, struct hooks_waiter, node)->w.name,
			name) == 0)
			return true;
	return false;
}

/* The variables of an event, each a line without its hook_. */
static void
waiter_say(
    struct hooks *h, const struct hooks_waiter *w, const struct cmd_state *st)
{
	struct conn *cn =
	    w->w.conn == 0 ? NULL : conn_find(&h->sv->conns, w->w.conn);
	const struct hook_vars *hv = st->hook;
	struct buf b;
	size_t i;

	if (cn == NULL || viewer_of_conn(cn) != NULL || hv == NULL)
		return;
	buf_init(&b, 1 << 20);
	for (i = 0; i < hv->count; i++)
		if (str_starts(hv->vars[i].name, "hook_"))
			(void)buf_addf(&b, "%s=%s\n", hv->vars[i].name + 5,
			    hv->vars[i].value);
	conn_out(cn, b.data, b.len);
	buf_fini(&b);
}

static bool
waiter_filter(
    struct hooks *h, const struct hooks_waiter *w, const struct cmd_state *st)
{
	char *text;
	bool yes;

	if (w->w.filter == NULL)
		return true;
	text = scope_expand_new(
	    h->sv->scope, st, NULL, w->w.filter, FORMAT_NO_JOBS);
	yes = *text != '\0' && strcmp(text, "0") != 0;
	mem_free(text);
	return yes;
}

static void
hooks_ran(struct hooks *h, const char *name)
{
	struct hooks_ran *r = map_get(&h->ran, name);

	if (r == NULL) {
		r = mem_zalloc(sizeof(*r));
		(void)map_set(&h->ran, name, r);
	}
	r->count++;
	r->time = sys_wall();
}

void
hooks_tell(
    struct hooks *h, const char *name, const struct cmd_state *st, bool ran)
{
	struct list_node *n, *tmp;
	struct hooks_waiter *w;
	struct list_node *last = list_last(&h->waiters);
	uint64_t *go = NULL;
	size_t count = 0, i;

	if (ran)
		hooks_ran(h, name);
	if (last == NULL || !hooks_waited(h, name))
		return;
	LIST_FOREACH_SAFE(n, &h->waiters, tmp) {
		w = container_of(n, struct hooks_waiter, node);
		if (strcmp(w->w.name, name) != 0)
			continue;
		waiter_say(h, w, st);
		if (!waiter_filter(h, w, st))
			continue;
		go = mem_resize(go, count + 1, sizeof(*go));
		go[count++] = w->w.token;
		waiter_free(h, w);
	}
	/* Who goes on may wait again, or do anything else. */
	for (i = 0; i < count; i++)
		(void)cmdq_continue(&h->sv->run, go[i], false);
	mem_free(go);
}

unsigned
hooks_count(const struct hooks *h, const char *name, int64_t *time)
{
	const struct hooks_ran *r = map_get(&h->ran, name);

	*time = r == NULL ? 0 : r->time;
	return r == NULL ? 0 : r->count;
}

/* The text of @NAME nearest to where ST is. */
static char *
user_text_new(struct hooks *h, const char *name, const struct cmd_state *st)
{
	struct mux *m = h->sv->run.mux;
	struct pane *p = mux_pane(m, st->pane);
	struct window *w = mux_window(m, st->window);
	struct session *s = mux_session(m, st->session);
	struct option_name n;
	char *text = NULL;

	if (option_match(name, &n, NULL) != 0)
		return NULL;
	if (p != NULL)
		text = options_text_new(&p->options, &n);
	if (text == NULL)
		text = options_text_new(
		    w != NULL ? &w->options : &m->window_options, &n);
	if (text == NULL)
		text = options_text_new(
		    s != NULL ? &s->options : &m->session_options, &n);
	return text;
}

struct cmdlist *
hooks_user_commands(
    struct hooks *h, const char *name, const struct cmd_state *st)
{
	char *text = user_text_new(h, name, st);
	struct cmdlist *list = NULL;
	struct parse sp;

	if (text == NULL)
		return NULL;
	parse_init(&sp, &h->sv->run, st);
	if (parser_parse(text, strlen(text), NULL, 1, &sp.hooks, &list) != 0) {
		run_message(
		    &h->sv->run, "event %s: %s", name, buf_cstr(&sp.errors));
		cmdlist_unref(list);
		list = NULL;
	}
	parse_fini(&sp);
	mem_free(text);
	return list;
}

/* --- waiters ------------------------------------------------------------------- */

/* Those whose callers have gone make room. */
static void
waiters_prune(struct hooks *h)
{
	struct list_node *n, *tmp;
	struct hooks_waiter *w;

	LIST_FOREACH_SAFE(n, &h->waiters, tmp) {
		w = container_of(n, struct hooks_waiter, node);
		if (!cmdq_waits(&h->sv->run, w->w.token))
			waiter_free(h, w);
	}
}

int
hooks_wait_add(struct hooks *h, const struct hooks_wait *wait)
{
	struct hooks_waiter *w = mem_zalloc(sizeof(*w));

	waiters_prune(h);
	w->w = *wait;
	list_push_back(&h->waiters, &w->node);
	if (h->waiters.count <= HOOKS_WAITERS_MAX)
		return 0;
	waiter_free(h, w);
	return -ERR_LIMIT;
}

void
hooks_wait_list(struct hooks *h, const char *name, struct buf *out)
{
	struct list_node *n;
	const struct hooks_waiter *w;

	waiters_prune(h);
	LIST_FOREACH(n, &h->waiters) {
		w = container_of(n, struct hooks_waiter, node);
		if (strcmp(w->w.name, name) == 0)
			(void)buf_addf(out, "%s\n", w->w.who);
	}
}

bool
hooks_wait_wake(struct hooks *h, const char *name, const char *who)
{
	struct list_node *n;
	struct hooks_waiter *w;
	uint64_t token;

	waiters_prune(h);
	LIST_FOREACH(n, &h->waiters) {
		w = container_of(n, struct hooks_waiter, node);
		if (strcmp(w->w.name, name) != 0 || strcmp(w->w.who, who) != 0)
			continue;
		token = w->w.token;
		waiter_free(h, w);
		(void)cmdq_continue(&h->sv->run, token, false);
		return true;
	}
	return false;
}

/* --- monitors ------------------------------------------------------------------ */

int
hooks_spec_cut(char *text, struct hooks_spec *spec, struct cause *cause)
{
	char *what = strchr(text, ':');
	char *format = what == NULL ? NULL : strchr(what + 1, ':');

	if (format == NULL || *text != '@' || what - text < 2 ||
	    what - text >= OPTION_NAME_MAX)
		return cause_set(
		    cause, -ERR_SYNTAX, "invalid monitor: %.256s", text);
	*what++ = '\0';
	*format++ = '\0';
	*spec = (struct hooks_spec){ text, what, format };
	return 0;
}

/* The tree of a monitor as it is now, NULL if its object is gone. */
static const struct options *
monitor_tree(const struct hooks *h, const struct monitor *mon)
{
	struct mux *m = h->sv->run.mux;
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

/* A monitor without object or without the @option of its name is over. */
static bool
monitor_lives(const struct hooks *h, const struct monitor *mon)
{
	const struct options *tree = monitor_tree(h, mon);
	struct option_name n;

	return tree != NULL && option_match(mon->spec.name, &n, NULL) == 0 &&
	       options_own(tree, &n) != NULL;
}

static void
monitors_prune(struct hooks *h)
{
	struct list_node *n, *tmp;
	struct monitor *mon;

	LIST_FOREACH_SAFE(n, &h->monitors, tmp) {
		mon = container_of(n, struct monitor, node);
		if (!monitor_lives(h, mon))
			monitor_free(h, mon);
	}
}

int
hooks_monitor_add(struct hooks *h, const struct options *tree,
    const struct cmd_state *ids, const struct hooks_spec *spec, bool only_true,
    struct cause *cause)
{
	struct mux *m = h->sv->run.mux;
	const struct session *s = mux_session(m, ids->session);
	const struct window *w = mux_window(m, ids->window);
	const struct pane *p = mux_pane(m, ids->pane);
	struct list_node *n, *tmp, *at = NULL;
	struct monitor *mon;
	char *text;

	monitors_prune(h);
	LIST_FOREACH_SAFE(n, &h->monitors, tmp) {
		mon = container_of(n, struct monitor, node);
		if (mon->tree == tree &&
		    strcmp(mon->spec.name, spec->name) == 0)
			monitor_free(h, mon);
		else if (at == NULL && strcmp(mon->spec.name, spec->name) > 0)
			at = n;
	}
	if (h->monitors.count >= HOOKS_MONITORS_MAX)
		return cause_set(cause, -ERR_LIMIT, "too many monitors");
	mon = mem_zalloc(sizeof(*mon));
	text = mem_printf("%s:%s:%s", spec->name, spec->what, spec->format);
	(void)hooks_spec_cut(text, &mon->spec, NULL);
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
		list_insert_before(&h->monitors, at, &mon->node);
	else
		list_push_back(&h->monitors, &mon->node);
	return 0;
}

void
hooks_monitor_each(struct hooks *h, const struct options *tree,
    const char *name, hooks_monitor_fn fn, void *arg)
{
	struct list_node *n;
	struct monitor *mon;

	monitors_prune(h);
	LIST_FOREACH(n, &h->monitors) {
		mon = container_of(n, struct monitor, node);
		if (mon->tree == tree &&
		    (name == NULL || strcmp(mon->spec.name, name) == 0))
			fn(arg, &mon->spec);
	}
}

/* One value that has changed: where, and its variables. */
struct monitor_change {
	char *name;
	struct cmd_state st;
};

/* Ids alone: what has been fired before may have ended what T means. */
static struct monitor_change
monitor_change_new(const struct monitor *mon, const struct target *t,
    const char *value, const char *last)
{
	struct monitor_change ch = { .name = mem_strdup(mon->spec.name) };
	struct cmd_state *st = &ch.st;
	char id[24];

	cmd_state_init(st);
	st->flags |= CMD_STATE_NOHOOKS;
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

/* The commands of @NAME run, and who waits for it goes on. */
static void
monitor_fire(struct hooks *h, struct monitor_change *ch)
{
	struct cmdlist *list = hooks_user_commands(h, ch->name, &ch->st);

	if (list != NULL)
		cmdq_append(h->sv->run.queue, list, &ch->st, NULL, NULL);
	hooks_tell(h, ch->name, &ch->st, list != NULL);
	cmdlist_unref(list);
	hook_vars_unref(ch->st.hook);
	mem_free(ch->name);
}

struct monitor_look {
	struct hooks *h;
	struct monitor *mon;
	char key[24]; /* of the object that is looked at */
	/* Fired when all have been looked at. */
	struct monitor_change *changes;
	size_t count;
};

/* The format at T, whose key among the values is LETTER and ID. */
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
	    scope_new(l->h->sv->scope, &w, mon->spec.format, FORMAT_NO_JOBS);
	v = map_get(&mon->values, key);
	if (v == NULL) {
		/* The first look is what later ones are held against. */
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

/* All that WHAT means in session S. */
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

/* What is gone is forgotten. */
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

/* Looks where a monitor does. */
static void
monitor_look(struct monitor_look *l)
{
	struct mux *m = l->h->sv->run.mux;
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
hooks_tick(struct hooks *h, mono_ms now)
{
	struct monitor_look l = { .h = h };
	struct list_node *n;
	size_t i;

	if (list_empty(&h->monitors) || now < h->next)
		return;
	h->next = mono_add(now, HOOKS_PERIOD_MS);
	monitors_prune(h);
	LIST_FOREACH(n, &h->monitors) {
		l.mon = container_of(n, struct monitor, node);
		monitor_look(&l);
	}
	for (i = 0; i < l.count; i++)
		monitor_fire(h, &l.changes[i]);
	mem_free(l.changes);
	cmdq_run_hooks(&h->sv->run);
}

bool
hooks_want_tick(const struct hooks *h)
{
	return !list_empty(&h->monitors);
}
