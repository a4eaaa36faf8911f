/*
 * server/io/link.h - the link that carries an attached client.
 *
 * Purpose:   one interface over the control socket (io/link_local) and
 *            datagrams (io/remote): the viewer above builds frames for a
 *            transport and does not know which link it is.
 * Ownership: the viewer owns its link, sets user and arg, and ends it by
 *            link_ops.close; the link owns the transport.
 * Units:     milliseconds.
 * Tests:     regress/unit/check_link.c, regress/unit/check_remote.c
 */
#ifndef SERVER_IO_LINK_H
#define SERVER_IO_LINK_H

#include "base/types.h"
#include "mux/sync/view.h"
#include "ssp/transport.h"

struct link;

/* Calls of a link to the viewer that it carries. */
struct link_user {
	/*
	 * The transport has taken new input of the client.  Returns whether a
	 * guest's turn ended before all of it was handled: call again.
	 */
	bool (*input)(void *arg);
	/* There was no room for a datagram of a guest. */
	void (*refused)(void *arg);
	/* The link may have data to send: pump it after this turn. */
	void (*wake)(void *arg);
	/* The client is gone: free the viewer. */
	void (*lost)(void *arg);
	/* A message of the client beside its input (ssp_transport_side). */
	void (*side)(void *arg, const uint8_t *p, size_t n);
};

struct link_ops {
	/* Returns whether a view built now would be sent. */
	bool (*ready)(const struct link *l);
	/*
	 * Sends what the transport allows; returns the time of the next call.
	 */
	mono_ms (*pump)(struct link *l, mono_ms now);
	/* Sends LAST (taken over), then ends the link; NULL: not needed. */
	void (*finish)(struct link *l, mono_ms now, struct sync_view *last);
	/* The viewer is being freed. */
	void (*close)(struct link *l);
	bool far; /* the client predicts; control messages ride in the view */
};

struct link {
	const struct link_ops *ops;
	const struct link_user *user;
	void *arg; /* of user */
	struct ssp_transport *tp;
	uint64_t recv_pn; /* payloads taken by link_take */
};

/* Takes a payload that has come in order; whether the peer sent news. */
static inline bool
link_take(struct link *l, mono_ms now, const uint8_t *p, size_t n)
{
	return ssp_transport_recv(l->tp, now, ++l->recv_pn, p, n) == 0;
}

#endif
