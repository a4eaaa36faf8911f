/*
 * mux/mode/copy_text.h - the text of a pane as it was at one moment.
 *
 * Purpose:   joins the history of a terminal with the screen that it shows, in
 *            a grid of its own, which output, clear-history and the end of the
 *            pane do not change.
 * Ownership: owns the grid, which shares lines and packed pages with the
 *            terminal (vt_grid_snapshot).  What the terminal drops stays
 *            until copy_text_fini, so the memory of a text is at most that of
 *            the history at the moment when it was taken.
 * Units:     absolute rows, the terminal's as long as the width is the same.
 * Tests:     regress/unit/check_mode_copy.c, check_copy_model.c
 */
#ifndef MUX_MODE_COPY_TEXT_H
#define MUX_MODE_COPY_TEXT_H

#include "mux/vt/term.h"
#include "mux/vt/text.h"

struct copy_text {
	union {
		struct text text; /* rows.text */
		struct text_grid rows;
	};
	struct vt_point point; /* the cursor of the terminal */
	vt_row base;           /* number of the first row of the screen */
};

/* Takes the text of a terminal, wrapped for a screen of COLS by ROWS. */
void copy_text_take(struct copy_text *t, const struct vt_term *term,
    unsigned cols, unsigned rows);
void copy_text_fini(struct copy_text *t);

/* Wraps the text for another size; PLACES [N] follow their text. */
void copy_text_resize(struct copy_text *t, unsigned cols, unsigned rows,
    struct vt_pos *places, size_t n);

#endif
