/*
 * mux/view/border.h - the lines between panes.
 *
 * Purpose:   draws the borders of a layout into a chrome frame: joins, the
 *            active pane's colour, arrows that point at it.
 * Ownership: the frame is the caller's and must be its own alone.
 * Units:     cells of the window.
 * Errors:    none; what lies outside the frame is clipped.
 * Source:    our own; what is coloured follows tmux (pane-border-indicators).
 * Tests:     regress/unit/check_border.c
 */
#ifndef MUX_VIEW_BORDER_H
#define MUX_VIEW_BORDER_H

#include "mux/layout.h"
#include "mux/vt/frame.h"

/* The rows of option pane-border-lines, in its order. */
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
	bool right;           /* a line right of the window, which ends there */
	bool below;           /* and one below it */
	bool alone;           /* one pane has all of it: it is zoomed */
	/* Number of a pane for BORDER_NUMBER (its index), or NULL. */
	unsigned (*number)(void *arg, uint32_t pane);
	void *arg;
};

/* The character of a line from left to right. */
uint32_t view_border_across(enum border_lines lines);

/* Draws the borders of L, whose cell (0, 0) stands at (X, Y) of F. */
void view_borders(struct vt_frame *f, int x, int y, const struct layout *l,
    const struct border_style *st);

#endif
