/*
 * client/local.h - one conversation with the server on the control socket.
 *
 * Purpose:   sends a command with all that the server must know of the caller,
 *            serves its requests (output, files), and carries an attached
 *            client's SSP payloads.
 * Ownership: the descriptor is taken over.
 * Units:     none.
 * Errors:    told on standard error; the result is the exit code.
 * Source:    our own.
 * Tests:     regress/e2e
 */
#ifndef CLIENT_LOCAL_H
#define CLIENT_LOCAL_H

#include <stdint.h>

struct local_cfg {
	int fd;                  /* connected control socket */
	uint64_t flags;          /* enum control_flag */
	const char *const *argv; /* command and arguments, NULL-terminated */
	const char *features;    /* -T, or NULL */
};

/* Runs the conversation to its end; returns the exit code. */
int local_run(const struct local_cfg *cfg);

#endif
