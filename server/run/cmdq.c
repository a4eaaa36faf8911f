#include "server/run/cmdq.h"

#include "base/mem.h"
#include "mux/mux.h"
#include "server/run/notes.h"
#include "server/run/run.h"

struct cmdq_item {
	struct list_node node;
	struct cmdq *queue;
	struct cmdlist *list;
	size_t next;
	unsigned depth; /* of insertion; 0: appended */
	unsigned
	    skip; /* number of a group that failed; its commands are skipped */
	bool failed;
	struct cmd_state state;
	cmdq_done_fn done;
	void *arg;
	uint64_t token; /* while it waits */
};

struct cmdq {
	struct list_node node; /* in run->queues */
	struct run *run;
	uint64_t conn; /* 0: none */
	struct list items;
	struct cmdq_item *running;
	struct list_node *insert_at; /* where cmdq_insert puts the next */
	unsigned depth;              /* calls of cmdq_run on the stack */
	unsigned inserts;            /* since the last item of depth 0 began */
	bool waiting;
	bool dead; /* freed while it runs */
};

void
cmd_state_init(struct cmd_state *st)
{
	*st = (struct cmd_state){
		.client = MUX_NONE,
		.session = MUX_NONE,
		.window = MUX_NONE,
		.pane = MUX_NONE,
		.index = -1,
		.mouse_pane = MUX_NONE,
		.mouse_window = MUX_NONE,
		.mouse_session = MUX_NONE,
		.key = KEY_NONE,
	};
}

struct hook_vars *
hook_vars_new(void)
{
	struct hook_vars *hv = mem_zalloc(sizeof(*hv));

	hv->refs = 1;
	return hv;
}

struct hook_vars *
hook_vars_ref(struct hook_vars *hv)
{
	if (hv != NULL)
		hv->refs++;
	return hv;
}

void
hook_vars_unref(struct hook_vars *hv)
{
	size_t i;

	if (hv == NULL || --hv->refs > 0)
		return;
	for (i = 0; i < hv->count; i++) {
		mem_free(hv->vars[i].name);
		mem_free(hv->vars[i].value);
	}
	mem_free(hv);
}

void
hook_vars_add(struct hook_vars *hv, const char *name, const char *value)
{
	if (hv->count == HOOK_VARS_MAX)
		return;
	hv->vars[hv->count].name = mem_strdup(name);
	hv->vars[hv->count++].value = mem_strdup(value);
}

struct cmdq *
cmdq_new(struct run *run, uint64_t conn)
{
	struct cmdq *q;

	q = mem_zalloc(sizeof(*q));
	q->run = run;
	q->conn = conn;
	list_init(&q->items);
	list_push_back(&run->queues, &q->node);
	return q;
}

/* Returns the item that runs or waits, or NULL. */
static struct cmdq_item *
cmdq_first(const struct cmdq *q)
{
	return list_empty(&q->items) ? NULL
				     : container_of(list_first(&q->items),
					   struct cmdq_item, node);
}

static void
cmdq_item_free(struct cmdq_item *item)
{
	list_remove(&item->queue->items, &item->node);
	cmdlist_unref(item->list);
	hook_vars_unref(item->state.hook);
	mem_free(item);
}

void
cmdq_free(struct cmdq *q)
{
	struct cmdq_item *item;

	if (q == NULL)
		return;
	if (q->depth > 0) {
		q->dead = true;
		return;
	}
	while (!list_empty(&q->items)) {
		item =
		    container_of(list_first(&q->items), struct cmdq_item, node);
		if (item->done != NULL)
			item->done(item->arg, true);
		cmdq_item_free(item);
	}
	list_remove(&q->run->queues, &q->node);
	mem_free(q);
}

static struct cmdq_item *
cmdq_item_new(struct cmdq *q, struct cmdlist *list, const struct cmd_state *st,
    cmdq_done_fn done, void *arg)
{
	struct cmdq_item *item;

	item = mem_zalloc(sizeof(*item));
	item->queue = q;
	item->list = cmdlist_ref(list);
	item->skip = UINT32_MAX;
	item->state = *st;
	item->state.hook = hook_vars_ref(st->hook);
	item->done = done;
	item->arg = arg;
	return item;
}

void
cmdq_append(struct cmdq *q, struct cmdlist *list, const struct cmd_state *st,
    cmdq_done_fn done, void *arg)
{
	if (q->items.count >= CMDQ_ITEMS_MAX) {
		if (done != NULL)
			done(arg, true);
		return;
	}
	list_push_back(&q->items, &cmdq_item_new(q, list, st, done, arg)->node);
}

/* Inserts an item of DEPTH behind AFTER and what AFTER has inserted. */
static void
cmdq_put(struct cmdq_item *after, unsigned depth, struct cmdq_item *item)
{
	struct cmdq *q = after->queue;

	item->depth = depth;
	if (q->insert_at == NULL)
		q->insert_at = &after->node;
	list_insert_after(&q->items, q->insert_at, &item->node);
	q->insert_at = &item->node;
}

int
cmdq_insert(struct cmdq_item *after, struct cmdlist *list,
    const struct cmd_state *st, cmdq_done_fn done, void *arg)
{
	struct cmdq *q = after->queue;
	bool hook;

	/* Commands of a hook run no hooks: their number is bounded. */
	hook = (st->flags & CMD_STATE_NOHOOKS) != 0 &&
	       (after->state.flags & CMD_STATE_NOHOOKS) == 0;
	if (q->items.count >= CMDQ_ITEMS_MAX ||
	    after->depth >= CMDQ_DEPTH_MAX ||
	    (!hook && q->inserts >= CMDQ_INSERTS_MAX)) {
		if (done != NULL)
			done(arg, true);
		return -ERR_LIMIT;
	}
	q->inserts += !hook;
	cmdq_put(
	    after, after->depth + 1, cmdq_item_new(q, list, st, done, arg));
	return 0;
}

/*
 * Moves the rest of ITEM's list into a new item behind the items that its last
 * command inserted, so that these run first.
 */
static void
cmdq_split(struct cmdq_item *item)
{
	struct cmdq *q = item->queue;
	struct cmdq_item *rest;

	if (q->insert_at == NULL || item->next >= item->list->count)
		return;
	rest =
	    cmdq_item_new(q, item->list, &item->state, item->done, item->arg);
	rest->next = item->next;
	rest->depth = item->depth;
	rest->skip = item->skip;
	rest->failed = item->failed;
	item->done = NULL;
	item->next = item->list->count;
	list_insert_after(&q->items, q->insert_at, &rest->node);
}

void
cmdq_insert_first(
    struct cmdq *q, struct cmdlist *list, const struct cmd_state *st)
{
	struct cmdq_item *first = cmdq_first(q);

	if (first == NULL || q->items.count >= CMDQ_ITEMS_MAX) {
		cmdq_append(q, list, st, NULL, NULL);
		return;
	}
	q->insert_at = NULL;
	cmdq_put(first, first->depth, cmdq_item_new(q, list, st, NULL, NULL));
	cmdq_split(first);
}

/* --- queues of connections ---------------------------------------------------- */

static struct cmdq *
cmdq_find(struct run *run, uint64_t conn)
{
	struct list_node *n;
	struct cmdq *q;

	LIST_FOREACH(n, &run->queues) {
		q = container_of(n, struct cmdq, node);
		if (q->conn == conn && !q->dead)
			return q;
	}
	return NULL;
}

struct cmdq *
cmdq_for(struct run *run, uint64_t conn)
{
	struct cmdq *q;

	if (conn == 0)
		return run->queue;
	q = cmdq_find(run, conn);
	return q != NULL ? q : cmdq_new(run, conn);
}

void
cmdq_forget(struct run *run, uint64_t conn)
{
	if (conn != 0)
		cmdq_free(cmdq_find(run, conn));
}

void
cmdq_turn(struct cmdq *q)
{
	struct run *run = q->run;
	uint64_t conn = q->conn;

	cmdq_run(q);
	run_drain(run);
	/* A hook may have freed the queue. */
	if (conn != 0 && (q = cmdq_find(run, conn)) != NULL && cmdq_empty(q))
		run->ops->dry(run->arg, conn);
}

void
cmdq_turn_all(struct run *run)
{
	uint64_t *conns = mem_calloc(run->queues.count + 1, sizeof(*conns));
	struct list_node *n;
	struct cmdq *q;
	size_t i, count = 0;

	/* A turn may free any queue: keep connection ids, not pointers. */
	LIST_FOREACH(n, &run->queues) {
		q = container_of(n, struct cmdq, node);
		if (q->conn != 0)
			conns[count++] = q->conn;
	}
	for (i = 0; i < count; i++)
		if ((q = cmdq_find(run, conns[i])) != NULL)
			cmdq_turn(q);
	mem_free(conns);
}

void
cmdq_run_hooks(struct run *run)
{
	if (!cmdq_empty(run->queue) && !notes_loading(run->notes))
		cmdq_run(run->queue);
}

/* --- running ------------------------------------------------------------------- */

/* Runs one command of ITEM. */
static enum cmd_result
cmdq_step(struct cmdq_item *item)
{
	struct cmd *cmd = item->list->cmds[item->next++];
	struct run *run = item->queue->run;
	enum cmd_result r;

	if (cmd->group == item->skip)
		return CMD_NORMAL;
	item->queue->insert_at = NULL;
	run->mux->events.command++;
	run->mux->events.quiet = (item->state.flags & CMD_STATE_EVENT) != 0;
	r = run->ops->command(run->arg, item, cmd);
	run->mux->events.quiet = false;
	if (r == CMD_ERROR) {
		item->skip = cmd->group;
		item->failed = true;
		r = CMD_NORMAL;
	}
	if (r == CMD_STOP)
		item->next = item->list->count;
	cmdq_split(item);
	return r;
}

/* Whether the next item was inserted by the one of DEPTH that has ended. */
static bool
goes_deeper(const struct cmdq *q, unsigned depth)
{
	const struct list_node *n = list_first(&q->items);

	return n != NULL && !q->waiting && !q->dead &&
	       container_of(n, struct cmdq_item, node)->depth > depth;
}

void
cmdq_run(struct cmdq *q)
{
	struct cmdq_item *item;
	unsigned depth;
	bool failed;
	cmdq_done_fn done;
	void *arg;

	if (q->running != NULL)
		return;
	q->depth++;
	while (!q->waiting && !q->dead && !list_empty(&q->items)) {
		item =
		    container_of(list_first(&q->items), struct cmdq_item, node);
		q->running = item;
		if (item->depth == 0 && item->next == 0)
			q->inserts = 0;
		while (
		    !q->waiting && !q->dead && item->next < item->list->count) {
			if (cmdq_step(item) == CMD_WAIT)
				q->waiting = item->token != 0;
			else
				item->token = 0;
		}
		q->running = NULL;
		if (q->waiting)
			break;
		failed = item->failed;
		depth = item->depth;
		done = item->done;
		arg = item->arg;
		cmdq_item_free(item);
		if (done != NULL)
			done(arg, failed);
		/* The hook of a command runs before those of its events. */
		if (!goes_deeper(q, depth))
			run_drain(q->run);
	}
	/* A command, its done function or a hook has freed the queue. */
	if (--q->depth == 0 && q->dead)
		cmdq_free(q);
}

bool
cmdq_empty(const struct cmdq *q)
{
	return list_empty(&q->items);
}

bool
cmdq_only_waits(const struct cmdq *q)
{
	const struct cmdq_item *item;

	if (!q->waiting || q->items.count != 1)
		return false;
	item = container_of(list_first(&q->items), struct cmdq_item, node);
	return item->next >= item->list->count;
}

bool
cmdq_ready(const struct cmdq *q)
{
	return !list_empty(&q->items) && q->running == NULL && !q->waiting;
}

struct cmd_state *
cmdq_state(struct cmdq_item *item)
{
	return &item->state;
}

uint64_t
cmdq_wait(struct cmdq_item *item)
{
	item->token = ++item->queue->run->next_token;
	return item->token;
}

bool
cmdq_waits(const struct run *run, uint64_t token)
{
	const struct list_node *n;
	const struct cmdq_item *item;

	LIST_FOREACH(n, &run->queues) {
		item = cmdq_first(container_of(n, struct cmdq, node));
		if (item != NULL && token != 0 && item->token == token)
			return true;
	}
	return false;
}

bool
cmdq_continue(struct run *run, uint64_t token, bool failed)
{
	struct list_node *n;
	struct cmdq_item *item;
	struct cmdq *q;

	LIST_FOREACH(n, &run->queues) {
		q = container_of(n, struct cmdq, node);
		item = cmdq_first(q);
		if (item == NULL || item->token != token)
			continue;
		item->token = 0;
		if (failed && item->next > 0) {
			item->failed = true;
			item->skip = item->list->cmds[item->next - 1]->group;
		}
		q->waiting = false;
		cmdq_turn(q);
		return true;
	}
	return false;
}
