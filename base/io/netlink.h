/*
 * base/io/netlink.h - the socket to the kernel about interfaces and routes, and
 * the messages that come by it.
 *
 * Purpose:   what netif.c and netwatch.c share; private to base/io/.  Linux only.
 * Ownership: the caller closes the descriptor.
 * Errors:    -ERR_SYS with errno set.
 * Source:    netlink(7).
 * Tests:     regress/unit/check_netif.c, check_netwatch.c
 */
#ifndef BASE_IO_NETLINK_H
#define BASE_IO_NETLINK_H

#include <sys/types.h>

#include <linux/netlink.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/*
 * Returns a non-blocking, close-on-exec descriptor that hears of GROUPS (RTMGRP_),
 * or an error.
 */
int netlink_open(unsigned groups);

/*
 * Receives a datagram of the kernel.  Returns its bytes; 0 for one of anybody
 * else; or -1 with errno set.
 */
ssize_t netlink_recv(int fd, void *bytes, size_t size);

/*
 * Takes the next message of the N bytes at P: its header, and its BODY of LEN
 * bytes.  False: there is no more, or it is cut.
 */
bool netlink_next(const uint8_t **p, size_t *n, struct nlmsghdr *h,
    const uint8_t **body, size_t *len);

#endif
