/*
 * A roaming client in control mode: the messages of the control socket (INPUT
 * from the client; MODE, OUT, EXEC and EXIT to it) go by a stream of its
 * connection, whose objects stay empty.
 */
#include <string.h>

#include "base/mem.h"
#include "mux/client.h"
#include "mux/sync/control.h"
#include "server/face/controller.h"
#include "server/face/controller_link.h"
#include "server/io/conn.h"
#include "server/io/remote.h"
#include "server/run/run.h"

#define FAR_PIECE ((size_t)65536)      /* of the output, in a message */
#define FAR_IN_MAX ((size_t)256 << 10) /* a message of the client, and more */
#define FAR_END_MS 15000 /* without an ack, until the last lines are dropped */

struct far {
	struct controller *ct;
	struct link *link; /* NULL: the first command has not run */
	struct loop_timer *timer;
	struct buf in;  /* a message that has not come whole */
	struct buf out; /* messages that the stream does not take yet */
	bool held;      /* the controller takes no input */
	bool ended;
	mono_ms give_up; /* after the end */
	size_t left;     /* bytes that had not arrived then */
};

static void far_pump(void *arg);

static struct loop *
far_loop(const struct far *f)
{
	return f->ct->all->run->loop;
}

static size_t
far_waiting(const struct far *f)
{
	if (f->link == NULL)
		return f->out.len;
	return f->out.len + ssp_streams_kept(ssp_transport_streams(f->link->tp),
				SSP_STREAM_CONTROL);
}

/* --- the link ------------------------------------------------------------------ */

static size_t
far_room(void *arg)
{
	const struct far *f = arg;

	return controller_ahead(f->ct, far_waiting(f));
}

static void
far_put(struct far *f, enum control_code type, int64_t code, const char *text)
{
	(void)control_put_code(&f->out, type, code, text);
	loop_defer(far_loop(f), far_pump, f);
}

static void
far_write(void *arg, const void *p, size_t n)
{
	struct far *f = arg;
	const uint8_t *b = p;
	size_t k;

	if (f->ct->client != NULL)
		f->ct->client->written += n;
	for (; n > 0; b += k, n -= k) {
		k = MIN_OF(n, FAR_PIECE);
		(void)control_put_data(&f->out, CONTROL_OUT, 0, b, k);
	}
	loop_defer(far_loop(f), far_pump, f);
}

static void
far_wait_exit(void *arg, bool on)
{
	far_put(arg, CONTROL_MODE, on ? CONTROL_MODE_WAIT_EXIT : 0, NULL);
}

static void
far_hold(void *arg, bool hold)
{
	struct far *f = arg;

	if (f->held == hold)
		return;
	f->held = hold;
	/* Then the client gets no more credit. */
	if (!hold)
		loop_defer(far_loop(f), far_pump, f);
}

static void
far_end(void *arg, int code, const char *reason)
{
	struct far *f = arg;

	far_put(f, CONTROL_EXIT, code, reason);
	f->ended = true;
	f->left = SIZE_MAX;
}

static void
far_exec(void *arg, const char *command)
{
	far_put(arg, CONTROL_EXEC, 0, command);
}

static void
far_free(void *arg)
{
	struct far *f = arg;

	loop_defer_cancel(far_loop(f), f);
	loop_timer_free(f->timer);
	if (f->link != NULL)
		f->link->ops->close(f->link);
	buf_fini(&f->in);
	buf_fini(&f->out);
	mem_free(f);
}

static const struct controller_link far_link = {
	.room = far_room,
	.write = far_write,
	.wait_exit = far_wait_exit,
	.hold = far_hold,
	.end = far_end,
	.exec = far_exec,
	.free = far_free,
	.far = true,
};

struct remote *
controller_remote(const struct controller *ct)
{
	const struct far *f = ct->link_arg;

	return ct->link != &far_link || f->link == NULL
		   ? NULL
		   : remote_of_link(f->link);
}

/* --- calls of the connection ---------------------------------------------------- */

/* Handles the messages that have come whole. */
static void
far_messages(struct far *f)
{
	struct control_msg m;
	size_t used;
	int r = -ERR_AGAIN;

	while (!f->held && !f->ct->ending &&
	       (r = control_decode(f->in.data, f->in.len, &m, &used)) == 0) {
		if (m.type == CONTROL_INPUT)
			controller_input(f->ct, m.data, m.data_len);
		buf_consume(&f->in, used);
	}
	if (r != 0 && r != -ERR_AGAIN)
		controller_leave(f->ct, 1, "malformed input");
}

/* Takes the bytes of the client, unless the controller has enough. */
static void
far_take(struct far *f)
{
	struct ssp_transport *tp = f->link->tp;
	const uint8_t *p;
	size_t n;

	far_messages(f);
	while (!f->held && !f->ct->ending &&
	       (p = ssp_streams_peek(ssp_transport_streams(tp),
		    SSP_STREAM_CONTROL, &n)) != NULL) {
		if (buf_add(&f->in, p, n) != 0) {
			controller_leave(f->ct, 1, "too much input");
			return;
		}
		ssp_streams_taken(ssp_transport_streams(tp),
		    loop_now(far_loop(f)), SSP_STREAM_CONTROL, n);
		far_messages(f);
	}
}

static bool
far_input(void *arg)
{
	far_take(arg);
	return false;
}

static void
far_refused(UNUSED void *arg)
{
}

static void
far_wake(void *arg)
{
	struct far *f = arg;

	loop_defer(far_loop(f), far_pump, f);
}

static void
far_lost(void *arg)
{
	struct far *f = arg;

	controller_lost(f->ct);
}

static void
far_side(UNUSED void *arg, UNUSED const uint8_t *p, UNUSED size_t n)
{
}

static const struct link_user far_user = {
	.input = far_input,
	.refused = far_refused,
	.wake = far_wake,
	.lost = far_lost,
	.side = far_side,
};

/*
 * After the end: the client closes the connection when it has the last message.
 * Returns when to stop waiting for that.
 */
static mono_ms
far_farewell(struct far *f, mono_ms now)
{
	const size_t left = far_waiting(f);

	if (!f->ended)
		return MONO_NEVER;
	/* A machine that sleeps hears why it ends when it wakes up. */
	if (f->ct->behind && f->link != NULL && !f->link->ops->ready(f->link)) {
		f->left = SIZE_MAX;
		return MONO_NEVER;
	}
	if (left < f->left)
		f->give_up = mono_add(now, FAR_END_MS);
	f->left = left;
	return f->give_up;
}

/*
 * Opens the connection and tells its key to the process that asked; false if
 * that fails. The first commands may have set the range of ports.
 */
static bool
far_open(struct far *f, struct conn *cn)
{
	struct controllers *cs = f->ct->all;
	struct cause c = { NULL };

	f->link = remote_open(cs->remotes, conn_id(cn), &far_user, f, &c);
	if (f->link == NULL) {
		conn_err(cn, cause_text(&c), strlen(cause_text(&c)));
		conn_err(cn, "\n", 1);
		conn_exit(cn, 1, NULL);
		cause_fini(&c);
		return false;
	}
	(void)ssp_streams_fixed(
	    ssp_transport_streams(f->link->tp), SSP_STREAM_CONTROL);
	conn_set_remote(cn, remote_of_link(f->link));
	return true;
}

static void
far_pump(void *arg)
{
	struct far *f = arg;
	mono_ms now = loop_now(far_loop(f)), end;
	struct conn *cn = conn_find(f->ct->all->conns, f->ct->conn_id);
	struct ssp_transport *tp;

	/* The connection is being freed, and the controller with it. */
	if (cn == NULL)
		return;
	if (f->link == NULL && !far_open(f, cn)) {
		controller_lost(f->ct);
		return;
	}
	tp = f->link->tp;
	far_take(f);
	buf_consume(&f->out, ssp_streams_put(ssp_transport_streams(tp),
				 SSP_STREAM_CONTROL, f->out.data, f->out.len));
	end = far_farewell(f, now);
	if (f->out.overflow || now >= end) {
		controller_lost(f->ct);
		return;
	}
	loop_timer_set(
	    f->timer, mono_min(end, f->link->ops->pump(f->link, now)));
	controller_room(f->ct);
}

struct controller *
controller_far_new(struct controllers *cs, struct conn *cn)
{
	struct far *f = mem_zalloc(sizeof(*f));

	buf_init(&f->in, FAR_IN_MAX);
	buf_init(&f->out, CONN_OUT_MAX);
	f->ct = controller_make(cs, cn, &far_link, f);
	f->timer = loop_timer_new(cs->run->loop, far_pump, f);
	(void)control_put_code(&f->out, CONTROL_MODE, 0, NULL);
	return f->ct;
}
