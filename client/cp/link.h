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

#include "client/cp/wire.h"

#define CP_OUT_FULL ((size_t)256 << 10)

struct cp_link {
	int in;
	int out;
	struct buf rx;
	struct buf tx;
	size_t used; /* bytes of the last message */
};

int cp_link_init(struct cp_link *l, int in, int out) WARN_UNUSED;
void cp_link_fini(struct cp_link *l);

/* Waits until at most MOST bytes wait to be written. */
int cp_link_flush(struct cp_link *l, size_t most) WARN_UNUSED;

/*
 * Takes the next message; valid until the next call.  Returns 1, 0 if there is
 * none and WAIT is not set, or an error.
 */
int cp_link_next(struct cp_link *l, bool wait, struct cp_msg *m) WARN_UNUSED;

#endif
