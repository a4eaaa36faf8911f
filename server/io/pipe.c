#include "server/io/pipe.h"

#include <sys/socket.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/io/stream.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "mux/pane.h"
#include "mux/session.h"
#include "server/server.h"
#include "server/io/spawn.h"

/* Input that waits for the pane's program: beyond it the command waits. */
#define PIPE_INPUT_MAX 65536

bool
pipe_full(const struct pane_io *p)
{
	return p->pipe_io != NULL && p->pipe_out.len >= PIPE_FULL;
}

/* Sets what to wait for on both descriptors. */
static void
pipe_arm(struct pane_io *p)
{
	unsigned events = 0;

	if (p->pipe_io == NULL)
		return;
	if (p->pipe_out.len > 0)
		events |= LOOP_WRITE;
	if (p->pipe_reads && p->input.len < PIPE_INPUT_MAX)
		events |= LOOP_READ;
	loop_io_set(p->pipe_io, events);
	if (p->io != NULL)
		loop_io_set(
		    p->io, (pipe_full(p) ? 0 : (unsigned)LOOP_READ) |
			       (p->input.len > 0 ? (unsigned)LOOP_WRITE : 0));
	loop_timer_set(p->pipe_timer,
	    pipe_full(p) ? mono_add(loop_now(p->sv->loop), PIPE_STALL_MS)
			 : MONO_NEVER);
}

void
pipe_input_room(struct pane_io *p)
{
	pipe_arm(p);
}

static void
pipe_flush(struct pane_io *p)
{
	size_t n;
	int r = 0;

	while (p->pipe_out.len > 0 &&
	       (r = stream_write(
		    p->pipe_fd, p->pipe_out.data, p->pipe_out.len, &n)) == 0)
		buf_consume(&p->pipe_out, n);
	if (r != 0 && r != -ERR_AGAIN)
		buf_clear(&p->pipe_out);
}

void
pipe_close(struct pane_io *p)
{
	struct pane *pane = mux_pane(p->sv->mux, p->pane_id);

	if (p->pipe_io == NULL)
		return;
	pipe_flush(p);
	loop_io_del(p->pipe_io);
	loop_timer_free(p->pipe_timer);
	close(p->pipe_fd);
	p->pipe_io = NULL;
	p->pipe_timer = NULL;
	p->pipe_fd = -1;
	buf_fini(&p->pipe_out);
	buf_init(&p->pipe_out, PANE_INPUT_MAX);
	if (p->io != NULL)
		loop_io_set(p->io,
		    LOOP_READ | (p->input.len > 0 ? (unsigned)LOOP_WRITE : 0));
	if (pane != NULL) {
		pane->pipe_pid = -1;
		pane_set_flags(pane, PANE_PIPE_OUT | PANE_PIPE_IN, false);
	}
}

static void
pipe_event(void *arg, int fd, unsigned events)
{
	struct pane_io *p = arg;
	struct pane *pane = mux_pane(p->sv->mux, p->pane_id);
	uint8_t bytes[8192];
	ssize_t n;

	if (events & LOOP_WRITE)
		pipe_flush(p);
	if (events & LOOP_READ) {
		n = read(fd, bytes, sizeof(bytes));
		if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
			pipe_close(p);
			server_drain(p->sv);
			return;
		}
		if (n > 0 && pane != NULL &&
		    (pane->flags & PANE_INPUT_OFF) == 0)
			(void)pane_io_write(p, bytes, (size_t)n);
	}
	pipe_arm(p);
}

/* The command has taken nothing for a while: the pane goes on without it. */
static void
pipe_stalled(void *arg)
{
	struct pane_io *p = arg;

	server_message(p->sv,
	    "pipe-pane of %%%u: %zu bytes dropped, the "
	    "command does not read",
	    p->pane_id, p->pipe_out.len);
	buf_clear(&p->pipe_out);
	pipe_arm(p);
}

int
pipe_open(struct pane_io *p, const char *command, const char *cwd, bool in,
    bool out, struct cause *c)
{
	struct pane *pane = mux_pane(p->sv->mux, p->pane_id);
	char **env;
	pid_t pid;
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0)
		return cause_set(
		    c, -ERR_SYS, "socketpair error: %s", strerror(errno));
	env = spawn_env_new(p->sv, NULL, NULL, pane);
	pid = spawn_command(command, cwd, env,
	    (int[]){ out ? fds[1] : -1, in ? fds[1] : -1, -1 });
	spawn_env_free(env);
	close(fds[1]);
	if (pid < 0) {
		close(fds[0]);
		return cause_set(
		    c, -ERR_SYS, "fork error: %s", strerror(errno));
	}
	(void)sys_set_cloexec(fds[0]);
	(void)sys_set_nonblock(fds[0]);
	/* One direction only: the other end must see that at once. */
	if (!out)
		(void)shutdown(fds[0], SHUT_WR);
	p->pipe_fd = fds[0];
	p->pipe_pid = pid;
	/* Also without -I: its end is told by reading. */
	p->pipe_reads = true;
	p->pipe_writes = out;
	p->pipe_timer = loop_timer_new(p->sv->loop, pipe_stalled, p);
	p->pipe_io = loop_io_add(p->sv->loop, fds[0], LOOP_READ, pipe_event, p);
	if (pane != NULL) {
		pane->pipe_pid = pid;
		pane_set_flags(pane, out ? PANE_PIPE_OUT : 0, true);
		pane_set_flags(pane, in ? PANE_PIPE_IN : 0, true);
	}
	return 0;
}

void
pipe_output(struct pane_io *p, const void *bytes, size_t n)
{
	if (p->pipe_io == NULL || !p->pipe_writes)
		return;
	if (buf_add(&p->pipe_out, bytes, n) != 0)
		p->pipe_out.overflow = false;
	pipe_flush(p);
	pipe_arm(p);
}
