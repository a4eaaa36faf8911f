#include "regress/tools/link_queue.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/compiler.h"
#include "base/mem.h"

#define QUEUE_CHANCE 1500u /* bytes of one chance */
#define QUEUE_TRACE_MAX (4u << 20)
#define QUEUE_MS 1e6
#define QUEUE_INTERVAL 100 /* ms */

bool
link_queue_trace(struct link_queue *q, const char *path)
{
	FILE *f = fopen(path, "re");
	size_t cap = 0;
	char line[64];

	q->ntrace = 0;
	if (f == NULL)
		return false;
	while (fgets(line, sizeof(line), f) != NULL &&
	       q->ntrace < QUEUE_TRACE_MAX) {
		if (q->ntrace == cap) {
			cap = MAX_OF(cap * 2, (size_t)4096);
			q->trace = mem_resize(q->trace, cap, sizeof(*q->trace));
		}
		q->trace[q->ntrace++] = (uint32_t)strtoul(line, NULL, 10);
	}
	(void)fclose(f);
	/* The last chance is where the trace begins again. */
	return q->ntrace > 0 && q->trace[q->ntrace - 1] > 0;
}

void
link_queue_fini(struct link_queue *q)
{
	mem_free(q->trace);
	mem_free(q->entry);
	q->trace = NULL;
	q->entry = NULL;
}

static struct link_entry *
queue_at(const struct link_queue *q, size_t i)
{
	return &q->entry[(q->at + i) % q->cap];
}

static void
queue_grow(struct link_queue *q)
{
	struct link_entry *e = mem_calloc(q->cap * 2 + 64, sizeof(*e));
	size_t i;

	for (i = 0; i < q->n; i++)
		e[i] = *queue_at(q, i);
	mem_free(q->entry);
	q->entry = e;
	q->at = 0;
	q->cap = q->cap * 2 + 64;
}

bool
link_queue_put(struct link_queue *q, double now, size_t len, void *data)
{
	if ((q->bytes > 0 && (double)(q->held + len) > q->bytes) ||
	    (q->packets > 0 && (double)(q->n + 1) > q->packets))
		return false;
	if (q->n == q->cap)
		queue_grow(q);
	*queue_at(q, q->n++) = (struct link_entry){ now, len, data };
	q->held += len;
	return true;
}

/* Returns when the chance I comes, I counted from the next one. */
static double
queue_chance(const struct link_queue *q)
{
	return q->start + (double)q->trace[q->chance] * QUEUE_MS;
}

static void
queue_next(struct link_queue *q)
{
	if (++q->chance < q->ntrace)
		return;
	q->start += (double)q->trace[q->ntrace - 1] * QUEUE_MS;
	q->chance = 0;
}

/* Skips the chances that passed before the first packet came. */
static void
queue_skip(struct link_queue *q, double in)
{
	double whole = (double)q->trace[q->ntrace - 1] * QUEUE_MS;

	if (q->took < in)
		q->left = 0;
	if (in > q->start + 2 * whole) {
		q->start += floor((in - q->start) / whole - 1) * whole;
		q->chance = 0;
	}
	while (queue_chance(q) < in)
		queue_next(q);
}

double
link_queue_due(const struct link_queue *q)
{
	struct link_queue look = *q;
	const struct link_entry *e;

	if (q->n == 0)
		return LINK_NEVER;
	e = queue_at(q, 0);
	if (q->trace == NULL)
		return q->rate > 0 ? MAX_OF(q->busy, e->in) +
					 (double)e->len / q->rate * 1e9
				   : e->in;
	if (q->served == 0)
		queue_skip(&look, e->in);
	return look.left > 0 ? look.took : queue_chance(&look);
}

/* CoDel: says whether the first packet, which leaves at T, is dropped. */
static bool
queue_codel(struct link_queue *q, double in, double t)
{
	double interval =
	    (q->interval > 0 ? q->interval : QUEUE_INTERVAL) * QUEUE_MS;
	bool late;

	if (q->target <= 0)
		return false;
	/* A queue of one packet is none. */
	if (t - in < q->target * QUEUE_MS || q->held <= QUEUE_CHANCE) {
		q->above = 0;
		q->dropping = false;
		return false;
	}
	if (q->above <= 0)
		q->above = t + interval;
	late = t >= q->above;
	if (q->dropping) {
		if (t < q->drop_next)
			return false;
		q->drops++;
		q->drop_next += interval / sqrt((double)q->drops);
		return true;
	}
	if (!late)
		return false;
	q->dropping = true;
	/* Soon after the last time, go on at the rate found then. */
	if (q->drops > q->last_drops + 1 && t - q->drop_next < 16 * interval)
		q->drops = q->drops - q->last_drops;
	else
		q->drops = 1;
	q->last_drops = q->drops;
	q->drop_next = t + interval / sqrt((double)q->drops);
	return true;
}

static void
queue_pop(struct link_queue *q)
{
	q->held -= queue_at(q, 0)->len;
	q->at = (q->at + 1) % q->cap;
	q->n--;
	q->served = 0;
}

/* The first packet at a chance: true once all of it has left. */
static bool
queue_serve(struct link_queue *q, const struct link_entry *e, double now)
{
	size_t n;

	while (q->served < e->len) {
		if (q->left == 0) {
			if (queue_chance(q) > now)
				return false;
			q->took = queue_chance(q);
			queue_next(q);
			q->left = QUEUE_CHANCE;
		}
		n = MIN_OF(q->left, e->len - q->served);
		q->left -= n;
		q->served += n;
	}
	return true;
}

enum link_fate
link_queue_take(
    struct link_queue *q, double now, struct link_entry *out, double *time)
{
	double t = link_queue_due(q);

	if (t > now)
		return LINK_NONE;
	*out = *queue_at(q, 0);
	*time = t;
	if (q->served == 0 && queue_codel(q, out->in, t)) {
		queue_pop(q);
		return LINK_DROPPED;
	}
	if (q->trace == NULL) {
		q->busy = t;
		queue_pop(q);
		return LINK_OUT;
	}
	if (q->served == 0)
		queue_skip(q, out->in);
	if (!queue_serve(q, out, now))
		return LINK_NONE;
	*time = MAX_OF(q->took, out->in);
	queue_pop(q);
	return LINK_OUT;
}
