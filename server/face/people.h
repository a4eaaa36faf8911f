/*
 * server/face/people.h - the others: who comes and goes, where they are.
 *
 * Purpose:   messages when somebody joins or leaves a session, marks where the
 *            others' cursors are, whom to follow.
 * Ownership: nothing is kept but times in the viewers.
 * Units:     cells of the client's terminal, milliseconds.
 * Errors:    none.
 * Source:    our own; options join-messages and other-cursors.
 * Tests:     regress/e2e/people_five.sh
 */
#ifndef SERVER_FACE_PEOPLE_H
#define SERVER_FACE_PEOPLE_H

#include "mux/sync/view.h"

struct client;
struct viewer;
struct viewers;
struct window;

/* Tells the others of its session that C is there, or goes. */
void people_joined(struct viewers *vs, const struct client *c);
void people_left(struct viewers *vs, const struct client *c);

/* The person at VW typed: the others may see where. */
void people_typed(struct viewer *vw);

/*
 * The others' cursors in the panes of W, as surfaces ID, ID + 1 ...: a
 * coloured cell where another pane's cursor is, a name while its owner types.
 */
void people_draw(
    struct viewer *vw, struct sync_view *v, struct window *w, uint64_t id);

/* The client used last of C's session that is not C, or NULL. */
struct client *people_next(const struct client *c);

#endif
