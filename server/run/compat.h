/*
 * server/run/compat.h - what programs that call `tmux` find in a pane.
 *
 * Purpose:   finds the folder in which this program has the name tmux, and sets
 *            PATH, TMUX, TMUX_PANE and TERM_PROGRAM in the environment of panes
 *            and jobs, so that a script that calls tmux reaches this server
 *            (option tmux-compat).
 * Ownership: run owns the path.
 * Source:    TMUX and TMUX_PANE as in tmux(1), ENVIRONMENT.
 * Tests:     regress/e2e/dropin.sh
 */
#ifndef SERVER_RUN_COMPAT_H
#define SERVER_RUN_COMPAT_H

struct environ;
struct run;

/*
 * Returns the folder with a program `tmux` that is this one (mem_free), or
 * NULL: libexec/ beside the program (where it was built),
 * ../libexec/rmux, or that of `make install`.
 */
char *compat_find_new(void);

/*
 * Sets PATH, TMUX, TMUX_PANE, TERM_PROGRAM and its version in ENV as the option
 * says. With the option off TMUX and TMUX_PANE are unset: those of an outer tmux
 * never come through.
 * In:      server  socket path, process and session, separated by commas
 *          pane    "%0", or NULL
 */
void compat_environ(const struct run *run, struct environ *env,
    const char *server, const char *pane);

#endif
