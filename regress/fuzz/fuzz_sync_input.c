/*
 * Any bytes as a diff or a whole input log, applied to a small one.
 */
#include "mux/sync/input.h"
#include "regress/fuzz/sync_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool
check_input(const void *obj)
{
	const struct sync_input *in = obj;
	uint64_t i, end = sync_input_end(in);
	bool ours = true;

	bug_assert(sync_input_first(in) <= end);
	for (i = sync_input_first(in); i < end; i++)
		/* Events of later releases are accepted, never forwarded. */
		ours = ours && sync_input_get(in, i)->kind != SYNC_UNKNOWN;
	bug_assert(sync_input_get(in, end) == NULL);
	return ours;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint16_t cells[4] = { 80, 24, 0, 0 };
	struct sync_input *in = sync_input_new();

	sync_input_resize(in, cells);
	sync_input_text(in, 'l');
	sync_input_text(in, 's');
	sync_input_paste(in, "pasted", 6);
	(void)sync_fuzz_object(&sync_input_ops, in, data, size, check_input);
	sync_input_ops.free(in);
	return 0;
}
