/*
 * server/face/guest.h - names and terminal types sent by guests.
 *
 * Purpose:   security: removes harmful characters from them.
 * Ownership: new strings are the caller's (mem_free).
 * Source:    doc/SECURITY.md, "Guests".
 * Tests:     regress/e2e/people.sh
 */
#ifndef SERVER_FACE_GUEST_H
#define SERVER_FACE_GUEST_H

#include "mux/sync/input.h"

struct client;
struct viewer;

/* Sets the guest's name and TERM from its SYNC_HELLO; ignores a second one. */
void guest_hello(struct viewer *vw, const struct sync_event *ev);

/*
 * security: tells whether an event of a guest may be handled. Excess is refused,
 * counted and reported to the owner; the last of many sizes is handled later.
 */
bool guest_may(struct viewer *vw, mono_ms now, const struct sync_event *ev);

/* Counts and reports an event or datagram of the guest that was refused. */
void guest_refused(struct viewer *vw);

/* Function for VIEWER_DUE_SIZE: handles the size that has waited. */
void guest_size_due(struct viewer *vw, mono_ms now);

/* A copy of text that a client's terminal sent; cleaned for a guest. */
char *guest_word_new(const struct client *c, const char *p, size_t n);

#endif
