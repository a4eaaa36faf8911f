#include "config.h"

#include <msgpack/pack.h>
#include <string.h>

#include "base/err.h"
#include "base/pack.h"

/* The head of a value: its type, and its number, length or count. */
struct head {
	enum pack_type type;
	bool negative; /* PACK_INT below 0: `value` is two's complement */
	uint8_t bytes; /* length of the argument */
	uint64_t value;
};

/* First bytes 0xc0..0xdf: length of the argument, or a fixed value. */
struct head_row {
	uint8_t type;
	uint8_t bytes;
	uint8_t value;
	bool is_signed;
};

/* clang-format off */
static const struct head_row head_rows[32] = {
	[0x00] = { PACK_NIL, 0, 0, false },
	[0x01] = { PACK_NONE, 0, 0, false }, /* 0xc1 is never used */
	[0x02] = { PACK_BOOL, 0, 0, false },
	[0x03] = { PACK_BOOL, 0, 1, false },
	[0x04] = { PACK_BIN, 1, 0, false },
	[0x05] = { PACK_BIN, 2, 0, false },
	[0x06] = { PACK_BIN, 4, 0, false },
	[0x07] = { PACK_EXT, 1, 0, false },
	[0x08] = { PACK_EXT, 2, 0, false },
	[0x09] = { PACK_EXT, 4, 0, false },
	[0x0a] = { PACK_FLOAT, 4, 0, false },
	[0x0b] = { PACK_FLOAT, 8, 0, false },
	[0x0c] = { PACK_INT, 1, 0, false },
	[0x0d] = { PACK_INT, 2, 0, false },
	[0x0e] = { PACK_INT, 4, 0, false },
	[0x0f] = { PACK_INT, 8, 0, false },
	[0x10] = { PACK_INT, 1, 0, true },
	[0x11] = { PACK_INT, 2, 0, true },
	[0x12] = { PACK_INT, 4, 0, true },
	[0x13] = { PACK_INT, 8, 0, true },
	[0x14] = { PACK_EXT, 0, 1, false },
	[0x15] = { PACK_EXT, 0, 2, false },
	[0x16] = { PACK_EXT, 0, 4, false },
	[0x17] = { PACK_EXT, 0, 8, false },
	[0x18] = { PACK_EXT, 0, 16, false },
	[0x19] = { PACK_STR, 1, 0, false },
	[0x1a] = { PACK_STR, 2, 0, false },
	[0x1b] = { PACK_STR, 4, 0, false },
	[0x1c] = { PACK_ARRAY, 2, 0, false },
	[0x1d] = { PACK_ARRAY, 4, 0, false },
	[0x1e] = { PACK_MAP, 2, 0, false },
	[0x1f] = { PACK_MAP, 4, 0, false },
};
/* clang-format on */

/* Decodes the first byte. */
static inline struct head
head_first(uint8_t b, bool *is_signed)
{
	struct head h = { PACK_INT, false, 0, b };
	const struct head_row *row;

	*is_signed = false;
	if (b < 0x80)
		return h;
	if (b < 0xc0) {
		h.type = b < 0x90 ? PACK_MAP : b < 0xa0 ? PACK_ARRAY : PACK_STR;
		h.value = b < 0xa0 ? b & 15 : b & 31;
	} else if (b < 0xe0) {
		row = &head_rows[b - 0xc0];
		h.type = (enum pack_type)row->type;
		h.bytes = row->bytes;
		h.value = row->value;
		*is_signed = row->is_signed;
	} else {
		h.negative = true;
		h.value = (uint64_t)((int64_t)b - 256);
	}
	return h;
}

enum pack_type
pack_peek(const struct rd *r)
{
	bool is_signed;

	if (r->err != 0 || rd_left(r) == 0)
		return PACK_NONE;
	return head_first(*r->p, &is_signed).type;
}

/* Reads the head of the next value; PACK_NONE with the error set on failure. */
static struct head
head_read(struct rd *r)
{
	struct head h;
	bool is_signed;
	unsigned unused;

	h = head_first(rd_u8(r), &is_signed);
	if (r->err == 0 && h.type == PACK_NONE)
		rd_fail(r, -ERR_TYPE);
	switch (h.bytes) {
	case 1:
		h.value = rd_u8(r);
		break;
	case 2:
		h.value = rd_u16(r);
		break;
	case 4:
		h.value = rd_u32(r);
		break;
	case 8:
		h.value = rd_u64(r);
		break;
	default:
		break;
	}
	if (is_signed) {
		/* Extend the sign from the encoded width. */
		unused = 64 - 8u * h.bytes;
		h.negative = (h.value << unused) >> 63 != 0;
		if (h.negative && unused > 0)
			h.value |= UINT64_MAX << (64 - unused);
	}
	if (r->err != 0)
		h.type = PACK_NONE;
	return h;
}

/* Reads a head of TYPE; false with the error set for any other type. */
static bool
head_expect(struct rd *r, enum pack_type type, struct head *h)
{
	*h = head_read(r);
	if (h->type == type)
		return true;
	rd_fail(r, -ERR_TYPE);
	return false;
}

uint64_t
pack_get_uint(struct rd *r, uint64_t max)
{
	struct head h;

	if (!head_expect(r, PACK_INT, &h))
		return 0;
	if (h.negative || h.value > max) {
		rd_fail(r, -ERR_RANGE);
		return 0;
	}
	return h.value;
}

int64_t
pack_get_int(struct rd *r)
{
	struct head h;

	if (!head_expect(r, PACK_INT, &h))
		return 0;
	if (!h.negative && h.value > INT64_MAX) {
		rd_fail(r, -ERR_RANGE);
		return 0;
	}
	return (int64_t)h.value;
}

/* Reads the bytes of the next value, which must have TYPE. */
static const uint8_t *
get_bytes(struct rd *r, enum pack_type type, size_t max, size_t *len)
{
	struct head h;

	*len = 0;
	if (!head_expect(r, type, &h))
		return NULL;
	if (h.value > max) {
		rd_fail(r, -ERR_LIMIT);
		return NULL;
	}
	if (h.value <= rd_left(r))
		*len = (size_t)h.value;
	return rd_bytes(r, (size_t)h.value);
}

const char *
pack_get_str(struct rd *r, size_t max, size_t *len)
{
	return (const char *)get_bytes(r, PACK_STR, max, len);
}

const uint8_t *
pack_get_bin(struct rd *r, size_t max, size_t *len)
{
	return get_bytes(r, PACK_BIN, max, len);
}

/*
 * Reads the count of the next value, which must have TYPE; each of its elements
 * takes at least EACH values.
 */
static uint32_t
get_count(struct rd *r, enum pack_type type, uint64_t each, uint32_t max)
{
	struct head h;

	if (!head_expect(r, type, &h))
		return 0;
	if (h.value > max)
		rd_fail(r, -ERR_LIMIT);
	else if (h.value * each > rd_left(r)) /* a value has >= 1 byte */
		rd_fail(r, -ERR_TRUNCATED);
	else
		return (uint32_t)h.value;
	return 0;
}

uint32_t
pack_get_array(struct rd *r, uint32_t max)
{
	return get_count(r, PACK_ARRAY, 1, max);
}

uint32_t
pack_get_map(struct rd *r, uint32_t max)
{
	return get_count(r, PACK_MAP, 2, max);
}

/* Values left at each depth, the outermost first. */
struct skip {
	uint64_t left[PACK_DEPTH_MAX + 1];
	size_t depth;
};

/* Skips one head and its bytes; pushes a depth for its elements. */
static void
skip_one(struct rd *r, struct skip *s)
{
	struct head h = head_read(r);
	uint64_t n = h.value;

	if (h.type == PACK_STR || h.type == PACK_BIN || h.type == PACK_EXT) {
		n += h.type == PACK_EXT; /* its type byte */
		if (n > rd_left(r))
			rd_fail(r, -ERR_TRUNCATED);
		else
			rd_bytes(r, (size_t)n);
		return;
	}
	if (h.type != PACK_ARRAY && h.type != PACK_MAP)
		return;
	if (h.type == PACK_MAP)
		n *= 2;
	if (n > rd_left(r))
		rd_fail(r, -ERR_TRUNCATED);
	else if (s->depth == PACK_DEPTH_MAX)
		rd_fail(r, -ERR_LIMIT);
	else
		s->left[++s->depth] = n;
}

void
pack_skip(struct rd *r)
{
	struct skip s = { { 1 }, 0 };

	while (r->err == 0) {
		while (s.left[s.depth] == 0) {
			if (s.depth-- == 0)
				return;
		}
		s.left[s.depth]--;
		skip_one(r, &s);
	}
}

/* The packer's sink; a full buffer sets its own overflow flag. */
static int
pack_write(void *arg, const char *p, size_t n)
{
	return buf_add(arg, p, n);
}

static msgpack_packer
packer(struct buf *b)
{
	msgpack_packer pk;

	msgpack_packer_init(&pk, b, pack_write);
	return pk;
}

void
pack_put_uint(struct buf *b, uint64_t v)
{
	msgpack_packer pk = packer(b);

	msgpack_pack_uint64(&pk, v);
}

void
pack_put_int(struct buf *b, int64_t v)
{
	msgpack_packer pk = packer(b);

	msgpack_pack_int64(&pk, v);
}

/*
 * Checks that LEN bytes fit together with their head (SMALL bytes if LEN is
 * less than 256), so that no head is written without its bytes.
 */
static bool
pack_room(struct buf *b, size_t small, size_t len)
{
	size_t head = len < 256 ? small : len < 65536 ? 3 : 5;
	uint8_t *p;

	if (len > UINT32_MAX) {
		b->overflow = true;
		return false;
	}
	return buf_reserve(b, head + len, &p) == 0;
}

void
pack_put_str(struct buf *b, const char *s, size_t len)
{
	msgpack_packer pk = packer(b);

	if (!pack_room(b, len < 32 ? 1 : 2, len))
		return;
	msgpack_pack_str(&pk, len);
	if (len > 0)
		msgpack_pack_str_body(&pk, s, len);
}

void
pack_put_cstr(struct buf *b, const char *s)
{
	pack_put_str(b, s, strlen(s));
}

void
pack_put_bin(struct buf *b, const void *p, size_t len)
{
	msgpack_packer pk = packer(b);

	if (!pack_room(b, 2, len))
		return;
	msgpack_pack_bin(&pk, len);
	if (len > 0)
		msgpack_pack_bin_body(&pk, p, len);
}

void
pack_put_array(struct buf *b, uint32_t count)
{
	msgpack_packer pk = packer(b);

	msgpack_pack_array(&pk, count);
}

void
pack_put_map(struct buf *b, uint32_t count)
{
	msgpack_packer pk = packer(b);

	msgpack_pack_map(&pk, count);
}
