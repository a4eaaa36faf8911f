#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sock.h"
#include "base/mem.h"
#include "base/str.h"
#include "server/io/conn.h"
#include "server/run/run.h"
#include "ssp/datagram.h"

#define CONN_FILE_MAX (256u << 20)
#define CONN_SILENT_MS 500 /* who says no word that long may be shed */
#define CONN_TUNNEL_MAX (256u << 10) /* waiting in a tunnel */

/* A file of the caller that is being read or written. */
struct conn_file {
	struct list_node node;
	uint64_t id;
	bool writing;
	bool sent;       /* all that is to be written */
	struct buf data; /* read so far, or still to be written */
	sink_read_fn read_done;
	sink_write_fn write_done;
	void *arg;
};

struct conn {
	struct list_node node;
	struct conns *all;
	uint64_t id;
	int fd; /* -1: a roaming client has let it go */
	struct loop_io *io;
	bool roam;
	bool bare; /* its words, of which there are none, still wait */
	struct remote *remote; /* its datagrams, once it is attached */
	bool again;            /* a second way to a client that is attached */
	struct buf in;
	struct buf out;
	uid_t uid;
	pid_t pid;
	mono_ms since; /* when it came */
	bool greeted;
	int exit_code;
	bool closing; /* close once `out` is empty */
	bool dead;    /* freed at the end of this turn */
	char *cwd;
	char *term;
	char *tty;
	uint64_t flags;
	char **env;
	size_t nenv;
	const struct conn_rider *rider; /* NULL: no client rides on it */
	void *rider_arg;
	struct list files;
	uint64_t next_file;
};

static void conn_io(void *arg, int fd, unsigned events);
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
	loop_io_del(cn->io);
	close(cn->fd);
	cn->io = NULL;
	cn->fd = -1;
	buf_clear(&cn->in);
	buf_clear(&cn->out);
	cn->all->roam_ops->tunnel_gone(cn->remote, cn->id);
}

/* Frees it after this turn: callers up the stack may still use it. */
static void
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

static void
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
			if (cn->rider != NULL)
				cn->rider->wrote(cn->rider_arg, (size_t)n);
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
	if (cn->out.overflow || (cn->closing && cn->out.len == 0)) {
		conn_kill(cn);
		return;
	}
	loop_io_set(
	    cn->io, LOOP_READ | (cn->out.len > 0 ? (unsigned)LOOP_WRITE : 0));
}

static void
conn_flush_cb(void *arg)
{
	conn_flush(arg);
}

/* Several messages of one turn go out in one write. */
static void
conn_flush_later(struct conn *cn)
{
	if (!cn->dead)
		loop_defer(cn->all->run->loop, conn_flush_cb, cn);
}

void
conn_new(struct conns *cs, int fd)
{
	struct conn *cn;
	uid_t uid;
	pid_t pid;

	/* security: only the user's own processes, and root. */
	if (sock_peer(fd, &uid, &pid) != 0 || (uid != getuid() && uid != 0)) {
		close(fd);
		return;
	}
	if (cs->all.count >= CONN_MAX && !conn_shed(cs)) {
		conn_refuse(fd, "rmux: the server has too many connections");
		return;
	}
	cn = mem_zalloc(sizeof(*cn));
	cn->all = cs;
	cn->id = ++cs->next_id;
	cn->fd = fd;
	cn->since = loop_now(cs->run->loop);
	cn->uid = uid;
	cn->pid = pid;
	cn->cwd = mem_strdup("/");
	cn->term = mem_strdup("");
	cn->tty = mem_strdup("");
	cn->env = mem_calloc(1, sizeof(*cn->env));
	buf_init(&cn->in, CONTROL_MESSAGE_MAX + 131072);
	buf_init(&cn->out, CONN_OUT_MAX);
	list_init(&cn->files);
	list_push_back(&cs->all, &cn->node);
	(void)map_set_id(&cs->by_id, cn->id, cn);
	cn->io = loop_io_add(cs->run->loop, fd, LOOP_READ, conn_io, cn);
	log_write(&cs->run->log, LOG_DEBUG, LOG_SERVER,
	    "connection %llu from process %ld of user %ld",
	    (unsigned long long)cn->id, (long)pid, (long)uid);
}

static void
conn_file_end(struct conn *cn, struct conn_file *f, int error)
{
	size_t len;
	char *data;

	list_remove(&cn->files, &f->node);
	if (f->writing) {
		f->write_done(f->arg, error);
	} else {
		data = buf_steal(&f->data, &len);
		f->read_done(f->arg, error, data, len);
	}
	buf_fini(&f->data);
	mem_free(f);
}

static void
conn_forget_env(struct conn *cn)
{
	size_t i;

	for (i = 0; i < cn->nenv; i++)
		mem_free(cn->env[i]);
	mem_free(cn->env);
	cn->env = NULL;
	cn->nenv = 0;
}

static void
conn_free(struct conn *cn)
{
	const struct conn_rider *rider = cn->rider;
	struct conns *cs = cn->all;

	log_write(&cn->all->run->log, LOG_DEBUG, LOG_SERVER,
	    "connection %llu ends", (unsigned long long)cn->id);
	cn->rider = NULL;
	if (rider != NULL)
		rider->lost(cn->rider_arg);
	cs->ops->gone(cs->arg, cn->id);
	while (!list_empty(&cn->files))
		conn_file_end(cn,
		    container_of(
			list_first(&cn->files), struct conn_file, node),
		    EPIPE);
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
	return cn->uid;
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
conn_rider(const struct conn *cn)
{
	return cn->rider == NULL ? NULL : cn->rider_arg;
}

bool
conn_reads(const struct conn *cn)
{
	return cn != NULL && cn->rider == NULL;
}

/* --- sending ---------------------------------------------------------------- */

static void
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
		cn->all->roam_ops->offer(r, &cn->out);
		conn_flush_later(cn);
	} else if (cn->fd < 0)
		conn_kill(cn);
	else
		conn_exit(cn, 0, NULL);
}

bool
conn_tunnel(struct conn *cn, const void *p, size_t n)
{
	/* As on the road: what does not fit in time is lost. */
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
	/* A payload is one message, whatever its size. */
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
	if (rider == NULL || cn->roam)
		return;
	(void)control_encode(&m, &cn->out);
	conn_flush_later(cn);
}

/* --- files ------------------------------------------------------------------- */

static struct conn_file *
conn_file_new(struct conn *cn, const char *path, int how, void *arg)
{
	struct control_msg m = {
		.type = CONTROL_OPEN,
		.has = CONTROL_HAS_ID | CONTROL_HAS_CODE | CONTROL_HAS_TEXT,
		.id = ++cn->next_file,
		.code = how,
		.text = { path, strlen(path) },
	};
	struct conn_file *f;

	f = mem_zalloc(sizeof(*f));
	f->id = m.id;
	f->writing = how != 0;
	f->arg = arg;
	buf_init(&f->data, CONN_FILE_MAX);
	list_push_back(&cn->files, &f->node);
	(void)control_encode(&m, &cn->out);
	conn_flush_later(cn);
	return f;
}

void
conn_read_file(struct conn *cn, const char *path, sink_read_fn done, void *arg)
{
	conn_file_new(cn, path, 0, arg)->read_done = done;
}

void
conn_write_file(struct conn *cn, const struct sink_file *file,
    sink_write_fn done, void *arg)
{
	struct conn_file *f;

	f = conn_file_new(cn, file->path, file->append ? 2 : 1, arg);
	f->write_done = done;
	(void)buf_add(&f->data, file->data, file->len);
}

static struct conn_file *
conn_file_find(struct conn *cn, uint64_t id)
{
	struct list_node *n;
	struct conn_file *f;

	LIST_FOREACH(n, &cn->files) {
		f = container_of(n, struct conn_file, node);
		if (f->id == id)
			return f;
	}
	return NULL;
}

static void
conn_opened(struct conn *cn, const struct control_msg *m)
{
	struct conn_file *f;

	if ((f = conn_file_find(cn, m->id)) == NULL)
		return;
	if (m->code != 0 || f->sent) {
		conn_file_end(cn, f, (int)m->code);
		return;
	}
	if (!f->writing)
		return;
	if (f->data.len > 0)
		conn_send_data(
		    cn, CONTROL_DATA, f->id, f->data.data, f->data.len);
	(void)control_put_data(&cn->out, CONTROL_DATA, f->id, "", 0);
	conn_flush_later(cn);
	f->sent = true;
	buf_fini(&f->data);
	/* One of an earlier release does not say what becomes of it. */
	if ((cn->flags & CONTROL_FLAG_WRITTEN) == 0)
		conn_file_end(cn, f, 0);
}

static void
conn_data(struct conn *cn, const struct control_msg *m)
{
	struct conn_file *f;

	if ((f = conn_file_find(cn, m->id)) == NULL || f->writing)
		return;
	if (m->data_len == 0)
		conn_file_end(cn, f, f->data.overflow ? EFBIG : 0);
	else
		(void)buf_add(&f->data, m->data, m->data_len);
}

/* --- messages ------------------------------------------------------------------ */

static void
conn_take(char **slot, const struct control_msg *m, uint32_t bit,
    struct control_str s)
{
	if ((m->has & bit) == 0)
		return;
	mem_free(*slot);
	*slot = control_str_new(s);
}

static void
conn_hello(struct conn *cn, const struct control_msg *m)
{
	struct control_msg reply = {
		.type = CONTROL_WELCOME,
		.has = CONTROL_HAS_VERSION | CONTROL_HAS_RELEASE,
		.version_min = CONTROL_VERSION_MIN,
		.version_max = CONTROL_VERSION_MAX,
		.release = { PACKAGE_VERSION, sizeof(PACKAGE_VERSION) - 1 },
	};
	struct control_list l = m->envlist;
	struct control_str s;
	char *text;

	if (m->version_min > CONTROL_VERSION_MAX ||
	    m->version_max < CONTROL_VERSION_MIN) {
		text = mem_printf("rmux: this client (%.*s) speaks protocol "
				  "%u to %u, the running server (%s) %d to %d: "
				  "use the server's rmux, or end it with "
				  "rmux kill-server",
		    (int)m->release.len, m->release.len ? m->release.p : "",
		    m->version_min, m->version_max, PACKAGE_VERSION,
		    CONTROL_VERSION_MIN, CONTROL_VERSION_MAX);
		conn_send(cn, CONTROL_REFUSED, 1, text);
		mem_free(text);
		cn->closing = true;
		return;
	}
	cn->greeted = true;
	cn->all->greeted = true;
	cn->flags = m->flags;
	conn_take(&cn->cwd, m, CONTROL_HAS_CWD, m->cwd);
	conn_take(&cn->term, m, CONTROL_HAS_TERM, m->term);
	conn_take(&cn->tty, m, CONTROL_HAS_TTY, m->tty);
	conn_forget_env(cn);
	cn->env = mem_calloc((size_t)l.count + 1, sizeof(*cn->env));
	while (control_list_next(&l, &s))
		if (memchr(s.p, '=', s.len) != NULL)
			cn->env[cn->nenv++] = control_str_new(s);
	(void)control_encode(&reply, &cn->out);
	conn_flush_later(cn);
}

static void
conn_command(struct conn *cn, const struct control_msg *m)
{
	struct control_list l = m->list;
	struct control_str s;
	char **argv;
	size_t argc = 0;

	argv = mem_calloc((size_t)l.count + 1, sizeof(*argv));
	while (control_list_next(&l, &s))
		argv[argc++] = control_str_new(s);
	cn->all->ops->command(cn->all->arg, cn, argv, argc);
	while (argc > 0)
		mem_free(argv[--argc]);
	mem_free(argv);
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

static void
conn_roam(struct conn *cn, const struct control_msg *m)
{
	struct conns *cs = cn->all;
	struct remote *r = NULL;

	cn->roam = true;
	if ((m->has & CONTROL_HAS_ID) != 0 && cs->roam_ops != NULL)
		r = cs->roam_ops->resume(cs->roam_arg, m->id, cn->uid, cn);
	if (r != NULL) {
		cn->again = true;
		conn_set_remote(cn, r);
		return;
	}
	conn_command(cn, m);
}

static void
conn_tunnelled(struct conn *cn, const struct control_msg *m)
{
	uint8_t datagram[SSP_DGRAM_STREAM_MAX];

	if (cn->remote == NULL || m->data_len > sizeof(datagram))
		return;
	memcpy(datagram, m->data, m->data_len);
	cn->all->roam_ops->tunnel(cn->remote, cn->id, datagram, m->data_len);
}

static void
conn_ssp(struct conn *cn, const struct control_msg *m)
{
	if (cn->rider != NULL && !cn->roam)
		cn->rider->payload(cn->rider_arg, m->data, m->data_len);
}

static void
conn_signal(struct conn *cn, UNUSED const struct control_msg *m)
{
	if (cn->rider != NULL)
		cn->rider->unlocked(cn->rider_arg);
}

static const struct conn_row {
	enum control_code code;
	void (*fn)(struct conn *cn, const struct control_msg *m);
} conn_rows[] = {
	{ CONTROL_HELLO, conn_hello },
	{ CONTROL_COMMAND, conn_command },
	{ CONTROL_SSP, conn_ssp },
	{ CONTROL_OPENED, conn_opened },
	{ CONTROL_DATA, conn_data },
	{ CONTROL_SIGNAL, conn_signal },
	{ CONTROL_ROAM, conn_roam },
	{ CONTROL_TUNNEL, conn_tunnelled },
};

static void
conn_message(struct conn *cn, const struct control_msg *m)
{
	size_t i;

	log_write(&cn->all->run->log, LOG_DEBUG, LOG_SERVER,
	    "connection %llu: %s, %zu bytes", (unsigned long long)cn->id,
	    control_name(m->type), m->data_len);
	if (!cn->greeted && m->type != CONTROL_HELLO) {
		conn_kill(cn);
		return;
	}
	for (i = 0; i < ARRAY_LEN(conn_rows); i++)
		if (conn_rows[i].code == m->type) {
			conn_rows[i].fn(cn, m);
			return;
		}
}

static void
conn_io(void *arg, int fd, unsigned events)
{
	struct conn *cn = arg;
	struct control_msg m;
	uint8_t *p;
	size_t used;
	ssize_t n;
	int r = 0;

	if (events & LOOP_WRITE)
		conn_flush(cn);
	if ((events & LOOP_READ) == 0 || cn->dead)
		return;
	if (buf_reserve(&cn->in, 65536, &p) != 0) {
		conn_kill(cn);
		return;
	}
	n = read(fd, p, 65536);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		conn_kill(cn);
		return;
	}
	buf_commit(&cn->in, (size_t)n);
	while (!cn->dead && !cn->closing && cn->fd >= 0 &&
	       (r = control_decode(cn->in.data, cn->in.len, &m, &used)) == 0) {
		conn_message(cn, &m);
		if (cn->fd < 0)
			return;
		buf_consume(&cn->in, used);
	}
	if (r != 0 && r != -ERR_AGAIN) {
		log_write(&cn->all->run->log, LOG_WARN, LOG_SERVER,
		    "connection %llu sent garbage: %s",
		    (unsigned long long)cn->id, err_text(r));
		conn_kill(cn);
	}
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
