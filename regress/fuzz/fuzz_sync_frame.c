/*
 * Any bytes as a diff or a whole frame, applied to a small one.
 */
#include "base/err.h"
#include "base/grapheme.h"
#include "base/wire.h"
#include "mux/sync/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
same(const struct vt_frame *old, const struct vt_frame *new, bool moves)
{
	struct vt_frame *again = NULL;
	struct buf b;
	struct rd r;

	bug_assert(vt_frame_check(new) == NULL);
	buf_init(&b, (size_t)64 << 20);
	if (sync_frame_diff_for(old, new, moves, &b) == 0 && b.len > 0) {
		rd_init(&r, b.data, b.len);
		bug_assert(sync_frame_apply(old, &r, &again) == 0);
		bug_assert(vt_frame_equal(again, new));
		vt_frame_unref(again);
	}
	buf_clear(&b);
	b.overflow = false;
	if (sync_frame_diff(NULL, new, &b) == 0) {
		rd_init(&r, b.data, b.len);
		bug_assert(sync_frame_apply(NULL, &r, &again) == 0);
		bug_assert(vt_frame_equal(again, new));
		vt_frame_unref(again);
	}
	buf_fini(&b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct grapheme_table *gt;
	struct vt_frame *old, *new = NULL;
	struct rd r;
	int e;

	if (gt == NULL)
		gt = grapheme_table_new(NULL);
	if (size == 0)
		return 0;
	old = vt_frame_new(20, 5);
	vt_frame_text(old, gt, 0, 0, 20, "hello", 5, NULL);
	vt_frame_text(old, gt, 2, 3, 20, "\344\270\200e\314\201x", 7, NULL);
	rd_init(&r, data + 1, size - 1);
	e = data[0] & 1 ? sync_frame_apply(NULL, &r, &new)
			: sync_frame_apply(data[0] & 2 ? NULL : old, &r, &new);
	if (e == 0 && new != NULL) {
		same(old, new, false);
		same(old, new, true);
		vt_frame_unref(new);
	}
	bug_assert(vt_frame_check(old) == NULL);
	vt_frame_unref(old);
	return 0;
}
