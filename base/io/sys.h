/*
 * base/io/sys.h - clock, randomness, files and process state of the system.
 *
 * Purpose:   the impure calls that several programs need.
 * Ownership: the caller owns results of functions named "new" (mem_free).
 * Units:     mono_ms; bytes.
 * Errors:    sys_random aborts without randomness (no key may be weak); other
 *            functions return -ERR_SYS, some with a cause.
 * Source:    POSIX; CLOCK_BOOTTIME on Linux, so that the time of a suspend
 *            counts.
 * Tests:     regress/unit/check_loop.c
 */
#ifndef BASE_IO_SYS_H
#define BASE_IO_SYS_H

#include "base/err.h"
#include "base/types.h"

/* Returns monotonic milliseconds, including the time of a suspend. */
mono_ms sys_now(void);

/* The same clock in microseconds, to measure durations. */
uint64_t sys_now_us(void);

/* Returns the wall clock in seconds since 1970, for display and file names. */
int64_t sys_wall(void);

/* The same in milliseconds. */
int64_t sys_wall_ms(void);

void sys_random(void *p, size_t n);

/*
 * sys_files_raise raises the limit of descriptors to its maximum;
 * sys_files_restore restores the first limit, in a child before exec.
 */
void sys_files_raise(void);
void sys_files_restore(void);

/*
 * sys_secrets_hide keeps the memory of this process, which holds keys, from
 * core dumps and from other processes of the same user (ptrace, /proc/PID/mem).
 * The environment variable RMUX_DUMPABLE=1 prevents that, for developers.
 * sys_secrets_restore gives a child the first limit of core dumps, before exec.
 */
void sys_secrets_hide(void);
void sys_secrets_restore(void);

/* Resets all signals and the mask, in a child before exec. */
void sys_signals_default(void);

/* Closes FD and every higher descriptor, in a child before exec. */
void sys_close_from(int fd);

/* Returns the columns of the terminal FD; 0 if unknown or no terminal. */
unsigned sys_columns(int fd);

/*
 * Gets columns, rows, and pixels across and down (0: unknown) of the terminal
 * FD; false: none, or it has no size.
 */
bool sys_window(int fd, uint16_t size[4]);

/*
 * Asks the scheduler for turns of SYS_TURN_US, because a user waits for this
 * process: it then runs soon after a wakeup, without waiting for the end of a
 * longer turn of a busy process.  Its share of a core does not change; its
 * children get default turns.  Linux 6.12 and later; elsewhere no effect.
 */
#define SYS_TURN_US 100

void sys_interactive(void);

int sys_set_nonblock(int fd);
int sys_set_cloexec(int fd);

/*
 * Opens the file of FD again, without waiting in reads and writes, which others
 * who have FD do not notice; -1 where that is impossible.
 */
int sys_reopen(int fd, int flags);

/* Writes all of P; waits as needed (blocking descriptors, short data). */
int sys_write_all(int fd, const void *p, size_t n);

/*
 * Reads text from FD, a pipe or the like, until its end, the time END or SIZE - 1
 * bytes; OUT then ends with NUL.  False: it was not over at END.
 */
bool sys_read_until(int fd, mono_ms end, char *out, size_t size);

/*
 * Reads a whole file of at most MAX bytes.  Returns 0, -ERR_NOTFOUND,
 * -ERR_LIMIT or -ERR_SYS, with a cause that names the path.  A named pipe is an
 * error: its writer may never come.
 * Out: *data (mem_free) and *len
 */
int sys_read_file(
    const char *path, size_t max, char **data, size_t *len, struct cause *c);

/* The same, but waits for the writer of a pipe. */
int sys_read_pipe(
    const char *path, size_t max, char **data, size_t *len, struct cause *c);

/* Returns whether PATH is a named pipe, or a link to a pipe. */
bool sys_is_pipe(const char *path);

/*
 * Prints TEXT, which may quote the environment or another machine, and a newline on
 * standard error, without control characters other than newlines.
 */
void sys_complain(const char *text);

/*
 * Returns the directory of this user's sockets: $RMUX_TMPDIR, else
 * $XDG_RUNTIME_DIR if writable, else /tmp, plus "/rmux-UID"; makes it with mode
 * 0700.  Refuses a directory that another user owns or may enter.
 */
int sys_socket_dir_new(char **path, struct cause *c);

/*
 * Takes the environment's locale for characters. Returns whether the terminal
 * has UTF-8. A static program knows a locale that this machine's C library
 * cannot give it by its name: de_DE.UTF-8.
 */
bool sys_utf8(void);

/*
 * Called first in main. A static program may not load the C library's modules,
 * which belong to another C library: it finds users and groups in the files of
 * /etc and asks DNS for hosts, whatever nsswitch.conf says. Otherwise no effect.
 */
void sys_static_init(void);

/* Returns the path of this program (mem_free), or NULL if unknown. */
char *sys_program_new(void);

#endif
