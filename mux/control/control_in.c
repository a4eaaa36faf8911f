#include "mux/control/control_in.h"

#include <string.h>

#include "base/err.h"

/* A message of the control socket may come on top of a full buffer. */
#define CONTROL_IN_ROOM ((size_t)4 << 20)

void
control_in_init(struct control_in *in)
{
	memset(in, 0, sizeof(*in));
	buf_init(
	    &in->bytes, CONTROL_IN_LINE + CONTROL_IN_FULL + CONTROL_IN_ROOM);
}

void
control_in_fini(struct control_in *in)
{
	buf_fini(&in->bytes);
}

int
control_in_add(struct control_in *in, const void *p, size_t n)
{
	const uint8_t *b = p, *end;

	/* Nothing of a line that is dropped needs memory. */
	if (in->skipping && in->bytes.len == in->used) {
		end = n == 0 ? NULL : memchr(b, '\n', n);
		if (end == NULL)
			return 0;
		n -= (size_t)(end - b);
		b = end;
	}
	return n == 0 ? 0 : buf_add(&in->bytes, b, n);
}

bool
control_in_full(const struct control_in *in)
{
	return in->bytes.len - in->used >= CONTROL_IN_FULL;
}

enum control_in_got
control_in_next(struct control_in *in, const char **line)
{
	struct buf *b = &in->bytes;
	uint8_t *end;
	size_t n;

	*line = NULL;
	for (;;) {
		buf_consume(b, in->used);
		in->used = 0;
		end = b->len == in->scanned ? NULL
					    : memchr(b->data + in->scanned,
						  '\n', b->len - in->scanned);
		if (end == NULL) {
			in->scanned = b->len;
			if (b->len <= CONTROL_IN_LINE && !in->skipping)
				return CONTROL_IN_NONE;
			buf_clear(b);
			in->scanned = 0;
			if (in->skipping)
				return CONTROL_IN_NONE;
			in->skipping = true;
			return CONTROL_IN_TOO_LONG;
		}
		n = (size_t)(end - b->data);
		in->used = n + 1;
		in->scanned = 0;
		if (!in->skipping)
			break;
		in->skipping = false;
	}
	if (n > CONTROL_IN_LINE)
		return CONTROL_IN_TOO_LONG;
	if (n == 0)
		return CONTROL_IN_EMPTY;
	*end = '\0';
	*line = (const char *)b->data;
	return memchr(b->data, '\0', n) != NULL ? CONTROL_IN_BAD
						: CONTROL_IN_LINE_GOT;
}
