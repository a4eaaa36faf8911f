#include "server/run/shell.h"

#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "mux/mux.h"
#include "mux/session.h"
#include "server/run/run.h"

bool
shell_ok(const char *path)
{
	return *path == '/' && strcmp(strrchr(path, '/'), "/rmux") != 0 &&
	       strcmp(strrchr(path, '/'), "/tmux") != 0 &&
	       access(path, X_OK) == 0;
}

const char *
shell_environment(struct run *run)
{
	const char *shell = environ_get(&run->mux->environ, "SHELL");
	const struct passwd *pw;

	if (shell != NULL && shell_ok(shell))
		return shell;
	pw = getpwuid(getuid());
	return pw != NULL && shell_ok(pw->pw_shell) ? pw->pw_shell : "/bin/sh";
}

const char *
shell_default(struct run *run, const struct session *s)
{
	const struct options *o =
	    s == NULL ? &run->mux->session_options : &s->options;
	const char *shell = options_string(o, OPTION_DEFAULT_SHELL);

	return shell_ok(shell) ? shell : "/bin/sh";
}
