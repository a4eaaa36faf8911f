/*
 * server/run/shell.h - which shell runs in panes.
 *
 * Purpose:   chooses and checks shells.
 * Tests:     regress/unit/check_run.c
 */
#ifndef SERVER_RUN_SHELL_H
#define SERVER_RUN_SHELL_H

#include <stdbool.h>

struct run;
struct session;

/* PATH is an absolute path of an executable other than rmux itself. */
bool shell_ok(const char *path);

/* The shell from the environment: $SHELL, the password entry, /bin/sh. */
const char *shell_environment(struct run *run);

/*
 * default-shell of S (NULL: of new sessions), or /bin/sh; valid until an
 * option changes.
 */
const char *shell_default(struct run *run, const struct session *s);

#endif
