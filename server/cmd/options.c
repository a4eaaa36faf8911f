#include "base/mem.h"
#include "conf/option_set.h"
#include "server/cmd/cmd.h"
#include "server/spawn.h"

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

/* The options of all panes of a window (mem_free). */
static struct options **
window_options_new(struct window *w, size_t *n)
{
	struct options **panes;
	struct list_node *node;

	panes = mem_zalloc(w->panes.count * sizeof(*panes));
	*n = 0;
	LIST_FOREACH(node, &w->panes)
		panes[(*n)++] = &container_of(node, struct pane, node)->options;
	return panes;
}

static bool
option_shell_ok(UNUSED void *arg, const char *path)
{
	return spawn_shell_ok(path);
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
	struct options **panes = NULL;
	char *name, *expanded = NULL;
	int r;

	option_trees_of(c, &trees);
	if (args_has(c->args, 'U') && c->target.w != NULL) {
		panes = window_options_new(c->target.w, &trees.pane_count);
		trees.panes = panes;
	}
	name = cmd_format_new(c, &c->target, args_string(c->args, 0));
	if (args_has(c->args, 'F') && text != NULL)
		text = expanded = cmd_format_new(c, &c->target, text);
	server_parse_init(&sp, c->sv, c->state);
	hooks.parser = &sp.hooks;
	hooks.shell_ok = option_shell_ok;
	r = option_request_set(&trees, option_request_flags(c->cmd), name, text,
	    args_block(c->args, 1), &hooks, &changed, &why);
	server_parse_fini(&sp);
	mem_free(panes);
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

/* -R: what hangs on a hook runs now. */
static enum cmd_result
run_hook(struct cmd_context *c)
{
	const struct options *o;
	struct option_name name;
	struct cause why = { NULL };
	char *text = cmd_format_new(c, &c->target, args_string(c->args, 0));
	int r;

	r = option_match(text, &name, &why);
	mem_free(text);
	if (r != 0)
		return cmd_cause(c, &why);
	if (name.row != NULL && (name.row->scope & OPT_WINDOW) != 0)
		o = c->target.w != NULL ? &c->target.w->options
					: &c->sv->mux->window_options;
	else
		o = c->target.s != NULL ? &c->target.s->options
					: &c->sv->mux->session_options;
	cmd_run_hook(c, name.text, o, c->state);
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_set_hook(struct cmd_context *c)
{
	if (args_has(c->args, 'B') || args_has(c->args, 'E'))
		return cmd_error(c, "set-hook: monitors are not built yet");
	if (args_string(c->args, 0) == NULL)
		return cmd_error(
		    c, "command set-hook: too few arguments (need at least 1)");
	return args_has(c->args, 'R') ? run_hook(c) : set_option(c);
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
