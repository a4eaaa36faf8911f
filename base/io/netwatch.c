#include "base/io/netwatch.h"

#include <sys/socket.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
# include <linux/if.h>
# include <linux/rtnetlink.h>

# include "base/io/netlink.h"

int
netwatch_open(void)
{
	return netlink_open(RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR |
			    RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE |
			    RTMGRP_LINK);
}

/* Whether the message is about a default route. */
static bool
netwatch_route(const struct nlmsghdr *h, const uint8_t *body, size_t n)
{
	struct rtmsg m;

	if ((h->nlmsg_type != RTM_NEWROUTE && h->nlmsg_type != RTM_DELROUTE) ||
	    n < sizeof(m))
		return false;
	memcpy(&m, body, sizeof(m));
	return m.rtm_dst_len == 0 && m.rtm_type == RTN_UNICAST;
}

/*
 * Whether an interface goes up or down, or has lost its carrier; others of these
 * messages tell of a radio's quality.
 */
static bool
netwatch_link(const struct nlmsghdr *h, const uint8_t *body, size_t n)
{
	struct ifinfomsg m;

	if (h->nlmsg_type == RTM_DELLINK)
		return true;
	if (h->nlmsg_type != RTM_NEWLINK || n < sizeof(m))
		return false;
	memcpy(&m, body, sizeof(m));
	return (m.ifi_change & IFF_UP) != 0 ||
	       ((m.ifi_flags & IFF_UP) != 0 &&
		   (m.ifi_flags & IFF_RUNNING) == 0);
}

/* Returns whether a datagram is about a change that matters. */
static bool
netwatch_messages(const uint8_t *p, size_t n)
{
	const uint8_t *body;
	struct nlmsghdr h;
	size_t len;

	while (netlink_next(&p, &n, &h, &body, &len))
		if (h.nlmsg_type == RTM_NEWADDR ||
		    h.nlmsg_type == RTM_DELADDR ||
		    netwatch_route(&h, body, len) ||
		    netwatch_link(&h, body, len))
			return true;
	return false;
}

bool
netwatch_changed(int fd)
{
	uint8_t bytes[8192];
	bool changed = false;
	ssize_t n;

	for (;;) {
		n = netlink_recv(fd, bytes, sizeof(bytes));
		/* The queue overflowed: assume a change. */
		if (n < 0 && errno == ENOBUFS)
			changed = true;
		else if (n < 0)
			return changed;
		else
			changed |= netwatch_messages(bytes, (size_t)n);
	}
}

#else

int
netwatch_open(void)
{
	return -ERR_UNSUPPORTED;
}

bool
netwatch_changed(int fd)
{
	(void)fd;
	return false;
}

#endif
