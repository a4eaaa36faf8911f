#include "server/io/listen.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/io/sock.h"
#include "base/mem.h"
#include "server/io/conn.h"
#include "server/run/run.h"

#define LISTEN_BATCH 64 /* connections accepted in one turn */

struct listen {
	struct conns *conns;
	char *path;
	int fd; /* -1: closed */
	int lock;
	int spare;
	struct loop_io *io;
	bool paused;
};

static void listen_readable(void *arg, int fd, unsigned events);

static void
listen_watch(struct listen *l)
{
	l->io = loop_io_add(
	    l->conns->run->loop, l->fd, LOOP_READ, listen_readable, l);
}

struct listen *
listen_new(struct conns *cs, const char *path, int fd, int lock)
{
	struct listen *l = mem_zalloc(sizeof(*l));

	l->conns = cs;
	l->path = mem_strdup(path);
	l->fd = fd;
	l->lock = lock;
	l->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
	listen_watch(l);
	return l;
}

void
listen_free(struct listen *l)
{
	if (l == NULL)
		return;
	listen_close(l);
	if (l->spare >= 0)
		close(l->spare);
	mem_free(l->path);
	mem_free(l);
}

/*
 * Frees a descriptor for accept, by shedding a connection or by refusing the
 * caller. Returns false if neither is possible now.
 */
static bool
listen_make_room(struct listen *l)
{
	int cl;

	if (conn_shed(l->conns))
		return true;
	if (l->spare < 0)
		return false;
	close(l->spare);
	if (sock_accept(l->fd, &cl) == 0)
		conn_refuse(cl, "rmux: the server has no descriptors left "
				"(raise ulimit -n)");
	l->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
	return l->spare >= 0;
}

void
listen_accept(struct listen *l)
{
	int cl, n;

	for (n = 0; l->fd >= 0 && n < LISTEN_BATCH; n++) {
		if (sock_accept(l->fd, &cl) == 0)
			conn_new(l->conns, cl);
		else if (errno != EMFILE && errno != ENFILE)
			break;
		else if (!listen_make_room(l)) {
			loop_io_set(l->io, 0);
			l->paused = true;
			run_drain(l->conns->run);
			break;
		}
	}
}

static void
listen_readable(void *arg, UNUSED int fd, UNUSED unsigned events)
{
	listen_accept(arg);
}

void
listen_reopen(struct listen *l)
{
	struct log *log = &l->conns->run->log;
	struct cause c = { NULL };

	loop_io_del(l->io);
	l->io = NULL;
	close(l->fd);
	close(l->lock);
	if (sock_listen(l->path, &l->fd, &l->lock, &c) != 0) {
		log_write(log, LOG_ERROR, LOG_SERVER, "%s", cause_text(&c));
		l->fd = l->lock = -1;
	} else
		listen_watch(l);
	cause_fini(&c);
}

void
listen_close(struct listen *l)
{
	loop_io_del(l->io);
	l->io = NULL;
	if (l->fd < 0)
		return;
	(void)unlink(l->path);
	close(l->fd);
	close(l->lock);
	l->fd = l->lock = -1;
}

bool
listen_paused(const struct listen *l)
{
	return l->paused;
}

void
listen_resume(struct listen *l)
{
	l->paused = false;
	if (l->io != NULL)
		loop_io_set(l->io, LOOP_READ);
}
