/*
 * base/io/sys.h - clock, randomness and descriptor flags of the system.
 *
 * Purpose:   the few calls that make a shell impure, in one place.
 * Ownership: results named "new" are the caller's (mem_free).
 * Units:     mono_ms; bytes.
 * Errors:    sys_random aborts if the system gives none (no key may be weak);
 *            others return -ERR_SYS with a cause.
 * Source:    POSIX; CLOCK_BOOTTIME on Linux so that a sleep of the machine is
 *            seen as time.
 * Tests:     regress/unit/check_loop.c
 */
#ifndef BASE_IO_SYS_H
#define BASE_IO_SYS_H

#include "base/err.h"
#include "base/types.h"

/* Monotonic milliseconds that go on while the machine sleeps. */
mono_ms sys_now(void);

/* The same clock in microseconds, for how long something took. */
uint64_t sys_now_us(void);

/* Wall clock in seconds since 1970, for people and file names. */
int64_t sys_wall(void);

void sys_random(void *p, size_t n);

/*
 * As many descriptors as the system lets this process have; and back to what
 * it was started with, for a child before it runs its program.
 */
void sys_files_raise(void);
void sys_files_restore(void);

/* Every signal as a new process has it; for a child, the same. */
void sys_signals_default(void);

/* Closes FD and all above it; for a child before it runs its program. */
void sys_close_from(int fd);

/* Columns of the terminal behind FD, or 0: it is none, or does not know. */
unsigned sys_columns(int fd);

/*
 * A person waits for this process: the scheduler is asked for turns of
 * SYS_TURN_US, so that who wakes need not wait for the end of a longer turn of
 * somebody who computes.  Its share of a core stays the same; what it starts
 * has turns as ever.  Linux 6.12 and later, elsewhere nothing.
 */
#define SYS_TURN_US 100

void sys_interactive(void);

int sys_set_nonblock(int fd);
int sys_set_cloexec(int fd);

/* Writes all of P, waiting as needed (blocking descriptors and short data). */
int sys_write_all(int fd, const void *p, size_t n);

/*
 * Reads a whole file, at most MAX bytes.
 * Out: *data (mem_free) and *len.  Returns 0, -ERR_NOTFOUND, -ERR_LIMIT or
 * -ERR_SYS, with a cause that names the path.
 */
int sys_read_file(
    const char *path, size_t max, char **data, size_t *len, struct cause *c);

/*
 * The folder of this user's sockets: $RMUX_TMPDIR, else $XDG_RUNTIME_DIR if
 * it can be written, else /tmp, with "/rmux-UID" added; made with mode 0700.  Refuses one that belongs
 * to someone else or that others may enter.
 */
int sys_socket_dir_new(char **path, struct cause *c);

#endif
