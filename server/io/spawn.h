/*
 * server/io/spawn.h - programs for panes: environment, directory, shell.
 *
 * Purpose:   starts the programs of panes and the shell commands of the server.
 * Ownership: environments are new arrays (spawn_env_free).
 * Errors:    -ERR_SYS with a cause.
 * Source:    tmux(1): default-command, default-shell, default-terminal.
 * Tests:     regress/unit/check_spawn.c
 */
#ifndef SERVER_IO_SPAWN_H
#define SERVER_IO_SPAWN_H

#include <sys/types.h>

#include "base/err.h"
#include "base/types.h"

struct environ;
struct pane;
struct pane_io;
struct pane_ios;
struct run;
struct session;
struct vt_term;

/*
 * Makes "NAME=value" strings, NULL-terminated: the global environment, then the
 * session's, then EXTRA (each may be NULL), then RMUX and the terminal;
 * RMUX_PANE if P is not NULL.
 */
char **spawn_env_new(struct run *run, const struct environ *session,
    const struct environ *extra, const struct pane *p);
void spawn_env_free(char **env);

/*
 * The same of the global environment and EXTRA alone, for a command that knows
 * nothing of this server.
 */
char **spawn_env_plain_new(struct run *run, const struct environ *extra);

/* A program on a pty of its own, in a pane or elsewhere. */
struct spawn_program {
	struct session *session; /* its options and environment, or NULL */
	const char *shell;       /* NULL: the session's default */
	const char *cwd;         /* or NULL */
	char *const *argv; /* none: the default command; one: for the shell */
	size_t argc;
	const struct environ *extra; /* variables of -e, or NULL */
	const struct pane *pane;     /* that the environment names, or NULL */
	struct cell_size size;
	uint16_t xpixel; /* of the whole screen, 0 unknown */
	uint16_t ypixel;
};

/* Starts it under the number ID; NULL with a cause if that fails. */
struct pane_io *spawn_program(struct pane_ios *panes, uint32_t id,
    struct vt_term *term, const struct spawn_program *what, struct cause *c);

/*
 * Starts the program of P by pane->start_* and the options of S. EXTRA (may be
 * NULL) are variables of -e.
 */
int spawn_pane(struct pane_ios *panes, struct session *s, struct pane *p,
    const struct environ *extra, struct cause *c);

/* Names a pane that has no title after the host. */
void spawn_title(struct pane *p);

/*
 * Runs the program PATH with ARGV in CWD (if it can, else in /) with ENV and FDS
 * as its standard input, output and error (-1: /dev/null), in a session of its
 * own.  As fork: its process, or -1.
 */
pid_t spawn_words(const char *path, char *const *argv, const char *cwd,
    char *const *env, const int fds[3]);

/*
 * Runs COMMAND by /bin/sh in CWD (if it can, else in /) with ENV and FDS as its
 * standard input, output and error (-1: /dev/null), in a session of its own.
 * As fork: its process, or -1.
 */
pid_t spawn_command(
    const char *command, const char *cwd, char *const *env, const int fds[3]);

/*
 * Returns the first name of a window (mem_free): the first word of its command,
 * without exec, directory and quotes.
 */
char *spawn_name_new(
    struct run *run, const struct session *s, const struct pane *p);

/* Returns the name of P's command, or of its shell, as spawn_name_new does. */
char *spawn_program_name_new(struct run *run, const struct pane *p);

#endif
