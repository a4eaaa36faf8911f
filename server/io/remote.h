/*
 * server/io/remote.h - remote clients: datagrams instead of the control socket.
 *
 * Purpose:   one UDP port for all of them, told apart by connection id; each
 *            has its own keys and drives a viewer like any other client.
 * Ownership: the server owns its remotes.  A remote outlives its viewer until
 *            the client has confirmed the end; then its key is wiped.
 * Units:     milliseconds.
 * Errors:    no port, no room for keys: reported to the process that attaches.
 *            Datagrams that fail a check are dropped.
 * Source:    doc/PROTOCOL.md, part A.
 * Tests:     regress/unit/check_remote.c, regress/e2e/remote.sh
 */
#ifndef SERVER_IO_REMOTE_H
#define SERVER_IO_REMOTE_H

#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/types.h"
#include "server/io/link.h"
#include "ssp/datagram.h"
#include "ssp/words.h"

struct conn;
struct conns;
struct guest_datagram;
struct options;
struct remote;
struct remote_port;
struct remotes;
struct run;
struct udp_msg;

/*
 * A first datagram for an unknown connection id.  Returns whether a copy of it
 * waits for its admission (see remotes_enter).
 */
typedef bool (*remote_knock_fn)(
    void *arg, const struct ssp_dgram *d, const struct udp_msg *m);

/* The port is bound when it is first needed. */
struct remotes *remotes_new(
    struct run *run, struct conns *cs, remote_knock_fn knock, void *arg);

/* No link may be in use; NULL is fine. */
void remotes_free(struct remotes *rs);

/*
 * Makes a remote for the client that signs in by connection CONN, with a new
 * connection id and key (sent by conn_set_remote); NULL with a cause.
 */
struct link *remote_open(struct remotes *rs, uint64_t conn,
    const struct link_user *user, void *arg, struct cause *c) WARN_UNUSED;

/* The same with a connection id and key that both ends have already. */
struct link *remote_open_as(struct remotes *rs, uint64_t conn, uint64_t cid,
    const uint8_t *psk, const struct link_user *user, void *arg,
    struct cause *c) WARN_UNUSED;

/*
 * Lets a datagram that waited go on to the queue of the guest that has CID;
 * false: there is none, or its queue is full.
 */
bool remotes_enter(
    struct remotes *rs, uint64_t cid, const struct guest_datagram *d);

/* Returns the remote of a far link. */
struct remote *remote_of_link(struct link *l);

/*
 * Gives the UDP port, which stays open until remote_release_port; binds it
 * first if necessary.  It is also open while there is a remote client.
 */
int remote_keep_port(
    struct remotes *rs, uint16_t *port, struct cause *c) WARN_UNUSED;
void remote_release_port(struct remotes *rs);

/* Returns the port, which remotes_free frees. */
struct remote_port *remotes_port(struct remotes *rs);

/* Handles the end of child PID; returns whether a remote client ran it. */
bool remotes_reaped(struct remotes *rs, pid_t pid, int status);

/* Returns whether the client of a far link may open streams. */
bool remote_streams(const struct link *l);

/* The client has no view: exec-silence-timeout holds for it. */
void remote_carries(struct link *l);

/*
 * FN is called when a client offers an agent (NAME NULL), or the socket NAME;
 * false: it is not wanted.
 */
void remotes_set_agent(
    struct remotes *rs, bool (*fn)(void *arg, const char *name), void *arg);

/*
 * Joins FD, which wants an agent, or the socket NAME, to that of the client, or
 * of the newest client that offers one; false: there is none, and FD stays the
 * caller's.
 */
bool remote_agent(struct remote *r, const char *name, int fd);
bool remotes_agent(struct remotes *rs, const char *name, int fd);
bool remote_offers_agent(const struct remote *r, const char *name);

/* See ssp/io/forward.h; those that the client has asked for. */
struct forward_info;
void remote_forwards_each(const struct remote *r,
    void (*fn)(void *arg, const struct forward_info *i), void *arg);
unsigned remote_forwards(const struct remote *r);
unsigned remote_forwards_kill(const struct remote *r, const char *place);

/* Returns whether a client has not yet confirmed the end. */
bool remotes_busy(const struct remotes *rs);

/* State of a remote client's link. */
struct remote_info {
	char address[64]; /* "192.0.2.1:60000", "ssh", "" */
	const char *link; /* "udp", "ssh", "opening", "lost" */
	const char *keys; /* "x25519", "x25519+mlkem768"; "": not yet */
	mono_ms rtt;      /* MONO_NEVER: not known */
	unsigned loss;    /* per 10,000 */
	mono_ms heard;    /* since then; MONO_NEVER: never */
	char words[SSP_WORDS_TEXT]; /* of the first handshake, or "" */
};

void remote_info(const struct remote *r, struct remote_info *info);

/* Says how bulk goes to the client, and why. */
void remote_pace(const struct remote *r, char *out, size_t size);

/* Passes the option pace of O on to a transport. */
void remote_pace_by(
    struct ssp_transport *tp, mono_ms now, const struct options *o);

#endif
