/*
 * mux/view/title.h - the text in the border of a pane.
 *
 * Purpose:   draws pane-border-format into the row above or below a pane, and
 *            tells which of its ranges is at a place.
 * Units:     cells of the window.
 * Source:    tmux(1), pane-border-format, pane-border-status.
 * Tests:     regress/unit/check_view_text.c, regress/e2e/mouse.sh
 */
#ifndef MUX_VIEW_TITLE_H
#define MUX_VIEW_TITLE_H

#include "conf/style.h"
#include "mux/view/build.h"

struct pane;

/* Stores the row of P's title; false: it has none. */
bool view_title_place(const struct pane *p, struct cell_rect *r);

/* Draws the title of P in F, whose cell (0, 0) is at (X, Y). */
void view_title_draw(const struct view_context *cx, struct vt_frame *f, int x,
    int y, struct pane *p, const struct pen *pen);

/*
 * Finds the pane of W whose title has a range at (X, Y) and stores that range;
 * NULL: there is none.
 */
struct pane *view_title_at(const struct view_context *cx,
    const struct window *w, int x, int y, struct style_range *range);

#endif
