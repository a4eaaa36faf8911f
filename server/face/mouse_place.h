/*
 * server/face/mouse_place.h - the place under the mouse.
 *
 * Purpose:   finds the pane, border, scrollbar or part of the status line at a
 *            cell of the client, and sets the target of -t = and the variables
 *            mouse_x and so on.
 * Units:     cells of the client.
 * Source:    tmux(1), MOUSE SUPPORT.
 * Tests:     regress/e2e/keys.sh, regress/e2e/scrollbar.sh
 */
#ifndef SERVER_FACE_MOUSE_PLACE_H
#define SERVER_FACE_MOUSE_PLACE_H

#include "server/run/cmdq.h"

struct viewer;

/* Finds the place at (X, Y); fills the mouse_* ids of ST. False: none. */
bool mouse_place(struct viewer *vw, int x, int y, struct cmd_state *st,
    enum key_mouse_place *place);

/*
 * Gets the place at (X, Y) of a drag that began at *PLACE in the pane of ST.
 * The drag belongs to that pane, even over other panes. A drag that began on the
 * status line or a scrollbar stays there. Outside the rows or the right edge of
 * its pane a drag has a place only on borders and status lines. Returns false if
 * the drag has none.
 */
bool mouse_place_dragged(struct viewer *vw, int x, int y, struct cmd_state *st,
    enum key_mouse_place *place);

/* Sets the position of EV in the pane or status line of ST. */
void mouse_within(
    struct viewer *vw, const struct mouse_event *ev, struct cmd_state *st);

#endif
