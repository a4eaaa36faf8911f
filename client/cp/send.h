/*
 * client/cp/send.h - the sender of files.
 *
 * Purpose:   walks files and folders, offers each to the taker, and sends the
 *            bytes that it wants.
 * Errors:    a file that cannot be read is told at both ends, and the rest goes
 *            on; the result is the exit code.
 * Source:    rsync's quick check (size and time); doc/PROTOCOL.md C.10.
 * Tests:     regress/e2e/cp.sh
 */
#ifndef CLIENT_CP_SEND_H
#define CLIENT_CP_SEND_H

#include "client/cp/tell.h"

struct cp_send_cfg {
	int in; /* messages of the taker */
	int out;
	const char *const *paths; /* NULL-terminated */
	bool far;     /* paths are patterns; "~/" is the working directory */
	bool recurse; /* folders as well */
	struct cp_user *user; /* NULL: at the other end */
};

int cp_send(const struct cp_send_cfg *cfg);

#endif
