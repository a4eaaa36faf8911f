/*
 * Instructions against a known old state: any bytes give a value or an error,
 * within the limits.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "regress/sim/toy.h"
#include "ssp/instruction.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct ssp_coder c;
	static struct toy_screen *base;
	static struct ssp_past past, none;
	struct buf ser;
	struct ssp_ins ins;
	void *result;

	if (c.zip == NULL) {
		c.ops = &toy_screen_ops;
		c.zip = ssp_zip_new();
		base = toy_screen_new(40, 10);
		memset(base->cell, 'a', 200);
		buf_init(&ser, c.ops->save_max);
		if (c.ops->save(base, &ser) == 0)
			ssp_past_after(&past, &none, &ser);
		ssp_past_trail(&past, ser.data, ser.len);
		buf_fini(&ser);
	}
	if (ssp_ins_get(&ins, data, size) == 0 &&
	    ssp_ins_apply(&c, &ins, base, &past, NULL, &result) == 0)
		c.ops->free(result);
	return 0;
}
