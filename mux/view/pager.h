/*
 * mux/view/pager.h - the output of a command over the window.
 *
 * Purpose:   adds the screen of a pager with a mark of its place.
 * Source:    tmux(1), view mode.
 * Tests:     regress/unit/check_view_overlay.c, regress/e2e/output.sh
 */
#ifndef MUX_VIEW_PAGER_H
#define MUX_VIEW_PAGER_H

#include "mux/view/build.h"

/*
 * Adds F, a screen of view_area_rows rows that the caller alone owns, as
 * VIEW_SURFACE_PAGER with the focus.  Writes its place into the first row:
 * SCROLL of ABOVE rows above the end.
 */
void view_pager_add(struct view_builder *b, struct sync_view *v,
    struct vt_frame *f, size_t scroll, size_t above);

#endif
