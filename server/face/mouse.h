/*
 * server/face/mouse.h - mouse events of a client.
 *
 * Purpose:   brings a mouse event to the border that is dragged, an overlay, a
 *            binding for the place under it, or the pane there.
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
	bool dragging;    /* it has moved since */
	bool border_drag; /* motion moves a border (resize-pane -M) */
	int x;            /* where it was last */
	int y;
};

void mouse_moved(struct viewer *vw, const struct mouse_event *ev);

/* Moves the border of W where the mouse was to EV, and from now on with it. */
void mouse_drag_border(
    struct viewer *vw, struct window *w, const struct mouse_event *ev);

/* Ends mouse_drag_border. */
void mouse_drop(struct viewer *vw);

/* Gives an event on the client to the mode or program of a pane. */
void mouse_to_pane(
    struct viewer *vw, struct pane *p, const struct mouse_event *ev);

#endif
