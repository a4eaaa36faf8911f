/*
 * Prints the parse of a configuration file, or runs a transcript of
 * option commands; the other half of the comparisons with tmux.
 *
 * conf_run print FILE    as tmux source-file -nv prints it, without line
 * conf_run options FILE  the transcript with our output
 * conf_run load FILE     the global options that FILE leaves
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "conf/environ.h"
#include "conf/format.h"
#include "regress/unit/conf_world.h"

static char *
read_new(const char *path, size_t *len)
{
	struct buf b;
	uint8_t *p;
	FILE *f;
	size_t n;
	char *s;

	if ((f = fopen(path, "r")) == NULL) {
		perror(path);
		exit(1);
	}
	buf_init(&b, (size_t)1 << 26);
	while (
	    buf_reserve(&b, 65536, &p) == 0 && (n = fread(p, 1, 65536, f)) > 0)
		buf_commit(&b, n);
	fclose(f);
	s = buf_steal(&b, len);
	buf_fini(&b);
	return s;
}

/* Blocks first, then their group, the order in which tmux lists them. */
static void
print_list(const struct cmdlist *list)
{
	const struct cmd *cmd;
	struct buf out;
	size_t i, j;
	bool last;

	buf_init(&out, (size_t)1 << 24);
	for (i = 0; i < list->count; i++) {
		cmd = list->cmds[i];
		for (j = 0; j < cmd->args->count; j++) {
			if (cmd->args->values[j].block != NULL)
				print_list(cmd->args->values[j].block);
		}
		cmd_print(cmd, &out);
		last = i + 1 == list->count ||
		       list->cmds[i + 1]->group != cmd->group;
		(void)buf_add_str(&out, last ? "\n" : " ; ");
		if (last) {
			fputs(buf_cstr(&out), stdout);
			buf_clear(&out);
		}
	}
	buf_fini(&out);
}

static void
print_error(void *arg, const char *file, unsigned line, const char *text)
{
	(void)arg;
	printf("%s:%u: %s\n", file, line, text);
}

static const char *
print_variable(void *arg, const char *name)
{
	(void)arg;
	return getenv(name);
}

static const char *
print_home(void *arg, const char *user)
{
	(void)arg;
	return *user == '\0' ? getenv("HOME") : NULL;
}

static const char *
print_alias(void *arg, const char *name)
{
	return options_alias(arg, name);
}

static int
run_print(const char *path)
{
	struct options server;
	struct parser_hooks hooks = { .arg = &server,
		.variable = print_variable,
		.home = print_home,
		.alias = print_alias,
		.expand = conf_world_expand,
		.error = print_error };
	struct cmdlist *list;
	size_t n;
	char *text = read_new(path, &n);
	int e;

	options_init(&server, NULL);
	options_set_defaults(&server, OPT_SERVER);
	e = parser_parse(text, n, path, 1, &hooks, &list);
	print_list(list);
	cmdlist_unref(list);
	options_fini(&server);
	mem_free(text);
	return e == 0 ? 0 : 1;
}

static int
run_options(const char *path)
{
	struct conf_world w;
	char *text = read_new(path, NULL), *out;

	conf_world_init(&w);
	out = conf_world_transcript_new(&w, text);
	fputs(out, stdout);
	mem_free(out);
	conf_world_fini(&w);
	mem_free(text);
	return 0;
}

/* The variables of the file that is loaded, then ours. */
static struct environ load_environ;

static const char *
load_variable(void *arg, const char *name)
{
	const char *value = environ_get(&load_environ, name);

	return value != NULL ? value : print_variable(arg, name);
}

static void
load_assign(void *arg, const char *name, const char *value, bool hidden)
{
	(void)arg;
	(void)environ_set(&load_environ, name, value, hidden, NULL);
}

/* Runs the option commands of a configuration and shows all options. */
static int
run_load(const char *path)
{
	static const char *const shows[] = { "show -s", "show -g", "show -gw" };
	struct conf_world w;
	struct parser_hooks hooks;
	struct cmdlist *list;
	size_t i, n;
	char *text = read_new(path, &n);
	int e;

	conf_world_init(&w);
	hooks = w.parser;
	environ_init(&load_environ);
	hooks.variable = load_variable;
	hooks.assign = load_assign;
	hooks.home = print_home;
	hooks.expand = conf_world_expand;
	e = parser_parse(text, n, path, 1, &hooks, &list);
	for (i = 0; i < list->count; i++) {
		switch ((int)list->cmds[i]->row->id) {
		case COMMAND_set_option:
		case COMMAND_set_window_option:
		case COMMAND_set_hook:
			conf_world_command(&w, list->cmds[i]);
			break;
		default:
			break;
		}
	}
	for (i = 0; i < ARRAY_LEN(shows); i++)
		conf_world_run(&w, shows[i]);
	fputs(buf_cstr(&w.out), stdout);
	cmdlist_unref(list);
	conf_world_fini(&w);
	environ_fini(&load_environ);
	mem_free(text);
	return e == 0 ? 0 : 1;
}

int
main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "print") == 0)
		return run_print(argv[2]);
	if (argc == 3 && strcmp(argv[1], "options") == 0)
		return run_options(argv[2]);
	if (argc == 3 && strcmp(argv[1], "load") == 0)
		return run_load(argv[2]);
	fprintf(stderr, "usage: conf_run print|options|load FILE\n");
	return 2;
}
