/* Sockets, and the addresses to try. */
#include <sys/socket.h>

#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "client/roam_int.h"
#include "ssp/io/udp_link.h"

struct roam_socket *
roam_socket_named(struct roam *r, const struct ssp_addr *local)
{
	struct udp_addr name;
	int i;

	for (i = 0; i < ROAM_SOCKETS; i++) {
		if (r->sockets[i].udp == NULL)
			continue;
		name = udp_name(r->sockets[i].udp);
		if (name.len == local->len &&
		    memcmp(name.bytes, local->bytes, name.len) == 0)
			return &r->sockets[i];
	}
	return NULL;
}

void
roam_socket_close(struct roam_socket *s)
{
	loop_io_del(s->io);
	udp_free(s->udp);
	memset(s, 0, sizeof(*s));
}

static void
roam_datagram(void *arg, struct udp_msg *m)
{
	struct roam *r = arg;

	(void)udp_link_input(r->conn, loop_now(r->loop), m);
	roam_side(r);
}

static void
roam_readable(void *arg, int fd, UNUSED unsigned events)
{
	struct roam *r = arg;
	int i;

	for (i = 0; i < ROAM_SOCKETS; i++)
		if (r->sockets[i].udp != NULL &&
		    udp_fd(r->sockets[i].udp) == fd) {
			(void)udp_recv_batch(
			    r->sockets[i].udp, UDP_BATCH, roam_datagram, r);
			break;
		}
	roam_received(r);
}

int
roam_path_open(struct roam *r, const struct ssp_addr *to)
{
	struct udp_addr addr = udp_link_udp_addr(to);
	struct roam_socket *s = NULL;
	struct ssp_path_addr path;
	struct cause c = { NULL };
	int i;

	for (i = 0; i < ROAM_SOCKETS && s == NULL; i++)
		if (r->sockets[i].udp == NULL)
			s = &r->sockets[i];
	if (s == NULL || udp_open(udp_addr_family(&addr), ++r->next_name,
			     &s->udp, &c) != 0) {
		cause_fini(&c);
		return -ERR_SYS;
	}
	path = udp_link_path(s->udp, to);
	if (ssp_conn_path_add(r->conn, loop_now(r->loop), &path) != 0) {
		udp_free(s->udp);
		s->udp = NULL;
		return -ERR_LIMIT;
	}
	s->io =
	    loop_io_add(r->loop, udp_fd(s->udp), LOOP_READ, roam_readable, r);
	return 0;
}

static bool
path_add(
    struct roam *r, const struct udp_addr *a, struct ssp_addr *seen, size_t *n)
{
	struct ssp_addr to = udp_link_addr(a);
	size_t i;

	if (*n >= ROAM_PATHS_FIRST ||
	    (r->cfg->family != 0 && udp_addr_family(a) != r->cfg->family))
		return false;
	for (i = 0; i < *n; i++)
		if (ssp_addr_equal(&seen[i], &to))
			return false;
	if (roam_path_open(r, &to) != 0)
		return false;
	seen[(*n)++] = to;
	return true;
}

/* Adds paths to all addresses of a host name. */
static void
paths_resolve(struct roam *r, const char *host, uint16_t port,
    struct ssp_addr *seen, size_t *n)
{
	struct addrinfo hints = { .ai_socktype = SOCK_DGRAM }, *all, *i;
	char text[NI_MAXHOST];
	struct udp_addr a;

	if (getaddrinfo(host, NULL, &hints, &all) != 0)
		return;
	for (i = all; i != NULL; i = i->ai_next)
		if (getnameinfo(i->ai_addr, i->ai_addrlen, text, sizeof(text),
			NULL, 0, NI_NUMERICHOST) == 0 &&
		    udp_addr_parse(text, port, &a) == 0)
			(void)path_add(r, &a, seen, n);
	freeaddrinfo(all);
}

/*
 * Tries the address that the user named; else the host's name as ssh knows it,
 * then the addresses that the far side reports.
 */
size_t
roam_paths_first(struct roam *r)
{
	struct ssp_addr seen[ROAM_PATHS_FIRST];
	char host[BOOTSTRAP_HOST_MAX];
	const char *colon;
	struct udp_addr a;
	size_t n = 0, i, len;

	if (r->cfg->udp != NULL) {
		colon = strrchr(r->cfg->udp, ':');
		len = colon == NULL ? 0 : (size_t)(colon - r->cfg->udp);
		if (len == 0 || len >= sizeof(host))
			return 0;
		memcpy(host, r->cfg->udp, len);
		host[len] = '\0';
		paths_resolve(
		    r, host, (uint16_t)strtoul(colon + 1, NULL, 10), seen, &n);
		return n;
	}
	if (r->cfg->ticket != NULL) {
		for (i = 0; i < r->cfg->ticket->naddrs; i++)
			paths_resolve(r, r->cfg->ticket->addrs[i].host,
			    r->cfg->ticket->addrs[i].port, seen, &n);
		return n;
	}
	bootstrap_hostname(&r->cfg->ssh, host, sizeof(host));
	paths_resolve(r, host, r->boot.port, seen, &n);
	for (i = 0; i < r->boot.naddrs; i++)
		if (udp_addr_parse(r->boot.addrs[i], r->boot.port, &a) == 0)
			(void)path_add(r, &a, seen, &n);
	return n;
}

int
roam_put(void *arg, const struct ssp_path_addr *to, const uint8_t *p, size_t n)
{
	struct roam *r = arg;
	struct roam_socket *s;

	if (to->remote.kind == SSP_ADDR_STREAM) {
		if (ssp_stream_link_put(&r->tunnel, p, n) == 0)
			roam_tunnel_flush(r);
		return 0;
	}
	s = roam_socket_named(r, &to->local);
	return udp_link_send(s == NULL ? NULL : s->udp, to, p, n);
}
