#include "client/remote.h"

#include <sys/socket.h>
#include <sys/wait.h>

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/io/loop.h"
#include "base/io/stream.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "client/attach.h"
#include "mux/sync/control.h"
#include "mux/sync/input.h"
#include "mux/sync/view.h"
#include "ssp/bind.h"
#include "ssp/compress.h"
#include "ssp/io/udp_link.h"
#include "ssp/stream_link.h"

#define REMOTE_SOCKETS SSP_PATHS_MAX
#define REMOTE_PATHS_FIRST 5 /* addresses tried at once; room for more */

/* UDP that has not answered by then gets ssh as company. */
#define REMOTE_TUNNEL_MS 1500
#define REMOTE_SAY_MS 5000

/* A ticket that nobody has answered by then is no good (any more). */
#define REMOTE_JOIN_MS 10000

/* The goodbye of either side takes at most so long. */
#define REMOTE_BYE_MS 1000

/* The clock jumped by more than that: the machine slept. */
#define REMOTE_SLEPT_MS 2000

struct remote_socket {
	struct udp *udp;
	struct loop_io *io;
};

struct remote {
	const struct remote_cfg *cfg;
	struct bootstrap boot;
	struct loop *loop;
	struct ssp_keyring *keyring;
	struct ssp_zip *zip;
	struct ssp_bind bind;
	struct ssp_conn *conn;
	struct loop_timer *timer;
	struct loop_timer *tunnel_timer;
	struct loop_timer *bye_timer;
	struct loop_timer *wake_timer; /* the world may be another one */
	struct remote_socket sockets[REMOTE_SOCKETS];
	uint32_t next_name;

	/* The way through ssh. */
	struct ssp_stream_link tunnel;
	struct loop_io *io_in;  /* writing to ssh */
	struct loop_io *io_out; /* reading from it */
	struct loop_io *io_err;
	bool tunnel_used; /* named to the connection */
	bool udp_up;

	struct attach *attach;
	struct loop_signal *signals[6];
	mono_ms born;
	uint64_t shown; /* number of the view painted last */
	char *exit_text;
	int exit_code;
	bool leaving; /* the terminal is the user's again */
	bool done;
};

static void
remote_random(UNUSED void *arg, void *out, size_t n)
{
	sys_random(out, n);
}

static void
remote_end(struct remote *r, int code)
{
	if (!r->done)
		r->exit_code = code;
	r->done = true;
	loop_stop(r->loop);
}

static void remote_pump(struct remote *r);

/* After the turn, since the attach may be up the stack. */
static void
remote_let_go(void *arg)
{
	struct remote *r = arg;

	attach_free(r->attach);
	r->attach = NULL;
	ssp_transport_shutdown(r->bind.tp, loop_now(r->loop));
	loop_timer_set(
	    r->bye_timer, mono_add(loop_now(r->loop), REMOTE_BYE_MS));
	remote_pump(r);
}

/* Gives the terminal back; the farewell to the server goes on for a moment. */
static void
remote_leave(struct remote *r, int code, const char *text)
{
	if (r->leaving)
		return;
	r->leaving = true;
	r->exit_code = code;
	mem_free(r->exit_text);
	r->exit_text = text == NULL ? NULL : mem_strdup(text);
	loop_defer(r->loop, remote_let_go, r);
}

/* --- sockets -------------------------------------------------------------------- */

static struct ssp_addr
tunnel_end(void)
{
	return ssp_addr_make(SSP_ADDR_STREAM, "ssh", 3, 0);
}

static struct ssp_path_addr
tunnel_addr(void)
{
	struct ssp_path_addr a = { tunnel_end(), tunnel_end() };

	return a;
}

static struct remote_socket *
socket_named(struct remote *r, const struct ssp_addr *local)
{
	struct udp_addr name;
	int i;

	for (i = 0; i < REMOTE_SOCKETS; i++) {
		if (r->sockets[i].udp == NULL)
			continue;
		name = udp_name(r->sockets[i].udp);
		if (name.len == local->len &&
		    memcmp(name.bytes, local->bytes, name.len) == 0)
			return &r->sockets[i];
	}
	return NULL;
}

static void
socket_close(struct remote_socket *s)
{
	loop_io_del(s->io);
	udp_free(s->udp);
	memset(s, 0, sizeof(*s));
}

static void
remote_datagram(void *arg, struct udp_msg *m)
{
	struct remote *r = arg;

	(void)udp_link_input(r->conn, loop_now(r->loop), m);
}

/* Something may have come: shows it. */
static void
remote_news(struct remote *r)
{
	uint64_t num;

	(void)ssp_transport_remote(r->bind.tp, &num);
	if (num != r->shown && r->attach != NULL) {
		r->shown = num;
		attach_update(r->attach);
	}
	remote_pump(r);
}

static void
remote_readable(void *arg, int fd, UNUSED unsigned events)
{
	struct remote *r = arg;
	int i;

	for (i = 0; i < REMOTE_SOCKETS; i++)
		if (r->sockets[i].udp != NULL &&
		    udp_fd(r->sockets[i].udp) == fd) {
			(void)udp_recv_batch(
			    r->sockets[i].udp, UDP_BATCH, remote_datagram, r);
			break;
		}
	remote_news(r);
}

/* A socket for paths to TO; the oldest that is not in use gives way. */
static int
path_open(struct remote *r, const struct ssp_addr *to)
{
	struct udp_addr addr = udp_link_udp_addr(to);
	struct remote_socket *s = NULL;
	struct ssp_path_addr path;
	struct cause c = { NULL };
	int i;

	for (i = 0; i < REMOTE_SOCKETS && s == NULL; i++)
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
	    loop_io_add(r->loop, udp_fd(s->udp), LOOP_READ, remote_readable, r);
	return 0;
}

static bool
path_add(struct remote *r, const struct udp_addr *a, struct ssp_addr *seen,
    size_t *n)
{
	struct ssp_addr to = udp_link_addr(a);
	size_t i;

	if (*n >= REMOTE_PATHS_FIRST ||
	    (r->cfg->family != 0 && udp_addr_family(a) != r->cfg->family))
		return false;
	for (i = 0; i < *n; i++)
		if (ssp_addr_equal(&seen[i], &to))
			return false;
	if (path_open(r, &to) != 0)
		return false;
	seen[(*n)++] = to;
	return true;
}

/* The addresses of a name, as paths. */
static void
paths_resolve(struct remote *r, const char *host, uint16_t port,
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
 * Where to look for the server: what the user said; else the host's name as
 * ssh knows it, then what the far side says of itself.
 */
static size_t
paths_first(struct remote *r)
{
	struct ssp_addr seen[REMOTE_PATHS_FIRST];
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

/* --- the way through ssh ------------------------------------------------------------ */

static void
tunnel_close(struct remote *r)
{
	struct ssp_path_addr a = tunnel_addr();

	if (r->boot.in < 0 && r->boot.out < 0)
		return;
	loop_io_del(r->io_in);
	loop_io_del(r->io_out);
	loop_io_del(r->io_err);
	r->io_in = r->io_out = r->io_err = NULL;
	bootstrap_close(&r->boot);
	if (r->tunnel_used)
		ssp_conn_path_remove(r->conn, loop_now(r->loop), &a);
	r->tunnel_used = false;
}

static void
tunnel_flush(struct remote *r)
{
	const uint8_t *p;
	size_t n, put;
	int e = 0;

	if (r->boot.in < 0)
		return;
	while ((n = ssp_stream_link_pending(&r->tunnel, &p)) > 0) {
		if ((e = stream_write(r->boot.in, p, n, &put)) != 0)
			break;
		ssp_stream_link_written(&r->tunnel, put);
	}
	loop_io_set(r->io_in, e == -ERR_AGAIN ? LOOP_WRITE : 0);
}

static void
tunnel_writable(void *arg, UNUSED int fd, UNUSED unsigned events)
{
	tunnel_flush(arg);
}

static void
tunnel_records(struct remote *r)
{
	struct ssp_path_addr from = tunnel_addr();
	uint8_t *p;
	size_t n;
	int e;

	while ((e = ssp_stream_link_next(&r->tunnel, &p, &n)) == 1)
		(void)ssp_conn_input(
		    r->conn, loop_now(r->loop), &from, 0, p, n);
	if (e < 0)
		tunnel_close(r);
	remote_news(r);
}

static void
tunnel_readable(void *arg, int fd, UNUSED unsigned events)
{
	struct remote *r = arg;
	uint8_t *p;
	size_t n, got;
	int e;

	n = ssp_stream_link_room(&r->tunnel, &p);
	e = stream_read(fd, p, n, &got);
	if (e == -ERR_AGAIN)
		return;
	if (e != 0) {
		/* ssh is gone; UDP may still come. */
		tunnel_close(r);
		remote_pump(r);
		return;
	}
	ssp_stream_link_commit(&r->tunnel, got);
	tunnel_records(r);
}

/* What ssh says now would only spoil the screen. */
static void
tunnel_error(void *arg, int fd, UNUSED unsigned events)
{
	struct remote *r = arg;
	uint8_t bytes[4096];
	size_t got;
	int e = stream_read(fd, bytes, sizeof(bytes), &got);

	if (e != 0 && e != -ERR_AGAIN)
		loop_io_set(r->io_err, 0);
}

static void
tunnel_use(void *arg)
{
	struct remote *r = arg;
	struct ssp_path_addr a = tunnel_addr();
	struct ssp_conn_stats st;

	if (r->cfg->ticket != NULL) {
		ssp_conn_stats(r->conn, &st);
		if (st.heard_at != 0)
			return;
		remote_leave(r, 1,
		    "no answer: the invitation has ended, was used or "
		    "revoked, or UDP does not get through");
		remote_end(r, 1);
		return;
	}
	if (r->udp_up || r->boot.in < 0 || r->tunnel_used)
		return;
	if (ssp_conn_path_add(r->conn, loop_now(r->loop), &a) == 0)
		r->tunnel_used = true;
	if (r->tunnel_used && r->attach != NULL)
		attach_say(r->attach, REMOTE_SAY_MS,
		    "UDP does not answer: going through ssh until it does");
	remote_pump(r);
}

static void
tunnel_start(struct remote *r)
{
	struct bootstrap *b = &r->boot;
	uint8_t *p;
	size_t n, at = 0;

	if (b->in < 0)
		return;
	(void)sys_set_nonblock(b->in);
	(void)sys_set_nonblock(b->out);
	r->io_in = loop_io_add(r->loop, b->in, 0, tunnel_writable, r);
	r->io_out = loop_io_add(r->loop, b->out, LOOP_READ, tunnel_readable, r);
	if (b->err >= 0) {
		(void)sys_set_nonblock(b->err);
		r->io_err =
		    loop_io_add(r->loop, b->err, LOOP_READ, tunnel_error, r);
	}
	while (at < b->rest.len) {
		n = ssp_stream_link_room(&r->tunnel, &p);
		n = MIN_OF(n, b->rest.len - at);
		if (n == 0)
			break;
		memcpy(p, b->rest.data + at, n);
		ssp_stream_link_commit(&r->tunnel, n);
		at += n;
	}
}

/* --- the connection --------------------------------------------------------------------- */

static int
remote_put(
    void *arg, const struct ssp_path_addr *to, const uint8_t *p, size_t n)
{
	struct remote *r = arg;
	struct remote_socket *s;

	if (to->remote.kind == SSP_ADDR_STREAM) {
		if (ssp_stream_link_put(&r->tunnel, p, n) == 0)
			tunnel_flush(r);
		return 0;
	}
	s = socket_named(r, &to->local);
	return udp_link_send(s == NULL ? NULL : s->udp, to, p, n);
}

static void
on_active(struct remote *r, const struct ssp_path_addr *a)
{
	struct ssp_conn_stats st;

	ssp_conn_stats(r->conn, &st);
	if (a->remote.kind != SSP_ADDR_UDP || st.heard_at == 0)
		return;
	r->udp_up = true;
}

static void
remote_event(struct remote *r, const struct ssp_conn_event *ev)
{
	struct remote_socket *s;
	char text[160];

	switch (ev->type) {
	case SSP_CONN_EV_UP:
		break;
	case SSP_CONN_EV_SILENT:
	case SSP_CONN_EV_HEARD:
		if (r->attach != NULL)
			attach_link(r->attach);
		break;
	case SSP_CONN_EV_NEW_SOCKET:
		(void)path_open(r, &ev->addr.remote);
		break;
	case SSP_CONN_EV_ACTIVE:
		on_active(r, &ev->addr);
		break;
	case SSP_CONN_EV_DROPPED:
		if ((s = socket_named(r, &ev->addr.local)) != NULL)
			socket_close(s);
		break;
	case SSP_CONN_EV_CLOSED:
		remote_leave(r, 1, "connection closed by the server");
		remote_end(r, r->exit_code);
		break;
	case SSP_CONN_EV_FAILED:
		snprintf(text, sizeof(text),
		    "no common protocol version (there: %llu, here: %d)",
		    (unsigned long long)ev->code, SSP_CONN_VERSION);
		remote_leave(r, 1, text);
		remote_end(r, 1);
		break;
	}
}

/* UDP carries the session: ssh has done its service. */
static void
remote_settle(struct remote *r)
{
	struct ssp_conn_stats st;

	if (r->boot.in < 0)
		return;
	ssp_conn_stats(r->conn, &st);
	if (st.state == SSP_CONN_UP && st.active.remote.kind == SSP_ADDR_UDP &&
	    !st.silent)
		tunnel_close(r);
}

static void
remote_pump(struct remote *r)
{
	mono_ms now = loop_now(r->loop);
	struct ssp_conn_event ev;
	enum ssp_close_state st;
	unsigned n;

	if (r->done)
		return;
	do {
		n = udp_link_output(r->conn, now, remote_put, r);
		while (ssp_conn_event(r->conn, &ev))
			remote_event(r, &ev);
	} while (ssp_conn_deadline(r->conn, now) <= now && n > 0);
	remote_settle(r);
	st = ssp_transport_closing(r->bind.tp);
	if (st == SSP_CLOSE_PEER && !r->leaving)
		remote_leave(r, 0, "detached");
	if (r->leaving && (st == SSP_CLOSE_PEER || st == SSP_CLOSE_DONE ||
			      st == SSP_CLOSE_GAVE_UP))
		remote_end(r, r->exit_code);
	loop_timer_set(r->timer, ssp_conn_deadline(r->conn, now));
}

static void
remote_pump_cb(void *arg)
{
	remote_pump(arg);
}

static void
remote_bye(void *arg)
{
	struct remote *r = arg;

	remote_end(r, r->exit_code);
}

/* --- what the server asks of us ------------------------------------------------------------ */

/*
 * Orders to run something on this machine (detach-client -E, lock-command)
 * are not followed: the far side does not own it.
 */
static void
remote_control(void *arg, const void *p, size_t n)
{
	struct remote *r = arg;
	struct control_msg m;
	size_t used;
	char *text;

	if (control_decode(p, n, &m, &used) != 0)
		return;
	text = m.has & CONTROL_HAS_TEXT ? control_str_new(m.text) : NULL;
	switch (m.type) {
	case CONTROL_DETACH:
	case CONTROL_EXIT:
		remote_leave(r, m.type == CONTROL_EXIT ? (int)m.code : 0, text);
		break;
	case CONTROL_EXEC:
		remote_leave(r, 0, "detached");
		break;
	case CONTROL_LOCK:
		(void)sync_input_data(ssp_transport_current(r->bind.tp),
		    SYNC_REPLY, SYNC_REPLY_UNLOCKED, "", 0);
		ssp_transport_changed(r->bind.tp, loop_now(r->loop));
		break;
	case CONTROL_SUSPEND:
		(void)kill(getpid(), SIGTSTP);
		break;
	default:
		break;
	}
	mem_free(text);
}

static void
remote_gone(void *arg)
{
	struct remote *r = arg;

	remote_leave(r, 1, NULL);
}

static void
remote_suspend(struct remote *r)
{
	if (r->attach != NULL)
		attach_pause(r->attach);
	(void)kill(getpid(), SIGSTOP);
	if (r->attach != NULL)
		attach_resume(r->attach);
	loop_timer_set(r->wake_timer, 0);
}

static void
remote_woke(void *arg)
{
	struct remote *r = arg;

	ssp_conn_network_changed(r->conn, loop_now(r->loop));
	remote_pump(r);
}

static void
remote_signal(void *arg, int signo)
{
	struct remote *r = arg;
	pid_t pid;

	switch (signo) {
	case SIGWINCH:
		if (r->attach != NULL)
			attach_resized(r->attach);
		break;
	case SIGCONT:
		if (r->attach != NULL) {
			attach_pause(r->attach);
			attach_resume(r->attach);
		}
		loop_timer_set(r->wake_timer, 0);
		break;
	case SIGTSTP:
		remote_suspend(r);
		break;
	case SIGCHLD:
		while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
			if (pid == r->boot.pid)
				r->boot.pid = 0;
		break;
	default:
		remote_leave(r, 1, signo == SIGTERM ? "terminated" : NULL);
		remote_pump(r);
	}
}

/* --- from beginning to end ------------------------------------------------------------------ */

/* What the invitation says, in place of ssh's answer. */
static void
take_ticket(struct remote *r)
{
	struct ssp_ticket *t = r->cfg->ticket;
	uint32_t random;

	memset(&r->boot, 0, sizeof(r->boot));
	r->boot.in = r->boot.out = r->boot.err = -1;
	buf_init(&r->boot.rest, 1);
	sys_random(&random, sizeof(random));
	r->boot.cid = ssp_ticket_cid(t->tag, random);
	ssp_ticket_psk(r->boot.key, t->key, r->boot.cid);
	ssp_wipe(t->key, sizeof(t->key));
}

/* Who comes, for list-clients and the others there. */
static void
say_hello(struct remote *r, struct sync_input *in)
{
	const char *term = getenv("TERM");
	struct buf b;

	buf_init(&b, 1024);
	if (buf_add(&b, r->cfg->name, strlen(r->cfg->name) + 1) == 0 &&
	    (term == NULL || buf_add_str(&b, term) == 0))
		(void)sync_input_data(in, SYNC_HELLO,
		    (r->cfg->ssh.flags & CONTROL_FLAG_UTF8) != 0, b.data,
		    b.len);
	buf_fini(&b);
}

static int
remote_open(struct remote *r, struct cause *c)
{
	mono_ms now = loop_now(r->loop);
	struct ssp_transport_cfg tc;
	struct ssp_conn_cfg cc;
	int e;

	r->keyring = ssp_keyring_new(SSP_SECRETS_LEN, 1, 2);
	if (r->keyring == NULL)
		return cause_set(c, -ERR_SYS, "rmux: no memory for keys");
	r->zip = ssp_zip_new();
	r->born = now;
	ssp_transport_cfg_init(&tc, SSP_LINK_DATAGRAM);
	tc.local_ops = &sync_input_ops;
	tc.local = sync_input_new();
	tc.remote_ops = &sync_view_ops;
	tc.remote = sync_view_new(0, 0);
	tc.zip = r->zip;
	ssp_bind_transport(&r->bind, &tc, now);
	if (r->cfg->ticket != NULL)
		say_hello(r, ssp_transport_current(r->bind.tp));
	ssp_conn_cfg_init(&cc);
	cc.cid = r->boot.cid;
	cc.psk = r->boot.key;
	cc.keyring = r->keyring;
	cc.random = remote_random;
	cc.payload = ssp_bind_payload(&r->bind);
	e = ssp_conn_client_new(&cc, now, &r->conn);
	mem_wipe(r->boot.key, sizeof(r->boot.key));
	if (e != 0)
		return cause_set(c, e, "rmux: no memory for keys");
	ssp_bind_conn(&r->bind, r->conn);
	r->timer = loop_timer_new(r->loop, remote_pump_cb, r);
	r->tunnel_timer = loop_timer_new(r->loop, tunnel_use, r);
	r->bye_timer = loop_timer_new(r->loop, remote_bye, r);
	r->wake_timer = loop_timer_new(r->loop, remote_woke, r);
	tunnel_start(r);
	/* Without any address there is no use in waiting. */
	loop_timer_set(r->tunnel_timer,
	    paths_first(r) == 0
		? now
		: mono_add(now, r->cfg->ticket != NULL ? REMOTE_JOIN_MS
						       : REMOTE_TUNNEL_MS));
	return 0;
}

static void
far_link(void *arg, struct banner_link *out)
{
	struct remote *r = arg;
	mono_ms now = loop_now(r->loop);
	struct ssp_transport_stats ts;
	struct ssp_conn_stats cs;

	ssp_conn_stats(r->conn, &cs);
	ssp_transport_stats(r->bind.tp, now, &ts);
	out->heard = cs.heard_at == 0 ? r->born : cs.heard_at;
	out->acked = MAX_OF(ts.last_proven, r->born);
	out->waiting = ssp_transport_unacked(r->bind.tp, now);
}

static mono_ms
far_rtt(void *arg)
{
	struct remote *r = arg;
	struct ssp_transport_stats ts;

	ssp_transport_stats(r->bind.tp, loop_now(r->loop), &ts);
	return ts.have_rtt ? ts.srtt : MONO_NEVER;
}

static void
far_report(void *arg, char *out, size_t size)
{
	struct remote *r = arg;
	mono_ms now = loop_now(r->loop);
	struct ssp_transport_stats ts;
	struct ssp_conn_stats cs;
	struct udp_addr a;
	char where[64] = "ssh";

	ssp_conn_stats(r->conn, &cs);
	ssp_transport_stats(r->bind.tp, now, &ts);
	if (cs.active.remote.kind == SSP_ADDR_UDP) {
		a = udp_link_udp_addr(&cs.active.remote);
		udp_addr_format(&a, where, sizeof(where));
	}
	snprintf(out, size,
	    "%s via %s, RTT %llu ms, loss %u.%u %%, heard %llu ms ago",
	    r->cfg->ticket != NULL ? "guest" : r->cfg->ssh.target.login, where,
	    (unsigned long long)ts.srtt, ts.loss / 100, ts.loss / 10 % 10,
	    (unsigned long long)mono_until(cs.heard_at, now));
}

static void
far_quit(void *arg)
{
	remote_leave(arg, 0, "left; the session goes on");
}

static void
far_suspend(UNUSED void *arg)
{
	(void)kill(getpid(), SIGTSTP);
}

static int
remote_attach(struct remote *r, struct cause *c)
{
	static const struct attach_far far = { far_link, far_rtt, far_report,
		far_quit, far_suspend };
	struct attach_cfg ac = {
		.loop = r->loop,
		.tp = r->bind.tp,
		.in = STDIN_FILENO,
		.out = STDOUT_FILENO,
		.changed = remote_pump_cb,
		.gone = remote_gone,
		.control = remote_control,
		.far = &far,
		.predict = r->cfg->predict,
		.arg = r,
	};
	size_t unknown;

	ac.caps = term_caps_from_name(getenv("TERM"), getenv("COLORTERM"));
	if (r->cfg->ssh.flags & CONTROL_FLAG_UTF8)
		ac.caps |= TERM_CAP(UTF8);
	if (r->cfg->features != NULL)
		ac.caps = term_caps_change(ac.caps, r->cfg->features,
		    strlen(r->cfg->features), &unknown);
	r->attach = attach_new(&ac, c);
	return r->attach == NULL ? -ERR_SYS : 0;
}

/* How far ahead the clock that counts sleep is of the one that does not. */
static mono_ms
slept(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return sys_now() -
	       ((mono_ms)t.tv_sec * 1000 + (mono_ms)t.tv_nsec / 1000000);
}

static void
remote_loop(struct remote *r)
{
	static const int signos[] = { SIGWINCH, SIGCONT, SIGTSTP, SIGCHLD,
		SIGTERM, SIGHUP };
	mono_ms before = slept(), after;
	size_t i;

	for (i = 0; i < ARRAY_LEN(signos); i++)
		r->signals[i] =
		    loop_signal_add(r->loop, signos[i], remote_signal, r);
	remote_pump(r);
	while (!r->done) {
		loop_turn(r->loop, true);
		after = slept();
		if (after > before + REMOTE_SLEPT_MS)
			loop_timer_set(r->wake_timer, 0);
		before = after;
	}
	for (i = 0; i < ARRAY_LEN(signos); i++)
		loop_signal_del(r->signals[i]);
}

static void
remote_fini(struct remote *r)
{
	int i;

	attach_free(r->attach);
	tunnel_close(r);
	loop_timer_free(r->timer);
	loop_timer_free(r->tunnel_timer);
	loop_timer_free(r->bye_timer);
	loop_timer_free(r->wake_timer);
	for (i = 0; i < REMOTE_SOCKETS; i++)
		if (r->sockets[i].udp != NULL)
			socket_close(&r->sockets[i]);
	ssp_conn_free(r->conn);
	ssp_transport_free(r->bind.tp);
	ssp_zip_free(r->zip);
	ssp_keyring_free(r->keyring);
	ssp_stream_link_fini(&r->tunnel);
	bootstrap_close(&r->boot);
	buf_fini(&r->boot.rest);
	loop_free(r->loop);
	/* ssh ends with its pipes; one that hangs is not waited for. */
	if (r->boot.pid > 0 && waitpid(r->boot.pid, NULL, WNOHANG) == 0)
		(void)kill(r->boot.pid, SIGHUP);
}

int
remote_run(const struct remote_cfg *cfg)
{
	struct remote r = { .cfg = cfg };
	struct cause c = { NULL };
	int e = 0;

	(void)signal(SIGPIPE, SIG_IGN);
	if (ssp_crypto_init() != 0) {
		fprintf(stderr, "rmux: libsodium does not start\n");
		return 1;
	}
	if (cfg->ticket != NULL)
		take_ticket(&r);
	if (cfg->ticket != NULL ||
	    (e = bootstrap_run(&cfg->ssh, &r.boot, &c)) == 0) {
		ssp_stream_link_init(&r.tunnel);
		r.loop = loop_new();
		if ((e = remote_open(&r, &c)) == 0 &&
		    (e = remote_attach(&r, &c)) == 0)
			remote_loop(&r);
		remote_fini(&r);
	}
	if (e != 0) {
		if (*cause_text(&c) != '\0')
			fprintf(stderr, "%s\n", cause_text(&c));
		cause_fini(&c);
		mem_free(r.exit_text);
		return 1;
	}
	if (r.exit_text != NULL && *r.exit_text != '\0')
		printf("[%s]\n", r.exit_text);
	fflush(stdout);
	mem_free(r.exit_text);
	return r.exit_code;
}
