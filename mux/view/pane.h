/*
 * mux/view/pane.h - the frame of a pane as one client sees it.
 *
 * Purpose:   applies the options for colours and cursor to the pane's screen.
 * Ownership: view_pane_frame returns a reference for the caller.
 * Source:    tmux(1), window-style, pane-colours, cursor-style, cursor-colour.
 * Tests:     regress/unit/check_view_pane.c
 */
#ifndef MUX_VIEW_PANE_H
#define MUX_VIEW_PANE_H

#include "mux/view/build.h"

/* Frame mode bits stored by view_host.tty. */
#define VIEW_PANE_TTY_BITS ((uint32_t)(VT_FRAME_ECHO | VT_FRAME_CANONICAL))

/*
 * The pane's frame: the last view's if nothing has changed, or the frame shared
 * by all builders, or a private one if options change it.
 */
struct vt_frame *view_pane_frame(
    struct view_builder *b, struct pane *p, bool active);

/*
 * Sets the cursor's shape (a choice of cursor-style) and colour where ST has
 * none.
 */
void view_pane_cursor(const struct view_context *cx, struct vt_frame_state *st,
    int64_t style, colour c);

/* Gives ST the colours of PEN where the program has set none. */
void view_pane_default(const struct view_context *cx, struct vt_frame_state *st,
    const struct pen *pen);

#endif
