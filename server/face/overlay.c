#include "server/face/overlay.h"

#include <string.h>

static struct overlay *
entry(struct list_node *n)
{
	return container_of(n, struct overlay, node);
}

static void
changed(struct overlays *os, bool picture)
{
	struct list_node *n;
	mono_ms due = MONO_NEVER;

	LIST_FOREACH(n, &os->list) {
		due = mono_min(due, entry(n)->due);
	}
	os->changed(os->viewer, due, picture);
}

/* The top overlay that was not offered EVENT or a later one. */
static struct overlay *
next(const struct overlays *os, uint64_t event)
{
	struct list_node *n;

	LIST_FOREACH(n, &os->list) {
		if (entry(n)->seen < event)
			return entry(n);
	}
	return NULL;
}

void
overlays_init(struct overlays *os, struct viewer *vw, overlays_fn fn)
{
	memset(os, 0, sizeof(*os));
	list_init(&os->list);
	os->viewer = vw;
	os->changed = fn;
}

void
overlays_close(struct overlays *os, unsigned flags)
{
	const uint64_t event = ++os->events;
	struct overlay *o;

	while ((o = next(os, event)) != NULL) {
		o->seen = event;
		if (flags == 0 || (o->flags & flags) != 0)
			overlay_close(o);
	}
}

void
overlay_open(
    struct overlays *os, struct overlay *o, const struct overlay_ops *ops)
{
	struct list_node *n;

	*o = (struct overlay){
		.ops = ops, .stack = os, .flags = ops->flags, .due = MONO_NEVER
	};
	/* It must not get the event that opened it. */
	o->seen = os->events;
	for (n = os->list.head.next; n != &os->list.head; n = n->next)
		if (entry(n)->ops->z <= ops->z)
			break;
	list_insert_before(&os->list, n, &o->node);
	changed(os, true);
}

void
overlay_close(struct overlay *o)
{
	struct overlays *os = o->stack;

	list_remove(&os->list, &o->node);
	changed(os, true);
	o->ops->close(o);
}

void
overlay_dirty(struct overlay *o)
{
	changed(o->stack, true);
}

void
overlay_set_due(struct overlay *o, mono_ms at)
{
	o->due = at;
	changed(o->stack, false);
}

struct overlay *
overlays_find(const struct overlays *os, const struct overlay_ops *ops)
{
	struct list_node *n;

	LIST_FOREACH(n, &os->list) {
		if (entry(n)->ops == ops)
			return entry(n);
	}
	return NULL;
}

/* --- input ---------------------------------------------------------------------- */

/* An input event; one of key, mouse and paste is set. */
struct input {
	const struct key_event *key;
	const struct mouse_event *mouse;
	const char *paste;
	size_t n;
};

static enum overlay_did
offer(struct overlay *o, const struct input *in)
{
	if (in->key != NULL && o->ops->key != NULL)
		return o->ops->key(o, in->key);
	if (in->mouse != NULL && o->ops->mouse != NULL)
		return o->ops->mouse(o, in->mouse);
	if (in->paste != NULL && o->ops->paste != NULL)
		return o->ops->paste(o, in->paste, in->n);
	return OVERLAY_PASSED;
}

/* A callback may open and close overlays, including its own. */
static bool
dispatch(struct overlays *os, const struct input *in, bool admin)
{
	const uint64_t event = ++os->events;
	enum overlay_did did;
	struct overlay *o;

	while ((o = next(os, event)) != NULL) {
		o->seen = event;
		if (!admin && (o->flags & OVERLAY_ADMIN) != 0)
			continue;
		did = offer(o, in);
		if (did == OVERLAY_TAKEN)
			return true;
		if (did == OVERLAY_LEFT)
			overlay_close(o);
	}
	return false;
}

bool
overlays_key(struct overlays *os, const struct key_event *key, bool admin)
{
	const struct input in = { .key = key };

	return dispatch(os, &in, admin);
}

bool
overlays_mouse(struct overlays *os, const struct mouse_event *ev)
{
	const struct input in = { .mouse = ev };

	return dispatch(os, &in, true);
}

bool
overlays_paste(struct overlays *os, const char *text, size_t n, bool admin)
{
	const struct input in = { .paste = text, .n = n };

	return dispatch(os, &in, admin);
}

bool
overlays_cover(const struct overlays *os)
{
	struct list_node *n;

	LIST_FOREACH(n, &os->list) {
		if ((entry(n)->flags & OVERLAY_COVERS) != 0)
			return true;
	}
	return false;
}

enum overlay_grab
overlays_grab(const struct overlays *os)
{
	struct list_node *n;

	LIST_FOREACH(n, &os->list) {
		if (entry(n)->grab != OVERLAY_GRAB_NOTHING)
			return entry(n)->grab;
	}
	return OVERLAY_GRAB_NOTHING;
}

/* --- all overlays ------------------------------------------------------------- */

void
overlays_draw(struct overlays *os, struct view_builder *b, struct sync_view *v,
    enum view_layer layer)
{
	struct list_node *n;
	struct overlay *o;
	bool line = false;

	for (n = os->list.head.prev; n != &os->list.head; n = n->prev) {
		o = entry(n);
		if (o->ops->layer != layer || o->ops->draw == NULL)
			continue;
		if ((o->flags & OVERLAY_LINE) != 0 && line)
			continue;
		line |= (o->flags & OVERLAY_LINE) != 0;
		o->ops->draw(o, b, v);
	}
}

void
overlays_resize(struct overlays *os)
{
	const uint64_t event = ++os->events;
	struct overlay *o;

	while ((o = next(os, event)) != NULL) {
		o->seen = event;
		if (o->ops->resize != NULL)
			o->ops->resize(o);
	}
}

void
overlays_expire(struct overlays *os, mono_ms now)
{
	const uint64_t event = ++os->events;
	struct overlay *o;

	while ((o = next(os, event)) != NULL) {
		o->seen = event;
		if (now < o->due)
			continue;
		o->due = MONO_NEVER;
		if (o->ops->expire != NULL)
			o->ops->expire(o, now);
		else
			overlay_close(o);
	}
	changed(os, false);
}
