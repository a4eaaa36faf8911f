/*
 * server/face/mouse.h - mouse events of a client.
 *
 * Purpose:   gives a mouse event to the first taker of: the dragged border, an
 *            overlay, a binding for the place under it, the pane there.
 * Ownership: struct viewer_mouse is a member of the viewer, for mouse.c alone.
 * Units:     cells of the client.
 * Source:    tmux's mouse keys.
 * Tests:     regress/e2e/keys.sh, regress/e2e/floats.sh
 */
#ifndef SERVER_FACE_MOUSE_H
#define SERVER_FACE_MOUSE_H

#include <stdbool.h>

#include "base/key.h"

struct pane;
struct viewer;
struct window;

/* A drag of a floating pane: of the whole pane, or of its border. */
enum drag_kind {
	DRAG_MOVE,
	DRAG_RESIZE,
	DRAG_SPAN, /* it spans from the place of the press to the mouse */
};

struct viewer_mouse {
	unsigned button;  /* the last one pressed */
	bool dragging;    /* the mouse has moved since */
	bool border_drag; /* motion moves a border (resize-pane -M) */
	bool float_drag;  /* motion moves or resizes a floating pane */
	enum drag_kind kind;
	uint32_t pane; /* that one */
	int grab_x;    /* -1, 1: its left or right border moves; 0: none */
	int grab_y;
	int anchor_x; /* of DRAG_SPAN, in the window */
	int anchor_y;
	int x; /* last position */
	int y;
	int press_x; /* where the button was pressed */
	int press_y;
};

void mouse_moved(struct viewer *vw, const struct mouse_event *ev);

/*
 * Moves the border of W at the last mouse position to that of EV, and begins a
 * border drag.
 */
void mouse_drag_border(
    struct viewer *vw, struct window *w, const struct mouse_event *ev);

/*
 * Begins to drag the floating pane P from the last mouse position to that of
 * EV: DRAG_RESIZE moves the border that was there; the upper one, away from the
 * corners, moves the pane.
 */
void mouse_drag_float(struct viewer *vw, struct pane *p,
    const struct mouse_event *ev, enum drag_kind kind);

/* Gets the last mouse position as a place of the window. */
void mouse_window_place(const struct viewer *vw, int *x, int *y);

/* Ends mouse_drag_border and mouse_drag_float. */
void mouse_drop(struct viewer *vw);

/* Gives a mouse event of the client to the mode or program of P. */
void mouse_to_pane(
    struct viewer *vw, struct pane *p, const struct mouse_event *ev);

#endif
