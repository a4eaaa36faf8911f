/*
 * server/face/mouse.h - mouse events of a client.
 *
 * Purpose:   gives a mouse event to the first taker of: the dragged border, an
 *            overlay, a binding for the place under it, the pane there.
 * Ownership: struct viewer_mouse is a member of the viewer, for mouse.c alone.
 * Units:     cells of the client.
 * Source:    tmux's mouse keys.
 * Tests:     regress/e2e/keys.sh
 */
#ifndef SERVER_FACE_MOUSE_H
#define SERVER_FACE_MOUSE_H

#include <stdbool.h>

#include "base/key.h"

struct pane;
struct viewer;
struct window;

struct viewer_mouse {
	unsigned button;  /* the last one pressed */
	bool dragging;    /* the mouse has moved since */
	bool border_drag; /* motion moves a border (resize-pane -M) */
	int x;            /* last position */
	int y;
};

void mouse_moved(struct viewer *vw, const struct mouse_event *ev);

/*
 * Moves the border of W at the last mouse position to that of EV, and begins a
 * border drag.
 */
void mouse_drag_border(
    struct viewer *vw, struct window *w, const struct mouse_event *ev);

/* Ends mouse_drag_border. */
void mouse_drop(struct viewer *vw);

/* Gives a mouse event of the client to the mode or program of P. */
void mouse_to_pane(
    struct viewer *vw, struct pane *p, const struct mouse_event *ev);

#endif
