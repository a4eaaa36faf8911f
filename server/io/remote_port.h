/*
 * server/io/remote_port.h - the UDP port of remote clients.
 *
 * Purpose:   binds one port on the addresses of remote-bind while somebody
 *            needs it, and closes it afterwards.
 * Ownership: the remotes own it; it owns its sockets.
 * Errors:    -ERR_SYNTAX: remote-ports is not a port or range, remote-bind has
 *            a word that is no address; -ERR_SYS: no port is free, or the
 *            machine does not have the address.
 * Source:    remote-ports and remote-bind in rmux.conf(5).
 * Tests:     regress/unit/check_remote.c
 */
#ifndef SERVER_IO_REMOTE_PORT_H
#define SERVER_IO_REMOTE_PORT_H

#include "base/io/udp.h"
#include "ssp/path.h"

struct port_socket;
struct remote_port;
struct run;

#define REMOTE_BIND_MAX 8 /* addresses in remote-bind */

/* Makes a port that passes datagrams to FN; binds nothing yet. */
struct remote_port *remote_port_new(struct run *run, udp_fn fn, void *arg);

/* Closes the port; NULL is fine. */
void remote_port_free(struct remote_port *rp);

/*
 * Counts one more user, and binds the first of remote-ports ("60001",
 * "60000:61000", "60000-61000") that is free on all addresses.
 */
int remote_port_hold(struct remote_port *rp, struct cause *c) WARN_UNUSED;

/* Counts one user less; the port closes after this turn if it was the last. */
void remote_port_drop(struct remote_port *rp);

/* Returns the port; 0: closed. */
uint16_t remote_port_number(const struct remote_port *rp);

/* The socket of the datagram that FN is given; NULL outside of FN. */
struct port_socket *remote_port_reading(const struct remote_port *rp);

/*
 * A datagram of FROM proved nothing, or there was no room for it.  A socket
 * that such datagrams flood is read once a millisecond, all at once.
 */
void remote_port_junk(struct remote_port *rp, struct port_socket *from);

struct remote_port_stats {
	uint64_t read;  /* datagrams */
	uint64_t junk;  /* of them, those of remote_port_junk */
	uint64_t rests; /* of a socket under a flood */
};

struct remote_port_stats remote_port_stats(const struct remote_port *rp);

/* Sends N bytes over the path TO; see udp_send. */
int remote_port_send(struct remote_port *rp, const struct ssp_path_addr *to,
    const uint8_t *p, size_t n, size_t part);

#endif
