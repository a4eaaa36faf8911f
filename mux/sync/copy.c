#include "mux/sync/copy.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pack.h"
#include "mux/sync/frame.h"

#define COPY_ITEMS 4

struct sync_copy *
sync_copy_new(const struct sync_copy *c)
{
	struct sync_copy *n = mem_dup(c, sizeof(*c));

	n->refs = 1;
	return n;
}

struct sync_copy *
sync_copy_ref(struct sync_copy *c)
{
	if (c != NULL)
		c->refs++;
	return c;
}

void
sync_copy_unref(struct sync_copy *c)
{
	if (c == NULL || --c->refs > 0)
		return;
	vt_str_unref(c->state);
	vt_frame_unref(c->screen);
	mem_free(c);
}

bool
sync_copy_equal(const struct sync_copy *a, const struct sync_copy *b)
{
	if (a == b)
		return true;
	return a != NULL && b != NULL && a->surface == b->surface &&
	       a->seen == b->seen && vt_str_equal(a->state, b->state) &&
	       (a->screen == b->screen || vt_frame_equal(a->screen, b->screen));
}

int
sync_copy_put(
    struct buf *out, const struct sync_copy *c, const struct vt_frame *base)
{
	struct buf screen;
	int r;

	pack_put_array(out, c == NULL ? 0 : COPY_ITEMS);
	if (c == NULL)
		return 0;
	pack_put_uint(out, c->surface);
	pack_put_uint(out, c->seen);
	pack_put_bin(
	    out, vt_str_text(c->state), c->state == NULL ? 0 : c->state->len);
	buf_init(&screen, BUF_MAX);
	r = sync_frame_diff(base, c->screen, &screen);
	if (r == 0)
		pack_put_bin(out, screen.data, screen.len);
	buf_fini(&screen);
	return r;
}

int
sync_copy_get(
    struct rd *r, struct sync_copy **slot, const struct vt_frame *base)
{
	struct sync_copy c = { 0 };
	const uint8_t *state, *screen;
	size_t nstate = 0, nscreen = 0;
	uint32_t n, i;
	struct rd body;

	n = pack_get_array(r, 64);
	if (r->err != 0 || n == 0) {
		sync_copy_unref(*slot);
		*slot = NULL;
		return r->err;
	}
	peer_check(n >= COPY_ITEMS);
	c.surface = pack_get_uint(r, UINT64_MAX);
	c.seen = pack_get_uint(r, UINT64_MAX);
	state = pack_get_bin(r, SYNC_COPY_STATE_MAX, &nstate);
	screen = pack_get_bin(r, SYNC_COPY_SCREEN_MAX, &nscreen);
	for (i = COPY_ITEMS; i < n; i++)
		pack_skip(r);
	peer_check(r->err == 0);
	peer_check(nscreen > 0 || base != NULL);
	rd_init(&body, screen, nscreen);
	if (nscreen == 0)
		c.screen = vt_frame_ref(base);
	else if (sync_frame_apply(base, &body, &c.screen) != 0)
		return -ERR_PEER;
	c.state = vt_str_new((const char *)state, nstate);
	sync_copy_unref(*slot);
	*slot = sync_copy_new(&c);
	return 0;
}
