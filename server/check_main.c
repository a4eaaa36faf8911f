#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "server/check_main.h"
#include "server/run/checker.h"

#if !HAVE_DECL_ENVIRON
extern char **environ;
#endif

/* Checks the files that a server would load; returns their number. */
static size_t
check_main_default(struct check *c)
{
	struct source_places places = { .sysconfdir = "/etc",
		.home = getenv("HOME"),
		.xdg_config = getenv("XDG_CONFIG_HOME") };
	struct source_paths paths;
	size_t i, found = 0;

	source_paths_init(&paths, &places);
	for (i = 0; i < paths.count; i++) {
		if (i == paths.ours && found > 0)
			break;
		if (access(paths.paths[i], F_OK) != 0)
			continue;
		/* The doctor shows this line. */
		if (i >= paths.ours && found == 0)
			printf("no rmux.conf; %s is read under the name tmux\n",
			    paths.paths[i]);
		found++;
		(void)check_file(c, paths.paths[i]);
	}
	source_paths_fini(&paths);
	return found;
}

int
check_main(const char *const *paths, int count)
{
	struct checker m;
	struct check c;
	size_t i, errors;
	char **e, *text;
	int n;

	checker_init(&m);
	check_init(&c, &m.hooks);
	for (e = environ; e != NULL && *e != NULL; e++)
		environ_put(&c.environ, *e);
	for (n = 0; n < count; n++)
		(void)check_file(&c, paths[n]);
	if (count == 0 && check_main_default(&c) == 0)
		fprintf(stderr, "rmux: no configuration file found\n");
	for (i = 0; i < c.source.error_count; i++) {
		text = source_error_new(&c.source, i);
		fprintf(stderr, "%s\n", text);
		mem_free(text);
	}
	if (c.source.errors_dropped > 0)
		fprintf(
		    stderr, "rmux: %zu more errors\n", c.source.errors_dropped);
	for (i = 0; i < c.warnings.error_count; i++) {
		text = source_error_new(&c.warnings, i);
		fprintf(stderr, "%s\n", text);
		mem_free(text);
	}
	errors = check_errors(&c);
	check_fini(&c);
	return errors == 0 ? 0 : 1;
}
