/*
 * A target with known costs, which tests grow.h: each 'q' costs as much as there
 * were 'q' before it; each 'd' behind the first 1000 bytes costs 200 steps; each
 * 'm' costs a KiB of memory.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile size_t steps;
/* The compiler does not know that the memory is not read. */
static void *(*volatile fill)(void *, int, size_t) = memset;

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t i, k, cost, q = 0, m = 0;
	char *memory;

	for (i = 0; i < size; i++) {
		cost = 1;
		if (data[i] == 'q')
			cost = q++;
		else if (data[i] == 'd' && i >= 1000)
			cost = 200;
		m += data[i] == 'm';
		for (k = 0; k < cost; k++)
			steps++;
	}
	if ((memory = malloc(m * 1024 + 1)) != NULL)
		(void)fill(memory, 1, m * 1024 + 1);
	free(memory);
	return 0;
}
