#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sock.h"
#include "base/mem.h"
#include "server/io/conn_int.h"
#include "server/run/run.h"

#define CONN_SILENT_MS \
 500 /* without HELLO for so long, a connection may be shed */
#define CONN_TUNNEL_MAX (256u << 10) /* bytes that wait in a tunnel */

static void conn_free(struct conn *cn);

static void
conn_free_cb(void *arg)
{
	conn_free(arg);
}

/* The client now uses datagrams: closes its socket. */
static void
conn_let_go(struct conn *cn)
{
	if (cn->fd < 0)
		return;
	lane_drop(cn->all->run->lane, &cn->job);
	loop_io_del(cn->io);
	close(cn->fd);
	cn->io = NULL;
	cn->fd = -1;
	buf_clear(&cn->in);
	buf_clear(&cn->out);
	cn->all->roam_ops->tunnel_gone(cn->remote, cn->id);
}

void
conn_kill(struct conn *cn)
{
	if (cn->dead)
		return;
	if (cn->remote != NULL && !cn->again) {
		conn_let_go(cn);
		return;
	}
	if (cn->remote != NULL)
		cn->all->roam_ops->tunnel_gone(cn->remote, cn->id);
	cn->remote = NULL;
	cn->dead = true;
	if (cn->io != NULL)
		loop_io_set(cn->io, 0);
	loop_defer(cn->all->run->loop, conn_free_cb, cn);
}

void
conn_arm(struct conn *cn)
{
	const bool read = !cn->held && !cn->queued;

	loop_io_set(cn->io, (read ? (unsigned)LOOP_READ : 0) |
				(cn->out.len > 0 ? (unsigned)LOOP_WRITE : 0));
}

void
conn_hold(struct conn *cn, bool hold)
{
	if (cn->held == hold || cn->dead || cn->io == NULL)
		return;
	cn->held = hold;
	conn_arm(cn);
}

void
conn_flush(struct conn *cn)
{
	ssize_t n;

	if (cn->dead)
		return;
	if (cn->fd < 0) {
		buf_clear(&cn->out);
		return;
	}
	while (cn->out.len > 0) {
		n = write(cn->fd, cn->out.data, cn->out.len);
		if (n > 0) {
			if (cn->counter != NULL)
				*cn->counter += (uint64_t)n;
			buf_consume(&cn->out, (size_t)n);
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			break;
		conn_kill(cn);
		return;
	}
	conn_files_send(cn);
	if (cn->out.overflow || (cn->closing && cn->out.len == 0)) {
		conn_kill(cn);
		return;
	}
	if (cn->out.len == 0)
		buf_secret(&cn->out, false);
	conn_arm(cn);
	if (cn->rider != NULL && cn->rider->room != NULL &&
	    cn->out.len <= CONN_OUT_LOW)
		cn->rider->room(cn->rider_arg);
}

static void
conn_flush_cb(void *arg)
{
	conn_flush(arg);
}

/* Several messages of one turn go out in one write. */
void
conn_flush_later(struct conn *cn)
{
	if (!cn->dead)
		loop_defer(cn->all->run->loop, conn_flush_cb, cn);
}

/* Tells whether UID needs server-access. */
static bool
is_stranger(uid_t uid)
{
	return uid != getuid() && uid != 0;
}

/* Counts the connections of a user. */
static unsigned
count_of(const struct conns *cs, uid_t uid)
{
	const struct conn *cn;
	const struct list_node *n;
	unsigned count = 0;

	LIST_FOREACH(n, &cs->all) {
		cn = container_of(n, struct conn, node);
		count += cn->peer.uid == uid && !cn->gave_way;
	}
	return count;
}

/*
 * Whether a user with as many connections as it may have gets one more: the
 * oldest that is kept for a roaming client, of which nobody has heard, gives way.
 */
static bool
make_way(struct conns *cs, uid_t uid)
{
	struct list_node *n;
	struct conn *cn;

	LIST_FOREACH(n, &cs->all) {
		cn = container_of(n, struct conn, node);
		if (cn->peer.uid != uid || cn->fd >= 0 || cn->dead ||
		    cn->gave_way || cn->remote == NULL ||
		    !cs->roam_ops->give_way(cn->remote))
			continue;
		cn->gave_way = true;
		return true;
	}
	return false;
}

void
conn_new(struct conns *cs, int fd)
{
	struct access_peer peer = { .gids = NULL };
	enum access access;
	struct conn *cn;
	pid_t pid;

	if (sock_peer(fd, &peer.uid, &pid) != 0) {
		close(fd);
		return;
	}
	if (is_stranger(peer.uid) && cs->run->access.count > 0)
		(void)sock_peer_groups(fd, &peer.gids, &peer.gid_count);
	/* security: the user's own processes, root, and who is in the list. */
	access = access_of(&cs->run->access, getuid(), &peer);
	if (access == ACCESS_NONE) {
		log_write(&cs->run->log, LOG_WARN, LOG_SERVER,
		    "process %ld of user %ld has no access", (long)pid,
		    (long)peer.uid);
		mem_free(peer.gids);
		conn_refuse(fd, "access not allowed");
		return;
	}
	if ((cs->all.count >= CONN_MAX && !conn_shed(cs)) ||
	    (is_stranger(peer.uid) && count_of(cs, peer.uid) >= CONN_USER_MAX &&
		!make_way(cs, peer.uid))) {
		mem_free(peer.gids);
		conn_refuse(fd, "rmux: the server has too many connections");
		return;
	}
	cn = mem_zalloc(sizeof(*cn));
	cn->all = cs;
	cn->id = ++cs->next_id;
	cn->fd = fd;
	cn->since = loop_now(cs->run->loop);
	cn->job.fn = conn_step;
	cn->peer = peer;
	cn->access = access;
	cn->pid = pid;
	cn->cwd = mem_strdup("/");
	cn->term = mem_strdup("");
	cn->tty = mem_strdup("");
	cn->env = mem_calloc(1, sizeof(*cn->env));
	buf_init(&cn->in, access == ACCESS_WRITE ? CONTROL_MESSAGE_MAX + 131072
						 : CONN_USER_IN_MAX);
	buf_init(
	    &cn->out, is_stranger(peer.uid) ? CONN_USER_OUT_MAX : CONN_OUT_MAX);
	list_init(&cn->files);
	list_push_back(&cs->all, &cn->node);
	(void)map_set_id(&cs->by_id, cn->id, cn);
	cn->io = loop_io_add(cs->run->loop, fd, LOOP_READ, conn_io, cn);
	log_write(&cs->run->log, LOG_DEBUG, LOG_SERVER,
	    "connection %llu from process %ld of user %ld",
	    (unsigned long long)cn->id, (long)pid, (long)peer.uid);
}

static void
conn_free(struct conn *cn)
{
	const struct conn_rider *rider = cn->rider;
	struct conns *cs = cn->all;

	log_write(&cn->all->run->log, LOG_DEBUG, LOG_SERVER,
	    "connection %llu ends", (unsigned long long)cn->id);
	cn->rider = NULL;
	cn->counter = NULL;
	if (rider != NULL)
		rider->lost(cn->rider_arg);
	cs->ops->gone(cs->arg, cn->id);
	conn_files_end(cn);
	lane_drop(cn->all->run->lane, &cn->job);
	loop_defer_cancel(cn->all->run->loop, cn);
	list_remove(&cs->all, &cn->node);
	(void)map_remove_id(&cs->by_id, cn->id);
	loop_io_del(cn->io);
	if (cn->fd >= 0)
		close(cn->fd);
	buf_fini(&cn->in);
	buf_fini(&cn->out);
	conn_forget_env(cn);
	mem_free(cn->cwd);
	mem_free(cn->term);
	mem_free(cn->tty);
	mem_free(cn->peer.gids);
	mem_free(cn);
	cs->ops->freed(cs->arg);
}

bool
conn_shed(struct conns *cs)
{
	struct list_node *n;
	struct conn *cn;

	LIST_FOREACH(n, &cs->all) {
		cn = container_of(n, struct conn, node);
		if (loop_now(cs->run->loop) - cn->since < CONN_SILENT_MS)
			break;
		if (cn->greeted || cn->dead || cn->fd < 0)
			continue;
		conn_free(cn);
		return true;
	}
	return false;
}

void
conn_refuse(int fd, const char *text)
{
	struct buf b;
	ssize_t n;

	buf_init(&b, 4096);
	(void)control_put_code(&b, CONTROL_REFUSED, 1, text);
	do
		n = write(fd, b.data, b.len);
	while (n < 0 && errno == EINTR);
	buf_fini(&b);
	close(fd);
}

struct conn *
conn_find(const struct conns *cs, uint64_t id)
{
	struct conn *cn = map_get_id(&cs->by_id, id);

	return cn == NULL || cn->dead ? NULL : cn;
}

uint64_t
conn_id(const struct conn *cn)
{
	return cn->id;
}

const char *
conn_cwd(const struct conn *cn)
{
	return cn->cwd;
}

const char *
conn_term(const struct conn *cn)
{
	return cn->term;
}

const char *
conn_tty(const struct conn *cn)
{
	return cn->tty;
}

const uint16_t *
conn_size(const struct conn *cn)
{
	return cn->size;
}

uint64_t
conn_flags(const struct conn *cn)
{
	return cn->flags;
}

pid_t
conn_pid(const struct conn *cn)
{
	return cn->pid;
}

uid_t
conn_uid(const struct conn *cn)
{
	return cn->peer.uid;
}

enum access
conn_access(const struct conn *cn)
{
	return cn == NULL ? ACCESS_WRITE : cn->access;
}

enum access
conn_access_new(const struct conn *cn)
{
	return access_of(&cn->all->run->access, getuid(), &cn->peer);
}

const char *
conn_stranger(const struct conn *cn)
{
	static char number[32];
	const struct passwd *pw;

	if (cn == NULL || !is_stranger(cn->peer.uid))
		return NULL;
	if ((pw = getpwuid(cn->peer.uid)) != NULL)
		return pw->pw_name;
	(void)snprintf(number, sizeof(number), "%ld", (long)cn->peer.uid);
	return number;
}

struct conn *
conn_of_node(struct list_node *n)
{
	return container_of(n, struct conn, node);
}

void
conn_cut(struct conn *cn, const char *text)
{
	if (cn->dead)
		return;
	cn->access = ACCESS_NONE;
	/* Its farewell may need the tunnel: the remote's end closes that. */
	if (cn->remote != NULL) {
		cn->all->ops->gone(cn->all->arg, cn->id);
		return;
	}
	if (!cn->closing) {
		(void)control_put_code(&cn->out, CONTROL_EXIT, 1, text);
		cn->closing = true;
		conn_flush(cn);
	}
	conn_kill(cn);
}

const char *const *
conn_env(const struct conn *cn)
{
	union {
		char **in;
		const char *const *out;
	} e = { .in = cn->env };

	return e.out;
}

void
conn_set_exit_code(struct conn *cn, int code)
{
	cn->exit_code = code;
}

int
conn_exit_code(const struct conn *cn)
{
	return cn->exit_code;
}

void *
conn_rider(const struct conn *cn, const struct conn_rider *rider)
{
	return cn->rider != rider ? NULL : cn->rider_arg;
}

size_t
conn_waiting(const struct conn *cn)
{
	return cn->out.len;
}

bool
conn_reads(const struct conn *cn)
{
	return cn != NULL && cn->rider == NULL;
}

/* --- sending ---------------------------------------------------------------- */

void
conn_send_data(struct conn *cn, enum control_code type, uint64_t id,
    const void *p, size_t n)
{
	const uint8_t *b = p;
	size_t k;

	do {
		k = MIN_OF(n, (size_t)65536);
		(void)control_put_data(&cn->out, type, id, b, k);
		b += k;
		n -= k;
	} while (n > 0);
	conn_flush_later(cn);
}

void
conn_out(struct conn *cn, const void *p, size_t n)
{
	if (n > 0)
		conn_send_data(cn, CONTROL_OUT, 0, p, n);
}

void
conn_out_secret(struct conn *cn, const void *p, size_t n)
{
	buf_secret(&cn->out, true);
	conn_out(cn, p, n);
}

void
conn_err(struct conn *cn, const void *p, size_t n)
{
	if (n > 0)
		conn_send_data(cn, CONTROL_ERR, 0, p, n);
}

void
conn_send(
    struct conn *cn, enum control_code type, int64_t code, const char *text)
{
	if (cn->rider != NULL &&
	    cn->rider->send(cn->rider_arg, type, code, text))
		return;
	(void)control_put_code(&cn->out, type, code, text);
	conn_flush_later(cn);
}

bool
conn_roams(const struct conn *cn)
{
	return cn->roam;
}

void
conn_set_remote(struct conn *cn, struct remote *r)
{
	cn->remote = r;
	if (r != NULL) {
		/* security: it contains the key; see conn_flush. */
		buf_secret(&cn->out, true);
		cn->all->roam_ops->offer(r, &cn->out);
		conn_flush_later(cn);
	} else if (cn->fd < 0 || cn->access == ACCESS_NONE)
		conn_kill(cn);
	else
		conn_exit(cn, 0, NULL);
}

bool
conn_tunnel(struct conn *cn, const void *p, size_t n)
{
	/* A tunnel may lose datagrams, as a network does. */
	if (cn->fd < 0)
		return false;
	if (cn->out.len < CONN_TUNNEL_MAX)
		(void)control_put_data(&cn->out, CONTROL_TUNNEL, 0, p, n);
	conn_flush(cn);
	return true;
}

void
conn_send_ssp(struct conn *cn, const void *p, size_t n)
{
	/* A payload is one message of any size: do not split it. */
	(void)control_put_data(&cn->out, CONTROL_SSP, 0, p, n);
	conn_flush(cn);
}

void
conn_exit(struct conn *cn, int code, const char *text)
{
	if (cn->closing || cn->remote != NULL)
		return;
	(void)control_put_code(&cn->out, CONTROL_EXIT, code, text);
	cn->closing = true;
	conn_flush_later(cn);
}

void
conns_exit(struct conns *cs)
{
	struct list_node *n;
	struct conn *cn;

	LIST_FOREACH(n, &cs->all) {
		cn = container_of(n, struct conn, node);
		if (cn->rider == NULL)
			conn_exit(cn, cn->exit_code, NULL);
	}
}

void
conn_set_rider(struct conn *cn, const struct conn_rider *rider, void *arg)
{
	struct control_msg m = {
		.type = CONTROL_ATTACH,
		.has = CONTROL_HAS_ID,
		.id = cn->id,
	};

	cn->rider = rider;
	cn->rider_arg = arg;
	cn->counter = NULL;
	if (rider == NULL || cn->roam)
		return;
	(void)control_encode(&m, &cn->out);
	conn_flush_later(cn);
}

void
conn_set_controller(struct conn *cn, const struct conn_rider *rider, void *arg)
{
	cn->rider = rider;
	cn->rider_arg = arg;
	(void)control_put_code(&cn->out, CONTROL_MODE, 0, NULL);
	conn_flush_later(cn);
}

void
conn_set_counter(struct conn *cn, uint64_t *bytes)
{
	cn->counter = bytes;
}

/* --- all of them ----------------------------------------------------------------- */

void
conns_init(
    struct conns *cs, struct run *run, const struct conn_ops *ops, void *arg)
{
	memset(cs, 0, sizeof(*cs));
	cs->run = run;
	cs->ops = ops;
	cs->arg = arg;
	list_init(&cs->all);
	map_init_ids(&cs->by_id);
}

void
conn_set_bare(struct conn *cn)
{
	cn->bare = true;
}

void
conns_run_bare(struct conns *cs)
{
	struct list_node *n, *tmp;
	struct conn *cn;

	LIST_FOREACH_SAFE(n, &cs->all, tmp) {
		cn = container_of(n, struct conn, node);
		if (!cn->bare || cn->dead)
			continue;
		cn->bare = false;
		cs->ops->command(cs->arg, cn, NULL, 0);
	}
}

void
conns_fini(struct conns *cs)
{
	while (!list_empty(&cs->all))
		conn_free(
		    container_of(list_first(&cs->all), struct conn, node));
	map_fini(&cs->by_id);
}

uint64_t
conns_take_id(struct conns *cs)
{
	return ++cs->next_id;
}
