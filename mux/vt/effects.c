#include "mux/vt/effects.h"

#include <limits.h>
#include <string.h>

#include "base/mem.h"

enum effect_merge {
	MERGE_NONE,
	MERGE_REPLACE,
	MERGE_APPEND,
	MERGE_COUNT
};

static const enum effect_merge effect_merges[VT_EFFECT_COUNT] = {
#define X(name, text, merge) [VT_EFFECT_##name] = (enum effect_merge)(merge),
#include "mux/vt/effects.def"
#undef X
};

void
vt_effects_init(struct vt_effects *q)
{
	memset(q, 0, sizeof *q);
}

void
vt_effects_fini(struct vt_effects *q)
{
	struct vt_effect e;

	while (vt_effects_next(q, &e))
		vt_effect_fini(&e);
	mem_free(q->ring);
	q->ring = NULL;
}

void
vt_effect_fini(struct vt_effect *e)
{
	mem_free(e->data);
	mem_free(e->data2);
	e->data = e->data2 = NULL;
}

static struct vt_effect *
effects_at(struct vt_effects *q, unsigned i)
{
	return &q->ring[(q->first + i) % VT_EFFECTS_MAX];
}

/* Returns the bytes that an effect counts for. */
static size_t
effect_size(const struct vt_effect *e)
{
	return e->len + (e->data2 == NULL ? 0 : strlen(e->data2));
}

/* Returns the waiting effect that merges one of KIND, or NULL. */
static struct vt_effect *
effects_target(struct vt_effects *q, enum vt_effect_kind kind, size_t n)
{
	enum effect_merge merge = effect_merges[kind];
	struct vt_effect *e;
	unsigned i;

	if (q->count == 0 || merge == MERGE_NONE)
		return NULL;
	if (merge == MERGE_APPEND) {
		e = effects_at(q, q->count - 1);
		return e->kind == kind && e->len + n <= VT_REPLY_MAX ? e : NULL;
	}
	for (i = q->count; i-- > 0;) {
		e = effects_at(q, i);
		if (e->kind == kind)
			return e;
	}
	return NULL;
}

/* True if N more bytes have room; NEW: as an effect of their own. */
static bool
effects_room(
    const struct vt_effects *q, enum vt_effect_kind kind, size_t n, bool new)
{
	bool reply = kind == VT_EFFECT_REPLY;
	size_t bytes =
	    VT_EFFECT_BYTES_MAX - (reply ? 0 : VT_EFFECT_BYTES_REPLIES);
	unsigned count = VT_EFFECTS_MAX - (reply ? 0 : VT_EFFECTS_REPLIES);

	return q->bytes <= bytes && n <= bytes - q->bytes &&
	       (!new || q->count < count);
}

void
vt_effects_add(struct vt_effects *q, enum vt_effect_kind kind, int a, int b,
    const void *data, size_t n, const char *data2)
{
	size_t want = n + (data2 == NULL ? 0 : strlen(data2));
	struct vt_effect *e = effects_target(q, kind, n);

	if (e != NULL && effect_merges[kind] == MERGE_COUNT) {
		e->a += e->a < INT_MAX;
		return;
	}
	if (!effects_room(q, kind, want, e == NULL)) {
		q->dropped++;
		return;
	}
	if (e != NULL && effect_merges[kind] == MERGE_APPEND) {
		e->data = mem_resize(e->data, e->len + n + 1, 1);
		memcpy(e->data + e->len, data, n);
		e->len += n;
		e->data[e->len] = '\0';
		q->bytes += n;
		return;
	}
	if (e != NULL) {
		q->bytes -= effect_size(e);
		vt_effect_fini(e);
	} else {
		if (q->ring == NULL)
			q->ring = mem_calloc(VT_EFFECTS_MAX, sizeof *q->ring);
		e = effects_at(q, q->count);
		q->count++;
	}
	e->kind = kind;
	e->a = a;
	e->b = b;
	e->len = n;
	e->data = NULL;
	if (data != NULL) {
		e->data = mem_alloc(n + 1);
		memcpy(e->data, data, n);
		e->data[n] = '\0';
	}
	e->data2 = data2 == NULL ? NULL : mem_strdup(data2);
	q->bytes += want;
}

bool
vt_effects_next(struct vt_effects *q, struct vt_effect *out)
{
	if (q->count == 0)
		return false;
	*out = *effects_at(q, 0);
	q->bytes -= effect_size(out);
	q->first = (q->first + 1) % VT_EFFECTS_MAX;
	if (--q->count == 0) {
		/* An idle terminal needs no ring. */
		mem_free(q->ring);
		q->ring = NULL;
		q->first = 0;
	}
	return true;
}
