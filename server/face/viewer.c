#include "server/face/viewer.h"

#include <string.h>

#include "base/mem.h"
#include "mux/client.h"
#include "mux/mode/mode.h"
#include "mux/session.h"
#include "mux/sync/input.h"
#include "mux/window.h"
#include "server/face/pictures.h"
#include "server/io/conn.h"
#include "server/io/link_local.h"
#include "server/io/mirror.h"
#include "server/io/pane_feed.h"
#include "server/io/remote.h"
#include "server/run/cmdq.h"
#include "server/run/lane.h"
#include "server/run/run.h"
#include "server/run/trim.h"

/* --- link and overlays -------------------------------------------------------- */

static bool viewer_input(void *arg);
static void viewer_refused(void *arg);
static void viewer_wake_cb(void *arg);
static void viewer_lost(void *arg);
static void viewer_side(void *arg, const uint8_t *p, size_t n);

static const struct link_user viewer_link_user = {
	.input = viewer_input,
	.refused = viewer_refused,
	.wake = viewer_wake_cb,
	.lost = viewer_lost,
	.side = viewer_side,
};

static void
viewer_overlays(struct viewer *vw, mono_ms due, bool picture)
{
	due_set(&vw->due, VIEWER_DUE_OVERLAYS, due);
	if (picture)
		viewer_dirty(vw);
	else
		pump_wake(vw);
}

/* --- calls of the connection --------------------------------------------------- */

static void
rider_payload(void *arg, const uint8_t *p, size_t n)
{
	struct viewer *vw = arg;

	if (link_take(vw->link, loop_now(vw->run->loop), p, n) &&
	    viewer_input(vw))
		lane_add(vw->run->lane, &vw->input_job);
}

/* The next events of a user with read access. */
static bool
viewer_input_step(struct lane_job *job)
{
	return viewer_input(container_of(job, struct viewer, input_job));
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
	.send = rider_send,
};

struct viewer *
viewer_of_conn(const struct conn *cn)
{
	return cn == NULL ? NULL : conn_rider(cn, &viewer_rider);
}

struct viewer *
viewer_new_link(
    struct viewers *vs, struct client *client, uint64_t id, struct link *l)
{
	struct viewer *vw = mem_zalloc(sizeof(*vw));

	vw->all = vs;
	vw->run = vs->run;
	vw->client = client;
	vw->conn_id = id;
	vw->link = l;
	l->user = &viewer_link_user;
	l->arg = vw;
	view_builder_init(&vw->builder, client, vs->ops->host, vw);
	vw->input_done = 1;
	vw->input_job.fn = viewer_input_step;
	buf_init(&vw->paste.whole,
	    client->guest ? BUDGET_PASTE : SYNC_INPUT_BYTES_MAX);
	echo_init(&vw->echo);
	due_init(&vw->due);
	overlays_init(&vw->overlays, vw, viewer_overlays);
	pump_init(vw);
	list_push_back(&vs->list, &vw->node);
	viewer_dirty(vw);
	return vw;
}

struct viewer *
viewer_new(
    struct viewers *vs, struct conn *cn, struct client *client, struct cause *c)
{
	const uint64_t id = conn_id(cn);
	struct viewer *vw;
	struct link *l;

	/* viewer_new_link sets the link's argument. */
	l = conn_roams(cn)
		? remote_open(vs->remotes, id, &viewer_link_user, NULL, c)
		: link_local_new(vs->conns, id, &viewer_link_user, NULL);
	if (l == NULL)
		return NULL;
	vw = viewer_new_link(vs, client, id, l);
	log_write(&vs->run->log, LOG_INFO, LOG_SERVER,
	    "client %s attached on connection %llu", client->name,
	    (unsigned long long)id);
	conn_set_rider(cn, &viewer_rider, vw);
	conn_set_counter(cn, &client->written);
	/* A user with read access. */
	if (client->guest) {
		budget_init(&vw->guest.budget, loop_now(vs->run->loop));
		vw->guest.greeted = true;
	}
	if (l->ops->far) {
		/* security: a guest has no history, and one window. */
		vw->mirror = client->guest ? NULL : mirror_new(vs->run, l->tp);
		vw->pictures = client->guest ? NULL : pictures_new(vw);
		conn_set_remote(cn, remote_of_link(l));
	}
	return vw;
}

struct viewer *
viewer_new_guest(struct viewers *vs, struct client *client, uint64_t cid,
    const uint8_t *psk, struct cause *c)
{
	const uint64_t id = conns_take_id(vs->conns);
	struct link *l = remote_open_as(
	    vs->remotes, id, cid, psk, &viewer_link_user, NULL, c);
	struct viewer *vw;

	if (l == NULL)
		return NULL;
	log_write(&vs->run->log, LOG_INFO, LOG_SERVER, "guest %s attached",
	    client->name);
	vw = viewer_new_link(vs, client, id, l);
	budget_init(&vw->guest.budget, loop_now(vs->run->loop));
	return vw;
}

void
viewer_free(struct viewer *vw)
{
	struct conn *cn = conn_find(vw->all->conns, vw->conn_id);

	trim_note(vw->run->trim);
	overlays_close(&vw->overlays, 0);
	mirror_free(vw->mirror);
	opening_fini(&vw->opening);
	pictures_free(vw->pictures);
	if (cn != NULL)
		conn_set_rider(cn, NULL, NULL);
	else
		cmdq_forget(vw->run, vw->conn_id);
	list_remove(&vw->all->list, &vw->node);
	loop_defer_cancel(vw->run->loop, vw);
	lane_drop(vw->run->lane, &vw->input_job);
	pump_fini(vw);
	vw->link->ops->close(vw->link);
	echo_fini(&vw->echo);
	view_builder_fini(&vw->builder);
	mem_free(vw->guest.name);
	mem_free(vw->why);
	pane_feed_stop(vw->paste.feed);
	buf_fini(&vw->paste.whole);
	me_conf_fini(vw);
	mem_free(vw);
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

/* --- input and messages --------------------------------------------------------- */

void
viewer_dirty(struct viewer *vw)
{
	pump_dirty(vw, true);
}

/*
 * Handles all events, or some of a guest; the guests' lane asks for the next
 * ones.  What follows from a guest's events belongs to its turn, too: a pile of
 * model events would be handled by the next turn of somebody else.
 */
static bool
viewer_input(void *arg)
{
	struct viewer *vw = arg;
	mono_ms now = loop_now(vw->run->loop);
	const struct sync_input *in;
	const struct sync_event *ev;
	const bool guest = vw->client->guest;
	bool fresh = !vw->pump.dirty, left = false;
	unsigned n = 0;

	in = ssp_transport_remote(vw->link->tp, NULL);
	while (!left && (ev = sync_input_get(in, vw->input_done)) != NULL) {
		vw->input_done++;
		vw->all->ops->input(vw, ev);
		pump_asked(vw, now, ev);
		/* Local clients do not predict and need no echo acks. */
		if (vw->link->ops->far && ev->kind != SYNC_SHOWN)
			echo_input(&vw->echo, now, vw->input_done - 1,
			    ev->kind == SYNC_TEXT ? ev->cp : 0, fresh);
		left = guest &&
		       (++n == BUDGET_EVENTS || lane_spent(vw->run->lane)) &&
		       sync_input_get(in, vw->input_done) != NULL;
	}
	if (!left)
		(void)ssp_transport_remote_seen(vw->link->tp);
	if (vw->link->ops->far)
		due_set(&vw->due, VIEWER_DUE_ECHO, echo_deadline(&vw->echo));
	pump_wake(vw);
	if (guest)
		run_drain(vw->run);
	return left;
}

static void
viewer_refused(void *arg)
{
	struct viewer *vw = arg;

	vw->all->ops->refused(vw);
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

	if (vw->pictures != NULL && pictures_message(vw->pictures, p, n)) {
		viewer_dirty(vw);
		return;
	}
	if (vw->mirror != NULL)
		mirror_message(vw->mirror, p, n);
}

static void
viewer_wake_cb(void *arg)
{
	pump_wake(arg);
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

/* As an effect of the view the message stays in order with the screen. */
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
	vw->why = mem_strdup(text == NULL ? "" : text);
	viewer_send(vw, CONTROL_DETACH, code, text);
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

/* --- redrawing several clients ---------------------------------------------------- */

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
		pump_dirty(vw, urgent);
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
viewers_rebuild(struct viewers *vs)
{
	viewers_each(vs, NULL, NULL, false, true);
}

void
viewers_tell_modes(struct viewers *vs, bool output)
{
	struct list_node *n, *pn;
	struct winlink *wl;
	struct viewer *vw;
	struct pane *p;

	LIST_FOREACH(n, &vs->list) {
		vw = container_of(n, struct viewer, node);
		if ((wl = client_link(vw->client)) == NULL)
			continue;
		WINDOW_FOREACH_PANE(p, pn, wl->window)
		{
			if (mode_top(p) == NULL)
				continue;
			mode_event(
			    p, output ? MODE_EVENT_OTHERS : MODE_EVENT_MODEL);
			viewer_dirty(vw);
		}
	}
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
		pump_dirty(vw, false);
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
	slices_init(vs);
}
