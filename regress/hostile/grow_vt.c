/*
 * Output for one terminal, without the checks of the fuzz targets, whose cost
 * grow.h would count.
 */
#include "regress/fuzz/fuzz_vt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct vt_term *t = fuzz_term(80, 24, 2000);
	size_t n;

	/* As much at a time as the server reads. */
	for (; size > 0; data += n, size -= n) {
		n = MIN_OF(size, (size_t)16384);
		vt_term_write(t, data, n);
		fuzz_effects(t, NULL);
	}
	vt_term_free(t);
	return 0;
}
