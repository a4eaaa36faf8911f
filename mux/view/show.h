/*
 * mux/view/show.h - the rows of a pane as a client's terminal shows them.
 *
 * Purpose:   rows of double width become pairs of columns; with the option bidi,
 *            rows with text from right to left get the order of display.  The
 *            cursor and the mouse move with the columns.  Blocks of cells go to
 *            terminals that have them.
 * Ownership: view_show takes one reference and returns one.  The builder keeps
 *            the columns of turned rows.
 * Units:     columns and rows of the pane.
 * Tests:     regress/unit/check_view_show.c
 */
#ifndef MUX_VIEW_SHOW_H
#define MUX_VIEW_SHOW_H

#include "mux/view/build.h"

/* Returns F, a new frame of P, as it is shown to the client of B. */
struct vt_frame *view_show(
    struct view_builder *b, const struct pane *p, struct vt_frame *f);

/*
 * The same for F of a popup: pairs alone, no text is turned; returns the column
 * of its row Y that the last view shows at column X.
 */
struct vt_frame *view_show_popup(struct vt_frame *f);
int view_show_popup_column(const struct view_builder *b, int x, int y);

/*
 * Leaves the blocks of F that are whole to a client whose terminal has them, and
 * makes plain text of all others.  For frames that view_show does not return.
 */
void view_show_blocks(const struct view_builder *b, struct vt_frame *f);

/* Forgets the panes that V does not show; all. */
void view_show_sweep(struct view_builder *b, const struct sync_view *v);
void view_show_fini(struct view_builder *b);

/* Whether F, a frame of a view, has rows whose columns were changed. */
bool view_show_changed(const struct vt_frame *f);

/* Returns the column of P's row Y that the last view shows at column X. */
int view_show_column(
    const struct view_builder *b, const struct pane *p, int x, int y);

#endif
