#include <string.h>

#include "base/mem.h"
#include "conf/format.h"
#include "server/cmd/cmd.h"
#include "server/cmd/resolve.h"

static void
list_line(struct cmd_context *c, const struct cmd_target *t, const char *format)
{
	const char *filter = args_get(c->args, 'f');
	char *text;
	bool show = true;

	if (args_get(c->args, 'F') != NULL)
		format = args_get(c->args, 'F');
	if (filter != NULL) {
		text = cmd_format_new(c, t, filter);
		show = format_true(text);
		mem_free(text);
	}
	if (!show)
		return;
	text = cmd_format_new(c, t, format);
	cmd_say(c, "%s", text);
	mem_free(text);
}

enum cmd_result
cmd_exec_list_sessions(struct cmd_context *c)
{
	struct map_entry *e;
	struct cmd_target t;

	MAP_FOREACH(e, &c->sv->mux->sessions) {
		t = resolve_session(e->value);
		list_line(c, &t,
		    "#{session_name}: #{session_windows} windows (created "
		    "#{t:session_created})#{?session_attached, (attached),}");
	}
	return CMD_NORMAL;
}

static void
list_windows_of(struct cmd_context *c, struct session *s, const char *format)
{
	struct list_node *n;
	struct winlink *wl;
	struct cmd_target t;

	SESSION_FOREACH_LINK(wl, n, s)
	{
		t = resolve_winlink(wl);
		list_line(c, &t, format);
	}
}

enum cmd_result
cmd_exec_list_windows(struct cmd_context *c)
{
	struct map_entry *e;

	if (!args_has(c->args, 'a')) {
		list_windows_of(c, c->target.s,
		    "#{window_index}: #{window_name}#{window_raw_flags} "
		    "(#{window_panes} panes) "
		    "[#{window_width}x#{window_height}] [layout "
		    "#{window_layout}] #{window_id}"
		    "#{?window_active, (active),}");
		return CMD_NORMAL;
	}
	MAP_FOREACH(e, &c->sv->mux->sessions)
		list_windows_of(c, e->value,
		    "#{session_name}:#{window_index}: "
		    "#{window_name}#{window_raw_flags} (#{window_panes} panes) "
		    "[#{window_width}x#{window_height}] ");
	return CMD_NORMAL;
}

static void
list_panes_of(struct cmd_context *c, struct winlink *wl, const char *format)
{
	struct list_node *n;
	struct cmd_target t;
	struct pane *p;

	WINDOW_FOREACH_PANE(p, n, wl->window)
	{
		t = resolve_pane(wl, p);
		list_line(c, &t, format);
	}
}

enum cmd_result
cmd_exec_list_panes(struct cmd_context *c)
{
	static const char one[] =
	    "#{pane_index}: [#{pane_width}x#{pane_height}] [history "
	    "#{history_size}/#{history_limit}, #{history_bytes} bytes] "
	    "#{pane_id}#{?pane_active, (active),}#{?pane_dead, (dead),}";
	struct map_entry *e;
	struct list_node *n;
	struct winlink *wl;
	struct session *s;

	if (!args_has(c->args, 'a') && !args_has(c->args, 's')) {
		list_panes_of(c, c->target.wl, one);
		return CMD_NORMAL;
	}
	MAP_FOREACH(e, &c->sv->mux->sessions) {
		s = e->value;
		if (!args_has(c->args, 'a') && s != c->target.s)
			continue;
		SESSION_FOREACH_LINK(wl, n, s)
		list_panes_of(c, wl,
		    "#{session_name}:#{window_index}.#{pane_index}: "
		    "[#{pane_width}x#{pane_height}] #{pane_id}"
		    "#{?pane_active, (active),}");
	}
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
	for (i = 0; i < COMMAND_COUNT; i++) {
		row = command_row((enum command_id)i);
		const struct format_var vars[] = {
			{ "command_list_name", row->name },
			{ "command_list_alias",
			    row->alias == NULL ? "" : row->alias },
			{ "command_list_usage", row->usage },
		};

		if (only != NULL && strcmp(row->name, only) != 0)
			continue;
		text = cmd_format_vars_new(
		    c, &c->current, format, vars, ARRAY_LEN(vars));
		cmd_say(c, "%s", text);
		mem_free(text);
	}
	return CMD_NORMAL;
}
