#include "server/face/palette.h"

#include <string.h>

#include "base/mem.h"
#include "mux/client.h"
#include "mux/view/palette_replay.h"
#include "mux/view/pick.h"
#include "server/face/viewer.h"

struct palette {
	struct overlay over;
	struct view_palette *view;
	size_t chosen;
	bool edit;
	palette_done_fn done;
	void *arg;
};

static struct palette *
palette_of(struct overlay *o)
{
	return container_of(o, struct palette, over);
}

/* --- used lately -------------------------------------------------------------------- */

void
palette_recent_fini(struct palette_recent *r)
{
	while (r->count > 0)
		mem_free(r->used[--r->count].id);
}

void
palette_recent_add(struct palette_recent *r, uint32_t session, const char *id)
{
	size_t i;

	for (i = 0; i < r->count; i++)
		if (r->used[i].session == session &&
		    strcmp(r->used[i].id, id) == 0)
			break;
	if (i == PALETTE_RECENT_MAX)
		i--;
	if (i < r->count)
		mem_free(r->used[i].id);
	else
		r->count++;
	memmove(&r->used[1], &r->used[0], i * sizeof(r->used[0]));
	r->used[0].session = session;
	r->used[0].id = mem_strdup(id);
}

void
palette_recent_mark(
    const struct palette_recent *r, uint32_t session, struct view_palette *view)
{
	unsigned rank = 0;
	size_t i, k;

	for (k = 0; k < r->count; k++) {
		if (r->used[k].session != session)
			continue;
		rank++;
		for (i = 0; i < view->count; i++)
			if (view->items[i].id != NULL &&
			    strcmp(view->items[i].id, r->used[k].id) == 0)
				view->items[i].recent = rank;
	}
}

/* --- the overlay -------------------------------------------------------------------- */

/* Tells a remote client where the query is, so that it can predict edits. */
static void
say_query(const struct palette *p, unsigned x, struct sync_view *v)
{
	const struct viewer *vw = p->over.stack->viewer;
	const struct prompt_edit *e = &p->view->edit;

	if (!vw->link->ops->far || p->view->w == 0)
		return;
	sync_prompt_unref(v->prompt);
	v->prompt = sync_prompt_new(&(struct sync_prompt){
	    .surface = VIEW_SURFACE_PALETTE_LINE,
	    .x = (uint16_t)x,
	    .at = (uint32_t)e->at,
	    .seen = vw->input_done - 1,
	    .text = vt_str_new((const char *)e->text.data, e->text.len),
	    .separators = vt_str_new(e->separators, strlen(e->separators)),
	});
}

static void
palette_draw(struct overlay *o, struct view_builder *b, struct sync_view *v)
{
	struct palette *p = palette_of(o);

	say_query(p, view_palette_show(b, v, p->view), v);
}

static bool
palette_pick(
    struct overlay *o, struct view_builder *b, struct overlay_pick *out)
{
	out->kind = PICK_PALETTE;
	out->surface = VIEW_SURFACE_PALETTE;
	return palette_replay_put(
	    &b->cx, palette_of(o)->view, &out->rows, &out->state);
}

/* O may be closed afterwards. */
static enum overlay_did
palette_did(struct overlay *o, enum view_palette_did did)
{
	struct palette *p = palette_of(o);

	switch (did) {
	case VIEW_PALETTE_NOTHING:
		break;
	case VIEW_PALETTE_CHANGED:
		overlay_dirty(o);
		break;
	case VIEW_PALETTE_CHOSEN:
	case VIEW_PALETTE_EDIT:
		p->chosen = view_palette_chosen(p->view);
		p->edit = did == VIEW_PALETTE_EDIT;
		overlay_close(o);
		break;
	case VIEW_PALETTE_CLOSED:
		overlay_close(o);
		break;
	}
	return OVERLAY_TAKEN;
}

static enum overlay_did
palette_key(struct overlay *o, const struct key_event *key)
{
	return palette_did(o, view_palette_key(palette_of(o)->view, key->key));
}

static enum overlay_did
palette_mouse(struct overlay *o, const struct mouse_event *ev)
{
	return palette_did(o, view_palette_mouse(palette_of(o)->view, ev));
}

static enum overlay_did
palette_paste(struct overlay *o, const char *text, size_t n)
{
	view_palette_paste(palette_of(o)->view, text, n);
	overlay_dirty(o);
	return OVERLAY_TAKEN;
}

static void
palette_resize(struct overlay *o)
{
	const struct client *c = o->stack->viewer->client;

	view_palette_fit(palette_of(o)->view, c->w, c->h);
	overlay_dirty(o);
}

static void
palette_free(struct overlay *o)
{
	struct palette *p = palette_of(o);

	p->done(p->arg, p->chosen, p->edit);
	view_palette_free(p->view);
	mem_free(p);
}

static const struct overlay_ops palette_ops = {
	.name = "palette",
	.z = OVERLAY_PALETTE,
	.layer = VIEW_LAYER_TOP,
	.flags = OVERLAY_ADMIN | OVERLAY_COVERS,
	.draw = palette_draw,
	.pick = palette_pick,
	.key = palette_key,
	.mouse = palette_mouse,
	.paste = palette_paste,
	.resize = palette_resize,
	.close = palette_free,
};

void
palette_open(struct viewer *vw, struct view_palette *view, palette_done_fn done,
    void *arg)
{
	struct palette *p = mem_zalloc(sizeof(*p));

	p->view = view;
	p->chosen = PALETTE_NOTHING;
	p->done = done;
	p->arg = arg;
	view_palette_fit(view, vw->client->w, vw->client->h);
	overlay_open(&vw->overlays, &p->over, &palette_ops);
	p->over.grab = OVERLAY_GRAB_TEXT;
}

bool
palette_shown(const struct viewer *vw)
{
	return overlays_find(&vw->overlays, &palette_ops) != NULL;
}
