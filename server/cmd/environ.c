/*
 * set-environment, show-environment.
 */
#include "conf/environ.h"

#include "base/mem.h"
#include "server/cmd/cmd.h"

static const struct environ_bit {
	char flag;
	unsigned bit;
} environ_bits[] = {
	{ 'u', ENVIRON_UNSET },
	{ 'r', ENVIRON_REMOVE },
	{ 'h', ENVIRON_HIDDEN },
	{ 's', ENVIRON_SHELL },
};

static unsigned
environ_bits_of(struct cmd_context *c)
{
	unsigned flags = 0;
	size_t i;

	for (i = 0; i < ARRAY_LEN(environ_bits); i++)
		if (args_has(c->args, environ_bits[i].flag))
			flags |= environ_bits[i].bit;
	return flags;
}

/* Returns the environment of -g or -t; NULL after an error was reported. */
static struct environ *
environ_of(struct cmd_context *c)
{
	const char *target = args_get(c->args, 't');

	if (args_has(c->args, 'g'))
		return &c->sv->run.mux->environ;
	if (c->target.s != NULL)
		return &c->target.s->environ;
	if (target != NULL)
		(void)cmd_error(c, "no such session: %s", target);
	else
		(void)cmd_error(c, "no current session");
	return NULL;
}

enum cmd_result
cmd_exec_set_environment(struct cmd_context *c)
{
	struct cause why = { NULL };
	struct environ *env;
	const char *name = args_string(c->args, 0);
	const char *value = args_string(c->args, 1);
	char *expanded = NULL;
	int r;

	if (*name == '\0')
		return cmd_error(c, "empty variable name");
	if (strchr(name, '=') != NULL)
		return cmd_error(c, "variable name contains =");
	if ((env = environ_of(c)) == NULL)
		return CMD_ERROR;
	if (args_has(c->args, 'F') && value != NULL)
		value = expanded = cmd_format_new(c, &c->target, value);
	r = environ_request_set(env, name, value, environ_bits_of(c), &why);
	mem_free(expanded);
	return r == 0 ? CMD_NORMAL : cmd_cause(c, &why);
}

enum cmd_result
cmd_exec_show_environment(struct cmd_context *c)
{
	struct cause why = { NULL };
	struct environ *env;
	struct buf out;
	int r;

	if (args_get(c->args, 't') != NULL && c->target.s == NULL)
		return cmd_error(
		    c, "no such session: %s", args_get(c->args, 't'));
	if ((env = environ_of(c)) == NULL)
		return CMD_ERROR;
	buf_init(&out, (size_t)64 << 20);
	r = environ_request_show(
	    env, args_string(c->args, 0), environ_bits_of(c), &out, &why);
	cmd_say_lines(c, &out);
	buf_fini(&out);
	return r == 0 ? CMD_NORMAL : cmd_cause(c, &why);
}
