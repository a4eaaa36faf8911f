/*
 * mux/view/popup.h - a popup: its box, and what the mouse does to it.
 *
 * Purpose:   place and size of display-popup's box as a state machine over
 *            mouse events, and the surfaces that show it.
 * Ownership: struct view_popup owns its texts; view_popup_fini.
 * Units:     cells of the client, 0-based.
 * Source:    tmux(1), display-popup; the mouse as tmux 3.8 has it.
 * Tests:     regress/unit/check_view_menu.c, regress/e2e/popup.sh
 */
#ifndef MUX_VIEW_POPUP_H
#define MUX_VIEW_POPUP_H

#include "mux/view/box.h"

enum view_popup_drag {
	VIEW_POPUP_REST,
	VIEW_POPUP_MOVE,
	VIEW_POPUP_SIZE
};

struct view_popup {
	struct cell_rect box;      /* as shown */
	struct cell_rect wanted;   /* where the client has room for it */
	struct view_box_look look; /* lines are set */
	char *title;               /* expanded */
	enum view_popup_drag drag;
	int grab_x; /* the mouse within the box as a drag began */
	int grab_y;
	struct mouse_event last; /* the last press or motion */
};

/* The effect of a mouse event on a popup. */
enum view_popup_did {
	VIEW_POPUP_NOTHING,
	VIEW_POPUP_PROGRAM, /* the program gets it */
	VIEW_POPUP_MENU,    /* the popup's menu is to open there */
	VIEW_POPUP_CHANGED  /* box is another one */
};

void view_popup_init(struct view_popup *p, const struct cell_rect *box,
    enum view_box_lines lines, const char *title);
void view_popup_fini(struct view_popup *p);

/* Whether a box of that size has room for a program. */
bool view_popup_sane(enum view_box_lines lines, int w, int h);

/* Where the program's screen stands. */
struct cell_rect view_popup_inside(const struct view_popup *p);

/* Moves and shrinks the box into a client of that size. */
void view_popup_fit(struct view_popup *p, int cols, int rows);

/* Gives the box another place and size. */
void view_popup_place(
    struct view_popup *p, const struct cell_rect *box, int cols, int rows);

enum view_popup_did view_popup_mouse(
    struct view_popup *p, const struct mouse_event *ev, int cols, int rows);

/*
 * Adds VIEW_SURFACE_POPUP_BOX and, with the focus, VIEW_SURFACE_POPUP, which
 * shows F.  F must have one owner.
 */
void view_popup_show(struct view_builder *b, struct sync_view *v,
    const struct view_popup *p, struct vt_frame *f);

#endif
