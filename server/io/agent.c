#include "server/io/agent.h"

#include <errno.h>
#include <stdint.h>
#include <unistd.h>

#include "base/agent_wire.h"
#include "base/compiler.h"
#include "base/io/loop.h"
#include "base/io/sock.h"
#include "base/io/sys.h"
#include "base/list.h"
#include "base/mem.h"

#define AGENT_REFUSED 16 /* programs that are being refused */

struct agent {
	char *path;
	char *lock_path;
	int fd;
	int lock;
	struct loop_io *io;
	struct loop *loop;
	struct list refused; /* struct refusal */
	agent_fn fn;
	void *arg;
};

/* A program that gets a refusal for each request until it leaves. */
struct refusal {
	struct list_node node;
	struct agent *agent;
	int fd;
	struct loop_io *io;
	struct agent_wire wire;
};

static void
refusal_free(struct refusal *q)
{
	list_remove(&q->agent->refused, &q->node);
	loop_io_del(q->io);
	(void)close(q->fd);
	mem_free(q);
}

static void
refusal_readable(void *arg, int fd, UNUSED unsigned events)
{
	static const uint8_t failure[5] = { 0, 0, 0, 1, 5 };
	struct refusal *q = arg;
	uint8_t b[4096];
	ssize_t n = read(fd, b, sizeof(b));
	size_t whole;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	whole = n > 0 ? agent_wire_count(&q->wire, b, (size_t)n) : 0;
	for (; whole > 0; whole--)
		/* A program that takes no answers is gone, or floods. */
		if (write(fd, failure, sizeof(failure)) != sizeof(failure))
			n = 0;
	if (n <= 0)
		refusal_free(q);
}

void
agent_refuse(struct agent *a, int fd)
{
	struct refusal *q;

	if (a->refused.count >= AGENT_REFUSED) {
		(void)close(fd);
		return;
	}
	(void)sys_set_nonblock(fd);
	q = mem_zalloc(sizeof(*q));
	q->agent = a;
	q->fd = fd;
	q->io = loop_io_add(a->loop, fd, LOOP_READ, refusal_readable, q);
	list_push_back(&a->refused, &q->node);
}

static void
agent_readable(void *arg, int listen_fd, UNUSED unsigned events)
{
	struct agent *a = arg;
	int fd;

	if (sock_accept(listen_fd, &fd) != 0)
		return;
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
	a->loop = loop;
	list_init(&a->refused);
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
	struct list_node *n;

	if (a == NULL)
		return;
	while ((n = list_first(&a->refused)) != NULL)
		refusal_free(container_of(n, struct refusal, node));
	loop_io_del(a->io);
	(void)close(a->fd);
	(void)unlink(a->path);
	(void)unlink(a->lock_path);
	(void)close(a->lock);
	mem_free(a->path);
	mem_free(a->lock_path);
	mem_free(a);
}
