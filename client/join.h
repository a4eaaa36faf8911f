/*
 * client/join.h - `rmux join TICKET`: joins a session by invitation.
 *
 * Purpose:   reads the ticket, wipes it from the command line, and attaches by
 *            datagrams alone, without account or ssh.
 * Errors:    printed on standard error; the result is the exit code.
 * Source:    doc/PROTOCOL.md, A.11.
 * Tests:     regress/e2e/people.sh
 */
#ifndef CLIENT_JOIN_H
#define CLIENT_JOIN_H

#include "client/roam.h"

/*
 * Joins. ARGV: the words after `join`, NULL-terminated and writable. CFG: the
 * options before it.
 */
int join_run(char **argv, struct roam_cfg *cfg);

#endif
