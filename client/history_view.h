/*
 * client/history_view.h - a look at the history that is held here.
 *
 * Purpose:   a pager over what a client far away holds of a pane (client/history_copy.h)
 *            and what the pane shows, without the server: for links that are
 *            dead.
 * Ownership: a look owns references to its lines, as they were when it began.
 * Units:     rows of the terminal; keys as key_code.
 * Errors:    none.
 * Source:    our own; the keys are those of less and of copy mode.
 * Tests:     regress/unit/check_client_history_view.c, regress/e2e/mirror.sh
 */
#ifndef CLIENT_HISTORY_VIEW_H
#define CLIENT_HISTORY_VIEW_H

#include "base/key.h"
#include "mux/sync/tail.h"
#include "mux/vt/frame.h"

struct history_view;

/*
 * A look at the end of TAIL (or NULL) and the pane's SCREEN (or NULL) below
 * it; NULL if there is nothing above the screen.
 */
struct history_view *history_view_new(
    const struct sync_tail *tail, const struct vt_frame *screen);
void history_view_free(struct history_view *p); /* NULL is fine */

/* A key, on a terminal with ROWS rows; false: it ends the look. */
bool history_view_key(struct history_view *p, key_code key, unsigned rows);

/* What the terminal shows of it. */
struct vt_frame *history_view_draw(const struct history_view *p,
    const struct grapheme_table *gt, unsigned cols, unsigned rows);

#endif
