/*
 * client/cp/tell.h - words for the user of a copy, on standard error.
 *
 * Purpose:   shows the progress on one line, and errors above it.
 * Ownership: struct cp_user is the caller's, who ends it with cp_user_fini.
 * Tests:     regress/e2e/cp.sh
 */
#ifndef CLIENT_CP_TELL_H
#define CLIENT_CP_TELL_H

#include "client/cp/progress.h"

struct cp_user {
	bool shown;     /* progress, on a terminal */
	char name[256]; /* of the file in the last line */
	struct cp_progress progress;
	struct grapheme_table *graphemes; /* NULL unless shown */
};

void cp_user_init(struct cp_user *u, bool quiet);
void cp_user_fini(struct cp_user *u);

/* Counts N bytes of the file NAME.  U may be NULL: the user is elsewhere. */
void cp_tell_bytes(struct cp_user *u, const char *name, uint64_t n, bool moved);

/*
 * Returns for how many ms to wait before cp_tell_still, -1: without end. U may
 * be NULL.
 */
int cp_tell_wait(const struct cp_user *u);

/* Tells for how long nothing has come or gone; U is shown. */
void cp_tell_still(const struct cp_user *u);

/* Tells an error; U is not NULL. */
void cp_tell_error(struct cp_user *u, const char *text);

/* Replaces the line by the sum; ALL false: by nothing. */
void cp_tell_end(struct cp_user *u, bool all);

#endif
