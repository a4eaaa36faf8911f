#include "server/core/events.h"

#include "base/mem.h"
#include "mux/client.h"
#include "mux/fmt/vars.h"
#include "mux/mode/mode.h"
#include "mux/mux.h"
#include "mux/paste.h"
#include "mux/session.h"
#include "mux/window.h"
#include "server/core/agents.h"
#include "server/core/end.h"
#include "server/core/hook_order.h"
#include "server/core/hook_run.h"
#include "server/core/hooks.h"
#include "server/core/pane_wait.h"
#include "server/core/programs.h"
#include "server/core/server.h"
#include "server/core/settings.h"
#include "server/core/tick.h"
#include "server/core/watch.h"
#include "server/face/ask.h"
#include "server/face/me_conf.h"
#include "server/face/message.h"
#include "server/face/notices.h"
#include "server/face/people.h"
#include "server/face/requests.h"
#include "server/io/pane_io.h"
#include "server/run/audit.h"
#include "server/run/cmdq.h"
#include "server/run/notes.h"

typedef void (*event_fn)(struct server *sv, const struct mux_event *e);

/* --- one function for each kind of consequence ------------------------------- */

static void on_window_look(struct server *sv, const struct mux_event *e);

static void
on_window(struct server *sv, const struct mux_event *e)
{
	struct window *w = mux_window(sv->run.mux, e->window);

	if (w != NULL)
		viewers_redraw_window(&sv->viewers, w);
}

/* Ends the roles for a closed window or pane. */
static void
end_roles(struct server *sv, uint32_t window, uint32_t pane)
{
	const struct client *c;

	while ((c = client_role_gone(sv->run.mux, window, pane)) != NULL)
		audit_say(sv->run.audit, "role", c, "role", "view", "by",
		    pane == MUX_NONE ? "end of window" : "end of pane", NULL);
}

static void
on_window_closed(struct server *sv, const struct mux_event *e)
{
	end_roles(sv, e->window, MUX_NONE);
}

static void
on_window_pane(struct server *sv, const struct mux_event *e)
{
	struct window *w = mux_window(sv->run.mux, e->window);

	if (w != NULL && w->active != NULL)
		pane_io_look(&sv->panes, w->active->id, false);
	on_window_look(sv, e);
}

/* Redraws a window's layout, borders and names. */
static void
on_window_look(struct server *sv, const struct mux_event *e)
{
	struct list_node *n;

	LIST_FOREACH(n, &sv->viewers.list) {
		struct viewer *vw = container_of(n, struct viewer, node);

		vw->builder.chrome_dirty = true;
		vw->builder.status_dirty = true;
	}
	on_window(sv, e);
	viewers_redraw_status(&sv->viewers, NULL);
}

static void
on_status(struct server *sv, UNUSED const struct mux_event *e)
{
	viewers_redraw_status(&sv->viewers, NULL);
}

static void
on_session(struct server *sv, const struct mux_event *e)
{
	struct session *s = mux_session(sv->run.mux, e->session);

	if (s != NULL)
		viewers_redraw_session(&sv->viewers, s);
	on_status(sv, e);
}

/* As in tmux, a session that nobody has attached goes, too. */
static void
check_unattached(void *arg)
{
	struct server *sv = arg;

	client_check_unattached(sv->run.mux);
	run_drain(&sv->run);
}

static void
on_session_created(struct server *sv, const struct mux_event *e)
{
	/* The caller may attach it in the same turn. */
	loop_defer(sv->run.loop, check_unattached, sv);
	sv->end.had_session = true;
	on_status(sv, e);
}

/* The last session is gone: end the server, unless exit-empty is off. */
static void
on_session_closed(struct server *sv, const struct mux_event *e)
{
	on_status(sv, e);
	if (sv->run.mux->session_ids.count == 0 && sv->end.had_session &&
	    options_flag(&sv->run.mux->server_options, OPTION_EXIT_EMPTY))
		end_begin(sv);
}

/* Tells the modes over a pane what happens below them. */
static void
mode_tell(struct server *sv, const struct mux_event *e, enum mode_event event)
{
	struct pane *p = mux_pane(sv->run.mux, e->pane);

	if (p != NULL)
		mode_event(p, event);
}

static void
on_pane_output(struct server *sv, const struct mux_event *e)
{
	struct list_node *n;
	struct viewer *vw;
	const struct pane *p;

	LIST_FOREACH(n, &sv->viewers.list) {
		vw = container_of(n, struct viewer, node);
		if (vw->pump.replies == 0)
			continue;
		p = client_pane(vw->client);
		if (p != NULL && p->id == e->pane)
			pump_answered(vw);
	}
	mode_tell(sv, e, MODE_EVENT_OUTPUT);
	on_window(sv, e);
}

static void
on_pane_title(struct server *sv, const struct mux_event *e)
{
	mode_tell(sv, e, MODE_EVENT_TITLE);
	on_window_look(sv, e);
}

static void
on_pane_closed(struct server *sv, const struct mux_event *e)
{
	pane_io_free(pane_io_find(&sv->panes, e->pane));
	end_roles(sv, MUX_NONE, e->pane);
	on_window_look(sv, e);
	pane_wait_end(sv, e->pane);
}

static void
on_pane_died(struct server *sv, const struct mux_event *e)
{
	on_window_look(sv, e);
	pane_wait_end(sv, e->pane);
}

/*
 * Tells a pane's pty its size in cells and pixels, and its program what the
 * terminal reports of that.
 */
static void
on_pane_outer(struct server *sv, const struct mux_event *e)
{
	struct pane_io *io = pane_io_find(&sv->panes, e->pane);
	struct pane *p = mux_pane(sv->run.mux, e->pane);

	if (p == NULL || io == NULL)
		return;
	pane_io_resize(io, (struct cell_size){ (uint16_t)p->w, (uint16_t)p->h },
	    (unsigned)(p->w * p->window->outer.cell_w),
	    (unsigned)(p->h * p->window->outer.cell_h));
	pane_io_effects(io);
}

/* A window of its own is named after the pane's program in the same turn. */
static void
on_pane_moved(struct server *sv, const struct mux_event *e)
{
	struct window *w = mux_window(sv->run.mux, e->window);

	on_pane_outer(sv, e);
	on_window_look(sv, e);
	if (w == NULL || w->active == NULL || w->panes.count > 1)
		return;
	pane_io_look(&sv->panes, e->pane, false);
	programs_name(sv, w);
}

static void
on_pane_resized(struct server *sv, const struct mux_event *e)
{
	struct pane *p = mux_pane(sv->run.mux, e->pane);

	if (p != NULL)
		mode_resize(p);
	on_pane_outer(sv, e);
	on_window_look(sv, e);
}

static void
on_focus(struct server *sv, const struct mux_event *e)
{
	struct pane_io *io = pane_io_find(&sv->panes, e->pane);
	struct pane *p = mux_pane(sv->run.mux, e->pane);
	bool in = e->type == MUX_EVENT_PANE_FOCUS_IN;

	if (io == NULL || p == NULL ||
	    (vt_term_state(p->term)->modes & VT_FRAME_FOCUS) == 0)
		return;
	(void)pane_io_write(io, in ? "\033[I" : "\033[O", 3);
}

/* A row for each kind of alert: its name and the option that shows it. */
static const struct alert_row {
	enum mux_event_type type;
	const char *name;
	enum option_id visual;
} alert_rows[] = {
	{ MUX_EVENT_ALERT_BELL, "Bell", OPTION_VISUAL_BELL },
	{ MUX_EVENT_ALERT_ACTIVITY, "Activity", OPTION_VISUAL_ACTIVITY },
	{ MUX_EVENT_ALERT_SILENCE, "Silence", OPTION_VISUAL_SILENCE },
};

/* Rings (off, both) and shows a message (on, both). */
static void
alert_tell(struct viewer *vw, const struct alert_row *row, int index)
{
	const struct session *s = vw->client->session;
	int64_t visual = options_number(&s->options, row->visual);
	char *text;

	/* The three visual options have the same choices. */
	if (visual != VISUAL_BELL_ON)
		viewer_effect(vw, SYNC_EFFECT_BELL, NULL, 0);
	if (visual == VISUAL_BELL_OFF)
		return;
	if (s->current != NULL && s->current->index == index)
		text = mem_printf("%s in current window", row->name);
	else
		text = mem_printf("%s in window %d", row->name, index);
	message_show(vw,
	    (mono_ms)options_number(&s->options, OPTION_DISPLAY_TIME), text);
	mem_free(text);
}

static void
on_alert(struct server *sv, const struct mux_event *e)
{
	const struct winlink *wl;
	struct list_node *n;
	struct viewer *vw;
	size_t i;

	LIST_FOREACH(n, &sv->viewers.list) {
		vw = container_of(n, struct viewer, node);
		wl = client_link(vw->client);
		if (wl == NULL || wl->session->id != e->session)
			continue;
		/* security: a guest is not told of other windows. */
		if (vw->client->guest && wl->index != e->index)
			continue;
		for (i = 0; i < ARRAY_LEN(alert_rows); i++)
			if (alert_rows[i].type == e->type)
				alert_tell(vw, &alert_rows[i], e->index);
	}
	on_status(sv, e);
}

/* exit-unattached: without a client the server ends. */
static void
on_unattached(struct server *sv)
{
	struct map_entry *e;
	const struct client *c;

	if (!options_flag(&sv->run.mux->server_options, OPTION_EXIT_UNATTACHED))
		return;
	MAP_FOREACH(e, &sv->run.mux->clients) {
		c = e->value;
		if (c->session != NULL)
			return;
	}
	end_begin(sv);
}

/* Status lines and borders show how many guests are there. */
static void
mark_guests(struct server *sv)
{
	struct list_node *n;
	struct viewer *vw;

	LIST_FOREACH(n, &sv->viewers.list) {
		vw = container_of(n, struct viewer, node);
		vw->builder.chrome_dirty = vw->builder.status_dirty = true;
		viewer_dirty(vw);
	}
}

/* Detaches a client that has no session any more. */
static void
on_client_detached(struct server *sv, const struct mux_event *e)
{
	struct client *c = mux_client(sv->run.mux, e->client);
	struct viewer *vw = c == NULL ? NULL : viewer_find(&sv->viewers, c);

	struct controller *ct = controller_of(&sv->controllers, c);

	if (vw != NULL && c->session == NULL)
		viewer_detach(vw, 0, "exited");
	if (ct != NULL && c->session == NULL)
		controller_leave(ct, ct->code, NULL);
	mark_guests(sv);
	on_unattached(sv);
}

static void
on_client_attached(struct server *sv, const struct mux_event *e)
{
	struct client *c = mux_client(sv->run.mux, e->client);
	struct viewer *vw = c == NULL ? NULL : viewer_find(&sv->viewers, c);

	if (vw != NULL)
		me_conf_apply(vw);
	/* A guest by ticket joins when it has said its name. */
	if (c != NULL && (!c->guest || c->uid >= 0))
		people_joined(&sv->viewers, c);
	else
		mark_guests(sv);
	/* A new admin is asked, too. */
	if (ask_first(&sv->viewers) != NULL)
		ask_show(&sv->viewers);
}

/*
 * Redraws the status lines of a changed client and of clients that follow it.
 */
static void
on_client_table(struct server *sv, const struct mux_event *e)
{
	const struct client *c = mux_client(sv->run.mux, e->client);
	struct list_node *n;
	struct viewer *vw;

	if (c != NULL && c->guest)
		mark_guests(sv);
	LIST_FOREACH(n, &sv->viewers.list) {
		vw = container_of(n, struct viewer, node);
		if (vw->client->id != e->client &&
		    (vw->client->follow == MUX_NONE))
			continue;
		vw->builder.chrome_dirty = vw->builder.status_dirty = true;
		viewer_dirty(vw);
		if (vw->client->id == e->client)
			me_conf_apply(vw);
	}
}

/* The name of a window may change; events_options_changed does the rest. */
static void
on_option(struct server *sv, UNUSED const struct mux_event *e)
{
	pane_io_look(&sv->panes, 0, true);
}

/* The name of a window tells whether its pane is in a mode. */
static void
on_pane_mode(struct server *sv, const struct mux_event *e)
{
	pane_io_look(&sv->panes, e->pane, false);
	requests_queue(&sv->viewers);
	on_window_look(sv, e);
}

/* Wipes a piece of the large paste buffers that are gone in each turn. */
static void
wipe_turn(void *arg)
{
	struct server *sv = arg;

	if (paste_wipe(sv->run.mux->paste))
		loop_defer(sv->run.loop, wipe_turn, sv);
}

static void
on_paste(struct server *sv, UNUSED const struct mux_event *e)
{
	loop_defer(sv->run.loop, wipe_turn, sv);
}

/* Event types that have an effect besides their hook. */
static const struct event_row {
	enum mux_event_type type;
	event_fn fn;
} event_rows[] = {
	{ MUX_EVENT_SESSION_CREATED, on_session_created },
	{ MUX_EVENT_SESSION_CLOSED, on_session_closed },
	{ MUX_EVENT_SESSION_RENAMED, on_session },
	{ MUX_EVENT_SESSION_WINDOW, on_session },
	{ MUX_EVENT_WINDOW_LINKED, on_session },
	{ MUX_EVENT_WINDOW_UNLINKED, on_session },
	{ MUX_EVENT_WINDOW_MOVED, on_session },
	{ MUX_EVENT_WINDOW_CLOSED, on_window_closed },
	{ MUX_EVENT_WINDOW_RENAMED, on_window_look },
	{ MUX_EVENT_WINDOW_RESIZED, on_window_look },
	{ MUX_EVENT_WINDOW_LAYOUT, on_window_look },
	{ MUX_EVENT_WINDOW_PANE, on_window_pane },
	{ MUX_EVENT_WINDOW_ZOOMED, on_window_look },
	{ MUX_EVENT_WINDOW_UNZOOMED, on_window_look },
	{ MUX_EVENT_WINDOW_FLAGS, on_status },
	{ MUX_EVENT_PANE_CREATED, on_window_look },
	{ MUX_EVENT_PANE_CLOSED, on_pane_closed },
	{ MUX_EVENT_PANE_DIED, on_pane_died },
	{ MUX_EVENT_PANE_MOVED, on_pane_moved },
	{ MUX_EVENT_PANE_RESIZED, on_pane_resized },
	{ MUX_EVENT_PANE_OUTER, on_pane_outer },
	{ MUX_EVENT_PANE_TITLE, on_pane_title },
	{ MUX_EVENT_PANE_USER_VAR, on_window_look },
	{ MUX_EVENT_PANE_FLAGS, on_window_look },
	{ MUX_EVENT_MARKED_PANE, on_window_look },
	{ MUX_EVENT_PANE_MODE, on_pane_mode },
	{ MUX_EVENT_PANE_OUTPUT, on_pane_output },
	{ MUX_EVENT_PANE_FOCUS_IN, on_focus },
	{ MUX_EVENT_PANE_FOCUS_OUT, on_focus },
	{ MUX_EVENT_ALERT_BELL, on_alert },
	{ MUX_EVENT_ALERT_ACTIVITY, on_alert },
	{ MUX_EVENT_ALERT_SILENCE, on_alert },
	{ MUX_EVENT_CLIENT_ATTACHED, on_client_attached },
	{ MUX_EVENT_CLIENT_DETACHED, on_client_detached },
	{ MUX_EVENT_CLIENT_TABLE, on_client_table },
	{ MUX_EVENT_PASTE_CHANGED, on_paste },
	{ MUX_EVENT_PASTE_DELETED, on_paste },
	{ MUX_EVENT_OPTION_CHANGED, on_option },
};

/* Handles the events; queues the commands of their hooks. */
static void
take_events(struct server *sv)
{
	struct hook_batch batch;
	struct mux_event e;
	size_t i;

	hook_batch_init(&batch);
	while (mux_next_event(sv->run.mux, &e)) {
		sv->changed = true;
		sv->run.mux->events.quiet = e.quiet;
		for (i = 0; i < ARRAY_LEN(event_rows); i++)
			if (event_rows[i].type == e.type)
				event_rows[i].fn(sv, &e);
		notices_event(&sv->viewers, &e);
		viewers_tell_modes(
		    &sv->viewers, e.type == MUX_EVENT_PANE_OUTPUT);
		controllers_event(&sv->controllers, &e);
		hook_batch_add(&batch, sv->run.mux, &e);
		mux_event_fini(&e);
	}
	sv->run.mux->events.quiet = false;
	notices_turn(&sv->viewers);
	controllers_told(&sv->controllers);
	hook_batch_sort(&batch);
	for (i = 0; i < batch.count && !sv->run.exiting; i++)
		if (!batch.entries[i].dropped)
			hook_run(sv, &batch.entries[i]);
	hooks_kept_clear(sv);
	hook_batch_fini(&batch);
}

/* Times that commands may wait for an event of the one before, in one drain. */
#define DRAIN_ROUNDS 1000

/* Runs the hooks of hooks. */
static void
drain_again(void *arg)
{
	struct server *sv = arg;

	run_drain(&sv->run);
}

static void
drain(struct server *sv)
{
	unsigned rounds = DRAIN_ROUNDS;
	bool ran;

	take_events(sv);
	ran = !cmdq_empty(sv->run.queue);
	if (ran)
		cmdq_run_hooks(&sv->run);
	/*
	 * The caller must find nothing of what these commands have freed, nor
	 * what those that waited for an event (wait-for -E) have, so take their
	 * events now. Their hooks run in the next turn of the loop: a hook that
	 * runs itself stops nobody.
	 */
	for (; (ran || sv->run.mux->events.count > 0) && rounds > 0; rounds--) {
		take_events(sv);
		ran = false;
	}
	if (cmdq_ready(sv->run.queue) && !notes_loading(sv->run.notes))
		loop_defer(sv->run.loop, drain_again, sv);
}

void
events_drain(void *arg)
{
	struct server *sv = arg;

	if (sv->draining)
		return;
	sv->draining = true;
	drain(sv);
	sv->draining = false;
	if (!sv->ticking)
		tick_arm(sv->tick);
	if (sv->run.mux->session_ids.count == 0)
		end_if_empty(sv);
}

void
events_options_changed(struct server *sv, unsigned effects)
{
	loop_defer(sv->run.loop, check_unattached, sv);
	if (effects == OPT_ON_NOTHING)
		return;
	if (effects == OPT_ON_USER) {
		viewers_redraw_user_options(&sv->viewers);
		return;
	}
	settings_apply(sv->settings, effects);
	if (effects & OPT_ON_WATCH)
		watch_apply(sv->watch);
	if (effects & OPT_ON_SOCKETS)
		agents_follow(sv->agents);
	/* mux_option_changed has fitted sizes. Any format may show the value. */
	viewers_redraw_all(&sv->viewers);
}
