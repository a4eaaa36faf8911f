/*
 * client/cp/cp.h - rmux cp: files to and from another machine.
 *
 * Purpose:   runs the sender or the taker of files here, and the other one there
 *            by rmux exec.
 * Errors:    printed on standard error; 0: all is copied, 1: some is not, 255: no
 *            connection.
 * Source:    scp(1).
 * Tests:     regress/e2e/cp.sh
 */
#ifndef CLIENT_CP_CP_H
#define CLIENT_CP_CP_H

struct client_args;

int cp_run(struct client_args *a);

/* `rmux __cp send|take [-rp] words`: the end on the other machine. */
int cp_far_run(const char *const *argv);

#endif
