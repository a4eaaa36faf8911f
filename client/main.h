/*
 * client/main.h - the client process.
 *
 * Purpose:   command line, connection to the server, files and standard streams
 *            on the server's behalf.
 * Units:     exit codes as tmux's: 0, or 1 for an error.
 * Errors:    printed on standard error.
 * Source:    tmux's command line.
 */
#ifndef CLIENT_MAIN_H
#define CLIENT_MAIN_H

#include <stdbool.h>

/* Arguments of client_start_fn. */
struct client_start {
	const char *socket; /* path to listen on */
	const char *const
	    *config;     /* -f files, NULL-terminated; empty: default */
	int verbose;     /* -v count */
	bool foreground; /* -D */
	bool as_tmux;    /* read the files of tmux if there are none of ours */
	/* Receives "" or an error text and is closed; -1: none. */
	int ready_fd;
};

/* Becomes the server; returns the exit code. */
typedef int (*client_start_fn)(const struct client_start *start);

/*
 * Returns whether COMMAND (a name, alias or abbreviation) takes the flag F: 0
 * yes, 1 with a value, 2 with or without; -1 no, -2 unknown command.
 */
typedef int (*client_flag_fn)(const char *command, int f);

/*
 * Prints help on a command or an option; without NAME the full help (ALL) or
 * its start. Returns the exit code.
 */
typedef int (*client_help_fn)(const char *name, bool all);

/*
 * Reports an unknown COMMAND on standard error; returns false if it is known.
 */
typedef bool (*client_unknown_fn)(const char *command);

/* Returns whether COMMAND (a name, alias or abbreviation) starts a server. */
typedef bool (*client_starts_fn)(const char *command);

/*
 * Functions of the program around the client: the command table, and the
 * server's start.
 */
struct client_ops {
	client_start_fn start;
	client_starts_fn starts;
	client_flag_fn flag;
	client_help_fn help;
	client_unknown_fn unknown;
};

int client_main(int argc, char **argv, const struct client_ops *ops);

#endif
