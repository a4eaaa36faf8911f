#include "server/face/numbers.h"

#include "base/mem.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/view/digits.h"
#include "mux/window.h"
#include "server/face/viewer.h"

struct numbers {
	struct overlay over;
	bool keys;
	uint32_t pane; /* the selected one */
	numbers_done_fn done;
	void *arg;
};

static void
show(struct viewer *vw, bool on)
{
	vw->builder.numbered = on;
	vw->builder.chrome_dirty = true;
}

static void
numbers_draw(
    UNUSED struct overlay *o, struct view_builder *b, struct sync_view *v)
{
	view_digits_add(b, v);
}

static enum overlay_did
numbers_key(struct overlay *o, const struct key_event *key)
{
	struct numbers *n = container_of(o, struct numbers, over);
	const struct session *s = o->stack->viewer->client->session;
	key_code k = key->key & ~(key_code)KEY_LOCKS;
	struct pane *p = NULL;
	int index;

	if (!n->keys)
		return OVERLAY_PASSED;
	if (k >= '0' && k <= '9')
		index = (int)(k - '0');
	else if (k >= 'a' && k <= 'z')
		index = 10 + (int)(k - 'a');
	else
		return OVERLAY_LEFT;
	if (s != NULL && s->current != NULL)
		p = window_pane_at_index(s->current->window, index);
	if (p != NULL)
		n->pane = p->id;
	overlay_close(o);
	return OVERLAY_TAKEN;
}

static void
numbers_close(struct overlay *o)
{
	struct numbers *n = container_of(o, struct numbers, over);

	show(o->stack->viewer, false);
	n->done(n->arg, n->pane);
	mem_free(n);
}

static const struct overlay_ops numbers_ops = {
	.name = "numbers",
	.z = OVERLAY_NUMBERS,
	.layer = VIEW_LAYER_WINDOW,
	.flags = OVERLAY_ADMIN,
	.draw = numbers_draw,
	.key = numbers_key,
	.close = numbers_close,
};

void
numbers_open(
    struct viewer *vw, mono_ms ms, bool keys, numbers_done_fn done, void *arg)
{
	struct numbers *n = mem_zalloc(sizeof(*n));

	n->keys = keys;
	n->pane = MUX_NONE;
	n->done = done;
	n->arg = arg;
	overlay_open(&vw->overlays, &n->over, &numbers_ops);
	n->over.grab = OVERLAY_GRAB_ALL;
	if (ms != 0)
		overlay_set_due(
		    &n->over, mono_add(loop_now(vw->run->loop), ms));
	show(vw, true);
}

bool
numbers_shown(const struct viewer *vw)
{
	return overlays_find(&vw->overlays, &numbers_ops) != NULL;
}
