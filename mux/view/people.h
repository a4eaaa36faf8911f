/*
 * mux/view/people.h - marks where other people's cursors are.
 *
 * Purpose:   a coloured cell where another client's active pane has its
 *            cursor, and the client's name while somebody types there.
 * Source:    option other-cursors.
 * Tests:     regress/unit/check_view_overlay.c, regress/e2e/people_five.sh
 */
#ifndef MUX_VIEW_PEOPLE_H
#define MUX_VIEW_PEOPLE_H

#include "mux/view/build.h"

/* Whether C shows marks: other-cursors of its session. */
bool view_people_shown(const struct client *c);

/*
 * Adds marks of the other clients in the panes of W as surfaces
 * VIEW_SURFACE_PEOPLE, VIEW_SURFACE_PEOPLE + 1 ..., and sets b->people_at.
 */
void view_people_add(struct view_builder *b, struct sync_view *v,
    const struct window *w, mono_ms now);

#endif
