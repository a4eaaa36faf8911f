#include "client/desk/clip.h"

#include <sys/stat.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "client/cp/wire.h"
#include "client/desk/wire.h"

#define CLIP_TOOL_S 10 /* for a program of the clipboard */
#define CLIP_LIST_MAX 65536
#define CLIP_WORDS 8

/* Runs a program, whose output goes to OUT; true: it succeeds. */
static bool
tool_run(const char *const *words, int out)
{
	union {
		const char *const *in;
		char *const *out;
	} argv = { words };
	int status = 1, null;
	pid_t pid = fork();

	if (pid == 0) {
		null = open("/dev/null", O_RDWR);
		(void)dup2(null, STDIN_FILENO);
		(void)dup2(out, STDOUT_FILENO);
		(void)dup2(null, STDERR_FILENO);
		sys_close_from(STDERR_FILENO + 1);
		(void)signal(SIGALRM, SIG_DFL);
		(void)alarm(CLIP_TOOL_S);
		(void)execvp(argv.out[0], argv.out);
		_exit(1);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

/* Writes the clipboard as TYPE to OUT, by the program that this system has. */
static bool
clip_read(const char *type, int out)
{
	const char *const wayland[] = { "wl-paste", "-n", "-t", type, NULL };
	const char *const x11[] = { "xclip", "-selection", "clipboard", "-t",
		type, "-o", NULL };
	const char *const mac[] = { "pngpaste", "-", NULL };
	const char *w = getenv("WAYLAND_DISPLAY"), *x = getenv("DISPLAY");

	if (w != NULL && *w != '\0' && tool_run(wayland, out))
		return true;
	if (x != NULL && *x != '\0' && tool_run(x11, out))
		return true;
#ifdef __APPLE__
	return strcmp(type, "image/png") == 0 && tool_run(mac, out);
#else
	(void)mac;
	return false;
#endif
}

/* Copies a file into DIR under its own name. */
static void
file_copy(const char *dir, const char *path)
{
	char *base = cp_base_new(path), *to = mem_printf("%s/%s", dir, base);
	int in = -1, out = -1;
	char bytes[65536];
	struct stat st;
	ssize_t n = 0;

	if (desk_path_ok(base) && strchr(base, '/') == NULL)
		in = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (in >= 0 && fstat(in, &st) == 0 && S_ISREG(st.st_mode))
		out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	while (out >= 0 && (n = read(in, bytes, sizeof(bytes))) > 0 &&
	       sys_write_all(out, bytes, (size_t)n) == 0)
		;
	if (out >= 0) {
		(void)close(out);
		/* No half of a file. */
		if (n != 0)
			(void)unlink(to);
	}
	if (in >= 0)
		(void)close(in);
	mem_free(to);
	mem_free(base);
}

/* Copies the files of the list at FD; true: there is one. */
static bool
list_copy(const char *dir, int fd)
{
	char *text = mem_zalloc(CLIP_LIST_MAX), *rest = text, *line, *path;
	unsigned files = 0;
	ssize_t n;
	size_t got = 0;

	(void)lseek(fd, 0, SEEK_SET);
	while ((n = read(fd, text + got, CLIP_LIST_MAX - 1 - got)) > 0)
		got += (size_t)n;
	while (files < DESK_NAMES_MAX && (line = strsep(&rest, "\n")) != NULL) {
		if ((path = desk_file_new(line)) == NULL)
			continue;
		file_copy(dir, path);
		files++;
		mem_free(path);
	}
	mem_free(text);
	return files > 0;
}

void
clip_collect(const char *dir)
{
	char *path = mem_printf("%s/" CLIP_IMAGE, dir);
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	struct stat st;
	bool list;

	/* The list is written there, too, and goes. */
	if (fd < 0) {
		mem_free(path);
		return;
	}
	(void)unlink(path);
	list = clip_read("text/uri-list", fd) && list_copy(dir, fd);
	(void)close(fd);
	if (!list) {
		fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd >= 0 && (!clip_read("image/png", fd) ||
				   fstat(fd, &st) != 0 || st.st_size == 0))
			(void)unlink(path);
		if (fd >= 0)
			(void)close(fd);
	}
	mem_free(path);
}
