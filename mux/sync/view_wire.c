/* The wire format of views and their differences. */
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pack.h"
#include "mux/sync/frame.h"
#include "mux/sync/part.h"
#include "mux/sync/view_int.h"

/*
 * A view, and a difference of two, is a msgpack map of numbered fields; an
 * absent field has not changed (or has its initial value).
 */
enum view_field {
	VIEW_SIZE = 1,   /* [cols, rows] */
	VIEW_PLACES = 2, /* [[id, kind, x, y], ...]: all, bottom first */
	VIEW_FRAMES = 3, /* [id, bin, ...]: changed frames */
	VIEW_FOCUS = 4,
	VIEW_ECHO_ACK = 5,
	VIEW_TTY = 6,     /* map, see below */
	VIEW_EFFECTS = 7, /* [[num, kind, bin], ...] newer than the old ones */
	VIEW_KEYS = 8,    /* [key, ...] */
	VIEW_ALONE = 9,   /* as VIEW_FRAMES, for one surface: its position */
	VIEW_PROMPT = 10, /* [surface, seen, x, at, text, separators], or [] */
	VIEW_COPY = 11,   /* [surface, seen, state, screen], or [] */
	VIEW_SETUP = 12,  /* bin: options and keys of copy mode */
	VIEW_SWITCH = 13, /* [seen, state], or [] */
	VIEW_BINDS = 14,  /* bin: keys and windows for VIEW_SWITCH */
	VIEW_BAR = 15,    /* bin: names of windows in the status lines */
	/* [surface, seen, kind, state, front, back, rows], or [] */
	VIEW_PICK = 16,
};

enum tty_field {
	TTY_FLAGS = 1,
	TTY_MOUSE = 2,
	TTY_KITTY = 3,
	TTY_OTHER = 4,
	TTY_PREDICT = 5,
	TTY_TITLE = 6,
	TTY_PATH = 7,
	TTY_ESCAPE = 8,
	TTY_CAPS = 9,
	TTY_KEYS = 10,
};

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
    const struct vt_frame *new, struct buf *tmp)
{
	int r;

	buf_clear(tmp);
	if ((r = sync_frame_diff(old, new, tmp)) != 0)
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
		r = frame_bin_put(
		    b, ch[i].old, new->surfaces[ch[i].index].frame, &tmp);
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

/*
 * Returns the frame to which the screen of the next VIEW_COPY of V is written
 * as a difference: mostly the picture of the pane before the mode began.
 */
static const struct vt_frame *
copy_base(const struct sync_view *v, uint64_t surface)
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
	    new->copy == NULL ? NULL : copy_base(old, new->copy->surface));
}

static int
view_put(
    struct buf *b, const struct sync_view *old, const struct sync_view *new)
{
	struct view_changed *ch;
	bool size, places, tty, keys, prompt, copy, setup, pick;
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
	pick = !sync_pick_equal(old->pick, new->pick);
	effects = effects_new(old, new);
	n = (uint32_t)size + places + tty + keys + prompt + copy + setup +
	    pick + (nch > 0) + (effects < new->neffects) +
	    (old->focus != new->focus) + (old->echo_ack != new->echo_ack) +
	    switches_put(NULL, old, new);
	if (n == 0)
		goto out;
	pack_put_map(b, n);
	/* First, because it needs the old places and frames. */
	if (copy)
		r = copy_put(b, old, new);
	if (setup)
		setup_put(b, new);
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

/* --- decoding ------------------------------------------------------------- */

static void
tty_get_str(struct rd *r, struct vt_str **slot)
{
	const char *s;
	size_t len;

	s = pack_get_str(r, SYNC_STRING_MAX, &len);
	if (r->err != 0)
		return;
	vt_str_unref(*slot);
	*slot = vt_str_new(s, len);
}

static int
tty_get(struct rd *r, struct sync_tty *t)
{
	uint32_t i, n;
	uint64_t field;

	/* An absent setting is unset. */
	t->escape_ms = SYNC_ESCAPE_DEFAULT;
	vt_str_unref(t->caps);
	vt_str_unref(t->keys);
	t->caps = t->keys = NULL;
	n = pack_get_map(r, 64);
	for (i = 0; i < n && r->err == 0; i++) {
		field = pack_get_uint(r, UINT32_MAX);
		switch (field) {
		case TTY_FLAGS:
			t->flags = (uint32_t)pack_get_uint(r, UINT32_MAX);
			break;
		case TTY_MOUSE:
			t->mouse = (uint8_t)pack_get_uint(r, VT_MOUSE_ANY);
			break;
		case TTY_KITTY:
			t->kitty = (uint8_t)pack_get_uint(r, 31);
			break;
		case TTY_OTHER:
			t->modify_other = (uint8_t)pack_get_uint(r, 2);
			break;
		case TTY_PREDICT:
			t->predict = (uint8_t)pack_get_uint(r, 3);
			break;
		case TTY_TITLE:
			tty_get_str(r, &t->title);
			break;
		case TTY_PATH:
			tty_get_str(r, &t->path);
			break;
		case TTY_ESCAPE:
			t->escape_ms = (uint32_t)pack_get_uint(r, INT32_MAX);
			break;
		case TTY_CAPS:
			tty_get_str(r, &t->caps);
			break;
		case TTY_KEYS:
			tty_get_str(r, &t->keys);
			break;
		default:
			pack_skip(r);
			break;
		}
	}
	return r->err;
}

/* Sets new places; known surfaces keep their frames, new ones are blank. */
static int
places_get(struct rd *r, struct sync_view *v)
{
	struct sync_view old = *v;
	const struct sync_surface *s;
	struct vt_frame *blank;
	uint64_t id, kind;
	int64_t x, y;
	uint32_t i, n;

	n = pack_get_array(r, SYNC_SURFACES_MAX);
	peer_check(r->err == 0);
	v->surfaces = NULL;
	v->nsurfaces = 0;
	blank = vt_frame_new(1, 1);
	for (i = 0; i < n && r->err == 0; i++) {
		if (pack_get_array(r, 4) != 4)
			rd_fail(r, -ERR_PEER);
		id = pack_get_uint(r, UINT64_MAX);
		kind = pack_get_uint(r, SYNC_SURFACE_CURSOR);
		x = pack_get_int(r);
		y = pack_get_int(r);
		if (r->err != 0 || x < INT16_MIN || x > INT16_MAX ||
		    y < INT16_MIN || y > INT16_MAX ||
		    sync_view_find(v, id) != NULL) {
			rd_fail(r, -ERR_PEER);
			break;
		}
		s = sync_view_find(&old, id);
		sync_view_add(v, id, (enum sync_surface_kind)kind, (int)x,
		    (int)y, s == NULL ? blank : s->frame);
	}
	vt_frame_unref(blank);
	sync_view_clear(&old);
	return r->err;
}

static int
frame_get(struct rd *r, struct sync_surface *s)
{
	struct vt_frame *f;
	const uint8_t *p;
	struct rd body;
	size_t len;
	int err;

	p = pack_get_bin(r, SYNC_VIEW_BYTES_MAX, &len);
	peer_check(r->err == 0);
	rd_init(&body, p, len);
	if ((err = sync_frame_apply(s->frame, &body, &f)) != 0)
		return err;
	vt_frame_unref(s->frame);
	s->frame = f;
	return 0;
}

static int
frames_get(struct rd *r, struct sync_view *v, bool alone)
{
	uint32_t i, n;
	uint64_t id;
	size_t k;
	int err = 0;

	n = pack_get_array(r, SYNC_SURFACES_MAX * 2);
	peer_check(r->err == 0 && n % 2 == 0);
	for (i = 0; i < n && err == 0; i += 2) {
		id = pack_get_uint(r, UINT64_MAX);
		peer_check(r->err == 0);
		for (k = 0; k < v->nsurfaces; k++)
			if (alone ? k == id : v->surfaces[k].id == id)
				break;
		peer_check(k < v->nsurfaces);
		err = frame_get(r, &v->surfaces[k]);
	}
	return err;
}

static int
effects_get(struct rd *r, struct sync_view *v)
{
	const uint8_t *p;
	uint64_t num, kind;
	uint32_t i, n;
	size_t len;

	n = pack_get_array(r, SYNC_EFFECTS_MAX);
	for (i = 0; i < n && r->err == 0; i++) {
		if (pack_get_array(r, 3) != 3)
			rd_fail(r, -ERR_PEER);
		num = pack_get_uint(r, UINT64_MAX);
		kind = pack_get_uint(r, UINT32_MAX);
		p = pack_get_bin(r, SYNC_EFFECT_PEER_MAX, &len);
		peer_check(r->err == 0 && num > sync_view_last_effect(v));
		sync_view_effect_push(
		    v, num, (enum sync_effect_kind)kind, p, len);
	}
	return r->err;
}

static int
keys_get(struct rd *r, struct sync_view *v)
{
	uint32_t i, n;

	n = pack_get_array(r, SYNC_KEYS_MAX);
	for (i = 0; i < n && r->err == 0; i++)
		v->keys[i] = pack_get_uint(r, UINT64_MAX);
	v->nkeys = n;
	return r->err;
}

/* The array's first item, the surface, says what the screen is based on. */
static int
copy_get(struct rd *r, struct sync_view *v)
{
	struct rd ahead = *r;
	uint64_t surface = 0;

	if (pack_get_array(&ahead, 64) > 0)
		surface = pack_get_uint(&ahead, UINT64_MAX);
	return sync_copy_get(r, &v->copy, copy_base(v, surface));
}

static int
bytes_get(struct rd *r, struct vt_str **slot, size_t max)
{
	const uint8_t *p;
	size_t len;

	p = pack_get_bin(r, max, &len);
	peer_check(r->err == 0);
	vt_str_unref(*slot);
	*slot = vt_str_new((const char *)p, len);
	return 0;
}

static int
size_get(struct rd *r, struct sync_view *v)
{
	if (pack_get_array(r, 2) != 2)
		rd_fail(r, -ERR_PEER);
	v->cols = (uint16_t)pack_get_uint(r, VT_COLS_MAX);
	v->rows = (uint16_t)pack_get_uint(r, VT_ROWS_MAX);
	return r->err;
}

static int
view_get_field(struct rd *r, struct sync_view *v, uint64_t field)
{
	switch (field) {
	case VIEW_SIZE:
		return size_get(r, v);
	case VIEW_PLACES:
		return places_get(r, v);
	case VIEW_FRAMES:
	case VIEW_ALONE:
		return frames_get(r, v, field == VIEW_ALONE);
	case VIEW_FOCUS:
		v->focus = pack_get_uint(r, UINT64_MAX);
		return r->err;
	case VIEW_ECHO_ACK:
		v->echo_ack = pack_get_uint(r, UINT64_MAX);
		return r->err;
	case VIEW_TTY:
		return tty_get(r, &v->tty);
	case VIEW_EFFECTS:
		return effects_get(r, v);
	case VIEW_KEYS:
		return keys_get(r, v);
	case VIEW_PROMPT:
		return sync_prompt_get(r, &v->prompt);
	case VIEW_COPY:
		return copy_get(r, v);
	case VIEW_SETUP:
		return bytes_get(r, &v->setup, SYNC_COPY_SETUP_MAX);
	case VIEW_SWITCH:
		return sync_switch_get(r, &v->switches);
	case VIEW_BINDS:
		return bytes_get(r, &v->switch_setup, SYNC_SWITCH_SETUP_MAX);
	case VIEW_BAR:
		return bytes_get(r, &v->bar, SYNC_SWITCH_BAR_MAX);
	case VIEW_PICK:
		return sync_pick_get(r, &v->pick);
	default:
		pack_skip(r);
		return r->err;
	}
}

/* Applies the map at DATA to V. */
static int
view_get(struct sync_view *v, const uint8_t *data, size_t len)
{
	struct rd r;
	uint64_t field;
	uint32_t i, n;
	int err = 0;

	rd_init(&r, data, len);
	n = pack_get_map(&r, 64);
	for (i = 0; i < n && err == 0; i++) {
		field = pack_get_uint(&r, UINT32_MAX);
		err = r.err != 0 ? r.err : view_get_field(&r, v, field);
	}
	return err != 0 ? err : rd_done(&r);
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

	r = view_get(next, p, n);
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
