/*
 * client/history_view.h - copy mode over the client's copy of a pane's history.
 *
 * Purpose:   shows the lines of client/history_copy.h and the pane's screen
 *            without the server, for a link that is down: scrolls, searches,
 *            selects and copies.
 * Ownership: a view owns references to its lines, as they were when it was
 *            opened.
 * Units:     rows of the terminal; keys as key_code.
 * Source:    the keys are those of the user's copy mode, if the server has sent
 *            them, else those of copy-mode-vi; / and ? search.
 * Tests:     regress/unit/check_client_history_view.c, regress/e2e/mirror.sh
 */
#ifndef CLIENT_HISTORY_VIEW_H
#define CLIENT_HISTORY_VIEW_H

#include "base/buf.h"
#include "base/key.h"
#include "mux/sync/tail.h"
#include "mux/vt/frame.h"

struct grapheme_table;
struct history_view;

/*
 * Opens a view at the end of TAIL (or NULL) with the pane's SCREEN below it.
 * SETUP (or NULL) is that of copy mode in the server's view. Returns NULL if
 * there are no lines above the screen.
 */
struct history_view *history_view_new(const struct sync_tail *tail,
    const struct vt_frame *screen, struct vt_str *setup);
void history_view_free(struct history_view *p); /* NULL is fine */

/*
 * Handles a key on a terminal with ROWS rows; appends the text that it copies
 * to COPIED. Returns false if it closes the view.
 */
bool history_view_key(struct history_view *p, const struct grapheme_table *gt,
    key_code key, unsigned rows, struct buf *copied);

/* Draws the visible part. */
struct vt_frame *history_view_draw(struct history_view *p,
    const struct grapheme_table *gt, unsigned cols, unsigned rows);

#endif
