/*
 * A target with known costs, which tests grow.h: each 'q' costs as much as there
 * were 'q' before it; each 'd' behind the first 1000 bytes costs 200 steps.
 */
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile size_t steps;

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t i, k, cost, q = 0;

	for (i = 0; i < size; i++) {
		cost = 1;
		if (data[i] == 'q')
			cost = q++;
		else if (data[i] == 'd' && i >= 1000)
			cost = 200;
		for (k = 0; k < cost; k++)
			steps++;
	}
	return 0;
}
