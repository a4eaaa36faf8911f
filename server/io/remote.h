/*
 * server/io/remote.h - clients far away: datagrams instead of the control socket.
 *
 * Purpose:   one UDP port for all of them, told apart by connection id; each
 *            has keys of its own and drives a viewer like any other client.
 * Ownership: the server owns its remotes; one outlives its viewer by the
 *            seconds that the farewell takes, and then its key is wiped.
 * Units:     milliseconds.
 * Errors:    no port, no room for keys: said to who wanted to attach.
 *            Datagrams that are no good are dropped and counted.
 * Source:    doc/PROTOCOL.md, part A.
 * Tests:     regress/e2e/remote.sh
 */
#ifndef SERVER_IO_REMOTE_H
#define SERVER_IO_REMOTE_H

#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/types.h"

struct conn;
struct remote;
struct remotes;
struct server;
struct viewer;

/* Gives VW datagrams as its link; told to its connection by conn_set_remote. */
int remote_open(struct viewer *vw, struct cause *c) WARN_UNUSED;

/* The same under a connection id and key that both ends have. */
int remote_open_as(struct viewer *vw, uint64_t cid, const uint8_t *psk,
    struct cause *c) WARN_UNUSED;

/* The UDP port, opened if it is not. */
int remote_port(struct server *sv, uint16_t *port, struct cause *c) WARN_UNUSED;

/* Appends ROAMED to OUT: with the key the first time, then without. */
void remote_offer(struct remote *r, struct buf *out);

/*
 * The client CID has come by ssh again, with the connection CN of user UID, and
 * asks whether it is still known.
 * Returns: it, if it is that user's; CN is then one more way to it.  NULL: it
 *          is to be made anew.
 */
struct remote *remote_resume(
    struct server *sv, uint64_t cid, uid_t uid, struct conn *cn);

/*
 * A datagram came through the tunnel of the control connection CONN (opened in
 * place); that tunnel is gone.
 */
void remote_tunnel(struct remote *r, uint64_t conn, uint8_t *p, size_t n);
void remote_tunnel_gone(struct remote *r, uint64_t conn);

/* Somebody is still to be told the end. */
bool remotes_busy(const struct remotes *rs);

/* RS may be NULL; no viewer may be left. */
void remotes_free(struct remotes *rs);

/* What is known of a remote client's link. */
struct remote_info {
	char address[64]; /* "192.0.2.1:60000", "ssh", "" */
	const char *link; /* "udp", "ssh", "opening", "lost" */
	mono_ms rtt;      /* MONO_NEVER: not known */
	unsigned loss;    /* per 10,000 */
	mono_ms heard;    /* since then; MONO_NEVER: never */
};

void remote_info(struct remote *r, struct remote_info *info);

#endif
