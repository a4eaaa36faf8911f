#include "ssp/io/tube.h"

#include <sys/socket.h>

#include <unistd.h>

#include "base/err.h"
#include "base/io/stream.h"
#include "base/mem.h"

#define TUBE_READ 65536  /* bytes of one read */
#define TUBE_TURN 262144 /* bytes of one turn: others wait, too */

struct tube {
	struct loop *loop;
	struct ssp_streams *ss;
	uint64_t id;
	int fd;
	struct loop_io *io;
	const struct tube_ops *ops;
	void *arg;
	bool read_ended;  /* the socket has no more bytes */
	bool write_ended; /* the socket takes no more */
	bool blocked;     /* the socket is full */
};

uint64_t
tube_id(const struct tube *t)
{
	return t->id;
}

static void
tube_close(struct tube *t)
{
	loop_io_del(t->io);
	(void)close(t->fd);
	mem_free(t);
}

static void
tube_end(struct tube *t)
{
	t->ops->ended(t->arg, t);
	tube_close(t);
}

void
tube_free(struct tube *t)
{
	ssp_streams_release(t->ss, t->id);
	tube_close(t);
}

/* Watches what can make progress. */
static void
tube_watch(struct tube *t)
{
	unsigned events = 0;

	if (!t->read_ended && ssp_streams_room(t->ss, t->id) > 0)
		events |= LOOP_READ;
	if (t->blocked)
		events |= LOOP_WRITE;
	loop_io_set(t->io, events);
}

/* Bytes of the stream to the socket; false: it broke. */
static bool
tube_write(struct tube *t)
{
	const mono_ms now = loop_now(t->loop);
	const uint8_t *p;
	size_t n, put;
	int e;

	t->blocked = false;
	while (!t->write_ended &&
	       (p = ssp_streams_peek(t->ss, t->id, &n)) != NULL) {
		e = stream_write(t->fd, p, n, &put);
		if (e == -ERR_AGAIN) {
			t->blocked = true;
			return true;
		}
		if (e != 0)
			return false;
		ssp_streams_taken(t->ss, now, t->id, put);
	}
	if (!t->write_ended &&
	    ssp_streams_state(t->ss, t->id) == SSP_STREAM_ENDED) {
		t->write_ended = true;
		(void)shutdown(t->fd, SHUT_WR);
	}
	return true;
}

/* Bytes of the socket to the stream; false: it broke. */
static bool
tube_read(struct tube *t)
{
	static uint8_t b[TUBE_READ];
	size_t n, got, turn = 0;
	int e;

	while (!t->read_ended && turn < TUBE_TURN &&
	       (n = ssp_streams_room(t->ss, t->id)) > 0) {
		e = stream_read(t->fd, b, MIN_OF(n, sizeof(b)), &got);
		if (e == -ERR_AGAIN)
			return true;
		if (e == -ERR_CLOSED) {
			t->read_ended = true;
			ssp_streams_end(t->ss, t->id);
			return true;
		}
		if (e != 0)
			return false;
		turn += got;
		(void)ssp_streams_put(t->ss, t->id, b, got);
	}
	return true;
}

static void
tube_turn(struct tube *t, bool read)
{
	const struct tube_ops *ops = t->ops;
	void *arg = t->arg;
	bool ok;

	if (ssp_streams_state(t->ss, t->id) == SSP_STREAM_RESET) {
		/* As a connection that breaks, not as one that ends. */
		(void)setsockopt(t->fd, SOL_SOCKET, SO_LINGER,
		    &(struct linger){ .l_onoff = 1 }, sizeof(struct linger));
		ssp_streams_release(t->ss, t->id);
		tube_end(t);
		return;
	}
	ok = tube_write(t) && (!read || tube_read(t));
	if (!ok)
		ssp_streams_reset(
		    t->ss, t->id, SSP_REASON_BROKEN, "the connection broke");
	else if (t->read_ended && t->write_ended)
		ssp_streams_release(t->ss, t->id);
	if (!ok || (t->read_ended && t->write_ended))
		tube_end(t);
	else
		tube_watch(t);
	ops->changed(arg);
}

static void
tube_io(void *arg, UNUSED int fd, unsigned events)
{
	tube_turn(arg, (events & LOOP_READ) != 0);
}

void
tube_news(struct tube *t)
{
	tube_turn(t, false);
}

struct tube *
tube_new(struct loop *loop, struct ssp_streams *ss, uint64_t id, int fd,
    const struct tube_ops *ops, void *arg)
{
	struct tube *t = mem_zalloc(sizeof(*t));

	t->loop = loop;
	t->ss = ss;
	t->id = id;
	t->fd = fd;
	t->ops = ops;
	t->arg = arg;
	t->io = loop_io_add(loop, fd, LOOP_READ, tube_io, t);
	return t;
}
