/*
 * client/compose.h - surfaces into one screen.
 *
 * Purpose:   what the client shows: the view's surfaces, bottom to top, cut to
 *            the terminal's size, palettes resolved, the focused surface's
 *            cursor in its place.
 * Ownership: results are new references.
 * Units:     cells.
 * Errors:    none; what lies outside is clipped, what nobody covers is filled.
 * Source:    idea 4 of ARCHITECTURE.md.
 * Tests:     regress/unit/check_term_out.c
 */
#ifndef CLIENT_COMPOSE_H
#define CLIENT_COMPOSE_H

#include "mux/sync/view.h"

/*
 * The screen of COLS x ROWS that shows V.  PREV (may be NULL) is the result of
 * the last call: rows that did not change are taken from it.
 */
struct vt_frame *compose_view(const struct sync_view *v, unsigned cols,
    unsigned rows, const struct vt_frame *prev);

#endif
