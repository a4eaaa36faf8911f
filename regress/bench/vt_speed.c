/*
 * Speed of the terminal in process: the same payloads through ours and through
 * libvterm, in turn, several rounds; medians in MB/s and their ratio.
 *
 *   vt_speed [-m MB] [-r rounds] [-H history] [payload...]
 *
 * "history" is ours again with a scrollback, which libvterm does not keep
 * here.  Numbers are printed, nothing fails.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "regress/bench/bench_term.h"
#include "regress/bench/payload.h"

#define ROUNDS_MAX 99

static size_t size = 16 << 20;
static size_t rounds = 5;
static size_t history = 10000;

static void
measure(size_t i)
{
	double plain[ROUNDS_MAX], kept[ROUNDS_MAX], other[ROUNDS_MAX], mb;
	uint8_t *p;
	size_t n, k;

	p = payload_new(i, size, &n);
	mb = (double)n / 1e6;
	for (k = 0; k < rounds; k++) {
		plain[k] = bench_feed(&bench_rmux, 0, p, n);
		kept[k] = bench_feed(&bench_rmux, history, p, n);
#ifdef HAVE_VTERM
		other[k] = bench_feed(&bench_vterm, 0, p, n);
#else
		other[k] = 0;
#endif
	}
	mem_free(p);
	printf("%-11s %7.1f %9.1f", payload_name(i),
	    mb / bench_median(plain, rounds), mb / bench_median(kept, rounds));
#ifdef HAVE_VTERM
	printf(" %9.1f %7.2f %9.2f\n", mb / bench_median(other, rounds),
	    bench_median(other, rounds) / bench_median(plain, rounds),
	    bench_median(other, rounds) / bench_median(kept, rounds));
#else
	(void)other;
	printf("         -       -         -\n");
#endif
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
	printf("%-11s %7s %9s %9s %7s %9s  (MB/s, medians of %zu)\n", "payload",
	    "rmux", "+history", "libvterm", "ratio", "+history", rounds);
	for (i = 0; i < payload_count(); i++) {
		for (k = optind; k < argc; k++)
			if (strcmp(argv[k], payload_name(i)) == 0)
				break;
		if (optind == argc || k < argc)
			measure(i);
	}
	return 0;
}
