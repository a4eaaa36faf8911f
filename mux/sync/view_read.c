/* Reads views and their differences. */
#include "base/err.h"
#include "base/pack.h"
#include "mux/sync/frame.h"
#include "mux/sync/view_int.h"

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
	return sync_copy_get(r, &v->copy, sync_view_copy_base(v, surface));
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
	case VIEW_PASTED:
		v->pasted = pack_get_uint(r, UINT64_MAX);
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
	case VIEW_ASKS:
		return bytes_get(r, &v->asks, SYNC_COPY_ASKS_MAX);
	case VIEW_PICK:
		return sync_pick_get(r, &v->pick);
	default:
		pack_skip(r);
		return r->err;
	}
}

int
sync_view_read(struct sync_view *v, const uint8_t *data, size_t len)
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
