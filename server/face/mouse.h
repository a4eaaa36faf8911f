/*
 * server/face/mouse.h - mouse events of a client.
 *
 * Purpose:   gives a mouse event to the first taker of: a drag, an overlay, a
 *            binding for the place under it, the pane there.
 * Ownership: struct viewer_mouse is a member of the viewer, for mouse.c alone.
 * Units:     cells of the client.
 * Source:    tmux's mouse keys.
 * Tests:     regress/e2e/keys.sh, mouse.sh, floats.sh
 */
#ifndef SERVER_FACE_MOUSE_H
#define SERVER_FACE_MOUSE_H

#include <stdbool.h>

#include "base/key.h"
#include "base/types.h"
#include "server/face/click.h"

struct outer;
struct pane;
struct viewer;
struct window;

/* How a floating pane is dragged: the whole pane, or its border. */
enum drag_kind {
	DRAG_MOVE,
	DRAG_RESIZE,
	DRAG_SPAN, /* it spans from the place of the press to the mouse */
};

/* What the motion of the mouse moves until the button is released. */
enum mouse_drag {
	MOUSE_DRAG_NONE,
	MOUSE_DRAG_BORDER, /* resize-pane -M */
	MOUSE_DRAG_FLOAT,  /* a floating pane, as `kind` says */
	MOUSE_DRAG_SELECT, /* the end of copy mode's selection */
	MOUSE_DRAG_SLIDER, /* of a scrollbar, in copy mode */
};

struct viewer_mouse {
	unsigned button; /* the last one pressed */
	bool dragging;   /* the mouse has moved since */
	enum mouse_drag drag;
	uint32_t drag_pane; /* of FLOAT, SELECT and SLIDER */
	enum drag_kind kind;
	int grab_x; /* of FLOAT; -1, 1: its left or right border moves; 0: none */
	int grab_y;
	int anchor_x; /* of DRAG_SPAN, in the window */
	int anchor_y;
	int press_x; /* where the button was pressed */
	int press_y;
	int x; /* last position */
	int y;
	struct click click;
	struct mouse_event clicked; /* the last press */
};

void mouse_moved(struct viewer *vw, const struct mouse_event *event);

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

/*
 * Motion continues the drag that a command began in copy mode of P: of the
 * selection or of the scrollbar's slider.
 */
void mouse_drag_mode(struct viewer *vw, struct pane *p);

/* The row of P's slider where the mouse was before this event. */
int mouse_grab(const struct viewer *vw, const struct pane *p);

/* Ends a drag. */
void mouse_drop(struct viewer *vw);

/* Gives a mouse event of the client to the mode or program of P. */
void mouse_to_pane(
    struct viewer *vw, struct pane *p, const struct mouse_event *ev);

/* Functions for VIEWER_DUE_CLICK and VIEWER_DUE_DRAG. */
void mouse_click_due(struct viewer *vw, mono_ms now);
void mouse_drag_due(struct viewer *vw, mono_ms now);

#endif
