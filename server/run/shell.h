/*
 * server/run/shell.h - chooses the shell of panes.
 *
 * Purpose:   chooses and checks shells.
 * Tests:     regress/unit/check_run.c
 */
#ifndef SERVER_RUN_SHELL_H
#define SERVER_RUN_SHELL_H

#include <stdbool.h>

struct run;
struct session;

/* Returns whether PATH is an absolute path of an executable, not rmux. */
bool shell_ok(const char *path);

/* Returns the first good one of $SHELL, the password entry and /bin/sh. */
const char *shell_environment(struct run *run);

/*
 * Returns default-shell of S (NULL: of new sessions), or /bin/sh; valid until
 * an option changes.
 */
const char *shell_default(struct run *run, const struct session *s);

#endif
