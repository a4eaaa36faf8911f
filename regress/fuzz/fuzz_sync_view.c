/*
 * Any bytes as a diff or a whole view, applied to a small one.
 */
#include "base/grapheme.h"
#include "mux/sync/view.h"
#include "regress/fuzz/sync_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool
check_view(const void *obj)
{
	const struct sync_view *v = obj;
	size_t i;

	bug_assert(v->nsurfaces <= SYNC_SURFACES_MAX);
	bug_assert(v->neffects <= SYNC_EFFECTS_MAX);
	for (i = 0; i < v->nsurfaces; i++) {
		bug_assert(v->surfaces[i].frame == NULL ||
			   vt_frame_check(v->surfaces[i].frame) == NULL);
		bug_assert(sync_view_find(v, v->surfaces[i].id) != NULL);
	}
	return true;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct grapheme_table *gt;
	struct sync_view *v = sync_view_new(20, 6);
	struct vt_frame *pane = vt_frame_new(20, 5);
	struct vt_frame *status = vt_frame_new(20, 1);

	if (gt == NULL)
		gt = grapheme_table_new(NULL);
	vt_frame_text(pane, gt, 0, 0, 20, "hello", 5, NULL);
	vt_frame_text(status, gt, 0, 0, 20, "[0] 0:sh*", 9, NULL);
	sync_view_add(v, 1, SYNC_SURFACE_PANE, 0, 0, pane);
	sync_view_add(v, 2, SYNC_SURFACE_CHROME, 0, 5, status);
	v->focus = 1;
	(void)sync_view_effect(v, SYNC_EFFECT_NOTIFY, "x", 1);
	(void)sync_fuzz_object(&sync_view_ops, v, data, size, check_view);
	vt_frame_unref(pane);
	vt_frame_unref(status);
	sync_view_free(v);
	return 0;
}
