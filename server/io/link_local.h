/*
 * server/io/link_local.h - the control socket as a link.
 *
 * Purpose:   carries the SSP payloads of a client on this machine.
 * Ownership: as link.h; the connection is found by its id at each use.
 * Tests:     regress/unit/check_link.c
 */
#ifndef SERVER_IO_LINK_LOCAL_H
#define SERVER_IO_LINK_LOCAL_H

#include "server/io/link.h"

struct conns;

struct link *link_local_new(
    struct conns *cs, uint64_t conn, const struct link_user *user, void *arg);

#endif
