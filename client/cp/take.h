/*
 * client/cp/take.h - the taker of files.
 *
 * Purpose:   makes folders and files of what the sender offers, below one folder
 *            and nowhere else.  A file has another name until it is whole; what
 *            was left of one is used by the next copy.
 * Errors:    a file that cannot be written is told at both ends, and the rest
 *            goes on; the result is the exit code.
 * Source:    rsync's quick check (size and time); doc/PROTOCOL.md C.10.
 * Tests:     regress/e2e/cp.sh, regress/fuzz/fuzz_cp.c
 */
#ifndef CLIENT_CP_TAKE_H
#define CLIENT_CP_TAKE_H

#include "client/cp/tell.h"

struct cp_take_cfg {
	int in; /* messages of the sender */
	int out;
	const char *to; /* a folder, or the name of the one source */
	bool keep;      /* all bits of the mode, whatever the umask says */
	bool recurse;   /* folders and links as well */
	/*
	 * security: patterns, NULL-terminated: the names that were asked for;
	 * NULL: any.
	 */
	const char *const *names;
	/*
	 * security: no links, no control characters in names, names as they are
	 * and not as patterns; at most so many files and bytes.
	 */
	bool plain;
	uint64_t most_files;
	uint64_t most_bytes;
	struct cp_user *user; /* NULL: at the other end */
};

int cp_take(const struct cp_take_cfg *cfg);

#endif
