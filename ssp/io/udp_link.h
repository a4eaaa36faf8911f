/*
 * ssp/io/udp_link.h - between UDP sockets and connections.
 *
 * Purpose:   what every shell around a connection does: its datagrams go to
 *            sockets, those of sockets to it.
 * Ownership: none; sockets and connections stay the caller's.
 * Units:     milliseconds, bytes.
 * Errors:    0 or -ERR_*.  A datagram that could not be sent counts as lost;
 *            one refused as too long is told to the connection.
 * Tests:     regress/ssp/loopback.c, regress/bench/ssp_real.c
 */
#ifndef SSP_IO_UDP_LINK_H
#define SSP_IO_UDP_LINK_H

#include "base/io/udp.h"
#include "ssp/conn.h"

/* An address as a connection keeps it, and back. */
struct ssp_addr udp_link_addr(const struct udp_addr *a);
struct udp_addr udp_link_udp_addr(const struct ssp_addr *a);

/* The path to TO from a client's socket U. */
struct ssp_path_addr udp_link_path(
    const struct udp *u, const struct ssp_addr *to);

/* The path that M came by. */
struct ssp_path_addr udp_link_from(const struct udp_msg *m);

/*
 * Gives a datagram to the connection.
 * Returns: 0, or why it was dropped.
 */
int udp_link_input(struct ssp_conn *c, mono_ms now, struct udp_msg *m);

/*
 * Sends by the socket U, unless it is NULL.
 * Returns: 0, or an error of udp_send.
 */
int udp_link_send(struct udp *u, const struct ssp_path_addr *to,
    const uint8_t *p, size_t len);

/* Sends one datagram somewhere: 0, or an error of udp_send. */
typedef int (*udp_link_fn)(
    void *arg, const struct ssp_path_addr *to, const uint8_t *p, size_t len);

/*
 * Sends all that the connection has to send now.
 * Returns: the number of datagrams.
 */
unsigned udp_link_output(
    struct ssp_conn *c, mono_ms now, udp_link_fn fn, void *arg);

#endif
