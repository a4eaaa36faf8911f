/*
 * ssp/io/reach.h - a helper process that connects and listens.
 *
 * Purpose:   looking up a name may take seconds, and a confined client may
 *            neither connect nor listen.  So another process of rmux does, and
 *            passes the descriptors.
 * Ownership: struct reach is the end of its user; reach_free ends the helper.
 *            Descriptors become the caller's; they are non-blocking and
 *            close-on-exec.
 * Errors:    texts for people: "connect db:5432: Connection refused".
 * Source:    OpenSSH's privilege separation.
 * Tests:     regress/unit/check_reach.c, regress/e2e/forward.sh,
 *            forward_more.sh
 */
#ifndef SSP_IO_REACH_H
#define SSP_IO_REACH_H

#include "base/err.h"
#include "base/io/loop.h"
#include "ssp/forward_spec.h"

#define REACH_LISTENS \
 4 /* sockets of one place to listen at: addresses of a name */
#define REACH_ENTRIES 256        /* forwards that one user asks for */
#define REACH_DESK REACH_ENTRIES /* the entry of the desk */
#define REACH_TEXT 400

struct reach;

/* What has gone through one forward. */
struct reach_counts {
	uint64_t connections; /* open ones */
	uint64_t in, out;     /* bytes that came over the link, and went */
	uint16_t port;        /* where the other end listens, if it chose */
};

/*
 * What the user has asked for at the door; each wants one reach_tell with its
 * NUMBER.
 */
struct reach_news {
	/* ENTRY is SPEC; N sockets listen for it, which become the callee's. */
	void (*added)(void *arg, uint32_t number, unsigned entry,
	    const struct forward_spec *spec, const int *fds, unsigned n);
	void (*cancelled)(void *arg, uint32_t number, unsigned entry);
	/* reach_count for each forward, before reach_tell. */
	void (*count)(void *arg, uint32_t number);
};

/* FD < 0: failed; TEXT says why. */
typedef void (*reach_fn)(void *arg, int fd, const char *text);

/* Starts the helper. */
int reach_new(
    struct loop *loop, struct reach **out, struct cause *c) WARN_UNUSED;

/* The same with a helper that runs, or will, at the other end of FD. */
struct reach *reach_at(struct loop *loop, int fd);
void reach_free(struct reach *r); /* NULL is fine */

/*
 * From then on the helper connects to the places of its entries alone, and
 * listens nowhere but for the door.
 */
void reach_seal(struct reach *r);

/* Connects; FN is called once, later, unless reach_cancel comes first. */
void reach_connect(
    struct reach *r, const struct ssp_place *place, reach_fn fn, void *arg);
void reach_connect_entry(
    struct reach *r, unsigned entry, reach_fn fn, void *arg);

/* Calls NEWS for requests of the door. */
void reach_set_news(struct reach *r, const struct reach_news *news, void *arg);

/* Answers a request of the door; TEXT "": there is nothing to tell. */
void reach_tell(
    struct reach *r, uint32_t number, bool failed, const char *text);
void reach_count(struct reach *r, uint32_t number, unsigned entry,
    const struct reach_counts *counts);

/* Forgets all connects with ARG. */
void reach_cancel(struct reach *r, const void *arg);

/*
 * Listens, and waits for that.  Out: FDS, their number in *n, the port of the
 * first in *port.  The helper removes the path of a Unix socket when it ends, or
 * by reach_unlisten.
 */
int reach_listen(struct reach *r, const struct ssp_place *place,
    int fds[REACH_LISTENS], unsigned *n, uint16_t *port,
    struct cause *c) WARN_UNUSED;
void reach_unlisten(struct reach *r, const struct ssp_place *place);

/*
 * Makes an entry of SPEC, and waits for that: what its user asks for. *n is 0
 * unless it listens on this machine. Entries keep their paths.
 */
int reach_own(struct reach *r, const struct forward_spec *spec,
    int fds[REACH_LISTENS], unsigned *n, unsigned *entry,
    struct cause *c) WARN_UNUSED;

/* Gives up an entry that the other end refuses. */
void reach_forget(struct reach *r, unsigned entry);

/*
 * The desk: reach_connect_entry of REACH_DESK connects with FN, which the helper
 * runs in a process of its own.  FD is its end, ASK as below; both end with it.
 */
struct reach_desk {
	void (*fn)(const void *arg, int fd, int ask);
	const void *arg;
	int ask; /* a descriptor that FN needs */
};

/*
 * The helper: serves FD until its other end is closed.  Returns the status.
 * SEALED: from the beginning.  DOOR: listens for the user's other processes, or
 * -1; it is not served before the seal.  DESK: NULL: there is none.
 */
int reach_main(int fd, bool sealed, int door, const struct reach_desk *desk);

/*
 * Listens at PATH, in a folder of this user alone, as a door; -1: it cannot.
 */
int reach_door_open(const char *path);

#endif
