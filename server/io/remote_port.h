/*
 * server/io/remote_port.h - the UDP port of remote clients.
 *
 * Purpose:   binds one port for IPv4 and IPv6, as far as the machine has them.
 * Errors:    -ERR_SYNTAX: PORTS is not a port or range; -ERR_SYS: none is free.
 * Source:    remote-ports in rmux(1).
 * Tests:     regress/unit/check_remote.c
 */
#ifndef SERVER_IO_REMOTE_PORT_H
#define SERVER_IO_REMOTE_PORT_H

#include "base/io/udp.h"

/*
 * Binds the first port of PORTS ("60001", "60000:61000", "60000-61000") that is
 * free for both families.
 * Out:     udp    the sockets of IPv4 and IPv6; NULL where there is none
 *          bound  the port
 */
int remote_port_bind(const char *ports, struct udp *udp[2], uint16_t *bound,
    struct cause *c) WARN_UNUSED;

#endif
