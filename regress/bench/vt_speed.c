/*
 * Speed of the terminal without a pty: the same payloads through ours and
 * through libvterm, alternating; medians in MB/s and their ratio.
 *
 *   vt_speed [-m MB] [-r rounds] [-H history] [payload...]
 *
 * "history" is ours with a scrollback of the default length, which libvterm
 * does not have here.  Prints numbers, never fails.
 */
#include <stdio.h>

#include "regress/bench/bench_term.h"
#include "regress/bench/payload.h"

static void
measure(
    const struct bench_args *args, const char *name, const uint8_t *p, size_t n)
{
	double plain[BENCH_ROUNDS_MAX], kept[BENCH_ROUNDS_MAX],
	    other[BENCH_ROUNDS_MAX], mb = (double)n / 1e6;
	size_t k;

	for (k = 0; k < args->rounds; k++) {
		plain[k] = bench_feed(&bench_rmux, 0, p, n);
		kept[k] = bench_feed(&bench_rmux, args->history, p, n);
#ifdef HAVE_VTERM
		other[k] = bench_feed(&bench_vterm, 0, p, n);
#else
		other[k] = 0;
#endif
	}
	printf("%-11s %7.1f %9.1f", name, mb / bench_median(plain, k),
	    mb / bench_median(kept, k));
#ifdef HAVE_VTERM
	printf(" %9.1f %7.2f %9.2f\n", mb / bench_median(other, k),
	    bench_median(other, k) / bench_median(plain, k),
	    bench_median(other, k) / bench_median(kept, k));
#else
	(void)other;
	printf("         -       -         -\n");
#endif
}

int
main(int argc, char **argv)
{
	struct bench_args args = { 16 << 20, 5, 2000, false, 0, 0, NULL };

	if (!bench_args(&args, argc, argv))
		return 2;
	printf("%-11s %7s %9s %9s %7s %9s  (MB/s, medians of %zu)\n", "payload",
	    "rmux", "+history", "libvterm", "ratio", "+history", args.rounds);
	bench_each(&args, measure);
	return 0;
}
