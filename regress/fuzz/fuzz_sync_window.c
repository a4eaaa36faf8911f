/*
 * Any bytes as the body of PICTURES, applied to one picture; the hash is put
 * right, so that differences are reached.
 */
#include "base/err.h"
#include "mux/sync/view.h"
#include "mux/sync/window.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Makes the hash of IT that of its result, if there is one. */
static void
set_hash(const struct sync_window *w, struct sync_window_item *it)
{
	struct sync_view *v = sync_view_new(0, 0);
	struct buf b;
	int r = 0;

	buf_init(&b, SYNC_WINDOW_BYTES_MAX);
	if ((it->flags & SYNC_WINDOW_NEW) == 0 && w->bytes.len > 0)
		r = sync_view_ops.load(v, w->bytes.data, w->bytes.len);
	bug_assert(r == 0);
	if (sync_view_ops.apply(v, it->diff, it->len) == 0 &&
	    sync_view_ops.save(v, &b) == 0 && !b.overflow)
		it->hash = sync_window_hash(&b);
	sync_view_free(v);
	buf_fini(&b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sync_window_item it;
	struct sync_window w;
	struct sync_view *v;
	unsigned items = 0;
	uint32_t n;
	uint8_t form;
	struct rd r;

	sync_window_init(&w, 1, 2);
	rd_init(&r, data, size);
	if (sync_window_get_want(&r, &n) == 0)
		bug_assert(n <= SYNC_WINDOWS_BYTES_MAX);
	rd_init(&r, data, size);
	if (sync_window_get_head(&r, &form, &n) == 0)
		bug_assert(n <= SYNC_WINDOW_RAW_MAX && form <= 2);
	rd_init(&r, data, size);
	while (rd_left(&r) > 0 && items++ < SYNC_WINDOW_ITEMS_MAX &&
	       sync_window_get_item(&r, &it) == 0) {
		if (it.flags & SYNC_WINDOW_FORGET)
			continue;
		set_hash(&w, &it);
		if (sync_window_apply(&w, &it) != 0)
			continue;
		bug_assert(w.bytes.len <= SYNC_WINDOW_BYTES_MAX);
		v = sync_window_view(&w);
		bug_assert(sync_window_fits(v));
		sync_view_free(v);
	}
	sync_window_fini(&w);
	return 0;
}
