/*
 * client/main.h - the client process: command line, connection to the server,
 * files and standard streams on the server's behalf.
 *
 * Purpose:   what `rmux ...` does until it exits.
 * Ownership: nothing is kept.
 * Units:     exit codes as tmux's: 0, or 1 for an error.
 * Errors:    told on standard error.
 * Source:    tmux's command line.
 * Tests:     regress/e2e
 */
#ifndef CLIENT_MAIN_H
#define CLIENT_MAIN_H

#include <stdbool.h>

/* How a server is to be started, for the function that does it. */
struct client_start {
	const char *socket; /* path to listen at */
	const char *const
	    *config;     /* -f files, NULL-terminated; empty: default */
	int verbose;     /* -v count */
	bool foreground; /* -D */
	int ready_fd;    /* gets "" or an error text, then closed; -1 none */
};

/* Becomes the server; returns its exit code when it ends. */
typedef int (*client_start_fn)(const struct client_start *start);

/*
 * Whether COMMAND, its alias or what is short for it takes the flag F: 0 yes,
 * 1 with a value, 2 with or without; -1 no, -2 there is no such command.
 */
typedef int (*client_flag_fn)(const char *command, int f);

/*
 * Says what a command or an option is; without a NAME all there is, or (not
 * ALL) the beginning; returns the exit code.
 */
typedef int (*client_help_fn)(const char *name, bool all);

/* Says on standard error that there is no such COMMAND; false if there is. */
typedef bool (*client_unknown_fn)(const char *command);

/* Whether COMMAND, its alias or what is short for it starts a server. */
typedef bool (*client_starts_fn)(const char *command);

/* What the client must ask of the commands, and how the server is begun. */
struct client_ops {
	client_start_fn start;
	client_starts_fn starts;
	client_flag_fn flag;
	client_help_fn help;
	client_unknown_fn unknown;
};

int client_main(int argc, char **argv, const struct client_ops *ops);

#endif
