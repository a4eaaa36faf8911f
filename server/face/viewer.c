#include "server/face/viewer.h"

#include <string.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/sync/frame.h"
#include "mux/sync/input.h"
#include "mux/window.h"
#include "server/face/hold.h"
#include "server/io/conn.h"
#include "server/io/link_local.h"
#include "server/io/mirror.h"
#include "server/io/pane_io.h"
#include "server/io/remote.h"
#include "server/run/cmdq.h"
#include "server/run/run.h"
#include "server/run/trim.h"

/*
 * A program may turn echo off a little after it has asked: looked at so often,
 * so far apart, after the last view.
 */
#define VIEWER_MODES_MS 25
#define VIEWER_MODES_LOOKS 4

/*
 * Least time between two views of one client: an isolated change is shown at
 * once, a flood at this pace.
 */
#define VIEWER_FRAME_MS 8
#define VIEWER_TOKENS 6

#define VIEWER_LIMITS_MS 4000 /* how long it says what it cannot show */

/*
 * With many clients, or on a machine that has no time, frames take at most
 * so much of the time, and come no slower than that.
 */
#define VIEWER_SHARE_PERCENT 66
#define VIEWER_FRAME_MAX_MS 250
#define VIEWER_FRAME_MAX_NS 5000000u /* of one: more is not its own */

/* Frames beyond the pace that inputs not yet answered may bring. */
#define VIEWER_REPLIES 4u
#define VIEWER_REPLY_MS 1000 /* an answer that comes later is none */

static void viewer_timer(void *arg);

/* --- life ------------------------------------------------------------------------ */

static void viewer_input(void *arg);
static void viewer_wake_cb(void *arg);
static void viewer_lost(void *arg);
static void viewer_side(void *arg, const uint8_t *p, size_t n);

static const struct link_user viewer_link_user = {
	.input = viewer_input,
	.wake = viewer_wake_cb,
	.lost = viewer_lost,
	.side = viewer_side,
};

/* A viewer without a link; ID is its queue's, and its connection's if any. */
static struct viewer *
viewer_make(struct viewers *vs, struct client *client, uint64_t id)
{
	struct viewer *vw;

	vw = mem_zalloc(sizeof(*vw));
	vw->all = vs;
	vw->run = vs->run;
	vw->client = client;
	view_builder_init(&vw->builder, client, vs->ops->host, vw);
	vw->conn_id = id;
	vw->input_done = 1;
	vw->message.until = MONO_NEVER;
	buf_init(&vw->paste, SYNC_INPUT_BYTES_MAX);
	echo_init(&vw->echo);
	vw->modes_at = vw->ack_at = MONO_NEVER;
	vw->table_until = vw->panel_at = MONO_NEVER;
	return vw;
}

static void
viewer_begin(struct viewer *vw)
{
	vw->timer = loop_timer_new(vw->run->loop, viewer_timer, vw);
	list_push_back(&vw->all->list, &vw->node);
	viewer_dirty(vw);
}

static void
viewer_unmake(struct viewer *vw)
{
	buf_fini(&vw->paste);
	mem_free(vw);
}

/* --- riding on a connection ----------------------------------------------------- */

static void
rider_payload(void *arg, const uint8_t *p, size_t n)
{
	struct viewer *vw = arg;

	link_local_payload(vw->link, p, n);
}

static void
rider_unlocked(void *arg)
{
	viewer_unlocked(arg);
}

static void
rider_lost(void *arg)
{
	struct viewer *vw = arg;

	vw->conn_id = 0;
	viewer_lost(vw);
}

static void
rider_wrote(void *arg, size_t n)
{
	struct viewer *vw = arg;

	vw->client->written += n;
}

static bool
rider_send(void *arg, enum control_code type, int64_t code, const char *text)
{
	struct viewer *vw = arg;

	if (vw->link->ops->far)
		viewer_send(vw, type, code, text);
	return vw->link->ops->far;
}

static const struct conn_rider viewer_rider = {
	.payload = rider_payload,
	.unlocked = rider_unlocked,
	.lost = rider_lost,
	.wrote = rider_wrote,
	.send = rider_send,
};

struct viewer *
viewer_of_conn(const struct conn *cn)
{
	return cn == NULL ? NULL : conn_rider(cn);
}

struct viewer *
viewer_new(
    struct viewers *vs, struct conn *cn, struct client *client, struct cause *c)
{
	struct viewer *vw = viewer_make(vs, client, conn_id(cn));

	vw->link = conn_roams(cn) ? remote_open(vs->remotes, vw->conn_id,
					&viewer_link_user, vw, c)
				  : link_local_new(vs->conns, vw->conn_id,
					&viewer_link_user, vw);
	if (vw->link == NULL) {
		viewer_unmake(vw);
		return NULL;
	}
	viewer_begin(vw);
	log_write(&vs->run->log, LOG_INFO, LOG_SERVER,
	    "client %s comes by connection %llu", client->name,
	    (unsigned long long)conn_id(cn));
	conn_set_rider(cn, &viewer_rider, vw);
	if (vw->link->ops->far) {
		vw->mirror = mirror_new(vs->run, vw->link->tp);
		conn_set_remote(cn, remote_of_link(vw->link));
	}
	return vw;
}

struct viewer *
viewer_new_guest(struct viewers *vs, struct client *client, uint64_t cid,
    const uint8_t *psk, struct cause *c)
{
	struct viewer *vw = viewer_make(vs, client, conns_take_id(vs->conns));

	vw->link = remote_open_as(
	    vs->remotes, vw->conn_id, cid, psk, &viewer_link_user, vw, c);
	if (vw->link == NULL) {
		viewer_unmake(vw);
		return NULL;
	}
	viewer_begin(vw);
	log_write(&vs->run->log, LOG_INFO, LOG_SERVER, "guest %s comes",
	    client->name);
	return vw;
}

void
viewer_free(struct viewer *vw)
{
	struct conn *cn = conn_find(vw->all->conns, vw->conn_id);

	trim_note(vw->run->trim);
	vw->all->ops->close(vw);
	mirror_free(vw->mirror);
	if (cn != NULL)
		conn_set_rider(cn, NULL, NULL);
	else
		cmdq_forget(vw->run, vw->conn_id);
	list_remove(&vw->all->list, &vw->node);
	loop_defer_cancel(vw->run->loop, vw);
	loop_timer_free(vw->timer);
	vw->link->ops->close(vw->link);
	echo_fini(&vw->echo);
	view_builder_fini(&vw->builder);
	mem_free(vw->guest.name);
	mem_free(vw->message.text);
	viewer_unmake(vw);
}

struct viewer *
viewer_find(const struct viewers *vs, const struct client *c)
{
	struct list_node *n;
	struct viewer *vw;

	LIST_FOREACH(n, &vs->list) {
		vw = container_of(n, struct viewer, node);
		if (vw->client == c)
			return vw;
	}
	return NULL;
}

struct viewer *
viewer_find_conn(const struct viewers *vs, uint64_t conn_id)
{
	struct list_node *n;
	struct viewer *vw;

	LIST_FOREACH(n, &vs->list) {
		vw = container_of(n, struct viewer, node);
		if (vw->conn_id == conn_id)
			return vw;
	}
	return NULL;
}

/* When something of ours is due, apart from the transport. */
static mono_ms
viewer_due(const struct viewer *vw)
{
	bool build = vw->dirty && vw->link->ops->ready(vw->link);

	return mono_min(build ? vw->frame_at : MONO_NEVER,
	    mono_min(mono_min(vw->message.until, vw->all->ops->due(vw)),
		mono_min(mono_min(echo_deadline(&vw->echo),
			     mono_min(vw->modes_at, vw->ack_at)),
		    mono_min(view_deadline(&vw->builder),
			mono_min(vw->table_until, vw->panel_at)))));
}

static void
viewer_expire(struct viewer *vw, mono_ms now)
{
	if (vw->message.text != NULL && now >= vw->message.until)
		viewer_message(vw, 0, NULL);
	vw->all->ops->expire(vw, now);
	if (echo_expire(&vw->echo, now))
		vw->ack_at = vw->echo.lazy ? mono_min(vw->ack_at,
						 mono_add(now, ECHO_LAZY))
					   : now;
	/* In a flood it goes with the next screen. */
	if (now >= vw->ack_at) {
		vw->ack_at = MONO_NEVER;
		vw->dirty = true;
	}
	if (now >= vw->modes_at) {
		vw->modes_at = MONO_NEVER;
		if (view_modes_changed(&vw->builder))
			vw->dirty = true;
		else if (++vw->modes_looks < VIEWER_MODES_LOOKS)
			vw->modes_at =
			    now + ((mono_ms)VIEWER_MODES_MS << vw->modes_looks);
	}
	if (view_expire(&vw->builder, now))
		vw->dirty = true;
}

/* Least time between the frames of a client in a flood, see VIEWER_SHARE. */
static mono_ms
viewer_every(const struct viewers *vs)
{
	uint64_t all = vs->frame_ns * vs->list.count;

	return CLAMP((mono_ms)(all / (VIEWER_SHARE_PERCENT * 10000)),
	    (mono_ms)VIEWER_FRAME_MS, (mono_ms)VIEWER_FRAME_MAX_MS);
}

/* A frame has taken from BEGIN (sys_now_us) until now. */
static void
viewer_took(struct viewers *vs, uint64_t begin)
{
	uint64_t ns = MIN_OF(
	    (sys_now_us() - begin) * 1000, (uint64_t)VIEWER_FRAME_MAX_NS);

	vs->frame_ns = (vs->frame_ns * 63 + ns) / 64;
}

/*
 * Frames are paced by tokens: one comes every VIEWER_FRAME_MS, a few are kept,
 * so that only a flood waits.
 */
static void
viewer_pace(struct viewer *vw, mono_ms now)
{
	const mono_ms every = viewer_every(vw->all);
	mono_ms gained = (now - vw->token_at) / every;

	if (gained > 0) {
		vw->tokens = (unsigned)MIN_OF(
		    gained + vw->tokens, (mono_ms)VIEWER_TOKENS);
		vw->token_at = now;
	}
	if (vw->tokens > 0)
		vw->tokens--;
	vw->frame_at = vw->tokens > 0 ? now : vw->token_at + every;
}

/* What is not echoed must not be predicted; on a local link nothing is. */
static void
viewer_watch_modes(struct viewer *vw, mono_ms now)
{
	vw->modes_looks = 0;
	vw->modes_at = !vw->link->ops->far || !view_focus_echoes(&vw->builder)
			   ? MONO_NEVER
			   : now + VIEWER_MODES_MS;
}

/* What the panes in sight have written, and when they last did. */
static uint64_t
viewer_said(const struct viewer *vw, mono_ms *at)
{
	const struct winlink *wl = client_link(vw->client);
	const struct pane_io *io;
	struct list_node *n;
	struct pane *p;
	uint64_t said = 0;

	*at = 0;
	if (wl == NULL)
		return 0;
	WINDOW_FOREACH_PANE(p, n, wl->window)
	{
		if ((io = pane_io_find(vw->all->panes, p->id)) == NULL)
			continue;
		said += io->written;
		*at = MAX_OF(*at, io->written_at);
	}
	return said;
}

/* Whether a view may be built now; puts it off if not. */
static bool
viewer_may_build(struct viewer *vw, mono_ms now)
{
	mono_ms until, said_at;
	uint64_t said;

	if (now < vw->frame_at || !vw->link->ops->ready(vw->link))
		return false;
	if (!vw->link->ops->far)
		return true;
	said = viewer_said(vw, &said_at);
	until = flood_until(
	    &vw->flood, now, ssp_transport_srtt(vw->link->tp), said, said_at);
	if (until > now) {
		vw->frame_at = until;
		if (vw->line_put_off)
			ssp_transport_put_off(vw->link->tp, now, until);
		return false;
	}
	if (said - vw->flood.said >= FLOOD_BYTES && said > vw->flood.said)
		(void)echo_flooded(&vw->echo);
	flood_shown(&vw->flood, said);
	vw->ack_at = MONO_NEVER;
	return true;
}

/* What kind of news a remote client's new view is. */
static enum hold
viewer_news(const struct viewer *vw, const struct sync_view *old)
{
	enum hold what;

	if (!vw->link->ops->far || vw->builder.view == NULL)
		return HOLD_NOT;
	what = hold_what(old, vw->builder.view);
	if (what == HOLD_TEXT && (!vw->shown || !vw->echo.exact))
		return HOLD_NOT;
	if (what == HOLD_NOT && hold_draws(old, vw->builder.view))
		return HOLD_DRAWN;
	return what;
}

/* What the client has shown already it need not be sent at once. */
static void
viewer_hand_over(struct viewer *vw, mono_ms now)
{
	const struct sync_view *old = ssp_transport_current(vw->link->tp);
	const enum hold what = viewer_news(vw, old);
	const mono_ms until =
	    mono_add(now, hold_time(what, ssp_transport_srtt(vw->link->tp)));
	struct sync_view *view;

	if (what == HOLD_SAID && old->echo_ack == vw->builder.view->echo_ack)
		return;
	vw->line_put_off = what == HOLD_LINE;
	if (vw->builder.view == NULL) {
		ssp_transport_changed(vw->link->tp, now);
		return;
	}
	view = sync_view_clone(vw->builder.view);
	switch (what) {
	case HOLD_NOT:
		ssp_transport_set_current(vw->link->tp, now, view);
		break;
	case HOLD_SAID:
	case HOLD_TEXT:
		ssp_transport_set_later(vw->link->tp, now, view, until);
		break;
	case HOLD_LINE:
	case HOLD_DRAWN:
		ssp_transport_set_soon(vw->link->tp, now, view, until);
		break;
	}
}

/* What cannot be shown, or sent, is told of: to who is there, and to the log. */
static void
viewer_limits(struct viewer *vw)
{
	uint64_t big = ssp_transport_too_big(vw->link->tp);
	size_t clipped =
	    vw->builder.view == NULL ? 0 : vw->builder.view->clipped;

	if (clipped > vw->clipped) {
		log_write(&vw->run->log, LOG_WARN, LOG_SERVER,
		    "client %s: %zu panes of more than %u cells are cut off",
		    vw->client->name, clipped, SYNC_FRAME_CELLS_MAX);
		viewer_message(vw, VIEWER_LIMITS_MS,
		    "pane too large: its end is not shown");
	}
	vw->clipped = clipped;
	/* The first time, and at twice as many. */
	if (big > vw->too_big * 2)
		log_write(&vw->run->log, LOG_WARN, LOG_SERVER,
		    "client %s: the screen is too large to be sent (%llu "
		    "times)",
		    vw->client->name, (unsigned long long)big);
	if (big > vw->too_big * 2)
		vw->too_big = big;
}

/* Sends what may go now; the view is built only when it is to be sent. */
static void
viewer_pump(struct viewer *vw)
{
	mono_ms now = loop_now(vw->run->loop), next, due = MONO_NEVER;
	uint64_t begin = 0;

	vw->all->ops->flush(vw);
	viewer_expire(vw, now);
	if (vw->dirty && viewer_may_build(vw, now)) {
		vw->dirty = false;
		begin = sys_now_us();
		viewer_pace(vw, now);
		vw->all->ops->build(vw);
		viewer_watch_modes(vw, now);
		viewer_hand_over(vw, now);
	}
	if (vw->mirror != NULL)
		due = mirror_pump(vw->mirror, vw->builder.view, now);
	next = mono_min(due, vw->link->ops->pump(vw->link, now));
	if (begin != 0) {
		viewer_took(vw->all, begin);
		viewer_limits(vw);
	}
	loop_timer_set(vw->timer, mono_min(next, viewer_due(vw)));
}

static void
viewer_timer(void *arg)
{
	viewer_pump(arg);
}

static void
viewer_pump_cb(void *arg)
{
	struct viewer *vw = arg;

	vw->woken = false;
	viewer_pump(vw);
}

void
viewer_wake(struct viewer *vw)
{
	if (vw->woken)
		return;
	vw->woken = true;
	loop_defer_new(vw->run->loop, viewer_pump_cb, vw);
}

void
viewer_dirty(struct viewer *vw)
{
	vw->flood.urgent = true;
	viewer_output(vw);
}

void
viewer_output(struct viewer *vw)
{
	vw->dirty = true;
	viewer_wake(vw);
}

void
viewer_reply(struct viewer *vw)
{
	if (vw->replies == 0)
		return;
	if (loop_now(vw->run->loop) - vw->asked_at > VIEWER_REPLY_MS) {
		vw->replies = 0;
		return;
	}
	vw->replies--;
	vw->frame_at = 0;
	vw->flood.urgent = true;
}

/* The program will answer EV, if it is one for it. */
static void
viewer_asked(struct viewer *vw, mono_ms now, const struct sync_event *ev)
{
	if (ev->kind != SYNC_TEXT && ev->kind != SYNC_KEY &&
	    ev->kind != SYNC_MOUSE && ev->kind != SYNC_PASTE)
		return;
	if (now - vw->asked_at > VIEWER_REPLY_MS)
		vw->replies = 0;
	vw->replies = MIN_OF(vw->replies + 1, VIEWER_REPLIES);
	vw->asked_at = now;
}

static void
viewer_input(void *arg)
{
	struct viewer *vw = arg;
	mono_ms now = loop_now(vw->run->loop);
	const struct sync_input *in;
	const struct sync_event *ev;
	bool fresh = !vw->dirty;

	in = ssp_transport_remote(vw->link->tp, NULL);
	while ((ev = sync_input_get(in, vw->input_done)) != NULL) {
		vw->input_done++;
		vw->all->ops->input(vw, ev);
		viewer_asked(vw, now, ev);
		/* Nothing is predicted on a local link: no frame for it. */
		if (vw->link->ops->far && ev->kind != SYNC_SHOWN)
			echo_input(&vw->echo, now, vw->input_done - 1,
			    ev->kind == SYNC_TEXT ? ev->cp : 0, fresh);
	}
	(void)ssp_transport_remote_seen(vw->link->tp);
	viewer_wake(vw);
}

static void
viewer_lost(void *arg)
{
	struct viewer *vw = arg;

	vw->all->ops->gone(vw->all->arg, vw->client);
}

static void
viewer_side(void *arg, const uint8_t *p, size_t n)
{
	struct viewer *vw = arg;

	if (vw->mirror != NULL)
		mirror_message(vw->mirror, p, n);
}

static void
viewer_wake_cb(void *arg)
{
	viewer_wake(arg);
}

void
viewer_lock(struct viewer *vw)
{
	const struct session *s = vw->client->session;
	const char *command;

	if (s == NULL || vw->locked || vw->detaching)
		return;
	command = options_string(&s->options, OPTION_LOCK_COMMAND);
	if (*command == '\0')
		return;
	vw->locked = true;
	viewer_send(vw, CONTROL_LOCK, 0, command);
}

void
viewer_unlocked(struct viewer *vw)
{
	vw->locked = false;
	viewer_dirty(vw);
}

/* The message as an effect of the view: in order with what is shown. */
static void
viewer_send_far(
    struct viewer *vw, enum control_code type, int64_t code, const char *text)
{
	struct buf b;

	buf_init(&b, CONTROL_MESSAGE_MAX);
	if (control_put_code(&b, type, code, text) == 0)
		viewer_effect(vw, SYNC_EFFECT_CONTROL, b.data, b.len);
	buf_fini(&b);
	if (type == CONTROL_DETACH || type == CONTROL_EXEC ||
	    type == CONTROL_EXIT)
		vw->link->ops->finish(vw->link, loop_now(vw->run->loop),
		    sync_view_clone(vw->builder.view));
}

void
viewer_send(
    struct viewer *vw, enum control_code type, int64_t code, const char *text)
{
	struct conn *cn = conn_find(vw->all->conns, vw->conn_id);

	if (vw->link->ops->far)
		viewer_send_far(vw, type, code, text);
	else if (cn != NULL)
		conn_send(cn, type, code, text);
}

void
viewer_detach(struct viewer *vw, int code, const char *text)
{
	if (vw->detaching)
		return;
	vw->detaching = true;
	viewer_send(vw, CONTROL_DETACH, code, text);
}

void
viewer_message(struct viewer *vw, mono_ms ms, const char *text)
{
	if (text != NULL)
		run_message(vw->run, "%s message: %s", vw->client->name, text);
	mem_free(vw->message.text);
	vw->message.text = text == NULL ? NULL : mem_strdup(text);
	vw->message.deaf = false;
	vw->message.until = text == NULL || ms == 0
				? MONO_NEVER
				: mono_add(loop_now(vw->run->loop), ms);
	viewer_dirty(vw);
}

void
viewer_effect(
    struct viewer *vw, enum sync_effect_kind kind, const void *p, size_t n)
{
	if (vw->builder.view == NULL)
		vw->builder.view = sync_view_new(0, 0);
	(void)sync_view_effect(vw->builder.view, kind, p, n);
	viewer_dirty(vw);
}

/* --- who is to be drawn again ------------------------------------------------ */

static void
viewers_each(struct viewers *vs,
    bool (*match)(const struct viewer *, const void *), const void *arg,
    bool status, bool urgent)
{
	struct list_node *n;
	struct viewer *vw;

	LIST_FOREACH(n, &vs->list) {
		vw = container_of(n, struct viewer, node);
		if (vw->client->session == NULL ||
		    (match != NULL && !match(vw, arg)))
			continue;
		vw->builder.status_dirty |= status;
		vw->flood.urgent |= urgent;
		viewer_output(vw);
	}
}

static bool
match_window(const struct viewer *vw, const void *arg)
{
	const struct winlink *wl = client_link(vw->client);

	return wl != NULL && wl->window == arg;
}

static bool
match_session(const struct viewer *vw, const void *arg)
{
	return vw->client->session == arg;
}

void
viewers_redraw_window(struct viewers *vs, const struct window *w)
{
	viewers_each(vs, match_window, w, false, false);
}

void
viewers_redraw_session(struct viewers *vs, const struct session *s)
{
	viewers_each(vs, match_session, s, true, true);
}

void
viewers_redraw_status(struct viewers *vs, const struct session *s)
{
	viewers_each(vs, s == NULL ? NULL : match_session, s, true, false);
}

void
viewers_redraw_all(struct viewers *vs)
{
	struct list_node *n;
	struct viewer *vw;

	LIST_FOREACH(n, &vs->list) {
		vw = container_of(n, struct viewer, node);
		vw->builder.chrome_dirty = vw->builder.panes_dirty = true;
	}
	viewers_each(vs, NULL, NULL, true, true);
}

void
viewers_redraw_user_options(struct viewers *vs)
{
	struct list_node *n;
	struct viewer *vw;

	LIST_FOREACH(n, &vs->list) {
		vw = container_of(n, struct viewer, node);
		if (!vw->builder.user_options)
			continue;
		vw->builder.chrome_dirty = vw->builder.panes_dirty = true;
		vw->builder.status_dirty = true;
		viewer_output(vw);
	}
}

void
viewers_init(struct viewers *vs, struct run *run, const struct viewer_ops *ops,
    void *arg)
{
	memset(vs, 0, sizeof(*vs));
	vs->run = run;
	vs->ops = ops;
	vs->arg = arg;
	list_init(&vs->list);
}
