/* Sockets, and the addresses to try. */
#include <sys/socket.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io/netif.h"
#include "base/str.h"
#include "client/roam_int.h"
#include "ssp/io/udp_link.h"

#define PATHS_WANTED 16 /* addresses of a server that are looked at */

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
roam_path_open(
    struct roam *r, const struct ssp_addr *to, const struct netif *by)
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
	if (by != NULL && udp_use_interface(s->udp, by->name) != 0) {
		udp_free(s->udp);
		s->udp = NULL;
		return -ERR_SYS;
	}
	if (ssp_conn_path_add(r->conn, loop_now(r->loop), &path) != 0) {
		udp_free(s->udp);
		s->udp = NULL;
		return -ERR_LIMIT;
	}
	s->io =
	    loop_io_add(r->loop, udp_fd(s->udp), LOOP_READ, roam_readable, r);
	s->to = *to;
	if (by == NULL)
		return 0;
	s->interface = by->index;
	ssp_conn_path_group(r->conn, &path, by->index);
	return 0;
}

/* Adds an address to those to try, once. */
static void
path_want(const struct roam *r, const struct udp_addr *a, struct ssp_addr *want,
    size_t *n)
{
	struct ssp_addr to = udp_link_addr(a);
	size_t i;

	if (*n >= PATHS_WANTED ||
	    (r->cfg->family != 0 && udp_addr_family(a) != r->cfg->family))
		return;
	for (i = 0; i < *n; i++)
		if (ssp_addr_equal(&want[i], &to))
			return;
	want[(*n)++] = to;
}

/*
 * The address that the user named; else those of the ticket; else the host's
 * name as ssh knows it.
 */
void
roam_paths_names(const struct roam_cfg *cfg, struct launch_cfg *lc)
{
	const char *colon;
	size_t i;

	if (cfg->udp != NULL) {
		colon = strrchr(cfg->udp, ':');
		if (colon == NULL || colon == cfg->udp)
			return;
		snprintf(lc->names[0].host, sizeof(lc->names[0].host), "%.*s",
		    (int)MIN_OF(colon - cfg->udp, BOOTSTRAP_HOST_MAX),
		    cfg->udp);
		lc->names[0].port = (uint16_t)strtoul(colon + 1, NULL, 10);
		lc->nnames = 1;
	} else if (cfg->ticket != NULL) {
		for (i = 0; i < cfg->ticket->naddrs; i++) {
			(void)str_copy(lc->names[i].host,
			    cfg->ticket->addrs[i].host,
			    sizeof(lc->names[i].host));
			lc->names[i].port = cfg->ticket->addrs[i].port;
		}
		lc->nnames = i;
	} else
		lc->nnames = 1;
}

/*
 * Writes what the names of the command line lead to, then the addresses that the
 * far side reports. Without a network names lead nowhere; then old addresses
 * may still be right.
 */
static size_t
paths_wanted(struct roam *r, struct ssp_addr want[PATHS_WANTED])
{
	struct udp_addr found[LAUNCH_ADDRS_MAX], a;
	size_t n = 0, i, got;

	got = launch_lookup(r->launch, r->boot.port,
	    r->nknown == 0 ? -1 : ROAM_LOOKUP_MS, found);
	if (got > 0) {
		memcpy(r->known, found, got * sizeof(*found));
		r->nknown = got;
	}
	for (i = 0; i < r->nknown; i++) {
		/* The port of a new server, if it is ssh that tells. */
		if (r->cfg->udp == NULL && r->cfg->ticket == NULL)
			udp_addr_set_port(&r->known[i], r->boot.port);
		path_want(r, &r->known[i], want, &n);
	}
	if (r->cfg->udp != NULL || r->cfg->ticket != NULL)
		return n;
	for (i = 0; i < r->boot.naddrs; i++)
		if (udp_addr_parse(r->boot.addrs[i], r->boot.port, &a) == 0)
			path_want(r, &a, want, &n);
	return n;
}

size_t
roam_paths_first(struct roam *r)
{
	struct ssp_addr want[PATHS_WANTED];
	size_t n = paths_wanted(r, want), i, opened = 0;

	for (i = 0; i < n && opened < ROAM_PATHS_FIRST; i++)
		opened += roam_path_open(r, &want[i], NULL) == 0;
	return opened;
}

static bool
path_among(const struct ssp_addr *to, const struct ssp_addr *all, size_t n)
{
	while (n-- > 0)
		if (ssp_addr_equal(&all[n], to))
			return true;
	return false;
}

/* Closes the sockets that lead elsewhere and do not carry the session. */
static void
paths_close_but(struct roam *r, const struct ssp_addr *want, size_t n)
{
	struct ssp_conn_stats st;
	struct ssp_path_addr path;
	struct roam_socket *s;

	ssp_conn_stats(r->conn, &st);
	for (s = r->sockets; s < r->sockets + ROAM_SOCKETS; s++) {
		if (s->udp == NULL || path_among(&s->to, want, n))
			continue;
		path = udp_link_path(s->udp, &s->to);
		if (ssp_addr_equal(&path.local, &st.active.local))
			continue;
		ssp_conn_path_remove(r->conn, loop_now(r->loop), &path);
		roam_socket_close(s);
	}
}

void
roam_paths_again(struct roam *r)
{
	struct ssp_addr want[PATHS_WANTED];
	size_t n = paths_wanted(r, want), i, opened = 0;
	int k;

	if (n == 0)
		return;
	paths_close_but(r, want, n);
	for (i = 0; i < n && opened < ROAM_PATHS_FIRST; i++) {
		for (k = 0; k < ROAM_SOCKETS; k++)
			if (r->sockets[k].udp != NULL &&
			    ssp_addr_equal(&r->sockets[k].to, &want[i]))
				break;
		if (k < ROAM_SOCKETS || roam_path_open(r, &want[i], NULL) == 0)
			opened++;
	}
}

int
roam_put(void *arg, const struct ssp_path_addr *to, const uint8_t *p, size_t n,
    size_t part)
{
	struct roam *r = arg;
	struct roam_socket *s;

	if (to->remote.kind == SSP_ADDR_STREAM) {
		if (ssp_stream_link_put(&r->tunnel, p, n) == 0)
			roam_tunnel_flush(r);
		return 0;
	}
	s = roam_socket_named(r, &to->local);
	return udp_link_send(s == NULL ? NULL : s->udp, to, p, n, part);
}
