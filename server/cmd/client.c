/* Attached clients: list, switch, refresh, lock. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "conf/keytable.h"
#include "mux/fmt/vars.h"
#include "server/cmd/cmd.h"
#include "server/cmd/resolve.h"
#include "server/cmd/shared.h"
#include "server/face/input.h"
#include "server/face/redraw.h"
#include "server/io/scope.h"

/* --- list-clients ---------------------------------------------------------- */

static int
by_name(const struct client *a, const struct client *b)
{
	return strcmp(a->name, b->name);
}

static int
by_creation(const struct client *a, const struct client *b)
{
	return (a->created > b->created) - (a->created < b->created);
}

static int
by_activity(const struct client *a, const struct client *b)
{
	return (a->used < b->used) - (a->used > b->used);
}

static int
by_size(const struct client *a, const struct client *b)
{
	return (a->w * a->h > b->w * b->h) - (a->w * a->h < b->w * b->h);
}

static const struct client_order {
	const char *name;
	int (*compare)(const struct client *a, const struct client *b);
} client_orders[] = {
	{ "name", by_name },
	{ "creation", by_creation },
	{ "activity", by_activity },
	{ "size", by_size },
};

/* Insertion sort: few clients, and it is stable. */
static void
sort_clients(
    struct client **all, size_t n, const struct client_order *by, bool down)
{
	struct client *moved;
	size_t i, j;

	for (i = 1; i < n; i++) {
		moved = all[i];
		for (j = i; j > 0; j--) {
			int r = by->compare(all[j - 1], moved);

			if (down ? r >= 0 : r <= 0)
				break;
			all[j] = all[j - 1];
		}
		all[j] = moved;
	}
}

static void
list_client(struct cmd_context *c, struct client *cl, size_t n)
{
	static const char line[] =
	    "#{client_name}: #{session_name} "
	    "[#{client_width}x#{client_height} #{client_termname}] "
	    "#{?#{!=:#{client_uid},#{uid}},[user "
	    "#{?client_user,#{client_user},#{client_uid},}] ,}"
	    "#{?client_flags,(,}#{client_flags}#{?client_flags,),}"
	    "#{?#{!=:#{client_link},local}, "
	    "#{?#{!=:#{client_role},admin},#{client_role} ,}#{client_link} "
	    "#{client_address} #{?#{==:#{client_rtt},},not measured,"
	    "#{client_rtt} ms}#, #{client_loss} %#, heard "
	    "#{client_silence} ms ago,}";
	const char *format = args_get(c->args, 'F');
	const char *filter = args_get(c->args, 'f');
	char count[24];
	const struct format_var var = { "line", count };
	struct scope_where w = {
		.client = cl,
		.session = cl->session,
		.link = client_link(cl),
		.pane = client_pane(cl),
		.state = c->state,
		.vars = &var,
		.var_count = 1,
		.command = c->cmd->row->name,
		.file = cmd_file_name(c->cmd),
		.env = c->conn == NULL ? NULL : conn_env(c->conn),
		.kind = VARS_CLIENT,
	};
	bool show = true;
	char *text;

	snprintf(count, sizeof(count), "%zu", n);
	if (filter != NULL) {
		text = scope_new(c->sv->scope, &w, filter, 0);
		show = format_true(text);
		mem_free(text);
	}
	if (!show)
		return;
	text = scope_new(c->sv->scope, &w, format != NULL ? format : line, 0);
	cmd_say(c, "%s", text);
	mem_free(text);
}

enum cmd_result
cmd_exec_list_clients(struct cmd_context *c)
{
	const char *order = args_get(c->args, 'O');
	const struct client_order *by = NULL;
	struct cause why = { NULL };
	struct cmd_target t;
	struct map *map = &c->sv->run.mux->clients;
	struct client **all, *cl;
	struct map_entry *e;
	size_t i, n = 0;

	for (i = 0; order != NULL && i < ARRAY_LEN(client_orders); i++)
		if (str_eq_nocase(client_orders[i].name, order))
			by = &client_orders[i];
	/* As in tmux, a window or pane that is named must be there. */
	if (args_get(c->args, 't') != NULL &&
	    resolve_target(c, TGT_SESSION, args_get(c->args, 't'), &t, &why) !=
		0)
		return cmd_cause(c, &why);
	if (order != NULL && !cmd_order_known(order))
		return cmd_error(c, "invalid sort order");
	all = mem_calloc(map->count + 1, sizeof(struct client *));
	MAP_FOREACH(e, map) {
		cl = e->value;
		if (cl->session != NULL && (args_get(c->args, 't') == NULL ||
					       cl->session == c->target.s))
			all[n++] = cl;
	}
	if (by == NULL)
		by = &client_orders[1];
	sort_clients(all, n, by, args_has(c->args, 'r') != 0);
	for (i = 0; i < n; i++)
		list_client(c, all[i], i);
	mem_free(all);
	return CMD_NORMAL;
}

/* --- switch-client ----------------------------------------------------------- */

/* Makes the target of -t current in its session. */
static enum cmd_result
switch_target(struct cmd_context *c, struct session **s)
{
	const char *text = args_get(c->args, 't');
	unsigned what = TGT_SESSION | TGT_UNATTACHED;
	struct cause why = { NULL };
	struct cmd_target t;
	bool zoomed;

	if (text != NULL &&
	    (text[strcspn(text, ":.%")] != '\0' || strcmp(text, "=") == 0))
		what = TGT_PANE;
	if (resolve_target(c, what, text, &t, &why) != 0)
		return cmd_cause(c, &why);
	*s = t.s;
	if (t.wl == NULL || what != TGT_PANE)
		return CMD_NORMAL;
	zoomed = t.w->zoomed;
	if (t.p != t.w->active) {
		(void)window_unzoom(t.w);
		(void)window_set_active(t.w, t.p);
		if (zoomed && args_has(c->args, 'Z'))
			(void)window_zoom(t.p);
	}
	(void)session_select(t.wl);
	return CMD_NORMAL;
}

/* tmux tells a control client its session even if it is the same. */
static void
say_again(struct cmd_context *c, const struct client *cl)
{
	struct mux_event e = mux_event_make(MUX_EVENT_CLIENT_SESSION);

	e.client = cl->id;
	e.session = cl->session->id;
	if ((cl->flags & CLIENT_CONTROL) != 0)
		controllers_event(&c->sv->controllers, &e);
}

enum cmd_result
cmd_exec_switch_client(struct cmd_context *c)
{
	const char *table = args_get(c->args, 'T');
	struct client *cl = c->client;
	struct mux *m = c->sv->run.mux;
	struct session *s = NULL;
	struct cmd_target t;

	if (args_has(c->args, 'r')) {
		bool on = (cl->flags & CLIENT_READONLY) == 0;

		client_set_flags(cl, CLIENT_READONLY | CLIENT_IGNORE_SIZE, on);
	}
	if (table != NULL) {
		if (!keytable_exists(
			client_find_table(cl, c->sv->run.keys, table)))
			return cmd_error(c, "table %s doesn't exist", table);
		if (c->viewer != NULL)
			keys_set_table(c->viewer, table);
		else
			client_set_table(cl, table);
		viewers_redraw_status(&c->sv->viewers, cl->session);
		return CMD_NORMAL;
	}
	if (args_has(c->args, 'n') || args_has(c->args, 'p')) {
		if (cmd_step_session(c, cl->session,
			args_has(c->args, 'n') != 0, &s) == CMD_ERROR)
			return CMD_ERROR;
	} else if (args_has(c->args, 'l')) {
		if ((s = mux_session(m, cl->last_session)) == NULL)
			return cmd_error(c, "can't find last session");
	} else if (switch_target(c, &s) == CMD_ERROR)
		return CMD_ERROR;
	if (!args_has(c->args, 'E') && c->viewer != NULL)
		cmd_update_environment(
		    c->sv, conn_find(&c->sv->conns, c->viewer->conn_id), s);
	if (cl->session == s)
		say_again(c, cl);
	client_set_session(cl, s);
	t = resolve_session(s);
	cmd_set_current(c, &t);
	if ((c->state->flags & CMD_STATE_REPEAT) == 0)
		client_set_table(cl, NULL);
	if (c->viewer != NULL) {
		c->viewer->builder.status_dirty =
		    c->viewer->builder.chrome_dirty = true;
		viewer_dirty(c->viewer);
	}
	return CMD_NORMAL;
}

/* --- refresh-client ----------------------------------------------------------- */

/* -c -L -R -U -D: move the visible part of a large window. */
static enum cmd_result
refresh_pan(struct cmd_context *c)
{
	static const struct {
		char flag;
		int dx;
		int dy;
	} ways[] = { { 'L', -1, 0 }, { 'R', 1, 0 }, { 'U', 0, -1 },
		{ 'D', 0, 1 } };
	size_t i;
	int by;

	if (!cmd_adjustment(c, &by))
		return CMD_ERROR;
	by = MIN_OF(by, LAYOUT_SIZE_MAX);
	if (args_has(c->args, 'c'))
		client_pan_reset(c->client);
	else
		for (i = 0; i < ARRAY_LEN(ways); i++)
			if (args_has(c->args, ways[i].flag)) {
				client_pan(c->client, ways[i].dx * by,
				    ways[i].dy * by);
				break;
			}
	if (c->viewer != NULL)
		viewer_dirty(c->viewer);
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_refresh_client(struct cmd_context *c)
{
	static const char pans[] = "cLRUD", controls[] = "ABCr";
	struct controller *ct = controller_of(&c->sv->controllers, c->client);
	struct viewer *vw = c->viewer;
	const char *flags = args_get(c->args, 'f');
	struct cause why = { NULL };
	bool control = false;
	size_t i;

	for (i = 0; pans[i] != '\0'; i++)
		if (args_has(c->args, pans[i]))
			return refresh_pan(c);
	if (args_has(c->args, 'l')) {
		if (vw != NULL)
			clipboard_fetch(vw);
		return CMD_NORMAL;
	}
	if (flags == NULL)
		flags = args_get(c->args, 'F');
	for (i = 0; controls[i] != '\0'; i++)
		control = control || args_has(c->args, controls[i]);
	if (control && ct == NULL)
		return cmd_error(c, "not a control client");
	if (flags != NULL && client_parse_flags(c->client, flags, &why) != 0)
		return cmd_cause(c, &why);
	if (ct != NULL && flags != NULL)
		controller_flags(ct);
	if (control)
		return cmd_refresh_control(c, ct);
	if (vw == NULL || flags != NULL)
		return CMD_NORMAL;
	vw->builder.status_dirty = true;
	if (!args_has(c->args, 'S'))
		vw->builder.chrome_dirty = true;
	viewer_dirty(vw);
	return CMD_NORMAL;
}

/* --- locking ------------------------------------------------------------------ */

/* Locks the clients of S, or all (NULL). */
static enum cmd_result
lock_all(struct cmd_context *c, const struct session *s)
{
	struct list_node *n;
	struct viewer *vw;

	LIST_FOREACH(n, &c->sv->viewers.list) {
		vw = container_of(n, struct viewer, node);
		if (s == NULL || vw->client->session == s)
			viewer_lock(vw);
	}
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_lock_server(struct cmd_context *c)
{
	return lock_all(c, NULL);
}

enum cmd_result
cmd_exec_lock_session(struct cmd_context *c)
{
	return lock_all(c, c->target.s);
}

enum cmd_result
cmd_exec_lock_client(struct cmd_context *c)
{
	if (c->viewer != NULL)
		viewer_lock(c->viewer);
	return CMD_NORMAL;
}
