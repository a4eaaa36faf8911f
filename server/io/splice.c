#include "server/io/splice.h"

#include <sys/socket.h>

#include <unistd.h>

#include "base/buf.h"
#include "base/io/loop.h"
#include "base/io/stream.h"
#include "base/mem.h"

/* One socket, and the bytes that wait to be written to it. */
struct splice_end {
	int fd;
	struct loop_io *io;
	struct buf out;
	bool read_ended;
	bool write_ended;
};

struct splice {
	struct list_node node;
	struct list *list;
	struct splice_end ends[2];
};

static void
splice_free(struct splice *s)
{
	size_t i;

	list_remove(s->list, &s->node);
	for (i = 0; i < 2; i++) {
		loop_io_del(s->ends[i].io);
		(void)close(s->ends[i].fd);
		buf_fini(&s->ends[i].out);
	}
	mem_free(s);
}

/* Reads FROM for TO; false: it broke. */
static bool
splice_read(struct splice_end *from, struct splice_end *to)
{
	uint8_t *p;
	size_t got;
	int e;

	if (from->read_ended || to->out.len >= SPLICE_MAX ||
	    buf_reserve(&to->out, SPLICE_MAX - to->out.len, &p) != 0)
		return true;
	e = stream_read(from->fd, p, SPLICE_MAX - to->out.len, &got);
	if (e == -ERR_CLOSED)
		from->read_ended = true;
	else if (e == 0)
		buf_commit(&to->out, got);
	return e == 0 || e == -ERR_CLOSED || e == -ERR_AGAIN;
}

/* Writes what waits for E, and the end of FROM; false: it broke. */
static bool
splice_write(struct splice_end *e, const struct splice_end *from)
{
	size_t put;
	int r = 0;

	while (e->out.len > 0 && r == 0) {
		r = stream_write(e->fd, e->out.data, e->out.len, &put);
		if (r == 0)
			buf_consume(&e->out, put);
	}
	if (r != 0 && r != -ERR_AGAIN)
		return false;
	if (e->out.len == 0 && from->read_ended && !e->write_ended) {
		e->write_ended = true;
		(void)shutdown(e->fd, SHUT_WR);
	}
	return true;
}

static void
splice_arm(struct splice_end *e, const struct splice_end *other)
{
	const bool read = !e->read_ended && other->out.len < SPLICE_MAX;

	loop_io_set(e->io, (read ? (unsigned)LOOP_READ : 0) |
			       (e->out.len > 0 ? (unsigned)LOOP_WRITE : 0));
}

static void
splice_io(void *arg, UNUSED int fd, UNUSED unsigned events)
{
	struct splice *s = arg;
	struct splice_end *a = &s->ends[0], *b = &s->ends[1];

	if (!splice_read(a, b) || !splice_read(b, a) || !splice_write(a, b) ||
	    !splice_write(b, a) || (a->write_ended && b->write_ended)) {
		splice_free(s);
		return;
	}
	splice_arm(a, b);
	splice_arm(b, a);
}

void
splice_new(struct loop *loop, struct list *list, int a, int b)
{
	struct splice *s = mem_zalloc(sizeof(*s));
	size_t i;

	s->list = list;
	s->ends[0].fd = a;
	s->ends[1].fd = b;
	for (i = 0; i < 2; i++) {
		buf_init(&s->ends[i].out, SPLICE_MAX);
		s->ends[i].io =
		    loop_io_add(loop, s->ends[i].fd, LOOP_READ, splice_io, s);
	}
	list_push_back(list, &s->node);
}

void
splices_free(struct list *list)
{
	while (!list_empty(list))
		splice_free(
		    container_of(list_first(list), struct splice, node));
}
