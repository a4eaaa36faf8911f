/*
 * client/cp/link.h - the two streams between the sender and the taker of files.
 *
 * Purpose:   sends and receives messages without a deadlock: whoever waits to
 *            write reads as well.
 * Ownership: the caller owns the descriptors, which become non-blocking.
 * Units:     bytes.
 * Errors:    -ERR_CLOSED: the peer has gone; -ERR_PEER: it sent nonsense.
 * Tests:     regress/e2e/cp.sh
 */
#ifndef CLIENT_CP_LINK_H
#define CLIENT_CP_LINK_H

#include "client/cp/tell.h"
#include "client/cp/wire.h"

#define CP_OUT_FULL ((size_t)256 << 10)

struct stat;

struct cp_link {
	int in;
	int out;
	const struct cp_user *user; /* NULL: the user is elsewhere */
	struct buf rx;
	struct buf tx;
	size_t used; /* bytes of the last message */
};

/* Borrows USER, who is told when nothing comes or goes, for the link's life. */
int cp_link_init(
    struct cp_link *l, int in, int out, const struct cp_user *user) WARN_UNUSED;
void cp_link_fini(struct cp_link *l);

/* Waits until at most MOST bytes wait to be written. */
int cp_link_flush(struct cp_link *l, size_t most) WARN_UNUSED;

/*
 * Takes the next message; valid until the next call.  Returns 1, 0 if there is
 * none and WAIT is not set, or an error.
 */
int cp_link_next(struct cp_link *l, bool wait, struct cp_msg *m) WARN_UNUSED;

/* Tells an error to the user; U is NULL if the user is at the other end. */
void cp_say(
    struct cp_link *l, struct cp_user *u, const char *path, const char *why);

/* Tells the user U (NULL: nobody is here) an error of the other end. */
void cp_said(struct cp_user *u, const struct cp_msg *m);

/* Returns the time of the last change as messages have it. */
uint64_t cp_file_time(const struct stat *st);

#endif
