/* The path through ssh: its pipes carry datagrams of the connection. */
#include <string.h>

#include "base/io/stream.h"
#include "base/io/sys.h"
#include "client/roam_int.h"
#include "ssp/io/stream_fd.h"

static struct ssp_addr
tunnel_end(void)
{
	return ssp_addr_make(SSP_ADDR_STREAM, "ssh", 3, 0);
}

static struct ssp_path_addr
tunnel_addr(void)
{
	struct ssp_path_addr a = { tunnel_end(), tunnel_end() };

	return a;
}

void
roam_tunnel_close(struct roam *r)
{
	struct ssp_path_addr a = tunnel_addr();

	if (r->boot.in < 0 && r->boot.out < 0)
		return;
	loop_io_del(r->io_in);
	loop_io_del(r->io_out);
	loop_io_del(r->io_err);
	r->io_in = r->io_out = r->io_err = NULL;
	bootstrap_close(&r->boot);
	if (r->tunnel_used)
		ssp_conn_path_remove(r->conn, loop_now(r->loop), &a);
	r->tunnel_used = false;
}

void
roam_tunnel_flush(struct roam *r)
{
	int e;

	if (r->boot.in < 0)
		return;
	e = stream_fd_write(&r->tunnel, r->boot.in);
	loop_io_set(r->io_in, e == -ERR_AGAIN ? LOOP_WRITE : 0);
}

static void
tunnel_writable(void *arg, UNUSED int fd, UNUSED unsigned events)
{
	roam_tunnel_flush(arg);
}

static void
tunnel_records(struct roam *r)
{
	struct ssp_path_addr from = tunnel_addr();
	uint8_t *p;
	size_t n;
	int e;

	while ((e = ssp_stream_link_next(&r->tunnel, &p, &n)) == 1) {
		(void)ssp_conn_input(
		    r->conn, loop_now(r->loop), &from, 0, p, n);
		roam_side(r);
	}
	if (e < 0)
		roam_tunnel_close(r);
	roam_received(r);
}

static void
tunnel_readable(void *arg, int fd, UNUSED unsigned events)
{
	struct roam *r = arg;
	int e;

	if ((e = stream_fd_read(&r->tunnel, fd)) == -ERR_AGAIN)
		return;
	if (e != 0) {
		/* ssh has ended; UDP may still answer. */
		roam_tunnel_close(r);
		r->upcalls->pump(r);
		r->upcalls->tunnel_lost(r);
		return;
	}
	tunnel_records(r);
}

/* Discards ssh's standard error, which would spoil the screen. */
static void
tunnel_error(void *arg, int fd, UNUSED unsigned events)
{
	struct roam *r = arg;
	uint8_t bytes[4096];
	size_t got;
	int e = stream_read(fd, bytes, sizeof(bytes), &got);

	if (e != 0 && e != -ERR_AGAIN)
		loop_io_set(r->io_err, 0);
}

/* Why a guest has heard nothing. */
static const char *
no_answer(const struct roam *r)
{
	int i;

	for (i = 0; i < ROAM_SOCKETS; i++)
		if (r->sockets[i].udp != NULL)
			return "no answer: the invitation has ended, was used "
			       "or revoked, or UDP does not get through";
	return "the host that the ticket names is unknown here, or no network "
	       "leads there";
}

void
roam_tunnel_use(void *arg)
{
	struct roam *r = arg;
	struct ssp_path_addr a = tunnel_addr();
	struct ssp_conn_stats st;

	if (r->cfg->ticket != NULL) {
		ssp_conn_stats(r->conn, &st);
		if (st.heard_at != 0)
			return;
		roam_leave(r, 1, no_answer(r));
		roam_end(r, 1);
		return;
	}
	if (r->udp_up || r->boot.in < 0 || r->tunnel_used)
		return;
	if (ssp_conn_path_add(r->conn, loop_now(r->loop), &a) == 0)
		r->tunnel_used = true;
	if (r->tunnel_used && r->attach != NULL) {
		attach_say(r->attach, ROAM_SAY_MS,
		    "UDP does not answer: going through ssh until it does");
		r->tunnel_told = true;
	}
	r->upcalls->pump(r);
}

void
roam_tunnel_start(struct roam *r)
{
	struct bootstrap *b = &r->boot;
	uint8_t *p;
	size_t n, at = 0;

	if (b->in < 0)
		return;
	/* Drop what an earlier ssh left. */
	ssp_stream_link_fini(&r->tunnel);
	ssp_stream_link_init(&r->tunnel);
	(void)sys_set_nonblock(b->in);
	(void)sys_set_nonblock(b->out);
	r->io_in = loop_io_add(r->loop, b->in, 0, tunnel_writable, r);
	r->io_out = loop_io_add(r->loop, b->out, LOOP_READ, tunnel_readable, r);
	if (b->err >= 0) {
		(void)sys_set_nonblock(b->err);
		r->io_err =
		    loop_io_add(r->loop, b->err, LOOP_READ, tunnel_error, r);
	}
	while (at < b->rest.len) {
		n = ssp_stream_link_room(&r->tunnel, &p);
		n = MIN_OF(n, b->rest.len - at);
		if (n == 0)
			break;
		memcpy(p, b->rest.data + at, n);
		ssp_stream_link_commit(&r->tunnel, n);
		at += n;
	}
}
