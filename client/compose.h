/*
 * client/compose.h - composes surfaces into one screen.
 *
 * Purpose:   draws the view's surfaces from bottom to top, clipped to the
 *            terminal's size, with palettes resolved and the focused surface's
 *            cursor.
 * Ownership: results are new references.
 * Units:     cells.
 * Errors:    none; parts outside the screen are clipped, cells that no surface
 *            covers are filled.
 * Source:    idea 4 of ARCHITECTURE.md.
 * Tests:     regress/unit/check_term_out.c
 */
#ifndef CLIENT_COMPOSE_H
#define CLIENT_COMPOSE_H

#include "mux/sync/view.h"

/*
 * Returns the screen of COLS x ROWS that shows V. PREV (may be NULL) is the
 * result of the last call: unchanged rows are taken from it.
 */
struct vt_frame *compose_view(const struct sync_view *v, unsigned cols,
    unsigned rows, const struct vt_frame *prev);

#endif
