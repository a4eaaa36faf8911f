#include "ssp/io/tube.h"

#include <sys/socket.h>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io/stream.h"
#include "base/mem.h"

#define TUBE_READ 65536  /* bytes of one read */
#define TUBE_TURN 262144 /* bytes of one turn: others wait, too */
/* A write of so many bytes does not wait if the descriptor is ready. */
#define TUBE_PIECE 4096

struct tube {
	struct loop *loop;
	struct ssp_streams *ss;
	uint64_t id;
	struct tube_fds fds;
	struct loop_io *in;  /* NULL: a file, or none */
	struct loop_io *out; /* NULL: the same as IN, a file, or none */
	const struct tube_ops *ops;
	void *arg;
	uint64_t nin, nout; /* bytes from the stream, and into it */
	bool in_waits;      /* reads of IN may block: one for each event */
	bool out_waits;     /* writes to OUT may */
	bool finishing;     /* IN ends when it is empty */
	bool read_ended;    /* IN has no more bytes */
	bool write_ended;   /* OUT takes no more */
	bool blocked;       /* OUT is full */
	bool full;          /* the stream is: IN has more, most likely */
	bool due;           /* tube_due waits for the end of the loop's turn */
};

static void tube_again(void *arg);

uint64_t
tube_id(const struct tube *t)
{
	return t->id;
}

void
tube_bytes(const struct tube *t, uint64_t *in, uint64_t *out)
{
	*in = t->nin;
	*out = t->nout;
}

bool
tube_written(const struct tube *t)
{
	return t->write_ended;
}

static bool
tube_one(const struct tube *t)
{
	return t->fds.in == t->fds.out;
}

/* Closes OUT, or its direction. */
static void
tube_close_out(struct tube *t)
{
	if (tube_one(t)) {
		(void)shutdown(t->fds.out, SHUT_WR);
		return;
	}
	loop_io_del(t->out);
	t->out = NULL;
	if (t->fds.out >= 0)
		(void)close(t->fds.out);
	t->fds.out = -1;
}

static void
tube_close(struct tube *t)
{
	if (!tube_one(t))
		tube_close_out(t);
	loop_defer_cancel(t->loop, t);
	loop_io_del(t->in);
	if (t->fds.in >= 0)
		(void)close(t->fds.in);
	mem_free(t);
}

static void
tube_end(struct tube *t)
{
	t->ops->ended(t->arg, t);
	tube_free(t);
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
	/* A full stream tells when it has room: then IN is read at once. */
	const bool read = !t->read_ended && !t->full;
	const unsigned r = read ? LOOP_READ : 0,
		       w = t->blocked ? LOOP_WRITE : 0;

	if (tube_one(t) && t->in != NULL) {
		loop_io_set(t->in, r | w);
		return;
	}
	if (t->in != NULL)
		loop_io_set(t->in, r);
	else if (read)
		loop_defer(t->loop, tube_again, t);
	if (t->out != NULL)
		loop_io_set(t->out, w);
}

/* Writes a piece to OUT. */
static int
tube_put(const struct tube *t, const uint8_t *p, size_t n, size_t *put)
{
	struct pollfd ready = { .fd = t->fds.out, .events = POLLOUT };

	if (!t->out_waits)
		return stream_write(t->fds.out, p, n, put);
	*put = 0;
	if (poll(&ready, 1, 0) <= 0)
		return -ERR_AGAIN;
	return stream_write(t->fds.out, p, MIN_OF(n, (size_t)TUBE_PIECE), put);
}

/* Bytes of the stream to OUT; false: it broke. */
static bool
tube_write(struct tube *t)
{
	const mono_ms now = loop_now(t->loop);
	const uint8_t *p;
	size_t n, put;
	int e;

	t->blocked = false;
	while ((p = ssp_streams_peek(t->ss, t->id, &n)) != NULL) {
		e = 0;
		put = n;
		if (!t->write_ended && t->fds.out >= 0)
			e = tube_put(t, p, n, &put);
		if (e == -ERR_AGAIN) {
			t->blocked = true;
			return true;
		}
		if (e != 0 && (!t->fds.half || tube_one(t)))
			return false;
		if (e != 0) {
			tube_close_out(t);
			continue;
		}
		t->nin += put;
		ssp_streams_taken(t->ss, now, t->id, put);
	}
	if (!t->write_ended &&
	    ssp_streams_state(t->ss, t->id) == SSP_STREAM_ENDED) {
		t->write_ended = true;
		tube_close_out(t);
	}
	return true;
}

static void
tube_read_end(struct tube *t)
{
	t->read_ended = true;
	ssp_streams_end(t->ss, t->id);
}

/* Bytes of IN to the stream; false: it broke. */
static bool
tube_read(struct tube *t)
{
	static uint8_t b[TUBE_READ + 1];
	/* The filter may need room for a byte of its own. */
	const size_t keep = t->ops->filter != NULL ? 1 : 0;
	size_t n, got, turn = 0;
	int e;

	t->full = false;
	while (!t->read_ended && turn < TUBE_TURN) {
		n = ssp_streams_room(t->ss, t->id);
		t->full = !ssp_streams_worth(t->ss, t->id);
		if (t->full || n <= keep)
			return true;
		n = MIN_OF(n - keep, (size_t)TUBE_READ);
		e = stream_read(t->fds.in, b, n, &got);
		if (e == -ERR_CLOSED || (e == -ERR_AGAIN && t->finishing)) {
			tube_read_end(t);
			return true;
		}
		if (e == -ERR_AGAIN)
			return true;
		if (e != 0)
			return false;
		turn += got;
		if (t->ops->filter != NULL)
			got = t->ops->filter(t->arg, b, got);
		(void)ssp_streams_put(t->ss, t->id, b, got);
		t->nout += got;
		if (t->in_waits)
			return true;
	}
	return true;
}

static void
tube_turn(struct tube *t, unsigned events)
{
	const struct tube_ops *ops = t->ops;
	void *arg = t->arg;
	bool ok;

	if (ssp_streams_state(t->ss, t->id) == SSP_STREAM_RESET) {
		/* As a connection that breaks, not as one that ends. */
		if (tube_one(t))
			(void)setsockopt(t->fds.in, SOL_SOCKET, SO_LINGER,
			    &(struct linger){ .l_onoff = 1 },
			    sizeof(struct linger));
		tube_end(t);
		return;
	}
	ok = ((events & LOOP_WRITE) == 0 || tube_write(t)) &&
	     ((events & LOOP_READ) == 0 || tube_read(t));
	if (!ok)
		ssp_streams_reset(
		    t->ss, t->id, SSP_REASON_BROKEN, "the connection broke");
	if (!ok || (t->read_ended && t->write_ended))
		tube_end(t);
	else
		tube_watch(t);
	ops->changed(arg);
}

static void
tube_io(void *arg, UNUSED int fd, unsigned events)
{
	tube_turn(arg, events);
}

/* IN is a file, which is always ready. */
static void
tube_again(void *arg)
{
	tube_turn(arg, LOOP_READ);
}

static void
tube_due(void *arg)
{
	struct tube *t = arg;
	unsigned events = t->blocked ? 0 : LOOP_WRITE;

	t->due = false;
	if (t->finishing)
		events |= LOOP_READ;
	if (t->full && ssp_streams_worth(t->ss, t->id)) {
		t->full = false;
		/* Only the loop knows whether such a read waits. */
		if (!t->in_waits)
			events |= LOOP_READ;
	}
	tube_turn(t, events);
}

void
tube_news(struct tube *t)
{
	if (!t->due)
		loop_defer_new(t->loop, tube_due, t);
	t->due = true;
}

void
tube_finish(struct tube *t)
{
	t->finishing = true;
	tube_turn(t, LOOP_READ);
}

static bool
fd_waits(int fd)
{
	return fd >= 0 && (fcntl(fd, F_GETFL) & O_NONBLOCK) == 0;
}

struct tube *
tube_new(struct loop *loop, struct ssp_streams *ss, uint64_t id,
    const struct tube_fds *fds, const struct tube_ops *ops, void *arg)
{
	struct tube *t = mem_zalloc(sizeof(*t));

	t->loop = loop;
	t->ss = ss;
	t->id = id;
	t->fds = *fds;
	t->ops = ops;
	t->arg = arg;
	t->in_waits = fd_waits(fds->in);
	if (fds->in < 0)
		tube_read_end(t);
	else if (!stream_is_file(fds->in))
		t->in = loop_io_add(loop, fds->in, LOOP_READ, tube_io, t);
	if (fds->out >= 0 && !tube_one(t) && !stream_is_file(fds->out)) {
		t->out_waits = fd_waits(fds->out);
		t->out = loop_io_add(loop, fds->out, 0, tube_io, t);
	}
	return t;
}
