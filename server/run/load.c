#include "server/run/load.h"

#include <errno.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "conf/source.h"
#include "server/io/spawn.h"

#ifndef RMUX_SYSCONFDIR
# define RMUX_SYSCONFDIR "/etc"
#endif

#define CONFIG_ERRORS_SHOWN 1000

struct config_run {
	struct server *sv;
	size_t pending;
};

void
server_config_error(struct server *sv, const char *text)
{
	server_message(sv, "config error: %s", text);
	if (sv->config_error_count >= CONFIG_ERRORS_SHOWN)
		return;
	sv->config_errors = mem_resize(sv->config_errors,
	    sv->config_error_count + 1, sizeof(*sv->config_errors));
	sv->config_errors[sv->config_error_count++] = mem_strdup(text);
}

static void
config_keep_errors(struct server *sv, struct buf *errors)
{
	char *text = buf_steal(errors, NULL), *line, *rest = text;

	while ((line = strsep(&rest, "\n")) != NULL)
		if (*line != '\0')
			server_config_error(sv, line);
	mem_free(text);
}

static int
config_parse(struct server *sv, const struct cmd_state *st, const char *name,
    const char *text, size_t len, struct cmdlist **list, struct buf *errors)
{
	struct server_parse sp;
	int r;

	server_parse_init(&sp, sv, st);
	r = parser_parse(text, len, name, 1, &sp.hooks, list);
	(void)buf_add(errors, sp.errors.data, sp.errors.len);
	server_parse_fini(&sp);
	return r;
}

int
config_read(const char *path, char **text, size_t *len, struct cause *cause)
{
	return sys_read_file(path, SOURCE_FILE_MAX, text, len, cause);
}

static void
config_done(void *arg, UNUSED bool failed)
{
	struct config_run *run = arg;
	struct server *sv = run->sv;

	if (--run->pending > 0)
		return;
	mem_free(run);
	server_config_loaded(sv);
}

static void
config_load_file(struct server *sv, struct config_run *run, const char *path)
{
	struct cause c = { NULL };
	struct cmdlist *list;
	struct cmd_state st;
	struct buf errors;
	char *text = NULL;
	size_t len = 0;

	sv->config_files = mem_resize(sv->config_files,
	    sv->config_file_count + 1, sizeof(*sv->config_files));
	sv->config_files[sv->config_file_count++] = mem_strdup(path);
	buf_init(&errors, 1 << 20);
	cmd_state_init(&st);
	st.flags |= CMD_STATE_CONFIG;
	if (sys_read_file(path, SOURCE_FILE_MAX, &text, &len, &c) != 0) {
		server_config_error(sv, cause_text(&c));
	} else {
		/* A file with an error runs nothing, as in tmux. */
		if (config_parse(sv, &st, path, text, len, &list, &errors) ==
		    0) {
			run->pending++;
			cmdq_append(sv->queue, list, &st, config_done, run);
		} else
			config_keep_errors(sv, &errors);
		cmdlist_unref(list);
	}
	buf_fini(&errors);
	cause_fini(&c);
	mem_free(text);
}

/* A file that cannot be looked at is there: reading it says why. */
static bool
config_exists(const char *path)
{
	return access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

/* Where there is no configuration yet; a format, expanded when it is shown. */
static void
config_hint(struct server *sv, const struct source_paths *paths)
{
	const char *home = environ_get(&sv->mux->environ, "HOME");
	const char *path;
	size_t i, n;
	bool tilde;

	for (i = paths->ours; i < paths->count; i++)
		if (config_exists(paths->paths[i])) {
			/* One line of 80 columns: the home is ~. */
			path = paths->paths[i];
			n = home == NULL ? 0 : strlen(home);
			tilde = n > 0 && strncmp(path, home, n) == 0 &&
				path[n] == '/';
			sv->hint = mem_printf("Your tmux settings: put "
					      "\"source-file %s%s\" into "
					      "~/.rmux.conf",
			    tilde ? "~" : "", tilde ? path + n : path);
			return;
		}
	/* What matters most first: a narrow terminal shows 40 columns of it. */
	sv->hint = mem_strdup("#{prefix} d detaches, #{prefix} ? lists the keys"
			      ", #{prefix} : takes commands");
}

/* The shell of who started the server. */
static const char *
environment_shell(struct server *sv)
{
	const char *shell = environ_get(&sv->mux->environ, "SHELL");
	const struct passwd *pw;

	if (shell != NULL && spawn_shell_ok(shell))
		return shell;
	pw = getpwuid(getuid());
	return pw != NULL && spawn_shell_ok(pw->pw_shell) ? pw->pw_shell
							  : "/bin/sh";
}

/* What the environment says comes before what any file does. */
static void
config_environment(struct server *sv)
{
	struct environ *env = &sv->mux->environ;
	const char *editor, *base, *keys;

	(void)options_set_text(&sv->mux->session_options, "default-shell",
	    environment_shell(sv), NULL);
	if ((editor = environ_get(env, "VISUAL")) == NULL &&
	    (editor = environ_get(env, "EDITOR")) == NULL)
		return;
	(void)options_set_text(
	    &sv->mux->server_options, "editor", editor, NULL);
	base = strrchr(editor, '/');
	keys =
	    strstr(base == NULL ? editor : base, "vi") != NULL ? "vi" : "emacs";
	(void)options_set_text(
	    &sv->mux->session_options, "status-keys", keys, NULL);
	(void)options_set_text(
	    &sv->mux->window_options, "mode-keys", keys, NULL);
}

void
config_load(struct server *sv)
{
	struct source_places places = {
		.sysconfdir = RMUX_SYSCONFDIR,
		.home = environ_get(&sv->mux->environ, "HOME"),
		.xdg_config = environ_get(&sv->mux->environ, "XDG_CONFIG_HOME"),
	};
	struct source_paths paths;
	struct config_run *run;
	bool ours = false;
	size_t i;

	run = mem_zalloc(sizeof(*run));
	run->sv = sv;
	run->pending = 1;
	sv->config_loading = true;
	config_environment(sv);
	if (sv->cfg->config != NULL && sv->cfg->config[0] != NULL) {
		for (i = 0; sv->cfg->config[i] != NULL; i++)
			config_load_file(sv, run, sv->cfg->config[i]);
	} else {
		source_paths_init(&paths, &places);
		for (i = 0; i < paths.ours; i++)
			if (config_exists(paths.paths[i])) {
				config_load_file(sv, run, paths.paths[i]);
				ours = true;
			}
		if (!ours)
			config_hint(sv, &paths);
		source_paths_fini(&paths);
	}
	cmdq_run(sv->queue);
	server_drain(sv);
	config_done(run, false);
}
