#include "server/events.h"

#include <sys/wait.h>

#include <stdio.h>
#include <string.h>

#include "base/io/pty.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "base/pen.h"
#include "base/str.h"
#include "conf/format_draw.h"
#include "mux/alert.h"
#include "mux/client.h"
#include "mux/fmt/vars.h"
#include "mux/paste.h"
#include "mux/session.h"
#include "mux/window.h"
#include "server/face/clipboard.h"
#include "server/io/conn.h"
#include "server/hooks.h"
#include "server/face/input.h"
#include "server/io/pane_io.h"
#include "server/face/people.h"
#include "server/face/redraw.h"
#include "server/io/remote.h"
#include "server/io/scope.h"
#include "server/server.h"
#include "server/settings.h"
#include "server/face/viewer.h"

typedef void (*event_fn)(struct server *sv, const struct mux_event *e);

/* --- one function for each kind of consequence ------------------------------- */

static void on_window_look(struct server *sv, const struct mux_event *e);

static void
on_window(struct server *sv, const struct mux_event *e)
{
	struct window *w = mux_window(sv->mux, e->window);

	if (w != NULL)
		redraw_window(sv, w);
}

/* The program of PANE (NULL: of every pane) may be another one. */
static void
look_again(struct server *sv, const struct pane *pane)
{
	struct list_node *n;
	struct pane_io *io;

	LIST_FOREACH(n, &sv->panes) {
		io = container_of(n, struct pane_io, node);
		if (pane == NULL || io->pane_id == pane->id)
			io->looks = PANE_LOOKS;
	}
}

static void
on_window_pane(struct server *sv, const struct mux_event *e)
{
	struct window *w = mux_window(sv->mux, e->window);

	if (w != NULL && w->active != NULL)
		look_again(sv, w->active);
	on_window_look(sv, e);
}

/* Places, borders, names: all that a window shows besides its panes. */
static void
on_window_look(struct server *sv, const struct mux_event *e)
{
	struct list_node *n;

	LIST_FOREACH(n, &sv->viewers) {
		struct viewer *vw = container_of(n, struct viewer, node);

		vw->chrome_dirty = true;
		vw->status_dirty = true;
	}
	on_window(sv, e);
	redraw_status(sv, NULL);
}

static void
on_status(struct server *sv, UNUSED const struct mux_event *e)
{
	redraw_status(sv, NULL);
}

static void
on_session(struct server *sv, const struct mux_event *e)
{
	struct session *s = mux_session(sv->mux, e->session);

	if (s != NULL)
		redraw_session(sv, s);
	on_status(sv, e);
}

static void
on_session_created(struct server *sv, const struct mux_event *e)
{
	sv->had_session = true;
	on_status(sv, e);
}

/* The last session is gone: so is the server, unless exit-empty is off. */
static void
on_session_closed(struct server *sv, const struct mux_event *e)
{
	on_status(sv, e);
	if (sv->mux->session_ids.count == 0 && sv->had_session &&
	    options_flag(&sv->mux->server_options, OPTION_EXIT_EMPTY))
		server_exit(sv);
}

static void
on_pane_output(struct server *sv, const struct mux_event *e)
{
	struct list_node *n;
	struct viewer *vw;
	const struct pane *p;

	LIST_FOREACH(n, &sv->viewers) {
		vw = container_of(n, struct viewer, node);
		if (vw->replies == 0)
			continue;
		p = client_pane(vw->client);
		if (p != NULL && p->id == e->pane)
			viewer_reply(vw);
	}
	on_window(sv, e);
}

static void
on_pane_closed(struct server *sv, const struct mux_event *e)
{
	pane_io_free(pane_io_find(sv, e->pane));
	on_window_look(sv, e);
}

static void
on_pane_resized(struct server *sv, const struct mux_event *e)
{
	struct pane_io *io = pane_io_find(sv, e->pane);
	struct pane *p = mux_pane(sv->mux, e->pane);

	if (p != NULL)
		vt_term_set_cell_pixels(p->term, (unsigned)p->window->cell_w,
		    (unsigned)p->window->cell_h);
	if (io != NULL && p != NULL)
		pane_io_resize(io,
		    (struct cell_size){ (uint16_t)p->w, (uint16_t)p->h },
		    (unsigned)(p->w * p->window->cell_w),
		    (unsigned)(p->h * p->window->cell_h));
	on_window_look(sv, e);
}

static void
on_focus(struct server *sv, const struct mux_event *e)
{
	struct pane_io *io = pane_io_find(sv, e->pane);
	struct pane *p = mux_pane(sv->mux, e->pane);
	bool in = e->type == MUX_EVENT_PANE_FOCUS_IN;

	if (io == NULL || p == NULL ||
	    (vt_term_state(p->term)->modes & VT_FRAME_FOCUS) == 0)
		return;
	(void)pane_io_write(io, in ? "\033[I" : "\033[O", 3);
}

/* One row a kind of alert: what it is called, and which option shows it. */
static const struct alert_row {
	enum mux_event_type type;
	const char *name;
	enum option_id visual;
} alert_rows[] = {
	{ MUX_EVENT_ALERT_BELL, "Bell", OPTION_VISUAL_BELL },
	{ MUX_EVENT_ALERT_ACTIVITY, "Activity", OPTION_VISUAL_ACTIVITY },
	{ MUX_EVENT_ALERT_SILENCE, "Silence", OPTION_VISUAL_SILENCE },
};

/* Rings and says so where the session is looked at: off, on, both. */
static void
alert_tell(struct viewer *vw, const struct alert_row *row, int index)
{
	const struct session *s = vw->client->session;
	int64_t visual = options_number(&s->options, row->visual);
	char *text;

	if (visual != 1)
		viewer_effect(vw, SYNC_EFFECT_BELL, NULL, 0);
	if (visual == 0)
		return;
	if (s->current != NULL && s->current->index == index)
		text = mem_printf("%s in current window", row->name);
	else
		text = mem_printf("%s in window %d", row->name, index);
	viewer_message(vw,
	    (mono_ms)options_number(&s->options, OPTION_DISPLAY_TIME), text);
	mem_free(text);
}

static void
on_alert(struct server *sv, const struct mux_event *e)
{
	struct list_node *n;
	struct viewer *vw;
	size_t i;

	LIST_FOREACH(n, &sv->viewers) {
		vw = container_of(n, struct viewer, node);
		if (vw->client->session == NULL ||
		    vw->client->session->id != e->session)
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

	if (!options_flag(&sv->mux->server_options, OPTION_EXIT_UNATTACHED))
		return;
	MAP_FOREACH(e, &sv->mux->clients) {
		c = e->value;
		if (c->session != NULL)
			return;
	}
	server_exit(sv);
}

/* A client whose session is gone and that nothing else keeps. */
static void
on_client_detached(struct server *sv, const struct mux_event *e)
{
	struct client *c = mux_client(sv->mux, e->client);
	struct viewer *vw = c == NULL ? NULL : viewer_find(sv, c);

	if (vw != NULL && c->session == NULL)
		viewer_detach(vw, 0, "exited");
	on_unattached(sv);
}

static void
on_client_attached(struct server *sv, const struct mux_event *e)
{
	struct client *c = mux_client(sv->mux, e->client);

	if (c != NULL && !c->guest)
		people_joined(sv, c);
}

/* Flags, role, own pane, own key table: who follows it shows that, too. */
static void
on_client_table(struct server *sv, const struct mux_event *e)
{
	struct list_node *n;
	struct viewer *vw;

	LIST_FOREACH(n, &sv->viewers) {
		vw = container_of(n, struct viewer, node);
		if (vw->client->id != e->client &&
		    (vw->client->follow == MUX_NONE))
			continue;
		vw->chrome_dirty = vw->status_dirty = true;
		viewer_dirty(vw);
	}
}

static void
on_all(struct server *sv, UNUSED const struct mux_event *e)
{
	look_again(sv, NULL);
	redraw_all(sv);
}

/* The types that have a consequence beside their hook. */
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
	{ MUX_EVENT_WINDOW_RENAMED, on_window_look },
	{ MUX_EVENT_WINDOW_RESIZED, on_window_look },
	{ MUX_EVENT_WINDOW_LAYOUT, on_window_look },
	{ MUX_EVENT_WINDOW_PANE, on_window_pane },
	{ MUX_EVENT_WINDOW_ZOOMED, on_window_look },
	{ MUX_EVENT_WINDOW_UNZOOMED, on_window_look },
	{ MUX_EVENT_WINDOW_FLAGS, on_status },
	{ MUX_EVENT_PANE_CREATED, on_window_look },
	{ MUX_EVENT_PANE_CLOSED, on_pane_closed },
	{ MUX_EVENT_PANE_DIED, on_window_look },
	{ MUX_EVENT_PANE_MOVED, on_window_look },
	{ MUX_EVENT_PANE_RESIZED, on_pane_resized },
	{ MUX_EVENT_PANE_TITLE, on_window_look },
	{ MUX_EVENT_PANE_FLAGS, on_window_look },
	{ MUX_EVENT_PANE_MODE, on_window_look },
	{ MUX_EVENT_PANE_OUTPUT, on_pane_output },
	{ MUX_EVENT_PANE_FOCUS_IN, on_focus },
	{ MUX_EVENT_PANE_FOCUS_OUT, on_focus },
	{ MUX_EVENT_ALERT_BELL, on_alert },
	{ MUX_EVENT_ALERT_ACTIVITY, on_alert },
	{ MUX_EVENT_ALERT_SILENCE, on_alert },
	{ MUX_EVENT_CLIENT_ATTACHED, on_client_attached },
	{ MUX_EVENT_CLIENT_DETACHED, on_client_detached },
	{ MUX_EVENT_CLIENT_TABLE, on_client_table },
	{ MUX_EVENT_OPTION_CHANGED, on_all },
};

/* Commands that hang on the event's name, in the session or globally. */
static void
run_hook(struct server *sv, const struct mux_event *e, const char *hook)
{
	struct session *s = mux_session(sv->mux, e->session);
	const struct options *o =
	    s != NULL ? &s->options : &sv->mux->session_options;
	const struct option_entry *entry;
	struct option_name name;
	struct cmd_state st;
	struct window *w = mux_window(sv->mux, e->window);
	struct vars_event ve;
	size_t i;
	bool ran;

	if (option_match(hook, &name, NULL) != 0 || name.row == NULL)
		return;
	if ((name.row->scope & OPT_WINDOW) != 0)
		o = w != NULL ? &w->options : &sv->mux->window_options;
	entry = options_find(o, &name);
	ran = entry != NULL && entry->count > 0;
	if (ran || hooks_waited(sv->hooks, hook)) {
		cmd_state_init(&st);
		st.hook = hook_vars_new();
		vars_event_init(&ve, sv->mux, e);
		for (i = 0; i < ve.count; i++)
			hook_vars_add(
			    st.hook, ve.vars[i].name, ve.vars[i].value);
		vars_event_fini(&ve);
		st.flags |= CMD_STATE_NOHOOKS;
		st.session = e->session;
		st.window = e->window;
		st.pane = e->pane;
		st.client = e->client;
		st.index = e->index;
		for (i = 0; ran && i < entry->count; i++)
			if (entry->items[i].value.commands != NULL)
				cmdq_append(sv->queue,
				    entry->items[i].value.commands, &st, NULL,
				    NULL);
		hooks_tell(sv->hooks, hook, &st, ran);
		hook_vars_unref(st.hook);
	}
}

void
events_drain(struct server *sv)
{
	struct mux_event e;
	const char *hook;
	size_t i;
	bool hooks = false;

	while (mux_next_event(sv->mux, &e)) {
		for (i = 0; i < ARRAY_LEN(event_rows); i++)
			if (event_rows[i].type == e.type)
				event_rows[i].fn(sv, &e);
		hook = mux_event_row(e.type)->hook;
		if (hook != NULL && !sv->exiting) {
			run_hook(sv, &e, hook);
			hooks = true;
		}
		mux_event_fini(&e);
	}
	if (hooks && !cmdq_empty(sv->queue) && !sv->config_loading)
		cmdq_run(sv->queue);
}

void
server_options_changed(struct server *sv)
{
	struct map_entry *e;

	sv->options_seq++;
	settings_apply(sv);
	MAP_FOREACH(e, &sv->mux->windows)
		window_options_changed(e->value);
	client_fit_windows(sv->mux);
	redraw_all(sv);
}

/* --- with time -------------------------------------------------------------------- */

/* What automatic-rename calls a window: the foreground program's name. */
static void
auto_name(struct server *sv, struct window *w)
{
	struct pane_io *io = pane_io_find(sv, w->active->id);
	char *name;

	if (!options_flag(&w->options, OPTION_AUTOMATIC_RENAME))
		return;
	if ((w->active->flags & PANE_DEAD) == 0) {
		if (io == NULL || io->fd < 0 || io->looks == 0)
			return;
		io->looks--;
	}
	name = scope_expand_pane_new(sv, NULL, w->active,
	    options_string(&w->options, OPTION_AUTOMATIC_RENAME_FORMAT), 0);
	if (*name != '\0' && strcmp(w->name, name) != 0)
		window_set_name(w, name);
	mem_free(name);
}

/* lock-after-time: clients that nobody has used for so long. */
static void
lock_idle(struct server *sv)
{
	struct list_node *n;
	struct viewer *vw;
	int64_t after;

	LIST_FOREACH(n, &sv->viewers) {
		vw = container_of(n, struct viewer, node);
		if (vw->client->session == NULL || vw->locked)
			continue;
		after = options_number(
		    &vw->client->session->options, OPTION_LOCK_AFTER_TIME);
		if (after > 0 &&
		    sv->mux->wall - vw->client->activity >= after * 1000)
			viewer_lock(vw);
	}
}

void
events_tick(struct server *sv)
{
	struct map_entry *e;

	mux_set_now(sv->mux, loop_now(sv->loop), sys_wall() * 1000);
	MAP_FOREACH(e, &sv->mux->windows)
		auto_name(sv, e->value);
	lock_idle(sv);
	hooks_tick(sv->hooks, loop_now(sv->loop));
	(void)alert_run(sv->mux);
}

bool
events_want_tick(struct server *sv)
{
	return !list_empty(&sv->viewers) || hooks_want_tick(sv->hooks);
}

/* --- what pane_io reports ----------------------------------------------------------- */

void
server_pane_output(struct server *sv, uint32_t id)
{
	struct pane *p = mux_pane(sv->mux, id);

	if (p == NULL)
		return;
	mux_set_now(sv->mux, loop_now(sv->loop), sys_wall() * 1000);
	pane_output(p);
	server_drain(sv);
}

static void
effect_clipboard(struct server *sv, struct pane *p, const struct vt_effect *e)
{
	struct list_node *n;
	struct viewer *vw;
	struct buf b;

	/* Programs may with on only; external is for commands. */
	if (options_number(&sv->mux->server_options, OPTION_SET_CLIPBOARD) != 2)
		return;
	if (e->len > 0)
		(void)paste_add(sv->mux->paste, NULL, e->data, e->len);
	mux_say(sv->mux, MUX_EVENT_PANE_CLIPBOARD, NULL, p->window, p, NULL);
	buf_init(&b, SYNC_EFFECT_DATA_MAX);
	(void)buf_addf(&b, "%s;", e->data2 == NULL ? "" : e->data2);
	(void)str_base64_encode(&b, e->data, e->len);
	LIST_FOREACH(n, &sv->viewers) {
		vw = container_of(n, struct viewer, node);
		/* security: a guest's clipboard is none of ours. */
		if (!vw->client->guest && client_link(vw->client) != NULL &&
		    client_link(vw->client)->window == p->window)
			viewer_effect(vw, SYNC_EFFECT_CLIPBOARD, b.data, b.len);
	}
	buf_fini(&b);
}

static void
effect_to_viewers(struct server *sv, struct pane *p, enum sync_effect_kind kind,
    const void *data, size_t n)
{
	struct list_node *node;
	struct viewer *vw;

	LIST_FOREACH(node, &sv->viewers) {
		vw = container_of(node, struct viewer, node);
		if ((!vw->client->guest || kind == SYNC_EFFECT_BELL) &&
		    client_link(vw->client) != NULL &&
		    client_link(vw->client)->window == p->window)
			viewer_effect(vw, kind, data, n);
	}
}

static void
effect_bell(struct server *sv, struct pane *p, UNUSED const struct vt_effect *e)
{
	alert_bell(p);
	(void)alert_run(sv->mux);
}

static void
effect_title(
    UNUSED struct server *sv, struct pane *p, const struct vt_effect *e)
{
	if (options_flag(&p->options, OPTION_ALLOW_SET_TITLE))
		pane_set_title(p, e->data == NULL ? "" : e->data);
}

/* allow-rename: an empty name gives the window back to automatic-rename. */
static void
effect_name(struct server *sv, struct pane *p, const struct vt_effect *e)
{
	const char *name = e->data == NULL ? "" : e->data;
	struct option_name automatic;
	struct window *w = p->window;

	if (!options_flag(&p->options, OPTION_ALLOW_RENAME) ||
	    option_match("automatic-rename", &automatic, NULL) != 0)
		return;
	if (*name != '\0') {
		(void)options_set_text(
		    &w->options, "automatic-rename", "off", NULL);
		window_set_name(w, name);
		return;
	}
	options_unset(&w->options, &automatic);
	if (!options_flag(&w->options, OPTION_AUTOMATIC_RENAME))
		window_set_name(w, name);
	look_again(sv, w->active);
}

static void
effect_notify(struct server *sv, struct pane *p, const struct vt_effect *e)
{
	effect_to_viewers(sv, p, SYNC_EFFECT_NOTIFY, e->data, e->len);
}

/* OSC 9;4 of the pane that is looked at. */
static void
effect_progress(struct server *sv, struct pane *p, const struct vt_effect *e)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "%d;%d", e->a, e->b);

	if (p->window->active == p)
		effect_to_viewers(sv, p, SYNC_EFFECT_PROGRESS, text, (size_t)n);
}

static void
effect_passthrough(struct server *sv, struct pane *p, const struct vt_effect *e)
{
	if (options_number(&p->options, OPTION_ALLOW_PASSTHROUGH) != 0)
		effect_to_viewers(
		    sv, p, SYNC_EFFECT_PASSTHROUGH, e->data, e->len);
}

static void
effect_prompt(
    UNUSED struct server *sv, struct pane *p, const struct vt_effect *e)
{
	if (e->a >= 'A' && e->a <= 'D')
		pane_shell_mark(p, (char)e->a, e->b);
}

static const struct effect_row {
	enum vt_effect_kind kind;
	void (*fn)(
	    struct server *sv, struct pane *p, const struct vt_effect *e);
} effect_rows[] = {
	{ VT_EFFECT_BELL, effect_bell },
	{ VT_EFFECT_TITLE, effect_title },
	{ VT_EFFECT_NAME, effect_name },
	{ VT_EFFECT_CLIPBOARD_SET, effect_clipboard },
	{ VT_EFFECT_CLIPBOARD_GET, clipboard_asked },
	{ VT_EFFECT_NOTIFY, effect_notify },
	{ VT_EFFECT_PROGRESS, effect_progress },
	{ VT_EFFECT_PASSTHROUGH, effect_passthrough },
	{ VT_EFFECT_PROMPT, effect_prompt },
};

void
server_pane_effect(struct server *sv, uint32_t id, const struct vt_effect *e)
{
	struct pane *p = mux_pane(sv->mux, id);
	size_t i;

	if (p == NULL)
		return;
	for (i = 0; i < ARRAY_LEN(effect_rows); i++)
		if (effect_rows[i].kind == e->kind)
			effect_rows[i].fn(sv, p, e);
}

/* remain-on-exit-format in the last line, which what is there makes room for. */
static void
pane_say_dead(struct server *sv, struct pane *p)
{
	static const struct pen plain;
	struct format_drawn drawn;
	char sgr[PEN_SGR_MAX], *text;
	struct buf b;
	size_t i;

	text = scope_expand_pane_new(sv, NULL, p,
	    options_string(&p->options, OPTION_REMAIN_ON_EXIT_FORMAT),
	    FORMAT_STRFTIME);
	buf_init(&b, 1 << 20);
	/* No margins, the last line, a line feed with the default pen. */
	(void)buf_addf(&b, "\033[?6l\033[?69l\033[r\033[m\033[%d;1H\n", p->h);
	format_draw(&drawn, sv->graphemes, &plain, text, strlen(text), p->w);
	for (i = 0; i < drawn.run_count; i++) {
		if (drawn.runs[i].len == 0)
			continue;
		(void)buf_addf(&b, "\033[%dG", drawn.runs[i].x + 1);
		(void)buf_add(
		    &b, sgr, pen_sgr(&plain, &drawn.runs[i].pen, sgr));
		(void)buf_add(&b, drawn.runs[i].text, drawn.runs[i].len);
		(void)buf_add_str(&b, "\033[m");
	}
	if (*text != '\0')
		vt_term_write(p->term, b.data, b.len);
	format_drawn_fini(&drawn);
	buf_fini(&b);
	mem_free(text);
}

/* renumber-windows, where a window has gone with its program. */
static void
renumber_all(struct server *sv)
{
	struct map_entry *e;
	struct session *s;

	MAP_FOREACH(e, &sv->mux->session_ids) {
		s = e->value;
		if (s->current != NULL &&
		    options_flag(&s->options, OPTION_RENUMBER_WINDOWS))
			session_renumber(s);
	}
}

void
server_pane_exited(struct server *sv, uint32_t id)
{
	struct pane_io *io = pane_io_find(sv, id);
	struct pane *p = mux_pane(sv->mux, id);
	int64_t remain;
	int status;

	if (io == NULL || p == NULL)
		return;
	mux_set_now(sv->mux, loop_now(sv->loop), sys_wall() * 1000);
	status = io->status;
	remain = options_number(&p->options, OPTION_REMAIN_ON_EXIT);
	/* on, key, or failed and it did */
	if (remain == 1 || remain == 3 ||
	    (remain == 2 && !(WIFEXITED(status) && WEXITSTATUS(status) == 0))) {
		pane_set_dead(p, WIFEXITED(status) ? WEXITSTATUS(status) : -1,
		    WIFSIGNALED(status) ? WTERMSIG(status) : 0);
		pane_say_dead(sv, p);
		auto_name(sv, p->window);
	} else if (!window_close_pane(p))
		renumber_all(sv);
	server_drain(sv);
}

void
server_drain(struct server *sv)
{
	if (sv->draining)
		return;
	sv->draining = true;
	events_drain(sv);
	sv->draining = false;
	server_arm_tick(sv);
	server_look_empty(sv);
}

/* --- the end --------------------------------------------------------------------------- */

static void
server_stop(void *arg)
{
	struct server *sv = arg;

	/* Farewells of clients go first; they close their connections. */
	if ((!list_empty(&sv->viewers) || remotes_busy(sv->remotes)) &&
	    loop_now(sv->loop) < sv->stop_at) {
		loop_timer_set(
		    sv->stop_timer, mono_add(loop_now(sv->loop), 20));
		return;
	}
	(void)loop_stop(sv->loop);
}

void
server_exit(struct server *sv)
{
	struct list_node *n;

	if (sv->exiting)
		return;
	sv->exiting = true;
	server_close_socket(sv);
	LIST_FOREACH(n, &sv->viewers)
		viewer_detach(container_of(n, struct viewer, node), 0,
		    sv->mux->session_ids.count == 0 ? "exited"
						    : "server exited");
	conn_exit_all(sv);
	sv->stop_at = mono_add(loop_now(sv->loop), 1000);
	sv->stop_timer = loop_timer_new(sv->loop, server_stop, sv);
	loop_timer_set(sv->stop_timer, mono_add(loop_now(sv->loop), 1));
}

void
server_client_gone(struct server *sv, struct client *c)
{
	struct viewer *vw = viewer_find(sv, c);

	log_write(&sv->log, LOG_INFO, LOG_SERVER, "client %s goes", c->name);
	people_left(sv, c);
	if (vw != NULL)
		viewer_free(vw);
	client_free(c);
	server_drain(sv);
}
