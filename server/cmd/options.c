#include <stdio.h>

#include "base/mem.h"
#include "conf/option_set.h"
#include "server/cmd/cmd.h"
#include "server/cmd/shared.h"
#include "server/core/events.h"
#include "server/core/hooks.h"
#include "server/core/monitors.h"
#include "server/core/tick.h"
#include "server/io/spawn.h"
#include "server/run/audit.h"
#include "server/run/shell.h"

static void
option_trees_of(struct cmd_context *c, struct option_trees *t)
{
	struct mux *m = c->sv->run.mux;
	const char *target = args_get(c->args, 't');

	/* As in tmux, a pane that is not there is in the current window. */
	if (target != NULL && c->target.s == NULL &&
	    target[*target == ':'] == '.') {
		c->target = c->current;
		c->target.p = NULL;
	}
	*t = (struct option_trees){
		.server = &m->server_options,
		.global_session = &m->session_options,
		.global_window = &m->window_options,
		.session = c->target.s == NULL ? NULL : &c->target.s->options,
		.window = c->target.w == NULL ? NULL : &c->target.w->options,
		.pane = c->target.p == NULL ? NULL : &c->target.p->options,
		.target = target,
	};
}

/* -C: the options of a client instead of its session's. */
static int
client_trees(struct cmd_context *c, struct option_trees *t, const char *name,
    struct cause *why)
{
	const char *text = args_get(c->args, 'C'), *others = "gpsUw";
	struct option_name found;
	struct client *cl;

	if (text == NULL)
		return 0;
	if ((cl = cmd_person(c, text, why)) == NULL)
		return -ERR_NOTFOUND;
	for (; *others != '\0'; others++)
		if (args_has(c->args, (unsigned char)*others))
			return cause_set(why, -ERR_SYNTAX,
			    "-C and -%c cannot be used together", *others);
	t->session = &cl->options;
	t->window = t->pane = NULL;
	if (name == NULL || option_match(name, &found, NULL) != 0 ||
	    (found.row != NULL && (found.row->flags & OPT_PERSON) != 0))
		return 0;
	return cause_set(why, -ERR_DENIED,
	    "%s cannot be a client's own: set it without -C", name);
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
	return shell_ok(path);
}

/* Sets NAME to argument AT. */
static enum cmd_result
set_named(struct cmd_context *c, const char *option, size_t at)
{
	struct option_trees trees;
	const struct option_row *changed = NULL;
	struct cause why = { NULL };
	struct parse sp;
	struct option_hooks hooks = { .parser = NULL };
	const char *text = args_string(c->args, at);
	struct options **panes = NULL;
	char *name, *expanded = NULL;
	int r;

	option_trees_of(c, &trees);
	if (args_has(c->args, 'U') && c->target.w != NULL) {
		panes = window_options_new(c->target.w, &trees.pane_count);
		trees.panes = panes;
	}
	name = cmd_format_new(c, &c->target, option);
	if (client_trees(c, &trees, name, &why) != 0) {
		mem_free(name);
		mem_free(panes);
		return cmd_cause(c, &why);
	}
	if (args_has(c->args, 'F') && text != NULL)
		text = expanded = cmd_format_new(c, &c->target, text);
	parse_init(&sp, &c->sv->run, c->state);
	hooks.parser = &sp.hooks;
	hooks.shell_ok = option_shell_ok;
	r = option_request_set(&trees, option_request_flags(c->cmd), name, text,
	    args_block(c->args, at), &hooks, &changed, &why);
	parse_fini(&sp);
	mem_free(panes);
	if (r == 0)
		mux_option_changed(c->sv->run.mux, NULL, NULL, NULL, name);
	mem_free(name);
	mem_free(expanded);
	if (r != 0)
		return cmd_cause(c, &why);
	if ((option_effects(changed) & OPT_ON_AUDIT) != 0 &&
	    audit_apply(c->sv->run.audit, &why) != 0)
		return cmd_cause(c, &why);
	events_options_changed(c->sv, option_effects(changed));
	return CMD_NORMAL;
}

static enum cmd_result
set_option(struct cmd_context *c)
{
	return set_named(c, args_string(c->args, 0), 1);
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

/* -R: runs the commands of a hook, behind those of after-set-hook. */
static enum cmd_result
run_hook(struct cmd_context *c)
{
	struct option_name name;
	struct cause why = { NULL };
	char *text = cmd_format_new(c, &c->target, args_string(c->args, 0));

	if (option_match(text, &name, &why) != 0) {
		mem_free(text);
		return cmd_cause(c, &why);
	}
	c->then = text;
	return CMD_NORMAL;
}

/* -E: fires the user's event now. */
static enum cmd_result
fire_event(struct cmd_context *c)
{
	char *name = cmd_format_new(c, &c->target, args_string(c->args, 0));
	struct cause why = { NULL };
	int r;

	if (*name != '@')
		r = cause_set(
		    &why, -ERR_SYNTAX, "event name must start with @");
	else
		r = hooks_check(name, &why);
	if (r == 0)
		cmd_run_hook(c, name, NULL, &c->after);
	mem_free(name);
	return r == 0 ? CMD_NORMAL : cmd_cause(c, &why);
}

/* -uB: removes a monitor and its @option; TEXT may be its name alone. */
static enum cmd_result
unset_monitor(struct cmd_context *c, char *text)
{
	text[strcspn(text, ":")] = '\0';
	if (text[0] != '@')
		return cmd_error(c, "monitor hook name must start with @");
	return set_named(c, text, 0);
}

/* -B: runs the commands of an @option when a format changes. */
static enum cmd_result
add_monitor(struct cmd_context *c, char *text)
{
	struct option_name name;
	struct monitor_spec spec;
	struct option_trees trees;
	struct options *tree = NULL;
	struct cause why = { NULL };
	enum cmd_result r;

	option_trees_of(c, &trees);
	if (monitor_spec_cut(text, &spec, &why) != 0 ||
	    option_scope_find(
		&trees, NULL, option_request_flags(c->cmd), &tree, &why) != 0)
		return cmd_cause(c, &why);
	/* Without commands it is still an event for wait-for -E. */
	if (args_string(c->args, 0) != NULL || args_block(c->args, 0) != NULL)
		r = set_named(c, spec.name, 0);
	else if (options_set_text(tree, spec.name, "", &why) == 0 &&
		 option_match(spec.name, &name, &why) == 0) {
		options_mark_hook(tree, &name);
		r = CMD_NORMAL;
	} else
		r = cmd_cause(c, &why);
	if (r == CMD_NORMAL) {
		if (monitors_add(c->sv->monitors, tree, &c->after, &spec,
			args_has(c->args, 'T'), &why) != 0)
			r = cmd_cause(c, &why);
		tick_arm(c->sv->tick);
	}
	return r;
}

static enum cmd_result
set_monitor(struct cmd_context *c)
{
	char *text = mem_strdup(args_get(c->args, 'B'));
	enum cmd_result r;

	r = args_has(c->args, 'u') ? unset_monitor(c, text)
				   : add_monitor(c, text);
	mem_free(text);
	return r;
}

enum cmd_result
cmd_exec_set_hook(struct cmd_context *c)
{
	const bool one = args_has(c->args, 'E') || args_has(c->args, 'B');

	if (one && c->args->count > 1)
		return cmd_error(c, "too many arguments");
	if (args_has(c->args, 'B'))
		return set_monitor(c);
	if (args_string(c->args, 0) == NULL)
		return cmd_error(c, "missing argument");
	if (args_has(c->args, 'E'))
		return fire_event(c);
	return args_has(c->args, 'R') ? run_hook(c) : set_option(c);
}

/* --- show-options, show-hooks ------------------------------------------------- */

struct show {
	struct cmd_context *c;
	const char *format; /* -F, or NULL: as tmux prints */
	unsigned flags;
	struct buf *out;
	bool all; /* no name is given */
};

#define SHOW_VARS_MAX 16
struct show_vars {
	struct format_var vars[SHOW_VARS_MAX];
	size_t count;
	char fired[16];
	char when[24];
};

static void
show_var(struct show_vars *sv, const char *name, const char *value)
{
	if (sv->count < SHOW_VARS_MAX)
		sv->vars[sv->count++] = (struct format_var){ name, value };
}

static void
show_fired(struct show *sh, struct show_vars *v, const char *name)
{
	int64_t when;
	unsigned n = hooks_count(sh->c->sv->hooks, name, &when);

	snprintf(v->fired, sizeof(v->fired), "%u", n);
	show_var(v, "hook_fire_count", v->fired);
	if (when == 0)
		return;
	snprintf(v->when, sizeof(v->when), "%lld", (long long)when);
	show_var(v, "hook_fire_time", v->when);
}

static void
show_expanded(struct show *sh, const struct show_vars *v)
{
	char *text = cmd_format_vars_new(
	    sh->c, &sh->c->target, sh->format, v->vars, v->count);

	(void)buf_addf(sh->out, "%s\n", text);
	mem_free(text);
}

/* Whether an @option is not listed: one of set-hook is among the hooks only. */
static bool
is_other(const struct show *sh, const struct option_entry *e)
{
	if ((sh->flags & OPTION_REQ_ONLY_HOOKS) != 0)
		return !e->hook;
	return e->hook && (sh->flags & OPTION_REQ_HOOKS) == 0;
}

/* Prints a line by -F, with option_* variables for the value. */
static void
show_line(void *arg, const struct option_line *line)
{
	struct show *sh = arg;
	const struct option_row *row = line->e->row;
	const char *name = row == NULL ? line->e->name : row->name;
	bool text = row == NULL || row->type == OPTION_STRING ||
		    row->type == OPTION_STYLE;
	struct show_vars v = { .count = 0 };
	struct buf value;
	char index[16];

	if (row == NULL && sh->all && is_other(sh, line->e))
		return;
	if (sh->format == NULL) {
		option_line_print(line, sh->flags, sh->out);
		return;
	}
	buf_init(&value, OPTION_VALUE_MAX);
	if (line->value != NULL)
		option_value_print(row, line->value, false, &value);
	show_var(&v, "option_name", name);
	show_var(&v, "option_value", buf_cstr(&value));
	show_var(&v, "option_has_value", line->value != NULL ? "1" : "0");
	show_var(&v, "option_value_only",
	    (sh->flags & OPTION_REQ_VALUE) != 0 ? "1" : "0");
	show_var(&v, "option_has_array_key", line->has_index ? "1" : "0");
	if (line->has_index) {
		show_var(&v, "option_array_key",
		    option_key_text(
			line->index, line->word, index, sizeof(index)));
	}
	show_var(&v, "option_is_array",
	    row != NULL && (row->flags & OPT_ARRAY) != 0 ? "1" : "0");
	show_var(&v, "option_is_hook",
	    row != NULL && (row->flags & OPT_HOOK) != 0 ? "1" : "0");
	show_var(&v, "option_is_parent", line->inherited ? "1" : "0");
	show_var(&v, "option_is_string", text ? "1" : "0");
	show_var(&v, "option_is_user", row == NULL ? "1" : "0");
	if (sh->flags & OPTION_REQ_ONLY_HOOKS)
		show_fired(sh, &v, name);
	show_expanded(sh, &v);
	buf_fini(&value);
}

static void
show_monitor(void *arg, const struct monitor_spec *spec)
{
	struct show *sh = arg;
	struct show_vars v = { .count = 0 };
	char *value =
	    mem_printf("%s:%s:%s", spec->name, spec->what, spec->format);

	if (sh->format == NULL) {
		(void)buf_addf(sh->out, "%s\n", value);
	} else {
		show_var(&v, "option_name", spec->name);
		show_var(&v, "option_value", value);
		show_var(&v, "option_has_value", "1");
		show_var(&v, "option_is_hook", "1");
		show_var(&v, "option_is_user", "1");
		show_var(&v, "hook_monitor_target", spec->what);
		show_var(&v, "hook_monitor_format", spec->format);
		show_fired(sh, &v, spec->name);
		show_expanded(sh, &v);
	}
	mem_free(value);
}

static enum cmd_result
show_options(struct cmd_context *c)
{
	struct option_trees trees;
	struct cause why = { NULL };
	struct buf out;
	struct show sh = { c, args_get(c->args, 'F'),
		option_request_flags(c->cmd), &out, true };
	struct options *tree;
	char *name = NULL;
	int r;

	option_trees_of(c, &trees);
	if (args_string(c->args, 0) != NULL)
		name = cmd_format_new(c, &c->target, args_string(c->args, 0));
	sh.all = name == NULL;
	buf_init(&out, 8 << 20);
	if ((r = client_trees(c, &trees, name, &why)) != 0) {
		/* Reported below. */
	} else if (!args_has(c->args, 'B')) {
		r = option_request_each(
		    &trees, sh.flags, name, show_line, &sh, &why);
	} else {
		r = option_scope_find(&trees, NULL, sh.flags, &tree, &why);
		if (r == 0)
			monitors_each(
			    c->sv->monitors, tree, name, show_monitor, &sh);
	}
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
