/*
 * Layouts of version 2 for grow.sh: each byte is a row of one pane, or of two
 * beside each other, so that long inputs are layouts that rmux accepts.
 */
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "mux/layout_json.h"

#define COLS 80u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
put_leaf(struct buf *b, unsigned x, unsigned y, unsigned w, unsigned *index)
{
	(void)buf_addf(b,
	    "{\"t\":\"p\",\"w\":%u,\"h\":1,\"x\":%u,\"y\":%u,\"i\":%u}", w, x,
	    y, (*index)++);
}

/* Makes the text of a layout with a row for each byte. */
static void
put_rows(struct buf *b, const uint8_t *data, unsigned rows)
{
	unsigned i, index = 0;

	(void)buf_addf(b,
	    "{\"V\":2,\"L\":{\"t\":\"v\",\"w\":%u,\"h\":%u,\"x\":0,\"y\":0,"
	    "\"c\":[",
	    COLS, rows * 2 - 1);
	for (i = 0; i < rows; i++) {
		(void)buf_add_str(b, i > 0 ? "," : "");
		if ((data[i] & 1) == 0) {
			put_leaf(b, 0, i * 2, COLS, &index);
			continue;
		}
		(void)buf_addf(b,
		    "{\"t\":\"h\",\"w\":%u,\"h\":1,\"x\":0,\"y\":%u,\"c\":[",
		    COLS, i * 2);
		put_leaf(b, 0, i * 2, COLS / 2, &index);
		(void)buf_add_str(b, ",");
		put_leaf(b, COLS / 2 + 1, i * 2, COLS / 2 - 1, &index);
		(void)buf_add_str(b, "]}");
	}
	(void)buf_add_str(b, "]}}");
}

static void
describe(void *arg, const struct layout_cell *c, struct layout_leaf *out)
{
	(void)arg;
	out->index = c->pane;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const size_t rows =
	    size < LAYOUT_SIZE_MAX / 2 ? size : (size_t)LAYOUT_SIZE_MAX / 2;
	struct cause cause = { NULL };
	struct layout_leaf *leaves;
	struct layout l;
	struct buf b;
	size_t n, i;

	if (rows < 2)
		return 0;
	buf_init(&b, (size_t)1 << 22);
	put_rows(&b, data, (unsigned)rows);
	if (layout_json_parse(buf_cstr(&b), &l, &leaves, &n, &cause) == 0) {
		for (i = 0; i < n; i++)
			leaves[i].cell->pane = (uint32_t)i;
		mem_free(layout_json_new(&l, describe, NULL));
		mem_free(leaves);
		layout_fini(&l);
	} else
		/* Too many panes; the rest is as it should be. */
		bug_assert(rows > LAYOUT_PANES_MAX / 2);
	cause_fini(&cause);
	buf_fini(&b);
	return 0;
}
