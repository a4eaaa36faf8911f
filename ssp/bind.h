/*
 * ssp/bind.h - joins a state transport and the connection that carries it.
 *
 * Purpose:   the payload table (ssp/payload.h) of an ssp_transport, and the
 *            way back for the fate of datagrams.
 * Ownership: struct ssp_bind is the caller's and must stay where it is while
 *            both live; it owns neither.  Free the connection first.
 * Units:     see ssp/transport.h and ssp/conn.h.
 * Errors:    none of its own.
 * Tests:     regress/unit/check_ssp_bind.c
 *
 * Order: ssp_bind_transport (wires the config, makes the transport), then a
 * connection whose config has ssp_bind_payload, then ssp_bind_conn.
 */
#ifndef SSP_BIND_H
#define SSP_BIND_H

#include "ssp/conn.h"
#include "ssp/transport.h"

struct ssp_bind {
	struct ssp_transport *tp;
	struct ssp_conn *conn; /* NULL until ssp_bind_conn */
};

/* Makes the transport of CFG, whose on_packet is then ours. */
void ssp_bind_transport(
    struct ssp_bind *b, struct ssp_transport_cfg *cfg, mono_ms now);

/* What goes into struct ssp_conn_cfg. */
struct ssp_payload ssp_bind_payload(struct ssp_bind *b);

void ssp_bind_conn(struct ssp_bind *b, struct ssp_conn *conn);

#endif
