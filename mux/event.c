#include "mux/event.h"

#include <string.h>

#include "base/mem.h"

/* clang-format off */
static const struct mux_event_row event_rows[MUX_EVENT_COUNT] = {
#define X(name, hook, control, other, help) \
	[MUX_EVENT_##name] = { #name, hook, control, other, help },
#include "mux/event.def"
#undef X
};
/* clang-format on */

const struct mux_event_row *
mux_event_row(enum mux_event_type type)
{
	bug_assert((unsigned)type < MUX_EVENT_COUNT);
	return &event_rows[type];
}

void
mux_events_init(struct mux_events *q)
{
	*q = (struct mux_events){ .step = 1 };
}

void
mux_events_fini(struct mux_events *q)
{
	struct mux_event e;

	while (mux_events_next(q, &e))
		mux_event_fini(&e);
	mem_free(q->ring);
	*q = (struct mux_events){ .step = 1 };
}

struct mux_event
mux_event_make(enum mux_event_type type)
{
	return (struct mux_event){ .type = type,
		.session = MUX_NONE,
		.window = MUX_NONE,
		.pane = MUX_NONE,
		.client = MUX_NONE,
		.index = -1 };
}

static void
events_grow(struct mux_events *q)
{
	size_t cap = q->cap == 0 ? 64 : q->cap * 2, i;
	struct mux_event *ring = mem_calloc(cap, sizeof(*ring));

	for (i = 0; i < q->count; i++)
		ring[i] = q->ring[(q->head + i) % q->cap];
	mem_free(q->ring);
	q->ring = ring;
	q->cap = cap;
	q->head = 0;
}

void
mux_events_add(struct mux_events *q, const struct mux_event *e)
{
	struct mux_event *slot;

	if (q->count >= MUX_EVENT_MAX) {
		q->dropped++;
		return;
	}
	if (q->count == q->cap)
		events_grow(q);
	slot = &q->ring[(q->head + q->count++) % q->cap];
	*slot = *e;
	slot->command = q->command;
	slot->step = q->step;
	slot->quiet = q->quiet;
	if (e->text != NULL)
		slot->text = mem_strdup(e->text);
	if (e->owner != NULL)
		slot->owner = mem_strdup(e->owner);
	if (e->titled != NULL)
		slot->titled = mem_strdup(e->titled);
}

bool
mux_events_next(struct mux_events *q, struct mux_event *out)
{
	if (q->count == 0)
		return false;
	*out = q->ring[q->head];
	q->head = (q->head + 1) % q->cap;
	q->count--;
	return true;
}

void
mux_event_fini(struct mux_event *e)
{
	mem_free(e->text);
	mem_free(e->owner);
	mem_free(e->titled);
	e->text = e->owner = e->titled = NULL;
}
