/*
 * mux/mode/copy_take.h - collecting a long selection in slices.
 *
 * Purpose:   copies a hundred megabytes without silencing the server.
 * Ownership: owns a snapshot of the text, so the mode and its pane may end.
 * Units:     bytes of UTF-8, at most MODE_TEXT_MAX.
 * Tests:     regress/unit/check_mode_copy.c
 */
#ifndef MUX_MODE_COPY_TAKE_H
#define MUX_MODE_COPY_TAKE_H

#include "mux/mode/mode.h"

struct copy;

/*
 * Adds the selected text to TEXT, or, if it is long, makes *REST, which collects
 * it.  -ERR_LIMIT: the text is too long.
 */
int copy_take(struct copy *c, struct buf *text, struct mode_text **rest);

#endif
