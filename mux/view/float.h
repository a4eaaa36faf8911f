/*
 * mux/view/float.h - floating panes in the view.
 *
 * Purpose:   draws the border and title of a floating pane, and lists the panes
 *            of a window from the back to the front.
 * Ownership: view_float_frame returns a reference for the caller.
 * Units:     cells; the frame has one more row and column than the pane on each
 *            side.
 * Source:    tmux(1), new-pane, pane-border-lines, pane-border-status.
 * Tests:     regress/unit/check_view_float.c
 */
#ifndef MUX_VIEW_FLOAT_H
#define MUX_VIEW_FLOAT_H

#include "mux/view/build.h"

/*
 * Returns the border of a floating pane, the last view's if nothing has changed;
 * NULL if it has none.
 */
struct vt_frame *view_float_frame(struct view_builder *b, struct pane *p);

/*
 * Returns the pane drawn after P, or the first one for NULL: the tiled ones in
 * order, then the floating ones, the front last.
 */
struct pane *view_next_pane(const struct window *w, const struct pane *p);

#endif
