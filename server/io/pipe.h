/*
 * server/io/pipe.h - pipe-pane: a command that reads a pane's output, writes its
 * input, or both.
 *
 * Purpose:   starts the command, feeds it by a tap of the pane, and passes its
 *            output to the pane's program as input.
 * Ownership: a pipe belongs to its pane's pane_io and ends with it.
 * Units:     bytes, milliseconds.
 * Errors:    -ERR_SYS with a cause if the command cannot be started.  A command
 *            that reads nothing for PIPE_STALL_MS loses the bytes that wait for
 *            it; show-messages reports it.
 * Source:    tmux(1), pipe-pane.
 * Tests:     regress/unit/check_pipe.c, regress/e2e/pipe.sh
 */
#ifndef SERVER_IO_PIPE_H
#define SERVER_IO_PIPE_H

#include "base/err.h"
#include "server/io/pane_io.h"

#define PIPE_FULL (2u << 20) /* the pane's program waits at this size */
#define PIPE_STALL_MS 2000

/* Starts COMMAND; OUT: it reads the output; IN: it writes input. */
int pipe_open(struct pane_io *p, const char *command, const char *cwd, bool in,
    bool out, struct cause *c);

/* Ends the pipe of P, if there is one, after a last try to write. */
void pipe_close(struct pane_io *p);

/* Returns whether P has a pipe. */
bool pipe_is_open(const struct pane_io *p);

#endif
