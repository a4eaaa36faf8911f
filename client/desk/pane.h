/*
 * client/desk/pane.h - rmux get, put, open and paste-file, in a pane.
 *
 * Purpose:   speaks with the desk of the user who sits at another machine, by a
 *            socket of the server.
 * Errors:    printed on standard error; 0: done, 1: not, or not all.
 * Source:    our own.
 * Tests:     regress/e2e/desk.sh
 */
#ifndef CLIENT_DESK_PANE_H
#define CLIENT_DESK_PANE_H

#include <stdbool.h>

/* Whether WORD, which may be NULL, is one of the four commands. */
bool pane_desk_is(const char *word);

/* Runs the command ARGV; SERVER is the path of the server's socket. */
int pane_desk_run(const char *const *argv, const char *server);

#endif
