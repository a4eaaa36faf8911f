#include "server/core/hook_run.h"

#include "base/mem.h"
#include "conf/cmdlist.h"
#include "conf/option.h"
#include "mux/session.h"
#include "mux/window.h"
#include "server/core/hook_order.h"
#include "server/core/hooks.h"
#include "server/core/server.h"
#include "server/run/cmdq.h"

/* The commands of a hook whose options are gone. */
struct hook_kept {
	struct list_node node;
	enum mux_event_type type;
	uint32_t id; /* of the pane or window */
	struct cmdlist **commands;
	size_t count;
};

#define KEPT(n) container_of(n, struct hook_kept, node)

/* --- hooks of what is gone ----------------------------------------------------- */

static void
keep(struct server *sv, enum mux_event_type type, const struct options *o,
    uint32_t id)
{
	const struct option_entry *entry;
	struct hook_kept *k;
	struct option_name name;
	size_t i;

	if (option_match(mux_event_row(type)->hook, &name, NULL) != 0 ||
	    (entry = options_find(o, &name)) == NULL || entry->count == 0)
		return;
	k = mem_zalloc(sizeof(*k));
	k->type = type;
	k->id = id;
	k->commands = mem_calloc(entry->count, sizeof(struct cmdlist *));
	for (i = 0; i < entry->count; i++)
		if (entry->items[i].value.commands != NULL)
			k->commands[k->count++] =
			    cmdlist_ref(entry->items[i].value.commands);
	list_push_back(&sv->hooks_kept, &k->node);
}

void
hook_keep(struct server *sv, const struct pane *p)
{
	const struct window *w = p->window;

	keep(sv, MUX_EVENT_PANE_CLOSED, &p->options, p->id);
	if (w->panes.count == 1)
		keep(sv, MUX_EVENT_WINDOW_LAYOUT, &w->options, w->id);
}

void
hooks_kept_clear(struct server *sv)
{
	struct list_node *n, *tmp;
	struct hook_kept *k;
	size_t i;

	LIST_FOREACH_SAFE(n, &sv->hooks_kept, tmp) {
		k = KEPT(n);
		list_remove(&sv->hooks_kept, n);
		for (i = 0; i < k->count; i++)
			cmdlist_unref(k->commands[i]);
		mem_free(k->commands);
		mem_free(k);
	}
}

static const struct hook_kept *
find_kept(const struct server *sv, const struct mux_event *e)
{
	const struct hook_kept *k;
	struct list_node *n;

	LIST_FOREACH(n, &sv->hooks_kept) {
		k = KEPT(n);
		if (k->type == e->type &&
		    k->id == (e->type == MUX_EVENT_PANE_CLOSED ? e->pane
							       : e->window))
			return k;
	}
	return NULL;
}

/* --- hooks of what is there ---------------------------------------------------- */

/* The options that have the hook NAME of E: of its pane, window or session. */
static const struct options *
hook_options(const struct server *sv, const struct mux_event *e,
    const struct option_name *name)
{
	const struct mux *m = sv->run.mux;
	const struct session *s = mux_session(m, e->session);
	const struct window *w = mux_window(m, e->window);
	const struct pane *p = mux_pane(m, e->pane);

	if ((name->row->scope & OPT_PANE) != 0 && p != NULL)
		return &p->options;
	if ((name->row->scope & OPT_WINDOW) != 0)
		return w != NULL ? &w->options : &m->window_options;
	return s != NULL ? &s->options : &m->session_options;
}

/* Queues the commands K that were kept, or else those of ENTRY. */
static void
queue_commands(struct server *sv, const struct hook_kept *k,
    const struct option_entry *entry, const struct cmd_state *st)
{
	const size_t count = k != NULL ? k->count : entry->count;
	struct cmdlist *commands;
	size_t i;

	for (i = 0; i < count; i++) {
		commands =
		    k != NULL ? k->commands[i] : entry->items[i].value.commands;
		if (commands != NULL)
			cmdq_append(sv->run.queue, commands, st, NULL, NULL);
	}
}

void
hook_run(struct server *sv, const struct hook_entry *he)
{
	const struct mux_event *e = &he->event;
	const char *hook = mux_event_row(e->type)->hook;
	const struct hook_kept *k = find_kept(sv, e);
	const struct option_entry *entry;
	struct option_name name;
	struct cmd_state st;
	size_t i;
	bool ran;

	if (option_match(hook, &name, NULL) != 0 || name.row == NULL)
		return;
	entry = options_find(hook_options(sv, e, &name), &name);
	ran = !e->quiet && (k != NULL || (entry != NULL && entry->count > 0));
	if (!ran && !hooks_waited(sv->hooks, hook))
		return;
	cmd_state_init(&st);
	st.hook = hook_vars_new();
	for (i = 0; i < he->vars->count; i++)
		hook_vars_add(
		    st.hook, he->vars->vars[i].name, he->vars->vars[i].value);
	st.flags |= CMD_STATE_NOHOOKS | CMD_STATE_EVENT;
	st.session = e->session;
	st.window = e->window;
	st.pane = e->pane;
	st.client = e->client;
	st.index = e->index;
	if (ran)
		queue_commands(sv, k, entry, &st);
	hooks_tell(sv->hooks, hook, &st, ran);
	hook_vars_unref(st.hook);
}
