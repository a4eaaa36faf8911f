/*
 * base/io/netif.h - the network interfaces by which an address is reached.
 *
 * Purpose:   asks the kernel which interfaces are up and have a route to an
 *            address, so that a client may use more than one of them.
 * Ownership: the caller closes the descriptor of netif_open.
 * Errors:    netif_open returns -ERR_UNSUPPORTED where the system has no such
 *            answers, -ERR_SYS with errno set; netif_list returns 0.
 * Source:    rtnetlink(7), netlink(7).
 * Tests:     regress/unit/check_netif.c, regress/e2e/paths.sh,
 *            regress/fuzz/fuzz_netif.c
 */
#ifndef BASE_IO_NETIF_H
#define BASE_IO_NETIF_H

#include <stdbool.h>

#include "base/io/udp.h"

#define NETIF_MAX 8   /* interfaces of a list */
#define NETIF_NAME 16 /* bytes of a name, with the NUL */

struct netif {
	unsigned index;
	char name[NETIF_NAME];
	bool metered; /* a modem, by its name: traffic may cost money */
	bool chosen;  /* the system sends there by this one */
};

/* Returns a non-blocking, close-on-exec descriptor for questions, or an error. */
int netif_open(void);

/*
 * Writes at most MAX interfaces that are up and have a route to TO, that which
 * the system chooses first; returns their number.
 */
size_t netif_list(
    int fd, const struct udp_addr *to, struct netif *out, size_t max);

/*
 * The answers that netif_list collects.  netif_read takes a datagram of the
 * kernel and returns whether it ends an answer; it is here for tests.
 */
struct netif_answers {
	const struct udp_addr *to;
	struct netif all[4 * NETIF_MAX];
	size_t count;
	unsigned routed[4 * NETIF_MAX]; /* indices with a route to TO */
	size_t nrouted;
	bool one;        /* the answer is about TO alone: its route is taken */
	unsigned chosen; /* 0: unknown */
};
bool netif_read(struct netif_answers *a, const void *bytes, size_t n);

#endif
