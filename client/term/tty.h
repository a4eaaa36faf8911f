/*
 * client/term/tty.h - the tty: raw mode, size, restoring it.
 *
 * Purpose:   puts a terminal into raw mode, and restores it on every way out:
 *            return, exit(), and the signals that end a process.
 * Ownership: one tty at a time is restored in an emergency; the descriptor
 *            belongs to the caller.
 * Units:     cells and pixels.
 * Errors:    -ERR_SYS with a cause.
 * Source:    POSIX termios.
 * Tests:     regress/e2e (a killed client leaves a sane tty)
 */
#ifndef CLIENT_TERM_TTY_H
#define CLIENT_TERM_TTY_H

#include "base/err.h"
#include "base/types.h"

struct tty;

/* Opens FD, a terminal; returns NULL with a cause if it is none. */
struct tty *tty_open(int fd, struct cause *c);

/* Leaves raw mode and frees. */
void tty_close(struct tty *t);

void tty_raw(struct tty *t);
void tty_restore(struct tty *t);

/*
 * Returns cols, rows, xpixel, ypixel; 80x24 if the system does not know them.
 */
void tty_size(const struct tty *t, uint16_t size[4]);

/*
 * Sets the bytes to write if the process dies while the tty is raw (a short
 * form of term_out_stop); at most 512, NULL for none.
 */
void tty_last_words(struct tty *t, const char *words);

/*
 * Returns whether a read of a terminal ended with EINTR since the last call
 * because the client's process group is in the background. tty_open makes such
 * reads end so; by default they would stop the client, which then would not
 * end on SIGTERM.
 */
bool tty_in_background(void);

#endif
