/*
 * client/local.h - one conversation with the server on the control socket.
 *
 * Purpose:   sends a command with the caller's environment, serves the server's
 *            requests (output, files), and carries an attached client's SSP
 *            payloads.
 * Ownership: takes over the descriptor.
 * Errors:    printed on standard error; the result is the exit code.
 */
#ifndef CLIENT_LOCAL_H
#define CLIENT_LOCAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/io/confine.h"
#include "client/me_file.h"

struct local_cfg {
	int fd;                  /* connected control socket */
	uint64_t flags;          /* enum control_flag */
	const char *const *argv; /* command and arguments, NULL-terminated */
	const char *features;    /* -T, or NULL */
	/*
	 * The server is another user's: it learns no more of the environment
	 * than the terminal and the language, opens only files that argv names,
	 * and runs no commands here.
	 */
	bool foreign;
	enum confine_mode sandbox; /* of a client of another user's server */
	enum me_mode me;           /* whether me.conf goes along */
	char *said; /* receives the first line of errors, cut; or NULL */
	size_t said_size;
};

/* Runs the conversation to its end; returns the exit code. */
int local_run(const struct local_cfg *cfg);

#endif
