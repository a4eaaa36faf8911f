#include "config.h"

#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io/loop.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "client/attach.h"
#include "client/lines.h"
#include "client/local.h"
#include "client/trust.h"
#include "mux/sync/control.h"
#include "mux/sync/input.h"
#include "mux/sync/view.h"

#define LOCAL_OUT_MAX (64u << 20)
#define LOCAL_FILES_MAX 64
#define LOCAL_OUT_LOW (1u << 20)     /* more of a file is read below this */
#define LOCAL_INPUT_MAX (256u << 10) /* of -C, on its way to the server */

/* A file that the server reads or writes through the client. */
struct local_file {
	uint64_t id;
	int fd;
	struct loop_io *io; /* while the server reads it; not a regular file */
	bool regular;       /* the server reads it, and it never blocks */
	int error;          /* error of writing; later data is dropped */
};

struct local {
	const struct local_cfg *cfg;
	struct loop *loop;
	int fd;
	struct loop_io *io;
	struct buf in;
	struct buf out;
	struct local_file files[LOCAL_FILES_MAX];
	struct ssp_transport *tp;
	struct loop_timer *tp_timer;
	uint64_t sent_pn;
	uint64_t recv_pn;
	struct attach *attach;
	struct me_file me;
	struct line_io *lines; /* of -C, or NULL */
	bool out_full;         /* its reader is slow */
	struct loop_signal *signals[8];
	int exit_code;
	char *exit_text;
	char *exec;  /* command to run in place of the client at the end */
	bool hangup; /* detach -P: send SIGHUP to the parent as well */
};

static void
local_end(struct local *l, int code)
{
	if (loop_stop(l->loop))
		l->exit_code = code;
}

static bool local_files_read(struct local *l);

static void
local_arm(struct local *l)
{
	loop_io_set(l->io, (l->out_full ? 0 : (unsigned)LOOP_READ) |
			       (l->out.len > 0 ? (unsigned)LOOP_WRITE : 0));
}

static void
local_write(struct local *l)
{
	ssize_t n;

	while (l->out.len > 0) {
		n = write(l->fd, l->out.data, l->out.len);
		if (n > 0) {
			buf_consume(&l->out, (size_t)n);
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			break;
		/* The loop reads the end of file and reports it. */
		buf_clear(&l->out);
	}
}

static void
local_flush(struct local *l)
{
	do
		local_write(l);
	while (local_files_read(l));
	local_arm(l);
	if (l->lines != NULL)
		lines_hold(l->lines, l->out.len >= LOCAL_INPUT_MAX);
}

/* --- SSP over the socket -------------------------------------------------- */

static void
local_pump(struct local *l)
{
	static uint8_t payload[CONTROL_DATA_MAX];
	mono_ms now = loop_now(l->loop);
	size_t n;

	if (l->tp == NULL)
		return;
	while ((n = ssp_transport_send(l->tp, now, l->sent_pn + 1, payload,
		    sizeof(payload))) > 0) {
		l->sent_pn++;
		if (control_put_data(&l->out, CONTROL_SSP, 0, payload, n) != 0)
			break;
	}
	local_flush(l);
	loop_timer_set(l->tp_timer, ssp_transport_deadline(l->tp, now));
}

static void
local_pump_cb(void *arg)
{
	local_pump(arg);
}

static void
local_gone(void *arg)
{
	struct local *l = arg;

	l->exit_text = l->exit_text == NULL ? mem_strdup("") : l->exit_text;
	local_end(l, 1);
}

/*
 * security: confines the client of another user's server. It keeps the terminal
 * and its descriptors, and with FILES the files that the user named.
 */
static void
local_confine(struct local *l, bool files)
{
	struct confine_result res;
	struct cause c = { NULL };

	if (!l->cfg->foreign)
		return;
	if (confine(CONFINE_TERMINAL | (files ? (unsigned)CONFINE_FILES : 0),
		CONFINE_ALL, l->cfg->sandbox, &res, &c) != 0) {
		l->exit_text = mem_strdup(cause_text(&c));
		local_end(l, 1);
	}
	cause_fini(&c);
}

/* Tells whether the command line is one command. */
static bool
local_one_command(const char *const *argv)
{
	size_t n;

	for (; *argv != NULL; argv++) {
		n = strlen(*argv);
		if (n > 0 && (*argv)[n - 1] == ';')
			return false;
	}
	return true;
}

static void
local_attach(struct local *l)
{
	struct ssp_transport_cfg cfg;
	struct attach_cfg ac = {
		.loop = l->loop,
		.in = STDIN_FILENO,
		.out = STDOUT_FILENO,
		.allow = l->cfg->foreign ? 0 : TRUST_ALL,
		.changed = local_pump_cb,
		.gone = local_gone,
		.arg = l,
	};
	struct cause c = { NULL };
	size_t unknown;

	if (l->attach != NULL)
		return;
	ssp_transport_cfg_init(&cfg, SSP_LINK_LOCAL);
	cfg.local_ops = &sync_input_ops;
	cfg.local = sync_input_new();
	cfg.remote_ops = &sync_view_ops;
	cfg.remote = sync_view_new(0, 0);
	cfg.mtu = CONTROL_DATA_MAX;
	l->tp = ssp_transport_new(&cfg, loop_now(l->loop));
	l->tp_timer = loop_timer_new(l->loop, local_pump_cb, l);
	me_file_read(&l->me, l->cfg->me, !l->cfg->foreign);
	ac.me = &l->me;
	ac.tp = l->tp;
	ac.confined = l->cfg->foreign;
	ac.caps = term_caps_from_name(getenv("TERM"), getenv("COLORTERM"));
	if (l->cfg->flags & CONTROL_FLAG_UTF8)
		ac.caps |= TERM_CAP(UTF8);
	if (l->cfg->features != NULL)
		ac.caps = term_caps_change(ac.caps, l->cfg->features,
		    strlen(l->cfg->features), &unknown);
	if ((l->attach = attach_new(&ac, &c)) == NULL) {
		sys_complain(cause_text(&c));
		cause_fini(&c);
		local_end(l, 1);
	}
	/* A command that attaches opens no file. */
	if (local_one_command(l->cfg->argv))
		local_confine(l, false);
}

static void
local_ssp(struct local *l, const struct control_msg *m)
{
	if (l->tp == NULL)
		return;
	if (ssp_transport_recv(l->tp, loop_now(l->loop), ++l->recv_pn, m->data,
		m->data_len) == 0 &&
	    l->attach != NULL)
		attach_update(l->attach);
	local_pump(l);
}

/* --- files ---------------------------------------------------------------- */

static struct local_file *
local_file_find(struct local *l, uint64_t id)
{
	size_t i;

	for (i = 0; i < LOCAL_FILES_MAX; i++)
		if (l->files[i].id == id)
			return &l->files[i];
	return NULL;
}

/* Closes the file. Returns 0 or the error of writing. */
static int
local_file_close(struct local_file *f)
{
	int error = f->error;

	loop_io_del(f->io);
	if (f->fd > STDERR_FILENO && close(f->fd) != 0 && error == 0)
		error = errno;
	memset(f, 0, sizeof(*f));
	return error;
}

/* Sends one piece of a file; returns whether the file goes on. */
static bool
local_file_read(struct local *l, struct local_file *f)
{
	struct control_msg failed = {
		.type = CONTROL_OPENED,
		.has = CONTROL_HAS_ID | CONTROL_HAS_CODE,
		.id = f->id,
	};
	uint8_t bytes[65536];
	ssize_t n;

	do
		n = read(f->fd, bytes, sizeof(bytes));
	while (n < 0 && errno == EINTR);
	if (n < 0 && errno == EAGAIN)
		return true;
	failed.code = errno;
	if (n < 0)
		(void)control_encode(&failed, &l->out);
	else
		(void)control_put_data(
		    &l->out, CONTROL_DATA, f->id, bytes, (size_t)n);
	if (n <= 0)
		(void)local_file_close(f);
	return n > 0;
}

static void
local_file_readable(void *arg, int fd, UNUSED unsigned events)
{
	struct local *l = arg;
	size_t i;

	for (i = 0; i < LOCAL_FILES_MAX; i++)
		if (l->files[i].io != NULL && l->files[i].fd == fd) {
			(void)local_file_read(l, &l->files[i]);
			break;
		}
	local_flush(l);
}

/*
 * Reads the regular files, which epoll refuses, while the server keeps up, and
 * lets the others wait for it. Returns whether there is more to write.
 */
static bool
local_files_read(struct local *l)
{
	const size_t before = l->out.len;
	struct local_file *f;
	size_t i;

	for (i = 0; i < LOCAL_FILES_MAX; i++) {
		f = &l->files[i];
		while (f->regular && l->out.len < LOCAL_OUT_LOW)
			if (!local_file_read(l, f))
				break;
		if (f->io != NULL)
			loop_io_set(f->io, l->out.len < LOCAL_OUT_LOW
					       ? (unsigned)LOOP_READ
					       : 0);
	}
	return l->out.len > before;
}

/*
 * Whoever holds the other end of a pipe may let the client wait for ever: until
 * END, signals end it.
 */
static void
local_may_wait(const struct local *l, bool end)
{
	static const int signos[] = { SIGTERM, SIGHUP, SIGINT, SIGQUIT };
	static struct sigaction was[ARRAY_LEN(signos)];
	const struct sigaction now = { .sa_handler = SIG_DFL };
	size_t i;

	if (l->attach != NULL)
		return;
	for (i = 0; i < ARRAY_LEN(signos); i++)
		(void)sigaction(
		    signos[i], end ? &was[i] : &now, end ? NULL : &was[i]);
}

static int
local_open_file(const struct local *l, const char *path, int64_t how)
{
	static const int flags[] = { O_RDONLY | O_NONBLOCK,
		O_WRONLY | O_CREAT | O_TRUNC, O_WRONLY | O_CREAT | O_APPEND };
	int fd, e;

	local_may_wait(l, false);
	fd = open(path, flags[how] | O_CLOEXEC, 0666);
	e = errno;
	local_may_wait(l, true);
	errno = e;
	return fd;
}

static void
local_open(struct local *l, const struct control_msg *m)
{
	struct local_file *f = local_file_find(l, 0);
	struct control_msg reply = {
		.type = CONTROL_OPENED,
		.has = CONTROL_HAS_ID | CONTROL_HAS_CODE,
		.id = m->id,
	};
	char *path = control_str_new(m->text);
	char *cwd = getcwd(NULL, 0);
	off_t at;

	/* security: another user's server chooses no file of this user. */
	if (l->cfg->foreign && !trust_asked_file(l->cfg->argv, cwd, path))
		reply.code = EACCES;
	else if (f == NULL || m->code < 0 || m->code > 2 || m->id == 0)
		reply.code = EMFILE;
	else if (strcmp(path, "-") == 0)
		f->fd = m->code == 0 ? STDIN_FILENO : STDOUT_FILENO;
	else if ((f->fd = local_open_file(l, path, m->code)) < 0)
		reply.code = errno;
	free(cwd);
	mem_free(path);
	(void)control_encode(&reply, &l->out);
	if (reply.code == 0 && f != NULL) {
		f->id = m->id;
		at = lseek(f->fd, 0, SEEK_CUR);
		f->regular = m->code == 0 && at >= 0;
		if (m->code == 0 && !f->regular)
			f->io = loop_io_add(
			    l->loop, f->fd, LOOP_READ, local_file_readable, l);
	}
	local_flush(l);
}

/* The server has sent the whole file: report the result. */
static void
local_written(struct local *l, struct local_file *f)
{
	struct control_msg m = {
		.type = CONTROL_OPENED,
		.has = CONTROL_HAS_ID | CONTROL_HAS_CODE,
		.id = f->id,
	};

	m.code = local_file_close(f);
	(void)control_encode(&m, &l->out);
	local_flush(l);
}

static void
local_data(struct local *l, const struct control_msg *m)
{
	struct local_file *f;
	int e = 0;

	f = m->id == 0 ? NULL : local_file_find(l, m->id);
	if (f == NULL)
		return;
	if (m->data_len == 0) {
		local_written(l, f);
		return;
	}
	if (f->error != 0)
		return;
	local_may_wait(l, false);
	if (sys_write_all(f->fd, m->data, m->data_len) != 0)
		e = errno;
	local_may_wait(l, true);
	/* The reader of a pipe may close it: no error. */
	f->error = e == EPIPE ? 0 : e;
}

/* --- control mode --------------------------------------------------------- */

static void
local_input(void *arg, const void *p, size_t n)
{
	struct local *l = arg;

	(void)control_put_data(&l->out, CONTROL_INPUT, 0, p, n);
	local_flush(l);
}

static void
local_out_full(void *arg, bool full)
{
	struct local *l = arg;

	l->out_full = full;
	local_arm(l);
}

static void
local_out_closed(void *arg)
{
	local_end(arg, 1);
}

static void
local_mode(struct local *l, const struct control_msg *m)
{
	if (l->lines == NULL)
		return;
	lines_set_wait(l->lines, (m->code & CONTROL_MODE_WAIT_EXIT) != 0);
	lines_read(l->lines);
}

static bool
local_lines(struct local *l)
{
	static const struct line_io_ops ops = { local_input, local_out_full,
		local_out_closed };
	const uint64_t flags = l->cfg->flags;
	struct cause c = { NULL };

	if ((flags & CONTROL_FLAG_CONTROL) == 0)
		return true;
	l->lines = lines_new(
	    l->loop, (flags & CONTROL_FLAG_CONTROL2) != 0, &ops, l, &c);
	if (l->lines == NULL)
		sys_complain(cause_text(&c));
	cause_fini(&c);
	return l->lines != NULL;
}

/* --- messages ------------------------------------------------------------- */

static void
local_out(struct local *l, const struct control_msg *m)
{
	if (l->lines != NULL) {
		lines_write(l->lines, m->data, m->data_len);
		return;
	}
	/* No reader (a closed pipe), or no space. */
	if (sys_write_all(STDOUT_FILENO, m->data, m->data_len) == 0 ||
	    loop_stopped(l->loop))
		return;
	if (errno != EPIPE)
		fprintf(stderr, "rmux: standard output: %s\n", strerror(errno));
	local_end(l, 1);
}

static void
local_err(struct local *l, const struct control_msg *m)
{
	const char *end = memchr(m->data, '\n', m->data_len);
	size_t n =
	    end == NULL ? m->data_len : (size_t)(end - (const char *)m->data);

	if (l->cfg->said != NULL && l->cfg->said[0] == '\0')
		snprintf(l->cfg->said, l->cfg->said_size, "%.*s",
		    (int)MIN_OF(n, 4096), (const char *)m->data);
	(void)sys_write_all(STDERR_FILENO, m->data, m->data_len);
}

static void
local_exit(struct local *l, const struct control_msg *m)
{
	if (m->has & CONTROL_HAS_TEXT)
		l->exit_text = control_plain_new(m->text);
	local_end(l, (int)m->code);
}

static void
local_detach(struct local *l, const struct control_msg *m)
{
	if (m->has & CONTROL_HAS_TEXT)
		l->exit_text = control_plain_new(m->text);
	l->hangup = m->code == 1 && !l->cfg->foreign;
	local_end(l, 0);
}

static void
local_exec(struct local *l, const struct control_msg *m)
{
	/* security: another user's server runs no command here. */
	if (l->cfg->foreign)
		l->exit_text = mem_strdup(
		    "detached; the server of another user asked to run a "
		    "command here: refused");
	else
		l->exec = control_str_new(m->text);
	local_end(l, 0);
}

static void
local_refused(struct local *l, const struct control_msg *m)
{
	char *text = control_plain_new(m->text);

	fprintf(stderr, "%s\n", text);
	mem_free(text);
	local_end(l, 1);
}

static void
local_welcome(UNUSED struct local *l, UNUSED const struct control_msg *m)
{
}

static void
local_attach_msg(struct local *l, UNUSED const struct control_msg *m)
{
	local_attach(l);
}

/*
 * Runs a command on the terminal (lock-command), then takes the terminal back.
 */
static void
local_lock(struct local *l, const struct control_msg *m)
{
	char *cmd;

	/* security: another user's server runs no command here. */
	if (l->cfg->foreign) {
		(void)control_put_code(&l->out, CONTROL_SIGNAL, 0, NULL);
		local_flush(l);
		return;
	}
	cmd = control_str_new(m->text);
	if (l->attach != NULL) {
		attach_pause(l->attach);
		attach_blank(l->attach, true);
	}
	if (system(cmd) < 0)
		fprintf(stderr, "rmux: cannot run %s\n", cmd);
	mem_free(cmd);
	if (l->attach != NULL) {
		attach_blank(l->attach, false);
		attach_resume(l->attach);
	}
	(void)control_put_code(&l->out, CONTROL_SIGNAL, 0, NULL);
	local_pump(l);
}

static void
local_suspend(struct local *l, UNUSED const struct control_msg *m)
{
	if (l->attach == NULL)
		return;
	attach_pause(l->attach);
	(void)kill(getpid(), SIGSTOP);
	attach_resume(l->attach);
	local_pump(l);
}

static const struct local_row {
	enum control_code code;
	void (*fn)(struct local *l, const struct control_msg *m);
} local_rows[] = {
	{ CONTROL_SSP, local_ssp },
	{ CONTROL_OUT, local_out },
	{ CONTROL_ERR, local_err },
	{ CONTROL_OPEN, local_open },
	{ CONTROL_DATA, local_data },
	{ CONTROL_CLOSE, local_data },
	{ CONTROL_EXIT, local_exit },
	{ CONTROL_ATTACH, local_attach_msg },
	{ CONTROL_DETACH, local_detach },
	{ CONTROL_EXEC, local_exec },
	{ CONTROL_LOCK, local_lock },
	{ CONTROL_SUSPEND, local_suspend },
	{ CONTROL_REFUSED, local_refused },
	{ CONTROL_WELCOME, local_welcome },
	{ CONTROL_MODE, local_mode },
};

static void
local_message(struct local *l, const struct control_msg *m)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(local_rows); i++)
		if (local_rows[i].code == m->type) {
			local_rows[i].fn(l, m);
			return;
		}
}

static void
local_lost(struct local *l)
{
	if (l->attach != NULL || l->lines != NULL)
		l->exit_text = mem_strdup("server exited unexpectedly");
	else
		fprintf(stderr, "server exited unexpectedly\n");
	local_end(l, 1);
}

static void
local_io(void *arg, int fd, unsigned events)
{
	struct local *l = arg;
	struct control_msg m;
	uint8_t *p;
	size_t used;
	ssize_t n;
	int r = -ERR_AGAIN;

	if (events & LOOP_WRITE)
		local_flush(l);
	if ((events & LOOP_READ) == 0)
		return;
	if (buf_reserve(&l->in, 65536, &p) != 0) {
		local_lost(l);
		return;
	}
	n = read(fd, p, 65536);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		local_lost(l);
		return;
	}
	buf_commit(&l->in, (size_t)n);
	while (!loop_stopped(l->loop) &&
	       (r = control_decode(l->in.data, l->in.len, &m, &used)) == 0) {
		local_message(l, &m);
		buf_consume(&l->in, used);
	}
	if (!loop_stopped(l->loop) && r != -ERR_AGAIN) {
		fprintf(stderr,
		    "rmux: the server's answer is malformed (%s); is it "
		    "another program's socket?\n",
		    err_text(r));
		local_end(l, 1);
	}
}

static void
local_signal(void *arg, int signo)
{
	struct local *l = arg;

	switch (signo) {
	case SIGWINCH:
		if (l->attach != NULL)
			attach_resized(l->attach);
		break;
	case SIGCONT:
		if (l->attach != NULL)
			attach_again(l->attach);
		break;
	case SIGTSTP:
		local_suspend(l, NULL);
		break;
	case SIGCHLD:
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		break;
	default:
		if (l->lines != NULL) {
			/* As in tmux, keys end no control client. */
			if (signo == SIGTERM || signo == SIGHUP)
				local_end(l, 0);
			break;
		}
		if (signo == SIGTERM && l->attach != NULL)
			l->exit_text = mem_strdup("terminated");
		local_end(l, 1);
	}
}

/* The variables that the server may know; mem_free. */
static const char **
local_environ(const struct local *l)
{
	const char **env;
	size_t i, n = 0;

	while (environ[n] != NULL)
		n++;
	env = mem_calloc(n + 1, sizeof(*env));
	for (i = n = 0; environ[i] != NULL; i++)
		if (!l->cfg->foreign || trust_may_know(environ[i]))
			env[n++] = environ[i];
	return env;
}

static void
local_hello(struct local *l)
{
	const char *term = getenv("TERM"), *tty = ttyname(STDIN_FILENO);
	char *cwd = getcwd(NULL, 0);
	const char **env = local_environ(l);
	struct control_msg m = {
		.type = CONTROL_HELLO,
		.has = CONTROL_HAS_VERSION | CONTROL_HAS_ENV | CONTROL_HAS_CWD |
		       CONTROL_HAS_TERM | CONTROL_HAS_TTY | CONTROL_HAS_FLAGS |
		       CONTROL_HAS_RELEASE | CONTROL_HAS_ID,
		.version_min = CONTROL_VERSION_MIN,
		.version_max = CONTROL_VERSION_MAX,
		.flags = l->cfg->flags | CONTROL_FLAG_WRITTEN,
		.id = (uint64_t)getpid(),
	};

	m.env = env;
	if (sys_window(STDIN_FILENO, m.size))
		m.has |= CONTROL_HAS_SIZE;
	if (cwd == NULL)
		cwd = strdup("/");
	if (term == NULL)
		term = "";
	if (tty == NULL)
		tty = "";
	m.cwd = (struct control_str){ cwd, cwd == NULL ? 0 : strlen(cwd) };
	m.term = (struct control_str){ term, strlen(term) };
	m.tty = (struct control_str){ tty, strlen(tty) };
	m.release =
	    (struct control_str){ PACKAGE_VERSION, strlen(PACKAGE_VERSION) };
	(void)control_encode(&m, &l->out);
	free(cwd);
	mem_free(env);
	memset(&m, 0, sizeof(m));
	m.type = CONTROL_COMMAND;
	m.has = CONTROL_HAS_LIST;
	m.argv = l->cfg->argv;
	if (control_encode(&m, &l->out) != 0) {
		fprintf(stderr, "rmux: command too long\n");
		local_end(l, 1);
	}
}

/* Prints the last message after the terminal is restored. */
static void
local_farewell(struct local *l)
{
	if (l->lines != NULL)
		lines_free(l->lines, l->exit_text);
	else if (l->exit_text != NULL && l->exit_text[0] != '\0')
		printf("[%s]\n", l->exit_text);
	fflush(stdout);
	if (l->hangup && getppid() > 1)
		(void)kill(getppid(), SIGHUP);
	if (l->exec != NULL) {
		execl("/bin/sh", "sh", "-c", l->exec, (char *)NULL);
		fprintf(stderr, "rmux: cannot run %s: %s\n", l->exec,
		    strerror(errno));
		l->exit_code = 1;
	}
}

int
local_run(const struct local_cfg *cfg)
{
	static const int signos[] = { SIGWINCH, SIGCONT, SIGTSTP, SIGCHLD,
		SIGTERM, SIGHUP, SIGINT, SIGQUIT };
	struct local l = { .cfg = cfg, .fd = cfg->fd };
	size_t i;

	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGXFSZ, SIG_IGN);
	sys_interactive();
	l.loop = loop_new();
	buf_init(&l.in, CONTROL_MESSAGE_MAX + 131072);
	buf_init(&l.out, LOCAL_OUT_MAX);
	l.io = loop_io_add(l.loop, l.fd, LOOP_READ, local_io, &l);
	for (i = 0; i < ARRAY_LEN(signos); i++)
		l.signals[i] =
		    loop_signal_add(l.loop, signos[i], local_signal, &l);
	if (local_lines(&l)) {
		local_hello(&l);
		if (cfg->foreign)
			me_file_read(&l.me, cfg->me, false);
		local_confine(&l, true);
		local_flush(&l);
		loop_run(l.loop);
	} else
		l.exit_code = 1;
	attach_free(l.attach);
	me_file_fini(&l.me);
	local_farewell(&l);
	for (i = 0; i < ARRAY_LEN(signos); i++)
		loop_signal_del(l.signals[i]);
	for (i = 0; i < LOCAL_FILES_MAX; i++)
		if (l.files[i].id != 0)
			(void)local_file_close(&l.files[i]);
	loop_timer_free(l.tp_timer);
	ssp_transport_free(l.tp);
	loop_io_del(l.io);
	close(l.fd);
	loop_free(l.loop);
	buf_fini(&l.in);
	buf_fini(&l.out);
	mem_free(l.exit_text);
	mem_free(l.exec);
	return l.exit_code;
}
