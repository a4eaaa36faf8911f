/*
 * mux/view/column.h - status lines at the left or right of the window.
 *
 * Purpose:   draws one row for each window of the session, and on demand one
 *            for each pane, between status-left and status-right.
 * Source:    the options status-position, status-column-*.
 * Tests:     regress/unit/check_view_column.c
 */
#ifndef MUX_VIEW_COLUMN_H
#define MUX_VIEW_COLUMN_H

#include "mux/view/build.h"

/*
 * Draws b->status, which has the size of b->status_area, and the ranges of its
 * rows.  BASE is the pen of status-style.
 */
void view_column_draw(struct view_builder *b, const struct pen *base);

#endif
