/*
 * A command on the other machine: three streams of the connection, joined to the
 * standard streams of this process.
 */
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "client/exec.h"
#include "client/roam_int.h"
#include "client/term/tty.h"
#include "mux/sync/control.h"
#include "ssp/io/forward.h"
#include "ssp/io/tube.h"

#define EXEC_ESCAPE_HELP                \
 "Supported escape sequences:\r\n"      \
 " ~.   ends the connection\r\n"        \
 " ~^Z  suspends rmux\r\n"              \
 " ~~   sends the escape character\r\n" \
 " ~?   this message\r\n"

struct roam_exec {
	struct roam *r;
	const struct exec_cfg *cfg;
	int fds[3]; /* taken over by tubes; -1: given away, or none */
	struct tty *tty;
	bool started;
	uint64_t messages; /* the EXEC stream */
	uint64_t parts[SSP_PARTS];
	struct tube *tubes[SSP_PARTS];
	struct buf in;  /* a message that has not come whole */
	struct buf out; /* messages that the stream does not take yet */
	bool exited;    /* the command has, with CODE */
	int code;
	bool interrupted; /* SIGINT has been passed on once */
	bool line;        /* an escape may come: a line begins */
	bool escaping;
};

bool
roam_has_exec(const struct roam *r)
{
	return r->cfg->exec != NULL;
}

/* Ends the client once the command has ended and all its output is written. */
static void
exec_check(struct roam_exec *x)
{
	size_t i;

	if (!x->exited)
		return;
	for (i = 0; i < SSP_PARTS; i++)
		if (x->tubes[i] != NULL && !tube_written(x->tubes[i]))
			return;
	roam_leave(x->r, x->code, NULL);
}

/* --- the terminal ------------------------------------------------------------ */

static void
exec_say(const char *text)
{
	(void)sys_write_all(STDERR_FILENO, text, strlen(text));
}

static void
exec_suspend(struct roam_exec *x)
{
	tty_restore(x->tty);
	(void)kill(getpid(), SIGSTOP);
	tty_raw(x->tty);
}

/* A byte behind the escape character; returns how many to send at P. */
static size_t
exec_escape(struct roam_exec *x, uint8_t *p, uint8_t b)
{
	const uint8_t escape = (uint8_t)x->cfg->escape;
	size_t n = 0;

	switch (b) {
	case '.':
		exec_say("\r\n");
		roam_leave(x->r, EXEC_FAILED, "connection closed");
		return 0;
	case 0x1a:
		exec_suspend(x);
		return 0;
	case '?':
		exec_say(EXEC_ESCAPE_HELP);
		return 0;
	default:
		if (b != escape)
			p[n++] = escape;
		p[n++] = b;
		x->line = b == '\r' || b == '\n';
		return n;
	}
}

/*
 * Takes escapes out of what is typed.  An escape character waits for the byte
 * after it, so at most N + 1 bytes are left.
 */
static size_t
exec_filter(void *arg, uint8_t *p, size_t n)
{
	struct roam_exec *x = arg;
	uint8_t out[2];
	struct buf all;
	size_t i, k;

	if (x->tty == NULL || x->cfg->escape < 0)
		return n;
	buf_init(&all, n + 2);
	for (i = 0; i < n; i++) {
		if (x->escaping) {
			x->escaping = false;
			k = exec_escape(x, out, p[i]);
			(void)buf_add(&all, out, k);
		} else if (x->line && p[i] == (uint8_t)x->cfg->escape) {
			x->escaping = true;
		} else {
			x->line = p[i] == '\r' || p[i] == '\n';
			(void)buf_add(&all, p + i, 1);
		}
	}
	n = MIN_OF(all.len, n + 1);
	memcpy(p, all.data != NULL ? all.data : out, n);
	buf_fini(&all);
	return n;
}

/* --- the start --------------------------------------------------------------- */

static void
tube_changed(void *arg)
{
	struct roam_exec *x = arg;

	exec_check(x);
	if (!x->r->leaving)
		loop_defer(x->r->loop, roam_changed, x->r);
}

/* Ends the client with the reason of a stream's reset, or OTHERWISE. */
static void
exec_lost(struct roam_exec *x, uint64_t stream, const char *otherwise)
{
	const char *text;

	(void)ssp_streams_reason(
	    ssp_transport_streams(x->r->bind.tp), stream, &text);
	roam_leave(x->r, EXEC_FAILED,
	    text != NULL && *text != '\0' ? text : otherwise);
}

static void
tube_ended(void *arg, struct tube *t)
{
	struct roam_exec *x = arg;
	size_t i;

	for (i = 0; i < SSP_PARTS; i++)
		if (x->tubes[i] == t)
			x->tubes[i] = NULL;
	if (x->cfg->connects &&
	    ssp_streams_state(ssp_transport_streams(x->r->bind.tp),
		tube_id(t)) == SSP_STREAM_RESET)
		exec_lost(x, tube_id(t), "the connection broke");
}

static uint64_t
exec_open(struct roam_exec *x, enum ssp_prio prio, const struct ssp_purpose *p)
{
	uint8_t what[SSP_PURPOSE_SIZE];
	struct wr w;

	wr_init(&w, what, sizeof(what));
	ssp_purpose_put(&w, p);
	return ssp_streams_open(
	    ssp_transport_streams(x->r->bind.tp), prio, what, wr_len(&w));
}

static void
exec_flush(struct roam_exec *x)
{
	buf_consume(
	    &x->out, ssp_streams_put(ssp_transport_streams(x->r->bind.tp),
			 x->messages, x->out.data, x->out.len));
}

static void
exec_send(struct roam_exec *x, const struct control_msg *m)
{
	if (control_encode(m, &x->out) != 0 || x->out.overflow)
		roam_leave(x->r, EXEC_FAILED, "the command is too long");
	exec_flush(x);
	if (!x->r->leaving)
		loop_defer(x->r->loop, roam_changed, x->r);
}

static void
exec_command(struct roam_exec *x)
{
	const char *term = getenv("TERM");
	struct control_msg m = {
		.type = CONTROL_COMMAND,
		.has = CONTROL_HAS_LIST | CONTROL_HAS_ENV | CONTROL_HAS_FLAGS |
		       CONTROL_HAS_TERM,
		.flags = x->cfg->flags,
		.argv = x->cfg->words,
		.env = x->cfg->env,
	};

	if (term == NULL)
		term = "";
	m.term = (struct control_str){ term, strlen(term) };
	if ((m.flags & CONTROL_EXEC_TTY) != 0) {
		m.has |= CONTROL_HAS_SIZE;
		m.size[0] = 80;
		m.size[1] = 24;
		(void)sys_window(STDIN_FILENO, m.size);
	}
	exec_send(x, &m);
}

static void
exec_tube(
    struct roam_exec *x, enum ssp_purpose_part part, const struct tube_fds *fds)
{
	static const struct tube_ops ops = { tube_changed, tube_ended,
		exec_filter };

	x->tubes[part] = tube_new(x->r->loop,
	    ssp_transport_streams(x->r->bind.tp), x->parts[part], fds, &ops, x);
	tube_news(x->tubes[part]);
}

/* Asks the server to connect, and joins the standard streams to that. */
static void
exec_connect(struct roam_exec *x)
{
	const struct ssp_purpose p = { .kind = SSP_PURPOSE_CONNECT,
		.place = x->cfg->connect };

	x->parts[SSP_PART_IO] = exec_open(x, SSP_PRIO_FLOW, &p);
	exec_tube(x, SSP_PART_IO,
	    &(const struct tube_fds){ x->fds[0], x->fds[1], false });
	x->fds[0] = x->fds[1] = -1;
}

void
roam_exec_turn(struct roam *r)
{
	const struct roam_exec *x = r->exec;

	/* The stream remains until the server has confirmed all its bytes. */
	if (x != NULL && x->cfg->connects && x->started && !r->leaving &&
	    x->tubes[SSP_PART_IO] == NULL &&
	    ssp_streams_count(ssp_transport_streams(r->bind.tp)) == 0)
		roam_leave(r, 0, NULL);
}

void
roam_exec_up(struct roam *r)
{
	struct roam_exec *x = r->exec;
	struct ssp_purpose p = { .kind = SSP_PURPOSE_EXEC };
	const struct tube_fds err = { -1, x == NULL ? -1 : x->fds[2], false };
	struct ssp_conn_stats st;
	enum ssp_prio prio;

	if (x == NULL || x->started)
		return;
	ssp_conn_stats(r->conn, &st);
	if ((st.peer_caps & SSP_CAP_STREAMS) == 0) {
		roam_leave(r, EXEC_FAILED,
		    "the rmux there runs no commands: update it");
		return;
	}
	x->started = true;
	if (x->cfg->connects) {
		exec_connect(x);
		return;
	}
	prio = x->tty != NULL ? SSP_PRIO_TALK : SSP_PRIO_FLOW;
	x->messages = exec_open(x, SSP_PRIO_TALK, &p);
	p.kind = SSP_PURPOSE_PART;
	p.exec = x->messages;
	p.part = SSP_PART_ERR;
	x->parts[p.part] = exec_open(x, SSP_PRIO_FLOW, &p);
	p.part = SSP_PART_IO;
	x->parts[p.part] = exec_open(x, prio, &p);
	exec_command(x);
	exec_tube(x, SSP_PART_ERR, &err);
	exec_tube(x, SSP_PART_IO,
	    &(const struct tube_fds){ x->fds[0], x->fds[1], false });
	x->fds[0] = x->fds[1] = x->fds[2] = -1;
}

/*
 * Opens a standard stream again, if that is possible: then reads and writes need
 * not wait, and others who have it see no change.
 */
static int
exec_fd(int fd)
{
	const int flags = fd == STDIN_FILENO ? O_RDONLY : O_WRONLY;
	struct stat st;
	int own = -1;

	if (fstat(fd, &st) != 0)
		return -1;
	if (S_ISFIFO(st.st_mode) || isatty(fd))
		own = sys_reopen(fd, flags);
	return own >= 0 ? own : fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

int
roam_exec(struct roam *r, struct cause *c)
{
	struct roam_exec *x;
	int i;

	if (r->cfg->exec->none)
		return 0;
	x = r->exec = mem_zalloc(sizeof(*x));
	x->r = r;
	x->cfg = r->cfg->exec;
	x->line = true;
	buf_init(&x->in, CONTROL_MESSAGE_MAX + 65536);
	buf_init(&x->out, CONTROL_MESSAGE_MAX + 65536);
	for (i = 0; i < 3; i++)
		x->fds[i] = -1;
	for (i = x->cfg->no_input ? 1 : 0; i < 3; i++)
		x->fds[i] = exec_fd(i);
	if ((x->cfg->flags & CONTROL_EXEC_TTY) == 0 || !isatty(STDIN_FILENO))
		return 0;
	x->tty = tty_open(STDIN_FILENO, c);
	if (x->tty == NULL)
		return -ERR_SYS;
	tty_raw(x->tty);
	return 0;
}

/* --- messages ------------------------------------------------------------------ */

static void
exec_message(struct roam_exec *x, const struct control_msg *m)
{
	char *text;

	if (m->type == CONTROL_ERR) {
		text = mem_strndup((const char *)m->data, m->data_len);
		fprintf(stderr, "rmux: ");
		sys_complain(text);
		mem_free(text);
	} else if (m->type == CONTROL_EXIT) {
		x->exited = true;
		x->code = (int)(m->code & 255);
	}
}

static void
exec_take(struct roam_exec *x)
{
	struct ssp_streams *ss = ssp_transport_streams(x->r->bind.tp);
	struct control_msg m;
	const uint8_t *p;
	size_t n, used;
	int e;

	while ((p = ssp_streams_peek(ss, x->messages, &n)) != NULL) {
		(void)buf_add(&x->in, p, n);
		ssp_streams_taken(ss, loop_now(x->r->loop), x->messages, n);
	}
	while ((e = control_decode(x->in.data, x->in.len, &m, &used)) == 0) {
		exec_message(x, &m);
		buf_consume(&x->in, used);
	}
	if (e != -ERR_AGAIN || x->in.overflow)
		roam_leave(x->r, EXEC_FAILED, "the answer is malformed");
	else if (!x->exited &&
		 ssp_streams_state(ss, x->messages) != SSP_STREAM_OPEN)
		exec_lost(x, x->messages, "the command has gone");
	exec_check(x);
}

bool
roam_exec_news(struct roam *r, uint64_t stream)
{
	struct roam_exec *x = r->exec;
	size_t i;

	if (x == NULL || !x->started)
		return false;
	if (x->cfg->connects) {
		if (stream != x->parts[SSP_PART_IO])
			return false;
		if (x->tubes[SSP_PART_IO] != NULL)
			tube_news(x->tubes[SSP_PART_IO]);
		return true;
	}
	if (stream == x->messages) {
		exec_flush(x);
		exec_take(x);
		return true;
	}
	for (i = 0; i < SSP_PARTS; i++) {
		if (stream != x->parts[i])
			continue;
		if (x->tubes[i] != NULL)
			tube_news(x->tubes[i]);
		exec_check(x);
		return true;
	}
	return false;
}

/* --- signals and ends ------------------------------------------------------------ */

bool
roam_exec_signal(struct roam *r, int signo)
{
	struct roam_exec *x = r->exec;
	struct control_msg m = { .type = CONTROL_SIGNAL,
		.has = CONTROL_HAS_CODE | CONTROL_HAS_TEXT };
	const char *name = signo == SIGQUIT ? "QUIT" : "INT";

	if (x == NULL || !x->started || x->cfg->connects)
		return false;
	if (signo == SIGWINCH && x->tty != NULL) {
		name = "WINCH";
		m.has |= CONTROL_HAS_SIZE;
		tty_size(x->tty, m.size);
	} else if ((signo != SIGINT && signo != SIGQUIT) || x->interrupted)
		return false;
	else
		x->interrupted = true;
	m.code = signo;
	m.text = (struct control_str){ name, strlen(name) };
	exec_send(x, &m);
	return true;
}

void
roam_exec_gone(struct roam *r)
{
	r->told = true;
	roam_leave(
	    r, EXEC_FAILED, "the server does not know this client any more");
}

void
roam_exec_leave(struct roam *r)
{
	size_t i;

	if (r->exec == NULL)
		return;
	for (i = 0; i < SSP_PARTS; i++) {
		if (r->exec->tubes[i] != NULL)
			tube_free(r->exec->tubes[i]);
		r->exec->tubes[i] = NULL;
	}
	ssp_transport_streams_allow(r->bind.tp, SSP_STREAMS_NONE);
}

void
roam_exec_free(struct roam *r)
{
	struct roam_exec *x = r->exec;
	int i;

	if (x == NULL)
		return;
	for (i = 0; i < SSP_PARTS; i++)
		if (x->tubes[i] != NULL)
			tube_free(x->tubes[i]);
	for (i = 0; i < 3; i++)
		if (x->fds[i] >= 0)
			(void)close(x->fds[i]);
	if (x->tty != NULL)
		tty_close(x->tty);
	buf_fini(&x->in);
	buf_fini(&x->out);
	mem_free(x);
	r->exec = NULL;
}
