/*
 * mux/view/chrome.h - borders and titles of panes, and the space outside a
 * window that is smaller than its client.
 *
 * Purpose:   draws everything of a window except its panes.
 * Ownership: the builder keeps the chrome frame until it is dirty.
 * Source:    tmux(1), pane-border-*, fill-character.
 * Tests:     regress/unit/check_view_build.c
 */
#ifndef MUX_VIEW_CHROME_H
#define MUX_VIEW_CHROME_H

#include "mux/view/build.h"

/*
 * Adds the surfaces VIEW_SURFACE_OUTSIDE and VIEW_SURFACE_CHROME for W.
 * Redraws the chrome if it is dirty or has another size or window.
 */
void view_chrome_add(
    struct view_builder *b, struct sync_view *v, struct window *w);

/* The marked pane if it is in W, which the client shows, else LAYOUT_NO_PANE. */
uint32_t view_chrome_marked(
    const struct view_builder *b, const struct window *w);

#endif
