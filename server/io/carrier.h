/*
 * server/io/carrier.h - remote clients without a view: rmux exec, forward, cp.
 *
 * Purpose:   holds the link of a client whose connection carries streams alone.
 * Ownership: the server owns its carriers; one ends with its connection.
 * Errors:    a client that may not open streams is told so, and refused.
 * Tests:     regress/e2e/exec.sh
 */
#ifndef SERVER_IO_CARRIER_H
#define SERVER_IO_CARRIER_H

#include "base/list.h"

struct conn;
struct conns;
struct remotes;
struct run;

struct carriers {
	struct run *run;
	struct conns *conns;
	struct remotes *remotes;
	struct list all;
};

void carriers_init(struct carriers *cs, struct run *run, struct conns *conns,
    struct remotes *remotes);
void carriers_fini(struct carriers *cs);

/* Opens the link of the client that signs in by CN, or tells it why not. */
void carrier_new(struct carriers *cs, struct conn *cn);

/* Calls FN with the link of each that has one. */
struct remote;
void carriers_each(const struct carriers *cs,
    void (*fn)(void *arg, const struct remote *r), void *arg);

/* Says farewell to all of them. */
void carriers_end(struct carriers *cs);

#endif
