/*
 * server/face/people.h - messages and marks of the other users of a session.
 *
 * Purpose:   sends messages when a client joins or leaves, redraws the marks of
 *            other users (mux/view/people.h) when a user types, and finds the
 *            client to follow.
 * Source:    options join-messages and other-cursors.
 * Tests:     regress/e2e/people_five.sh
 */
#ifndef SERVER_FACE_PEOPLE_H
#define SERVER_FACE_PEOPLE_H

#include "mux/client.h"
#include "server/run/audit.h"

struct pane;
struct viewer;
struct viewers;

/* Whether the audit log records what the client does. */
static inline bool
people_watched(const struct client *c)
{
	return c->guest || c->role != CLIENT_ADMIN;
}

/* Shows the other clients of C's session that C has joined or leaves. */
void people_joined(struct viewers *vs, const struct client *c);
void people_asked(struct viewers *vs, const struct client *c); /* records it */
void people_left(struct viewers *vs, const struct client *c);

/* Notes that VW's person has sent N of WHAT to P's program. */
void people_typed_into(
    struct viewer *vw, struct pane *p, enum audit_count what, uint64_t n);

/* Redraws the clients that mark the cursor of VW's user, who has typed. */
void people_typed(struct viewer *vw);

/* The most recently used other client of C's session, or NULL. */
struct client *people_next(const struct client *c);

#endif
