/*
 * Feeds one payload to the terminal once, for profilers:
 *
 *   vt_feed [-g] payload [KB [history]]
 *
 * -g only generates the payload (a cost to subtract).
 * Prints the number of bytes, to compute costs per byte.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "regress/bench/bench_term.h"
#include "regress/bench/payload.h"

int
main(int argc, char **argv)
{
	bool generate = argc > 1 && strcmp(argv[1], "-g") == 0;
	size_t i, n, kb, history;
	uint8_t *p;

	argc -= generate;
	argv += generate;
	kb = argc > 2 ? (size_t)atoi(argv[2]) : 1024;
	history = argc > 3 ? (size_t)atoi(argv[3]) : 0;

	for (i = 0; i < payload_count(); i++) {
		if (argc < 2) {
			puts(payload_name(i));
			continue;
		}
		if (strcmp(argv[1], payload_name(i)) != 0)
			continue;
		p = payload_new(i, kb << 10, &n);
		if (!generate)
			(void)bench_feed(&bench_rmux, history, p, n);
		printf("%zu\n", n);
		mem_free(p);
		return 0;
	}
	return argc < 2 ? 0 : 2;
}
