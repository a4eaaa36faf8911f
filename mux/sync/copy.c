#include "mux/sync/copy.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pack.h"
#include "base/utf8.h"
#include "mux/sync/frame.h"

#define COPY_ITEMS 4
#define COPY_ASK_ITEMS 9 /* with a prompt */

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
	vt_str_unref(c->typed);
	vt_str_unref(c->last);
	mem_free(c);
}

bool
sync_copy_equal(const struct sync_copy *a, const struct sync_copy *b)
{
	if (a == b)
		return true;
	return a != NULL && b != NULL && a->surface == b->surface &&
	       a->seen == b->seen && a->opened == b->opened &&
	       vt_str_equal(a->state, b->state) && a->ask == b->ask &&
	       a->sign == b->sign && a->at == b->at &&
	       vt_str_equal(a->typed, b->typed) &&
	       vt_str_equal(a->last, b->last) &&
	       (a->screen == b->screen || vt_frame_equal(a->screen, b->screen));
}

static void
put_str(struct buf *out, const struct vt_str *s)
{
	pack_put_str(out, vt_str_text(s), s == NULL ? 0 : s->len);
}

int
sync_copy_put(
    struct buf *out, const struct sync_copy *c, const struct vt_frame *base)
{
	struct buf screen;
	int r;

	pack_put_array(out, c == NULL     ? 0
			    : c->ask == 0 ? COPY_ITEMS
					  : COPY_ASK_ITEMS);
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
	if (c->ask == 0)
		return r;
	pack_put_uint(out, c->ask);
	pack_put_uint(out, c->sign);
	pack_put_uint(out, c->at);
	put_str(out, c->typed);
	put_str(out, c->last);
	return r;
}

static struct vt_str *
get_str(struct rd *r)
{
	size_t len = 0;
	const char *s = pack_get_str(r, SYNC_COPY_TYPED_MAX, &len);

	if (r->err == 0 && !utf8_valid(s, len))
		rd_fail(r, -ERR_PEER);
	return r->err != 0 || len == 0 ? NULL : vt_str_new(s, len);
}

/* Reads what the object says about a prompt. */
static void
get_ask(struct rd *r, struct sync_copy *c)
{
	c->ask = (uint32_t)pack_get_uint(r, UINT16_MAX);
	c->sign = (uint32_t)pack_get_uint(r, 0x7f);
	c->at = (uint32_t)pack_get_uint(r, SYNC_COPY_TYPED_MAX);
	c->typed = get_str(r);
	c->last = get_str(r);
	if (r->err == 0 &&
	    (c->ask == 0 || c->at > (c->typed == NULL ? 0 : c->typed->len)))
		rd_fail(r, -ERR_PEER);
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
	peer_check(n == COPY_ITEMS || n >= COPY_ASK_ITEMS);
	c.surface = pack_get_uint(r, UINT64_MAX);
	c.seen = pack_get_uint(r, UINT64_MAX);
	state = pack_get_bin(r, SYNC_COPY_STATE_MAX, &nstate);
	screen = pack_get_bin(r, SYNC_COPY_SCREEN_MAX, &nscreen);
	if (n >= COPY_ASK_ITEMS)
		get_ask(r, &c);
	for (i = COPY_ASK_ITEMS; i < n; i++)
		pack_skip(r);
	if (r->err == 0 && nscreen == 0 && base == NULL)
		rd_fail(r, -ERR_PEER);
	rd_init(&body, screen, nscreen);
	if (r->err == 0 && nscreen == 0)
		c.screen = vt_frame_ref(base);
	else if (r->err == 0 && sync_frame_apply(base, &body, &c.screen) != 0)
		rd_fail(r, -ERR_PEER);
	if (r->err != 0) {
		vt_str_unref(c.typed);
		vt_str_unref(c.last);
		return r->err;
	}
	c.state = vt_str_new((const char *)state, nstate);
	sync_copy_unref(*slot);
	*slot = sync_copy_new(&c);
	return 0;
}
