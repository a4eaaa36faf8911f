/*
 * Drain a pty without and with the terminal, by the same loop: read into a
 * buffer of 64 KiB or more, parse, repeat until the pty is empty, then wait in
 * poll.  (Linux gives 4 KiB a read.) A child writes a payload; several rounds,
 * alternating.  Prints MB/s and the percentage of the speed without a terminal,
 * by wall time (median and best round) and by processor time of the reader.
 * The history has its default length.
 *
 *   vt_pty [-R] [-m MB] [-r rounds] [-H history] [-p piece] [-b ns]
 *          [payload...]
 *
 * The line discipline is that of a shell's programs (output processing: ONLCR);
 * with -R raw, as an editor sets it.
 *
 * -p: bytes to collect before parsing; by default none, so that the kernel's
 * worker, which a read wakes, fills the pty during the parse.  -b: do not
 * parse, but spin for so many nanoseconds a byte, to find the cost that a
 * terminal may have.
 *
 * On a busy machine only the best rounds are meaningful.
 */
#include "config.h"

#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(HAVE_PTY_H)
# include <pty.h>
#elif defined(HAVE_UTIL_H)
# include <util.h>
#else
# include <libutil.h>
#endif
#include <termios.h>

#include "base/compiler.h"
#include "regress/bench/bench_term.h"
#include "regress/bench/payload.h"

#define READ_SIZE 131072
#define READ_LEAST 8192 /* room that another read wants */

static _Noreturn void
child(const struct bench_args *args, const uint8_t *p, size_t n)
{
	struct termios tio;
	ssize_t k;

	if (args->raw && tcgetattr(1, &tio) == 0) {
		cfmakeraw(&tio);
		tcsetattr(1, TCSANOW, &tio);
	}
	while (n > 0) {
		if ((k = write(1, p, n > 65536 ? 65536 : n)) < 0) {
			if (errno == EINTR)
				continue;
			_exit(1);
		}
		p += k;
		n -= (size_t)k;
	}
	_exit(0);
}

/* Seconds of one drain: wall time, and processor time of the reader. */
struct took {
	double wall;
	double cpu;
};

static double busy_ns;

static void *
busy_new(unsigned cols UNUSED, unsigned rows UNUSED, size_t history UNUSED)
{
	return NULL;
}

/* Spins as long as a terminal that costs busy_ns a byte. */
static void
busy_write(void *t UNUSED, const uint8_t *p UNUSED, size_t n)
{
	double end = bench_now() + busy_ns * (double)n / 1e9;

	while (bench_now() < end)
		;
}

static void
busy_free(void *t UNUSED)
{
}

static const struct bench_term bench_busy = {
	"busy",
	busy_new,
	busy_write,
	busy_free,
};

/* Reads until the pty is empty; false at the end of file. */
static bool
drain_some(const struct bench_args *args, const struct bench_term *bt, void *t,
    int fd, size_t *total)
{
	static uint8_t in[READ_SIZE];
	size_t got = 0;
	ssize_t k;

	for (;;) {
		k = read(fd, in + got, sizeof(in) - got);
		if (k < 0 && errno == EINTR)
			continue;
		if (k > 0)
			got += (size_t)k;
		if (got > 0 && (k <= 0 || got >= args->piece)) {
			if (bt != NULL)
				bt->write(t, in, got);
			*total += got;
			got = 0;
		}
		if (k <= 0)
			return k < 0 && errno == EAGAIN;
	}
}

/* Drains the payload; BT NULL: discards the bytes. */
static struct took
drain(const struct bench_args *args, const struct bench_term *bt,
    const uint8_t *p, size_t n)
{
	struct pollfd pfd = { -1, POLLIN, 0 };
	size_t got = 0;
	struct took took;
	void *t = NULL;
	pid_t pid;

	if (bt != NULL)
		t = bt->new (PAYLOAD_COLS, PAYLOAD_ROWS, args->history);
	took.wall = bench_now();
	took.cpu = bench_cpu();
	if ((pid = forkpty(&pfd.fd, NULL, NULL, NULL)) < 0) {
		perror("forkpty");
		exit(1);
	}
	if (pid == 0)
		child(args, p, n);
	fcntl(pfd.fd, F_SETFL, fcntl(pfd.fd, F_GETFL) | O_NONBLOCK);
	while (poll(&pfd, 1, -1) > 0 || errno == EINTR)
		if (!drain_some(args, bt, t, pfd.fd, &got))
			break;
	took.wall = bench_now() - took.wall;
	took.cpu = bench_cpu() - took.cpu;
	close(pfd.fd);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	if (got < n)
		printf("# %zu bytes of %zu\n", got, n);
	if (bt != NULL)
		bt->free(t);
	return took;
}

static void
measure(
    const struct bench_args *args, const char *name, const uint8_t *p, size_t n)
{
	double wall[2][BENCH_ROUNDS_MAX], cpu[2][BENCH_ROUNDS_MAX];
	double w[2], best[2], c[2], mb = (double)n / 1e6;
	const struct bench_term *bt = busy_ns > 0 ? &bench_busy : &bench_rmux;
	struct took took;
	size_t k;
	int ours;

	for (k = 0; k < args->rounds; k++)
		for (ours = 0; ours < 2; ours++) {
			took = drain(args, ours ? bt : NULL, p, n);
			wall[ours][k] = took.wall;
			cpu[ours][k] = took.cpu;
		}
	for (ours = 0; ours < 2; ours++) {
		w[ours] = bench_median(wall[ours], k);
		best[ours] = wall[ours][0]; /* sorted now */
		c[ours] = bench_median(cpu[ours], k);
	}
	printf("%-11s %6.1f %6.1f %5.0f%%  %6.1f %6.1f %5.0f%%  %6.1f %6.1f\n",
	    name, mb / w[0], mb / w[1], 100 * w[0] / w[1], mb / best[0],
	    mb / best[1], 100 * best[0] / best[1], mb / c[0], mb / c[1]);
}

int
main(int argc, char **argv)
{
	struct bench_args args = { 16 << 20, 5, 2000, false, 0, 0, NULL };
	const char *name;

	if (!bench_args(&args, argc, argv) ||
	    args.piece > READ_SIZE - READ_LEAST)
		return 2;
	busy_ns = args.busy;
	name = busy_ns > 0 ? "busy" : "rmux";
	printf("%zu rounds    median of all        best of all          "
	       "reader's processor\n",
	    args.rounds);
	printf("%-11s %6s %6s %6s  %6s %6s %6s  %6s %6s  (MB/s)\n", "payload",
	    "bare", name, "", "bare", name, "", "bare", name);
	bench_each(&args, measure);
	return 0;
}
