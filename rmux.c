#include "config.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io/confine.h"
#include "base/io/sys.h"
#include "client/main.h"
#include "conf/command.h"
#include "server/check_main.h"
#include "server/completion.h"
#include "server/help.h"
#include "server/server.h"
#include "ssp/io/reach.h"

/* Maximum of -f options with -n. */
#define RMUX_FILES_MAX 32

/*
 * Handles rmux -n -f FILE ..., which only checks configurations. It has a
 * getopt of its own, because no other option goes with -n. Returns -1 if the
 * command line is something else.
 */
static int
rmux_check(int argc, char **argv)
{
	const char *files[RMUX_FILES_MAX];
	bool check = false;
	int i, count = 0;

	for (i = 1; i < argc && argv[i][0] == '-'; i++) {
		if (strcmp(argv[i], "-n") == 0)
			check = true;
		else if (strcmp(argv[i], "-f") == 0 && i + 1 < argc) {
			if (count == RMUX_FILES_MAX) {
				fprintf(stderr, "rmux: too many files\n");
				return 1;
			}
			files[count++] = argv[++i];
		} else
			return -1;
	}
	return check && i == argc ? check_main(files, count) : -1;
}

static int
rmux_server(const struct client_start *start)
{
	struct server_cfg cfg = {
		.socket = start->socket,
		.config = start->config,
		.verbose = start->verbose,
		.foreground = start->foreground,
		.as_tmux = start->as_tmux,
		.ready_fd = start->ready_fd,
	};

	return server_run(&cfg);
}

static int
rmux_flag(const char *command, int f)
{
	const struct command_row *row;
	int value;

	if (command_find(command, &row, NULL) != 0)
		return -2;
	return command_flag_value(row, f, &value) ? value : -1;
}

static bool
rmux_starts(const char *command)
{
	const struct command_row *row;

	return command_find(command, &row, NULL) == 0 &&
	       (row->what & CMD_START) != 0;
}

static bool
rmux_unknown(const char *command)
{
	const struct command_row *row;
	struct cause c = { NULL };
	int r = command_find(command, &row, &c);

	if (r != 0)
		fprintf(stderr, "%s\n", cause_text(&c));
	cause_fini(&c);
	return r != 0;
}

/* Prints the short help for --help and -h, the full one for `help`. */
static int
rmux_help(const char *name, bool all)
{
	return all || name != NULL ? help_main(name) : help_short();
}

int
main(int argc, char **argv)
{
	static const struct client_ops ops = { rmux_server, rmux_starts,
		rmux_flag, rmux_help, rmux_unknown };
	int r;

	sys_static_init();
	/* security: nothing here makes code; programs of panes may. */
	(void)confine_memory();
	if (argc == 2 && strcmp(argv[1], "__reach") == 0)
		return reach_main(STDIN_FILENO, false, -1, NULL);
	if (argc == 3 && strcmp(argv[1], "completion") == 0)
		return completion_main(argv[2]);
	if ((r = rmux_check(argc, argv)) >= 0)
		return r;
	return client_main(argc, argv, &ops);
}
