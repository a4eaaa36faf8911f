#include "base/io/netif.h"

#include <sys/socket.h>

#include <string.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/io/sys.h"

#ifdef __linux__
# include <linux/if.h>
# include <linux/rtnetlink.h>

# include "base/io/netlink.h"

# define NETIF_WAIT 200 /* ms; the kernel answers at once */

int
netif_open(void)
{
	return netlink_open(0);
}

/* Names of modems; the kernel does not say what a network costs. */
static bool
netif_metered(const char *name)
{
	static const char *const modems[] = { "wwan", "wwp", "wwx", "ppp",
		"rmnet", "ccmni" };
	size_t i;

	for (i = 0; i < ARRAY_LEN(modems); i++)
		if (strncmp(name, modems[i], strlen(modems[i])) == 0)
			return true;
	return false;
}

/* Walks the attributes of a message; returns that of TYPE, or NULL. */
static const uint8_t *
netif_attr(const uint8_t *p, size_t n, unsigned type, size_t *len)
{
	struct rtattr a;
	size_t step;

	while (n >= sizeof(a)) {
		memcpy(&a, p, sizeof(a));
		if (a.rta_len < sizeof(a) || a.rta_len > n)
			return NULL;
		if ((a.rta_type & NLA_TYPE_MASK) == type) {
			*len = a.rta_len - sizeof(a);
			return p + sizeof(a);
		}
		step = RTA_ALIGN((size_t)a.rta_len);
		if (step >= n)
			return NULL;
		p += step;
		n -= step;
	}
	return NULL;
}

static unsigned
netif_attr_u32(const uint8_t *p, size_t n, unsigned type)
{
	const uint8_t *v;
	uint32_t u;
	size_t len;

	v = netif_attr(p, n, type, &len);
	if (v == NULL || len != sizeof(u))
		return 0;
	memcpy(&u, v, sizeof(u));
	return u;
}

static void
netif_link(struct netif_answers *a, const uint8_t *p, size_t n)
{
	struct ifinfomsg m;
	struct netif *i;
	const uint8_t *name;
	size_t len;

	if (n < sizeof(m) || a->count == ARRAY_LEN(a->all))
		return;
	memcpy(&m, p, sizeof(m));
	if (m.ifi_index <= 0 || (m.ifi_flags & IFF_LOOPBACK) != 0 ||
	    (m.ifi_flags & IFF_UP) == 0 || (m.ifi_flags & IFF_RUNNING) == 0)
		return;
	p += NLMSG_ALIGN(sizeof(m));
	n -= MIN_OF(n, (size_t)NLMSG_ALIGN(sizeof(m)));
	name = netif_attr(p, n, IFLA_IFNAME, &len);
	if (name == NULL || len == 0 || len > NETIF_NAME ||
	    name[len - 1] != '\0')
		return;
	i = &a->all[a->count++];
	memset(i, 0, sizeof(*i));
	i->index = (unsigned)m.ifi_index;
	memcpy(i->name, name, len);
	i->metered = netif_metered(i->name);
}

/* Whether the first BITS bits are equal. */
static bool
netif_prefix(const uint8_t *a, const uint8_t *b, unsigned bits)
{
	unsigned whole = bits / 8, rest = bits % 8;

	return memcmp(a, b, whole) == 0 &&
	       (rest == 0 || (a[whole] ^ b[whole]) >> (8 - rest) == 0);
}

static void
netif_route(struct netif_answers *a, const uint8_t *p, size_t n)
{
	size_t size = udp_addr_family(a->to) == AF_INET ? 4 : 16, len;
	const uint8_t *dst;
	struct rtmsg m;
	unsigned oif;

	if (n < sizeof(m))
		return;
	memcpy(&m, p, sizeof(m));
	p += NLMSG_ALIGN(sizeof(m));
	n -= MIN_OF(n, (size_t)NLMSG_ALIGN(sizeof(m)));
	oif = netif_attr_u32(p, n, RTA_OIF);
	if (m.rtm_family != udp_addr_family(a->to) ||
	    m.rtm_type != RTN_UNICAST || oif == 0 || m.rtm_dst_len > 8 * size)
		return;
	if (a->one) {
		a->chosen = oif;
		return;
	}
	dst = netif_attr(p, n, RTA_DST, &len);
	if (m.rtm_dst_len > 0 &&
	    (dst == NULL || len != size ||
		!netif_prefix(dst, a->to->bytes, m.rtm_dst_len)))
		return;
	if (a->nrouted < ARRAY_LEN(a->routed))
		a->routed[a->nrouted++] = oif;
}

bool
netif_read(struct netif_answers *a, const void *bytes, size_t n)
{
	const uint8_t *p = bytes, *body;
	struct nlmsghdr h;
	size_t len;

	while (netlink_next(&p, &n, &h, &body, &len)) {
		if (h.nlmsg_type == NLMSG_DONE || h.nlmsg_type == NLMSG_ERROR)
			return true;
		if (h.nlmsg_type == RTM_NEWLINK)
			netif_link(a, body, len);
		else if (h.nlmsg_type == RTM_NEWROUTE)
			netif_route(a, body, len);
		if ((h.nlmsg_flags & NLM_F_MULTI) == 0)
			return true;
	}
	return n > 0;
}

/* Asks, and reads until the answer ends. */
static bool
netif_ask(int fd, struct netif_answers *a, const void *msg, size_t n)
{
	uint8_t bytes[32768];
	struct sockaddr_nl to = { .nl_family = AF_NETLINK };
	mono_ms end = sys_now() + NETIF_WAIT;
	ssize_t got;

	if (sendto(fd, msg, n, 0, (struct sockaddr *)&to, sizeof(to)) < 0)
		return false;
	while (sys_now() < end) {
		got = netlink_recv(fd, bytes, sizeof(bytes));
		if (got < 0)
			return false;
		if (got > 0 && netif_read(a, bytes, (size_t)got))
			return true;
	}
	return false;
}

static bool
netif_links(int fd, struct netif_answers *a)
{
	struct {
		struct nlmsghdr h;
		struct ifinfomsg m;
	} q;

	memset(&q, 0, sizeof(q));
	q.h.nlmsg_len = sizeof(q);
	q.h.nlmsg_type = RTM_GETLINK;
	q.h.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	return netif_ask(fd, a, &q, sizeof(q));
}

/* Asks for all routes, or (ONE) for that which the system takes. */
static bool
netif_routes(int fd, struct netif_answers *a, bool one)
{
	size_t size = udp_addr_family(a->to) == AF_INET ? 4 : 16;
	struct {
		struct nlmsghdr h;
		struct rtmsg m;
		struct rtattr attr;
		uint8_t addr[16];
	} q;

	a->one = one;
	memset(&q, 0, sizeof(q));
	q.h.nlmsg_len = (uint32_t)(offsetof(__typeof__(q), attr));
	q.h.nlmsg_type = RTM_GETROUTE;
	q.h.nlmsg_flags = NLM_F_REQUEST | (one ? 0 : NLM_F_DUMP);
	q.m.rtm_family = (uint8_t)udp_addr_family(a->to);
	if (one) {
		q.m.rtm_dst_len = (uint8_t)(8 * size);
		q.attr.rta_type = RTA_DST;
		q.attr.rta_len = (uint16_t)RTA_LENGTH(size);
		memcpy(q.addr, a->to->bytes, size);
		q.h.nlmsg_len += (uint32_t)RTA_LENGTH(size);
	}
	return netif_ask(fd, a, &q, q.h.nlmsg_len);
}

static bool
netif_has_route(const struct netif_answers *a, unsigned index)
{
	size_t i;

	for (i = 0; i < a->nrouted; i++)
		if (a->routed[i] == index)
			return true;
	return false;
}

size_t
netif_list(int fd, const struct udp_addr *to, struct netif *out, size_t max)
{
	struct netif_answers a;
	size_t i, n = 0;

	memset(&a, 0, sizeof(a));
	a.to = to;
	if (max == 0 || udp_addr_family(to) == 0 || !netif_links(fd, &a) ||
	    !netif_routes(fd, &a, false))
		return 0;
	/* Without an answer, nobody knows which is chosen. */
	(void)netif_routes(fd, &a, true);
	for (i = 0; i < a.count && n < max; i++) {
		if (!netif_has_route(&a, a.all[i].index))
			continue;
		out[n] = a.all[i];
		out[n].chosen = out[n].index == a.chosen;
		if (out[n].chosen && n > 0) {
			struct netif first = out[n];

			memmove(&out[1], &out[0], n * sizeof(*out));
			out[0] = first;
		}
		n++;
	}
	return n;
}

#else

int
netif_open(void)
{
	return -ERR_UNSUPPORTED;
}

bool
netif_read(
    UNUSED struct netif_answers *a, UNUSED const void *bytes, UNUSED size_t n)
{
	return true;
}

size_t
netif_list(UNUSED int fd, UNUSED const struct udp_addr *to,
    UNUSED struct netif *out, UNUSED size_t max)
{
	return 0;
}

#endif
