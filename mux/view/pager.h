/*
 * mux/view/pager.h - the pager over the window.
 *
 * Purpose:   adds the pager's screen with its scroll position.
 * Source:    tmux(1), view mode.
 * Tests:     regress/unit/check_view_overlay.c, regress/e2e/output.sh
 */
#ifndef MUX_VIEW_PAGER_H
#define MUX_VIEW_PAGER_H

#include "mux/view/build.h"

/*
 * Adds F as VIEW_SURFACE_PAGER with the focus.  F has the size of b->area, and
 * the caller holds its only reference.  Writes the scroll position into the
 * first row: SCROLL of ABOVE rows above the end.
 */
void view_pager_add(struct view_builder *b, struct sync_view *v,
    struct vt_frame *f, size_t scroll, size_t above);

#endif
