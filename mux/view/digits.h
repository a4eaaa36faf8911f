/*
 * mux/view/digits.h - the pane numbers of display-panes.
 *
 * Purpose:   draws each pane's number in big digits over a copy of its screen,
 *            with display-panes-format in the first row.
 * Source:    tmux(1), display-panes.
 * Tests:     regress/unit/check_view_overlay.c, regress/e2e/client.sh
 */
#ifndef MUX_VIEW_DIGITS_H
#define MUX_VIEW_DIGITS_H

#include "mux/view/build.h"

/*
 * Adds a surface VIEW_SURFACE_DIGITS + pane id for every visible pane of the
 * client's window.
 */
void view_digits_add(struct view_builder *b, struct sync_view *v);

#endif
