/*
 * regress/unit/far_util.h - a remote client against the server's remotes.
 *
 * Purpose:   signs in over a socket pair (ROAM), takes connection id and key
 *            from ROAMED and talks SSP through the tunnel or over UDP on the
 *            loopback.  The viewer above the link is a fake.
 * Ownership: far_util_fini frees all.
 * Errors:    asserts.
 */
#ifndef REGRESS_FAR_UTIL_H
#define REGRESS_FAR_UTIL_H

#include "base/io/udp.h"
#include "mux/sync/input.h"
#include "mux/sync/view.h"
#include "regress/unit/conn_util.h"
#include "server/io/remote.h"
#include "ssp/bind.h"
#include "ssp/crypto.h"

struct far_util {
	struct conn_util cu;
	struct remotes *remotes;
	struct peer peer;
	struct link *link; /* the server's; NULL once closed */
	unsigned inputs, wakes, losts, sides;
	/* A first datagram of a connection id that nobody has; may be NULL. */
	bool (*knock)(struct far_util *f, const struct ssp_dgram *d,
	    const struct udp_msg *m);

	/* The client. */
	struct ssp_keyring *keys;
	struct ssp_zip *zip;
	struct ssp_bind bind;
	struct ssp_conn *conn;
	struct udp *udp; /* NULL: the tunnel alone */
	uint64_t cid;
	int port;
	uint8_t key[SSP_KEY_LEN];
	size_t key_len; /* of the newest ROAMED */
	unsigned roamed;
};

void far_util_init(struct far_util *f);
void far_util_fini(struct far_util *f);

/* A new connection that asks for ROAM; CID 0: no client to go on with. */
void far_util_sign_in(struct far_util *f, struct peer *p, uint64_t cid);

/* The server attaches PEER; the client takes the key and starts. */
void far_util_attach(struct far_util *f, bool udp);

/* Starts the client with the connection id, key and port that it has. */
void far_util_start(struct far_util *f, bool udp);

/* One turn of both ends. */
void far_util_turn(struct far_util *f);

#define FAR_UNTIL(f, cond)                             \
 for (mono_ms late_ = run_util_deadline(); !(cond);) { \
  run_util_late(late_, #cond);                         \
  far_util_turn(f);                                    \
 }

/* The client types CP; the server shows a view whose focus is ID. */
void far_util_type(struct far_util *f, uint32_t cp);
void far_util_show(struct far_util *f, uint64_t id);

/* Characters that the server got; the focus of what the client sees. */
unsigned far_util_typed(const struct far_util *f);
uint64_t far_util_seen(const struct far_util *f);

#endif
