/*
 * Connects standard input and output to the stream of a client in control mode.
 * It carries the messages that the control socket carries on one machine.
 */
#include "base/mem.h"
#include "client/lines.h"
#include "client/roam_int.h"
#include "mux/sync/control.h"
#include "ssp/idle.h"

/* After the end of standard input: silence that ends the client, and a look. */
#define LINES_ENDED_MS 60000
#define LINES_LOOK_MS 5000

#define LINES_INPUT_MAX ((size_t)256 << 10) /* on its way to the server */

bool
roam_has_lines(const struct roam *r)
{
	return (r->cfg->ssh.flags & CONTROL_FLAG_CONTROL) != 0;
}

/* --- standard streams ------------------------------------------------------- */

/* A program that has gone must not leave a client behind a dead link. */
static void
lines_ended(void *arg)
{
	struct roam *r = arg;
	const mono_ms now = loop_now(r->loop);
	struct ssp_conn_stats st;

	ssp_conn_stats(r->conn, &st);
	if (now - MAX_OF(st.heard_at, r->born) >=
	    LINES_ENDED_MS + ssp_transport_idle(r->bind.tp) - SSP_IDLE_FIRST)
		roam_leave(r, 1, "the server does not answer");
	else
		loop_timer_set(r->lines->ended, mono_add(now, LINES_LOOK_MS));
}

static void
lines_input(void *arg, const void *p, size_t n)
{
	struct roam *r = arg;

	if (n == 0)
		loop_timer_set(r->lines->ended,
		    mono_add(loop_now(r->loop), LINES_LOOK_MS));
	(void)control_put_data(&r->lines->out, CONTROL_INPUT, 0, p, n);
	if (r->lines->out.len >= LINES_INPUT_MAX)
		lines_hold(r->lines->io, true);
	r->upcalls->pump(r);
}

static void
lines_full(void *arg, bool full)
{
	struct roam *r = arg;

	/* Unless it is being made. */
	if (r->lines == NULL)
		return;
	r->lines->full = full;
	/* Deferred: the pump may be up the stack. */
	if (!full)
		loop_defer(r->loop, roam_changed, r);
}

static void
lines_closed(void *arg)
{
	roam_leave(arg, 1, NULL);
}

int
roam_lines(struct roam *r, struct cause *c)
{
	static const struct line_io_ops ops = { lines_input, lines_full,
		lines_closed };
	struct line_io *io = lines_new(r->loop,
	    (r->cfg->ssh.flags & CONTROL_FLAG_CONTROL2) != 0, &ops, r, c);

	if (io == NULL)
		return -ERR_SYS;
	r->lines = mem_zalloc(sizeof(*r->lines));
	r->lines->io = io;
	r->lines->ended = loop_timer_new(r->loop, lines_ended, r);
	buf_init(&r->lines->in, CONTROL_MESSAGE_MAX + 131072);
	buf_init(&r->lines->out, LINES_INPUT_MAX + 131072);
	return 0;
}

void
roam_lines_free(struct roam *r)
{
	struct roam_lines *l = r->lines;

	if (l == NULL)
		return;
	r->lines = NULL;
	loop_timer_free(l->ended);
	loop_defer_cancel(r->loop, r);
	lines_free(l->io, r->exit_text);
	mem_free(r->exit_text);
	r->exit_text = NULL;
	buf_fini(&l->in);
	buf_fini(&l->out);
	mem_free(l);
}

/* --- messages ----------------------------------------------------------------- */

/*
 * security: as for a terminal, the server of another machine runs no command
 * here (EXEC).
 */
static void
lines_message(struct roam *r, const struct control_msg *m)
{
	char *text =
	    m->has & CONTROL_HAS_TEXT ? control_plain_new(m->text) : NULL;

	switch (m->type) {
	case CONTROL_MODE:
		lines_set_wait(
		    r->lines->io, (m->code & CONTROL_MODE_WAIT_EXIT) != 0);
		lines_read(r->lines->io);
		break;
	case CONTROL_OUT:
		lines_write(r->lines->io, m->data, m->data_len);
		break;
	case CONTROL_EXIT:
		roam_leave(r, (int)m->code, text);
		break;
	case CONTROL_EXEC:
		roam_leave(r, 0,
		    "detached; the server asked to run a command here: "
		    "refused");
		break;
	default:
		break;
	}
	mem_free(text);
}

static void
lines_take(struct roam *r)
{
	struct roam_lines *l = r->lines;
	struct control_msg m;
	const uint8_t *p;
	size_t n = 0, used;
	int e = -ERR_AGAIN;

	do {
		while (!l->full && !r->leaving &&
		       (e = control_decode(l->in.data, l->in.len, &m, &used)) ==
			   0) {
			lines_message(r, &m);
			buf_consume(&l->in, used);
		}
		if (e != 0 && e != -ERR_AGAIN) {
			roam_leave(r, 1, "the server's answer is malformed");
			return;
		}
		p = l->full || r->leaving
			? NULL
			: ssp_streams_peek(ssp_transport_streams(r->bind.tp),
			      SSP_STREAM_CONTROL, &n);
		if (p == NULL)
			return;
		(void)buf_add(&l->in, p, n);
		ssp_streams_taken(ssp_transport_streams(r->bind.tp),
		    loop_now(r->loop), SSP_STREAM_CONTROL, n);
	} while (!l->in.overflow);
	roam_leave(r, 1, "the server's answer is malformed");
}

void
roam_lines_turn(struct roam *r)
{
	struct roam_lines *l = r->lines;

	/* A message may read input, which pumps. */
	if (l == NULL || l->busy || r->leaving || r->bind.tp == NULL)
		return;
	l->busy = true;
	lines_take(r);
	l->busy = false;
	buf_consume(&l->out, ssp_streams_put(ssp_transport_streams(r->bind.tp),
				 SSP_STREAM_CONTROL, l->out.data, l->out.len));
	if (l->out.len < LINES_INPUT_MAX)
		lines_hold(l->io, false);
}

void
roam_lines_gone(struct roam *r)
{
	roam_leave(r, 1, "the server does not know this client any more");
}

void
roam_lines_leave(struct roam *r)
{
	if (r->lines != NULL)
		ssp_transport_streams_allow(r->bind.tp, SSP_STREAMS_NONE);
}
