#include "server/events.h"

#include <sys/wait.h>

#include <stdio.h>
#include <string.h>

#include "base/io/pty.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "base/str.h"
#include "mux/alert.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/window.h"
#include "server/conn.h"
#include "server/pane_io.h"
#include "server/redraw.h"
#include "server/remote.h"
#include "server/server.h"
#include "server/viewer.h"

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
	struct window *w;

	LIST_FOREACH(n, &sv->viewers) {
		vw = container_of(n, struct viewer, node);
		if (vw->replies == 0 || vw->client->session == NULL ||
		    vw->client->session->current == NULL)
			continue;
		w = vw->client->session->current->window;
		if (w->active != NULL && w->active->id == e->pane)
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

/* A client whose session is gone and that nothing else keeps. */
static void
on_client_detached(struct server *sv, const struct mux_event *e)
{
	struct client *c = mux_client(sv->mux, e->client);
	struct viewer *vw = c == NULL ? NULL : viewer_find(sv, c);

	if (vw != NULL && c->session == NULL)
		viewer_detach(vw, 0, "exited");
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
	{ MUX_EVENT_CLIENT_DETACHED, on_client_detached },
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
	size_t i;

	if (option_match(hook, &name, NULL) != 0 || name.row == NULL)
		return;
	if ((name.row->scope & OPT_WINDOW) != 0)
		o = w != NULL ? &w->options : &sv->mux->window_options;
	entry = options_find(o, &name);
	if (entry != NULL && entry->count > 0) {
		cmd_state_init(&st);
		st.flags |= CMD_STATE_NOHOOKS;
		st.session = e->session;
		st.window = e->window;
		st.pane = e->pane;
		st.client = e->client;
		st.index = e->index;
		for (i = 0; i < entry->count; i++)
			if (entry->items[i].value.commands != NULL)
				cmdq_append(sv->queue,
				    entry->items[i].value.commands, &st, NULL,
				    NULL);
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
	char name[256];
	const char *base, *shown;

	if (io == NULL || io->fd < 0 || io->looks == 0 ||
	    !options_flag(&w->options, OPTION_AUTOMATIC_RENAME))
		return;
	io->looks--;
	pane_io_command(io, name, sizeof(name));
	base = strrchr(name, '/');
	shown = base == NULL ? name : base + 1;
	if (*shown == '-')
		shown++;
	if (*shown != '\0' && strcmp(w->name, shown) != 0)
		window_set_name(w, shown);
}

void
events_tick(struct server *sv)
{
	struct map_entry *e;

	mux_set_now(sv->mux, loop_now(sv->loop), sys_wall() * 1000);
	MAP_FOREACH(e, &sv->mux->windows)
		auto_name(sv, e->value);
	(void)alert_run(sv->mux);
}

bool
events_want_tick(struct server *sv)
{
	return !list_empty(&sv->viewers);
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

	/* on or external: the user's clipboard follows. */
	if (options_number(&sv->mux->server_options, OPTION_SET_CLIPBOARD) == 0)
		return;
	buf_init(&b, SYNC_EFFECT_DATA_MAX);
	(void)buf_addf(&b, "%s;", e->data2 == NULL ? "" : e->data2);
	(void)str_base64_encode(&b, e->data, e->len);
	LIST_FOREACH(n, &sv->viewers) {
		vw = container_of(n, struct viewer, node);
		if (vw->client->session != NULL &&
		    vw->client->session->current->window == p->window)
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
		if (vw->client->session != NULL &&
		    vw->client->session->current != NULL &&
		    vw->client->session->current->window == p->window)
			viewer_effect(vw, kind, data, n);
	}
}

static void
effect_bell(struct server *sv, struct pane *p, UNUSED const struct vt_effect *e)
{
	alert_bell(p);
	effect_to_viewers(sv, p, SYNC_EFFECT_BELL, NULL, 0);
	(void)alert_run(sv->mux);
}

static void
effect_title(
    UNUSED struct server *sv, struct pane *p, const struct vt_effect *e)
{
	pane_set_title(p, e->data == NULL ? "" : e->data);
}

static void
effect_notify(struct server *sv, struct pane *p, const struct vt_effect *e)
{
	effect_to_viewers(sv, p, SYNC_EFFECT_NOTIFY, e->data, e->len);
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
	{ VT_EFFECT_CLIPBOARD_SET, effect_clipboard },
	{ VT_EFFECT_NOTIFY, effect_notify },
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
	/* on, or failed and it did */
	if (remain == 1 ||
	    (remain == 2 && !(WIFEXITED(status) && WEXITSTATUS(status) == 0)))
		pane_set_dead(p, WIFEXITED(status) ? WEXITSTATUS(status) : -1,
		    WIFSIGNALED(status) ? WTERMSIG(status) : 0);
	else
		window_close_pane(p);
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
	sv->stopped = true;
	loop_stop(sv->loop);
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

	if (vw != NULL)
		viewer_free(vw);
	client_free(c);
	server_drain(sv);
}
