/*
 * mux/view/people.h - marks at the cursors of other users.
 *
 * Purpose:   draws a coloured cell at the cursor of another client's active
 *            pane, and the client's name while its user types.
 * Source:    option other-cursors.
 * Tests:     regress/unit/check_view_overlay.c, regress/e2e/people_five.sh
 */
#ifndef MUX_VIEW_PEOPLE_H
#define MUX_VIEW_PEOPLE_H

#include "mux/view/build.h"

/* Whether C shows marks (option other-cursors of its session). */
bool view_people_shown(const struct client *c);

/*
 * Adds marks of the other clients in the panes of W as surfaces
 * VIEW_SURFACE_PEOPLE, VIEW_SURFACE_PEOPLE + 1 ..., and sets b->people_at.
 */
void view_people_add(struct view_builder *b, struct sync_view *v,
    const struct window *w, mono_ms now);

#endif
