/*
 * base/io/pty.h - programs on pseudo terminals.
 *
 * Purpose:   starts a program on a new pty; queries its modes and its
 *            foreground process.
 * Ownership: the caller closes the descriptor (non-blocking, close-on-exec) and
 *            reaps the pid.
 * Units:     cells; pixels, 0 if unknown.
 * Errors:    -ERR_SYS with a cause.
 * Source:    POSIX; /proc on Linux for the foreground process.
 * Tests:     regress/unit/check_loop.c
 */
#ifndef BASE_IO_PTY_H
#define BASE_IO_PTY_H

#include <sys/types.h>

#include "base/err.h"
#include "base/types.h"

struct pty_spec {
	const char *const *argv; /* NULL-terminated */
	const char *argv0;       /* argv[0], or NULL ("-zsh" for login) */
	const char *const *envp; /* "NAME=value", NULL-terminated */
	const char *cwd;         /* falls back to $HOME, then "/" */
	struct cell_size size;
	uint16_t xpixel; /* whole screen, 0 unknown */
	uint16_t ypixel;
};

/* Starts the program; *fd is the master side. */
int pty_spawn(
    const struct pty_spec *spec, int *fd, pid_t *pid, struct cause *c);

int pty_resize(int fd, struct cell_size size, uint16_t xpixel, uint16_t ypixel);

/* Terminal modes that the program set; the predictor needs them. */
struct pty_modes {
	bool echo;
	bool canonical;
};
int pty_get_modes(int fd, struct pty_modes *m);

/*
 * Name and working directory of the foreground process group, at most SIZE
 * bytes with the NUL; "" if unknown.
 */
void pty_foreground_name(int fd, char *name, size_t size);
void pty_foreground_cwd(int fd, char *path, size_t size);

/* The name that the kernel shows for it: tmux calls its client "tmux: client". */
void pty_foreground_comm(int fd, char *name, size_t size);

/* The foreground process group, or 0. */
pid_t pty_foreground(int fd);

#endif
