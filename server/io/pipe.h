/*
 * server/io/pipe.h - a shell command beside a pane (pipe-pane).
 *
 * Purpose:   what the pane's program writes goes to the command; what the
 *            command writes is typed into the pane.
 * Ownership: the pane_io holds descriptor and queue; this file opens, moves
 *            and closes them.
 * Units:     bytes.
 * Errors:    -ERR_SYS with a cause when the command cannot be started.  A
 *            command that reads too slowly holds the pane's program up, as any
 *            pipe does, up to PIPE_STALL_MS without progress; then what waits
 *            is dropped and said in the log.
 * Source:    tmux(1), pipe-pane.
 * Tests:     regress/e2e/pipe.sh
 */
#ifndef SERVER_IO_PIPE_H
#define SERVER_IO_PIPE_H

#include "base/err.h"
#include "server/io/pane_io.h"

#define PIPE_FULL (2u << 20) /* the program waits from here on */
#define PIPE_STALL_MS 2000

/* Starts COMMAND; OUT: it gets the output, IN: it types. */
int pipe_open(struct pane_io *p, const char *command, const char *cwd, bool in,
    bool out, struct cause *c);

/* Closes it; what waits is tried once more. */
void pipe_close(struct pane_io *p);

/* Output of the pane's program. */
void pipe_output(struct pane_io *p, const void *bytes, size_t n);

/* Whether the program has to wait for the command. */
bool pipe_full(const struct pane_io *p);

/* The program has taken input: more may be read from the command. */
void pipe_input_room(struct pane_io *p);

#endif
