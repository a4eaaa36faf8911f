/*
 * client/me_file.h - me.conf, the file of the person at this terminal.
 *
 * Purpose:   reads $XDG_CONFIG_HOME/rmux/me.conf (~/.config/rmux/me.conf), which
 *            the client sends when it attaches.
 * Ownership: a struct me_file owns its text.
 * Errors:    a file that is there but cannot be used is a text for the user; the
 *            client attaches all the same.
 * Source:    rmux.conf(5), ME.CONF
 * Tests:     regress/e2e/me.sh
 *
 * security: a neighbour who may write the file would choose what the keys do.
 */
#ifndef CLIENT_ME_FILE_H
#define CLIENT_ME_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct sync_input;

/* --me: whether the file goes along. */
enum me_mode {
	ME_OWN, /* only to servers of the own user, here and behind ssh */
	ME_YES,
	ME_NO
};

struct me_file {
	char
	    *text; /* the file, or why it cannot be used; NULL: there is none */
	size_t len;
	bool failed; /* TEXT is why */
	bool done;   /* it was read, or is not wanted */
};

/* Parses "yes" or "no"; the error is told. */
bool me_file_mode(const char *value, enum me_mode *out);

/*
 * Reads the file the first time, unless MODE says no; OWN: the server is the own
 * user's.
 */
void me_file_read(struct me_file *f, enum me_mode mode, bool own);
void me_file_fini(struct me_file *f);

/* Adds the file to the log of input, if there is one. */
void me_file_send(const struct me_file *f, struct sync_input *in);

#endif
