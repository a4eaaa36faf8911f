/*
 * Connections over UDP sockets: what most programs would write around ssp.h
 * themselves.  A client has more than one socket while it looks for a way out of
 * a silence, because a NAT may have forgotten the old one.
 */
#include "base/io/udp.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sodium.h>
#include <string.h>
#include <time.h>

#include "base/map.h"
#include "base/mem.h"
#include "ssp/io/udp_link.h"
#include "ssp/lib/lib_int.h"

#define LIB_SOCKETS SSP_PATHS_MAX /* of a client at a time */

#ifdef CLOCK_BOOTTIME
# define LIB_CLOCK CLOCK_BOOTTIME /* the time of a suspend counts */
#else
# define LIB_CLOCK CLOCK_MONOTONIC
#endif

struct ssp_udp {
	struct udp *sock[LIB_SOCKETS]; /* NULL: none; a server has the first */
	uint32_t names;                /* sockets opened so far */
	struct map conns;              /* by id */
	struct ssp *client;            /* NULL: a server's socket */
	struct ssp_addr peer;          /* of the client */
	/* Makes the ends of connections with this secret and name. */
	struct ssp *(*accept)(void *arg, uint64_t id);
	void *arg;
	uint8_t secret[SSP_SECRET_SIZE];
	uint8_t name[SSP_NAME_MAX];
	size_t name_size;
	mono_ms now;
};

void
lib_random(void *arg, void *out, size_t n)
{
	(void)arg;
	randombytes_buf(out, n);
}

uint64_t
ssp_udp_now(void)
{
	struct timespec ts;

	bug_assert(clock_gettime(LIB_CLOCK, &ts) == 0);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

/* --- sockets ----------------------------------------------------------------- */

/* Opens another socket of a client, and adds it as a way to the peer. */
static int
client_socket(struct ssp_udp *u, mono_ms now)
{
	struct udp_addr to = udp_link_udp_addr(&u->peer);
	struct cause why = { NULL };
	struct ssp_path_addr path;
	size_t i = 0;
	int e;

	while (i < LIB_SOCKETS && u->sock[i] != NULL)
		i++;
	if (i == LIB_SOCKETS)
		return -ERR_LIMIT;
	e = udp_open(
	    to.host == 4 ? AF_INET : AF_INET6, ++u->names, &u->sock[i], &why);
	cause_fini(&why);
	if (e != 0)
		return e;
	path = udp_link_path(u->sock[i], &u->peer);
	e = ssp_conn_path_add(u->client->conn, now, &path);
	if (e != 0) {
		udp_free(u->sock[i]);
		u->sock[i] = NULL;
	}
	return e;
}

/* Returns the index of the socket whose datagrams have NAME, or LIB_SOCKETS. */
static size_t
client_find(const struct ssp_udp *u, const struct ssp_address *name)
{
	struct udp_addr a;
	size_t i;

	for (i = 0; i < LIB_SOCKETS; i++) {
		if (u->sock[i] == NULL)
			continue;
		a = udp_name(u->sock[i]);
		if (a.len == name->size &&
		    memcmp(a.bytes, name->bytes, a.len) == 0)
			break;
	}
	return i;
}

/* The events that are about the sockets of a client are not for its program. */
static bool
client_event(void *arg, struct ssp *s, struct ssp_event *ev)
{
	struct ssp_udp *u = arg;
	size_t i;

	(void)s;
	switch (ev->type) {
	case SSP_EVENT_NEW_SOCKET:
		(void)client_socket(u, u->now);
		return true;
	case SSP_EVENT_ROUTE_GONE:
		i = client_find(u, &ev->route.local);
		if (i < LIB_SOCKETS) {
			udp_free(u->sock[i]);
			u->sock[i] = NULL;
		}
		return true;
	default:
		return false;
	}
}

static struct ssp_udp *
udp_new(void)
{
	struct ssp_udp *u = mem_zalloc(sizeof *u);

	map_init_ids(&u->conns);
	u->now = ssp_udp_now();
	return u;
}

int
ssp_udp_serve(struct ssp_udp **out, const char *address, uint16_t port)
{
	struct cause why = { NULL };
	struct ssp_udp *u;
	struct udp_addr at;
	int e;

	*out = NULL;
	if (udp_addr_parse(address, port, &at) != 0)
		return SSP_E_ARGUMENT;
	u = udp_new();
	e = udp_bind_at(&at, port, port, &u->sock[0], &why);
	cause_fini(&why);
	if (e != 0) {
		ssp_udp_free(u);
		return SSP_E_SYSTEM;
	}
	*out = u;
	return 0;
}

/* The socket carries S from now on. */
static void
udp_carry(struct ssp_udp *u, struct ssp *s)
{
	(void)map_set_id(&u->conns, s->id, s);
	s->udp = u;
	s->gone = ssp_udp_remove;
}

static void
udp_drop(struct ssp *s)
{
	s->hook = NULL;
	s->gone = NULL;
	s->udp = NULL;
}

int
ssp_udp_connect(
    struct ssp_udp **out, struct ssp *s, const char *address, uint16_t port)
{
	struct ssp_udp *u;
	struct udp_addr to;
	int e;

	*out = NULL;
	if (s->udp != NULL)
		return SSP_E_STATE;
	if (udp_addr_parse(address, port, &to) != 0)
		return SSP_E_ARGUMENT;
	u = udp_new();
	u->client = s;
	u->peer = udp_link_addr(&to);
	e = client_socket(u, u->now);
	if (e != 0) {
		ssp_udp_free(u);
		return lib_error(e);
	}
	udp_carry(u, s);
	s->hook = client_event;
	*out = u;
	return 0;
}

void
ssp_udp_free(struct ssp_udp *u)
{
	struct map_entry *e;
	size_t i;

	if (u == NULL)
		return;
	MAP_FOREACH(e, &u->conns)
		udp_drop(e->value);
	for (i = 0; i < LIB_SOCKETS; i++)
		udp_free(u->sock[i]);
	map_fini(&u->conns);
	mem_free_wiped(u, sizeof *u);
}

int
ssp_udp_add(struct ssp_udp *u, struct ssp *s)
{
	if (u->client != NULL || s->udp != NULL ||
	    map_get_id(&u->conns, s->id) != NULL)
		return SSP_E_STATE;
	udp_carry(u, s);
	return 0;
}

void
ssp_udp_remove(struct ssp_udp *u, struct ssp *s)
{
	if (s->udp != u)
		return;
	(void)map_remove_id(&u->conns, s->id);
	if (u->client == s)
		u->client = NULL;
	udp_drop(s);
}

int
ssp_udp_accept(struct ssp_udp *u, const uint8_t secret[SSP_SECRET_SIZE],
    const void *name, size_t name_size,
    struct ssp *(*fn)(void *arg, uint64_t id), void *arg)
{
	if (u->client != NULL || name_size > SSP_NAME_MAX)
		return SSP_E_ARGUMENT;
	memcpy(u->secret, secret, sizeof u->secret);
	if (name_size > 0)
		memcpy(u->name, name, name_size);
	u->name_size = name_size;
	u->accept = fn;
	u->arg = arg;
	return 0;
}

uint16_t
ssp_udp_port(const struct ssp_udp *u)
{
	return u->sock[0] == NULL ? 0 : udp_port(u->sock[0]);
}

int
ssp_udp_fd(const struct ssp_udp *u, unsigned i)
{
	size_t k;

	for (k = 0; k < LIB_SOCKETS; k++)
		if (u->sock[k] != NULL && i-- == 0)
			return udp_fd(u->sock[k]);
	return -1;
}

/* --- a step ------------------------------------------------------------------ */

static int
step_put(void *arg, const struct ssp_path_addr *to, const uint8_t *p,
    size_t len, size_t part)
{
	struct ssp_address name = { .size = to->local.len };
	struct ssp_udp *u = arg;
	size_t i = 0;

	if (u->client != NULL) {
		memcpy(name.bytes, to->local.bytes, name.size);
		i = client_find(u, &name);
	}
	return udp_link_send(
	    i < LIB_SOCKETS ? u->sock[i] : NULL, to, p, len, part);
}

static void
step_send(struct ssp_udp *u)
{
	struct map_entry *e;
	struct ssp *s;

	MAP_FOREACH(e, &u->conns) {
		s = e->value;
		(void)udp_link_output(s->conn, u->now, step_put, u);
		lib_life(s, u->now);
	}
}

/* Returns the connection of a server that a datagram is for, or NULL. */
static struct ssp *
step_find(struct ssp_udp *u, const struct udp_msg *m)
{
	struct ssp *s;
	uint64_t id;

	if (ssp_datagram_id(m->data, m->len, &id) < 0)
		return NULL;
	s = map_get_id(&u->conns, id);
	/* security: whoever lacks the secret costs one hash. */
	if (s != NULL || u->accept == NULL ||
	    !ssp_datagram_opens(
		m->data, m->len, u->secret, u->name, u->name_size))
		return s;
	s = u->accept(u->arg, id);
	if (s != NULL && (s->id != id || ssp_udp_add(u, s) != 0))
		return NULL;
	return s;
}

static void
step_in(void *arg, struct udp_msg *m)
{
	struct ssp_udp *u = arg;
	struct ssp *s = u->client != NULL ? u->client : step_find(u, m);

	if (s == NULL)
		return;
	(void)udp_link_input(s->conn, u->now, m);
	lib_life(s, u->now);
}

/* Returns the milliseconds to wait, at most MS. */
static int
step_wait(const struct ssp_udp *u, int ms)
{
	mono_ms next = MONO_NEVER, left;
	const struct map_entry *e;

	MAP_FOREACH(e, &u->conns)
		next = mono_min(next, ssp_deadline(e->value, u->now));
	if (next == MONO_NEVER)
		return ms;
	left = mono_until(u->now, next);
	if (ms >= 0 && (mono_ms)ms < left)
		return ms;
	return (int)MIN_OF(left, (mono_ms)INT_MAX);
}

int
ssp_udp_step(struct ssp_udp *u, int ms)
{
	struct pollfd p[LIB_SOCKETS];
	struct udp *of[LIB_SOCKETS];
	nfds_t n = 0, k;
	size_t i;

	u->now = ssp_udp_now();
	step_send(u);
	for (i = 0; i < LIB_SOCKETS; i++) {
		if (u->sock[i] == NULL)
			continue;
		of[n] = u->sock[i];
		p[n++] = (struct pollfd){ .fd = udp_fd(u->sock[i]),
			.events = POLLIN };
	}
	if (poll(p, n, step_wait(u, ms)) < 0)
		return errno == EINTR ? 0 : SSP_E_SYSTEM;
	u->now = ssp_udp_now();
	for (k = 0; k < n; k++)
		if (p[k].revents != 0)
			(void)udp_recv_batch(of[k], UDP_BATCH, step_in, u);
	/* Answers need not wait for the next step. */
	step_send(u);
	return 0;
}
