/*
 * Any bytes: a value that pack_skip accepts is read to the same end, written
 * again and accepted again.
 */
#include "base/err.h"
#include "base/pack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Copies one value, DEPTH at most PACK_DEPTH_MAX since the skip went well. */
static void
copy_value(struct rd *r, struct buf *b, int depth)
{
	const void *p;
	size_t len;
	uint32_t n, i;
	struct rd again;
	int64_t number;

	bug_assert(depth <= PACK_DEPTH_MAX);
	switch (pack_peek(r)) {
	case PACK_INT:
		again = *r;
		number = pack_get_int(&again);
		if (again.err == 0) {
			pack_put_int(b, number);
			*r = again;
			break;
		}
		bug_assert(again.err == -ERR_RANGE);
		pack_put_uint(b, pack_get_uint(r, UINT64_MAX));
		break;
	case PACK_STR:
		p = pack_get_str(r, SIZE_MAX, &len);
		pack_put_str(b, p, len);
		break;
	case PACK_BIN:
		p = pack_get_bin(r, SIZE_MAX, &len);
		pack_put_bin(b, p, len);
		break;
	case PACK_ARRAY:
	case PACK_MAP:
		if (pack_peek(r) == PACK_ARRAY) {
			n = pack_get_array(r, UINT32_MAX);
			pack_put_array(b, n);
		} else {
			n = pack_get_map(r, UINT32_MAX);
			pack_put_map(b, n);
			n *= 2;
		}
		for (i = 0; i < n; i++)
			copy_value(r, b, depth + 1);
		break;
	case PACK_NIL:
	case PACK_BOOL:
	case PACK_FLOAT:
	case PACK_EXT:
		pack_skip(r);
		pack_put_uint(b, 0);
		break;
	case PACK_NONE:
	default:
		/* The skip would have failed here. */
		bug_assert(r->err != 0);
	}
	bug_assert(r->err == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rd skip, r;
	struct buf b;

	rd_init(&skip, data, size);
	pack_skip(&skip);
	if (skip.err != 0) {
		bug_assert(skip.err == -ERR_TRUNCATED ||
			   skip.err == -ERR_TYPE || skip.err == -ERR_LIMIT);
		bug_assert(rd_left(&skip) == 0);
		return 0;
	}
	rd_init(&r, data, size);
	buf_init(&b, size * 9 + 16);
	copy_value(&r, &b, 0);
	bug_assert(r.p == skip.p && !b.overflow);
	rd_init(&r, b.data, b.len);
	pack_skip(&r);
	bug_assert(rd_done(&r) == 0);
	buf_fini(&b);
	return 0;
}
