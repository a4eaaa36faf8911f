/*
 * server/face/people.h - the other people of a session.
 *
 * Purpose:   sends messages when somebody joins or leaves, redraws the marks
 *            of other people (mux/view/people.h) when somebody types, and finds
 *            the client to follow.
 * Source:    options join-messages and other-cursors.
 * Tests:     regress/e2e/people_five.sh
 */
#ifndef SERVER_FACE_PEOPLE_H
#define SERVER_FACE_PEOPLE_H

struct client;
struct viewer;
struct viewers;

/* Tells the other clients of its session that C has come, or leaves. */
void people_joined(struct viewers *vs, const struct client *c);
void people_left(struct viewers *vs, const struct client *c);

/* The person at VW has typed: clients that show marks draw them again. */
void people_typed(struct viewer *vw);

/* The client used last of C's session that is not C, or NULL. */
struct client *people_next(const struct client *c);

#endif
