/*
 * server/server.h - starts and runs the persistent process of one user.
 *
 * Purpose:   the entry of the server for rmux.c and the client.
 * Errors:    server_run tells through the ready descriptor why it could not
 *            start.
 * Tests:     regress/e2e
 */
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include <stdbool.h>

struct server_cfg {
	const char *socket;        /* path to listen at */
	const char *const *config; /* -f files, NULL-terminated */
	int verbose;
	bool foreground;
	bool as_tmux; /* read the files of tmux if there are none of ours */
	int ready_fd; /* an error text is written to it; -1 none */
};

/* Runs the server until it ends; returns its exit code. */
int server_run(const struct server_cfg *cfg);

#endif
