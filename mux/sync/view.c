#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "mux/sync/frame.h"
#include "mux/sync/view_int.h"

struct sync_view *
sync_view_new(unsigned cols, unsigned rows)
{
	struct sync_view *v;

	v = mem_zalloc(sizeof(*v));
	v->cols = (uint16_t)cols;
	v->rows = (uint16_t)rows;
	v->tty.escape_ms = SYNC_ESCAPE_DEFAULT;
	return v;
}

void
sync_effect_unref(struct sync_effect *e)
{
	if (--e->refs == 0)
		mem_free(e);
}

void
sync_view_clear(struct sync_view *v)
{
	size_t i;

	for (i = 0; i < v->nsurfaces; i++)
		vt_frame_unref(v->surfaces[i].frame);
	mem_free(v->surfaces);
	v->surfaces = NULL;
	v->nsurfaces = v->clipped = 0;
}

void
sync_view_free(struct sync_view *v)
{
	size_t i;

	if (v == NULL)
		return;
	sync_view_clear(v);
	for (i = 0; i < v->neffects; i++)
		sync_effect_unref(v->effects[i]);
	sync_prompt_unref(v->prompt);
	sync_copy_unref(v->copy);
	sync_pick_unref(v->pick);
	vt_str_unref(v->setup);
	vt_str_unref(v->asks);
	sync_switch_unref(v->switches);
	vt_str_unref(v->switch_setup);
	vt_str_unref(v->bar);
	vt_str_unref(v->tty.title);
	vt_str_unref(v->tty.path);
	vt_str_unref(v->tty.caps);
	vt_str_unref(v->tty.keys);
	mem_free(v);
}

struct sync_view *
sync_view_clone(const struct sync_view *v)
{
	struct sync_view *c;
	size_t i;

	c = mem_dup(v, sizeof(*v));
	c->surfaces = NULL;
	if (v->nsurfaces > 0)
		c->surfaces =
		    mem_dup(v->surfaces, v->nsurfaces * sizeof(*v->surfaces));
	for (i = 0; i < v->nsurfaces; i++)
		vt_frame_ref(c->surfaces[i].frame);
	for (i = 0; i < v->neffects; i++)
		c->effects[i]->refs++;
	sync_prompt_ref(c->prompt);
	sync_copy_ref(c->copy);
	sync_pick_ref(c->pick);
	vt_str_ref(c->setup);
	vt_str_ref(c->asks);
	sync_switch_ref(c->switches);
	vt_str_ref(c->switch_setup);
	vt_str_ref(c->bar);
	vt_str_ref(c->tty.title);
	vt_str_ref(c->tty.path);
	vt_str_ref(c->tty.caps);
	vt_str_ref(c->tty.keys);
	return c;
}

bool
sync_view_tty_equal(const struct sync_tty *a, const struct sync_tty *b)
{
	return a->flags == b->flags && a->mouse == b->mouse &&
	       a->kitty == b->kitty && a->modify_other == b->modify_other &&
	       a->predict == b->predict && vt_str_equal(a->title, b->title) &&
	       vt_str_equal(a->path, b->path) && a->escape_ms == b->escape_ms &&
	       vt_str_equal(a->caps, b->caps) && vt_str_equal(a->keys, b->keys);
}

bool
sync_view_places_equal(const struct sync_view *a, const struct sync_view *b)
{
	size_t i;

	if (a->nsurfaces != b->nsurfaces)
		return false;
	for (i = 0; i < a->nsurfaces; i++)
		if (a->surfaces[i].id != b->surfaces[i].id ||
		    a->surfaces[i].kind != b->surfaces[i].kind ||
		    a->surfaces[i].x != b->surfaces[i].x ||
		    a->surfaces[i].y != b->surfaces[i].y)
			return false;
	return true;
}

bool
sync_view_keys_equal(const struct sync_view *a, const struct sync_view *b)
{
	return a->nkeys == b->nkeys &&
	       memcmp(a->keys, b->keys, a->nkeys * sizeof(a->keys[0])) == 0;
}

/* Compares what switching windows needs. */
static bool
switches_equal(const struct sync_view *a, const struct sync_view *b)
{
	return sync_switch_equal(a->switches, b->switches) &&
	       vt_str_equal(a->switch_setup, b->switch_setup) &&
	       vt_str_equal(a->bar, b->bar);
}

bool
sync_view_same_places(const struct sync_view *a, const struct sync_view *b)
{
	return a->cols == b->cols && a->rows == b->rows &&
	       a->focus == b->focus && a->pasted == b->pasted &&
	       sync_view_tty_equal(&a->tty, &b->tty) &&
	       sync_view_places_equal(a, b) && sync_view_keys_equal(a, b) &&
	       sync_prompt_equal(a->prompt, b->prompt) &&
	       sync_copy_equal(a->copy, b->copy) &&
	       sync_pick_equal(a->pick, b->pick) &&
	       vt_str_equal(a->setup, b->setup) &&
	       vt_str_equal(a->asks, b->asks) && switches_equal(a, b) &&
	       sync_view_last_effect(a) == sync_view_last_effect(b);
}

bool
sync_view_equal(const struct sync_view *a, const struct sync_view *b)
{
	size_t i;

	if (a->echo_ack != b->echo_ack || !sync_view_same_places(a, b))
		return false;
	for (i = 0; i < a->nsurfaces; i++)
		if (a->surfaces[i].frame != b->surfaces[i].frame &&
		    !vt_frame_equal(a->surfaces[i].frame, b->surfaces[i].frame))
			return false;
	return true;
}

/*
 * Returns the upper rows of F, which has too many, with the cursor if it is in
 * them.
 */
static struct vt_frame *
frame_clip(const struct vt_frame *f)
{
	struct vt_frame *g = vt_frame_clone(f);

	vt_frame_resize(g, f->cols, SYNC_FRAME_CELLS_MAX / f->cols);
	if (f->state.y >= g->rows)
		g->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	return g;
}

void
sync_view_add(struct sync_view *v, uint64_t id, enum sync_surface_kind kind,
    int x, int y, struct vt_frame *frame)
{
	bool large = (size_t)frame->cols * frame->rows > SYNC_FRAME_CELLS_MAX;

	if (v->nsurfaces >= SYNC_SURFACES_MAX)
		return;
	v->clipped += large;
	v->surfaces =
	    mem_resize(v->surfaces, v->nsurfaces + 1, sizeof(*v->surfaces));
	v->surfaces[v->nsurfaces++] = (struct sync_surface){
		.id = id,
		.kind = kind,
		.x = x,
		.y = y,
		.frame = large ? frame_clip(frame) : vt_frame_ref(frame),
	};
}

const struct sync_surface *
sync_view_find(const struct sync_view *v, uint64_t id)
{
	size_t i;

	for (i = 0; i < v->nsurfaces; i++)
		if (v->surfaces[i].id == id)
			return &v->surfaces[i];
	return NULL;
}

void
sync_view_effect_push(struct sync_view *v, uint64_t num,
    enum sync_effect_kind kind, const void *p, size_t n)
{
	struct sync_effect *e;

	if (v->neffects == SYNC_EFFECTS_MAX) {
		sync_effect_unref(v->effects[0]);
		v->neffects--;
		memmove(v->effects, v->effects + 1,
		    v->neffects * sizeof(v->effects[0]));
	}
	e = mem_zalloc(sizeof(*e) + n + 1);
	e->refs = 1;
	e->num = num;
	e->kind = kind;
	e->len = n;
	if (n > 0)
		memcpy(e->data, p, n);
	v->effects[v->neffects++] = e;
}

int
sync_view_effect(
    struct sync_view *v, enum sync_effect_kind kind, const void *p, size_t n)
{
	if (n > SYNC_EFFECT_DATA_MAX)
		return -ERR_LIMIT;
	sync_view_effect_push(v, sync_view_last_effect(v) + 1, kind, p, n);
	return 0;
}

uint64_t
sync_view_last_effect(const struct sync_view *v)
{
	return v->neffects == 0 ? 0 : v->effects[v->neffects - 1]->num;
}
