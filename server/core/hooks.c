#include "server/core/hooks.h"

#include <string.h>

#include "base/err.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "base/str.h"
#include "conf/parser.h"
#include "mux/mux.h"
#include "mux/session.h"
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

struct hooks {
	struct server *sv;
	struct list waiters;
	struct map ran; /* struct hooks_ran by name */
};

struct hooks *
hooks_new(struct server *sv)
{
	struct hooks *h = mem_zalloc(sizeof(*h));

	h->sv = sv;
	list_init(&h->waiters);
	map_init_names(&h->ran);
	return h;
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

/*
 * Prints the variables of an event to the waiting caller, a line each, without
 * the prefix hook_.
 */
static void
waiter_say(
    struct hooks *h, const struct hooks_waiter *w, const struct cmd_state *st)
{
	struct conn *cn =
	    w->w.conn == 0 ? NULL : conn_find(&h->sv->conns, w->w.conn);
	const struct hook_vars *hv = st->hook;
	struct buf b;
	size_t i;

	if (cn == NULL || hv == NULL ||
	    (!conn_reads(cn) && controller_of_conn(cn) == NULL))
		return;
	buf_init(&b, 1 << 20);
	for (i = 0; i < hv->count; i++)
		if (str_starts(hv->vars[i].name, "hook_"))
			(void)buf_addf(&b, "%s=%s\n", hv->vars[i].name + 5,
			    hv->vars[i].value);
	if (controller_of_conn(cn) != NULL)
		controller_say(controller_of_conn(cn), buf_cstr(&b), b.len);
	else
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
	/* A command that goes on may change the list of waiters. */
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

/* Returns the text of @NAME from the innermost tree at ST that has it. */
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

/* Drops waiters whose callers are gone. */
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
