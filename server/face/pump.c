#include "server/face/pump.h"

#include "base/io/sys.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/sync/frame.h"
#include "mux/sync/input.h"
#include "mux/window.h"
#include "server/face/hold.h"
#include "server/face/message.h"
#include "server/face/pictures.h"
#include "server/face/viewer.h"
#include "server/io/mirror.h"
#include "server/io/pane_io.h"
#include "server/io/remote.h"

/*
 * A program may turn echo off shortly after it has printed its prompt.  After
 * each view the pump polls the modes of the pty this often; the interval
 * doubles.
 */
#define PUMP_MODES_MS 25
#define PUMP_MODES_LOOKS 4

/*
 * Frame pacing of one client: one token every PUMP_FRAME_MS, at most
 * PUMP_TOKENS of them.  Isolated changes are sent at once; continuous output
 * is sent at this rate.
 */
#define PUMP_FRAME_MS 8
#define PUMP_TOKENS 6

#define PUMP_LIMITS_MS 4000 /* time for which the warning is shown */

/*
 * Building frames may take at most this share of the server's time; with many
 * clients or on a slow machine the frame interval grows, up to the maximum.
 */
#define PUMP_SHARE_PERCENT 66
#define PUMP_FRAME_MAX_MS 250
/* Cap for one measured frame: a longer one was interrupted by other work. */
#define PUMP_FRAME_MAX_NS 5000000u

/* Unanswered inputs may each add one frame beyond the pace, up to this many. */
#define PUMP_REPLIES 4u
#define PUMP_REPLY_MS 1000 /* later output does not count as the answer */

static void pump_run(struct viewer *vw);

static void
pump_timer(void *arg)
{
	struct viewer *vw = arg;

	if (vw->client->guest)
		lane_add(vw->run->lane, &vw->pump.job);
	else
		pump_run(vw);
}

/* The pictures of guests wait behind everybody else's. */
static bool
pump_step(struct lane_job *job)
{
	struct viewer *vw = container_of(job, struct viewer, pump.job);

	vw->pump.woken = false;
	pump_run(vw);
	return false;
}

void
pump_init(struct viewer *vw)
{
	vw->pump.timer = loop_timer_new(vw->run->loop, pump_timer, vw);
	vw->pump.job.fn = pump_step;
}

void
pump_fini(struct viewer *vw)
{
	loop_timer_free(vw->pump.timer);
	lane_drop(vw->run->lane, &vw->pump.job);
}

/* --- deadlines ------------------------------------------------------------------ */

static void
run_due(struct viewer *vw, mono_ms now)
{
	unsigned i;

	for (i = due_take(&vw->due, 0, now); i < VIEWER_DUE_COUNT;
	     i = due_take(&vw->due, i + 1, now))
		if (vw->all->ops->due[i] != NULL)
			vw->all->ops->due[i](vw, now);
}

void
pump_echo_due(struct viewer *vw, mono_ms now)
{
	mono_ms at = now;

	if (echo_expire(&vw->echo, now)) {
		if (vw->echo.lazy)
			at = mono_min(vw->due.at[VIEWER_DUE_ACK],
			    mono_add(now, ECHO_LAZY));
		due_set(&vw->due, VIEWER_DUE_ACK, at);
	}
	due_set(&vw->due, VIEWER_DUE_ECHO, echo_deadline(&vw->echo));
}

/* may_build turns this deadline off: the view built then has the echo ack. */
void
pump_ack_due(struct viewer *vw, UNUSED mono_ms now)
{
	vw->pump.dirty = true;
}

void
pump_modes_due(struct viewer *vw, mono_ms now)
{
	if (view_modes_changed(&vw->builder))
		vw->pump.dirty = true;
	else if (++vw->pump.modes_looks < PUMP_MODES_LOOKS)
		due_set(&vw->due, VIEWER_DUE_MODES,
		    now + ((mono_ms)PUMP_MODES_MS << vw->pump.modes_looks));
}

void
pump_view_due(struct viewer *vw, mono_ms now)
{
	if (view_expire(&vw->builder, now))
		vw->pump.dirty = true;
	due_set(&vw->due, VIEWER_DUE_VIEW, view_deadline(&vw->builder));
	/* A mode may have ended by its time. */
	run_drain(vw->run);
}

/* --- pacing --------------------------------------------------------------------- */

/* The pacing interval of every client; see PUMP_SHARE_PERCENT. */
static mono_ms
frame_every(const struct viewers *vs)
{
	uint64_t all = vs->frame_ns * vs->list.count;

	return CLAMP((mono_ms)(all / (PUMP_SHARE_PERCENT * 10000)),
	    (mono_ms)PUMP_FRAME_MS, (mono_ms)PUMP_FRAME_MAX_MS);
}

/* Adds the frame begun at BEGIN (sys_now_us) to the average frame time. */
static void
frame_took(struct viewers *vs, uint64_t begin)
{
	uint64_t ns =
	    MIN_OF((sys_now_us() - begin) * 1000, (uint64_t)PUMP_FRAME_MAX_NS);

	vs->frame_ns = (vs->frame_ns * 63 + ns) / 64;
}

/* Takes a token for this frame and sets the earliest time of the next one. */
static void
pace(struct viewer *vw, mono_ms now)
{
	const mono_ms every = frame_every(vw->all);
	mono_ms gained = (now - vw->pump.token_at) / every;

	if (gained > 0) {
		vw->pump.tokens = (unsigned)MIN_OF(
		    gained + vw->pump.tokens, (mono_ms)PUMP_TOKENS);
		vw->pump.token_at = now;
	}
	if (vw->pump.tokens > 0)
		vw->pump.tokens--;
	vw->pump.frame_at =
	    vw->pump.tokens > 0 ? now : vw->pump.token_at + every;
}

/*
 * Starts polling the modes of the pty: the client must not predict keys that
 * the pty does not echo.  Clients on a local link do not predict.
 */
static void
watch_modes(struct viewer *vw, mono_ms now)
{
	vw->pump.modes_looks = 0;
	due_set(&vw->due, VIEWER_DUE_MODES,
	    !vw->link->ops->far || !view_focus_echoes(&vw->builder)
		? MONO_NEVER
		: now + PUMP_MODES_MS);
}

/* Bytes written by the visible panes; stores the time of the last write. */
static uint64_t
panes_written(const struct viewer *vw, mono_ms *at)
{
	const struct winlink *wl = client_link(vw->client);
	const struct pane_io *io;
	struct list_node *n;
	struct pane *p;
	uint64_t written = 0;

	*at = 0;
	if (wl == NULL)
		return 0;
	WINDOW_FOREACH_PANE(p, n, wl->window)
	{
		if ((io = pane_io_find(vw->all->panes, p->id)) == NULL)
			continue;
		written += io->written;
		*at = MAX_OF(*at, io->written_at);
	}
	return written;
}

/* Passes the option pace on to the link, if an option has changed. */
static void
choose_pace(struct viewer *vw, mono_ms now)
{
	const struct options *o;
	uint64_t changes = 1;

	for (o = &vw->client->options; o != NULL; o = o->parent)
		changes += o->changes;
	if (changes == vw->pump.options)
		return;
	vw->pump.options = changes;
	remote_pace_by(vw->link->tp, now, &vw->client->options);
}

/* Whether a view may be built now; in a flood, postpones frame_at if not. */
static bool
may_build(struct viewer *vw, mono_ms now)
{
	mono_ms until, written_at;
	uint64_t written;

	if (now < vw->pump.frame_at || !vw->link->ops->ready(vw->link))
		return false;
	if (!vw->link->ops->far)
		return true;
	written = panes_written(vw, &written_at);
	until = flood_until(&vw->pump.flood, now,
	    ssp_transport_srtt(vw->link->tp), written, written_at);
	if (until > now) {
		vw->pump.frame_at = until;
		if (vw->pump.line_put_off)
			ssp_transport_put_off(vw->link->tp, now, until);
		return false;
	}
	if (written - vw->pump.flood.written >= FLOOD_BYTES &&
	    written > vw->pump.flood.written)
		(void)echo_flooded(&vw->echo);
	flood_shown(&vw->pump.flood, written);
	due_set(&vw->due, VIEWER_DUE_ACK, MONO_NEVER);
	return true;
}

/* Classifies the change from OLD to the new view; HOLD_NOT on a local link. */
static enum hold
news(const struct viewer *vw, const struct sync_view *old)
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

/*
 * Hands the new view to the transport.  A change that the client has already
 * predicted, or that will probably be followed by more, is sent later.
 */
static void
hand_over(struct viewer *vw, mono_ms now)
{
	const struct sync_view *old = ssp_transport_current(vw->link->tp);
	const enum hold what = news(vw, old);
	struct sync_view *view;
	mono_ms until;

	if (what == HOLD_ACK && old->echo_ack == vw->builder.view->echo_ack)
		return;
	vw->pump.line_put_off = what == HOLD_LINE;
	if (vw->builder.view == NULL) {
		ssp_transport_changed(vw->link->tp, now);
		return;
	}
	view = sync_view_clone(vw->builder.view);
	if (what == HOLD_NOT) {
		ssp_transport_set_current(vw->link->tp, now, view);
		return;
	}
	until =
	    mono_add(now, hold_time(what, ssp_transport_srtt(vw->link->tp)));
	switch (what) {
	case HOLD_NOT:
	case HOLD_ACK:
	case HOLD_TEXT:
		ssp_transport_set_later(vw->link->tp, now, view, until);
		break;
	case HOLD_LINE:
	case HOLD_DRAWN:
		ssp_transport_set_soon(vw->link->tp, now, view, until);
		break;
	}
}

/* Reports panes and views that are too large: to the log, panes to the user. */
static void
limits(struct viewer *vw)
{
	uint64_t big = ssp_transport_too_big(vw->link->tp);
	size_t clipped =
	    vw->builder.view == NULL ? 0 : vw->builder.view->clipped;

	if (clipped > vw->pump.clipped) {
		log_write(&vw->run->log, LOG_WARN, LOG_SERVER,
		    "client %s: %zu panes have more than %u cells: their last "
		    "rows are not shown",
		    vw->client->name, clipped, SYNC_FRAME_CELLS_MAX);
		message_show(vw, PUMP_LIMITS_MS,
		    "pane too large: last rows not shown; make it smaller");
	}
	vw->pump.clipped = clipped;
	/* Log the first one, then each time that the count has doubled. */
	if (big > vw->pump.too_big * 2)
		log_write(&vw->run->log, LOG_WARN, LOG_SERVER,
		    "client %s: %llu screen changes were too large to be sent",
		    vw->client->name, (unsigned long long)big);
	if (big > vw->pump.too_big * 2)
		vw->pump.too_big = big;
}

/* --- the pump ------------------------------------------------------------------- */

static void
build(struct viewer *vw, mono_ms now)
{
	vw->pump.dirty = false;
	pace(vw, now);
	vw->all->ops->build(vw);
	if (vw->link->ops->far) {
		due_set(&vw->due, VIEWER_DUE_ECHO, echo_deadline(&vw->echo));
		choose_pace(vw, now);
	}
	due_set(&vw->due, VIEWER_DUE_VIEW, view_deadline(&vw->builder));
	watch_modes(vw, now);
	hand_over(vw, now);
}

/* Builds the view only when the link is ready to send it. */
static void
pump_run(struct viewer *vw)
{
	mono_ms now = loop_now(vw->run->loop), next, due = MONO_NEVER;
	uint64_t begin = 0;

	run_due(vw, now);
	if (vw->pump.dirty && may_build(vw, now)) {
		begin = sys_now_us();
		build(vw, now);
	}
	if (vw->mirror != NULL) {
		due = mirror_pump(vw->mirror, vw->builder.view, now);
		if (due == MONO_NEVER)
			due = opening_pump(vw, now);
	}
	if (vw->pictures != NULL)
		due = mono_min(due, pictures_pump(vw->pictures, now));
	next = mono_min(due, vw->link->ops->pump(vw->link, now));
	if (begin != 0) {
		frame_took(vw->all, begin);
		limits(vw);
	}
	due_set(&vw->due, VIEWER_DUE_FRAME,
	    vw->pump.dirty && vw->link->ops->ready(vw->link) ? vw->pump.frame_at
							     : MONO_NEVER);
	loop_timer_set(vw->pump.timer, mono_min(next, vw->due.first));
}

static void
pump_turn(void *arg)
{
	struct viewer *vw = arg;

	vw->pump.woken = false;
	pump_run(vw);
}

void
pump_wake(struct viewer *vw)
{
	if (vw->pump.woken)
		return;
	vw->pump.woken = true;
	if (vw->client->guest)
		lane_add(vw->run->lane, &vw->pump.job);
	else
		loop_defer_new(vw->run->loop, pump_turn, vw);
}

void
pump_dirty(struct viewer *vw, bool urgent)
{
	vw->pump.dirty = true;
	vw->pump.flood.urgent |= urgent;
	pump_wake(vw);
}

void
pump_asked(struct viewer *vw, mono_ms now, const struct sync_event *ev)
{
	if (ev->kind != SYNC_TEXT && ev->kind != SYNC_KEY &&
	    ev->kind != SYNC_MOUSE && ev->kind != SYNC_PASTE)
		return;
	if (now - vw->pump.asked_at > PUMP_REPLY_MS)
		vw->pump.replies = 0;
	vw->pump.replies = MIN_OF(vw->pump.replies + 1, PUMP_REPLIES);
	vw->pump.asked_at = now;
}

void
pump_answered(struct viewer *vw)
{
	if (vw->pump.replies == 0)
		return;
	if (loop_now(vw->run->loop) - vw->pump.asked_at > PUMP_REPLY_MS) {
		vw->pump.replies = 0;
		return;
	}
	vw->pump.replies--;
	vw->pump.frame_at = 0;
	vw->pump.flood.urgent = true;
}
