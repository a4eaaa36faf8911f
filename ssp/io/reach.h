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
 * Tests:     regress/e2e/forward.sh
 */
#ifndef SSP_IO_REACH_H
#define SSP_IO_REACH_H

#include "base/err.h"
#include "base/io/loop.h"
#include "ssp/purpose.h"

#define REACH_LISTENS \
 4 /* sockets of one place to listen at: addresses of a name */
#define REACH_TEXT 400

struct reach;

/* FD < 0: failed; TEXT says why. */
typedef void (*reach_fn)(void *arg, int fd, const char *text);

/* Starts the helper. */
int reach_new(
    struct loop *loop, struct reach **out, struct cause *c) WARN_UNUSED;
void reach_free(struct reach *r); /* NULL is fine */

/*
 * From then on the helper connects to the places of reach_target alone, and
 * listens nowhere.
 */
void reach_seal(struct reach *r);

/* Names a place that a sealed helper connects to; returns its number. */
unsigned reach_target(struct reach *r, const struct ssp_place *place);

/* Connects; FN is called once, later, unless reach_cancel comes first. */
void reach_connect(
    struct reach *r, const struct ssp_place *place, reach_fn fn, void *arg);
void reach_connect_target(
    struct reach *r, unsigned target, reach_fn fn, void *arg);

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

/* The helper: serves FD until its other end is closed.  Returns the status. */
int reach_main(int fd);

#endif
