#include "config.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "conf/args.h"
#include "conf/check.h"
#include "conf/command_flag.h"
#include "conf/format.h"
#include "conf/key_name.h"
#include "conf/match.h"

/* Limit of nesting: commands in strings of commands. */
#define CHECK_DEPTH_MAX 20

/* Checks a command of one row of check_rows. */
typedef void (*check_fn)(struct check *c, const struct cmd *cmd);

static void check_list(struct check *c, const struct cmdlist *list);

static PRINTF_LIKE(3, 4) void check_error(
    struct check *c, const struct cmd *cmd, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = mem_vprintf(fmt, ap);
	va_end(ap);
	source_fail(&c->source, cmd_file_name(cmd), cmd->line, "%s", text);
	mem_free(text);
}

static PRINTF_LIKE(3, 4) void check_warn(
    struct check *c, const struct cmd *cmd, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = mem_vprintf(fmt, ap);
	va_end(ap);
	source_fail(
	    &c->warnings, cmd_file_name(cmd), cmd->line, "warning: %s", text);
	mem_free(text);
}

/*
 * Steps over a word that opens with #{, #( or #[ at P; returns NULL and sets
 * *missing if it is not closed.
 */
static const char *
check_format_part(const char *p, const char **missing)
{
	static const struct {
		char open, close;
		const char *text;
	} kinds[] = {
		{ '{', '}', "#{ without }" },
		{ '(', ')', "#( without )" },
		{ '[', ']', "#[ without ]" },
	};
	char stack[FORMAT_DEPTH_MAX];
	size_t depth = 0, i;

	for (; *p != '\0'; p++) {
		if (*p == '#' && p[1] != '\0') {
			p++;
			for (i = 0; i < ARRAY_LEN(kinds); i++) {
				if (*p == kinds[i].open)
					break;
			}
			if (i == ARRAY_LEN(kinds))
				continue;
			if (depth == sizeof stack) {
				*missing = "format nested over 100 deep";
				return NULL;
			}
			stack[depth++] = (char)i;
		} else if (depth > 0 &&
			   *p == kinds[(size_t)stack[depth - 1]].close) {
			if (--depth == 0)
				return p + 1;
		}
	}
	*missing = kinds[depth == 0 ? 0 : (size_t)stack[depth - 1]].text;
	return NULL;
}

/*
 * Checks that #{ }, #( ) and #[ ] of a format are balanced.
 * Returns: NULL, or the error: "#{ without }".
 */
static const char *
check_format(const char *text)
{
	const char *missing = NULL;

	while ((text = strchr(text, '#')) != NULL) {
		if (text[1] == '\0')
			break;
		if (strchr("{([", text[1]) == NULL) {
			text += 2;
			continue;
		}
		if ((text = check_format_part(text, &missing)) == NULL)
			return missing;
	}
	return NULL;
}

static void
check_format_of(struct check *c, const struct cmd *cmd, const char *text)
{
	const char *missing;

	if (text != NULL && (missing = check_format(text)) != NULL)
		check_error(c, cmd, "%s in format: %.64s", missing, text);
}

/* Lookup functions for the formats of %if and -F. */
static bool
check_scope_option(void *ctx, const char *name, struct buf *out)
{
	const struct check *c = ctx;
	const struct options *trees[] = { &c->pane, &c->session, &c->server };
	struct option_name n;
	size_t i;

	if (!option_exact(name, &n))
		return false;
	for (i = 0; i < ARRAY_LEN(trees); i++) {
		if (options_print(trees[i], &n, out))
			return true;
	}
	return false;
}

static bool
check_scope_variable(void *ctx, const char *name, struct buf *out)
{
	const struct check *c = ctx;
	const char *value = NULL;

	if (strcmp(name, "current_file") == 0)
		value = source_current(&c->source);
	else if (c->hooks->variable != NULL)
		value = c->hooks->variable(c->hooks->arg, name);
	if (value != NULL)
		(void)buf_add_str(out, value);
	return value != NULL;
}

static bool
check_scope_environ(void *ctx, const char *name, struct buf *out)
{
	const struct check *c = ctx;
	const char *value = environ_get(&c->environ, name);

	if (value != NULL)
		(void)buf_add_str(out, value);
	return value != NULL;
}

static const struct format_ops check_scope = {
	.option = check_scope_option,
	.variable = check_scope_variable,
	.environ = check_scope_environ,
};

static char *
check_expand(void *arg, const char *format)
{
	const struct format_args args = { .scope = { &check_scope, arg },
		.flags = FORMAT_NO_JOBS };

	return format_expand_new(&args, format);
}

static const char *
check_variable(void *arg, const char *name)
{
	const struct check *c = arg;

	return environ_get(&c->environ, name);
}

static const char *
check_home(void *arg, const char *user)
{
	const struct check *c = arg;

	return c->hooks->home(c->hooks->arg, user);
}

static void
check_assign(void *arg, const char *name, const char *value, bool hidden)
{
	struct check *c = arg;

	(void)environ_set(&c->environ, name, value, hidden, NULL);
}

static const char *
check_alias(void *arg, const char *name)
{
	const struct check *c = arg;

	return options_alias(&c->server, name);
}

static int
check_read(
    void *arg, const char *path, char **text, size_t *len, struct cause *cause)
{
	const struct check *c = arg;

	return c->hooks->read(c->hooks->arg, path, text, len, cause);
}

static bool
check_shell_ok(void *arg, const char *path)
{
	const struct check *c = arg;

	return c->hooks->shell_ok == NULL ||
	       c->hooks->shell_ok(c->hooks->arg, path);
}

static void
check_init_options(struct check *c)
{
	options_init(&c->server, NULL);
	options_init(&c->global_session, NULL);
	options_init(&c->global_window, NULL);
	options_set_defaults(&c->server, OPT_SERVER);
	options_set_defaults(&c->global_session, OPT_SESSION);
	options_set_defaults(&c->global_window, OPT_WINDOW | OPT_PANE);
	options_init(&c->session, &c->global_session);
	options_init(&c->window, &c->global_window);
	options_init(&c->pane, &c->window);
	c->panes[0] = &c->pane;
	c->trees.server = &c->server;
	c->trees.global_session = &c->global_session;
	c->trees.global_window = &c->global_window;
	c->trees.session = &c->session;
	c->trees.window = &c->window;
	c->trees.pane = &c->pane;
	c->trees.panes = c->panes;
	c->trees.pane_count = 1;
}

void
check_init(struct check *c, const struct check_hooks *hooks)
{
	memset(c, 0, sizeof *c);
	c->hooks = hooks;
	check_init_options(c);
	environ_init(&c->environ);
	c->parser.arg = c;
	c->parser.variable = check_variable;
	c->parser.home = hooks->home == NULL ? NULL : check_home;
	c->parser.expand = check_expand;
	c->parser.assign = check_assign;
	c->parser.alias = check_alias;
	c->source_hooks.arg = c;
	c->source_hooks.read = check_read;
	c->source_hooks.parser = c->parser;
	source_init(&c->source, &c->source_hooks);
	source_init(&c->warnings, &c->source_hooks);
	c->option_hooks.parser = &c->parser;
	c->option_hooks.arg = c;
	c->option_hooks.shell_ok = check_shell_ok;
}

void
check_fini(struct check *c)
{
	source_fini(&c->source);
	source_fini(&c->warnings);
	environ_fini(&c->environ);
	options_fini(&c->pane);
	options_fini(&c->window);
	options_fini(&c->session);
	options_fini(&c->global_window);
	options_fini(&c->global_session);
	options_fini(&c->server);
}

size_t
check_errors(const struct check *c)
{
	return c->source.error_count + c->source.errors_dropped;
}

/* Checks argument I, which holds commands as text. */
static void
check_commands_at(struct check *c, const struct cmd *cmd, size_t i)
{
	const char *text = args_string(cmd->args, i);
	struct cmdlist *list;

	/* The value that a prompt fills in is not known here. */
	if (text == NULL || *text == '%' || strstr(text, "#{") != NULL)
		return;
	if (c->depth == CHECK_DEPTH_MAX) {
		check_error(
		    c, cmd, "commands nested over %d deep", CHECK_DEPTH_MAX);
		return;
	}
	c->depth++;
	c->inner++;
	(void)source_text(&c->source, cmd_file_name(cmd), cmd->line, text,
	    strlen(text), &list);
	check_list(c, list);
	cmdlist_unref(list);
	c->depth--;
	c->inner--;
}

/* Checks all text arguments that may hold commands. */
static void
check_templates(struct check *c, const struct cmd *cmd)
{
	size_t i;

	for (i = 0; i < cmd->args->count; i++)
		check_commands_at(c, cmd, i);
}

static void
check_if_shell(struct check *c, const struct cmd *cmd)
{
	check_format_of(c, cmd, args_string(cmd->args, 0));
	check_commands_at(c, cmd, 1);
	check_commands_at(c, cmd, 2);
}

static void
check_run_shell(struct check *c, const struct cmd *cmd)
{
	if (args_has(cmd->args, 'C'))
		check_commands_at(c, cmd, 0);
}

/* Checks name, key, commands in turn; an empty name alone is a line. */
static void
check_menu(struct check *c, const struct cmd *cmd)
{
	const char *name;
	size_t i = 0;

	while (i < cmd->args->count) {
		name = args_string(cmd->args, i);
		if (name != NULL && *name == '\0') {
			i++;
			continue;
		}
		check_format_of(c, cmd, name);
		if (i + 2 < cmd->args->count)
			check_commands_at(c, cmd, i + 2);
		i += 3;
	}
}

static void
check_message(struct check *c, const struct cmd *cmd)
{
	check_format_of(c, cmd, args_string(cmd->args, 0));
	check_format_of(c, cmd, args_get(cmd->args, 'F'));
}

static void
check_key(struct check *c, const struct cmd *cmd, const char *name)
{
	key_code key;

	if (name != NULL && key_name_parse(name, &key) != 0)
		check_error(c, cmd, "unknown key: %.64s", name);
}

/* Warns of a binding of a key that no terminal sends. */
static void
check_key_occurs(struct check *c, const struct cmd *cmd, const char *name)
{
	key_code key;

	if (name == NULL || key_name_parse(name, &key) != 0)
		return;
	if ((key & KEY_MASK) == KEY_NONE)
		check_warn(c, cmd, "no key has the name %.64s", name);
	else if (key_is_mouse(key) &&
		 (key_mouse_button(key) == 4 || key_mouse_button(key) == 5))
		check_warn(c, cmd,
		    "%.64s does not occur: buttons 4 and 5 are WheelUp and "
		    "WheelDown",
		    name);
}

/* Warns of flags that are accepted without effect. */
static void
check_effects(struct check *c, const struct cmd *cmd)
{
	const struct command_flag_row *rows;
	size_t n, i;

	rows = command_flag_rows(cmd->row->id, &n);
	for (i = 0; i < n; i++)
		if (rows[i].flag != 0 && args_has(cmd->args, rows[i].flag) &&
		    str_starts(rows[i].text, "accepted without effect"))
			check_warn(c, cmd, "%s -%c is %s", cmd->row->name,
			    rows[i].flag, rows[i].text);
}

static void
check_bind_key(struct check *c, const struct cmd *cmd)
{
	const struct args *args = cmd->args;
	struct cmdlist *list;

	check_key(c, cmd, args_string(args, 0));
	check_key_occurs(c, cmd, args_string(args, 0));
	if (args->count == 2)
		check_commands_at(c, cmd, 1);
	if (args->count <= 2 || c->depth == CHECK_DEPTH_MAX)
		return;
	c->depth++;
	c->inner++;
	(void)parser_words(args->values + 1, args->count - 1,
	    cmd_file_name(cmd), cmd->line, &c->source.parser, &list);
	check_list(c, list);
	cmdlist_unref(list);
	c->depth--;
	c->inner--;
}

static void
check_unbind_key(struct check *c, const struct cmd *cmd)
{
	bool all = args_has(cmd->args, 'a') != 0;

	if (all && cmd->args->count > 0)
		check_error(c, cmd, "key given with -a");
	else if (!all && cmd->args->count == 0)
		check_error(c, cmd, "missing key");
	else
		check_key(c, cmd, args_string(cmd->args, 0));
}

/*
 * Returns the value of set-option after -F as a new string, or NULL if it has
 * none.
 */
static char *
check_option_value_new(struct check *c, const struct cmd *cmd)
{
	const char *text = args_string(cmd->args, 1);

	if (text == NULL)
		return NULL;
	check_format_of(c, cmd, text);
	return args_has(cmd->args, 'F') ? check_expand(c, text)
					: mem_strdup(text);
}

/* Warns of options without effect. */
static void
check_option_effect(struct check *c, const struct cmd *cmd, const char *name)
{
	struct option_name n;
	struct cause cause = { NULL };

	if (option_match(name, &n, &cause) == 0 && n.row != NULL &&
	    str_starts(n.row->help, "No effect"))
		check_warn(c, cmd, "%s has no effect", n.row->name);
	cause_fini(&cause);
}

static void
check_set_option(struct check *c, const struct cmd *cmd)
{
	const char *name = args_string(cmd->args, 0);
	const struct option_row *changed;
	struct cause cause = { NULL };
	char *text;

	/* set-hook may lack a name; -R, -B and -E give it other meanings. */
	if (name == NULL || strstr(name, "#{") != NULL)
		return;
	if (cmd->row->id == COMMAND_set_hook &&
	    (args_has(cmd->args, 'R') || args_has(cmd->args, 'B') ||
		args_has(cmd->args, 'E')))
		return;
	check_option_effect(c, cmd, name);
	text = check_option_value_new(c, cmd);
	/* A value that only a server can expand is not checked. */
	if (text == NULL || !args_has(cmd->args, 'F') ||
	    strcmp(text, args_string(cmd->args, 1)) == 0)
		(void)option_request_set(&c->trees, option_request_flags(cmd),
		    name, text, args_block(cmd->args, 1), &c->option_hooks,
		    &changed, &cause);
	else {
		struct option_name n;

		if (!args_has(cmd->args, 'q'))
			(void)option_match(name, &n, &cause);
	}
	if (cause.text != NULL)
		check_error(c, cmd, "%s", cause.text);
	cause_fini(&cause);
	mem_free(text);
}

static void
check_set_environment(struct check *c, const struct cmd *cmd)
{
	struct cause cause = { NULL };
	unsigned flags = 0;

	if (args_has(cmd->args, 'u'))
		flags |= ENVIRON_UNSET;
	if (args_has(cmd->args, 'r'))
		flags |= ENVIRON_REMOVE;
	if (environ_request_set(&c->environ, args_string(cmd->args, 0),
		args_string(cmd->args, 1), flags, &cause) != 0)
		check_error(c, cmd, "%s", cause_text(&cause));
	cause_fini(&cause);
}

/*
 * Follows files with a plain name. Skips patterns, formats, and files that a
 * key or a condition may source later.
 */
static void
check_source_file(struct check *c, const struct cmd *cmd)
{
	struct cmdlist *list;
	const char *path;
	size_t i;

	for (i = 0; c->inner == 0 && i < cmd->args->count; i++) {
		path = args_string(cmd->args, i);
		if (path == NULL || path[0] != '/' || match_is_glob(path) ||
		    strstr(path, "#{") != NULL || args_has(cmd->args, 'q'))
			continue;
		(void)source_open(
		    &c->source, path, cmd_file_name(cmd), cmd->line, &list);
		check_list(c, list);
		cmdlist_unref(list);
		source_close(&c->source);
	}
}

/* Commands with checks beyond their flags and arguments. */
static const struct check_row {
	enum command_id id;
	check_fn fn;
} check_rows[] = {
	{ COMMAND_bind_key, check_bind_key },
	{ COMMAND_choose_buffer, check_templates },
	{ COMMAND_choose_client, check_templates },
	{ COMMAND_choose_tree, check_templates },
	{ COMMAND_command_prompt, check_templates },
	{ COMMAND_confirm_before, check_templates },
	{ COMMAND_display_menu, check_menu },
	{ COMMAND_display_message, check_message },
	{ COMMAND_display_panes, check_templates },
	{ COMMAND_if_shell, check_if_shell },
	{ COMMAND_run_shell, check_run_shell },
	{ COMMAND_set_environment, check_set_environment },
	{ COMMAND_set_hook, check_set_option },
	{ COMMAND_set_option, check_set_option },
	{ COMMAND_set_window_option, check_set_option },
	{ COMMAND_source_file, check_source_file },
	{ COMMAND_unbind_key, check_unbind_key },
};

static void
check_command(struct check *c, const struct cmd *cmd)
{
	size_t i;

	c->commands++;
	check_effects(c, cmd);
	c->inner++;
	for (i = 0; i < cmd->args->count; i++) {
		if (cmd->args->values[i].block != NULL)
			check_list(c, cmd->args->values[i].block);
	}
	c->inner--;
	for (i = 0; i < ARRAY_LEN(check_rows); i++) {
		if (check_rows[i].id == cmd->row->id) {
			check_rows[i].fn(c, cmd);
			return;
		}
	}
}

static void
check_list(struct check *c, const struct cmdlist *list)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		check_command(c, list->cmds[i]);
}

int
check_file(struct check *c, const char *path)
{
	struct cmdlist *list;
	int e;

	e = source_open(&c->source, path, NULL, 0, &list);
	check_list(c, list);
	cmdlist_unref(list);
	source_close(&c->source);
	source_sort_errors(&c->source);
	if (e == 0 && check_errors(c) > 0)
		e = -ERR_SYNTAX;
	return e;
}
