/*
 * client/exec.h - rmux exec and rmux forward: a connection without a view.
 *
 * Purpose:   takes ssh's words on the command line, so that programs that call
 *            ssh may call rmux exec.
 * Ownership: pointers of struct exec_cfg are the caller's.
 * Errors:    printed on standard error; 255, as ssh's.
 * Source:    ssh(1).
 * Tests:     regress/e2e/exec.sh
 */
#ifndef CLIENT_EXEC_H
#define CLIENT_EXEC_H

#include <stdbool.h>
#include <stdint.h>

#include "ssp/purpose.h"

struct client_args;

#define EXEC_FAILED 255 /* exit code: the connection, not the command */

struct exec_cfg {
	/* NULL-terminated: one text for the shell; none: a login shell. */
	const char *const *words;
	const char *const *env; /* "NAME=value", NULL-terminated */
	uint64_t flags;         /* enum control_exec */
	bool no_input;          /* -n: standard input is not read */
	int escape;             /* as ssh's -e; -1: none */
	bool none;              /* no command: only forwards */
	/* No command: a connection to CONNECT has the standard streams. */
	bool connects;
	struct ssp_place connect;
};

/* Runs `rmux exec ...` or `rmux forward ...` of A; returns the exit code. */
int exec_run(struct client_args *a, bool forward);

/*
 * Runs rmux itself there with WORDS, NULL-terminated; A has the options and the
 * host of `rmux exec`.
 */
int exec_words(struct client_args *a, const char *const *words);

/*
 * Returns whether PROGRAM is rmux under the name rmux-ssh, whose words are those
 * of rmux exec; runs it so.
 */
bool exec_is(const char *program);
int exec_as_ssh(int argc, char **argv, struct client_args *a);

#endif
