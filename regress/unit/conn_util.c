#include "regress/unit/conn_util.h"

#include <sys/socket.h>

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io/stream.h"
#include "base/io/sys.h"

static void
util_command(void *arg, UNUSED struct conn *cn, char *const *argv, size_t argc)
{
	struct conn_util *cu = arg;
	size_t i;

	(void)buf_add_str(&cu->calls, "command");
	for (i = 0; i < argc; i++)
		(void)buf_addf(&cu->calls, " %s", argv[i]);
	(void)buf_add_str(&cu->calls, "|");
}

static void
util_gone(void *arg, uint64_t id)
{
	struct conn_util *cu = arg;

	(void)buf_addf(&cu->calls, "gone %u|", (unsigned)id);
}

static void
util_freed(void *arg)
{
	struct conn_util *cu = arg;

	(void)buf_add_str(&cu->calls, "freed|");
}

void
conn_util_init(struct conn_util *cu)
{
	static const struct conn_ops ops = {
		.command = util_command,
		.gone = util_gone,
		.freed = util_freed,
	};

	run_util_init(&cu->u);
	buf_init(&cu->calls, 1 << 20);
	conns_init(&cu->conns, &cu->u.run, &ops, cu);
}

void
conn_util_fini(struct conn_util *cu)
{
	conns_fini(&cu->conns);
	buf_fini(&cu->calls);
	run_util_fini(&cu->u);
}

const char *
conn_util_calls(struct conn_util *cu)
{
	static char text[4096];

	(void)snprintf(text, sizeof(text), "%s", buf_cstr(&cu->calls));
	buf_clear(&cu->calls);
	return text;
}

void
peer_open(struct conn_util *cu, struct peer *p)
{
	int fds[2];

	memset(p, 0, sizeof(*p));
	buf_init(&p->in, 128u << 20);
	buf_init(&p->got, 128u << 20);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	ck_assert_int_eq(stream_prepare(fds[0]), 0);
	ck_assert_int_eq(stream_prepare(fds[1]), 0);
	p->fd = fds[0];
	conn_new(&cu->conns, fds[1]);
	p->cn = conn_find(&cu->conns, cu->conns.next_id);
}

void
peer_greet(struct conn_util *cu, struct peer *p, uint64_t flags)
{
	peer_open(cu, p);
	peer_hello(p, CONTROL_VERSION_MIN, CONTROL_VERSION_MAX, flags);
	peer_expect(cu, p, "WELCOME|");
}

void
peer_close(struct peer *p)
{
	close(p->fd);
	buf_fini(&p->in);
	buf_fini(&p->got);
}

void
peer_send(struct peer *p, const struct control_msg *m)
{
	struct buf b;

	buf_init(&b, CONTROL_MESSAGE_MAX);
	ck_assert_int_eq(control_encode(m, &b), 0);
	ck_assert_int_eq(sys_write_all(p->fd, b.data, b.len), 0);
	buf_fini(&b);
}

void
peer_hello(struct peer *p, unsigned lo, unsigned hi, uint64_t flags)
{
	static const char *const env[] = { "A=1", "broken", "B=2", NULL };
	const struct control_msg m = {
		.type = CONTROL_HELLO,
		.has = CONTROL_HAS_VERSION | CONTROL_HAS_FLAGS |
		       CONTROL_HAS_CWD | CONTROL_HAS_TERM | CONTROL_HAS_TTY |
		       CONTROL_HAS_ENV | CONTROL_HAS_RELEASE,
		.version_min = lo,
		.version_max = hi,
		.flags = flags,
		.cwd = { "/dir", 4 },
		.term = { "xterm", 5 },
		.tty = { "/dev/pts/9", 10 },
		.release = { "9.9", 3 },
		.env = env,
	};

	peer_send(p, &m);
}

void
peer_data(struct peer *p, enum control_code type, uint64_t id, const char *text)
{
	struct buf b;

	buf_init(&b, CONTROL_MESSAGE_MAX);
	ck_assert_int_eq(control_put_data(&b, type, id, text, strlen(text)), 0);
	ck_assert_int_eq(sys_write_all(p->fd, b.data, b.len), 0);
	buf_fini(&b);
}

void
peer_argv(struct peer *p, enum control_code type, uint64_t id,
    const char *const *argv)
{
	const struct control_msg m = {
		.type = type,
		.has =
		    CONTROL_HAS_LIST | (id != 0 ? (uint32_t)CONTROL_HAS_ID : 0),
		.id = id,
		.argv = argv,
	};

	peer_send(p, &m);
}

static void
peer_message(struct peer *p, const struct control_msg *m)
{
	if (p->take != NULL &&
	    (p->taken == CONTROL_NONE || m->type == p->taken)) {
		p->take(p, m);
		return;
	}
	(void)buf_add_str(&p->got, control_name(m->type));
	if ((m->has & CONTROL_HAS_CODE) != 0)
		(void)buf_addf(&p->got, " %d", (int)m->code);
	if ((m->has & CONTROL_HAS_TEXT) != 0 && m->text.len > 0)
		(void)buf_addf(&p->got, ":%.*s", (int)m->text.len, m->text.p);
	if ((m->has & CONTROL_HAS_DATA) != 0)
		(void)buf_addf(
		    &p->got, ":%.*s", (int)m->data_len, (const char *)m->data);
	(void)buf_add_str(&p->got, "|");
}

void
peer_read(struct peer *p)
{
	static char bytes[65536];
	struct control_msg m;
	size_t used;
	ssize_t n;

	while (!p->ended && (n = read(p->fd, bytes, sizeof(bytes))) >= 0) {
		if (n == 0) {
			p->ended = true;
			(void)buf_add_str(&p->got, "END|");
		}
		ck_assert_int_eq(buf_add(&p->in, bytes, (size_t)n), 0);
		while (control_decode(p->in.data, p->in.len, &m, &used) == 0) {
			peer_message(p, &m);
			buf_consume(&p->in, used);
		}
	}
	if (!p->ended && errno == ECONNRESET) {
		p->ended = true;
		(void)buf_add_str(&p->got, "END|");
	}
}

void
peer_expect(struct conn_util *cu, struct peer *p, const char *want)
{
	mono_ms late = run_util_deadline();

	for (;;) {
		peer_read(p);
		if (strcmp(buf_cstr(&p->got), want) == 0)
			break;
		if (sys_now() >= late || p->got.len > strlen(want))
			ck_assert_str_eq(buf_cstr(&p->got), want);
		run_util_turn(&cu->u);
	}
	buf_clear(&p->got);
}
