/*
 * Bytes for an ssh agent, cut anywhere: the requests that agent_wire counts are
 * those that a reader of the whole finds.
 */
#include "base/agent_wire.h"
#include "base/compiler.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Counts the requests with content that lie whole in the N bytes at P. */
static size_t
whole_requests(const uint8_t *p, size_t n)
{
	size_t len, ended = 0;

	while (n >= AGENT_HEAD) {
		len = (size_t)p[0] << 24 | (size_t)p[1] << 16 |
		      (size_t)p[2] << 8 | p[3];
		if (len > n - AGENT_HEAD)
			break;
		ended += len > 0;
		p += AGENT_HEAD + len;
		n -= AGENT_HEAD + len;
	}
	return ended;
}

/* The first byte says in how large pieces the others come. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct agent_wire w = { .got = 0 };
	size_t at, k, step, ended = 0;

	if (size == 0)
		return 0;
	step = 1u + data[0] % 61;
	data++;
	size--;
	for (at = 0; at < size; at += k) {
		k = MIN_OF(step, size - at);
		ended += agent_wire_count(&w, data + at, k);
	}
	bug_assert(ended == whole_requests(data, size));
	return 0;
}
