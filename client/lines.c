#include "client/lines.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io/stream.h"
#include "base/io/sys.h"
#include "base/mem.h"

/* A write of so many bytes to a pipe that is ready does not wait. */
#define LINES_PIECE 4096
#define LINES_READ 65536

struct line_io {
	struct loop *loop;
	const struct line_io_ops *ops;
	void *arg;
	struct buf out;
	int out_fd; /* standard output, or the same pipe without waiting */
	struct loop_io *in_io;
	struct loop_io *out_io; /* NULL: standard output is a file */
	bool file;              /* standard input is a file */
	bool reads;
	bool ended;
	bool held;
	bool full;
	bool closed;
	bool wait;
	bool wrapped;
	struct termios saved;
};

/* --- output ------------------------------------------------------------------- */

static void
out_close(struct line_io *ln)
{
	if (ln->closed)
		return;
	ln->closed = true;
	buf_clear(&ln->out);
	loop_io_del(ln->out_io);
	ln->out_io = NULL;
	ln->ops->closed(ln->arg);
}

static void
out_arm(struct line_io *ln)
{
	const bool full = ln->out.len >= LINES_OUT_FULL;

	if (ln->out_io != NULL)
		loop_io_set(
		    ln->out_io, ln->out.len > 0 ? (unsigned)LOOP_WRITE : 0);
	if (full != ln->full) {
		ln->full = full;
		ln->ops->full(ln->arg, full);
	}
}

static bool
out_ready(const struct line_io *ln)
{
	struct pollfd p = { .fd = STDOUT_FILENO, .events = POLLOUT };

	return ln->out_fd != STDOUT_FILENO || poll(&p, 1, 0) > 0;
}

static void
out_flush(struct line_io *ln)
{
	ssize_t n;
	bool all;

	while (ln->out.len > 0 && (ln->out_io == NULL || out_ready(ln))) {
		all = ln->out_io == NULL || ln->out_fd != STDOUT_FILENO;
		n = write(ln->out_fd, ln->out.data,
		    all ? ln->out.len
			: MIN_OF(ln->out.len, (size_t)LINES_PIECE));
		if (n > 0)
			buf_consume(&ln->out, (size_t)n);
		else if (n < 0 && errno == EAGAIN)
			break;
		else if (n == 0 || errno != EINTR) {
			out_close(ln);
			return;
		}
	}
	out_arm(ln);
}

static void
out_event(void *arg, UNUSED int fd, UNUSED unsigned events)
{
	out_flush(arg);
}

void
lines_write(struct line_io *ln, const void *p, size_t n)
{
	if (ln->closed)
		return;
	(void)buf_add(&ln->out, p, n);
	out_flush(ln);
}

/* --- input -------------------------------------------------------------------- */

static void
in_arm(struct line_io *ln)
{
	if (ln->in_io != NULL)
		loop_io_set(
		    ln->in_io, ln->held || ln->ended ? 0 : (unsigned)LOOP_READ);
}

/* Reads once; returns whether there may be more. */
static bool
in_read(struct line_io *ln)
{
	uint8_t bytes[LINES_READ];
	ssize_t n;

	do
		n = read(STDIN_FILENO, bytes, sizeof(bytes));
	while (n < 0 && errno == EINTR);
	if (n < 0 && errno == EAGAIN)
		return false;
	if (n <= 0) {
		ln->ended = true;
		n = 0;
	}
	ln->ops->input(ln->arg, bytes, (size_t)n);
	in_arm(ln);
	return n > 0;
}

static void
in_event(void *arg, UNUSED int fd, UNUSED unsigned events)
{
	(void)in_read(arg);
}

/* Reads a file for as long as the server takes it. */
static void
in_file(struct line_io *ln)
{
	while (ln->reads && ln->file && !ln->held && !ln->ended && in_read(ln))
		;
}

void
lines_read(struct line_io *ln)
{
	if (ln->reads)
		return;
	ln->reads = true;
	if (ln->file)
		in_file(ln);
	else
		ln->in_io = loop_io_add(
		    ln->loop, STDIN_FILENO, LOOP_READ, in_event, ln);
}

void
lines_hold(struct line_io *ln, bool hold)
{
	if (ln->held == hold)
		return;
	ln->held = hold;
	in_arm(ln);
	in_file(ln);
}

void
lines_set_wait(struct line_io *ln, bool wait)
{
	ln->wait = wait;
}

/* --- life --------------------------------------------------------------------- */

/* As tmux sets the terminal for -CC: newlines stay, nothing is echoed. */
static int
wrap(struct line_io *ln, struct cause *c)
{
	struct termios tio;

	if (tcgetattr(STDIN_FILENO, &ln->saved) != 0)
		return cause_set(
		    c, -ERR_SYS, "tcgetattr failed: %s", strerror(errno));
	tio = ln->saved;
	tio.c_iflag = ICRNL | IXANY;
	tio.c_oflag = OPOST | ONLCR;
	tio.c_lflag = 0;
	tio.c_cflag = CREAD | CS8 | HUPCL;
	tio.c_cc[VMIN] = 1;
	tio.c_cc[VTIME] = 0;
	(void)cfsetispeed(&tio, cfgetispeed(&ln->saved));
	(void)cfsetospeed(&tio, cfgetospeed(&ln->saved));
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &tio);
	ln->wrapped = true;
	return 0;
}

/*
 * Opens a pipe on standard output again, so that writes do not wait while other
 * users of the pipe see no change; else returns standard output.
 */
static int
out_open(void)
{
	struct stat st;
	int fd = -1;

	if (fstat(STDOUT_FILENO, &st) == 0 && S_ISFIFO(st.st_mode))
		fd = sys_reopen(STDOUT_FILENO, O_WRONLY);
	return fd < 0 ? STDOUT_FILENO : fd;
}

struct line_io *
lines_new(struct loop *loop, bool wrapped, const struct line_io_ops *ops,
    void *arg, struct cause *c)
{
	struct line_io *ln = mem_zalloc(sizeof(*ln));

	if (wrapped && wrap(ln, c) != 0) {
		mem_free(ln);
		return NULL;
	}
	ln->loop = loop;
	ln->ops = ops;
	ln->arg = arg;
	buf_init(&ln->out, (size_t)64 << 20);
	ln->out_fd = out_open();
	/* security: later the process may be confined. */
	ln->file = stream_is_file(STDIN_FILENO);
	if (!stream_is_file(STDOUT_FILENO))
		ln->out_io = loop_io_add(loop, STDOUT_FILENO, 0, out_event, ln);
	if (wrapped)
		lines_write(ln, "\033P1000p", 7);
	return ln;
}

/* Reads lines up to an empty one. */
static void
wait_line(void)
{
	bool empty = true;
	char ch;
	ssize_t n;

	for (;;) {
		n = read(STDIN_FILENO, &ch, 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0 || (ch == '\n' && empty))
			return;
		empty = ch == '\n';
	}
}

void
lines_free(struct line_io *ln, const char *reason)
{
	char *last;

	if (ln == NULL)
		return;
	loop_io_del(ln->in_io);
	loop_io_del(ln->out_io);
	last = reason == NULL || *reason == '\0'
		   ? mem_strdup("%exit\n")
		   : mem_printf("%%exit %s\n", reason);
	if (!ln->closed) {
		(void)buf_add_str(&ln->out, last);
		if (sys_write_all(STDOUT_FILENO, ln->out.data, ln->out.len) !=
		    0)
			ln->closed = true;
	}
	mem_free(last);
	if (ln->wait && !ln->ended)
		wait_line();
	if (ln->wrapped) {
		if (!ln->closed)
			(void)sys_write_all(STDOUT_FILENO, "\033\\", 2);
		(void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &ln->saved);
	}
	if (ln->out_fd != STDOUT_FILENO)
		close(ln->out_fd);
	buf_fini(&ln->out);
	mem_free(ln);
}
