/*
 * ssp/bind.h - connects a state transport to the connection that carries it.
 *
 * Purpose:   the payload operations (ssp/payload.h) of an ssp_transport; passes
 *            the fate of datagrams back to the connection.
 * Ownership: the caller owns struct ssp_bind, which must not move while
 *            transport or connection live; it owns neither.  Free the
 *            connection first.
 * Units:     see ssp/transport.h and ssp/conn.h.
 * Tests:     regress/unit/check_ssp_bind.c
 *
 * Call order: ssp_bind_transport (completes the config, makes the transport);
 * make a connection with ssp_bind_payload in its config; ssp_bind_conn.
 */
#ifndef SSP_BIND_H
#define SSP_BIND_H

#include "ssp/conn.h"
#include "ssp/transport.h"

struct ssp_bind {
	struct ssp_transport *tp;
	struct ssp_conn *conn; /* NULL until ssp_bind_conn */
};

/* Makes the transport of CFG and sets its on_packet. */
void ssp_bind_transport(
    struct ssp_bind *b, struct ssp_transport_cfg *cfg, mono_ms now);

/* Returns the payload for struct ssp_conn_cfg. */
struct ssp_payload ssp_bind_payload(struct ssp_bind *b);

void ssp_bind_conn(struct ssp_bind *b, struct ssp_conn *conn);

#endif
