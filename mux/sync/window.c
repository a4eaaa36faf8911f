#include "mux/sync/window.h"

#include "base/err.h"
#include "base/str.h"
#include "mux/sync/cells.h"
#include "mux/sync/view.h"

void
sync_window_init(struct sync_window *w, uint32_t session, uint32_t window)
{
	w->session = session;
	w->window = window;
	buf_init(&w->bytes, SYNC_WINDOW_BYTES_MAX);
}

void
sync_window_fini(struct sync_window *w)
{
	buf_fini(&w->bytes);
}

struct sync_view *
sync_window_view(const struct sync_window *w)
{
	struct sync_view *v = sync_view_new(0, 0);

	/* The bytes were made by save. */
	if (sync_view_ops.load(v, w->bytes.data, w->bytes.len) != 0)
		bug_assert(false);
	return v;
}

/* --- messages ---------------------------------------------------------------- */

static void
put_u32(struct buf *out, uint32_t n)
{
	uint8_t bytes[4];
	struct wr w;

	wr_init(&w, bytes, sizeof(bytes));
	wr_u32(&w, n);
	(void)buf_add(out, bytes, sizeof(bytes));
}

void
sync_window_put_want(struct buf *out, uint32_t bytes)
{
	(void)buf_add_u8(out, SYNC_WINDOW_WANT);
	sync_put_varint(out, bytes);
}

int
sync_window_get_want(struct rd *r, uint32_t *bytes)
{
	uint64_t n;

	peer_check(rd_u8(r) == SYNC_WINDOW_WANT);
	n = rd_varint(r);
	*bytes = (uint32_t)MIN_OF(n, (uint64_t)SYNC_WINDOWS_BYTES_MAX);
	return rd_done(r);
}

void
sync_window_put_head(struct buf *out, uint8_t form, uint32_t raw)
{
	(void)buf_add_u8(out, SYNC_WINDOW_PICTURES);
	(void)buf_add_u8(out, form);
	sync_put_varint(out, raw);
}

int
sync_window_get_head(struct rd *r, uint8_t *form, uint32_t *raw)
{
	uint64_t n;

	peer_check(rd_u8(r) == SYNC_WINDOW_PICTURES);
	*form = rd_u8(r);
	n = rd_varint(r);
	peer_check(r->err == 0 && *form <= 2 && n > 0 &&
		   n <= SYNC_WINDOW_RAW_MAX && (*form != 0 || rd_left(r) == n));
	*raw = (uint32_t)n;
	return 0;
}

void
sync_window_put_item(struct buf *out, const struct sync_window_item *it)
{
	sync_put_varint(out, it->session);
	sync_put_varint(out, it->window);
	(void)buf_add_u8(out, it->flags);
	if (it->flags & SYNC_WINDOW_FORGET)
		return;
	put_u32(out, it->hash);
	sync_put_varint(out, it->len);
	(void)buf_add(out, it->diff, it->len);
}

int
sync_window_get_item(struct rd *r, struct sync_window_item *it)
{
	uint64_t session = rd_varint(r), window = rd_varint(r), len;

	it->flags = rd_u8(r);
	it->hash = 0;
	it->diff = NULL;
	it->len = 0;
	peer_check(
	    r->err == 0 && session <= UINT32_MAX && window <= UINT32_MAX);
	it->session = (uint32_t)session;
	it->window = (uint32_t)window;
	if (it->flags & SYNC_WINDOW_FORGET)
		return 0;
	it->hash = rd_u32(r);
	len = rd_varint(r);
	peer_check(r->err == 0 && len <= rd_left(r));
	it->len = (size_t)len;
	it->diff = rd_bytes(r, it->len);
	return r->err;
}

/* --- pictures ------------------------------------------------------------------ */

uint32_t
sync_window_hash(const struct buf *bytes)
{
	return (uint32_t)str_hash(bytes->data, bytes->len, 0);
}

bool
sync_window_fits(const struct sync_view *v)
{
	size_t i, cells = 0;

	for (i = 0; i < v->nsurfaces; i++)
		cells += (size_t)v->surfaces[i].frame->cols *
			 v->surfaces[i].frame->rows;
	return v->nsurfaces > 0 && v->nsurfaces <= SYNC_WINDOW_SURFACES_MAX &&
	       cells <= SYNC_WINDOW_CELLS_MAX && v->neffects == 0 &&
	       v->copy == NULL && v->prompt == NULL && v->switches == NULL;
}

int
sync_window_apply(struct sync_window *w, const struct sync_window_item *it)
{
	struct sync_view *v = sync_view_new(0, 0);
	struct buf b;
	int r = 0;

	buf_init(&b, SYNC_WINDOW_BYTES_MAX);
	if ((it->flags & SYNC_WINDOW_NEW) == 0) {
		if (w->bytes.len == 0)
			r = -ERR_PEER;
		else
			r = sync_view_ops.load(v, w->bytes.data, w->bytes.len);
	}
	if (r == 0)
		r = sync_view_ops.apply(v, it->diff, it->len);
	if (r == 0 && (!sync_window_fits(v) || sync_view_ops.save(v, &b) != 0 ||
			  b.overflow || sync_window_hash(&b) != it->hash))
		r = -ERR_PEER;
	sync_view_free(v);
	if (r != 0) {
		buf_fini(&b);
		return -ERR_PEER;
	}
	buf_fini(&w->bytes);
	w->bytes = b;
	return 0;
}
