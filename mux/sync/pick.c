#include "mux/sync/pick.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pack.h"

#define PICK_ITEMS 7

struct sync_pick *
sync_pick_new(const struct sync_pick *p)
{
	struct sync_pick *n = mem_dup(p, sizeof(*p));

	n->refs = 1;
	return n;
}

struct sync_pick *
sync_pick_ref(struct sync_pick *p)
{
	if (p != NULL)
		p->refs++;
	return p;
}

void
sync_pick_unref(struct sync_pick *p)
{
	if (p == NULL || --p->refs > 0)
		return;
	vt_str_unref(p->state);
	vt_str_unref(p->rows);
	mem_free(p);
}

bool
sync_pick_equal(const struct sync_pick *a, const struct sync_pick *b)
{
	if (a == b)
		return true;
	return a != NULL && b != NULL && a->kind == b->kind &&
	       a->surface == b->surface && a->seen == b->seen &&
	       vt_str_equal(a->state, b->state) &&
	       vt_str_equal(a->rows, b->rows);
}

static size_t
length(const struct vt_str *s)
{
	return s == NULL ? 0 : s->len;
}

/* --- encoding ---------------------------------------------------------------- */

/* Writes the bytes that A and B share at both ends, and those of B between. */
static void
put_rows(struct buf *out, const struct vt_str *a, const struct vt_str *b)
{
	const char *old = vt_str_text(a), *new = vt_str_text(b);
	const size_t n = length(a), m = length(b), least = MIN_OF(n, m);
	size_t front = 0, back = 0;

	while (front < least && old[front] == new[front])
		front++;
	while (back < least - front && old[n - 1 - back] == new[m - 1 - back])
		back++;
	pack_put_uint(out, front);
	pack_put_uint(out, back);
	pack_put_bin(out, new + front, m - front - back);
}

void
sync_pick_put(
    struct buf *out, const struct sync_pick *p, const struct sync_pick *old)
{
	pack_put_array(out, p == NULL ? 0 : PICK_ITEMS);
	if (p == NULL)
		return;
	pack_put_uint(out, p->surface);
	pack_put_uint(out, p->seen);
	pack_put_uint(out, p->kind);
	pack_put_bin(out, vt_str_text(p->state), length(p->state));
	put_rows(out, old == NULL ? NULL : old->rows, p->rows);
}

/* --- decoding ---------------------------------------------------------------- */

static struct vt_str *
get_state(struct rd *r)
{
	const uint8_t *p;
	size_t len = 0;

	p = pack_get_bin(r, SYNC_PICK_STATE_MAX, &len);
	return r->err != 0 ? NULL : vt_str_new((const char *)p, len);
}

static struct vt_str *
get_rows(struct rd *r, const struct vt_str *old)
{
	const size_t n = length(old);
	const uint8_t *p;
	struct vt_str *s;
	size_t front, back, len = 0;
	struct buf b;

	front = (size_t)pack_get_uint(r, n);
	back = (size_t)pack_get_uint(r, n - front);
	p = pack_get_bin(r, SYNC_PICK_ROWS_MAX, &len);
	if (r->err != 0)
		return NULL;
	buf_init(&b, SYNC_PICK_ROWS_MAX);
	(void)buf_add(&b, vt_str_text(old), front);
	(void)buf_add(&b, p, len);
	(void)buf_add(&b, vt_str_text(old) + n - back, back);
	if (b.overflow)
		rd_fail(r, -ERR_PEER);
	s = r->err != 0 ? NULL : vt_str_new((const char *)b.data, b.len);
	buf_fini(&b);
	return s;
}

int
sync_pick_get(struct rd *r, struct sync_pick **slot)
{
	struct sync_pick *old = *slot, p = { 0 };
	uint32_t n, i;

	*slot = NULL;
	n = pack_get_array(r, 64);
	if (r->err == 0 && n > 0 && n < PICK_ITEMS)
		rd_fail(r, -ERR_PEER);
	if (r->err == 0 && n > 0) {
		p.surface = pack_get_uint(r, UINT64_MAX);
		p.seen = pack_get_uint(r, UINT64_MAX);
		p.kind = (uint32_t)pack_get_uint(r, UINT32_MAX);
		p.state = get_state(r);
		p.rows = get_rows(r, old == NULL ? NULL : old->rows);
		for (i = PICK_ITEMS; i < n; i++)
			pack_skip(r);
		*slot = sync_pick_new(&p);
	}
	sync_pick_unref(old);
	return r->err;
}
