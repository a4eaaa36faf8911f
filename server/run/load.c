#include "server/run/load.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "conf/source.h"
#include "mux/mux.h"
#include "server/run/cmdq.h"
#include "server/run/notes.h"
#include "server/run/parse.h"
#include "server/run/run.h"
#include "server/run/shell.h"

#ifndef RMUX_SYSCONFDIR
# define RMUX_SYSCONFDIR "/etc"
#endif

struct load {
	struct run *run;
	size_t pending; /* lists that have not ended, plus one for load_start */
	load_done_fn done;
	void *arg;
};

int
load_read(const char *path, char **text, size_t *len, struct cause *cause)
{
	return sys_read_file(path, SOURCE_FILE_MAX, text, len, cause);
}

static void
load_done(void *arg, UNUSED bool failed)
{
	struct load *l = arg;

	if (--l->pending > 0)
		return;
	notes_set_loading(l->run->notes, false);
	l->done(l->arg);
	mem_free(l);
}

/* Queues the commands of a file; none if any line does not parse. */
static void
load_text(struct load *l, const char *path, const char *text, size_t len)
{
	struct cmdlist *list;
	struct cmd_state st;
	struct parse ps;

	cmd_state_init(&st);
	st.flags |= CMD_STATE_CONFIG;
	parse_init(&ps, l->run, &st);
	ps.hooks.one_group = false;
	if (parser_parse(text, len, path, 1, &ps.hooks, &list) == 0) {
		l->pending++;
		cmdq_append(l->run->queue, list, &st, load_done, l);
	} else
		notes_errors(l->run, parse_errors(&ps));
	cmdlist_unref(list);
	parse_fini(&ps);
}

/* FIRST: at the start, -f may name a pipe of the shell: <(command). */
static void
load_file(struct load *l, const char *path, bool first)
{
	struct cause c = { NULL };
	char *text = NULL;
	size_t len = 0;
	int r;

	r = first ? sys_read_pipe(path, SOURCE_FILE_MAX, &text, &len, &c)
		  : load_read(path, &text, &len, &c);
	if (r != 0)
		notes_error(l->run, cause_text(&c));
	else
		load_text(l, path, text, len);
	cause_fini(&c);
	mem_free(text);
}

/* The same at start. */
static void
load_first(struct load *l, const char *path)
{
	notes_file(l->run->notes, path);
	notes_read(l->run->notes, path, NULL);
	load_file(l, path, true);
}

/* Returns true also if access is denied: reading the file reports why. */
static bool
load_exists(const char *path)
{
	return access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

/*
 * Sets the hint of a user without a configuration: how to load tmux's file, if
 * there is one, else the first keys.
 */
static void
load_hint(struct run *run, const struct source_paths *paths)
{
	const char *home = environ_get(&run->mux->environ, "HOME");
	const char *path;
	size_t i, n;
	bool tilde;

	for (i = paths->ours; i < paths->count; i++)
		if (load_exists(paths->paths[i])) {
			/*
			 * Shorten the home to ~: the line must fit in 80
			 * columns.
			 */
			path = paths->paths[i];
			n = home == NULL ? 0 : strlen(home);
			tilde = n > 0 && strncmp(path, home, n) == 0 &&
				path[n] == '/';
			notes_set_hint(run->notes,
			    mem_printf("Your tmux settings: put "
				       "\"source-file %s%s\" into "
				       "~/.rmux.conf",
				tilde ? "~" : "", tilde ? path + n : path));
			return;
		}
	/* A narrow terminal shows only the first 40 columns. */
	notes_set_hint(run->notes,
	    mem_strdup("#{prefix} d detaches, #{prefix} ? lists the keys"
		       ", #{prefix} : takes commands"));
}

/* Sets options from the environment; the files may change them. */
static void
load_environment(struct run *run)
{
	struct environ *env = &run->mux->environ;
	struct mux *m = run->mux;
	const char *editor, *base, *keys;

	(void)options_set_text(
	    &m->session_options, "default-shell", shell_environment(run), NULL);
	if ((editor = environ_get(env, "VISUAL")) == NULL &&
	    (editor = environ_get(env, "EDITOR")) == NULL)
		return;
	(void)options_set_text(&m->server_options, "editor", editor, NULL);
	base = strrchr(editor, '/');
	keys =
	    strstr(base == NULL ? editor : base, "vi") != NULL ? "vi" : "emacs";
	(void)options_set_text(&m->session_options, "status-keys", keys, NULL);
	(void)options_set_text(&m->window_options, "mode-keys", keys, NULL);
}

/* Queues those of the files FROM..TO-1 that exist; returns the first, or NULL. */
static const char *
load_some(
    struct load *l, const struct source_paths *paths, size_t from, size_t to)
{
	const char *first = NULL;
	size_t i;

	for (i = from; i < to; i++)
		if (load_exists(paths->paths[i])) {
			load_first(l, paths->paths[i]);
			if (first == NULL)
				first = paths->paths[i];
		}
	return first;
}

/*
 * Queues the user's files. Without any, those of tmux if the server was started
 * under that name.
 */
static void
load_user(struct load *l)
{
	struct run *run = l->run;
	const struct environ *env = &run->mux->environ;
	struct source_places places = {
		.sysconfdir = RMUX_SYSCONFDIR,
		.home = environ_get(env, "HOME"),
		.xdg_config = environ_get(env, "XDG_CONFIG_HOME"),
	};
	struct source_paths paths;
	const char *tmux = NULL;

	source_paths_init(&paths, &places);
	if (load_some(l, &paths, 0, paths.ours) == NULL) {
		if (run->as_tmux)
			tmux = load_some(l, &paths, paths.ours, paths.count);
		if (tmux != NULL)
			notes_set_hint(run->notes,
			    mem_printf("rmux has read %s: there is no "
				       "~/.rmux.conf",
				tmux));
		else
			load_hint(run, &paths);
	}
	source_paths_fini(&paths);
}

void
load_start(
    struct run *run, const char *const *files, load_done_fn done, void *arg)
{
	struct load *l = mem_zalloc(sizeof(*l));

	l->run = run;
	l->pending = 1;
	l->done = done;
	l->arg = arg;
	notes_set_loading(run->notes, true);
	load_environment(run);
	if (files != NULL && files[0] != NULL)
		for (; *files != NULL; files++)
			load_first(l, *files);
	else
		load_user(l);
	cmdq_run(run->queue);
	run_drain(run);
	load_done(l, false);
}

void
load_again(struct run *run, const char *path, load_done_fn done, void *arg)
{
	struct load *l = mem_zalloc(sizeof(*l));

	l->run = run;
	l->pending = 1;
	l->done = done;
	l->arg = arg;
	load_file(l, path, false);
	cmdq_run(run->queue);
	run_drain(run);
	load_done(l, false);
}
