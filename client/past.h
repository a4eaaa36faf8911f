/*
 * client/past.h - a look at the history that is held here.
 *
 * Purpose:   a pager over what a client far away holds of a pane (client/held.h)
 *            and what the pane shows, without the server: for links that are
 *            dead.
 * Ownership: a look owns references to its lines, as they were when it began.
 * Units:     rows of the terminal; keys as key_code.
 * Errors:    none.
 * Source:    our own; the keys are those of less and of copy mode.
 * Tests:     regress/unit/check_client_past.c, regress/e2e/mirror.sh
 */
#ifndef CLIENT_PAST_H
#define CLIENT_PAST_H

#include "base/key.h"
#include "mux/sync/tail.h"
#include "mux/vt/frame.h"

struct past;

/*
 * A look at the end of TAIL (or NULL) and the pane's SCREEN (or NULL) below
 * it; NULL if there is nothing above the screen.
 */
struct past *past_new(
    const struct sync_tail *tail, const struct vt_frame *screen);
void past_free(struct past *p); /* NULL is fine */

/* A key, on a terminal with ROWS rows; false: it ends the look. */
bool past_key(struct past *p, key_code key, unsigned rows);

/* What the terminal shows of it. */
struct vt_frame *past_draw(const struct past *p,
    const struct grapheme_table *gt, unsigned cols, unsigned rows);

#endif
