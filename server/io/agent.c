#include "server/io/agent.h"

#include <unistd.h>

#include "base/io/loop.h"
#include "base/io/sock.h"
#include "base/mem.h"

struct agent {
	char *path;
	char *lock_path;
	int fd;
	int lock;
	struct loop_io *io;
	agent_fn fn;
	void *arg;
};

static void
agent_readable(void *arg, int listen_fd, UNUSED unsigned events)
{
	struct agent *a = arg;
	int fd;

	if (sock_accept(listen_fd, &fd) != 0)
		return;
	/* Nobody has one: as if no agent ran. */
	if (!a->fn(a->arg, fd))
		(void)close(fd);
}

int
agent_new(struct loop *loop, const char *path, agent_fn fn, void *arg,
    struct agent **out, struct cause *c)
{
	struct agent *a = mem_zalloc(sizeof(*a));
	int r;

	a->path = mem_strdup(path);
	a->lock_path = mem_printf("%s.lock", a->path);
	a->fn = fn;
	a->arg = arg;
	if ((r = sock_listen(a->path, &a->fd, &a->lock, c)) != 0) {
		mem_free(a->path);
		mem_free(a->lock_path);
		mem_free(a);
		return r;
	}
	a->io = loop_io_add(loop, a->fd, LOOP_READ, agent_readable, a);
	*out = a;
	return 0;
}

void
agent_free(struct agent *a)
{
	if (a == NULL)
		return;
	loop_io_del(a->io);
	(void)close(a->fd);
	(void)unlink(a->path);
	(void)unlink(a->lock_path);
	(void)close(a->lock);
	mem_free(a->path);
	mem_free(a->lock_path);
	mem_free(a);
}
