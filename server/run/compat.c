#include "config.h"

#include <string.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/tmux.h"
#include "conf/environ.h"
#include "mux/mux.h"
#include "server/run/compat.h"
#include "server/run/run.h"

/* Returns DIR if it has a program `tmux`; else frees it and returns NULL. */
static char *
with_tmux(char *dir)
{
	char *path = mem_printf("%s/tmux", dir);
	bool is = access(path, X_OK) == 0;

	mem_free(path);
	if (is)
		return dir;
	mem_free(dir);
	return NULL;
}

char *
compat_find_new(void)
{
	static const char *const beside[] = { "libexec", "../libexec/rmux" };
	char *self = sys_program_new(), *slash, *dir = NULL;
	size_t i;

	slash = self == NULL ? NULL : strrchr(self, '/');
	if (slash != NULL) {
		*slash = '\0';
		for (i = 0; i < ARRAY_LEN(beside) && dir == NULL; i++)
			dir = with_tmux(mem_printf("%s/%s", self, beside[i]));
	}
	mem_free(self);
	return dir != NULL ? dir : with_tmux(mem_strdup(RMUX_LIBEXECDIR));
}

/* Puts DIR at the front of PATH. */
static void
path_first(struct environ *env, const char *dir)
{
	const char *path = environ_get(env, "PATH");
	size_t n = strlen(dir);
	char *all;

	if (path != NULL && str_starts(path, dir) &&
	    (path[n] == ':' || path[n] == '\0'))
		return;
	all = mem_printf("%s:%s", dir,
	    path == NULL || *path == '\0' ? "/usr/local/bin:/usr/bin:/bin"
					  : path);
	(void)environ_set(env, "PATH", all, false, NULL);
	mem_free(all);
}

void
compat_environ(const struct run *run, struct environ *env, const char *server,
    const char *pane)
{
	environ_unset(env, "TMUX");
	environ_unset(env, "TMUX_PANE");
	if (!options_flag(&run->mux->server_options, OPTION_TMUX_COMPAT))
		return;
	(void)environ_set(env, "TMUX", server, false, NULL);
	/* Programs take switch-client instead of attach-session by this one. */
	(void)environ_set(env, "TERM_PROGRAM", "tmux", false, NULL);
	(void)environ_set(
	    env, "TERM_PROGRAM_VERSION", TMUX_VERSION, false, NULL);
	if (pane != NULL)
		(void)environ_set(env, "TMUX_PANE", pane, false, NULL);
	if (run->compat_dir != NULL)
		path_first(env, run->compat_dir);
}
