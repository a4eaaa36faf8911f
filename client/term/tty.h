/*
 * client/term/tty.h - the tty itself: raw mode, size, restoring it.
 *
 * Purpose:   puts a terminal into raw mode and always back, on every way out:
 *            return, exit(), and the signals that end a process.
 * Ownership: one tty at a time is held for the emergency; the descriptor is
 *            the caller's.
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

/* Takes FD, a terminal; NULL (with a cause) if it is none. */
struct tty *tty_open(int fd, struct cause *c);

/* Leaves raw mode and frees. */
void tty_close(struct tty *t);

void tty_raw(struct tty *t);
void tty_restore(struct tty *t);

/* cols, rows, xpixel, ypixel; 80x24 where the system does not know. */
void tty_size(const struct tty *t, uint16_t size[4]);

/*
 * Bytes to write should the process die while the tty is raw (what
 * term_out_stop would write, in short); at most 512, NULL for none.
 */
void tty_last_words(struct tty *t, const char *words);

#endif
