/*
 * server/io/pipe.h - pipe-pane: a command that reads a pane's output, types
 * into it, or both.
 *
 * Purpose:   starts the command, feeds it by a tap of the pane, and takes what
 *            it writes as input of the pane's program.
 * Ownership: a pipe belongs to its pane's pane_io and ends with it.
 * Units:     bytes, milliseconds.
 * Errors:    -ERR_SYS with a cause if the command cannot be started.  A command
 *            that reads nothing for PIPE_STALL_MS loses what waits for it;
 *            show-messages tells it.
 * Source:    tmux(1), pipe-pane.
 * Tests:     regress/e2e/pipe.sh
 */
#ifndef SERVER_IO_PIPE_H
#define SERVER_IO_PIPE_H

#include "base/err.h"
#include "server/io/pane_io.h"

#define PIPE_FULL (2u << 20) /* the pane's program waits from here on */
#define PIPE_STALL_MS 2000

/* Starts COMMAND; OUT: it reads the output, IN: it types. */
int pipe_open(struct pane_io *p, const char *command, const char *cwd, bool in,
    bool out, struct cause *c);

/* Ends the pipe of P, if there is one; waiting bytes are tried once more. */
void pipe_close(struct pane_io *p);

/* Whether P has a pipe. */
bool pipe_is_open(const struct pane_io *p);

#endif
