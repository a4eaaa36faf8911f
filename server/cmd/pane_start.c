/* New panes: their command, directory, environment and name. */
#include <string.h>

#include "base/mem.h"
#include "server/cmd/shared.h"
#include "server/io/pane_io.h"
#include "server/io/spawn.h"

void
cmd_pane_start(
    struct cmd_context *c, struct pane_start *st, char **argv, size_t max)
{
	size_t i;
	union {
		const char *in;
		char *out;
	} word;

	for (i = 0; i < c->args->count && i < max; i++) {
		word.in = args_string(c->args, i);
		if (word.in == NULL)
			break;
		argv[i] = word.out;
	}
	st->argv = argv;
	st->argc = i;
}

void
cmd_extra_environ(struct cmd_context *c, struct environ *env)
{
	const struct args_value *v;
	size_t i, n;

	environ_init(env);
	v = args_values(c->args, 'e', &n);
	for (i = 0; i < n; i++)
		environ_put(env, v[i].text);
}

int
cmd_spawn(
    struct cmd_context *c, struct session *s, struct pane *p, struct cause *why)
{
	struct environ extra;
	int r;

	cmd_extra_environ(c, &extra);
	r = spawn_pane(&c->sv->panes, s, p, &extra, why);
	environ_fini(&extra);
	return r;
}

char *
cmd_start_path(struct cmd_context *c, const struct cmd_target *t, bool caller)
{
	const char *cwd = args_get(c->args, 'c');
	struct pane_io *io;
	char path[4096];

	if (cwd != NULL)
		return cmd_format_new(c, t, cwd);
	if (c->conn != NULL && (caller || controller_client(c->conn) == NULL))
		return mem_strdup(conn_cwd(c->conn));
	if (t->s != NULL && t->s->path != NULL)
		return mem_strdup(t->s->path);
	io = t->p == NULL ? NULL : pane_io_find(&c->sv->panes, t->p->id);
	if (io != NULL && io->fd >= 0) {
		pty_foreground_cwd(io->fd, path, sizeof(path));
		if (*path != '\0')
			return mem_strdup(path);
	}
	return NULL;
}

void
cmd_say_target(
    struct cmd_context *c, const struct cmd_target *t, const char *format)
{
	char *text;

	if (!args_has(c->args, 'P'))
		return;
	if (args_get(c->args, 'F') != NULL)
		format = args_get(c->args, 'F');
	text = cmd_format_new(c, t, format);
	cmd_say(c, "%s", text);
	mem_free(text);
}

void
cmd_name_window(struct cmd_context *c, const struct session *s,
    struct window *w, const struct cmd_target *at)
{
	const char *name = args_get(c->args, 'n');
	char *text;

	if (name == NULL) {
		text = spawn_name_new(&c->sv->run, s, w->active);
		window_set_foreign_name(w, text);
	} else {
		text =
		    at == NULL ? mem_strdup(name) : cmd_format_new(c, at, name);
		(void)options_set_text(
		    &w->options, "automatic-rename", "off", NULL);
		window_set_name(w, text);
	}
	mem_free(text);
}
