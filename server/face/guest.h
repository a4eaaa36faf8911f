/*
 * server/face/guest.h - what a guest's program says of itself.
 *
 * Purpose:   cleans the names that a guest chooses.
 * Ownership: new strings are the caller's (mem_free).
 * Source:    doc/SECURITY.md, "Guests".
 * Tests:     regress/e2e/people.sh
 */
#ifndef SERVER_FACE_GUEST_H
#define SERVER_FACE_GUEST_H

#include "mux/sync/input.h"

struct client;
struct viewer;

/* Takes the guest's name and terminal, once. */
void guest_hello(struct viewer *vw, const struct sync_event *ev);

/* Text of a client's terminal; a guest's without harmful characters. */
char *guest_word_new(const struct client *c, const char *p, size_t n);

#endif
