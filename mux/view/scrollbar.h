/*
 * mux/view/scrollbar.h - scrollbars of panes.
 *
 * Purpose:   draws a bar beside or over each pane, and tells which part of it
 *            is at a cell.
 * Ownership: the builder owns the bars and their frames.
 * Units:     cells of the window.
 * Source:    tmux(1), pane-scrollbars.
 * Tests:     regress/unit/check_view_scrollbar.c, regress/e2e/scrollbar.sh
 */
#ifndef MUX_VIEW_SCROLLBAR_H
#define MUX_VIEW_SCROLLBAR_H

#include "mux/view/build.h"

enum view_scrollbar_part {
	VIEW_SCROLLBAR_NONE,
	VIEW_SCROLLBAR_UP, /* above the slider */
	VIEW_SCROLLBAR_SLIDER,
	VIEW_SCROLLBAR_DOWN,
};

/* Adds VIEW_SURFACE_SCROLLBAR of P to V if the bar is visible. */
void view_scrollbar_add(
    struct view_builder *b, struct sync_view *v, struct pane *p);

/*
 * The part of P's bar at (X, Y) in the last view.  GRAB, unless it is NULL, gets
 * the row of the slider there; 0 outside it.
 */
enum view_scrollbar_part view_scrollbar_at(const struct view_builder *b,
    const struct pane *p, int x, int y, int *grab);

/*
 * The mouse is at (X, Y): shows a bar that hides.  Returns whether the view must
 * be built.
 */
bool view_scrollbar_hover(
    struct view_builder *b, const struct pane *p, int x, int y, mono_ms now);

/* Drops the bars of panes that this view does not show. */
void view_scrollbar_sweep(struct view_builder *b);

void view_scrollbar_fini(struct view_builder *b);

#endif
