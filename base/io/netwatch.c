#include "base/io/netwatch.h"

#include <sys/socket.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
# include <linux/if.h>
# include <linux/netlink.h>
# include <linux/rtnetlink.h>

int
netwatch_open(void)
{
	struct sockaddr_nl nl = {
		.nl_family = AF_NETLINK,
		.nl_groups = RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR |
			     RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE |
			     RTMGRP_LINK,
	};
	int fd, saved;

	fd = socket(
	    AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_ROUTE);
	if (fd < 0)
		return -ERR_SYS;
	if (bind(fd, (struct sockaddr *)&nl, sizeof(nl)) != 0) {
		saved = errno;
		close(fd);
		errno = saved;
		return -ERR_SYS;
	}
	return fd;
}

/* Whether the message is about a default route. */
static bool
netwatch_route(const struct nlmsghdr *h, const uint8_t *p)
{
	struct rtmsg m;

	if ((h->nlmsg_type != RTM_NEWROUTE && h->nlmsg_type != RTM_DELROUTE) ||
	    h->nlmsg_len < NLMSG_LENGTH(sizeof(m)))
		return false;
	memcpy(&m, p + NLMSG_HDRLEN, sizeof(m));
	return m.rtm_dst_len == 0 && m.rtm_type == RTN_UNICAST;
}

/*
 * Whether an interface goes up or down, or has lost its carrier; others of these
 * messages tell of a radio's quality.
 */
static bool
netwatch_link(const struct nlmsghdr *h, const uint8_t *p)
{
	struct ifinfomsg m;

	if (h->nlmsg_type == RTM_DELLINK)
		return true;
	if (h->nlmsg_type != RTM_NEWLINK ||
	    h->nlmsg_len < NLMSG_LENGTH(sizeof(m)))
		return false;
	memcpy(&m, p + NLMSG_HDRLEN, sizeof(m));
	return (m.ifi_change & IFF_UP) != 0 ||
	       ((m.ifi_flags & IFF_UP) != 0 &&
		   (m.ifi_flags & IFF_RUNNING) == 0);
}

/* Returns whether a datagram is about a change that matters. */
static bool
netwatch_messages(const uint8_t *p, size_t n)
{
	struct nlmsghdr h;
	size_t len;

	while (n >= sizeof(h)) {
		memcpy(&h, p, sizeof(h));
		if (h.nlmsg_len < sizeof(h) || h.nlmsg_len > n)
			return false;
		if (h.nlmsg_type == RTM_NEWADDR ||
		    h.nlmsg_type == RTM_DELADDR || netwatch_route(&h, p) ||
		    netwatch_link(&h, p))
			return true;
		len = NLMSG_ALIGN((size_t)h.nlmsg_len);
		if (len >= n)
			return false;
		p += len;
		n -= len;
	}
	return false;
}

bool
netwatch_changed(int fd)
{
	uint8_t bytes[8192];
	struct sockaddr_nl from;
	socklen_t len;
	bool changed = false;
	ssize_t n;

	for (;;) {
		memset(&from, 0, sizeof(from));
		len = sizeof(from);
		n = recvfrom(fd, bytes, sizeof(bytes), 0,
		    (struct sockaddr *)&from, &len);
		if (n < 0 && errno == EINTR)
			continue;
		/* The queue overflowed: assume a change. */
		if (n < 0 && errno == ENOBUFS) {
			changed = true;
			continue;
		}
		if (n <= 0)
			return changed;
		/* security: accept messages of the kernel only. */
		if (from.nl_pid == 0)
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
