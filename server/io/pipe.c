#include "server/io/pipe.h"

#include <sys/socket.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/io/stream.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "mux/mux.h"
#include "mux/pane.h"
#include "server/io/pane_io.h"
#include "server/io/spawn.h"
#include "server/run/run.h"

/*
 * Input bytes that wait for the pane's program; the command is not read beyond
 * this.
 */
#define PIPE_INPUT_MAX 65536

struct pipe {
	struct pane_tap tap;
	struct pane_io *pane;
	struct loop_io *io;
	int fd;
	bool writes;              /* the command reads the output */
	struct buf wait;          /* for the command */
	struct loop_timer *timer; /* gives up on a command that stalls */
};

static void pipe_bytes(struct pane_tap *t, const void *bytes, size_t n);

static struct pipe *
pipe_of_tap(const struct pane_tap *t)
{
	return container_of(t, struct pipe, tap);
}

static struct pipe *
pipe_find(const struct pane_io *p)
{
	const struct list_node *n;
	const struct pane_tap *t;

	LIST_FOREACH(n, &p->taps) {
		t = container_of(n, struct pane_tap, node);
		if (t->bytes == pipe_bytes)
			return pipe_of_tap(t);
	}
	return NULL;
}

static struct run *
pipe_run(const struct pipe *pp)
{
	return pp->pane->all->run;
}

static bool
pipe_full(const struct pane_tap *t)
{
	return pipe_of_tap(t)->wait.len >= PIPE_FULL;
}

/* Sets which events of the command's socket to wait for. */
static void
pipe_arm(struct pipe *pp)
{
	unsigned events = 0;

	if (pp->wait.len > 0)
		events |= LOOP_WRITE;
	/*
	 * Read also without -I: end of file means that the command has ended.
	 */
	if (pp->pane->input.len < PIPE_INPUT_MAX)
		events |= LOOP_READ;
	loop_io_set(pp->io, events);
	loop_timer_set(pp->timer,
	    pipe_full(&pp->tap)
		? mono_add(loop_now(pipe_run(pp)->loop), PIPE_STALL_MS)
		: MONO_NEVER);
}

static void
pipe_room(struct pane_tap *t)
{
	pipe_arm(pipe_of_tap(t));
}

static void
pipe_flush(struct pipe *pp)
{
	size_t n;
	int r = 0;

	while (pp->wait.len > 0 &&
	       (r = stream_write(pp->fd, pp->wait.data, pp->wait.len, &n)) == 0)
		buf_consume(&pp->wait, n);
	if (r != 0 && r != -ERR_AGAIN)
		buf_clear(&pp->wait);
}

static void
pipe_bytes(struct pane_tap *t, const void *bytes, size_t n)
{
	struct pipe *pp = pipe_of_tap(t);

	if (!pp->writes)
		return;
	if (buf_add(&pp->wait, bytes, n) != 0)
		pp->wait.overflow = false;
	pipe_flush(pp);
	pipe_arm(pp);
	if (pipe_full(t))
		pane_io_arm(pp->pane);
}

static void
pipe_closed(struct pane_tap *t)
{
	struct pipe *pp = pipe_of_tap(t);
	struct pane *pane = mux_pane(pipe_run(pp)->mux, pp->pane->pane_id);

	pipe_flush(pp);
	loop_io_del(pp->io);
	loop_timer_free(pp->timer);
	close(pp->fd);
	pane_io_untap(pp->pane, t);
	buf_fini(&pp->wait);
	mem_free(pp);
	if (pane != NULL) {
		pane->pipe_pid = -1;
		pane_set_flags(pane, PANE_PIPE_OUT | PANE_PIPE_IN, false);
	}
}

void
pipe_close(struct pane_io *p)
{
	struct pipe *pp = pipe_find(p);

	if (pp != NULL)
		pipe_closed(&pp->tap);
}

bool
pipe_is_open(const struct pane_io *p)
{
	return pipe_find(p) != NULL;
}

static void
pipe_event(void *arg, int fd, unsigned events)
{
	struct pipe *pp = arg;
	struct run *run = pipe_run(pp);
	struct pane *pane = mux_pane(run->mux, pp->pane->pane_id);
	uint8_t bytes[8192];
	ssize_t n;

	if (events & LOOP_WRITE)
		pipe_flush(pp);
	if (events & LOOP_READ) {
		n = read(fd, bytes, sizeof(bytes));
		if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
			pipe_closed(&pp->tap);
			run_drain(run);
			return;
		}
		if (n > 0 && pane != NULL &&
		    (pane->flags & PANE_INPUT_OFF) == 0)
			(void)pane_io_write(pp->pane, bytes, (size_t)n);
	}
	pipe_arm(pp);
	pane_io_arm(pp->pane);
}

/* The command reads nothing: drop its data and let the pane's program go on. */
static void
pipe_stalled(void *arg)
{
	struct pipe *pp = arg;

	run_message(pipe_run(pp),
	    "pipe-pane of %%%u: %zu bytes dropped, the "
	    "command does not read",
	    pp->pane->pane_id, pp->wait.len);
	buf_clear(&pp->wait);
	pipe_arm(pp);
	pane_io_arm(pp->pane);
}

/*
 * Starts the command with one end of a socket pair. Returns the other end, or
 * -1.
 */
static int
pipe_spawn(struct pane_io *p, const char *command, const char *cwd, bool in,
    bool out, pid_t *pid, struct cause *c)
{
	struct pane *pane = mux_pane(p->all->run->mux, p->pane_id);
	char **env;
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0) {
		(void)cause_set(
		    c, -ERR_SYS, "socketpair error: %s", strerror(errno));
		return -1;
	}
	env = spawn_env_new(p->all->run, NULL, NULL, pane);
	*pid = spawn_command(command, cwd, env,
	    (int[]){ out ? fds[1] : -1, in ? fds[1] : -1, -1 });
	spawn_env_free(env);
	close(fds[1]);
	if (*pid < 0) {
		close(fds[0]);
		(void)cause_set(c, -ERR_SYS, "fork error: %s", strerror(errno));
		return -1;
	}
	(void)sys_set_cloexec(fds[0]);
	(void)sys_set_nonblock(fds[0]);
	/* Without -O the command's input is at end of file. */
	if (!out)
		(void)shutdown(fds[0], SHUT_WR);
	return fds[0];
}

int
pipe_open(struct pane_io *p, const char *command, const char *cwd, bool in,
    bool out, struct cause *c)
{
	struct loop *loop = p->all->run->loop;
	struct pane *pane = mux_pane(p->all->run->mux, p->pane_id);
	struct pipe *pp;
	pid_t pid;
	int fd;

	if ((fd = pipe_spawn(p, command, cwd, in, out, &pid, c)) < 0)
		return -ERR_SYS;
	pp = mem_zalloc(sizeof(*pp));
	pp->tap.bytes = pipe_bytes;
	pp->tap.full = pipe_full;
	pp->tap.room = pipe_room;
	pp->tap.closed = pipe_closed;
	pp->pane = p;
	pp->fd = fd;
	pp->writes = out;
	buf_init(&pp->wait, PANE_INPUT_MAX);
	pp->timer = loop_timer_new(loop, pipe_stalled, pp);
	pp->io = loop_io_add(loop, fd, LOOP_READ, pipe_event, pp);
	pane_io_tap(p, &pp->tap);
	if (pane != NULL) {
		pane->pipe_pid = pid;
		pane_set_flags(pane, out ? PANE_PIPE_OUT : 0, true);
		pane_set_flags(pane, in ? PANE_PIPE_IN : 0, true);
	}
	return 0;
}
