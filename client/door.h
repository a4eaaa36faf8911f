/*
 * client/door.h - forwards of a client that is attached: rmux forward-add,
 * forward-cancel and forward-list.
 *
 * Purpose:   speaks with the door of another process of this user (ssp/door.h),
 *            in the user's folder of sockets.
 * Ownership: pointers are the caller's.
 * Errors:    printed on standard error; the exit code is 1.
 * Source:    ssh -O forward, cancel.
 * Tests:     regress/e2e/forward_more.sh
 */
#ifndef CLIENT_DOOR_H
#define CLIENT_DOOR_H

#include <stdbool.h>

struct client_args;

/*
 * Returns the path of this process's door for HOST (mem_free), whose folder it
 * makes; NULL: it can have none.
 */
char *door_path_new(const char *host);

/* Returns whether WORD, which may be NULL, is one of the three commands. */
bool door_is(const char *word);

/* Runs that command; returns the exit code. */
int door_run(const struct client_args *a);

#endif
