#ifdef __linux__
# include "base/io/netlink.h"

# include <sys/socket.h>

# include <errno.h>
# include <string.h>
# include <unistd.h>

# include "base/compiler.h"

int
netlink_open(unsigned groups)
{
	struct sockaddr_nl nl = { .nl_family = AF_NETLINK,
		.nl_groups = groups };
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

ssize_t
netlink_recv(int fd, void *bytes, size_t size)
{
	struct sockaddr_nl from;
	socklen_t len;
	ssize_t n;

	do {
		memset(&from, 0, sizeof(from));
		len = sizeof(from);
		n = recvfrom(
		    fd, bytes, size, 0, (struct sockaddr *)&from, &len);
	} while (n < 0 && errno == EINTR);
	/* security: accept messages of the kernel only. */
	return n > 0 && from.nl_pid != 0 ? 0 : n == 0 ? -1 : n;
}

bool
netlink_next(const uint8_t **p, size_t *n, struct nlmsghdr *h,
    const uint8_t **body, size_t *len)
{
	size_t step;

	if (*n < sizeof(*h))
		return false;
	memcpy(h, *p, sizeof(*h));
	if (h->nlmsg_len < sizeof(*h) || h->nlmsg_len > *n)
		return false;
	*body = *p + NLMSG_HDRLEN;
	*len = h->nlmsg_len - NLMSG_HDRLEN;
	step = MIN_OF((size_t)NLMSG_ALIGN((size_t)h->nlmsg_len), *n);
	*p += step;
	*n -= step;
	return true;
}
#else
/* Other systems have nothing of it. */
typedef int netlink_none;
#endif
