#include "server/cmd/cmd.h"

#include <string.h>

#include "base/mem.h"
#include "server/core/hooks.h"
#include "server/io/scope.h"

bool
cmd_nobody(const struct cmd_context *c)
{
	return list_empty(&c->sv->viewers.list) &&
	       list_empty(&c->sv->controllers.list);
}

bool
cmd_on_screen(const struct cmd_context *c)
{
	return c->viewer != NULL && !conn_reads(c->conn);
}

void
cmd_say(struct cmd_context *c, const char *fmt, ...)
{
	va_list ap;
	char *text, *line;

	va_start(ap, fmt);
	text = mem_vprintf(fmt, ap);
	va_end(ap);
	line = mem_printf("%s\n", text);
	sink_lines(&c->sink, line, strlen(line));
	mem_free(line);
	mem_free(text);
}

void
cmd_say_lines(struct cmd_context *c, struct buf *lines)
{
	sink_lines(&c->sink, buf_cstr(lines), lines->len);
}

enum cmd_result
cmd_error(struct cmd_context *c, const char *fmt, ...)
{
	va_list ap;
	char *text, *line;

	va_start(ap, fmt);
	text = mem_vprintf(fmt, ap);
	va_end(ap);
	if (cmd_file_name(c->cmd) != NULL && c->sink.ops->places) {
		line = mem_printf(
		    "%s:%u: %s", cmd_file_name(c->cmd), c->cmd->line, text);
		mem_free(text);
		text = line;
	}
	sink_error(&c->sink, text);
	log_write(
	    &c->sv->run.log, LOG_INFO, LOG_SERVER, "command failed: %s", text);
	mem_free(text);
	return CMD_ERROR;
}

const char *
cmd_fault_name(int error)
{
	switch (error) {
	case -ERR_SMALL:
		return "too small";
	case -ERR_LARGE:
		return "too large";
	default:
		return "invalid";
	}
}

enum cmd_result
cmd_fault(struct cmd_context *c, const char *what, int error, struct cause *why)
{
	cause_fini(why);
	return cmd_error(c, "%s %s", what, cmd_fault_name(error));
}

enum cmd_result
cmd_cause(struct cmd_context *c, struct cause *why)
{
	enum cmd_result r;

	r = cmd_error(c, "%s", cause_text(why));
	cause_fini(why);
	return r;
}

char *
cmd_format_new(
    struct cmd_context *c, const struct cmd_target *t, const char *format)
{
	return cmd_format_vars_new(c, t, format, NULL, 0);
}

char *
cmd_format_vars_new(struct cmd_context *c, const struct cmd_target *t,
    const char *format, const struct format_var *vars, size_t count)
{
	struct scope_where w = {
		.client = c->shown,
		.session = t == NULL ? NULL : t->s,
		.link = t == NULL ? NULL : t->wl,
		.pane = t == NULL ? NULL : t->p,
		.state = c->state,
		.vars = vars,
		.var_count = count,
		.command = c->cmd->row->name,
		.file = cmd_file_name(c->cmd),
		.env = c->conn == NULL ? NULL : conn_env(c->conn),
		.kind = c->kind,
		.bare = t == NULL,
	};

	return scope_new(c->sv->scope, &w, format, 0);
}

bool
cmd_filter(struct cmd_context *c, const struct cmd_target *t)
{
	const char *filter = args_get(c->args, 'f');
	bool pass;
	char *text;

	if (filter == NULL)
		return true;
	c->shown = c->client; /* lists know the caller alone */
	text = cmd_format_new(c, t, filter);
	pass = format_true(text);
	mem_free(text);
	return pass;
}

int
cmd_parse_arg(
    struct cmd_context *c, size_t i, struct parse *sp, struct cmdlist **list)
{
	const char *text = args_string(c->args, i);
	int r;

	*list = args_block(c->args, i);
	if (*list != NULL) {
		(void)cmdlist_ref(*list);
		return 0;
	}
	if (text == NULL)
		return 0;
	r = parser_parse(text, strlen(text), NULL, 1, &sp->hooks, list);
	if (r != 0) {
		cmdlist_unref(*list);
		*list = NULL;
	}
	return r;
}

struct cmdlist *
cmd_commands(struct cmd_context *c, size_t i, enum cmd_result *r)
{
	struct parse sp;
	struct cmdlist *list;

	*r = CMD_NORMAL;
	parse_init(&sp, &c->sv->run, c->state);
	if (cmd_parse_arg(c, i, &sp, &list) != 0) {
		*r = cmd_error(c, "%s", parse_errors(&sp));
	}
	parse_fini(&sp);
	return list;
}

enum cmd_result
cmd_insert(struct cmd_context *c, struct cmdlist *list)
{
	if (cmdq_insert(c->item, list, c->state, NULL, NULL) != 0)
		return cmd_error(c, "too many nested commands");
	return CMD_NORMAL;
}

void
cmd_set_after(struct cmd_context *c, const struct cmd_target *t)
{
	c->after.session = t->s == NULL ? MUX_NONE : t->s->id;
	c->after.window = t->w == NULL ? MUX_NONE : t->w->id;
	c->after.pane = t->p == NULL ? MUX_NONE : t->p->id;
	c->after.index = t->wl == NULL ? -1 : t->wl->index;
}

/* Returns the commands of an @option. */
static bool
run_user(struct cmd_context *c, const char *name, const struct cmd_state *st)
{
	struct cmdlist *list = hooks_user_commands(c->sv->hooks, name, st);

	if (list != NULL)
		(void)cmdq_insert(c->item, list, st, NULL, NULL);
	cmdlist_unref(list);
	return list != NULL;
}

void
cmd_run_hook(struct cmd_context *c, const char *name, const struct options *o,
    const struct cmd_state *where)
{
	const struct option_entry *e;
	struct option_name option;
	struct cmd_state st = *where;
	struct buf arguments;
	size_t i;
	bool ran;

	if (option_match(name, &option, NULL) != 0)
		return;
	/*
	 * Commands of a user's event are those of the place where it happens.
	 */
	e = option.row == NULL ? NULL : options_find(o, &option);
	ran = e != NULL && e->count > 0;
	if (!ran && option.row != NULL && !hooks_waited(c->sv->hooks, name))
		return;
	st.flags |= CMD_STATE_NOHOOKS;
	st.hook = hook_vars_new();
	buf_init(&arguments, 1 << 20);
	cmd_print(c->cmd, &arguments);
	hook_vars_add(st.hook, "hook", name);
	hook_vars_add(st.hook, "hook_arguments", buf_cstr(&arguments));
	buf_fini(&arguments);
	if (option.row == NULL && o == NULL)
		st.flags |= CMD_STATE_EVENT;
	if (option.row == NULL)
		ran = run_user(c, name, &st);
	for (i = 0; e != NULL && i < e->count; i++)
		if (e->items[i].value.commands != NULL)
			(void)cmdq_insert(c->item, e->items[i].value.commands,
			    &st, NULL, NULL);
	hooks_tell(c->sv->hooks, name, &st, ran);
	hook_vars_unref(st.hook);
}
