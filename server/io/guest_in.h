/*
 * server/io/guest_in.h - the datagrams of a guest wait for their turn.
 *
 * Purpose:   a copy of each datagram of a guest waits in a queue of its own
 *            until the guests' lane (server/run/lane) has time for it, so that
 *            the owner's datagrams, which share the socket, pass it.  First
 *            datagrams of newcomers wait in a queue of their invitation.
 * Ownership: a guest's remote or an invitation owns it; it owns the copies.
 * Units:     datagrams of at most SSP_DGRAM_ETHERNET bytes; longer ones are dropped.
 * Tests:     regress/unit/check_guest_in.c
 */
#ifndef SERVER_IO_GUEST_IN_H
#define SERVER_IO_GUEST_IN_H

#include "base/io/udp.h"
#include "server/run/lane.h"
#include "ssp/path.h"

#define GUEST_IN_MAX 32 /* of a guest: a batch of the socket */

struct guest_in;
struct port_socket;

/* A datagram that waited. */
struct guest_datagram {
	struct list_node node;
	struct ssp_path_addr from;
	struct port_socket *socket;
	unsigned ecn;
	size_t len;
	uint8_t data[];
};

struct guest_in_ops {
	/* Takes a datagram; it is freed afterwards.  May free the queue. */
	void (*take)(void *arg, struct guest_datagram *d);
	/*
	 * Handles events of the datagrams taken so far; returns whether some
	 * are left.  No datagram is taken before them.  NULL: there are none.
	 */
	bool (*events)(void *arg);
};

struct guest_in *guest_in_new(
    struct lane *lane, const struct guest_in_ops *ops, void *arg);

/* Drops what waits; NULL is fine. */
void guest_in_free(struct guest_in *gi);

/* Queues a copy of M; false if the queue is full. */
bool guest_in_add(
    struct guest_in *gi, struct port_socket *socket, const struct udp_msg *m);

/* The same with a copy of D, which waited in another queue. */
bool guest_in_move(struct guest_in *gi, const struct guest_datagram *d);

/* Events wait that came by another way than the queue. */
void guest_in_events(struct guest_in *gi);

#endif
