#include "config.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "server/io/conn_int.h"
#include "server/run/run.h"
#include "ssp/datagram.h"

void
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
	if ((m->has & CONTROL_HAS_SIZE) != 0)
		memcpy(cn->size, m->size, sizeof(cn->size));
	conn_forget_env(cn);
	/* security: the environment of a reader reaches nothing. */
	if (cn->access != ACCESS_WRITE)
		l.count = 0;
	cn->env = mem_calloc((size_t)l.count + 1, sizeof(*cn->env));
	while (l.count > 0 && control_list_next(&l, &s))
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

static void
conn_roam(struct conn *cn, const struct control_msg *m)
{
	struct conns *cs = cn->all;
	struct remote *r = NULL;

	cn->roam = true;
	if ((cn->flags & CONTROL_FLAG_GONE) != 0) {
		if ((m->has & CONTROL_HAS_ID) != 0 && cs->roam_ops != NULL)
			cs->roam_ops->gone(cs->roam_arg, m->id, cn->peer.uid);
		conn_exit(cn, 0, NULL);
		return;
	}
	if ((m->has & CONTROL_HAS_ID) != 0 && cs->roam_ops != NULL)
		r = cs->roam_ops->resume(cs->roam_arg, m->id, cn->peer.uid, cn);
	if (r != NULL) {
		cn->again = true;
		conn_set_remote(cn, r);
		return;
	}
	/* Such a client has told its user of one session, or command, only. */
	if ((m->has & CONTROL_HAS_ID) != 0 &&
	    (cn->flags & (CONTROL_FLAG_CONTROL | CONTROL_FLAG_STREAMS)) != 0) {
		conn_exit(cn, CONTROL_EXIT_GONE, NULL);
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
conn_input(struct conn *cn, const struct control_msg *m)
{
	if (cn->rider != NULL && cn->rider->input != NULL)
		cn->rider->input(cn->rider_arg, m->data, m->data_len);
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
	{ CONTROL_INPUT, conn_input },
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
	/* security: of a user that was cut off, only its farewell is carried. */
	if (cn->access == ACCESS_NONE && m->type != CONTROL_TUNNEL)
		return;
	for (i = 0; i < ARRAY_LEN(conn_rows); i++)
		if (conn_rows[i].code == m->type) {
			conn_rows[i].fn(cn, m);
			return;
		}
}

/*
 * Takes the messages that have come, or one of them. Returns whether it has taken
 * ONE, and more may be there.
 */
static bool
conn_take_messages(struct conn *cn, bool one)
{
	struct control_msg m;
	size_t used;
	int r = 0;

	while (!cn->dead && !cn->closing && cn->fd >= 0 &&
	       (r = control_decode(cn->in.data, cn->in.len, &m, &used)) == 0) {
		conn_message(cn, &m);
		if (cn->fd < 0)
			return false;
		buf_consume(&cn->in, used);
		if (one)
			return true;
	}
	if (r != 0 && r != -ERR_AGAIN) {
		log_write(&cn->all->run->log, LOG_WARN, LOG_SERVER,
		    "connection %llu sent garbage: %s",
		    (unsigned long long)cn->id, err_text(r));
		conn_kill(cn);
	}
	return false;
}

bool
conn_step(struct lane_job *job)
{
	struct conn *cn = container_of(job, struct conn, job);

	if (conn_take_messages(cn, true))
		return true;
	cn->queued = false;
	if (!cn->dead && cn->fd >= 0)
		conn_arm(cn);
	return false;
}

void
conn_io(void *arg, int fd, unsigned events)
{
	struct conn *cn = arg;
	uint8_t *p;
	ssize_t n;

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
	if (cn->access == ACCESS_WRITE) {
		(void)conn_take_messages(cn, false);
		return;
	}
	/* security: who only reads waits behind the owner, as guests do. */
	cn->queued = true;
	conn_arm(cn);
	lane_add(cn->all->run->lane, &cn->job);
}
