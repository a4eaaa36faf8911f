/*
 * base/io/pty.h - programs on pseudo terminals.
 *
 * Purpose:   starts a program on a new pty and asks the system about it.
 * Ownership: the descriptor (non-blocking, close-on-exec) and the pid are the
 *            caller's to close and to reap.
 * Units:     cells; pixels where the terminal's are known, else 0.
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
	const char *const *argv; /* NULL-terminated; run as given */
	const char *argv0;       /* name shown, or NULL ("-zsh" for a login) */
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

/* Local modes as the program set them: what a predictor must know. */
struct pty_modes {
	bool echo;
	bool canonical;
};
int pty_get_modes(int fd, struct pty_modes *m);

/*
 * Name and working directory of the foreground process group, each at most
 * SIZE bytes with its NUL; "" where the system does not tell.
 */
void pty_foreground_name(int fd, char *name, size_t size);
void pty_foreground_cwd(int fd, char *path, size_t size);

#endif
