/*
 * A byte stream in pieces.  The first byte is the size of the pieces; it must
 * not change the records; each record also goes to a connection.
 */
#include "base/err.h"
#include "regress/fuzz/ssp_fuzz.h"
#include "ssp/stream_link.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Number and sum of the records, by pieces of STEP bytes. */
static uint64_t
cut(const uint8_t *data, size_t size, size_t step, struct ssp_conn *c)
{
	struct ssp_path_addr from = fuzz_addr(1);
	struct ssp_stream_link l;
	uint64_t sum = 0;
	uint8_t *p;
	size_t n, len, room;
	int r = 0;

	from.remote.kind = SSP_ADDR_STREAM;
	ssp_stream_link_init(&l);
	while (size > 0 && r >= 0) {
		room = ssp_stream_link_room(&l, &p);
		if (room == 0)
			abort();
		n = size < step ? size : step;
		n = n < room ? n : room;
		memcpy(p, data, n);
		ssp_stream_link_commit(&l, n);
		data += n;
		size -= n;
		while ((r = ssp_stream_link_next(&l, &p, &len)) == 1) {
			for (n = 0; n < len; n++)
				sum = sum * 31 + p[n] + 1;
			if (c != NULL) {
				ssp_conn_input(c, 5, &from, 0, p, len);
				fuzz_drain(c, 5, NULL, NULL);
			}
		}
	}
	ssp_stream_link_fini(&l);
	return sum * 2 + (r == -ERR_PEER);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ssp_conn *c;
	uint64_t a, b;

	if (size < 1)
		return 0;
	c = fuzz_conn_new(true);
	a = cut(data + 1, size - 1, (size_t)data[0] + 1, c);
	b = cut(data + 1, size - 1, 1u << 20, NULL);
	if (a != b)
		abort();
	ssp_conn_free(c);
	return 0;
}
