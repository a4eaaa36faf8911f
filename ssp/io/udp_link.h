/*
 * ssp/io/udp_link.h - moves datagrams between UDP sockets and connections.
 *
 * Purpose:   the part that every program around a connection needs: datagrams
 *            of the connection to sockets, and of sockets to the connection.
 * Ownership: the caller owns sockets and connections.
 * Units:     milliseconds, bytes.
 * Errors:    0 or -ERR_*.  A datagram that could not be sent counts as lost;
 *            the connection learns of one refused as too long.
 * Tests:     regress/ssp/loopback.c, regress/bench/ssp_real.c
 */
#ifndef SSP_IO_UDP_LINK_H
#define SSP_IO_UDP_LINK_H

#include "base/io/udp.h"
#include "ssp/conn.h"

/* Convert an address to the form of a connection, and back. */
struct ssp_addr udp_link_addr(const struct udp_addr *a);
struct udp_addr udp_link_udp_addr(const struct ssp_addr *a);

/* Returns the path to TO from the client's socket U. */
struct ssp_path_addr udp_link_path(
    const struct udp *u, const struct ssp_addr *to);

/* Returns the path by which M arrived. */
struct ssp_path_addr udp_link_from(const struct udp_msg *m);

/*
 * Passes a datagram to the connection.
 * Returns: 0, or why it was dropped.
 */
int udp_link_input(struct ssp_conn *c, mono_ms now, struct udp_msg *m);

/*
 * Sends datagrams of PART bytes each (the last may be shorter) through the
 * socket U.
 * Returns: 0, an error of udp_send_parts, or -ERR_STATE if U is NULL.
 */
int udp_link_send(struct udp *u, const struct ssp_path_addr *to,
    const uint8_t *p, size_t len, size_t part);

/* The same for a path; datagrams of a stream come one by one (LEN is PART). */
typedef int (*udp_link_fn)(void *arg, const struct ssp_path_addr *to,
    const uint8_t *p, size_t len, size_t part);

/*
 * Sends everything that the connection has to send now.
 * Returns: the number of datagrams.
 */
unsigned udp_link_output(
    struct ssp_conn *c, mono_ms now, udp_link_fn fn, void *arg);

#endif
