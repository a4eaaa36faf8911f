/*
 * mux/mode/copy_text.h - the text of a pane as it was at one moment.
 *
 * Purpose:   joins the history of a terminal with a copy of its screen, which
 *            stays the same while the program writes on.
 * Ownership: holds references to the lines of the screen; the terminal must
 *            outlive it.
 * Units:     absolute rows.
 * Tests:     regress/unit/check_mode_copy.c
 *
 * The history is not copied: its rows keep their numbers while text scrolls.
 * The oldest rows disappear when the history is full.
 */
#ifndef MUX_MODE_COPY_TEXT_H
#define MUX_MODE_COPY_TEXT_H

#include "mux/vt/term.h"
#include "mux/vt/text.h"

struct copy_text {
	struct text text;
	struct vt_grid *grid; /* the screen with a history, NULL: gone */
	vt_row base;          /* number of the first row of the screen */
	unsigned rows;        /* of the screen */
	unsigned cols;
	struct vt_line **lines; /* [rows] */
};

void copy_text_take(struct copy_text *t, const struct vt_term *term,
    unsigned cols, unsigned rows);
void copy_text_fini(struct copy_text *t);

#endif
