/*
 * mux/view/box.h - boxes around menus and popups.
 *
 * Purpose:   draws the border of a box, its title and the lines across it.
 * Ownership: frames are the caller's and must have one owner.
 * Units:     cells of the frame.
 * Source:    tmux(1), menu-border-lines and popup-border-lines.
 * Tests:     regress/unit/check_view_menu.c
 */
#ifndef MUX_VIEW_BOX_H
#define MUX_VIEW_BOX_H

#include "mux/view/build.h"

/* The choices of menu-border-lines and popup-border-lines, in their order. */
enum view_box_lines {
	VIEW_BOX_SINGLE,
	VIEW_BOX_DOUBLE,
	VIEW_BOX_HEAVY,
	VIEW_BOX_SIMPLE,
	VIEW_BOX_ROUNDED,
	VIEW_BOX_PADDED,
	VIEW_BOX_NONE
};

/* How a box looks; texts of styles are NULL where the options count. */
struct view_box_look {
	int lines;      /* enum view_box_lines, or -1 */
	char *style;    /* of the inside */
	char *border;   /* of the border */
	char *selected; /* of the chosen row of a menu */
};

void view_box_look_init(struct view_box_look *look);
void view_box_look_fini(struct view_box_look *look);

/*
 * The pen of a part of a box: the option's, with the colours of the style OWN if
 * it is set.
 */
struct pen view_box_pen(const struct view_context *cx, const struct options *o,
    const char *own, enum option_id id);

/* Draws the border around F with TITLE, an expanded format ("": none). */
void view_box_draw(const struct view_context *cx, struct vt_frame *f,
    enum view_box_lines lines, const char *title, const struct pen *pen);

/* Draws a line across row Y of F, joined to the border. */
void view_box_rule(struct vt_frame *f, unsigned y, enum view_box_lines lines,
    const struct pen *pen);

#endif
