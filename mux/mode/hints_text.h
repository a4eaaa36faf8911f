/*
 * mux/mode/hints_text.h - rows of text that stay as they are.
 *
 * Purpose:   keeps the rows that a pane shows, and the rest of the wrapped
 *            lines at both ends, while the program writes on.
 * Ownership: holds references to the lines.
 * Units:     row 0 is the first row kept.
 * Tests:     regress/unit/check_hints.c
 */
#ifndef MUX_MODE_HINTS_TEXT_H
#define MUX_MODE_HINTS_TEXT_H

#include "mux/vt/text.h"

#define HINTS_TEXT_MORE 64 /* rows beyond either end */

struct hints_text {
	struct text text;
	struct vt_line **lines; /* [count] */
	unsigned count;
	unsigned cols;
	unsigned top; /* the first row in sight */
};

/* Takes ROWS rows of SRC from TOP on; there is at least one. */
void hints_text_take(
    struct hints_text *t, struct text *src, vt_row top, unsigned rows);
void hints_text_fini(struct hints_text *t);

#endif
