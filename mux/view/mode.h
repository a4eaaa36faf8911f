/*
 * mux/view/mode.h - the frame of a pane in a mode.
 *
 * Purpose:   draws the top mode of a pane as one client sees it.
 * Ownership: view_mode_frame returns a reference for the caller.
 * Tests:     regress/unit/check_view_pane.c
 */
#ifndef MUX_VIEW_MODE_H
#define MUX_VIEW_MODE_H

#include "mux/view/build.h"

/*
 * The frame of the top mode of P, or NULL if P has no mode.  Reuses the frame
 * of the last view while the mode's picture is unchanged.
 */
struct vt_frame *view_mode_frame(struct view_builder *b, struct pane *p);

#endif
