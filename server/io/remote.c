#include <string.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/map.h"
#include "base/mem.h"
#include "mux/mux.h"
#include "mux/sync/input.h"
#include "server/io/conn.h"
#include "server/io/guest_in.h"
#include "server/io/remote_exec.h"
#include "server/io/remote_int.h"
#include "server/io/remote_port.h"
#include "server/run/run.h"
#include "ssp/bind.h"
#include "ssp/io/forward.h"
#include "ssp/io/udp_link.h"
#include "ssp/sprout.h"

#define REMOTE_MAX 12000 /* remote clients at a time; each has a key */
#define REMOTE_OPEN_MS \
 120000 /* time for the client to send its first datagram */

/* After the client has closed: time to repeat the confirmation. */
#define REMOTE_LINGER_MS 3000
#define REMOTE_HEARTBEATS 4 /* in the time after which a client is removed */

/* After the server has closed: longer than the transport retries. */
#define REMOTE_FAREWELL_MS 15000

/*
 * Bytes of a guest's input: unfinished, an instruction and its parity; finished,
 * four times as much as is on its way at a time.
 */
#define REMOTE_GUEST_HELD ((size_t)5 << 18)
#define REMOTE_GUEST_STATES ((size_t)2 << 20)

struct remote *
remote_of_link(struct link *l)
{
	return container_of(l, struct remote, link);
}

static void
remote_random(UNUSED void *arg, void *out, size_t n)
{
	sys_random(out, n);
}

/* --- sending --------------------------------------------------------------------- */

static int
remote_put(void *arg, const struct ssp_path_addr *to, const uint8_t *p,
    size_t n, size_t part)
{
	struct remote *r = arg;
	struct conn *cn;
	uint64_t id;

	if (to->remote.kind == SSP_ADDR_STREAM) {
		memcpy(&id, to->remote.bytes, sizeof(id));
		cn = conn_find(r->rs->conns, id);
		if (cn != NULL)
			(void)conn_tunnel(cn, p, n);
		return 0;
	}
	return remote_port_send(r->rs->port, to, p, n, part);
}

static void
remote_free(struct remote *r)
{
	struct loop *loop = r->rs->run->loop;
	struct conn *cn = conn_find(r->rs->conns, r->conn_id);
	struct conn *later = conn_find(r->rs->conns, r->again_id);

	(void)map_remove_id(&r->rs->by_cid, r->cid);
	loop_defer_cancel(loop, r);
	loop_timer_free(r->timer);
	guest_in_free(r->in);
	execs_free(r->execs);
	forwards_free(r->forwards);
	ssp_conn_free(r->conn);
	ssp_transport_free(r->bind.tp);
	if (cn != NULL)
		conn_set_remote(cn, NULL);
	if (later != NULL)
		conn_set_remote(later, NULL);
	remote_port_drop(r->rs->port);
	mem_free_wiped(r, sizeof(*r));
}

static void
remote_free_cb(void *arg)
{
	remote_free(arg);
}

/* Deferred: the viewer may be up the stack. */
static void
remote_lose_cb(void *arg)
{
	struct remote *r = arg;

	if (r->link.user != NULL)
		r->link.user->lost(r->link.arg);
}

static void
remote_lose(struct remote *r)
{
	if (!r->losing)
		loop_defer(r->rs->run->loop, remote_lose_cb, r);
	r->losing = true;
}

static void
remote_event(struct remote *r, const struct ssp_conn_event *ev)
{
	log_write(&r->rs->run->log, LOG_DEBUG, LOG_SSP,
	    "connection %llu: event %d", (unsigned long long)r->conn_id,
	    (int)ev->type);
	switch (ev->type) {
	case SSP_CONN_EV_SILENT:
		r->silent = true;
		break;
	case SSP_CONN_EV_HEARD:
		r->silent = false;
		if (r->link.user != NULL)
			r->link.user->wake(r->link.arg);
		break;
	case SSP_CONN_EV_CLOSED:
	case SSP_CONN_EV_FAILED:
		r->end_at = loop_now(r->rs->run->loop) + REMOTE_LINGER_MS;
		remote_lose(r);
		break;
	case SSP_CONN_EV_UP:
	case SSP_CONN_EV_NEW_SOCKET:
	case SSP_CONN_EV_ACTIVE:
	case SSP_CONN_EV_DROPPED:
		break;
	}
}

/* Returns how long a client may be silent before it counts as gone. */
static mono_ms
remote_patience(const struct remote *r)
{
	const struct options *o = &r->rs->run->mux->server_options;
	int64_t s = options_number(o, OPTION_SILENCE_TIMEOUT), less = 0;

	/* security: a guest that vanished must not keep its place for weeks. */
	if (r->uid == (uid_t)-1)
		less = options_number(o, OPTION_GUEST_SILENCE_TIMEOUT);
	else if (r->carries)
		less = options_number(o, OPTION_EXEC_SILENCE_TIMEOUT);
	if (less > 0)
		s = s <= 0 ? less : MIN_OF(s, less);
	return s <= 0 ? MONO_NEVER : (mono_ms)s * 1000;
}

/* The client has gone without a word, and is removed. */
static void
remote_forget(struct remote *r, mono_ms now)
{
	ssp_conn_abort(r->conn, now, 0);
	r->end_at = now + REMOTE_LINGER_MS;
	remote_lose(r);
}

/*
 * Ends a remote that is closed or has been silent for too long. Returns when to
 * look again.
 */
static mono_ms
remote_life(struct remote *r, mono_ms now)
{
	enum ssp_close_state st = ssp_transport_closing(r->bind.tp);
	struct ssp_conn_stats cs;
	mono_ms last, patience;

	ssp_conn_stats(r->conn, &cs);
	if (r->link.user == NULL) {
		/*
		 * Once the client has asked to end, only a repeated answer is
		 * left to do, and without a path (ssh has ended) not even that.
		 */
		if (st == SSP_CLOSE_DONE || st == SSP_CLOSE_GAVE_UP ||
		    (st == SSP_CLOSE_PEER &&
			cs.active.remote.kind == SSP_ADDR_NONE) ||
		    now >= r->end_at)
			loop_defer(r->rs->run->loop, remote_free_cb, r);
		return r->end_at;
	}
	if (st == SSP_CLOSE_PEER) {
		r->end_at = now + REMOTE_LINGER_MS;
		remote_lose(r);
		return r->end_at;
	}
	/* Several heartbeats may be lost before the client counts as gone. */
	patience = remote_patience(r);
	ssp_transport_idle_limit(r->bind.tp, patience / REMOTE_HEARTBEATS);
	last =
	    r->up ? mono_add(cs.heard_at, patience) : r->born + REMOTE_OPEN_MS;
	if (now >= last)
		remote_forget(r, now);
	return last;
}

static mono_ms
remote_pump(struct remote *r, mono_ms now)
{
	struct ssp_conn_event ev;
	mono_ms next;

	(void)udp_link_output(r->conn, now, remote_put, r);
	while (ssp_conn_event(r->conn, &ev))
		remote_event(r, &ev);
	next = remote_life(r, now);
	return mono_min(next, ssp_conn_deadline(r->conn, now));
}

static void
remote_timer(void *arg)
{
	struct remote *r = arg;

	loop_timer_set(r->timer, remote_pump(r, loop_now(r->rs->run->loop)));
}

static void
remote_wake(struct remote *r)
{
	if (r->link.user != NULL)
		r->link.user->wake(r->link.arg);
	else
		loop_defer(r->rs->run->loop, remote_timer, r);
}

/* --- as a viewer's link -------------------------------------------------------------- */

static bool
link_ready(const struct link *l)
{
	const struct remote *r = container_of(l, struct remote, link);

	return r->up && !r->silent && !r->losing;
}

static mono_ms
link_pump(struct link *l, mono_ms now)
{
	return remote_pump(remote_of_link(l), now);
}

static void
link_finish(struct link *l, mono_ms now, struct sync_view *last)
{
	struct remote *r = remote_of_link(l);

	ssp_transport_set_current(l->tp, now, last);
	ssp_transport_changed(l->tp, now);
	ssp_transport_shutdown(l->tp, now);
	r->end_at = now + REMOTE_FAREWELL_MS;
	remote_lose(r);
}

static void
link_close(struct link *l)
{
	struct remote *r = remote_of_link(l);
	struct loop *loop = r->rs->run->loop;
	mono_ms now = loop_now(loop);

	l->user = NULL;
	execs_free(r->execs);
	r->execs = NULL;
	forwards_free(r->forwards);
	r->forwards = NULL;
	/* One that has yet to be heard may wait for its farewell. */
	if (!r->up && r->end_at == MONO_NEVER) {
		ssp_conn_abort(r->conn, now, 0);
		r->end_at = now;
	} else if (r->end_at == MONO_NEVER) {
		ssp_transport_shutdown(l->tp, now);
		r->end_at = now + REMOTE_FAREWELL_MS;
	}
	r->timer = loop_timer_new(loop, remote_timer, r);
	loop_defer(loop, remote_timer, r);
}

static const struct link_ops remote_link = {
	.ready = link_ready,
	.pump = link_pump,
	.finish = link_finish,
	.close = link_close,
	.far = true,
};

/* --- forwarded connections ------------------------------------------------------------ */

static void
forward_changed(void *arg)
{
	remote_wake(arg);
}

static void
forward_say(void *arg, const char *text)
{
	const struct remote *r = arg;

	log_write(&r->rs->run->log, LOG_INFO, LOG_SSP, "connection %llu: %s",
	    (unsigned long long)r->conn_id, text);
}

bool
remote_agent(struct remote *r, const char *name, int fd)
{
	return forwards_agent(r->forwards, name, fd);
}

bool
remote_offers_agent(const struct remote *r, const char *name)
{
	return forwards_has_agent(r->forwards, name);
}

bool
remotes_agent(struct remotes *rs, const char *name, int fd)
{
	struct remote *r, *best = NULL;
	struct map_entry *e;

	MAP_FOREACH(e, &rs->by_cid) {
		r = e->value;
		if (remote_offers_agent(r, name) &&
		    (best == NULL || r->born > best->born))
			best = r;
	}
	return best != NULL && remote_agent(best, name, fd);
}

void
remote_forwards_each(const struct remote *r,
    void (*fn)(void *arg, const struct forward_info *i), void *arg)
{
	forwards_each(r->forwards, fn, arg);
}

static void
forward_count(void *arg, UNUSED const struct forward_info *i)
{
	++*(unsigned *)arg;
}

unsigned
remote_forwards(const struct remote *r)
{
	unsigned n = 0;

	remote_forwards_each(r, forward_count, &n);
	return n;
}

unsigned
remote_forwards_kill(const struct remote *r, const char *place)
{
	return r->forwards == NULL ? 0 : forwards_kill(r->forwards, place);
}

static bool
forward_socket(void *arg, const char *name)
{
	const struct remotes *rs = ((const struct remote *)arg)->rs;

	return rs->agent_fn != NULL && rs->agent_fn(rs->agent_arg, name);
}

static void
forward_agent(void *arg)
{
	(void)forward_socket(arg, NULL);
}

void
remotes_set_agent(
    struct remotes *rs, bool (*fn)(void *arg, const char *name), void *arg)
{
	rs->agent_fn = fn;
	rs->agent_arg = arg;
}

static struct reach *
forward_reach(void *arg)
{
	const struct remote *r = arg;
	struct cause c = { NULL };

	if (r->rs->reach == NULL &&
	    reach_new(r->rs->run->loop, &r->rs->reach, &c) != 0)
		forward_say(arg, cause_text(&c));
	cause_fini(&c);
	return r->rs->reach;
}

static bool
forward_opened(void *arg, uint64_t stream, const struct ssp_purpose *p)
{
	const struct remote *r = arg;

	execs_opened(r->execs, stream, p);
	return true;
}

static bool
forward_news(void *arg, uint64_t stream)
{
	const struct remote *r = arg;

	return execs_news(r->execs, stream);
}

/*
 * security: the one place that decides who opens streams: the user of the
 * server, who could as well run programs that connect.
 */
static void
remote_serve(struct remote *r)
{
	static const struct forwards_ops ops = { forward_changed, forward_say,
		forward_reach, forward_agent, forward_socket, forward_opened,
		forward_news };
	struct ssp_streams *ss = ssp_transport_streams(r->bind.tp);

	if (r->in != NULL || r->uid != geteuid())
		return;
	r->forwards = forwards_new(r->rs->run->loop, ss, true, &ops, r);
	r->execs = execs_new(r->rs->run, ss, forward_changed, r);
}

/* --- receiving ----------------------------------------------------------------------- */

/* Returns whether the datagram was one of the client. */
static bool
remote_input(struct remote *r, const struct ssp_path_addr *from, unsigned ecn,
    uint8_t *p, size_t n)
{
	mono_ms now = loop_now(r->rs->run->loop);
	uint64_t before, after;
	const uint8_t *side;

	(void)ssp_transport_remote(r->bind.tp, &before);
	if (ssp_conn_input(r->conn, now, from, ecn, p, n) != 0)
		return false;
	(void)ssp_transport_remote(r->bind.tp, &after);
	if (after != before)
		r->typed_at = now;
	r->up = true;
	forwards_turn(r->forwards);
	while ((side = ssp_transport_side_take(r->bind.tp, &n)) != NULL)
		if (r->link.user != NULL)
			r->link.user->side(r->link.arg, side, n);
	r->fresh = r->in != NULL;
	if (r->link.user != NULL && !r->losing && !r->fresh)
		(void)r->link.user->input(r->link.arg);
	remote_wake(r);
	return true;
}

static void
guest_take(void *arg, struct guest_datagram *d)
{
	struct remote *r = arg;

	if (!remote_input(r, &d->from, d->ecn, d->data, d->len))
		remote_port_junk(r->rs->port, d->socket);
}

static bool
guest_events(void *arg)
{
	struct remote *r = arg;

	if (r->fresh)
		r->fresh = r->link.user != NULL && !r->losing &&
			   r->link.user->input(r->link.arg);
	return r->fresh;
}

static const struct guest_in_ops guest_ops = { guest_take, guest_events };

/* Lets a guest's datagram of socket S wait behind those of the owner. */
static void
guest_queue(struct remote *r, struct port_socket *s, const struct udp_msg *m)
{
	if (guest_in_add(r->in, s, m))
		return;
	remote_port_junk(r->rs->port, s);
	if (r->link.user != NULL)
		r->link.user->refused(r->link.arg);
}

static void
remotes_datagram(void *arg, struct udp_msg *m)
{
	struct remotes *rs = arg;
	struct port_socket *s = remote_port_reading(rs->port);
	struct ssp_path_addr from = udp_link_from(m);
	struct remote *r = NULL;
	struct ssp_dgram d;

	if (ssp_dgram_parse(m->data, m->len, &d) == 0 &&
	    (r = map_get_id(&rs->by_cid, d.cid)) == NULL &&
	    rs->knock(rs->arg, &d, m))
		return;
	if (r != NULL && r->in != NULL)
		guest_queue(r, s, m);
	else if (r == NULL || !remote_input(r, &from, m->ecn, m->data, m->len))
		remote_port_junk(rs->port, s);
}

bool
remotes_enter(struct remotes *rs, uint64_t cid, const struct guest_datagram *gd)
{
	struct remote *r = map_get_id(&rs->by_cid, cid);

	return r != NULL && r->in != NULL && guest_in_move(r->in, gd);
}

static struct ssp_path_addr
tunnel_addr(uint64_t conn)
{
	struct ssp_path_addr a;

	a.local = ssp_addr_make(SSP_ADDR_STREAM, "", 0, 0);
	a.remote = ssp_addr_make(SSP_ADDR_STREAM, &conn, sizeof(conn), 0);
	return a;
}

static void
remote_tunnel(struct remote *r, uint64_t conn, uint8_t *p, size_t n)
{
	struct ssp_path_addr from = tunnel_addr(conn);

	if (remote_input(r, &from, 0, p, n) && r->fresh)
		guest_in_events(r->in);
}

static void
remote_tunnel_gone(struct remote *r, uint64_t conn)
{
	struct ssp_path_addr a = tunnel_addr(conn);

	if (conn == r->again_id)
		r->again_id = 0;
	ssp_conn_path_remove(r->conn, loop_now(r->rs->run->loop), &a);
	remote_wake(r);
}

static struct remote *
remote_resume(void *arg, uint64_t cid, uid_t uid, struct conn *cn)
{
	struct remotes *rs = arg;
	struct ssp_path_addr a;
	struct conn *before;
	struct remote *r;

	if ((r = map_get_id(&rs->by_cid, cid)) == NULL ||
	    r->link.user == NULL || r->losing || r->uid != uid)
		return NULL;
	/* The client never used this key: drop it and issue a new one. */
	if (!r->up) {
		remote_lose(r);
		return NULL;
	}
	/* A client has one second tunnel at a time. */
	before = conn_find(rs->conns, r->again_id);
	a = tunnel_addr(r->again_id);
	r->again_id = conn_id(cn);
	if (before != NULL) {
		ssp_conn_path_remove(r->conn, loop_now(rs->run->loop), &a);
		conn_set_remote(before, NULL);
	}
	return r;
}

static void
remote_gone(void *arg, uint64_t cid, uid_t uid)
{
	const struct remotes *rs = arg;
	struct remote *r = map_get_id(&rs->by_cid, cid);

	/* security: a user ends clients of their own. */
	if (r != NULL && r->link.user != NULL && !r->losing && r->uid == uid)
		remote_forget(r, loop_now(rs->run->loop));
}

static bool
remote_give_way(struct remote *r)
{
	if (r->up || r->losing || r->link.user == NULL)
		return false;
	remote_lose(r);
	return true;
}

/* Appends ROAMED, with the key the first time only. */
static void
remote_offer(struct remote *r, struct buf *out)
{
	struct control_msg m = {
		.type = CONTROL_ROAMED,
		.has = CONTROL_HAS_ID | CONTROL_HAS_CODE | CONTROL_HAS_DATA,
		.id = r->cid,
		.code = remote_port_number(r->rs->port),
		.data = ssp_conn_psk(r->conn),
	};

	m.data_len = r->offered || m.data == NULL ? 0 : SSP_KEY_LEN;
	(void)control_encode(&m, out);
	r->offered = true;
}

/* --- the port -------------------------------------------------------------------------- */

static bool
remotes_insist(const struct remotes *rs)
{
	return options_number(&rs->run->mux->server_options,
		   OPTION_REQUIRE_POST_QUANTUM) != 0;
}

static int
remotes_hold(struct remotes *rs, struct cause *c)
{
	if (remotes_insist(rs) && ssp_kem_system() == NULL)
		return cause_set(c, -ERR_STATE,
		    "require-post-quantum is on, but this rmux has no ML-KEM, "
		    "which needs OpenSSL 3.5 or newer");
	if (ssp_crypto_init() != 0)
		return cause_set(c, -ERR_SYS, "cannot initialise libsodium");
	if (rs->keyring == NULL)
		rs->keyring = ssp_keyring_new(SSP_SECRETS_LEN, 8, REMOTE_MAX);
	if (rs->keyring == NULL)
		return cause_set(c, -ERR_SYS, "not enough memory for keys");
	return remote_port_hold(rs->port, c);
}

struct remotes *
remotes_new(struct run *run, struct conns *cs, remote_knock_fn knock, void *arg)
{
	static const struct conn_roam_ops ops = {
		.resume = remote_resume,
		.gone = remote_gone,
		.offer = remote_offer,
		.tunnel = remote_tunnel,
		.tunnel_gone = remote_tunnel_gone,
		.give_way = remote_give_way,
	};
	struct remotes *rs = mem_zalloc(sizeof(*rs));

	rs->run = run;
	rs->conns = cs;
	rs->knock = knock;
	rs->arg = arg;
	rs->port = remote_port_new(run, remotes_datagram, rs);
	map_init_ids(&rs->by_cid);
	cs->roam_ops = &ops;
	cs->roam_arg = rs;
	return rs;
}

void
remotes_free(struct remotes *rs)
{
	if (rs == NULL)
		return;
	while (rs->by_cid.count > 0)
		remote_free(rs->by_cid.entries[0].value);
	remote_port_free(rs->port);
	ssp_sprout_tab_free(rs->sprout);
	reach_free(rs->reach);
	map_fini(&rs->by_cid);
	if (rs->keyring != NULL)
		ssp_keyring_free(rs->keyring);
	mem_free(rs);
}

struct remote_port *
remotes_port(struct remotes *rs)
{
	return rs->port;
}

bool
remotes_reaped(struct remotes *rs, pid_t pid, int status)
{
	struct map_entry *e;
	const struct remote *r;

	MAP_FOREACH(e, &rs->by_cid) {
		r = e->value;
		if (r->execs != NULL && execs_reaped(r->execs, pid, status))
			return true;
	}
	return false;
}

bool
remote_streams(const struct link *l)
{
	return container_of(l, struct remote, link)->execs != NULL;
}

void
remote_carries(struct link *l)
{
	container_of(l, struct remote, link)->carries = true;
}

bool
remotes_busy(const struct remotes *rs)
{
	return rs != NULL && rs->by_cid.count > 0;
}

/* --- one client -------------------------------------------------------------------------- */

int
remote_keep_port(struct remotes *rs, uint16_t *port, struct cause *c)
{
	int r = remotes_hold(rs, c);

	if (r == 0)
		*port = remote_port_number(rs->port);
	return r;
}

void
remote_release_port(struct remotes *rs)
{
	remote_port_drop(rs->port);
}

/* Makes Sprout's tables for the first client that paces by it. */
static const struct ssp_sprout_tab *
remotes_sprout(void *arg)
{
	struct remotes *rs = arg;

	if (rs->sprout == NULL)
		rs->sprout = ssp_sprout_tab_new();
	return rs->sprout;
}

struct link *
remote_open_as(struct remotes *rs, uint64_t conn, uint64_t cid,
    const uint8_t *psk, const struct link_user *user, void *arg,
    struct cause *c)
{
	const struct conn *cn = conn_find(rs->conns, conn);
	const bool guest = cn == NULL || conn_access(cn) != ACCESS_WRITE;
	mono_ms now = loop_now(rs->run->loop);
	struct ssp_transport_cfg tc;
	struct ssp_conn_cfg cc;
	struct remote *r;

	if (remotes_hold(rs, c) != 0)
		return NULL;
	r = mem_zalloc(sizeof(*r));
	r->rs = rs;
	r->conn_id = conn;
	r->uid = (uid_t)-1;
	r->born = now;
	r->end_at = MONO_NEVER;
	r->cid = cid;
	ssp_conn_cfg_init(&cc);
	cc.cid = r->cid;
	cc.psk = psk;
	cc.keyring = rs->keyring;
	cc.random = remote_random;
	cc.payload = ssp_bind_payload(&r->bind);
	cc.kem = ssp_kem_system();
	cc.caps = SSP_CAP_STREAM | SSP_CAP_STREAMS | SSP_CAP_TRAIL |
		  SSP_CAP_PAGES | SSP_CAP_PATHS | SSP_CAP_AGGREGATE |
		  (remotes_insist(rs) ? SSP_CAP_MLKEM_ONLY : 0);
	/* security: a guest gets no forecasts, which cost time, and the server
	 * holds its datagrams back. */
	if (!guest) {
		cc.caps |= SSP_CAP_PACE;
		cc.mtu_max = SSP_DGRAM_JUMBO;
	}
	if (ssp_conn_server_accept(&cc, now, &r->conn) != 0) {
		mem_free_wiped(r, sizeof(*r));
		remote_port_drop(rs->port);
		(void)cause_set(c, -ERR_LIMIT, "too many remote clients");
		return NULL;
	}
	ssp_transport_cfg_init(&tc, SSP_LINK_DATAGRAM);
	tc.local_ops = &sync_view_ops;
	tc.local = sync_view_new(0, 0);
	tc.remote_ops = &sync_input_ops;
	tc.remote = sync_input_new();
	tc.zip = rs->run->zip;
	tc.flow_tx = SSP_FLOW_SCREEN;
	tc.sprout_get = remotes_sprout;
	tc.sprout_arg = rs;
	/* security: what a guest has begun to send and never ends. */
	if (guest) {
		tc.held_max = REMOTE_GUEST_HELD;
		tc.states_max = REMOTE_GUEST_STATES;
		tc.sprout_get = NULL;
		r->in = guest_in_new(rs->run->lane, &guest_ops, r);
	}
	ssp_bind_transport(&r->bind, &tc, now);
	/* A client with a view may have an option of its own: pump.c. */
	remote_pace_by(r->bind.tp, now, &rs->run->mux->session_options);
	ssp_bind_conn(&r->bind, r->conn);
	(void)map_set_id(&rs->by_cid, r->cid, r);
	r->link.ops = &remote_link;
	r->link.user = user;
	r->link.arg = arg;
	r->link.tp = r->bind.tp;
	return &r->link;
}

struct link *
remote_open(struct remotes *rs, uint64_t conn, const struct link_user *user,
    void *arg, struct cause *c)
{
	struct conn *cn = conn_find(rs->conns, conn);
	uint8_t key[SSP_KEY_LEN];
	struct link *l;
	uint64_t cid;

	do
		sys_random(&cid, sizeof(cid));
	while (cid == 0 || map_get_id(&rs->by_cid, cid) != NULL);
	sys_random(key, sizeof(key));
	l = remote_open_as(rs, conn, cid, key, user, arg, c);
	mem_wipe(key, sizeof(key));
	if (l != NULL && cn != NULL) {
		remote_of_link(l)->uid = conn_uid(cn);
		remote_serve(remote_of_link(l));
	}
	return l;
}
