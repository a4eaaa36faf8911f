/*
 * client/newcomer.h - second lines of errors for people who are new, and mosh's
 * form of a command.
 *
 * Purpose:   says what to type after common errors, on a terminal only: scripts
 *            read the first line. Turns attach HOST -- COMMAND into
 *            new-session.
 * Ownership: words are borrowed.
 * Source:    mosh(1), for HOST -- COMMAND.
 * Tests:     regress/e2e/output.sh, remote.sh
 */
#ifndef CLIENT_NEWCOMER_H
#define CLIENT_NEWCOMER_H

#include <stdbool.h>

struct client_args;

/* After "no server running": how to start one. UNKNOWN: the command is. */
void newcomer_no_server(const struct client_args *a, bool unknown);

/* After a command failed; SAID begins with the server's error. */
void newcomer_failed(const struct client_args *a, const char *said);

/*
 * Makes a new-session of WORDS, which are those of an attach-session without
 * its host, and the words COMMAND. WORDS has room for all. Returns false after
 * an error on standard error if a flag does not go with a command.
 */
bool newcomer_command(const char **words, const char *const *command);

#endif
