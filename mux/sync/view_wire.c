/* Writes views and their differences; the object that SSP carries. */
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pack.h"
#include "mux/sync/frame.h"
#include "mux/sync/part.h"
#include "mux/sync/view_int.h"

/* --- encoding ------------------------------------------------------------- */

static void
put_str(struct buf *b, const struct vt_str *s)
{
	pack_put_str(b, vt_str_text(s),
	    s == NULL ? 0 : MIN_OF(s->len, (uint32_t)SYNC_STRING_MAX));
}

/*
 * Writes all fields, because they change rarely; the optional settings only if
 * set.
 */
static void
tty_put(struct buf *b, const struct sync_tty *t)
{
	bool escape = t->escape_ms != SYNC_ESCAPE_DEFAULT;

	pack_put_map(
	    b, 7u + (uint32_t)escape + (t->caps != NULL) + (t->keys != NULL));
	if (escape) {
		pack_put_uint(b, TTY_ESCAPE);
		pack_put_uint(b, t->escape_ms);
	}
	if (t->caps != NULL) {
		pack_put_uint(b, TTY_CAPS);
		put_str(b, t->caps);
	}
	if (t->keys != NULL) {
		pack_put_uint(b, TTY_KEYS);
		put_str(b, t->keys);
	}
	pack_put_uint(b, TTY_FLAGS);
	pack_put_uint(b, t->flags);
	pack_put_uint(b, TTY_MOUSE);
	pack_put_uint(b, t->mouse);
	pack_put_uint(b, TTY_KITTY);
	pack_put_uint(b, t->kitty);
	pack_put_uint(b, TTY_OTHER);
	pack_put_uint(b, t->modify_other);
	pack_put_uint(b, TTY_PREDICT);
	pack_put_uint(b, t->predict);
	pack_put_uint(b, TTY_TITLE);
	put_str(b, t->title);
	pack_put_uint(b, TTY_PATH);
	put_str(b, t->path);
}

static void
places_put(struct buf *b, const struct sync_view *v)
{
	size_t i;

	pack_put_array(b, (uint32_t)v->nsurfaces);
	for (i = 0; i < v->nsurfaces; i++) {
		pack_put_array(b, 4);
		pack_put_uint(b, v->surfaces[i].id);
		pack_put_uint(b, (uint64_t)v->surfaces[i].kind);
		pack_put_int(b, v->surfaces[i].x);
		pack_put_int(b, v->surfaces[i].y);
	}
}

/* The frames of NEW that differ from OLD's frame of the same id. */
struct view_changed {
	size_t index;
	const struct vt_frame *old; /* NULL: the surface is new */
};

static size_t
view_changes(const struct sync_view *old, const struct sync_view *new,
    struct view_changed *out)
{
	const struct sync_surface *s;
	const struct vt_frame *f;
	size_t i, n = 0;

	for (i = 0; i < new->nsurfaces; i++) {
		f = new->surfaces[i].frame;
		s = i < old->nsurfaces &&
			    old->surfaces[i].id == new->surfaces[i].id
			? &old->surfaces[i]
			: sync_view_find(old, new->surfaces[i].id);
		if (s != NULL && (s->frame == f || vt_frame_equal(s->frame, f)))
			continue;
		out[n].index = i;
		out[n++].old = s == NULL ? NULL : s->frame;
	}
	return n;
}

static int
frame_bin_put(struct buf *b, const struct vt_frame *old,
    const struct vt_frame *new, bool moves, struct buf *tmp)
{
	int r;

	buf_clear(tmp);
	if ((r = sync_frame_diff_for(old, new, moves, tmp)) != 0)
		return r;
	pack_put_bin(b, tmp->data, tmp->len);
	return 0;
}

static int
frames_put(struct buf *b, const struct sync_view *new,
    const struct view_changed *ch, size_t n, bool alone)
{
	struct buf tmp;
	size_t i;
	int r = 0;

	buf_init(&tmp, SYNC_VIEW_BYTES_MAX);
	pack_put_uint(b, alone ? VIEW_ALONE : VIEW_FRAMES);
	pack_put_array(b, (uint32_t)n * 2);
	for (i = 0; i < n && r == 0; i++) {
		pack_put_uint(
		    b, alone ? ch[i].index : new->surfaces[ch[i].index].id);
		r = frame_bin_put(b, ch[i].old,
		    new->surfaces[ch[i].index].frame, new->moves, &tmp);
	}
	buf_fini(&tmp);
	return r;
}

static size_t
effects_new(const struct sync_view *old, const struct sync_view *new)
{
	uint64_t last = sync_view_last_effect(old);
	size_t i = 0;

	while (i < new->neffects &&new->effects[i]->num <= last)
		i++;
	return i;
}

static void
effects_put(struct buf *b, const struct sync_view *v, size_t from)
{
	size_t i;

	pack_put_uint(b, VIEW_EFFECTS);
	pack_put_array(b, (uint32_t)(v->neffects - from));
	for (i = from; i < v->neffects; i++) {
		pack_put_array(b, 3);
		pack_put_uint(b, v->effects[i]->num);
		pack_put_uint(b, (uint64_t)v->effects[i]->kind);
		pack_put_bin(b, v->effects[i]->data, v->effects[i]->len);
	}
}

static void
keys_put(struct buf *b, const struct sync_view *v)
{
	size_t i;

	pack_put_uint(b, VIEW_KEYS);
	pack_put_array(b, (uint32_t)v->nkeys);
	for (i = 0; i < v->nkeys; i++)
		pack_put_uint(b, v->keys[i]);
}

const struct vt_frame *
sync_view_copy_base(const struct sync_view *v, uint64_t surface)
{
	const struct sync_surface *s;

	if (v->copy != NULL)
		return v->copy->screen;
	s = sync_view_find(v, surface);
	return s == NULL ? NULL : s->frame;
}

static void
setup_put(struct buf *b, const struct sync_view *v)
{
	pack_put_uint(b, VIEW_SETUP);
	pack_put_bin(b, vt_str_text(v->setup),
	    v->setup == NULL
		? 0
		: MIN_OF(v->setup->len, (uint32_t)SYNC_COPY_SETUP_MAX));
}

static void
bytes_put(struct buf *b, enum view_field field, const struct vt_str *s)
{
	pack_put_uint(b, field);
	pack_put_bin(b, vt_str_text(s), s == NULL ? 0 : s->len);
}

/* Puts what switching windows needs; returns how many fields, if B is NULL. */
static uint32_t
switches_put(
    struct buf *b, const struct sync_view *old, const struct sync_view *new)
{
	const bool state = !sync_switch_equal(old->switches, new->switches);
	const bool setup = !vt_str_equal(old->switch_setup, new->switch_setup);
	const bool bar = !vt_str_equal(old->bar, new->bar);

	if (b != NULL && state) {
		pack_put_uint(b, VIEW_SWITCH);
		sync_switch_put(b, new->switches);
	}
	if (b != NULL && setup)
		bytes_put(b, VIEW_BINDS, new->switch_setup);
	if (b != NULL && bar)
		bytes_put(b, VIEW_BAR, new->bar);
	return (uint32_t)state + setup + bar;
}

static int
copy_put(
    struct buf *b, const struct sync_view *old, const struct sync_view *new)
{
	pack_put_uint(b, VIEW_COPY);
	return sync_copy_put(b, new->copy,
	    new->copy == NULL ? NULL
			      : sync_view_copy_base(old, new->copy->surface));
}

static int
view_put(
    struct buf *b, const struct sync_view *old, const struct sync_view *new)
{
	struct view_changed *ch;
	bool size, places, tty, keys, prompt, copy, setup, asks, pick;
	size_t nch, effects;
	uint32_t n;
	int r = 0;

	ch = mem_calloc(new->nsurfaces + 1, sizeof(*ch));
	nch = view_changes(old, new, ch);
	size = old->cols != new->cols || old->rows != new->rows;
	places = !sync_view_places_equal(old, new);
	tty = !sync_view_tty_equal(&old->tty, &new->tty);
	keys = !sync_view_keys_equal(old, new);
	prompt = !sync_prompt_equal(old->prompt, new->prompt);
	copy = !sync_copy_equal(old->copy, new->copy);
	setup = !vt_str_equal(old->setup, new->setup);
	asks = !vt_str_equal(old->asks, new->asks);
	pick = !sync_pick_equal(old->pick, new->pick);
	effects = effects_new(old, new);
	n = (uint32_t)size + places + tty + keys + prompt + copy + setup +
	    asks + pick + (nch > 0) + (effects < new->neffects) +
	    (old->focus != new->focus) + (old->echo_ack != new->echo_ack) +
	    (old->pasted != new->pasted) + switches_put(NULL, old, new);
	if (n == 0)
		goto out;
	pack_put_map(b, n);
	/* First, because it needs the old places and frames. */
	if (copy)
		r = copy_put(b, old, new);
	if (setup)
		setup_put(b, new);
	if (asks)
		bytes_put(b, VIEW_ASKS, new->asks);
	if (size) {
		pack_put_uint(b, VIEW_SIZE);
		pack_put_array(b, 2);
		pack_put_uint(b, new->cols);
		pack_put_uint(b, new->rows);
	}
	if (places) {
		pack_put_uint(b, VIEW_PLACES);
		places_put(b, new);
	}
	if (old->focus != new->focus) {
		pack_put_uint(b, VIEW_FOCUS);
		pack_put_uint(b, new->focus);
	}
	if (old->echo_ack != new->echo_ack) {
		pack_put_uint(b, VIEW_ECHO_ACK);
		pack_put_uint(b, new->echo_ack);
	}
	if (old->pasted != new->pasted) {
		pack_put_uint(b, VIEW_PASTED);
		pack_put_uint(b, new->pasted);
	}
	if (tty) {
		pack_put_uint(b, VIEW_TTY);
		tty_put(b, &new->tty);
	}
	if (keys)
		keys_put(b, new);
	if (prompt) {
		pack_put_uint(b, VIEW_PROMPT);
		sync_prompt_put(b, new->prompt);
	}
	(void)switches_put(b, old, new);
	if (pick) {
		pack_put_uint(b, VIEW_PICK);
		sync_pick_put(b, new->pick, old->pick);
	}
	if (effects < new->neffects)
		effects_put(b, new, effects);
	/* Last, because the frames need the new places. */
	if (nch > 0 && r == 0)
		r = frames_put(b, new, ch, nch, !places);
out:
	mem_free(ch);
	if (r == 0 && b->overflow)
		r = -ERR_LIMIT;
	return r;
}

/* Exchanges the contents of two views. */
static void
view_swap(struct sync_view *a, struct sync_view *b)
{
	struct sync_view tmp = *a;

	*a = *b;
	*b = tmp;
}

/* --- the object ----------------------------------------------------------- */

static void *
view_op_clone(const void *obj)
{
	return sync_view_clone(obj);
}

static void
view_op_free(void *obj)
{
	sync_view_free(obj);
}

static bool
view_op_equal(const void *a, const void *b)
{
	return sync_view_equal(a, b);
}

static int
view_op_diff(const void *old, const void *new, struct buf *out)
{
	return view_put(out, old, new);
}

static int
view_op_change(
    struct sync_view *v, struct sync_view *next, const uint8_t *p, size_t n)
{
	int r;

	r = sync_view_read(next, p, n);
	if (r == 0)
		view_swap(v, next);
	sync_view_free(next);
	return r;
}

static int
view_op_apply(void *obj, const uint8_t *diff, size_t len)
{
	if (len == 0)
		return 0;
	return view_op_change(obj, sync_view_clone(obj), diff, len);
}

static void *
view_op_part(const void *old, const void *new, uint64_t turn)
{
	return sync_view_part(old, new, turn);
}

static int
view_op_save(const void *obj, struct buf *out)
{
	struct sync_view *blank;
	int r;

	blank = sync_view_new(0, 0);
	r = view_put(out, blank, obj);
	sync_view_free(blank);
	return r;
}

static int
view_op_load(void *obj, const uint8_t *data, size_t len)
{
	struct sync_view *blank;

	blank = sync_view_new(0, 0);
	if (len > 0)
		return view_op_change(obj, blank, data, len);
	view_swap(obj, blank);
	sync_view_free(blank);
	return 0;
}

const struct ssp_object_ops sync_view_ops = {
	.name = "view",
	.clone = view_op_clone,
	.free = view_op_free,
	.equal = view_op_equal,
	.diff = view_op_diff,
	.apply = view_op_apply,
	.part = view_op_part,
	.save = view_op_save,
	.load = view_op_load,
	.save_max = SYNC_VIEW_BYTES_MAX,
};
