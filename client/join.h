/*
 * client/join.h - `rmux join TICKET`: somebody else's session, invited.
 *
 * Purpose:   reads the ticket, takes it off the command line, and attaches by
 *            datagrams alone: no account, no ssh.
 * Ownership: nothing is kept.
 * Units:     exit codes.
 * Errors:    told on standard error.
 * Source:    doc/PROTOCOL.md, A.11.
 * Tests:     regress/e2e/people.sh
 */
#ifndef CLIENT_JOIN_H
#define CLIENT_JOIN_H

#include "client/roam.h"

/*
 * In: ARGV the words behind `join`, NULL-terminated and writable;
 *     CFG  what the options in front said.
 */
int join_run(char **argv, struct roam_cfg *cfg);

#endif
