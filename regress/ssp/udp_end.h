/*
 * regress/ssp/udp_end.h - one end of a connection over a real socket, for
 * tests and benches.
 *
 * Purpose:   a connection and its socket, with input and output.
 * Ownership: the caller owns both.
 * Units:     bytes.
 * Errors:    a datagram that could not be sent counts as lost.
 * Tests:     regress/ssp/loopback.c
 */
#ifndef REGRESS_SSP_UDP_END_H
#define REGRESS_SSP_UDP_END_H

#include "ssp/io/udp_link.h"

struct udp_end {
	struct ssp_conn *conn;
	struct udp *udp;
};

/* Random bytes, for struct ssp_conn_cfg. */
void udp_end_random(void *arg, void *out, size_t n);

/* Passes received datagrams to the connection. */
void udp_end_recv(struct udp_end *e);

/* Sends what is due now; events are dropped. */
void udp_end_send(struct udp_end *e);

#endif
