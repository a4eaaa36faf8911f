#include "server/face/viewer.h"

#include <string.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/sync/frame.h"
#include "mux/sync/input.h"
#include "mux/window.h"
#include "server/io/conn.h"
#include "server/face/hold.h"
#include "server/face/input.h"
#include "server/io/mirror.h"
#include "server/face/numbers.h"
#include "server/face/pager.h"
#include "server/io/pane_io.h"
#include "server/face/prompt.h"
#include "server/face/redraw.h"
#include "server/io/remote.h"
#include "server/server.h"
#include "server/run/settle.h"

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

/*
 * Frames that a client on this machine has not taken yet: one that has no time,
 * or is stopped, gets the newest later instead of all of them.
 */
#define VIEWER_AHEAD 8u

/* Frames beyond the pace that inputs not yet answered may bring. */
#define VIEWER_REPLIES 4u
#define VIEWER_REPLY_MS 1000 /* an answer that comes later is none */

static void viewer_timer(void *arg);

/* --- the control socket as a link --------------------------------------------- */

static bool
local_ready(const struct viewer *vw)
{
	return ssp_transport_sent_num(vw->tp) -
		   ssp_transport_acked_num(vw->tp) <
	       VIEWER_AHEAD;
}

static mono_ms
local_pump(struct viewer *vw, mono_ms now)
{
	static uint8_t payload[CONTROL_DATA_MAX];
	struct conn *cn = conn_find(vw->sv, vw->conn_id);
	size_t n;

	if (cn == NULL)
		return MONO_NEVER;
	while ((n = ssp_transport_send(vw->tp, now, vw->sent_pn + 1, payload,
		    sizeof(payload))) > 0) {
		vw->sent_pn++;
		conn_send_ssp(cn, payload, n);
	}
	return ssp_transport_deadline(vw->tp, now);
}

static void
local_close(struct viewer *vw)
{
	ssp_transport_free(vw->tp);
}

static const struct viewer_link local_link = {
	.ready = local_ready,
	.pump = local_pump,
	.close = local_close,
};

static void
local_open(struct viewer *vw)
{
	struct ssp_transport_cfg cfg;

	ssp_transport_cfg_init(&cfg, SSP_LINK_LOCAL);
	cfg.local_ops = &sync_view_ops;
	cfg.local = sync_view_new(0, 0);
	cfg.remote_ops = &sync_input_ops;
	cfg.remote = sync_input_new();
	cfg.mtu = CONTROL_DATA_MAX;
	vw->tp = ssp_transport_new(&cfg, loop_now(vw->sv->loop));
	vw->link = &local_link;
}

/* --- life ------------------------------------------------------------------------ */

/* One without a link; ID is its queue's, and its connection's if it has one. */
static struct viewer *
viewer_make(struct server *sv, struct client *client, uint64_t id)
{
	struct viewer *vw;

	vw = mem_zalloc(sizeof(*vw));
	vw->sv = sv;
	vw->client = client;
	vw->conn_id = id;
	vw->input_done = 1;
	vw->message.until = MONO_NEVER;
	buf_init(&vw->paste, SYNC_INPUT_BYTES_MAX);
	echo_init(&vw->echo);
	vw->modes_at = vw->ack_at = MONO_NEVER;
	vw->status_at = MONO_NEVER;
	vw->table_until = vw->panel_at = MONO_NEVER;
	vw->people_at = MONO_NEVER;
	return vw;
}

static void
viewer_begin(struct viewer *vw)
{
	vw->timer = loop_timer_new(vw->sv->loop, viewer_timer, vw);
	list_push_back(&vw->sv->viewers, &vw->node);
	viewer_dirty(vw);
}

static void
viewer_unmake(struct viewer *vw)
{
	buf_fini(&vw->paste);
	mem_free(vw);
}

struct viewer *
viewer_new(
    struct server *sv, struct conn *cn, struct client *client, struct cause *c)
{
	struct viewer *vw = viewer_make(sv, client, conn_id(cn));

	if (!conn_roams(cn))
		local_open(vw);
	else if (remote_open(vw, c) != 0) {
		viewer_unmake(vw);
		return NULL;
	}
	viewer_begin(vw);
	log_write(&sv->log, LOG_INFO, LOG_SERVER,
	    "client %s comes by connection %llu", client->name,
	    (unsigned long long)conn_id(cn));
	conn_set_viewer(cn, vw);
	if (vw->remote != NULL)
		conn_set_remote(cn, vw->remote);
	return vw;
}

struct viewer *
viewer_new_guest(struct server *sv, struct client *client, uint64_t cid,
    const uint8_t *psk, struct cause *c)
{
	struct viewer *vw = viewer_make(sv, client, ++sv->next_conn);

	if (remote_open_as(vw, cid, psk, c) != 0) {
		viewer_unmake(vw);
		return NULL;
	}
	viewer_begin(vw);
	log_write(
	    &sv->log, LOG_INFO, LOG_SERVER, "guest %s comes", client->name);
	return vw;
}

void
viewer_free(struct viewer *vw)
{
	struct conn *cn = conn_find(vw->sv, vw->conn_id);

	settle_note(vw->sv->settle);
	numbers_close(vw);
	prompt_close(vw);
	pager_free(vw);
	mirror_free(vw->mirror);
	if (cn != NULL)
		conn_set_viewer(cn, NULL);
	else
		server_conn_gone(vw->sv, vw->conn_id);
	list_remove(&vw->sv->viewers, &vw->node);
	loop_defer_cancel(vw->sv->loop, vw);
	loop_timer_free(vw->timer);
	vw->link->close(vw);
	sync_view_free(vw->view);
	echo_fini(&vw->echo);
	vt_frame_unref(vw->chrome);
	vt_frame_unref(vw->status);
	for (size_t i = 0; i < ARRAY_LEN(vw->ranges); i++)
		format_drawn_fini(&vw->ranges[i]);
	buf_fini(&vw->paste);
	mem_free(vw->message.text);
	mem_free(vw);
}

struct viewer *
viewer_find(struct server *sv, const struct client *c)
{
	struct list_node *n;
	struct viewer *vw;

	LIST_FOREACH(n, &sv->viewers) {
		vw = container_of(n, struct viewer, node);
		if (vw->client == c)
			return vw;
	}
	return NULL;
}

/* When something of ours is due, apart from the transport. */
static mono_ms
viewer_due(const struct viewer *vw)
{
	bool build = vw->dirty && vw->link->ready(vw);

	return mono_min(build ? vw->frame_at : MONO_NEVER,
	    mono_min(mono_min(vw->message.until, numbers_due(vw)),
		mono_min(mono_min(echo_deadline(&vw->echo),
			     mono_min(vw->modes_at, vw->ack_at)),
		    mono_min(mono_min(vw->status_at, vw->people_at),
			mono_min(vw->table_until, vw->panel_at)))));
}

static void
viewer_expire(struct viewer *vw, mono_ms now)
{
	if (vw->message.text != NULL && now >= vw->message.until)
		viewer_message(vw, 0, NULL);
	if (now >= numbers_due(vw))
		numbers_close(vw);
	if (now >= vw->table_until)
		input_set_table(vw, NULL);
	if (now >= vw->panel_at) {
		vw->panel_at = MONO_NEVER;
		vw->panel_on = true;
		vw->dirty = true;
	}
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
		if (redraw_modes_changed(vw))
			vw->dirty = true;
		else if (++vw->modes_looks < VIEWER_MODES_LOOKS)
			vw->modes_at =
			    now + ((mono_ms)VIEWER_MODES_MS << vw->modes_looks);
	}
	if (now >= vw->people_at) {
		vw->people_at = MONO_NEVER;
		vw->dirty = true;
	}
	if (now >= vw->status_at) {
		vw->status_at = MONO_NEVER;
		vw->dirty = true;
	}
}

/* Least time between the frames of a client in a flood, see VIEWER_SHARE. */
static mono_ms
viewer_every(const struct server *sv)
{
	uint64_t all = sv->frame_ns * sv->viewers.count;

	return CLAMP((mono_ms)(all / (VIEWER_SHARE_PERCENT * 10000)),
	    (mono_ms)VIEWER_FRAME_MS, (mono_ms)VIEWER_FRAME_MAX_MS);
}

/* A frame has taken from BEGIN (sys_now_us) until now. */
static void
viewer_took(struct server *sv, uint64_t begin)
{
	uint64_t ns = MIN_OF(
	    (sys_now_us() - begin) * 1000, (uint64_t)VIEWER_FRAME_MAX_NS);

	sv->frame_ns = (sv->frame_ns * 63 + ns) / 64;
}

/*
 * Frames are paced by tokens: one comes every VIEWER_FRAME_MS, a few are kept,
 * so that only a flood waits.
 */
static void
viewer_pace(struct viewer *vw, mono_ms now)
{
	const mono_ms every = viewer_every(vw->sv);
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
	vw->modes_at = vw->link == &local_link || !redraw_echoes(vw)
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
		if ((io = pane_io_find(vw->sv, p->id)) == NULL)
			continue;
		said += io->said;
		*at = MAX_OF(*at, io->said_at);
	}
	return said;
}

/* Whether a view may be built now; puts it off if not. */
static bool
viewer_may_build(struct viewer *vw, mono_ms now)
{
	mono_ms until, said_at;
	uint64_t said;

	if (now < vw->frame_at || !vw->link->ready(vw))
		return false;
	if (vw->remote == NULL)
		return true;
	said = viewer_said(vw, &said_at);
	until = flood_until(
	    &vw->flood, now, ssp_transport_srtt(vw->tp), said, said_at);
	if (until > now) {
		vw->frame_at = until;
		if (vw->line_put_off)
			ssp_transport_put_off(vw->tp, now, until);
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

	if (vw->remote == NULL || vw->view == NULL)
		return HOLD_NOT;
	what = hold_what(old, vw->view);
	if (what == HOLD_TEXT && (!vw->shown || !vw->echo.exact))
		return HOLD_NOT;
	if (what == HOLD_NOT && hold_draws(old, vw->view))
		return HOLD_DRAWN;
	return what;
}

/* What the client has shown already it need not be sent at once. */
static void
viewer_hand_over(struct viewer *vw, mono_ms now)
{
	const struct sync_view *old = ssp_transport_current(vw->tp);
	const enum hold what = viewer_news(vw, old);
	const mono_ms until =
	    mono_add(now, hold_time(what, ssp_transport_srtt(vw->tp)));
	struct sync_view *view;

	if (what == HOLD_SAID && old->echo_ack == vw->view->echo_ack)
		return;
	vw->line_put_off = what == HOLD_LINE;
	if (vw->view == NULL) {
		ssp_transport_changed(vw->tp, now);
		return;
	}
	view = sync_view_clone(vw->view);
	switch (what) {
	case HOLD_NOT:
		ssp_transport_set_current(vw->tp, now, view);
		break;
	case HOLD_SAID:
	case HOLD_TEXT:
		ssp_transport_set_later(vw->tp, now, view, until);
		break;
	case HOLD_LINE:
	case HOLD_DRAWN:
		ssp_transport_set_soon(vw->tp, now, view, until);
		break;
	}
}

/* What cannot be shown, or sent, is told of: to who is there, and to the log. */
static void
viewer_limits(struct viewer *vw)
{
	uint64_t big = ssp_transport_too_big(vw->tp);
	size_t clipped = vw->view == NULL ? 0 : vw->view->clipped;

	if (clipped > vw->clipped) {
		log_write(&vw->sv->log, LOG_WARN, LOG_SERVER,
		    "client %s: %zu panes of more than %u cells are cut off",
		    vw->client->name, clipped, SYNC_FRAME_CELLS_MAX);
		viewer_message(vw, VIEWER_LIMITS_MS,
		    "pane too large: its end is not shown");
	}
	vw->clipped = clipped;
	/* The first time, and at twice as many. */
	if (big > vw->too_big * 2)
		log_write(&vw->sv->log, LOG_WARN, LOG_SERVER,
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
	mono_ms now = loop_now(vw->sv->loop), next, due = MONO_NEVER;
	uint64_t begin = 0;

	pager_flush(vw);
	viewer_expire(vw, now);
	if (vw->dirty && viewer_may_build(vw, now)) {
		vw->dirty = false;
		begin = sys_now_us();
		viewer_pace(vw, now);
		redraw_view(vw);
		viewer_watch_modes(vw, now);
		viewer_hand_over(vw, now);
	}
	if (vw->mirror != NULL)
		due = mirror_pump(vw->mirror, now);
	next = mono_min(due, vw->link->pump(vw, now));
	if (begin != 0) {
		viewer_took(vw->sv, begin);
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
	loop_defer_new(vw->sv->loop, viewer_pump_cb, vw);
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
	if (loop_now(vw->sv->loop) - vw->asked_at > VIEWER_REPLY_MS) {
		vw->replies = 0;
		return;
	}
	vw->replies--;
	vw->frame_at = 0;
	vw->flood.urgent = true;
}

void
viewer_payload(struct viewer *vw, const uint8_t *p, size_t n)
{
	mono_ms now = loop_now(vw->sv->loop);

	if (ssp_transport_recv(vw->tp, now, ++vw->recv_pn, p, n) == 0)
		viewer_input(vw);
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

void
viewer_input(struct viewer *vw)
{
	mono_ms now = loop_now(vw->sv->loop);
	const struct sync_input *in;
	const struct sync_event *ev;
	bool fresh = !vw->dirty;

	in = ssp_transport_remote(vw->tp, NULL);
	while ((ev = sync_input_get(in, vw->input_done)) != NULL) {
		vw->input_done++;
		input_event(vw, ev);
		viewer_asked(vw, now, ev);
		/* Nothing is predicted on a local link: no frame for it. */
		if (vw->link != &local_link && ev->kind != SYNC_SHOWN)
			echo_input(&vw->echo, now, vw->input_done - 1,
			    ev->kind == SYNC_TEXT ? ev->cp : 0, fresh);
	}
	(void)ssp_transport_remote_seen(vw->tp);
	viewer_wake(vw);
}

void
viewer_lost(struct viewer *vw)
{
	vw->conn_id = 0;
	server_client_gone(vw->sv, vw->client);
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

void
viewer_send(
    struct viewer *vw, enum control_code type, int64_t code, const char *text)
{
	struct conn *cn = conn_find(vw->sv, vw->conn_id);

	if (vw->link->send != NULL)
		vw->link->send(vw, type, code, text);
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
		server_message(
		    vw->sv, "%s message: %s", vw->client->name, text);
	mem_free(vw->message.text);
	vw->message.text = text == NULL ? NULL : mem_strdup(text);
	vw->message.deaf = false;
	vw->message.until = text == NULL || ms == 0
				? MONO_NEVER
				: mono_add(loop_now(vw->sv->loop), ms);
	viewer_dirty(vw);
}

void
viewer_effect(
    struct viewer *vw, enum sync_effect_kind kind, const void *p, size_t n)
{
	if (vw->view == NULL)
		vw->view = sync_view_new(0, 0);
	(void)sync_view_effect(vw->view, kind, p, n);
	viewer_dirty(vw);
}
