/*
 * mux/view/border.h - the lines between panes.
 *
 * Purpose:   draws the borders of the tiled panes of a layout into a chrome
 *            frame: joins, the active pane's colour and arrows to it; and the
 *            border of a floating pane into a frame of its own.
 * Ownership: the caller holds the only reference to the frame.
 * Units:     cells of the window.
 * Errors:    cells outside the frame are clipped.
 * Source:    tmux(1), pane-border-indicators, for the coloured parts.
 * Tests:     regress/unit/check_border.c
 */
#ifndef MUX_VIEW_BORDER_H
#define MUX_VIEW_BORDER_H

#include "mux/layout.h"
#include "mux/vt/frame.h"

/* The choices of option pane-border-lines, in the order of its table. */
enum border_lines {
	BORDER_SINGLE,
	BORDER_DOUBLE,
	BORDER_HEAVY,
	BORDER_SIMPLE,
	BORDER_NUMBER,
	BORDER_SPACES,
	BORDER_NONE, /* drawn as spaces */
};

/* The choices of option pane-border-indicators. */
enum border_indicators {
	BORDER_IND_OFF,
	BORDER_IND_COLOUR,
	BORDER_IND_ARROWS,
	BORDER_IND_BOTH,
};

struct border_style {
	enum border_lines lines;
	enum border_indicators indicators;
	struct pen normal;
	struct pen active;
	uint32_t active_pane; /* LAYOUT_NO_PANE: none */
	uint32_t marked_pane; /* its border is reversed; LAYOUT_NO_PANE: none */
	bool right;           /* draw a line right of the window */
	bool below;           /* draw a line below the window */
	bool alone;           /* one zoomed pane fills the window ... */
	int alone_y; /* ... from this row on, without a row of titles */
	int alone_h;
	/* Index of a pane for BORDER_NUMBER, or NULL. */
	unsigned (*number)(void *arg, uint32_t pane);
	void *arg;
};

/* The character of a horizontal line. */
uint32_t view_border_across(enum border_lines lines);

/* The border of one floating pane. */
struct border_box {
	enum border_lines lines;
	enum border_indicators indicators;
	const struct pen *pen;
	bool active;
	unsigned number; /* for BORDER_NUMBER */
};

/* Draws a border along the edges of F. */
void view_border_box(struct vt_frame *f, const struct border_box *box);

/* Draws the borders of the tiled part of L with its cell (0, 0) at (X, Y) of F. */
void view_borders(struct vt_frame *f, int x, int y, const struct layout *l,
    const struct border_style *st);

#endif
