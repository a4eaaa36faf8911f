/*
 * keyrec - records the keys typed at a program, for keyplay.
 *
 *	keyrec [-n] [-r READY] FILE COMMAND...
 *
 * Runs COMMAND on a pty of this terminal's size, passes keys and output
 * through, and writes both with their times to FILE, in the form that
 * regress/tools/keyfile.h describes.  With -n the output is left out.  READY is
 * the text that must be on the screen before the player begins to type, for
 * instance the prompt.
 *
 * FILE (mode 0600) holds everything typed, passwords too: check it before you
 * publish it.
 */
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/io/pty.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "base/str.h"
#include "regress/tools/keyfile.h"

struct rec {
	FILE *out;
	int fd; /* the program's pty */
	double last;
	bool output;
};

static double
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void
rec_line(struct rec *r, char kind, const char *p, size_t n)
{
	double now = now_ms();

	/* In tenths: whole milliseconds would add up rounding errors. */
	now = (double)(long long)(now * 10) / 10;
	keyfile_line(r->out, kind, MAX_OF(now - r->last, 0), p, n);
	r->last = now;
}

/* The bytes of the key at P: an escape sequence, a character, or one byte. */
static size_t
key_len(const char *p, size_t n)
{
	unsigned char c = (unsigned char)p[0];
	size_t k = 1;

	if (c == '\033' && n > 1) {
		k = 2;
		if (p[1] == '[' || p[1] == 'O')
			while (k < n && (p[k - 1] < 0x40 || k == 2) &&
			       k < KEYFILE_KEY_MAX)
				k++;
		return k;
	}
	if (c >= 0xc0)
		while (k < n && ((unsigned char)p[k] & 0xc0) == 0x80)
			k++;
	return k;
}

static void
rec_keys(struct rec *r, const char *p, size_t n)
{
	size_t k;

	for (; n > 0; p += k, n -= k) {
		k = key_len(p, n);
		rec_line(r, 'k', p, k);
	}
}

/* Copies and records until the program ends. */
static void
rec_run(struct rec *r)
{
	struct pollfd p[2] = { { STDIN_FILENO, POLLIN, 0 },
		{ r->fd, POLLIN, 0 } };
	char buf[16384];
	ssize_t n;

	for (;;) {
		if (poll(p, 2, -1) < 0 && errno != EINTR)
			return;
		if (p[0].revents != 0) {
			n = read(STDIN_FILENO, buf, 4096);
			if (n > 0) {
				rec_keys(r, buf, (size_t)n);
				(void)!sys_write_all(r->fd, buf, (size_t)n);
			} else if (n == 0) {
				p[0].fd = -1;
			}
		}
		if (p[1].revents != 0) {
			n = read(r->fd, buf, sizeof buf);
			if (n > 0) {
				if (r->output)
					rec_line(r, 'o', buf, (size_t)n);
				(void)!sys_write_all(
				    STDOUT_FILENO, buf, (size_t)n);
			} else if (n == 0 ||
				   (errno != EAGAIN && errno != EINTR)) {
				return;
			}
		}
	}
}

/* Quotes a word of the command for a shell. */
static void
rec_word(struct rec *r, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_./=+:,@%-";
	char *quoted = word[strspn(word, plain)] == '\0' && *word != '\0'
			   ? mem_strdup(word)
			   : str_shell_quote_new(word);

	fprintf(r->out, " %s", quoted);
	mem_free(quoted);
}

static void
rec_head(struct rec *r, const struct winsize *w, const char *ready, char **argv)
{
	fprintf(r->out, "keys 1\nsize %u %u\nname", w->ws_col, w->ws_row);
	for (; *argv != NULL; argv++)
		rec_word(r, *argv);
	fprintf(r->out, "\nready ");
	keyfile_string(r->out, ready, strlen(ready));
	fprintf(r->out, "\n");
}

int
main(int argc, char **argv)
{
	struct pty_spec spec = { .envp =
				     (const char *const *)(uintptr_t)environ };
	struct winsize w = { .ws_row = 24, .ws_col = 80 };
	struct rec r = { .output = true };
	struct cause why = { NULL };
	struct termios old, raw;
	const char *ready = "";
	char cwd[4096];
	int c, fd, status = 0;
	bool tty;
	pid_t pid;

	while ((c = getopt(argc, argv, "+nr:")) != -1)
		if (c == 'n')
			r.output = false;
		else if (c == 'r')
			ready = optarg;
		else
			argc = 0;
	if (argc - optind < 2) {
		fprintf(
		    stderr, "usage: keyrec [-n] [-r text] file command...\n");
		return 2;
	}
	fd = open(argv[optind], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || (r.out = fdopen(fd, "w")) == NULL) {
		fprintf(
		    stderr, "keyrec: %s: %s\n", argv[optind], strerror(errno));
		return 2;
	}
	(void)ioctl(STDIN_FILENO, TIOCGWINSZ, &w);
	spec.argv = (const char *const *)(uintptr_t)&argv[optind + 1];
	spec.size.cols = w.ws_col;
	spec.size.rows = w.ws_row;
	spec.cwd = getcwd(cwd, sizeof cwd);
	if (pty_spawn(&spec, &r.fd, &pid, &why) != 0) {
		fprintf(stderr, "keyrec: %s\n", cause_text(&why));
		return 2;
	}
	rec_head(&r, &w, ready, &argv[optind + 1]);
	r.last = now_ms();
	tty = tcgetattr(STDIN_FILENO, &old) == 0;
	if (tty) {
		raw = old;
		cfmakeraw(&raw);
		tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
	}
	rec_run(&r);
	if (tty)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &old);
	waitpid(pid, &status, 0);
	if (fclose(r.out) != 0) {
		fprintf(
		    stderr, "keyrec: %s: %s\n", argv[optind], strerror(errno));
		return 2;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
