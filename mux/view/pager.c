#include "mux/view/pager.h"

#include <stdio.h>

#include "mux/view/show.h"
#include "mux/view/text.h"

void
view_pager_add(struct view_builder *b, struct sync_view *v, struct vt_frame *f,
    size_t scroll, size_t above)
{
	struct pen pen = view_text_mode_pen(&b->cx);
	char place[64];
	size_t n;

	f->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	n = (size_t)snprintf(place, sizeof(place), "[%zu/%zu]", scroll, above);
	if (n < f->cols)
		(void)vt_frame_text(f, b->cx.client->mux->setup.graphemes,
		    f->cols - (unsigned)n, 0, f->cols, place, n, &pen);
	view_show_blocks(b, f);
	sync_view_add(v, VIEW_SURFACE_PAGER, SYNC_SURFACE_OVERLAY, b->area.x,
	    b->area.y, f);
	v->focus = VIEW_SURFACE_PAGER;
}
