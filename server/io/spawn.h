/*
 * server/io/spawn.h - programs for panes: environment, directory, shell.
 *
 * Purpose:   what a pane's program is started with.
 * Ownership: environments are new arrays (spawn_env_free).
 * Units:     none.
 * Errors:    -ERR_SYS with a cause.
 * Source:    tmux(1): default-command, default-shell, default-terminal.
 * Tests:     regress/e2e
 */
#ifndef SERVER_IO_SPAWN_H
#define SERVER_IO_SPAWN_H

#include <sys/types.h>

#include "base/err.h"

struct environ;
struct pane;
struct pane_ios;
struct run;
struct session;

/*
 * "NAME=value" strings, NULL-terminated: the global environment, S's over it,
 * EXTRA over both (each may be NULL), and what names this server; P's number
 * if it is for a pane.
 */
char **spawn_env_new(struct run *run, const struct environ *session,
    const struct environ *extra, const struct pane *p);
void spawn_env_free(char **env);

/*
 * Starts the program that pane->start_* and the options of S ask for.  EXTRA
 * (may be NULL) are variables of -e.
 */
int spawn_pane(struct pane_ios *panes, struct session *s, struct pane *p,
    const struct environ *extra, struct cause *c);

/*
 * Runs COMMAND by /bin/sh in CWD (if it can, else in /) with ENV and FDS as its
 * standard input, output and error (-1: /dev/null), in a session of its own.
 * As fork: its process, or -1.
 */
pid_t spawn_command(
    const char *command, const char *cwd, char *const *env, const int fds[3]);

/*
 * The name of a window before its program has one: the first word of its
 * command, without exec, directory and a shell's quotes; mem_free.
 */
char *spawn_name_new(
    struct run *run, const struct session *s, const struct pane *p);

#endif
