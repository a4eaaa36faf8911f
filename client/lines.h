/*
 * client/lines.h - the standard streams of a client in control mode.
 *
 * Purpose:   reads lines for the server from standard input, writes the
 *            server's to standard output without waiting for a slow reader,
 *            and, with -CC, wraps them for a terminal (DCS 1000p).
 * Ownership: the caller owns the loop; lines_free restores the terminal.
 * Units:     bytes.
 * Errors:    -ERR_SYS with a cause if -CC has no terminal.
 * Source:    tmux(1), -C and CONTROL MODE.
 * Tests:     regress/e2e/control.sh, control_far.sh
 */
#ifndef CLIENT_LINES_H
#define CLIENT_LINES_H

#include "base/err.h"
#include "base/io/loop.h"

/* Bytes for a slow reader; more makes the caller stop reading. */
#define LINES_OUT_FULL ((size_t)256 << 10)

struct line_io;

struct line_io_ops {
	/* Input; N 0: its end. */
	void (*input)(void *arg, const void *p, size_t n);
	/* Standard output is full (the server's output must wait), or not. */
	void (*full)(void *arg, bool full);
	/* Nobody reads standard output any more. */
	void (*closed)(void *arg);
};

/* Makes a terminal raw if WRAPPED (-CC). Call it before confinement. */
struct line_io *lines_new(struct loop *loop, bool wrapped,
    const struct line_io_ops *ops, void *arg, struct cause *c);

/* Starts reading standard input; a second call does nothing. */
void lines_read(struct line_io *ln);

/* Stops reading it while the server takes no more, or goes on. */
void lines_hold(struct line_io *ln, bool hold);

/* At the end, waits for an empty line of input (wait-exit). */
void lines_set_wait(struct line_io *ln, bool wait);

void lines_write(struct line_io *ln, const void *p, size_t n);

/*
 * Writes all that waits and the last line, %exit with a reason (NULL: none),
 * and restores the terminal.
 */
void lines_free(struct line_io *ln, const char *reason);

#endif
