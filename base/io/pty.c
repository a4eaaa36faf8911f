#include "config.h"

#include <sys/ioctl.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#ifdef HAVE_PTY_H
# include <pty.h>
#elif defined(HAVE_LIBUTIL_H)
# include <libutil.h>
#elif defined(HAVE_UTIL_H)
# include <util.h>
#endif

#ifdef __APPLE__
# include <libproc.h>
#endif

#include "base/io/pty.h"
#include "base/io/sys.h"

/*
 * Sets the erase character and the UTF-8 mode of stdin. The child does this:
 * the parent's call could come after the program's own, and undo that.
 */
static void
pty_modes_begin(void)
{
	struct termios tio;

	if (tcgetattr(STDIN_FILENO, &tio) != 0)
		return;
	tio.c_cc[VERASE] = 0x7f;
#ifdef IUTF8
	tio.c_iflag |= IUTF8;
#endif
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &tio);
}

/* Sets up the child and runs the program; never returns. */
NORETURN static void
pty_child(const struct pty_spec *spec)
{
	const char *home = "/";
	size_t i;

	sys_signals_default();
	pty_modes_begin();
	sys_close_from(3);
	for (i = 0; spec->envp[i] != NULL; i++)
		if (strncmp(spec->envp[i], "HOME=", 5) == 0)
			home = spec->envp[i] + 5;
	sys_files_restore();
	sys_secrets_restore();
	if (spec->cwd == NULL || chdir(spec->cwd) != 0)
		if (chdir(home) != 0 && chdir("/") != 0)
			_exit(1);
	/* execvp takes non-const pointers but does not write. */
	union {
		const char *const *in;
		char **out;
	} env = { spec->envp }, argv;
	char *copy[256];

	for (i = 0; i < ARRAY_LEN(copy) - 1 && spec->argv[i] != NULL; i++) {
		argv.in = &spec->argv[i];
		copy[i] = argv.out[0];
	}
	copy[i] = NULL;
	if (spec->argv0 != NULL) {
		argv.in = &spec->argv0;
		copy[0] = argv.out[0];
	}
	environ = env.out;
	execvp(spec->argv[0], copy);
	fprintf(stderr, "rmux: cannot run %s: %s\n", spec->argv[0],
	    strerror(errno));
	_exit(127);
}

int
pty_spawn(const struct pty_spec *spec, int *fd, pid_t *pid, struct cause *c)
{
	struct winsize ws = {
		.ws_row = spec->size.rows,
		.ws_col = spec->size.cols,
		.ws_xpixel = spec->xpixel,
		.ws_ypixel = spec->ypixel,
	};
	sigset_t all, old;

	sigfillset(&all);
	/* A signal between fork and exec would run the parent's handlers. */
	sigprocmask(SIG_BLOCK, &all, &old);
	*pid = forkpty(fd, NULL, NULL, &ws);
	if (*pid == 0)
		pty_child(spec);
	sigprocmask(SIG_SETMASK, &old, NULL);
	if (*pid < 0)
		return cause_set(
		    c, -ERR_SYS, "cannot open a pty: %s", strerror(errno));
	(void)sys_set_cloexec(*fd);
	(void)sys_set_nonblock(*fd);
	return 0;
}

int
pty_resize(int fd, struct cell_size size, uint16_t xpixel, uint16_t ypixel)
{
	struct winsize ws = {
		.ws_row = size.rows,
		.ws_col = size.cols,
		.ws_xpixel = xpixel,
		.ws_ypixel = ypixel,
	};

	return ioctl(fd, TIOCSWINSZ, &ws) == 0 ? 0 : -ERR_SYS;
}

int
pty_get_modes(int fd, struct pty_modes *m)
{
	struct termios tio;

	if (tcgetattr(fd, &tio) != 0)
		return -ERR_SYS;
	m->echo = (tio.c_lflag & ECHO) != 0;
	m->canonical = (tio.c_lflag & ICANON) != 0;
	return 0;
}

#ifdef __APPLE__
/* macOS has no /proc: libproc replaces it. */
void
pty_foreground_name(int fd, char *name, size_t size)
{
	struct proc_bsdshortinfo info;
	pid_t pgrp = tcgetpgrp(fd);

	name[0] = '\0';
	if (pgrp > 0 && proc_pidinfo(pgrp, PROC_PIDT_SHORTBSDINFO, 0, &info,
			    (int)sizeof(info)) == (int)sizeof(info))
		snprintf(name, size, "%.*s", (int)sizeof(info.pbsi_comm),
		    info.pbsi_comm);
}

void
pty_foreground_comm(int fd, char *name, size_t size)
{
	pty_foreground_name(fd, name, size);
}

void
pty_foreground_cwd(int fd, char *cwd, size_t size)
{
	struct proc_vnodepathinfo info;
	pid_t pgrp = tcgetpgrp(fd);

	cwd[0] = '\0';
	if (pgrp > 0 && proc_pidinfo(pgrp, PROC_PIDVNODEPATHINFO, 0, &info,
			    (int)sizeof(info)) == (int)sizeof(info))
		snprintf(cwd, size, "%s", info.pvi_cdir.vip_path);
}
#else
/* Reads the file of the foreground process, up to its first NUL. */
static void
read_foreground(int fd, const char *file, char *text, size_t size)
{
	pid_t pgrp = tcgetpgrp(fd);
	char path[64];
	FILE *f;
	size_t n;

	text[0] = '\0';
	snprintf(path, sizeof(path), "/proc/%ld/%s", (long)pgrp, file);
	if (pgrp <= 0 || (f = fopen(path, "re")) == NULL)
		return;
	n = fread(text, 1, size - 1, f);
	fclose(f);
	text[n] = '\0';
}

void
pty_foreground_name(int fd, char *name, size_t size)
{
	/* The first word of the command line. */
	read_foreground(fd, "cmdline", name, size);
}

void
pty_foreground_comm(int fd, char *name, size_t size)
{
	read_foreground(fd, "comm", name, size);
	name[strcspn(name, "\n")] = '\0';
}

void
pty_foreground_cwd(int fd, char *cwd, size_t size)
{
	/* Programs that hold secrets hide it; the session's leader has one. */
	pid_t pids[] = { tcgetpgrp(fd), tcgetsid(fd) };
	char path[64];
	ssize_t n = -1;
	size_t i;

	for (i = 0; i < ARRAY_LEN(pids) && n < 0; i++) {
		if (pids[i] <= 0)
			continue;
		snprintf(path, sizeof(path), "/proc/%ld/cwd", (long)pids[i]);
		n = readlink(path, cwd, size - 1);
	}
	cwd[n < 0 ? 0 : n] = '\0';
}
#endif

pid_t
pty_foreground(int fd)
{
	pid_t pgrp = tcgetpgrp(fd);

	return pgrp < 0 ? 0 : pgrp;
}
