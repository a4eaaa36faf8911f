#include "base/io/udp.h"
#include "config.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/udp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

enum {
	UDP_V4 = 4 + 2,      /* address, port */
	UDP_V6 = 16 + 4 + 2, /* address, scope, port */
	UDP_ECT0 = 2,        /* ECN-capable transport, ECT(0) */
	UDP_QUEUE = 1 << 20, /* bytes of receive queue requested */
};

/* Aligned space for the control messages. */
struct udp_control {
	_Alignas(struct cmsghdr)
	    uint8_t space[CMSG_SPACE(sizeof(struct in6_pktinfo)) +
			  CMSG_SPACE(sizeof(int)) * 3];
};

/* Space for one datagram. */
struct udp_slot {
	struct sockaddr_storage from;
	struct iovec iov;
	struct udp_control ctl;
};

struct udp {
	int fd;
	int family;
	bool server;
	struct udp_addr name;
	struct udp_slot one;
	uint8_t data[UDP_DATA_MAX];
	struct udp_batch *batch; /* of udp_recv_batch, from its first call on */
	int joined;              /* datagrams in one of its last call */
	bool no_parts;           /* the system sends no datagrams in parts */
};

/* The part size of datagrams that the system has joined (Linux: UDP_GRO). */
#define UDP_JOINED 104

static void
udp_addr_from(const struct sockaddr_storage *ss, struct udp_addr *a)
{
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
	uint32_t scope;

	memset(a, 0, sizeof(*a));
	if (ss->ss_family == AF_INET) {
		memcpy(&in, ss, sizeof(in));
		a->len = UDP_V4;
		a->host = 4;
		memcpy(a->bytes, &in.sin_addr, 4);
		memcpy(a->bytes + 4, &in.sin_port, 2);
	} else if (ss->ss_family == AF_INET6) {
		memcpy(&in6, ss, sizeof(in6));
		scope = htonl(in6.sin6_scope_id);
		a->len = UDP_V6;
		a->host = 20;
		memcpy(a->bytes, &in6.sin6_addr, 16);
		memcpy(a->bytes + 16, &scope, 4);
		memcpy(a->bytes + 20, &in6.sin6_port, 2);
	}
}

static socklen_t
udp_addr_to(const struct udp_addr *a, struct sockaddr_storage *ss)
{
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
	uint32_t scope;

	memset(ss, 0, sizeof(*ss));
	if (a->len == UDP_V4) {
		memset(&in, 0, sizeof(in));
		in.sin_family = AF_INET;
		memcpy(&in.sin_addr, a->bytes, 4);
		memcpy(&in.sin_port, a->bytes + 4, 2);
		memcpy(ss, &in, sizeof(in));
		return sizeof(in);
	}
	if (a->len == UDP_V6) {
		memset(&in6, 0, sizeof(in6));
		in6.sin6_family = AF_INET6;
		memcpy(&in6.sin6_addr, a->bytes, 16);
		memcpy(&scope, a->bytes + 16, 4);
		in6.sin6_scope_id = ntohl(scope);
		memcpy(&in6.sin6_port, a->bytes + 20, 2);
		memcpy(ss, &in6, sizeof(in6));
		return sizeof(in6);
	}
	return 0;
}

/* Sets an option that the socket can do without. */
static void
udp_try(int fd, int level, int option, int value)
{
	(void)setsockopt(fd, level, option, &value, sizeof(value));
}

static void
udp_options(int fd, int family)
{
	udp_try(fd, SOL_SOCKET, SO_RCVBUF, UDP_QUEUE);
	if (family == AF_INET) {
		udp_try(fd, IPPROTO_IP, IP_TOS, UDP_ECT0);
		udp_try(fd, IPPROTO_IP, IP_RECVTOS, 1);
#ifdef IP_PKTINFO
		udp_try(fd, IPPROTO_IP, IP_PKTINFO, 1);
#endif
#if defined(IP_MTU_DISCOVER) && defined(IP_PMTUDISC_PROBE)
		udp_try(fd, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_PROBE);
#elif defined(IP_DONTFRAG)
		udp_try(fd, IPPROTO_IP, IP_DONTFRAG, 1);
#endif
		return;
	}
	udp_try(fd, IPPROTO_IPV6, IPV6_V6ONLY, 1);
	udp_try(fd, IPPROTO_IPV6, IPV6_TCLASS, UDP_ECT0);
	udp_try(fd, IPPROTO_IPV6, IPV6_RECVTCLASS, 1);
	udp_try(fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, 1);
#if defined(IPV6_MTU_DISCOVER) && defined(IPV6_PMTUDISC_PROBE)
	udp_try(fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_PROBE);
#endif
#ifdef IPV6_DONTFRAG
	udp_try(fd, IPPROTO_IPV6, IPV6_DONTFRAG, 1);
#endif
}

/* Opens a socket; NULL with a cause on failure. */
static struct udp *
udp_socket(int family, struct cause *c)
{
	struct udp *u;
	int fd, flags;

	fd = socket(family, SOCK_DGRAM, 0);
	if (fd < 0) {
		cause_set(c, -ERR_SYS, "cannot open a UDP socket for %s: %s",
		    family == AF_INET ? "IPv4" : "IPv6", strerror(errno));
		return NULL;
	}
	flags = fcntl(fd, F_GETFL);
	if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 ||
	    fcntl(fd, F_SETFD, FD_CLOEXEC) < 0) {
		cause_set(c, -ERR_SYS, "cannot set up a UDP socket: %s",
		    strerror(errno));
		close(fd);
		return NULL;
	}
	udp_options(fd, family);
	u = mem_zalloc(sizeof(*u));
	u->fd = fd;
	u->family = family;
	return u;
}

/* Binds to PORT on the address AT; NULL: on every address of this machine. */
static int
udp_bind_port(struct udp *u, const struct udp_addr *at, uint16_t port)
{
	struct sockaddr_storage ss;
	struct udp_addr a;
	socklen_t len;

	memset(&a, 0, sizeof(a));
	if (at != NULL)
		a = *at;
	a.len = u->family == AF_INET ? UDP_V4 : UDP_V6;
	a.bytes[a.len - 2] = (uint8_t)(port >> 8);
	a.bytes[a.len - 1] = (uint8_t)port;
	len = udp_addr_to(&a, &ss);
	return bind(u->fd, (struct sockaddr *)&ss, len);
}

static int
udp_bind_range(int family, const struct udp_addr *at, uint16_t lo, uint16_t hi,
    struct udp **out, struct cause *c)
{
	struct udp *u = udp_socket(family, c);
	unsigned port;
	int r;

	*out = NULL;
	if (u == NULL)
		return -ERR_SYS;
	u->server = true;
	for (port = lo; port <= hi; port++)
		if (udp_bind_port(u, at, (uint16_t)port) == 0) {
			*out = u;
			return 0;
		}
	r = cause_set(c, -ERR_SYS, "no free UDP port from %u to %u: %s", lo, hi,
	    strerror(errno));
	udp_free(u);
	return r;
}

int
udp_bind(
    int family, uint16_t lo, uint16_t hi, struct udp **out, struct cause *c)
{
	return udp_bind_range(family, NULL, lo, hi, out, c);
}

int
udp_bind_at(const struct udp_addr *at, uint16_t lo, uint16_t hi,
    struct udp **out, struct cause *c)
{
	return udp_bind_range(udp_addr_family(at), at, lo, hi, out, c);
}

int
udp_open(int family, uint32_t name, struct udp **out, struct cause *c)
{
	struct udp *u = udp_socket(family, c);
	int r;

	*out = NULL;
	if (u == NULL)
		return -ERR_SYS;
	if (udp_bind_port(u, NULL, 0) != 0) {
		r = cause_set(
		    c, -ERR_SYS, "cannot bind a UDP port: %s", strerror(errno));
		udp_free(u);
		return r;
	}
	name = htonl(name);
	u->name.len = 4;
	memcpy(u->name.bytes, &name, 4);
	*out = u;
	return 0;
}

int
udp_use_interface(struct udp *u, const char *name)
{
#ifdef SO_BINDTODEVICE
	return setsockopt(u->fd, SOL_SOCKET, SO_BINDTODEVICE, name,
		   (socklen_t)strlen(name)) == 0
		   ? 0
		   : -ERR_SYS;
#else
	(void)u;
	(void)name;
	return -ERR_UNSUPPORTED;
#endif
}

void
udp_free(struct udp *u)
{
	if (u == NULL)
		return;
	close(u->fd);
	mem_free(u->batch);
	mem_free(u);
}

int
udp_fd(const struct udp *u)
{
	return u->fd;
}

struct udp_addr
udp_name(const struct udp *u)
{
	return u->name;
}

uint16_t
udp_port(const struct udp *u)
{
	struct sockaddr_storage ss;
	socklen_t len = sizeof(ss);
	struct udp_addr a;

	memset(&ss, 0, sizeof(ss));
	if (getsockname(u->fd, (struct sockaddr *)&ss, &len) != 0)
		return 0;
	udp_addr_from(&ss, &a);
	return udp_addr_port(&a);
}

/* Makes a local address, without port, of a destination host. */
static void
udp_local_from(struct udp_addr *a, const void *host, size_t n, uint32_t scope)
{
	memset(a, 0, sizeof(*a));
	memcpy(a->bytes, host, n);
	scope = htonl(scope);
	if (n == 16)
		memcpy(a->bytes + 16, &scope, 4);
	a->host = n == 16 ? 20 : 4;
	a->len = (uint8_t)(a->host + 2);
}

static void
udp_read_control(
    struct udp *u, struct msghdr *mh, struct udp_msg *m, size_t *part)
{
	struct cmsghdr *cm;
	struct in6_pktinfo info6;
	int v;

	*part = 0;
	for (cm = CMSG_FIRSTHDR(mh); cm != NULL; cm = CMSG_NXTHDR(mh, cm)) {
		if (cm->cmsg_level == IPPROTO_UDP &&
		    cm->cmsg_type == UDP_JOINED) {
			memcpy(&v, CMSG_DATA(cm), sizeof(v));
			*part = (size_t)MAX_OF(v, 0);
		} else if (cm->cmsg_level == IPPROTO_IPV6 &&
			   cm->cmsg_type == IPV6_TCLASS) {
			memcpy(&v, CMSG_DATA(cm), sizeof(v));
			m->ecn = (unsigned)v & 3;
		} else if (cm->cmsg_level == IPPROTO_IP &&
			   cm->cmsg_type == IP_TOS) {
			/* Linux passes one byte here. */
			m->ecn = *CMSG_DATA(cm) & 3;
		} else if (u->server && cm->cmsg_level == IPPROTO_IPV6 &&
			   cm->cmsg_type == IPV6_PKTINFO) {
			memcpy(&info6, CMSG_DATA(cm), sizeof(info6));
			udp_local_from(&m->local, &info6.ipi6_addr, 16,
			    IN6_IS_ADDR_LINKLOCAL(&info6.ipi6_addr)
				? (uint32_t)info6.ipi6_ifindex
				: 0);
		}
#ifdef IP_PKTINFO
		if (u->server && cm->cmsg_level == IPPROTO_IP &&
		    cm->cmsg_type == IP_PKTINFO) {
			struct in_pktinfo info;

			memcpy(&info, CMSG_DATA(cm), sizeof(info));
			udp_local_from(&m->local, &info.ipi_addr, 4, 0);
		}
#endif
	}
}

/* Points MH to the space of S and SIZE bytes at DATA. */
static void
udp_slot_init(struct udp_slot *s, uint8_t *data, size_t size, struct msghdr *mh)
{
	memset(mh, 0, sizeof(*mh));
	s->iov.iov_base = data;
	s->iov.iov_len = size;
	mh->msg_name = &s->from;
	mh->msg_namelen = sizeof(s->from);
	mh->msg_iov = &s->iov;
	mh->msg_iovlen = 1;
	mh->msg_control = s->ctl.space;
	mh->msg_controllen = sizeof(s->ctl.space);
}

/*
 * Sets M to the N bytes that were received into S; PART is the size of each
 * datagram if there are several.
 */
static void
udp_slot_read(struct udp *u, struct udp_slot *s, struct msghdr *mh, size_t n,
    struct udp_msg *m, size_t *part)
{
	memset(m, 0, sizeof(*m));
	m->local = u->name;
	m->data = s->iov.iov_base;
	m->len = mh->msg_flags & MSG_TRUNC ? 0 : n;
	udp_addr_from(&s->from, &m->from);
	udp_read_control(u, mh, m, part);
}

int
udp_recv(struct udp *u, struct udp_msg *m)
{
	struct msghdr mh;
	size_t part;
	ssize_t n;

	do {
		udp_slot_init(&u->one, u->data, sizeof(u->data), &mh);
		n = recvmsg(u->fd, &mh, 0);
		/*
		 * An ICMP error left on the socket is not an error of this
		 * receive.
		 */
	} while (n < 0 && (errno == EINTR || errno == ECONNREFUSED));
	if (n < 0)
		return errno == EAGAIN ? -ERR_AGAIN : -ERR_SYS;
	udp_slot_read(u, &u->one, &mh, (size_t)n, m, &part);
	return 0;
}

#ifdef HAVE_RECVMMSG
/*
 * Space for datagrams that the system joins.  Memory that no datagram has
 * touched costs nothing.
 */
# define UDP_JOINED_MAX 65536

struct udp_batch {
	struct mmsghdr m[UDP_BATCH];
	struct udp_slot slots[UDP_BATCH];
	uint8_t data[UDP_BATCH][UDP_JOINED_MAX];
};

static struct udp_batch *
udp_batch(struct udp *u)
{
	struct udp_batch *b = u->batch;
	int i;

	if (b != NULL)
		return b;
	b = u->batch = mem_zalloc(sizeof(*b));
	for (i = 0; i < UDP_BATCH; i++)
		udp_slot_init(&b->slots[i], b->data[i], sizeof(b->data[i]),
		    &b->m[i].msg_hdr);
# ifdef __linux__
	udp_try(u->fd, IPPROTO_UDP, UDP_JOINED, 1);
# endif
	return b;
}

/* Passes on the datagrams of one slot; returns their number. */
static int
udp_pass(struct udp_msg *m, size_t part, udp_fn fn, void *arg)
{
	struct udp_msg one = *m;
	size_t at;
	int n = 0;

	if (part == 0 || part > m->len)
		part = m->len;
	for (at = 0; at < m->len; at += part, n++) {
		one.data = m->data + at;
		one.len = MIN_OF(part, m->len - at);
		if (one.len <= UDP_DATA_MAX)
			fn(arg, &one);
	}
	return MAX_OF(n, 1);
}

/*
 * One system call for all that has come: a flood costs half of what it would
 * cost one by one.  Only slots that were used need to be set up again.
 */
int
udp_recv_batch(struct udp *u, int max, udp_fn fn, void *arg)
{
	struct udp_batch *b = udp_batch(u);
	int i, n, count = 0;
	struct udp_msg m;
	size_t part;

	max = MIN_OF(max, UDP_BATCH);
	max = MAX_OF(MIN_OF(max, UDP_BATCH_PARTS / MAX_OF(u->joined, 1)), 1);
	do
		n = recvmmsg(u->fd, b->m, (unsigned)max, MSG_DONTWAIT, NULL);
	while (n < 0 && (errno == EINTR || errno == ECONNREFUSED));
	if (n < 0)
		return errno == EAGAIN ? 0 : -ERR_SYS;
	for (i = 0; i < n; i++) {
		udp_slot_read(u, &b->slots[i], &b->m[i].msg_hdr,
		    b->m[i].msg_len, &m, &part);
		count += udp_pass(&m, part, fn, arg);
		udp_slot_init(&b->slots[i], b->data[i], sizeof(b->data[i]),
		    &b->m[i].msg_hdr);
	}
	u->joined = count / MAX_OF(n, 1);
	return count;
}
#else
int
udp_recv_batch(struct udp *u, int max, udp_fn fn, void *arg)
{
	struct udp_msg m;
	int i, r;

	for (i = 0; i < max; i++) {
		if ((r = udp_recv(u, &m)) != 0)
			return i == 0 && r != -ERR_AGAIN ? r : i;
		if (m.len > 0)
			fn(arg, &m);
	}
	return i;
}
#endif

/* Appends a control message to MH, whose space is CTL. */
static void
udp_add_control(struct msghdr *mh, struct udp_control *ctl, int level, int type,
    const void *p, size_t n)
{
	struct cmsghdr *cm;

	if (mh->msg_control == NULL)
		memset(ctl, 0, sizeof(*ctl));
	mh->msg_control = ctl->space;
	cm = (struct cmsghdr *)(void *)(ctl->space + mh->msg_controllen);
	cm->cmsg_level = level;
	cm->cmsg_type = type;
	cm->cmsg_len = CMSG_LEN(n);
	memcpy(CMSG_DATA(cm), p, n);
	mh->msg_controllen += CMSG_SPACE(n);
}

/* Sets the source address of a reply. */
static void
udp_write_control(
    struct msghdr *mh, struct udp_control *ctl, const struct udp_addr *local)
{
	struct in6_pktinfo info6;
	uint32_t scope;

	if (local->len == UDP_V6) {
		memset(&info6, 0, sizeof(info6));
		memcpy(&info6.ipi6_addr, local->bytes, 16);
		memcpy(&scope, local->bytes + 16, 4);
		info6.ipi6_ifindex = ntohl(scope);
		udp_add_control(
		    mh, ctl, IPPROTO_IPV6, IPV6_PKTINFO, &info6, sizeof(info6));
		return;
	}
#ifdef IP_PKTINFO
	struct in_pktinfo info;

	memset(&info, 0, sizeof(info));
	memcpy(&info.ipi_spec_dst, local->bytes, 4);
	udp_add_control(mh, ctl, IPPROTO_IP, IP_PKTINFO, &info, sizeof(info));
#endif
}

/* Sends LEN bytes, as datagrams of PART bytes if there are more. */
static int
udp_send_once(struct udp *u, const struct udp_addr *local,
    const struct udp_addr *to, const void *p, size_t len, size_t part)
{
	struct sockaddr_storage ss;
	struct udp_control ctl;
	struct msghdr mh;
	struct iovec iov;
	ssize_t n;

	memset(&mh, 0, sizeof(mh));
	memcpy(&iov.iov_base, &p, sizeof(p)); /* never written through */
	iov.iov_len = len;
	mh.msg_iov = &iov;
	mh.msg_iovlen = 1;
	mh.msg_name = &ss;
	mh.msg_namelen = udp_addr_to(to, &ss);
	if (mh.msg_namelen == 0 || ss.ss_family != u->family)
		return -ERR_TYPE;
	if (u->server && local != NULL && local->len == to->len)
		udp_write_control(&mh, &ctl, local);
#ifdef UDP_SEGMENT
	if (len > part) {
		uint16_t size = (uint16_t)part;

		udp_add_control(
		    &mh, &ctl, IPPROTO_UDP, UDP_SEGMENT, &size, sizeof(size));
	}
#else
	if (len > part)
		return -ERR_UNSUPPORTED;
#endif
	do
		n = sendmsg(u->fd, &mh, 0);
	while (n < 0 && (errno == EINTR || errno == ECONNREFUSED));
	if (n >= 0)
		return 0;
	if (errno == EMSGSIZE)
		return -ERR_LIMIT;
	if (errno == EAGAIN || errno == ENOBUFS)
		return -ERR_AGAIN;
	/* Kernels and devices without it say EINVAL or EIO. */
	return len > part ? -ERR_UNSUPPORTED : -ERR_SYS;
}

int
udp_send(struct udp *u, const struct udp_addr *local, const struct udp_addr *to,
    const void *p, size_t len)
{
	return len > UDP_DATA_MAX ? -ERR_LIMIT
				  : udp_send_once(u, local, to, p, len, len);
}

int
udp_send_parts(struct udp *u, const struct udp_addr *local,
    const struct udp_addr *to, const void *p, size_t len, size_t part)
{
	const uint8_t *at = p;
	int r = -ERR_UNSUPPORTED;
	bool lacks;
	size_t n;

	if (part > UDP_DATA_MAX || len > UDP_PARTS_MAX)
		return -ERR_LIMIT;
	if (len <= part || !u->no_parts)
		r = udp_send_once(u, local, to, p, len, part);
	if (len <= part || (r != -ERR_UNSUPPORTED && r != -ERR_LIMIT))
		return r;
	lacks = r == -ERR_UNSUPPORTED;
	for (; len > 0; len -= n, at += n) {
		n = MIN_OF(part, len);
		if ((r = udp_send_once(u, local, to, at, n, n)) != 0)
			return r;
		/* Some kernels say so of a part that is too long, too. */
		u->no_parts |= lacks;
	}
	return 0;
}

struct udp_addr
udp_addr_make(const void *bytes, uint8_t len, uint8_t host)
{
	struct udp_addr a;

	memset(&a, 0, sizeof(a));
	a.len = (uint8_t)MIN_OF(len, (uint8_t)UDP_ADDR_MAX);
	a.host = host;
	memcpy(a.bytes, bytes, a.len);
	return a;
}

int
udp_addr_parse(const char *host, uint16_t port, struct udp_addr *out)
{
	char text[INET6_ADDRSTRLEN + IF_NAMESIZE + 2], *percent;
	uint32_t scope = 0;
	int r;

	memset(out, 0, sizeof(*out));
	if (strlen(host) >= sizeof(text))
		return -ERR_SYNTAX;
	strcpy(text, host);
	if ((percent = strchr(text, '%')) != NULL) {
		*percent = '\0';
		scope = htonl(if_nametoindex(percent + 1));
	}
	if (strchr(text, ':') == NULL) {
		r = inet_pton(AF_INET, text, out->bytes);
		out->host = 4;
	} else {
		r = inet_pton(AF_INET6, text, out->bytes);
		memcpy(out->bytes + 16, &scope, 4);
		out->host = 20;
	}
	if (r != 1) {
		memset(out, 0, sizeof(*out));
		return -ERR_SYNTAX;
	}
	out->len = (uint8_t)(out->host + 2);
	udp_addr_set_port(out, port);
	return 0;
}

uint16_t
udp_addr_port(const struct udp_addr *a)
{
	if (a->len < 2)
		return 0;
	return (uint16_t)(a->bytes[a->len - 2] << 8 | a->bytes[a->len - 1]);
}

void
udp_addr_set_port(struct udp_addr *a, uint16_t port)
{
	if (a->len < 2)
		return;
	a->bytes[a->len - 2] = (uint8_t)(port >> 8);
	a->bytes[a->len - 1] = (uint8_t)port;
}

void
udp_addr_format(const struct udp_addr *a, char *buf, size_t size)
{
	char text[INET6_ADDRSTRLEN] = "";
	int family = udp_addr_family(a);
	unsigned port;

	if (family == 0 ||
	    inet_ntop(family, a->bytes, text, sizeof(text)) == NULL) {
		snprintf(buf, size, "-");
		return;
	}
	port = udp_addr_port(a);
	snprintf(
	    buf, size, family == AF_INET ? "%s:%u" : "[%s]:%u", text, port);
}

int
udp_addr_family(const struct udp_addr *a)
{
	return a->len == UDP_V4 ? AF_INET : a->len == UDP_V6 ? AF_INET6 : 0;
}
