/*
 * mux/view/pane.h - the frame of a pane as one client sees it.
 *
 * Purpose:   takes the pane's screen with the colours and the cursor that
 *            options give it.
 * Ownership: view_pane_frame returns a reference for the caller.
 * Source:    tmux(1), window-style, pane-colours, cursor-style, cursor-colour.
 * Tests:     regress/unit/check_view_pane.c
 */
#ifndef MUX_VIEW_PANE_H
#define MUX_VIEW_PANE_H

#include "mux/view/build.h"

/* Bits of a frame that a view_host's tty stores. */
#define VIEW_PANE_TTY_BITS ((uint32_t)(VT_FRAME_ECHO | VT_FRAME_CANONICAL))

/*
 * The pane's frame: that of the last view if nothing has changed, else one
 * that all builders share, else one of its own.
 */
struct vt_frame *view_pane_frame(
    struct view_builder *b, struct pane *p, bool active);

/*
 * Gives the cursor a shape (a choice of cursor-style) and a colour where ST has
 * none.
 */
void view_pane_cursor(const struct view_context *cx, struct vt_frame_state *st,
    int64_t style, colour c);

#endif
