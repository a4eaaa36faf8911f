#include "server/run/waits.h"

#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "server/run/cmdq.h"
#include "server/run/run.h"

/* Tokens of waiting commands, oldest first. */
struct wait_queue {
	uint64_t *tokens;
	char **who;
	size_t count;
};

struct wait_channel {
	bool woken;
	bool locked;
	struct wait_queue waiters;
	struct wait_queue lockers;
};

struct waits {
	struct run *run;
	struct map channels;
};

struct waits *
waits_new(struct run *run)
{
	struct waits *ws = mem_zalloc(sizeof(*ws));

	ws->run = run;
	map_init_names(&ws->channels);
	return ws;
}

static void
queue_fini(struct wait_queue *q)
{
	size_t i;

	for (i = 0; i < q->count; i++)
		mem_free(q->who[i]);
	mem_free(q->who);
	mem_free(q->tokens);
}

static void
channel_free(struct wait_channel *ch)
{
	queue_fini(&ch->waiters);
	queue_fini(&ch->lockers);
	mem_free(ch);
}

void
waits_free(struct waits *ws)
{
	struct map_entry *e;

	if (ws == NULL)
		return;
	MAP_FOREACH(e, &ws->channels)
		channel_free(e->value);
	map_fini(&ws->channels);
	mem_free(ws);
}

static struct wait_channel *
channel_get(struct waits *ws, const char *name)
{
	struct wait_channel *ch = map_get(&ws->channels, name);

	if (ch != NULL || ws->channels.count >= WAITS_MAX)
		return ch;
	ch = mem_zalloc(sizeof(*ch));
	(void)map_set(&ws->channels, name, ch);
	return ch;
}

/* Frees a channel that has no state left. */
static void
channel_settle(struct waits *ws, const char *name, struct wait_channel *ch)
{
	if (ch->woken || ch->locked || ch->waiters.count > 0 ||
	    ch->lockers.count > 0)
		return;
	(void)map_remove(&ws->channels, name);
	channel_free(ch);
}

/* Drops the tokens of callers that are gone. */
static void
queue_prune(struct waits *ws, struct wait_queue *q)
{
	size_t i, n = 0;

	for (i = 0; i < q->count; i++) {
		if (!cmdq_waits(ws->run, q->tokens[i])) {
			mem_free(q->who[i]);
			continue;
		}
		q->tokens[n] = q->tokens[i];
		q->who[n++] = q->who[i];
	}
	q->count = n;
}

/* Adds a token, after dropping those of callers that are gone. */
static int
queue_add(
    struct waits *ws, struct wait_queue *q, uint64_t token, const char *who)
{
	size_t n;

	queue_prune(ws, q);
	n = q->count;
	if (n >= WAITERS_MAX)
		return -ERR_LIMIT;
	q->tokens = mem_resize(q->tokens, n + 1, sizeof(*q->tokens));
	q->who = mem_resize(q->who, n + 1, sizeof(*q->who));
	q->who[q->count] = mem_strdup(who);
	q->tokens[q->count++] = token;
	return 0;
}

static uint64_t
queue_take_at(struct wait_queue *q, size_t at)
{
	uint64_t token = q->tokens[at];
	size_t i;

	mem_free(q->who[at]);
	for (i = at + 1; i < q->count; i++) {
		q->tokens[i - 1] = q->tokens[i];
		q->who[i - 1] = q->who[i];
	}
	q->count--;
	return token;
}

static uint64_t
queue_take(struct wait_queue *q)
{
	return queue_take_at(q, 0);
}

bool
waits_woken(struct waits *ws, const char *name)
{
	struct wait_channel *ch = map_get(&ws->channels, name);

	if (ch == NULL || !ch->woken)
		return false;
	ch->woken = false;
	channel_settle(ws, name, ch);
	return true;
}

int
waits_wait(struct waits *ws, const char *name, uint64_t token, const char *who)
{
	struct wait_channel *ch = channel_get(ws, name);

	return ch == NULL ? -ERR_LIMIT
			  : queue_add(ws, &ch->waiters, token, who);
}

int
waits_signal(struct waits *ws, const char *name)
{
	struct wait_channel *ch = channel_get(ws, name);
	struct wait_queue q;
	bool any = false;

	if (ch == NULL)
		return -ERR_LIMIT;
	/* A command that is woken may wait again: give it an empty queue. */
	q = ch->waiters;
	ch->waiters = (struct wait_queue){ NULL, NULL, 0 };
	for (size_t i = 0; i < q.count; i++)
		any = any || cmdq_waits(ws->run, q.tokens[i]);
	ch->woken = ch->woken || !any;
	channel_settle(ws, name, ch);
	while (q.count > 0)
		(void)cmdq_continue(ws->run, queue_take(&q), false);
	queue_fini(&q);
	return 0;
}

bool
waits_try_lock(struct waits *ws, const char *name, int *error)
{
	struct wait_channel *ch = channel_get(ws, name);

	*error = ch == NULL ? -ERR_LIMIT : 0;
	if (ch == NULL || ch->locked)
		return false;
	ch->locked = true;
	return true;
}

int
waits_lock(struct waits *ws, const char *name, uint64_t token, const char *who)
{
	struct wait_channel *ch = channel_get(ws, name);

	return ch == NULL ? -ERR_LIMIT
			  : queue_add(ws, &ch->lockers, token, who);
}

int
waits_unlock(struct waits *ws, const char *name)
{
	struct wait_channel *ch = map_get(&ws->channels, name);
	uint64_t token;

	if (ch == NULL || !ch->locked)
		return -ERR_STATE;
	while (ch->lockers.count > 0) {
		token = queue_take(&ch->lockers);
		if (cmdq_waits(ws->run, token)) {
			(void)cmdq_continue(ws->run, token, false);
			return 0;
		}
	}
	ch->locked = false;
	channel_settle(ws, name, ch);
	return 0;
}

static void
queue_list(struct waits *ws, struct wait_queue *q, struct buf *out)
{
	size_t i;

	queue_prune(ws, q);
	for (i = 0; i < q->count; i++)
		(void)buf_addf(out, "%s\n", q->who[i]);
}

void
waits_list(struct waits *ws, const char *name, struct buf *out)
{
	struct wait_channel *ch = map_get(&ws->channels, name);

	if (ch == NULL)
		return;
	queue_list(ws, &ch->waiters, out);
	queue_list(ws, &ch->lockers, out);
}

static bool
queue_wake(
    struct waits *ws, struct wait_queue *q, const char *who, uint64_t *token)
{
	size_t i;

	queue_prune(ws, q);
	for (i = 0; i < q->count; i++)
		if (strcmp(q->who[i], who) == 0) {
			*token = queue_take_at(q, i);
			return true;
		}
	return false;
}

void
waits_wake(struct waits *ws, const char *name, const char *who)
{
	struct wait_channel *ch = map_get(&ws->channels, name);
	uint64_t token;

	if (ch == NULL || (!queue_wake(ws, &ch->waiters, who, &token) &&
			      !queue_wake(ws, &ch->lockers, who, &token)))
		return;
	channel_settle(ws, name, ch);
	(void)cmdq_continue(ws->run, token, false);
}
