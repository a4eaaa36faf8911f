/*
 * client/trust.h - whether a client may talk to a server on this machine.
 *
 * Purpose:   a server gets the client's environment and runs commands on its
 *            terminal, so its user must be the client's own user, root, or a
 *            user that --trust names.
 * Errors:    -ERR_DENIED with a cause that names the path, the user and what to
 *            do.
 * Source:    the checks of OpenSSH's safe_path.
 * Tests:     regress/unit/check_trust.c, regress/e2e/trust.sh
 */
#ifndef CLIENT_TRUST_H
#define CLIENT_TRUST_H

#include <sys/types.h>

#include <stdbool.h>

#include "base/err.h"

/* Actions on the terminal, besides text, that a server may be allowed. */
enum trust_allow {
	TRUST_CLIPBOARD = 1 << 0,   /* read and write it */
	TRUST_NOTIFY = 1 << 1,      /* notifications, progress */
	TRUST_PASSTHROUGH = 1 << 2, /* any bytes */
	TRUST_COLOURS = 1 << 3,     /* read its colours */
	TRUST_TITLE = 1 << 4,       /* title and directory */
	TRUST_MOUSE = 1 << 5,       /* report the mouse, shape of its pointer */
	TRUST_ALL = (1 << 6) - 1
};

/*
 * Parses a list such as "clipboard,mouse", "all" or "none"; false and a message
 * on standard error if a name is unknown.
 */
bool trust_allow_parse(const char *list, unsigned *out);

/* Facts about a connected socket, from the system. */
struct trust_facts {
	const char *path; /* of the socket */
	uid_t self;       /* the client's effective user */
	uid_t peer;       /* the user whose server listens */
	uid_t owner;      /* of the socket file */
	uid_t dir_owner;  /* of its directory */
	mode_t dir_mode;
};

/*
 * Tells whether a server may be trusted. NAMES: other trusted users, names or
 * numbers separated by commas, or NULL.
 */
int trust_facts_check(
    const struct trust_facts *f, const char *names, struct cause *c);

/*
 * Checks the server at the other end of FD, which was reached by PATH. Out:
 * *foreign  its user is neither the client's own nor root
 */
int trust_server(int fd, const char *path, const char *names, bool *foreign,
    struct cause *c);

/*
 * Tells whether the user has named the file PATH in a command: ARGV contains it
 * as a word, as given or below CWD.
 */
bool trust_asked_file(
    const char *const *argv, const char *cwd, const char *path);

/* Tells whether a server of another user may know the variable "NAME=value". */
bool trust_may_know(const char *variable);

#endif
