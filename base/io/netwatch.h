/*
 * base/io/netwatch.h - word of the machine's own addresses changing.
 *
 * Purpose:   a descriptor for the event loop that becomes readable when an
 *            address comes or goes, so that nobody has to wait for silence.
 * Ownership: the caller closes the descriptor.
 * Units:     none.
 * Errors:    -ERR_UNSUPPORTED where the system has no such thing, -ERR_SYS
 *            with errno kept.
 * Source:    rtnetlink(7), netlink(7).
 * Tests:     regress/unit/check_netwatch.c
 */
#ifndef BASE_IO_NETWATCH_H
#define BASE_IO_NETWATCH_H

#include <stdbool.h>

#include "base/err.h"

/* A descriptor that does not block and is closed on exec, or an error. */
int netwatch_open(void);

/* Takes what is there; whether it says that an address came or went. */
bool netwatch_changed(int fd);

#endif
