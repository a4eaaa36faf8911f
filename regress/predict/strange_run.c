/*
 * strange_run - a generated program on this tty, or keys for it.
 *
 *	strange_run SEED            runs the program that SEED makes
 *	strange_run -k KEYS SEED    writes its typist's keys as a recording
 *	                            (regress/tools/keyfile.h)
 *
 * regress/bench/people_keys.py -S plays both under rmux and mosh. See
 * regress/predict/strange.h.
 */
#include <sys/ioctl.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "mux/vt/frame.h"
#include "regress/predict/strange.h"
#include "regress/tools/keyfile.h"

#define RUN_COLS 80u
#define RUN_ROWS 24u

static struct termios run_before;

static void
run_leave(void)
{
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &run_before);
}

static void
run_tty(uint32_t tty)
{
	struct termios t = run_before;

	if ((tty & VT_FRAME_CANONICAL) == 0) {
		t.c_iflag &= (tcflag_t) ~(ICRNL | INLCR | IXON | ISTRIP);
		t.c_lflag &= (tcflag_t) ~(ICANON | ISIG | IEXTEN);
		t.c_cc[VMIN] = 1;
		t.c_cc[VTIME] = 0;
	}
	if ((tty & VT_FRAME_ECHO) == 0)
		t.c_lflag &= (tcflag_t)~ECHO;
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &t);
}

static void
run_sleep(unsigned ms)
{
	struct timespec t = { ms / 1000, (long)(ms % 1000) * 1000000 };

	while (nanosleep(&t, &t) != 0 && errno == EINTR)
		;
}

static void
run_answer(const struct strange *s)
{
	const struct strange_piece *p;
	size_t n = strange_pieces(s, &p), i;
	const char *out = strange_output(s);
	ssize_t w;
	size_t at;

	for (i = 0; i < n; i++, p++) {
		if (p->wait > 0)
			run_sleep(p->wait);
		run_tty(p->tty);
		for (at = p->from; at < p->to; at += (size_t)w) {
			w = write(STDOUT_FILENO, out + at, p->to - at);
			if (w <= 0)
				exit(1);
		}
	}
}

/* Gives N bytes to the program; returns how many were part of whole keys. */
static size_t
run_input(struct strange *s, char *text, size_t n)
{
	key_code key;
	size_t at = 0, m;
	char *end;

	while (at < n) {
		if (strange_tty(s) & VT_FRAME_CANONICAL) {
			end = memchr(text + at, '\n', n - at);
			if (end == NULL)
				break;
			*end = '\0';
			strange_line(s, text + at);
			at = (size_t)(end - text) + 1;
		} else {
			m = strange_decode(text + at, n - at, &key);
			strange_key(s, key);
			at += m;
		}
		run_answer(s);
	}
	return at;
}

static int
run(uint64_t seed)
{
	struct winsize size = { .ws_col = RUN_COLS, .ws_row = RUN_ROWS };
	struct strange *s;
	char text[4096];
	size_t n = 0, used;
	ssize_t r;

	(void)ioctl(STDIN_FILENO, TIOCGWINSZ, &size);
	if (tcgetattr(STDIN_FILENO, &run_before) != 0) {
		fprintf(stderr, "strange_run: no tty\n");
		return 1;
	}
	(void)atexit(run_leave);
	s = strange_new(seed, size.ws_col, size.ws_row);
	run_answer(s);
	while (n < sizeof(text) &&
	       (r = read(STDIN_FILENO, text + n, sizeof(text) - n)) > 0) {
		n += (size_t)r;
		used = run_input(s, text, n);
		memmove(text, text + used, n - used);
		n -= used;
	}
	strange_free(s);
	return 0;
}

static void
run_record(uint64_t seed, unsigned keys)
{
	struct strange *s = strange_new(seed, RUN_COLS, RUN_ROWS);
	struct strange_press p;
	char bytes[8];

	printf("keys 1\n# made by strange_run\nsize %u %u\nname %s\n"
	       "ready \"\"\n",
	    RUN_COLS, RUN_ROWS, strange_group_name(strange_group(s)));
	for (; keys > 0; keys--) {
		strange_press(s, &p);
		strange_key(s, p.key);
		keyfile_line(
		    stdout, 'k', p.gap, bytes, strange_bytes(p.key, bytes));
	}
	strange_free(s);
}

int
main(int argc, char **argv)
{
	if (argc == 4 && strcmp(argv[1], "-k") == 0)
		run_record(strtoull(argv[3], NULL, 0),
		    (unsigned)strtoul(argv[2], NULL, 0));
	else if (argc == 2)
		return run(strtoull(argv[1], NULL, 0));
	else
		return 2;
	return 0;
}
