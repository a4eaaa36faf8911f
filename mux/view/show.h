/*
 * mux/view/show.h - the rows of a pane as a client's terminal shows them.
 *
 * Purpose:   rows of double width become pairs of columns, and the cursor and
 *            the mouse move to the columns as shown.
 * Ownership: view_show takes one reference and returns one.
 * Units:     columns and rows of the pane.
 * Tests:     regress/unit/check_view_show.c
 */
#ifndef MUX_VIEW_SHOW_H
#define MUX_VIEW_SHOW_H

#include "mux/view/build.h"

/* Returns F, a frame of P, as it is shown to the client of B. */
struct vt_frame *view_show(
    const struct view_builder *b, const struct pane *p, struct vt_frame *f);

/* Whether F, a frame of a view, has rows whose columns were changed. */
bool view_show_changed(const struct vt_frame *f);

/* Returns the column of P's row Y that the last view shows at column X. */
int view_show_column(
    const struct view_builder *b, const struct pane *p, int x, int y);

#endif
