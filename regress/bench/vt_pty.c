/*
 * A pty drained bare and into the terminal: a child writes a payload, the
 * reader takes 64 KiB or more at a time; in turn, several rounds, medians and
 * the percentage of the bare speed.  On a busy machine look at the columns of
 * processor time: that of the side, writer or reader, which uses more and so
 * sets the pace when each has a processor of its own.
 *
 *   vt_pty [-m MB] [-r rounds] [-H history] [payload...]
 */
#include "config.h"

#include <sys/resource.h>
#include <sys/wait.h>

#include <errno.h>
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

#include "base/mem.h"
#include "regress/bench/bench_term.h"
#include "regress/bench/payload.h"

#define ROUNDS_MAX 99
#define READ_SIZE (256 << 10)

static size_t size = 16 << 20;
static size_t rounds = 5;
static size_t history = 10000;

static _Noreturn void
child(const uint8_t *p, size_t n)
{
	struct termios tio;
	ssize_t k;

	if (tcgetattr(1, &tio) == 0) {
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

/* What one drain took: on the wall, and of the slower side's processor. */
struct took {
	double wall;
	double busy;
};

static double
child_cpu(void)
{
	struct rusage ru;

	getrusage(RUSAGE_CHILDREN, &ru);
	return (double)(ru.ru_utime.tv_sec + ru.ru_stime.tv_sec) +
	       (double)(ru.ru_utime.tv_usec + ru.ru_stime.tv_usec) / 1e6;
}

/* Drains the payload; BT NULL: bytes are thrown away. */
static struct took
drain(const struct bench_term *bt, const uint8_t *p, size_t n)
{
	static uint8_t in[READ_SIZE];
	void *t =
	    bt == NULL ? NULL : bt->new (PAYLOAD_COLS, PAYLOAD_ROWS, history);
	size_t got = 0;
	double from, cpu, kids = child_cpu();
	struct took took;
	ssize_t k;
	pid_t pid;
	int fd;

	from = bench_now();
	cpu = bench_cpu();
	if ((pid = forkpty(&fd, NULL, NULL, NULL)) < 0) {
		perror("forkpty");
		exit(1);
	}
	if (pid == 0)
		child(p, n);
	for (;;) {
		if ((k = read(fd, in, sizeof(in))) < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			break;
		if (bt != NULL)
			bt->write(t, in, (size_t)k);
		got += (size_t)k;
	}
	took.wall = bench_now() - from;
	cpu = bench_cpu() - cpu;
	close(fd);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	took.busy = MAX_OF(cpu, child_cpu() - kids);
	if (got != n)
		printf("# %zu bytes of %zu\n", got, n);
	if (bt != NULL)
		bt->free(t);
	return took;
}

static void
measure(size_t i)
{
	double wall[2][ROUNDS_MAX], busy[2][ROUNDS_MAX], w[2], b[2], mb;
	struct took took;
	uint8_t *p;
	size_t n, k;
	int ours;

	p = payload_new(i, size, &n);
	mb = (double)n / 1e6;
	for (k = 0; k < rounds; k++)
		for (ours = 0; ours < 2; ours++) {
			took = drain(ours ? &bench_rmux : NULL, p, n);
			wall[ours][k] = took.wall;
			busy[ours][k] = took.busy;
		}
	mem_free(p);
	for (ours = 0; ours < 2; ours++) {
		w[ours] = bench_median(wall[ours], rounds);
		b[ours] = bench_median(busy[ours], rounds);
	}
	printf("%-11s %8.1f %8.1f %7.1f%% %8.1f %8.1f %7.1f%%\n",
	    payload_name(i), mb / w[0], mb / w[1], 100 * w[0] / w[1], mb / b[0],
	    mb / b[1], 100 * b[0] / b[1]);
	fflush(stdout);
}

int
main(int argc, char **argv)
{
	size_t i;
	int c, k;

	while ((c = getopt(argc, argv, "m:r:H:")) != -1)
		switch (c) {
		case 'm':
			size = (size_t)atoi(optarg) << 20;
			break;
		case 'r':
			rounds = (size_t)atoi(optarg);
			break;
		case 'H':
			history = (size_t)atoi(optarg);
			break;
		default:
			return 2;
		}
	if (rounds < 1 || rounds > ROUNDS_MAX || size == 0)
		return 2;
	printf("%-11s %8s %8s %8s %8s %8s %8s  (MB/s, medians of %zu)\n",
	    "payload", "bare", "rmux", "of bare", "cpu bare", "cpu rmux",
	    "of bare", rounds);
	for (i = 0; i < payload_count(); i++) {
		for (k = optind; k < argc; k++)
			if (strcmp(argv[k], payload_name(i)) == 0)
				break;
		if (optind == argc || k < argc)
			measure(i);
	}
	return 0;
}
