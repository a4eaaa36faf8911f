#include "server/run/parse.h"

#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "mux/mux.h"
#include "server/run/run.h"

static const char *
parse_variable(void *arg, const char *name)
{
	const struct parse *ps = arg;

	return environ_get(&ps->run->mux->environ, name);
}

static const char *
parse_home(void *arg, const char *user)
{
	const struct parse *ps = arg;
	const char *home;
	struct passwd *pw;

	if (*user == '\0') {
		home = environ_get(&ps->run->mux->environ, "HOME");
		if (home != NULL && *home != '\0')
			return home;
		pw = getpwuid(getuid());
	} else
		pw = getpwnam(user);
	return pw == NULL ? NULL : pw->pw_dir;
}

static char *
parse_expand(void *arg, const char *format)
{
	const struct parse *ps = arg;

	return ps->run->ops->expand(ps->run->arg, ps->state, format);
}

static void
parse_assign(void *arg, const char *name, const char *value, bool hidden)
{
	struct parse *ps = arg;

	/* As in tmux, nothing behind an error has an effect. */
	if (ps->errors.len > 0)
		return;
	(void)environ_set(&ps->run->mux->environ, name, value, hidden, NULL);
}

static const char *
parse_alias(void *arg, const char *name)
{
	const struct parse *ps = arg;

	return options_alias(&ps->run->mux->server_options, name);
}

static void
parse_error(void *arg, const char *file, unsigned line, const char *text)
{
	struct parse *ps = arg;

	if (file != NULL)
		(void)buf_addf(&ps->errors, "%s:%u: %s\n", file, line, text);
	else
		(void)buf_addf(&ps->errors, "%s\n", text);
}

void
parse_init(struct parse *ps, struct run *run, const struct cmd_state *state)
{
	memset(ps, 0, sizeof(*ps));
	ps->run = run;
	ps->state = state;
	buf_init(&ps->errors, PARSE_ERRORS_MAX);
	ps->hooks = (struct parser_hooks){
		.arg = ps,
		.variable = parse_variable,
		.home = parse_home,
		.expand = parse_expand,
		.assign = parse_assign,
		.alias = parse_alias,
		.error = parse_error,
		.one_group = true,
	};
}

void
parse_restrict(struct parse *ps)
{
	ps->hooks.variable = NULL;
	ps->hooks.home = NULL;
	ps->hooks.expand = NULL;
	ps->hooks.assign = NULL;
}

void
parse_fini(struct parse *ps)
{
	buf_fini(&ps->errors);
}

const char *
parse_errors(struct parse *ps)
{
	if (ps->errors.len > 0)
		buf_truncate(&ps->errors, ps->errors.len - 1);
	return buf_cstr(&ps->errors);
}
