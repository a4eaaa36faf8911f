#include <sys/wait.h>

#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "conf/bind.h"
#include "conf/key_name.h"
#include "conf/option_set.h"
#include "mux/layout_size.h"
#include "server/cmd/cmd.h"
#include "server/cmd/resolve.h"
#include "server/input.h"
#include "server/job.h"
#include "server/load.h"
#include "server/pane_io.h"
#include "server/prompt.h"
#include "server/redraw.h"
#include "server/scope.h"

/* --- messages ------------------------------------------------------------------ */

enum cmd_result
cmd_exec_display_message(struct cmd_context *c)
{
	const char *format = args_string(c->args, 0);
	struct scope_where w = {
		.client = c->client,
		.session = c->target.s,
		.link = c->target.wl,
		.pane = c->target.p,
		.state = c->state,
	};
	int64_t delay;
	char *text;

	if (format == NULL)
		format = args_get(c->args, 'F');
	if (format == NULL)
		format = "[#{session_name}] #{window_index}:#{window_name}, "
			 "current pane #{pane_index} - (%H:%M %d-%b-%y)";
	text = scope_new(c->sv, &w, format, FORMAT_STRFTIME);
	if (args_has(c->args, 'p')) {
		cmd_say(c, "%s", text);
	} else if (c->viewer != NULL) {
		delay = options_number(
		    &c->client->session->options, OPTION_DISPLAY_TIME);
		(void)args_number(c->args, 'd', 0, UINT32_MAX, &delay, NULL);
		viewer_message(c->viewer, (mono_ms)delay, text);
	}
	mem_free(text);
	return CMD_NORMAL;
}

/* --- keys to panes -------------------------------------------------------------- */

static void
send_text(struct cmd_context *c, const char *text)
{
	struct key_event key;
	size_t n = strlen(text), used;
	uint32_t cp;

	while (n > 0) {
		used = utf8_decode_final((const uint8_t *)text, n, &cp);
		key = (struct key_event){ .key = cp };
		key.text[utf8_encode(cp, (uint8_t *)key.text)] = '\0';
		/* A control byte is the key that sends it. */
		if (cp < 0x20 || cp == 0x7f)
			(void)input_pane_bytes(c->sv, c->target.p, text, used);
		else
			input_panes_key(c->sv, c->target.p, &key);
		text += used;
		n -= used;
	}
}

static enum cmd_result
send_hex(struct cmd_context *c, const char *text)
{
	int hi = str_hex_digit(text[0]);
	int lo = text[0] == '\0' ? -1 : str_hex_digit(text[1]);
	uint8_t byte;

	if (hi >= 0 && text[1] == '\0') {
		lo = hi;
		hi = 0;
	}
	if (hi < 0 || lo < 0)
		return cmd_error(c, "invalid hexadecimal byte: %s", text);
	byte = (uint8_t)(hi << 4 | lo);
	(void)input_pane_bytes(c->sv, c->target.p, &byte, 1);
	return CMD_NORMAL;
}

static void
send_one(struct cmd_context *c, const char *text)
{
	struct key_event key = { .key = 0 };

	if (args_has(c->args, 'H')) {
		(void)send_hex(c, text);
		return;
	}
	if (!args_has(c->args, 'l') && key_name_parse(text, &key.key) == 0 &&
	    key.key != KEY_NONE && !key_is_mouse(key.key)) {
		if (key.key < KEY_SPECIAL)
			key.text[utf8_encode(
			    (uint32_t)key.key, (uint8_t *)key.text)] = '\0';
		input_panes_key(c->sv, c->target.p, &key);
		return;
	}
	send_text(c, text);
}

enum cmd_result
cmd_exec_send_keys(struct cmd_context *c)
{
	struct cause why = { NULL };
	int64_t repeat = 1;
	size_t i;
	int r;

	if (args_has(c->args, 'X'))
		return cmd_error(c, "not in a mode");
	if (args_has(c->args, 'M')) {
		struct mouse_event ev = c->state->mouse;
		struct viewer *vw = c->viewer;
		struct pane *p = mux_pane(c->sv->mux, c->state->mouse_pane);

		if ((c->state->flags & CMD_STATE_MOUSE) == 0 || p == NULL ||
		    vw == NULL)
			return cmd_error(c, "no mouse target");
		ev.x -= vw->window_x + p->x;
		ev.y -= vw->window_y + p->y;
		input_pane_mouse(c->sv, p, &ev);
		return CMD_NORMAL;
	}
	r = args_number(c->args, 'N', 1, UINT32_MAX, &repeat, &why);
	if (r != 0 && r != -ERR_NOTFOUND) {
		cause_prefix(&why, "repeat count");
		return cmd_cause(c, &why);
	}
	if (args_has(c->args, 'R')) {
		vt_term_reset(c->target.p->term);
		redraw_window(c->sv, c->target.w);
	}
	for (; repeat > 0; repeat--)
		for (i = 0; i < c->args->count; i++)
			if (args_string(c->args, i) != NULL)
				send_one(c, args_string(c->args, i));
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_send_prefix(struct cmd_context *c)
{
	struct key_event key = {
		.key = options_key(&c->target.s->options,
		    args_has(c->args, '2') ? OPTION_PREFIX2 : OPTION_PREFIX),
	};

	input_panes_key(c->sv, c->target.p, &key);
	return CMD_NORMAL;
}

/* --- options --------------------------------------------------------------------- */

static void
option_trees_of(struct cmd_context *c, struct option_trees *t)
{
	struct mux *m = c->sv->mux;

	*t = (struct option_trees){
		.server = &m->server_options,
		.global_session = &m->session_options,
		.global_window = &m->window_options,
		.session = c->target.s == NULL ? NULL : &c->target.s->options,
		.window = c->target.w == NULL ? NULL : &c->target.w->options,
		.pane = c->target.p == NULL ? NULL : &c->target.p->options,
		.target = args_get(c->args, 't'),
	};
}

static enum cmd_result
set_option(struct cmd_context *c)
{
	struct option_trees trees;
	const struct option_row *changed = NULL;
	struct cause why = { NULL };
	struct server_parse sp;
	struct option_hooks hooks = { .parser = NULL };
	const char *text = args_string(c->args, 1);
	char *name, *expanded = NULL;
	int r;

	option_trees_of(c, &trees);
	name = cmd_format_new(c, &c->target, args_string(c->args, 0));
	if (args_has(c->args, 'F') && text != NULL)
		text = expanded = cmd_format_new(c, &c->target, text);
	server_parse_init(&sp, c->sv, c->state);
	hooks.parser = &sp.hooks;
	r = option_request_set(&trees, option_request_flags(c->cmd), name, text,
	    args_block(c->args, 1), &hooks, &changed, &why);
	server_parse_fini(&sp);
	if (r == 0)
		mux_option_changed(c->sv->mux, NULL, NULL, NULL, name);
	mem_free(name);
	mem_free(expanded);
	if (r != 0)
		return cmd_cause(c, &why);
	server_options_changed(c->sv);
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_set_option(struct cmd_context *c)
{
	return set_option(c);
}

enum cmd_result
cmd_exec_set_window_option(struct cmd_context *c)
{
	return set_option(c);
}

enum cmd_result
cmd_exec_set_hook(struct cmd_context *c)
{
	return set_option(c);
}

static enum cmd_result
show_options(struct cmd_context *c)
{
	struct option_trees trees;
	struct cause why = { NULL };
	struct buf out;
	char *name = NULL;
	int r;

	option_trees_of(c, &trees);
	if (args_string(c->args, 0) != NULL)
		name = cmd_format_new(c, &c->target, args_string(c->args, 0));
	buf_init(&out, 8 << 20);
	r = option_request_show(
	    &trees, option_request_flags(c->cmd), name, &out, &why);
	cmd_say_lines(c, &out);
	buf_fini(&out);
	mem_free(name);
	return r == 0 ? CMD_NORMAL : cmd_cause(c, &why);
}

enum cmd_result
cmd_exec_show_options(struct cmd_context *c)
{
	return show_options(c);
}

enum cmd_result
cmd_exec_show_window_options(struct cmd_context *c)
{
	return show_options(c);
}

enum cmd_result
cmd_exec_show_hooks(struct cmd_context *c)
{
	return show_options(c);
}

/* --- keys -------------------------------------------------------------------------- */

enum cmd_result
cmd_exec_bind_key(struct cmd_context *c)
{
	struct cause why = { NULL };
	struct server_parse sp;
	int r;

	server_parse_init(&sp, c->sv, c->state);
	r = bind_run(c->sv->keys, c->args, &sp.hooks, &why);
	server_parse_fini(&sp);
	return r == 0 ? CMD_NORMAL : cmd_cause(c, &why);
}

enum cmd_result
cmd_exec_unbind_key(struct cmd_context *c)
{
	struct cause why = { NULL };

	if (bind_unbind(c->sv->keys, c->args, &why) != 0)
		return cmd_cause(c, &why);
	return CMD_NORMAL;
}

/* --- lists --------------------------------------------------------------------------- */

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
	const struct command_row *row;
	const char *only = args_string(c->args, 0);
	int i;

	for (i = 0; i < COMMAND_COUNT; i++) {
		row = command_row((enum command_id)i);
		if (only != NULL && strcmp(row->name, only) != 0 &&
		    (row->alias == NULL || strcmp(row->alias, only) != 0))
			continue;
		if (row->alias != NULL)
			cmd_say(
			    c, "%s (%s) %s", row->name, row->alias, row->usage);
		else
			cmd_say(c, "%s %s", row->name, row->usage);
	}
	return CMD_NORMAL;
}

/* --- sizes ------------------------------------------------------------------------------ */

enum cmd_result
cmd_exec_resize_pane(struct cmd_context *c)
{
	static const struct {
		char flag;
		enum layout_kind kind;
		int sign;
	} ways[] = { { 'L', LAYOUT_ROW, -1 }, { 'R', LAYOUT_ROW, 1 },
		{ 'U', LAYOUT_COLUMN, -1 }, { 'D', LAYOUT_COLUMN, 1 } };
	struct cause why = { NULL };
	struct window *w = c->target.w;
	struct pane *p = c->target.p;
	int64_t n;
	size_t i;

	if (args_has(c->args, 'Z')) {
		if (w->zoomed)
			(void)window_unzoom(w);
		else
			(void)window_zoom(p);
		return CMD_NORMAL;
	}
	if (args_has(c->args, 'M'))
		return cmd_error(c, "resizing by mouse is not built yet");
	(void)window_unzoom(w);
	if (args_get(c->args, 'x') != NULL) {
		if (args_percentage(
			c->args, 'x', 1, INT32_MAX, w->w, &n, &why) != 0) {
			cause_prefix(&why, "width");
			return cmd_cause(c, &why);
		}
		(void)layout_resize_pane_to(
		    &w->layout, p->id, LAYOUT_ROW, (int)n);
	}
	if (args_get(c->args, 'y') != NULL) {
		if (args_percentage(
			c->args, 'y', 1, INT32_MAX, w->h, &n, &why) != 0) {
			cause_prefix(&why, "height");
			return cmd_cause(c, &why);
		}
		(void)layout_resize_pane_to(
		    &w->layout, p->id, LAYOUT_COLUMN, (int)n);
	}
	n = 1;
	if (args_string(c->args, 0) != NULL &&
	    args_text_number(args_string(c->args, 0), 1, INT32_MAX, &n, &why) !=
		0) {
		cause_prefix(&why, "adjustment");
		return cmd_cause(c, &why);
	}
	for (i = 0; i < ARRAY_LEN(ways); i++)
		if (args_has(c->args, ways[i].flag))
			(void)layout_resize_pane(&w->layout, p->id,
			    ways[i].kind, ways[i].sign * (int)n);
	window_layout_changed(w);
	return CMD_NORMAL;
}

/* --- shell ------------------------------------------------------------------------------- */

/* A command that waits for a job, or lets it run. */
struct shell_wait {
	struct server *sv;
	uint64_t token; /* 0: nobody waits */
	uint64_t conn;
	uint32_t client;
	struct cmd_state state;
	struct cmdlist *yes; /* if-shell */
	struct cmdlist *no;
};

static void
shell_wait_free(struct shell_wait *w)
{
	cmdlist_unref(w->yes);
	cmdlist_unref(w->no);
	mem_free(w);
}

static void
run_shell_done(void *arg, int status, const char *output, size_t len)
{
	struct shell_wait *w = arg;
	struct conn *cn = conn_find(w->sv, w->conn);
	struct client *cl = mux_client(w->sv->mux, w->client);
	struct viewer *vw = cl == NULL ? NULL : viewer_find(w->sv, cl);
	char *text = NULL;
	int code = WEXITSTATUS(status);

	if (WIFSIGNALED(status))
		code = WTERMSIG(status) + 128;
	if (cn != NULL && conn_viewer(cn) == NULL) {
		conn_out(cn, output, len);
		if (len > 0 && output[len - 1] != '\n')
			conn_out(cn, "\n", 1);
		if (code != 0)
			conn_set_exit_code(cn, code);
	} else if (vw != NULL && len > 0) {
		text = mem_strndup(output, strcspn(output, "\n"));
		viewer_message(vw, 0, text);
		mem_free(text);
	}
	if (w->token != 0)
		cmdq_continue(w->sv, w->token, false);
	shell_wait_free(w);
}

static struct shell_wait *
shell_wait_new(struct cmd_context *c)
{
	struct shell_wait *w = mem_zalloc(sizeof(*w));

	w->sv = c->sv;
	w->conn = c->state->conn;
	w->client = c->client == NULL ? MUX_NONE : c->client->id;
	w->state = *c->state;
	if (!args_has(c->args, 'b'))
		w->token = cmdq_wait(c->item);
	return w;
}

static void
shell_start(struct cmd_context *c, const char *command, job_done_fn done)
{
	struct job_spec spec = { .command = command };
	char *cwd = cmd_start_path(c, &c->target, true);

	spec.cwd = cwd;
	spec.stderr_too = args_has(c->args, 'E') != 0;
	spec.env = c->target.s == NULL ? NULL : &c->target.s->environ;
	(void)job_start(c->sv, &spec, done, shell_wait_new(c));
	mem_free(cwd);
}

/* Text or a block as commands; NULL with the error said. */
static struct cmdlist *
commands_of(struct cmd_context *c, size_t i, enum cmd_result *r)
{
	struct server_parse sp;
	struct cmdlist *list = args_block(c->args, i);
	const char *text = args_string(c->args, i);

	*r = CMD_NORMAL;
	if (list != NULL)
		return cmdlist_ref(list);
	if (text == NULL)
		return NULL;
	server_parse_init(&sp, c->sv, c->state);
	if (parser_parse(text, strlen(text), NULL, 1, &sp.hooks, &list) != 0) {
		buf_truncate(
		    &sp.errors, sp.errors.len > 0 ? sp.errors.len - 1 : 0);
		*r = cmd_error(c, "%s", buf_cstr(&sp.errors));
		cmdlist_unref(list);
		list = NULL;
	}
	server_parse_fini(&sp);
	return list;
}

enum cmd_result
cmd_exec_run_shell(struct cmd_context *c)
{
	struct cmdlist *list;
	enum cmd_result r;
	bool wait = !args_has(c->args, 'b');
	char *text;

	if (args_has(c->args, 'C')) {
		list = commands_of(c, 0, &r);
		if (list != NULL)
			cmdq_insert(c->item, list, c->state, NULL, NULL);
		cmdlist_unref(list);
		return r;
	}
	if (args_string(c->args, 0) == NULL)
		return CMD_NORMAL;
	text = cmd_format_new(c, &c->target, args_string(c->args, 0));
	shell_start(c, text, run_shell_done);
	mem_free(text);
	return wait ? CMD_WAIT : CMD_NORMAL;
}

static void
if_shell_done(
    void *arg, int status, UNUSED const char *output, UNUSED size_t len)
{
	struct shell_wait *w = arg;
	struct cmdlist *list =
	    WIFEXITED(status) && WEXITSTATUS(status) == 0 ? w->yes : w->no;
	struct cmdq *q = server_queue_for(w->sv, w->conn);

	if (list != NULL)
		cmdq_insert_first(q, list, &w->state);
	if (w->token != 0)
		cmdq_continue(w->sv, w->token, false);
	else
		server_run_queue(w->sv, q);
	shell_wait_free(w);
}

enum cmd_result
cmd_exec_if_shell(struct cmd_context *c)
{
	struct cmdlist *yes, *no = NULL;
	struct job_spec spec = { .command = NULL };
	struct shell_wait *w;
	enum cmd_result r;
	char *text;
	bool wait = !args_has(c->args, 'b');

	if ((yes = commands_of(c, 1, &r)) == NULL)
		return r;
	if (c->args->count > 2 && (no = commands_of(c, 2, &r)) == NULL) {
		cmdlist_unref(yes);
		return r;
	}
	text = cmd_format_new(c, &c->target, args_string(c->args, 0));
	if (args_has(c->args, 'F')) {
		struct cmdlist *list = format_true(text) ? yes : no;

		if (list != NULL)
			cmdq_insert(c->item, list, c->state, NULL, NULL);
		cmdlist_unref(yes);
		cmdlist_unref(no);
		mem_free(text);
		return CMD_NORMAL;
	}
	w = shell_wait_new(c);
	w->yes = yes;
	w->no = no;
	spec.command = text;
	spec.env = c->target.s == NULL ? NULL : &c->target.s->environ;
	(void)job_start(c->sv, &spec, if_shell_done, w);
	mem_free(text);
	return wait ? CMD_WAIT : CMD_NORMAL;
}

enum cmd_result
cmd_exec_source_file(struct cmd_context *c)
{
	struct buf errors;
	char *path, *full;
	size_t i;
	int r = 0;

	buf_init(&errors, 1 << 20);
	for (i = 0; i < c->args->count; i++) {
		if (args_string(c->args, i) == NULL)
			continue;
		path =
		    args_has(c->args, 'F')
			? cmd_format_new(c, &c->target, args_string(c->args, i))
			: mem_strdup(args_string(c->args, i));
		full = *path == '/' || c->conn == NULL
			   ? mem_strdup(path)
			   : mem_printf("%s/%s", conn_cwd(c->conn), path);
		r |= config_source(c->sv, c->item, full,
		    args_has(c->args, 'q') != 0, args_has(c->args, 'n') != 0,
		    &errors);
		mem_free(full);
		mem_free(path);
	}
	if (errors.len > 0)
		buf_truncate(&errors, errors.len - 1);
	if (r != 0)
		(void)cmd_error(c, "%s", buf_cstr(&errors));
	buf_fini(&errors);
	return r == 0 ? CMD_NORMAL : CMD_ERROR;
}

/* --- prompts -------------------------------------------------------------------------------- */

/* What a prompt's answer goes into. */
struct prompt_wait {
	struct server *sv;
	struct cmd_state state;
	uint64_t token;
	uint32_t client;
	char *template; /* text with %1 and %%, or NULL */
	struct cmdlist *list;
	char **prompts;
	char **inputs;
	size_t count;
	size_t next;
	char **answers;
	unsigned flags;
	char confirm_key;
};

static void
prompt_wait_free(struct prompt_wait *w)
{
	size_t i;

	if (w->token != 0)
		cmdq_continue(w->sv, w->token, false);
	for (i = 0; i < w->count; i++) {
		mem_free(w->prompts[i]);
		mem_free(w->inputs[i]);
		mem_free(w->answers[i]);
	}
	mem_free(w->prompts);
	mem_free(w->inputs);
	mem_free(w->answers);
	mem_free(w->template);
	cmdlist_unref(w->list);
	mem_free(w);
}

static void
prompt_run(struct prompt_wait *w)
{
	struct cmdq *q = server_queue_for(w->sv, w->state.conn);
	struct client *cl = mux_client(w->sv->mux, w->client);
	struct viewer *vw = cl == NULL ? NULL : viewer_find(w->sv, cl);
	struct server_parse sp;
	struct cmdlist *list;
	union {
		char **in;
		const char *const *out;
	} values = { .in = w->answers };
	char *text;

	if (w->list != NULL) {
		cmdq_append(q, w->list, &w->state, NULL, NULL);
		server_run_queue(w->sv, q);
		return;
	}
	text = args_template_new(w->template, values.out, w->count);
	server_parse_init(&sp, w->sv, &w->state);
	if (parser_parse(text, strlen(text), NULL, 1, &sp.hooks, &list) == 0) {
		cmdq_append(q, list, &w->state, NULL, NULL);
		server_run_queue(w->sv, q);
	} else if (vw != NULL) {
		buf_truncate(
		    &sp.errors, sp.errors.len > 0 ? sp.errors.len - 1 : 0);
		viewer_message(vw, 4000, buf_cstr(&sp.errors));
	}
	cmdlist_unref(list);
	server_parse_fini(&sp);
	mem_free(text);
}

static void prompt_answer(void *arg, const char *text);

static void
prompt_next(struct prompt_wait *w)
{
	struct client *cl = mux_client(w->sv->mux, w->client);
	struct viewer *vw = cl == NULL ? NULL : viewer_find(w->sv, cl);
	struct prompt_spec spec = {
		.message = w->prompts[w->next],
		.input = w->inputs[w->next],
		.flags = w->flags,
		.done = prompt_answer,
		.arg = w,
	};

	if (vw == NULL) {
		prompt_wait_free(w);
		return;
	}
	prompt_open(vw, &spec);
}

static void
prompt_answer(void *arg, const char *text)
{
	struct prompt_wait *w = arg;

	if (text == NULL) {
		prompt_wait_free(w);
		return;
	}
	w->answers[w->next++] = mem_strdup(text);
	if (w->next < w->count) {
		prompt_next(w);
		return;
	}
	prompt_run(w);
	prompt_wait_free(w);
}

/* Splits "a,b" into the prompts (or inputs) of one command-prompt. */
static void
prompt_split(char **out, size_t max, const char *text, bool whole)
{
	size_t i, n;

	for (i = 0; i < max && text != NULL; i++) {
		n = whole ? strlen(text) : strcspn(text, ",");
		out[i] = mem_strndup(text, n);
		text = text[n] == ',' ? text + n + 1 : NULL;
	}
}

enum cmd_result
cmd_exec_command_prompt(struct cmd_context *c)
{
	const char *prompts = args_get(c->args, 'p');
	const char *inputs = args_get(c->args, 'I');
	struct prompt_wait *w;
	const char *s;
	size_t i;
	bool whole = args_has(c->args, 'l') != 0;

	if (c->viewer == NULL)
		return cmd_error(c, "no current client");
	if (c->viewer->prompt != NULL)
		return CMD_NORMAL;
	w = mem_zalloc(sizeof(*w));
	w->sv = c->sv;
	w->state = *c->state;
	w->client = c->client->id;
	if (args_block(c->args, 0) != NULL)
		w->template = cmdlist_print_new(args_block(c->args, 0), 0);
	else
		w->template = mem_strdup(args_string(c->args, 0) == NULL
					     ? "%1"
					     : args_string(c->args, 0));
	w->count = 1;
	for (s = prompts; s != NULL && !whole && *s != '\0'; s++)
		w->count += *s == ',';
	w->prompts = mem_calloc(w->count, sizeof(*w->prompts));
	w->inputs = mem_calloc(w->count, sizeof(*w->inputs));
	w->answers = mem_calloc(w->count, sizeof(*w->answers));
	prompt_split(w->prompts, w->count, prompts, whole);
	prompt_split(w->inputs, w->count, inputs, whole);
	for (i = 0; i < w->count; i++) {
		char *old = w->prompts[i];

		if (old == NULL)
			w->prompts[i] =
			    args_string(c->args, 0) == NULL
				? mem_strdup(":")
				: mem_printf("(%s) ", args_string(c->args, 0));
		else
			w->prompts[i] = mem_printf("%s ", old);
		mem_free(old);
		if (w->inputs[i] != NULL) {
			old = w->inputs[i];
			w->inputs[i] = cmd_format_new(c, &c->current, old);
			mem_free(old);
		}
	}
	if (args_has(c->args, '1'))
		w->flags |= PROMPT_SINGLE;
	if (args_has(c->args, 'N'))
		w->flags |= PROMPT_NUMERIC;
	if (args_has(c->args, 'k'))
		w->flags |= PROMPT_KEY;
	prompt_next(w);
	return CMD_NORMAL;
}

static void
confirm_answer(void *arg, const char *text)
{
	struct prompt_wait *w = arg;

	if (text != NULL && text[0] == w->confirm_key)
		prompt_run(w);
	prompt_wait_free(w);
}

enum cmd_result
cmd_exec_confirm_before(struct cmd_context *c)
{
	const char *prompt = args_get(c->args, 'p');
	const char *key = args_get(c->args, 'c');
	struct prompt_wait *w;
	enum cmd_result r;
	struct cmdlist *list;
	char *text;

	if (c->viewer == NULL)
		return cmd_error(c, "no current client");
	if ((list = commands_of(c, 0, &r)) == NULL)
		return r;
	w = mem_zalloc(sizeof(*w));
	w->sv = c->sv;
	w->state = *c->state;
	w->client = c->client->id;
	w->list = list;
	w->confirm_key = key == NULL || *key == '\0' ? 'y' : *key;
	if (prompt != NULL)
		text = mem_printf("%s ", prompt);
	else
		text = mem_printf("Confirm '%s'? (%c/n) ",
		    list->count > 0 ? list->cmds[0]->row->name : "",
		    w->confirm_key);
	prompt_open(c->viewer, &(struct prompt_spec){
				   .message = text,
				   .flags = PROMPT_SINGLE,
				   .done = confirm_answer,
				   .arg = w,
			       });
	mem_free(text);
	return CMD_NORMAL;
}
