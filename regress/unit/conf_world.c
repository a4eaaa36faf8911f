#include "config.h"

#include <string.h>

#include "base/mem.h"
#include "conf/args.h"
#include "conf/format.h"
#include "regress/unit/conf_world.h"

static const char *
conf_world_alias(void *arg, const char *name)
{
	const struct conf_world *w = arg;

	return options_alias(&w->server, name);
}

static void
conf_world_error(void *arg, const char *file, unsigned line, const char *text)
{
	struct conf_world *w = arg;

	(void)file;
	(void)line;
	(void)buf_addf(&w->out, "%s\n", text);
}

static bool
conf_world_shell_ok(void *arg, const char *path)
{
	(void)arg;
	return strcmp(path, "/nonexistent") != 0;
}

static bool
world_variable(void *ctx, const char *name, struct buf *out)
{
	(void)ctx;
	if (strcmp(name, "host") != 0)
		return false;
	(void)buf_add_str(out, "here");
	return true;
}

char *
conf_world_expand(void *arg, const char *format)
{
	static const struct format_ops ops = { .variable = world_variable };
	const struct format_args args = { .scope = { &ops, arg } };

	return format_expand_new(&args, format);
}

void
conf_world_init(struct conf_world *w)
{
	memset(w, 0, sizeof *w);
	options_init(&w->server, NULL);
	options_init(&w->global_session, NULL);
	options_init(&w->global_window, NULL);
	options_set_defaults(&w->server, OPT_SERVER);
	options_set_defaults(&w->global_session, OPT_SESSION);
	options_set_defaults(&w->global_window, OPT_WINDOW | OPT_PANE);
	options_init(&w->session, &w->global_session);
	options_init(&w->window, &w->global_window);
	options_init(&w->panes[0], &w->window);
	options_init(&w->panes[1], &w->window);
	w->pane_list[0] = &w->panes[0];
	w->pane_list[1] = &w->panes[1];
	w->trees.server = &w->server;
	w->trees.global_session = &w->global_session;
	w->trees.global_window = &w->global_window;
	w->trees.session = &w->session;
	w->trees.window = &w->window;
	w->trees.pane = &w->panes[0];
	w->trees.panes = w->pane_list;
	w->trees.pane_count = 2;
	w->parser.arg = w;
	w->parser.alias = conf_world_alias;
	w->parser.error = conf_world_error;
	w->hooks.parser = &w->parser;
	w->hooks.shell_ok = conf_world_shell_ok;
	buf_init(&w->out, (size_t)1 << 24);
}

void
conf_world_fini(struct conf_world *w)
{
	options_fini(&w->panes[0]);
	options_fini(&w->panes[1]);
	options_fini(&w->window);
	options_fini(&w->session);
	options_fini(&w->global_window);
	options_fini(&w->global_session);
	options_fini(&w->server);
	buf_fini(&w->out);
}

struct show {
	unsigned flags;
	struct buf *out;
};

static void
show_line(void *arg, const struct option_line *line)
{
	const struct show *show = arg;

	option_line_print(line, show->flags, show->out);
}

void
conf_world_command(struct conf_world *w, const struct cmd *cmd)
{
	struct show show = { .out = &w->out };
	const struct option_row *changed;
	unsigned flags = option_request_flags(cmd);
	struct cause cause = { NULL };

	switch ((int)cmd->row->id) {
	case COMMAND_set_option:
	case COMMAND_set_window_option:
	case COMMAND_set_hook:
		(void)option_request_set(&w->trees, flags,
		    args_string(cmd->args, 0), args_string(cmd->args, 1),
		    args_block(cmd->args, 1), &w->hooks, &changed, &cause);
		break;
	case COMMAND_show_options:
	case COMMAND_show_window_options:
	case COMMAND_show_hooks:
		show.flags = flags;
		(void)option_request_each(&w->trees, flags,
		    args_string(cmd->args, 0), show_line, &show, &cause);
		break;
	default:
		(void)cause_set(
		    &cause, -ERR_UNSUPPORTED, "not here: %s", cmd->row->name);
		break;
	}
	if (cause.text != NULL)
		(void)buf_addf(&w->out, "%s\n", cause.text);
	cause_fini(&cause);
}

void
conf_world_run(struct conf_world *w, const char *line)
{
	struct cmdlist *list;
	size_t i;

	if (parser_parse(line, strlen(line), NULL, 1, &w->parser, &list) == 0) {
		for (i = 0; i < list->count; i++)
			conf_world_command(w, list->cmds[i]);
	}
	cmdlist_unref(list);
}

char *
conf_world_transcript_new(struct conf_world *w, const char *text)
{
	char *line;
	size_t n;

	for (; *text != '\0'; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		if (n > 0 && *text != '#' && strncmp(text, "> ", 2) != 0)
			continue;
		(void)buf_addf(&w->out, "%.*s\n", (int)n, text);
		if (*text != '>')
			continue;
		line = mem_strndup(text + 2, n - 2);
		conf_world_run(w, line);
		mem_free(line);
	}
	return buf_steal(&w->out, NULL);
}
