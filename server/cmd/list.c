#include <pwd.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "conf/format.h"
#include "mux/fmt/vars.h"
#include "server/cmd/cmd.h"
#include "server/cmd/resolve.h"
#include "server/cmd/shared.h"

/*
 * Makes CL stand for the program that gave the command: as in tmux it is the
 * client of lists that no attached client asks for.
 */
static void
list_caller(struct cmd_context *c, struct client *cl)
{
	const struct conn *cn = c->conn;
	const struct passwd *pw = getpwuid(conn_uid(cn));
	const char *tty = conn_tty(cn);

	memset(cl, 0, sizeof(*cl));
	cl->name = *tty != '\0' ? mem_strdup(tty)
				: mem_printf("client-%ld", (long)conn_pid(cn));
	cl->tty = mem_strdup(tty);
	cl->term = mem_strdup(conn_term(cn));
	cl->user = mem_strdup(pw == NULL ? "" : pw->pw_name);
	cl->pid = conn_pid(cn);
	cl->uid = conn_uid(cn);
	cl->created = cl->activity = c->sv->run.mux->wall;
	cl->last_session = MUX_NONE;
	cl->w = 80;
	cl->flags = CLIENT_FOCUSED;
	if (conn_flags(cn) & CONTROL_FLAG_UTF8)
		cl->flags |= CLIENT_UTF8;
}

static void
list_caller_fini(struct client *cl)
{
	mem_free(cl->name);
	mem_free(cl->tty);
	mem_free(cl->term);
	mem_free(cl->user);
}

/* Expands FORMAT for row N, its target T. */
static char *
list_expand_new(struct cmd_context *c, const struct cmd_target *t, size_t n,
    const char *format)
{
	char *text, line[24];
	struct client caller;
	/* Without a client, tmux says no to what is about one. */
	const struct format_var vars[] = {
		{ "line", line },
		{ "session_active", "0" },
		{ "window_bigger", "0" },
		{ "client_height", "" },
		{ "client_cell_height", "" },
		{ "client_cell_width", "" },
		{ "client_colours", "" },
		{ "client_link", "" },
	};

	snprintf(line, sizeof(line), "%zu", n);
	c->shown = c->client;
	if (c->client != NULL || c->conn == NULL)
		return cmd_format_vars_new(
		    c, t, format, vars, c->client == NULL ? 3 : 1);
	list_caller(c, &caller);
	c->shown = &caller;
	text = cmd_format_vars_new(c, t, format, vars, ARRAY_LEN(vars));
	c->shown = NULL;
	list_caller_fini(&caller);
	return text;
}

static void
list_line(struct cmd_context *c, const struct cmd_target *t, size_t n,
    const char *format)
{
	const char *filter = args_get(c->args, 'f');
	bool show = true;
	char *text;

	if (args_get(c->args, 'F') != NULL)
		format = args_get(c->args, 'F');
	if (filter != NULL) {
		text = list_expand_new(c, t, n, filter);
		show = format_true(text);
		mem_free(text);
	}
	if (!show)
		return;
	text = list_expand_new(c, t, n, format);
	cmd_say(c, "%s", text);
	mem_free(text);
}

/* --- order: -O and -r ----------------------------------------------------------- */

/* Rows before they are sorted. */
struct list_rows {
	struct cmd_target *all;
	size_t count;
};

static void
list_add(struct list_rows *rows, struct cmd_target t)
{
	rows->all = mem_resize(rows->all, rows->count + 1, sizeof(*rows->all));
	rows->all[rows->count++] = t;
}

/* Returns less than 0 if A comes first. */
typedef int64_t (*list_order_fn)(
    const struct cmd_target *a, const struct cmd_target *b);

static int64_t
session_by_name(const struct cmd_target *a, const struct cmd_target *b)
{
	return strcmp(a->s->name, b->s->name);
}

/* The order in which rows are found. */
static int64_t
by_place(UNUSED const struct cmd_target *a, UNUSED const struct cmd_target *b)
{
	return 0;
}

static int64_t
session_by_index(const struct cmd_target *a, const struct cmd_target *b)
{
	return (int64_t)a->s->id - (int64_t)b->s->id;
}

static int64_t
session_by_creation(const struct cmd_target *a, const struct cmd_target *b)
{
	return (int64_t)a->s->id - (int64_t)b->s->id;
}

static int64_t
session_by_activity(const struct cmd_target *a, const struct cmd_target *b)
{
	int64_t d = b->s->activity - a->s->activity;

	/* What was made later in the same second. */
	return d != 0 ? d : (int64_t)b->s->id - (int64_t)a->s->id;
}

static int64_t
window_by_name(const struct cmd_target *a, const struct cmd_target *b)
{
	return strcmp(a->w->name, b->w->name);
}

static int64_t
window_by_index(const struct cmd_target *a, const struct cmd_target *b)
{
	int64_t d = a->wl->index - b->wl->index;

	return d != 0 ? d : window_by_name(a, b);
}

static int64_t
window_by_creation(const struct cmd_target *a, const struct cmd_target *b)
{
	return (int64_t)a->w->id - (int64_t)b->w->id;
}

static int64_t
window_by_activity(const struct cmd_target *a, const struct cmd_target *b)
{
	int64_t d = b->w->activity - a->w->activity;

	return d != 0 ? d : (int64_t)b->w->id - (int64_t)a->w->id;
}

static int64_t
window_by_size(const struct cmd_target *a, const struct cmd_target *b)
{
	int64_t d = a->w->w * a->w->h - b->w->w * b->w->h;

	return d != 0 ? d : window_by_name(a, b);
}

static int64_t
pane_by_index(const struct cmd_target *a, const struct cmd_target *b)
{
	return pane_position(a->p) - pane_position(b->p);
}

static int64_t
pane_by_name(const struct cmd_target *a, const struct cmd_target *b)
{
	return strcmp(a->p->title, b->p->title);
}

static int64_t
pane_by_creation(const struct cmd_target *a, const struct cmd_target *b)
{
	return (int64_t)a->p->id - (int64_t)b->p->id;
}

static int64_t
pane_by_activity(const struct cmd_target *a, const struct cmd_target *b)
{
	int64_t d = b->p->last_output - a->p->last_output;

	return d != 0 ? d : pane_by_name(a, b);
}

static int64_t
pane_by_size(const struct cmd_target *a, const struct cmd_target *b)
{
	int64_t d = a->p->w * a->p->h - b->p->w * b->p->h;

	return d != 0 ? d : pane_by_name(a, b);
}

static int64_t
pane_by_z(const struct cmd_target *a, const struct cmd_target *b)
{
	int64_t d = window_pane_z(a->p) - window_pane_z(b->p);

	return d != 0 ? d : pane_by_name(a, b);
}

/* The orders in which sessions, windows and panes can be listed. */
static const struct list_order {
	const char *name;
	list_order_fn session;
	list_order_fn window;
	list_order_fn pane;
} list_orders[] = {
	{ "activity", session_by_activity, window_by_activity,
	    pane_by_activity },
	{ "creation", session_by_creation, window_by_creation,
	    pane_by_creation },
	{ "index", session_by_index, window_by_index, pane_by_index },
	{ "key", session_by_index, window_by_index, pane_by_index },
	{ "modifier", session_by_name, window_by_name, pane_by_name },
	{ "name", session_by_name, window_by_name, pane_by_name },
	{ "order", by_place, by_place, pane_by_index },
	{ "size", session_by_name, window_by_size, pane_by_size },
	{ "z", session_by_name, window_by_name, pane_by_z },
};

/*
 * Finds the order of -O (*OUT NULL: no -O); false after an error was reported.
 */
static bool
list_order_of(struct cmd_context *c, const struct list_order **out)
{
	const char *name = args_get(c->args, 'O');
	size_t i;

	*out = NULL;
	for (i = 0; name != NULL && i < ARRAY_LEN(list_orders); i++)
		if (str_eq_nocase(list_orders[i].name, name))
			*out = &list_orders[i];
	if (name == NULL || cmd_order_known(name))
		return true;
	(void)cmd_error(c, "invalid sort order");
	return false;
}

/*
 * Sorts the rows from FROM by ORDER, in reverse if DOWN; NULL: not at all.  The
 * sort is stable.
 */
static void
list_sort(struct list_rows *rows, size_t from, list_order_fn order, bool down)
{
	struct cmd_target moved;
	const int sign = down ? -1 : 1;
	size_t i, j;

	if (order == by_place && down)
		for (i = from, j = rows->count; i + 1 < j; i++) {
			moved = rows->all[i];
			rows->all[i] = rows->all[--j];
			rows->all[j] = moved;
		}
	for (i = from + 1; order != NULL && i < rows->count; i++) {
		moved = rows->all[i];
		for (j = i;
		     j > from && sign * order(&rows->all[j - 1], &moved) > 0;
		     j--)
			rows->all[j] = rows->all[j - 1];
		rows->all[j] = moved;
	}
}

/* Sorts the rows by ORDER and prints them. */
static void
list_print(struct cmd_context *c, struct list_rows *rows, list_order_fn order,
    enum vars_kind kind, const char *format)
{
	size_t i;

	list_sort(rows, 0, order, args_has(c->args, 'r') != 0);
	c->kind = (int)kind;
	/* As in tmux, line counts the windows, or the panes of the window. */
	for (i = 0; i < rows->count; i++)
		list_line(c, &rows->all[i],
		    kind == VARS_WINDOW ? rows->count
		    : kind == VARS_PANE ? rows->all[i].w->panes.count
					: i,
		    format);
	mem_free(rows->all);
}

/* --- sessions, windows, panes ----------------------------------------------------- */

enum cmd_result
cmd_exec_list_sessions(struct cmd_context *c)
{
	const struct list_order *order;
	struct list_rows rows = { .all = NULL };
	struct map_entry *e;

	if (!list_order_of(c, &order))
		return CMD_ERROR;
	MAP_FOREACH(e, &c->sv->run.mux->sessions)
		list_add(&rows, resolve_session(e->value));
	list_print(c, &rows, order == NULL ? NULL : order->session,
	    VARS_SESSION,
	    "#{session_name}: #{session_windows} windows (created "
	    "#{t:session_created})"
	    "#{?session_grouped, (group ,}#{session_group}"
	    "#{?session_grouped,),}#{?session_attached, (attached),}");
	return CMD_NORMAL;
}

enum cmd_result
cmd_step_session(
    struct cmd_context *c, struct session *from, bool next, struct session **to)
{
	const struct list_order *order;
	struct list_rows rows = { .all = NULL };
	struct map_entry *e;
	size_t i, n;

	*to = NULL;
	if (!list_order_of(c, &order))
		return CMD_ERROR;
	MAP_FOREACH(e, &c->sv->run.mux->sessions)
		list_add(&rows, resolve_session(e->value));
	list_sort(&rows, 0, order == NULL ? NULL : order->session, false);
	n = rows.count;
	for (i = 0; i < n && rows.all[i].s != from; i++)
		;
	if (i < n)
		*to = rows.all[(i + (next ? 1 : n - 1)) % n].s;
	mem_free(rows.all);
	if (*to == NULL)
		return cmd_error(
		    c, "can't find %s session", next ? "next" : "previous");
	return CMD_NORMAL;
}

static void
list_windows_of(struct list_rows *rows, struct session *s)
{
	struct list_node *n;
	struct winlink *wl;

	SESSION_FOREACH_LINK(wl, n, s)
	list_add(rows, resolve_winlink(wl));
}

enum cmd_result
cmd_exec_list_windows(struct cmd_context *c)
{
	const struct list_order *order;
	struct list_rows rows = { .all = NULL };
	struct map_entry *e;

	if (!list_order_of(c, &order))
		return CMD_ERROR;
	if (!args_has(c->args, 'a')) {
		list_windows_of(&rows, c->target.s);
		list_print(c, &rows, order == NULL ? NULL : order->window,
		    VARS_WINDOW,
		    "#{window_index}: #{window_name}#{window_raw_flags} "
		    "(#{window_panes} panes) "
		    "[#{window_width}x#{window_height}] [layout "
		    "#{window_layout}] #{window_id}"
		    "#{?window_active, (active),}");
		return CMD_NORMAL;
	}
	MAP_FOREACH(e, &c->sv->run.mux->sessions)
		list_windows_of(&rows, e->value);
	list_print(c, &rows, order == NULL ? NULL : order->window, VARS_WINDOW,
	    "#{session_name}:#{window_index}: "
	    "#{window_name}#{window_raw_flags} (#{window_panes} panes) "
	    "[#{window_width}x#{window_height}] ");
	return CMD_NORMAL;
}

/* Adds the panes of a window, sorted by -O and -r. */
static void
list_panes_of(struct cmd_context *c, struct list_rows *rows, struct winlink *wl,
    list_order_fn order)
{
	const size_t from = rows->count;
	struct list_node *n;
	struct pane *p;

	WINDOW_FOREACH_PANE(p, n, wl->window)
	list_add(rows, resolve_pane(wl, p));
	list_sort(rows, from, order, args_has(c->args, 'r') != 0);
}

enum cmd_result
cmd_exec_list_panes(struct cmd_context *c)
{
#define LIST_PANE                                             \
 "#{pane_index}: [#{pane_width}x#{pane_height}] [history "    \
 "#{history_size}/#{history_limit}, #{history_bytes} bytes] " \
 "#{pane_id}#{?pane_active, (active),}#{?pane_dead, (dead),}"
	static const char window[] = LIST_PANE;
	static const char session[] = "#{window_index}." LIST_PANE;
	static const char all[] = "#{session_name}:#{window_index}." LIST_PANE;
	const struct list_order *by;
	struct list_rows rows = { .all = NULL };
	list_order_fn order;
	struct map_entry *e;
	struct list_node *n;
	struct winlink *wl;
	struct session *s;
	bool several = args_has(c->args, 'a') || args_has(c->args, 's');

	if (!list_order_of(c, &by))
		return CMD_ERROR;
	order = by == NULL ? NULL : by->pane;
	if (!several)
		list_panes_of(c, &rows, c->target.wl, order);
	else
		MAP_FOREACH(e, &c->sv->run.mux->sessions) {
			s = e->value;
			if (!args_has(c->args, 'a') && s != c->target.s)
				continue;
			SESSION_FOREACH_LINK(wl, n, s)
			list_panes_of(c, &rows, wl, order);
		}
	list_print(c, &rows, NULL, VARS_PANE,
	    args_has(c->args, 'a') ? all
	    : several              ? session
				   : window);
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_list_commands(struct cmd_context *c)
{
	const char *format = args_get(c->args, 'F');
	const char *only = args_string(c->args, 0);
	const struct command_row *row = NULL;
	struct cause why = { NULL };
	char *text;
	int i;

	if (only != NULL && command_find(only, &row, &why) != 0)
		return cmd_cause(c, &why);
	if (only != NULL)
		only = row->name;
	if (format == NULL)
		format = "#{command_list_name}#{?command_list_alias, "
			 "(#{command_list_alias}),} #{command_list_usage}";
	c->shown = c->client;
	for (i = 0; i < COMMAND_COUNT; i++) {
		row = command_row(command_shown((size_t)i));
		const struct format_var vars[] = {
			{ "command_list_name", row->name },
			{ "command_list_alias",
			    row->alias == NULL ? "" : row->alias },
			{ "command_list_usage", row->usage },
		};

		if (only != NULL && strcmp(row->name, only) != 0)
			continue;
		text =
		    cmd_format_vars_new(c, NULL, format, vars, ARRAY_LEN(vars));
		cmd_say(c, "%s", text);
		mem_free(text);
	}
	return CMD_NORMAL;
}
