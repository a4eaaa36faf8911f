#include "server/io/remote_port.h"

#include <sys/socket.h>

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "mux/mux.h"
#include "server/io/pace.h"
#include "server/run/run.h"
#include "ssp/io/udp_link.h"

struct port_socket {
	struct udp_addr at; /* LEN 0: all addresses of FAMILY */
	int family;
	struct udp *udp;
	struct loop_io *io;
	struct pace_junk junk;
};

struct remote_port {
	struct run *run;
	udp_fn fn;
	void *arg;
	unsigned users;
	uint16_t number;
	struct port_socket sockets[REMOTE_BIND_MAX];
	size_t count;
	struct port_socket *reading; /* its datagram is up the stack */
	struct loop_timer *timer;    /* ends the rests */
	struct remote_port_stats st;
};

/* Parses "60001" or "60000:61000" (or with a dash). */
static int
ports_parse(const char *text, unsigned *lo, unsigned *hi, struct cause *c)
{
	size_t n = strcspn(text, "-:");
	int64_t a, b;

	if (str_to_intn(text, n, 1, 65535, &a) != 0 ||
	    str_to_int(text[n] != 0 ? text + n + 1 : text, a, 65535, &b) != 0)
		return cause_set(c, -ERR_SYNTAX,
		    "remote-ports is not a port or range: %s", text);
	*lo = (unsigned)a;
	*hi = (unsigned)b;
	return 0;
}

/* Returns whether a socket of FAMILY can be bound. */
static bool
machine_has(int family)
{
	struct cause why = { NULL };
	struct udp *probe;

	if (udp_bind(family, 0, 0, &probe, &why) != 0) {
		cause_fini(&why);
		return false;
	}
	udp_free(probe);
	return true;
}

/* All addresses of the families that the machine has. */
static void
bind_all(struct remote_port *rp)
{
	static const int families[] = { AF_INET, AF_INET6 };
	size_t i;

	for (i = 0; i < ARRAY_LEN(families); i++)
		if (machine_has(families[i]))
			rp->sockets[rp->count++] =
			    (struct port_socket){ .family = families[i] };
}

/* Parses remote-bind: addresses with spaces or commas between them. */
static int
bind_parse(struct remote_port *rp, const char *text, struct cause *c)
{
	const char *all = text;
	struct port_socket *s;
	char word[64];
	struct udp *probe;
	struct cause why = { NULL };
	size_t n;

	for (rp->count = 0; *(text += strspn(text, " ,")) != '\0'; text += n) {
		n = strcspn(text, " ,");
		snprintf(word, sizeof(word), "%.*s", (int)n, text);
		if (rp->count == REMOTE_BIND_MAX)
			return cause_set(c, -ERR_SYNTAX,
			    "remote-bind has more than %d addresses: %s",
			    REMOTE_BIND_MAX, all);
		s = &rp->sockets[rp->count];
		memset(s, 0, sizeof(*s));
		if (n >= sizeof(word) || udp_addr_parse(word, 0, &s->at) != 0)
			return cause_set(c, -ERR_SYNTAX,
			    "remote-bind: not an address: %.*s (use one as "
			    "192.0.2.1 or 2001:db8::1)",
			    (int)MIN_OF(n, (size_t)256), text);
		s->family = udp_addr_family(&s->at);
		if (udp_bind_at(&s->at, 0, 0, &probe, &why) != 0) {
			cause_fini(&why);
			return cause_set(c, -ERR_SYS,
			    "remote-bind: this machine cannot listen on %s "
			    "(ip address lists its addresses)",
			    word);
		}
		udp_free(probe);
		rp->count++;
	}
	if (rp->count == 0)
		bind_all(rp);
	return 0;
}

static void
port_unbind(struct remote_port *rp)
{
	size_t i;

	for (i = 0; i < rp->count; i++) {
		loop_io_del(rp->sockets[i].io);
		udp_free(rp->sockets[i].udp);
		rp->sockets[i].io = NULL;
		rp->sockets[i].udp = NULL;
	}
	rp->number = 0;
}

/* Binds PORT on every address. */
static bool
port_bind(struct remote_port *rp, uint16_t port)
{
	struct cause why = { NULL };
	struct port_socket *s;
	size_t i;
	int r = -ERR_SYS;

	for (i = 0; i < rp->count; i++) {
		s = &rp->sockets[i];
		r = s->at.len == 0
			? udp_bind(s->family, port, port, &s->udp, &why)
			: udp_bind_at(&s->at, port, port, &s->udp, &why);
		if (r != 0)
			break;
	}
	cause_fini(&why);
	if (r != 0)
		port_unbind(rp);
	return r == 0;
}

static void
port_datagram(void *arg, struct udp_msg *m)
{
	struct remote_port *rp = arg;

	rp->st.read++;
	rp->fn(rp->arg, m);
}

/* Reads a batch; everything else of the turn goes before the next one. */
static void
port_read(struct remote_port *rp, struct port_socket *s)
{
	mono_ms now = loop_now(rp->run->loop);
	int n;

	rp->reading = s;
	n = udp_recv_batch(s->udp, UDP_BATCH, port_datagram, rp);
	rp->reading = NULL;
	/* What is left in a full queue is read at once. */
	if (n >= UDP_BATCH || !pace_junk_floods(&s->junk, now))
		return;
	rp->st.rests++;
	loop_io_set(s->io, 0);
	loop_timer_set(rp->timer, now + PACE_JUNK_REST_MS);
}

static void
port_readable(void *arg, int fd, UNUSED unsigned events)
{
	struct remote_port *rp = arg;
	size_t i;

	for (i = 0; i < rp->count; i++)
		if (rp->sockets[i].udp != NULL &&
		    udp_fd(rp->sockets[i].udp) == fd)
			port_read(rp, &rp->sockets[i]);
}

static void
port_rested(void *arg)
{
	struct remote_port *rp = arg;
	size_t i;

	for (i = 0; i < rp->count; i++)
		if (rp->sockets[i].io != NULL)
			loop_io_set(rp->sockets[i].io, LOOP_READ);
}

struct port_socket *
remote_port_reading(const struct remote_port *rp)
{
	return rp->reading;
}

void
remote_port_junk(struct remote_port *rp, struct port_socket *from)
{
	rp->st.junk++;
	if (from != NULL)
		pace_junk_came(&from->junk, loop_now(rp->run->loop));
}

struct remote_port_stats
remote_port_stats(const struct remote_port *rp)
{
	return rp->st;
}

static int
port_open(struct remote_port *rp, struct cause *c)
{
	const struct options *o = &rp->run->mux->server_options;
	unsigned port, lo = 0, hi = 0;
	size_t i;
	int r;

	r = ports_parse(options_string(o, OPTION_REMOTE_PORTS), &lo, &hi, c);
	if (r == 0)
		r = bind_parse(rp, options_string(o, OPTION_REMOTE_BIND), c);
	if (r != 0)
		return r;
	for (port = lo; port <= hi; port++)
		if (port_bind(rp, (uint16_t)port))
			break;
	if (port > hi)
		return cause_set(c, -ERR_SYS,
		    "no free UDP port from %u to %u (see remote-ports)", lo,
		    hi);
	rp->number = (uint16_t)port;
	for (i = 0; i < rp->count; i++)
		rp->sockets[i].io = loop_io_add(rp->run->loop,
		    udp_fd(rp->sockets[i].udp), LOOP_READ, port_readable, rp);
	log_write(
	    &rp->run->log, LOG_INFO, LOG_SERVER, "UDP port %u opens", port);
	return 0;
}

/* Deferred: a datagram of the port may be up the stack. */
static void
port_close_cb(void *arg)
{
	struct remote_port *rp = arg;

	if (rp->users > 0 || rp->number == 0)
		return;
	log_write(&rp->run->log, LOG_INFO, LOG_SERVER,
	    "UDP port %u closes: %llu datagrams, %llu of them junk", rp->number,
	    (unsigned long long)rp->st.read, (unsigned long long)rp->st.junk);
	port_unbind(rp);
}

struct remote_port *
remote_port_new(struct run *run, udp_fn fn, void *arg)
{
	struct remote_port *rp = mem_zalloc(sizeof(*rp));

	rp->run = run;
	rp->fn = fn;
	rp->arg = arg;
	rp->timer = loop_timer_new(run->loop, port_rested, rp);
	return rp;
}

void
remote_port_free(struct remote_port *rp)
{
	if (rp == NULL)
		return;
	loop_defer_cancel(rp->run->loop, rp);
	port_unbind(rp);
	loop_timer_free(rp->timer);
	mem_free(rp);
}

int
remote_port_hold(struct remote_port *rp, struct cause *c)
{
	int r = rp->number != 0 ? 0 : port_open(rp, c);

	if (r == 0)
		rp->users++;
	return r;
}

void
remote_port_drop(struct remote_port *rp)
{
	bug_assert(rp->users > 0);
	if (--rp->users == 0)
		loop_defer(rp->run->loop, port_close_cb, rp);
}

uint16_t
remote_port_number(const struct remote_port *rp)
{
	return rp->number;
}

int
remote_port_send(struct remote_port *rp, const struct ssp_path_addr *to,
    const uint8_t *p, size_t n, size_t part)
{
	struct udp_addr remote = udp_link_udp_addr(&to->remote);
	struct udp_addr local = udp_link_udp_addr(&to->local);
	int family = udp_addr_family(&remote);
	struct port_socket *s;
	size_t i;

	for (i = 0; i < rp->count; i++) {
		s = &rp->sockets[i];
		if (s->udp == NULL || s->family != family)
			continue;
		/* The address without an IPv6 scope. */
		if (s->at.len == 0 || memcmp(s->at.bytes, local.bytes,
					  family == AF_INET ? 4 : 16) == 0)
			return udp_link_send(s->udp, to, p, n, part);
	}
	return -ERR_STATE;
}
