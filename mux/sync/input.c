#include "mux/sync/input.h"

#include <string.h>

#include "base/mem.h"
#include "base/pack.h"
#include "base/utf8.h"

/*
 * A difference is a msgpack array: the index of its first event, then the
 * events. A str stands for one SYNC_TEXT per code point (a typed letter takes
 * two bytes); every other event is an array that begins with its kind. Extra
 * elements of an array are skipped.
 */

#define SYNC_DIFF_MAX (SYNC_INPUT_BYTES_MAX * 2)

/*
 * The part of a log that is in view, in bytes of memory. Its difference always
 * fits into one instruction (SSP_INS_MAX). Later events come into view as the
 * peer confirms earlier ones.
 */
#define SYNC_WINDOW_BYTES (512u << 10)

/*
 * The events of a peer, in bytes of memory, and the bytes of one difference.
 * An honest log has two windows at most: one that this side has confirmed, and
 * the next.  Its own events may be smaller than ours.
 */
#define SYNC_PEER_BYTES (4 * SYNC_WINDOW_BYTES)
#define SYNC_PEER_DIFF (2 * SYNC_WINDOW_BYTES)

struct sync_input {
	uint64_t first;
	size_t count;
	size_t cap;
	size_t bytes;
	size_t open; /* number of events in view, and their bytes */
	size_t open_bytes;
	/* While a peer's difference is applied, all events are in view. */
	bool applying;
	struct sync_event **events;
};

struct sync_input *
sync_input_new(void)
{
	struct sync_input *in;

	in = mem_zalloc(sizeof(*in));
	in->first = 1;
	return in;
}

static void
sync_event_unref(struct sync_event *ev)
{
	if (--ev->refs == 0)
		mem_free_wiped(ev, sizeof(*ev) + ev->len + 1);
}

void
sync_input_free(struct sync_input *in)
{
	size_t i;

	if (in == NULL)
		return;
	for (i = 0; i < in->count; i++)
		sync_event_unref(in->events[i]);
	mem_free(in->events);
	mem_free(in);
}

static void
input_free(void *obj)
{
	sync_input_free(obj);
}

static size_t
sync_event_size(const struct sync_event *ev)
{
	return sizeof(*ev) + ev->len + 1;
}

/* Brings events into view while there is room; at least one. */
static void
input_open(struct sync_input *in)
{
	size_t n;

	while (in->open < in->count) {
		n = sync_event_size(in->events[in->open]);
		if (!in->applying && in->open > 0 &&
		    in->open_bytes + n > SYNC_WINDOW_BYTES)
			break;
		in->open++;
		in->open_bytes += n;
	}
}

/* Appends an event to IN; returns NULL if the log is full. */
static struct sync_event *
sync_input_push(struct sync_input *in, enum sync_event_kind kind, size_t len)
{
	struct sync_event *ev;
	size_t max = in->applying ? SYNC_PEER_BYTES
				  : SYNC_INPUT_BYTES_MAX +
					SYNC_INPUT_EVENTS_MAX * sizeof(*ev);

	if (in->count >= SYNC_INPUT_EVENTS_MAX ||
	    in->bytes + sizeof(*ev) + len + 1 > max)
		return NULL;
	if (in->count == in->cap) {
		in->cap = in->cap == 0 ? 8 : in->cap * 2;
		in->events =
		    mem_resize(in->events, in->cap, sizeof(*in->events));
	}
	ev = mem_zalloc(sizeof(*ev) + len + 1);
	ev->refs = 1;
	ev->kind = kind;
	ev->len = len;
	in->events[in->count++] = ev;
	in->bytes += sync_event_size(ev);
	input_open(in);
	return ev;
}

int
sync_input_text(struct sync_input *in, uint32_t cp)
{
	struct sync_event *ev;

	if ((ev = sync_input_push(in, SYNC_TEXT, 0)) == NULL)
		return -ERR_LIMIT;
	ev->cp = cp;
	return 0;
}

int
sync_input_key(struct sync_input *in, const struct key_event *key)
{
	struct sync_event *ev;

	if ((ev = sync_input_push(in, SYNC_KEY, 0)) == NULL)
		return -ERR_LIMIT;
	ev->key = *key;
	return 0;
}

int
sync_input_mouse(struct sync_input *in, const struct mouse_event *mouse)
{
	struct sync_event *ev;

	if ((ev = sync_input_push(in, SYNC_MOUSE, 0)) == NULL)
		return -ERR_LIMIT;
	ev->mouse = *mouse;
	return 0;
}

int
sync_input_resize(struct sync_input *in, const uint16_t size[4])
{
	struct sync_event *ev;

	if ((ev = sync_input_push(in, SYNC_RESIZE, 0)) == NULL)
		return -ERR_LIMIT;
	memcpy(ev->size, size, sizeof(ev->size));
	return 0;
}

/* Appends an event that is one flag. */
static int
input_flag(struct sync_input *in, enum sync_event_kind kind, uint32_t flag)
{
	struct sync_event *ev;

	if ((ev = sync_input_push(in, kind, 0)) == NULL)
		return -ERR_LIMIT;
	ev->flags = flag;
	return 0;
}

int
sync_input_focus(struct sync_input *in, bool gained)
{
	return input_flag(in, SYNC_FOCUS, gained);
}

int
sync_input_shown(struct sync_input *in, bool shown)
{
	return input_flag(in, SYNC_SHOWN, shown);
}

int
sync_input_predicted(struct sync_input *in, unsigned percent)
{
	return input_flag(in, SYNC_PREDICTED, MIN_OF(percent, 100u));
}

int
sync_input_data(struct sync_input *in, enum sync_event_kind kind,
    uint32_t flags, const void *p, size_t n)
{
	struct sync_event *ev;

	if (n > SYNC_EVENT_DATA_MAX ||
	    (ev = sync_input_push(in, kind, n)) == NULL)
		return -ERR_LIMIT;
	ev->flags = flags;
	if (n > 0)
		memcpy(ev->data, p, n);
	return 0;
}

int
sync_input_paste(struct sync_input *in, const void *p, size_t n)
{
	const char *s = p;
	uint32_t flags = SYNC_PASTE_BEGIN;
	size_t k;
	int r;

	/*
	 * All of it or nothing: the program would run half a paste as commands.
	 */
	if (n + in->bytes > SYNC_INPUT_BYTES_MAX)
		return -ERR_LIMIT;
	do {
		k = MIN_OF(n, (size_t)SYNC_EVENT_DATA_MAX);
		if (k == n)
			flags |= SYNC_PASTE_END;
		if ((r = sync_input_data(in, SYNC_PASTE, flags, s, k)) != 0)
			return r;
		flags = 0;
		s += k;
		n -= k;
	} while (n > 0);
	return 0;
}

int
sync_input_append(struct sync_input *in, const struct sync_event *ev)
{
	struct sync_event *copy;
	uint32_t refs;

	if ((copy = sync_input_push(in, ev->kind, ev->len)) == NULL)
		return -ERR_LIMIT;
	refs = copy->refs;
	memcpy(copy, ev, sizeof(*ev) + ev->len + 1);
	copy->refs = refs;
	return 0;
}

uint64_t
sync_input_first(const struct sync_input *in)
{
	return in->first;
}

uint64_t
sync_input_end(const struct sync_input *in)
{
	return in->first + in->count;
}

const struct sync_event *
sync_input_get(const struct sync_input *in, uint64_t index)
{
	if (index < in->first || index >= sync_input_end(in))
		return NULL;
	return in->events[index - in->first];
}

/* Returns an event that the log has. */
static const struct sync_event *
input_at(const struct sync_input *in, uint64_t index)
{
	return in->events[index - in->first];
}

static void
input_drop(struct sync_input *in, uint64_t index)
{
	size_t i, n, size;

	if (index <= in->first)
		return;
	n = (size_t)MIN_OF(index - in->first, (uint64_t)in->count);
	for (i = 0; i < n; i++) {
		size = sync_event_size(in->events[i]);
		in->bytes -= size;
		if (i < in->open)
			in->open_bytes -= size;
		sync_event_unref(in->events[i]);
	}
	in->count -= n;
	in->open -= MIN_OF(n, in->open);
	if (n > 0 && in->count > 0)
		memmove(in->events, in->events + n,
		    in->count * sizeof(*in->events));
	in->first += n;
	input_open(in);
}

/*
 * One row per event kind: the number of elements after the kind, and the codec.
 */
struct sync_event_row {
	enum sync_event_kind kind;
	uint32_t fields;
	void (*put)(const struct sync_event *ev, struct buf *b);
	int (*get)(struct sync_input *in, struct rd *r);
};

static void
put_key(const struct sync_event *ev, struct buf *b)
{
	pack_put_uint(b, ev->key.key);
	pack_put_uint(b, (uint64_t)ev->key.type);
	pack_put_uint(b, ev->key.shifted);
	pack_put_uint(b, ev->key.base_layout);
	pack_put_cstr(b, ev->key.text);
}

static int
get_key(struct sync_input *in, struct rd *r)
{
	struct key_event key = { .key = 0 };
	const char *s;
	size_t len;

	key.key = pack_get_uint(r, UINT64_MAX);
	key.type = (enum key_event_type)pack_get_uint(r, KEY_RELEASE);
	key.shifted = (uint32_t)pack_get_uint(r, 0x10ffff);
	key.base_layout = (uint32_t)pack_get_uint(r, 0x10ffff);
	s = pack_get_str(r, sizeof(key.text) - 1, &len);
	peer_check(r->err == 0 && s != NULL && utf8_valid(s, len));
	memcpy(key.text, s, len);
	return sync_input_key(in, &key);
}

static void
put_data(const struct sync_event *ev, struct buf *b)
{
	pack_put_uint(b, ev->flags);
	pack_put_bin(b, ev->data, ev->len);
}

static int
get_data(struct sync_input *in, struct rd *r, enum sync_event_kind kind)
{
	const uint8_t *p;
	uint32_t flags;
	size_t len;

	flags = (uint32_t)pack_get_uint(r, UINT32_MAX);
	p = pack_get_bin(r, SYNC_EVENT_DATA_MAX, &len);
	peer_check(r->err == 0 && p != NULL);
	return sync_input_data(in, kind, flags, p, len);
}

static int
get_paste(struct sync_input *in, struct rd *r)
{
	return get_data(in, r, SYNC_PASTE);
}

static int
get_reply(struct sync_input *in, struct rd *r)
{
	return get_data(in, r, SYNC_REPLY);
}

static int
get_caps(struct sync_input *in, struct rd *r)
{
	return get_data(in, r, SYNC_CAPS);
}

static int
get_hello(struct sync_input *in, struct rd *r)
{
	return get_data(in, r, SYNC_HELLO);
}

static int
get_me(struct sync_input *in, struct rd *r)
{
	return get_data(in, r, SYNC_ME);
}

static void
put_mouse(const struct sync_event *ev, struct buf *b)
{
	pack_put_uint(b, (uint64_t)ev->mouse.action);
	pack_put_uint(b, (uint64_t)ev->mouse.button);
	pack_put_uint(b, ev->mouse.mods);
	pack_put_int(b, ev->mouse.x);
	pack_put_int(b, ev->mouse.y);
	pack_put_int(b, ev->mouse.px);
	pack_put_int(b, ev->mouse.py);
}

static int
get_coord(struct rd *r)
{
	int64_t v;

	v = pack_get_int(r);
	if (v < -1 || v > 1 << 20) {
		rd_fail(r, -ERR_PEER);
		return -1;
	}
	return (int)v;
}

static int
get_mouse(struct sync_input *in, struct rd *r)
{
	struct mouse_event m;

	m.action = (enum mouse_action)pack_get_uint(r, MOUSE_MOTION);
	m.button = (enum mouse_button)pack_get_uint(r, MOUSE_11);
	m.mods = pack_get_uint(r, UINT64_MAX);
	m.x = get_coord(r);
	m.y = get_coord(r);
	m.px = get_coord(r);
	m.py = get_coord(r);
	peer_check(r->err == 0);
	return sync_input_mouse(in, &m);
}

static void
put_flag(const struct sync_event *ev, struct buf *b)
{
	pack_put_uint(b, ev->flags);
}

static int
get_focus(struct sync_input *in, struct rd *r)
{
	uint64_t v;

	v = pack_get_uint(r, 1);
	peer_check(r->err == 0);
	return sync_input_focus(in, v != 0);
}

static int
get_shown(struct sync_input *in, struct rd *r)
{
	uint64_t v;

	v = pack_get_uint(r, 1);
	peer_check(r->err == 0);
	return sync_input_shown(in, v != 0);
}

static int
get_predicted(struct sync_input *in, struct rd *r)
{
	uint64_t v;

	v = pack_get_uint(r, 100);
	peer_check(r->err == 0);
	return sync_input_predicted(in, (unsigned)v);
}

static void
put_size(const struct sync_event *ev, struct buf *b)
{
	for (size_t i = 0; i < ARRAY_LEN(ev->size); i++)
		pack_put_uint(b, ev->size[i]);
}

static int
get_size(struct sync_input *in, struct rd *r)
{
	uint16_t size[4];

	for (size_t i = 0; i < ARRAY_LEN(size); i++)
		size[i] = (uint16_t)pack_get_uint(r, UINT16_MAX);
	peer_check(r->err == 0 && size[0] > 0 && size[1] > 0);
	return sync_input_resize(in, size);
}

static const struct sync_event_row sync_event_rows[] = {
	{ SYNC_KEY, 5, put_key, get_key },
	{ SYNC_PASTE, 2, put_data, get_paste },
	{ SYNC_MOUSE, 7, put_mouse, get_mouse },
	{ SYNC_FOCUS, 1, put_flag, get_focus },
	{ SYNC_RESIZE, 4, put_size, get_size },
	{ SYNC_REPLY, 2, put_data, get_reply },
	{ SYNC_CAPS, 2, put_data, get_caps },
	{ SYNC_HELLO, 2, put_data, get_hello },
	{ SYNC_SHOWN, 1, put_flag, get_shown },
	{ SYNC_ME, 2, put_data, get_me },
	{ SYNC_PREDICTED, 1, put_flag, get_predicted },
};

static const struct sync_event_row *
sync_event_row(uint64_t kind)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(sync_event_rows); i++)
		if ((uint64_t)sync_event_rows[i].kind == kind)
			return &sync_event_rows[i];
	return NULL;
}

static void *
input_clone(const void *obj)
{
	const struct sync_input *in = obj;
	struct sync_input *c;
	size_t i;

	c = mem_dup(in, sizeof(*in));
	c->count = in->open;
	c->bytes = in->open_bytes;
	c->cap = MAX_OF(c->count, (size_t)1);
	c->events = mem_calloc(c->cap, sizeof(*c->events));
	for (i = 0; i < c->count; i++) {
		c->events[i] = in->events[i];
		c->events[i]->refs++;
	}
	return c;
}

/* Returns the index after the last event in view. */
static uint64_t
input_open_end(const struct sync_input *in)
{
	return in->first + in->open;
}

/* Logs of one client only grow, so the end index decides. */
static bool
input_equal(const void *a, const void *b)
{
	return input_open_end(a) == input_open_end(b);
}

/* Appends N text events from IDX on as one str. */
static void
put_text(const struct sync_input *in, uint64_t idx, size_t n, struct buf *b)
{
	uint8_t bytes[256];
	size_t len = 0, i;

	for (i = 0; i < n; i++)
		len += utf8_encode(input_at(in, idx + i)->cp, bytes + len);
	pack_put_str(b, (char *)bytes, len);
	mem_wipe(bytes, sizeof(bytes));
}

/* Returns the length of the run of text events from IDX on, at most 60. */
static size_t
text_run(const struct sync_input *in, uint64_t idx, uint64_t end)
{
	size_t n = 0;

	while (
	    idx + n < end && n < 60 && input_at(in, idx + n)->kind == SYNC_TEXT)
		n++;
	return n;
}

static int
input_diff(const void *old, const void *new, struct buf *out)
{
	const struct sync_input *in = new;
	const struct sync_event_row *row;
	const struct sync_event *ev;
	uint64_t idx, start, end;
	uint32_t elements = 1;
	size_t n;

	start = MAX_OF(input_open_end(old), in->first);
	end = input_open_end(in);
	if (start >= end)
		return 0;
	for (idx = start; idx < end; idx += MAX_OF(n, (size_t)1), elements++)
		n = text_run(in, idx, end);
	pack_put_array(out, elements);
	pack_put_uint(out, start);
	for (idx = start; idx < end; idx++) {
		if ((n = text_run(in, idx, end)) > 0) {
			put_text(in, idx, n, out);
			idx += n - 1;
			continue;
		}
		ev = input_at(in, idx);
		row = sync_event_row((uint64_t)ev->kind);
		bug_assert(row != NULL);
		pack_put_array(out, row->fields + 1);
		pack_put_uint(out, (uint64_t)ev->kind);
		row->put(ev, out);
	}
	return out->overflow ? -ERR_LIMIT : 0;
}

static int
apply_text(struct sync_input *in, struct rd *r)
{
	const char *s;
	uint32_t cp;
	size_t len, used;
	int err;

	s = pack_get_str(r, SYNC_EVENT_DATA_MAX, &len);
	peer_check(s != NULL && utf8_valid(s, len));
	while (len > 0) {
		used = utf8_decode_final((const uint8_t *)s, len, &cp);
		if ((err = sync_input_text(in, cp)) != 0)
			return err;
		s += used;
		len -= used;
	}
	return 0;
}

static int
apply_event(struct sync_input *in, struct rd *r)
{
	const struct sync_event_row *row;
	uint32_t n, i;
	uint64_t kind;
	int err;

	if (pack_peek(r) == PACK_STR)
		return apply_text(in, r);
	n = pack_get_array(r, 64);
	kind = pack_get_uint(r, UINT32_MAX);
	peer_check(r->err == 0 && n > 0);
	row = sync_event_row(kind);
	i = 0;
	if (row != NULL) {
		peer_check(n - 1 >= row->fields);
		if ((err = row->get(in, r)) != 0)
			return err;
		i = row->fields;
	} else if (sync_input_push(in, SYNC_UNKNOWN, 0) == NULL) {
		/* An event of a later release still takes an index. */
		return -ERR_LIMIT;
	}
	for (i++; i < n; i++)
		pack_skip(r);
	return r->err;
}

static int
input_apply(void *obj, const uint8_t *diff, size_t len)
{
	struct sync_input *in = obj;
	struct rd r;
	uint64_t start;
	size_t count;
	uint32_t n;
	int err = 0;

	if (len == 0)
		return 0;
	rd_init(&r, diff, len);
	n = pack_get_array(&r, SYNC_INPUT_EVENTS_MAX);
	start = pack_get_uint(&r, UINT64_MAX);
	peer_check(
	    r.err == 0 && n >= 2 && start >= 1 && start < UINT64_MAX / 2);
	/*
	 * The sender drops only events that this side has confirmed: a gap is
	 * an error.
	 */
	peer_check(start == sync_input_end(in));
	count = in->count;
	in->applying = true;
	for (uint32_t i = 1; i < n && err == 0; i++)
		err = apply_event(in, &r);
	in->applying = false;
	if (err == 0)
		err = rd_done(&r);
	if (err != 0) {
		while (in->count > count) {
			in->count--;
			in->bytes -= sync_event_size(in->events[in->count]);
			sync_event_unref(in->events[in->count]);
			in->open = in->count;
			in->open_bytes = in->bytes;
		}
	}
	return err;
}

static void
input_subtract(void *obj, const void *prefix)
{
	input_drop(obj, input_open_end(prefix));
}

static size_t
input_own(const void *obj, const void *base)
{
	const struct sync_input *in = obj, *old = base;

	return sizeof(*in) + in->cap * sizeof(*in->events) +
	       (in->bytes - MIN_OF(old->bytes, in->bytes));
}

const struct ssp_object_ops sync_input_ops = {
	.name = "input",
	.clone = input_clone,
	.free = input_free,
	.equal = input_equal,
	.diff = input_diff,
	.apply = input_apply,
	.subtract = input_subtract,
	.own = input_own,
	.save_max = SYNC_DIFF_MAX,
	.diff_max = SYNC_PEER_DIFF,
};
