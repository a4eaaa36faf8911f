#include "server/waits.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "server/cmdq.h"

/* Tokens in the order they came. */
struct wait_queue {
	uint64_t *tokens;
	size_t count;
};

struct wait_channel {
	bool woken;
	bool locked;
	struct wait_queue waiters;
	struct wait_queue lockers;
};

struct waits {
	struct server *sv;
	struct map channels;
};

struct waits *
waits_new(struct server *sv)
{
	struct waits *ws = mem_zalloc(sizeof(*ws));

	ws->sv = sv;
	map_init_names(&ws->channels);
	return ws;
}

static void
channel_free(struct wait_channel *ch)
{
	mem_free(ch->waiters.tokens);
	mem_free(ch->lockers.tokens);
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

/* A channel that means nothing any more goes. */
static void
channel_settle(struct waits *ws, const char *name, struct wait_channel *ch)
{
	if (ch->woken || ch->locked || ch->waiters.count > 0 ||
	    ch->lockers.count > 0)
		return;
	(void)map_remove(&ws->channels, name);
	channel_free(ch);
}

/* Adds a token; those of callers that have gone make room first. */
static int
queue_add(struct waits *ws, struct wait_queue *q, uint64_t token)
{
	size_t i, n = 0;

	for (i = 0; i < q->count; i++)
		if (cmdq_waits(ws->sv, q->tokens[i]))
			q->tokens[n++] = q->tokens[i];
	q->count = n;
	if (n >= WAITERS_MAX)
		return -ERR_LIMIT;
	q->tokens = mem_resize(q->tokens, n + 1, sizeof(*q->tokens));
	q->tokens[q->count++] = token;
	return 0;
}

static uint64_t
queue_take(struct wait_queue *q)
{
	uint64_t token = q->tokens[0];
	size_t i;

	for (i = 1; i < q->count; i++)
		q->tokens[i - 1] = q->tokens[i];
	q->count--;
	return token;
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
waits_wait(struct waits *ws, const char *name, uint64_t token)
{
	struct wait_channel *ch = channel_get(ws, name);

	return ch == NULL ? -ERR_LIMIT : queue_add(ws, &ch->waiters, token);
}

int
waits_signal(struct waits *ws, const char *name)
{
	struct wait_channel *ch = channel_get(ws, name);
	struct wait_queue q;
	bool any = false;

	if (ch == NULL)
		return -ERR_LIMIT;
	/* Who is woken may wait again: on a queue of its own. */
	q = ch->waiters;
	ch->waiters = (struct wait_queue){ NULL, 0 };
	for (size_t i = 0; i < q.count; i++)
		any = any || cmdq_waits(ws->sv, q.tokens[i]);
	ch->woken = ch->woken || !any;
	channel_settle(ws, name, ch);
	while (q.count > 0)
		(void)cmdq_continue(ws->sv, queue_take(&q), false);
	mem_free(q.tokens);
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
waits_lock(struct waits *ws, const char *name, uint64_t token)
{
	struct wait_channel *ch = channel_get(ws, name);

	return ch == NULL ? -ERR_LIMIT : queue_add(ws, &ch->lockers, token);
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
		if (cmdq_waits(ws->sv, token)) {
			(void)cmdq_continue(ws->sv, token, false);
			return 0;
		}
	}
	ch->locked = false;
	channel_settle(ws, name, ch);
	return 0;
}
