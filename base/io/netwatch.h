/*
 * base/io/netwatch.h - reports changes of the machine's addresses.
 *
 * Purpose:   a descriptor for the event loop that becomes readable when an
 *            address or a default route is added or removed, or an interface goes
 *            up or down, so that roaming need not wait for a timeout.
 * Ownership: the caller closes the descriptor.
 * Errors:    -ERR_UNSUPPORTED where the system has no such descriptor, -ERR_SYS
 *            with errno set.
 * Source:    rtnetlink(7), netlink(7).
 * Tests:     regress/unit/check_netwatch.c
 */
#ifndef BASE_IO_NETWATCH_H
#define BASE_IO_NETWATCH_H

#include <stdbool.h>

#include "base/err.h"

/* Returns a non-blocking, close-on-exec descriptor, or an error. */
int netwatch_open(void);

/* Reads all messages; returns whether one of these things has changed. */
bool netwatch_changed(int fd);

#endif
