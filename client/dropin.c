#include "client/dropin.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"

bool
dropin_is(const char *argv0)
{
	const char *slash = argv0 == NULL ? NULL : strrchr(argv0, '/');

	return argv0 != NULL &&
	       strcmp(slash == NULL ? argv0 : slash + 1, "tmux") == 0;
}

/* Sets TO as FROM is set, or unsets it. */
static void
put(const char *from, const char *to)
{
	const char *value = getenv(from);

	if (value == NULL || *value == '\0')
		(void)unsetenv(to);
	else
		(void)setenv(to, value, 1);
}

/*
 * Returns whether VALUE, of TMUX, names a socket in a folder of tmux. Nothing
 * else tells before a connection.
 */
static bool
of_tmux(const char *value)
{
	char *path = mem_strndup(value, strcspn(value, ",")), *slash;
	bool is = false;

	if ((slash = strrchr(path, '/')) != NULL) {
		*slash = '\0';
		slash = strrchr(path, '/');
		is = slash != NULL && str_starts(slash + 1, "tmux-");
	}
	mem_free(path);
	return is;
}

int
dropin_environment(struct cause *c)
{
	const char *value = getenv("TMUX"), *dir = getenv("TMUX_TMPDIR");

	if (value != NULL && of_tmux(value))
		return cause_set(c, -ERR_TYPE,
		    "this program is rmux, and TMUX names a server of tmux "
		    "(%.*s): call tmux by its full path, or unset TMUX",
		    (int)strcspn(value, ","), value);
	put("TMUX", "RMUX");
	put("TMUX_PANE", "RMUX_PANE");
	/* As in tmux, a folder that is not there is not used. */
	if (dir != NULL && access(dir, F_OK) == 0)
		(void)setenv("RMUX_TMPDIR", dir, 1);
	return 0;
}
