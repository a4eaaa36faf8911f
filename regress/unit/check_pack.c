#include <msgpack.h>
#include <string.h>

#include "base/err.h"
#include "base/pack.h"
#include "regress/unit/unit.h"

#define BYTES(s)   \
 {                 \
  s, sizeof(s) - 1 \
 }

static uint32_t rand_state;

static uint32_t
next_random(void)
{
	rand_state = rand_state * 1664525 + 1013904223;
	return rand_state >> 8;
}

/* A number with a random number of bits. */
static uint64_t
random_number(void)
{
	uint64_t v = (uint64_t)next_random() << 40 ^
		     (uint64_t)next_random() << 20 ^ next_random();

	return v >> next_random() % 64;
}

static int
put_bytes(void *arg, const char *p, size_t n)
{
	return buf_add(arg, p, n);
}

/* Writes, with msgpack-c, types that the reader only skips. */
static void
put_skipped(struct buf *b)
{
	msgpack_packer pk;

	msgpack_packer_init(&pk, b, put_bytes);
	switch (next_random() % 4) {
	case 0:
		msgpack_pack_nil(&pk);
		break;
	case 1:
		msgpack_pack_true(&pk);
		break;
	case 2:
		msgpack_pack_float(&pk, (float)next_random() / 3);
		break;
	default:
		msgpack_pack_double(&pk, (double)next_random() / 3);
		break;
	}
}

static void
put_random(struct buf *b, int depth)
{
	static const char text[70000];
	static const size_t lens[] = { 0, 1, 31, 32, 255, 256, 65535, 65536 };
	uint32_t n, i;

	switch (next_random() % (depth > 0 ? 8 : 6)) {
	case 0:
		put_skipped(b);
		break;
	case 1:
		pack_put_uint(b, random_number());
		break;
	case 2:
		pack_put_int(b, -(int64_t)(random_number() >> 1));
		break;
	case 3:
		pack_put_cstr(b, "some text");
		break;
	case 4:
		pack_put_str(b, text, lens[next_random() % 400 / 50]);
		break;
	case 5:
		pack_put_bin(b, text, lens[next_random() % 6]);
		break;
	case 6:
		n = next_random() % 20;
		pack_put_array(b, n);
		for (i = 0; i < n; i++)
			put_random(b, depth - 1);
		break;
	default:
		n = next_random() % 18;
		pack_put_map(b, n);
		for (i = 0; i < 2 * n; i++)
			put_random(b, depth - 1);
		break;
	}
}

/* Reads the values that the oracle O contains. */
static void
compare(struct rd *r, const msgpack_object *o)
{
	const void *p;
	size_t len;
	uint32_t i;

	ck_assert_int_eq(r->err, 0);
	switch (o->type) {
	case MSGPACK_OBJECT_NIL:
		ck_assert_int_eq(pack_peek(r), PACK_NIL);
		pack_skip(r);
		break;
	case MSGPACK_OBJECT_BOOLEAN:
		ck_assert_int_eq(pack_peek(r), PACK_BOOL);
		pack_skip(r);
		break;
	case MSGPACK_OBJECT_POSITIVE_INTEGER:
		ck_assert(pack_get_uint(r, UINT64_MAX) == o->via.u64);
		break;
	case MSGPACK_OBJECT_NEGATIVE_INTEGER:
		ck_assert(pack_get_int(r) == o->via.i64);
		break;
	case MSGPACK_OBJECT_FLOAT32:
	case MSGPACK_OBJECT_FLOAT64:
		ck_assert_int_eq(pack_peek(r), PACK_FLOAT);
		pack_skip(r);
		break;
	case MSGPACK_OBJECT_STR:
		p = pack_get_str(r, SIZE_MAX, &len);
		ck_assert(len == o->via.str.size);
		ck_assert(len == 0 || memcmp(p, o->via.str.ptr, len) == 0);
		break;
	case MSGPACK_OBJECT_BIN:
		p = pack_get_bin(r, SIZE_MAX, &len);
		ck_assert(len == o->via.bin.size);
		ck_assert(len == 0 || memcmp(p, o->via.bin.ptr, len) == 0);
		break;
	case MSGPACK_OBJECT_EXT:
		ck_assert_int_eq(pack_peek(r), PACK_EXT);
		pack_skip(r);
		break;
	case MSGPACK_OBJECT_ARRAY:
		ck_assert_uint_eq(
		    pack_get_array(r, UINT32_MAX), o->via.array.size);
		for (i = 0; i < o->via.array.size; i++)
			compare(r, &o->via.array.ptr[i]);
		break;
	case MSGPACK_OBJECT_MAP:
		ck_assert_uint_eq(pack_get_map(r, UINT32_MAX), o->via.map.size);
		for (i = 0; i < o->via.map.size; i++) {
			compare(r, &o->via.map.ptr[i].key);
			compare(r, &o->via.map.ptr[i].val);
		}
		break;
	}
	ck_assert_int_eq(r->err, 0);
}

/* Checks that our reader and msgpack-c agree on the N bytes at P. */
static void
check_oracle(const uint8_t *p, size_t n)
{
	msgpack_unpacked u;
	struct rd r, skip;
	size_t off = 0;

	rd_init(&skip, p, n);
	pack_skip(&skip);
	if (skip.err != 0)
		return; /* msgpack-c would allocate by the prefix */
	msgpack_unpacked_init(&u);
	ck_assert_int_eq(msgpack_unpack_next(&u, (const char *)p, n, &off),
	    MSGPACK_UNPACK_SUCCESS);
	rd_init(&r, p, n);
	compare(&r, &u.data);
	ck_assert_ptr_eq(r.p, p + off);
	ck_assert_ptr_eq(skip.p, p + off);
	msgpack_unpacked_destroy(&u);
}

START_TEST(written_values_are_read_alike_by_both)
{
	unsigned long seed = unit_seed(4);
	struct buf b;
	struct rd r;
	size_t i, cut;
	int round;

	rand_state = (uint32_t)seed;
	buf_init(&b, 1u << 24);
	for (round = 0; round < (int)unit_rounds(800); round++) {
		buf_clear(&b);
		put_random(&b, 3);
		ck_assert(!b.overflow);
		rd_init(&r, b.data, b.len);
		pack_skip(&r);
		ck_assert_int_eq(rd_done(&r), 0);
		check_oracle(b.data, b.len);
		/* Every cut is rejected, damage is mostly detected. */
		for (i = 0; i < 8; i++) {
			cut = next_random() % b.len;
			rd_init(&r, b.data, cut);
			pack_skip(&r);
			ck_assert_int_eq(r.err, -ERR_TRUNCATED);
		}
		for (i = 0; i < 8; i++) {
			b.data[next_random() % b.len] ^= (uint8_t)next_random();
			check_oracle(b.data, b.len);
		}
	}
	buf_fini(&b);
}
END_TEST

START_TEST(random_bytes_are_read_alike_by_both)
{
	unsigned long seed = unit_seed(6);
	uint8_t text[64];
	size_t i;
	int round;

	rand_state = (uint32_t)seed;
	for (round = 0; round < (int)unit_rounds(100000); round++) {
		for (i = 0; i < sizeof(text); i++)
			text[i] = (uint8_t)(next_random() >> 4);
		/* A first byte of each kind in turn. */
		text[0] = (uint8_t)round;
		check_oracle(text, sizeof(text));
	}
}
END_TEST

enum want {
	UINT,
	INT,
	STR,
	BIN,
	ARRAY,
	MAP,
	SKIP
};

static int
get(enum want what, const void *p, size_t n, uint64_t max, uint64_t *v)
{
	struct rd r;
	size_t len = 0;

	rd_init(&r, p, n);
	*v = 0;
	switch (what) {
	case UINT:
		*v = pack_get_uint(&r, max);
		break;
	case INT:
		*v = (uint64_t)pack_get_int(&r);
		break;
	case STR:
		pack_get_str(&r, max, &len);
		*v = len;
		break;
	case BIN:
		pack_get_bin(&r, max, &len);
		*v = len;
		break;
	case ARRAY:
		*v = pack_get_array(&r, (uint32_t)max);
		break;
	case MAP:
		*v = pack_get_map(&r, (uint32_t)max);
		break;
	case SKIP:
	default:
		pack_skip(&r);
		break;
	}
	return r.err;
}

START_TEST(types_and_limits)
{
	static const struct {
		enum want what;
		struct {
			const char *p;
			size_t n;
		} in;
		uint64_t max;
		int err;
		uint64_t v;
	} rows[] = {
		{ UINT, BYTES("\xc0"), 9, -ERR_TYPE, 0 },
		{ UINT, BYTES("\xc3"), 9, -ERR_TYPE, 0 },
		{ UINT, BYTES(""), 9, -ERR_TRUNCATED, 0 },
		{ UINT, BYTES("\x7f"), 127, 0, 127 },
		{ UINT, BYTES("\x7f"), 126, -ERR_RANGE, 0 },
		{ UINT, BYTES("\xcc\xff"), 255, 0, 255 },
		{ UINT, BYTES("\xd0\x7f"), 255, 0, 127 },
		{ UINT, BYTES("\xd0\x80"), UINT64_MAX, -ERR_RANGE, 0 },
		{ UINT, BYTES("\xff"), UINT64_MAX, -ERR_RANGE, 0 },
		{ UINT, BYTES("\xcd\x01"), 999, -ERR_TRUNCATED, 0 },
		{ UINT, BYTES("\xcf\xff\xff\xff\xff\xff\xff\xff\xff"),
		    UINT64_MAX, 0, UINT64_MAX },
		{ INT, BYTES("\xcf\xff\xff\xff\xff\xff\xff\xff\xff"), 0,
		    -ERR_RANGE, 0 },
		{ INT, BYTES("\xcf\x7f\xff\xff\xff\xff\xff\xff\xff"), 0, 0,
		    INT64_MAX },
		{ INT, BYTES("\xd3\x80\0\0\0\0\0\0\0"), 0, 0,
		    (uint64_t)INT64_MIN },
		{ INT, BYTES("\xe0"), 0, 0, (uint64_t)-32 },
		{ INT, BYTES("\xd1\xff\x00"), 0, 0, (uint64_t)-256 },
		{ INT, BYTES("\xd2\xff\xff\xff\xfe"), 0, 0, (uint64_t)-2 },
		{ INT, BYTES("\xca\x40\x40\x00\x00"), 0, -ERR_TYPE, 0 },
		{ STR, BYTES("\xa0"), 0, 0, 0 },
		{ STR, BYTES("\xa2zz"), 2, 0, 2 },
		{ STR, BYTES("\xa2zz"), 1, -ERR_LIMIT, 0 },
		{ STR, BYTES("\xa3zz"), 9, -ERR_TRUNCATED, 0 },
		{ STR, BYTES("\xdb\xff\xff\xff\xff"), SIZE_MAX, -ERR_TRUNCATED,
		    0 },
		{ STR, BYTES("\xc4\x01z"), 9, -ERR_TYPE, 0 },
		{ BIN, BYTES("\xc4\x01z"), 9, 0, 1 },
		{ BIN, BYTES("\xc5\x00\x01z"), 9, 0, 1 },
		{ BIN, BYTES("\xc6\x00\x00\x00\x01z"), 9, 0, 1 },
		{ BIN, BYTES("\xa1z"), 9, -ERR_TYPE, 0 },
		{ ARRAY, BYTES("\x90"), 0, 0, 0 },
		{ ARRAY, BYTES("\x92\x01\x02"), 2, 0, 2 },
		{ ARRAY, BYTES("\x92\x01"), 2, -ERR_TRUNCATED, 0 },
		{ ARRAY, BYTES("\x92\x01\x02"), 1, -ERR_LIMIT, 0 },
		{ ARRAY, BYTES("\xdd\xff\xff\xff\xff"), UINT32_MAX,
		    -ERR_TRUNCATED, 0 },
		{ ARRAY, BYTES("\x81\x01\x02"), 9, -ERR_TYPE, 0 },
		{ MAP, BYTES("\x81\x01\x02"), 9, 0, 1 },
		{ MAP, BYTES("\x82\x01\x02\x03"), 9, -ERR_TRUNCATED, 0 },
		{ MAP, BYTES("\xdf\xff\xff\xff\xff"), UINT32_MAX,
		    -ERR_TRUNCATED, 0 },
		{ SKIP, BYTES("\xc1"), 0, -ERR_TYPE, 0 },
		{ SKIP, BYTES("\xc0"), 0, 0, 0 },
		{ SKIP, BYTES("\xc3"), 0, 0, 0 },
		{ SKIP, BYTES("\xca\x40\x40\x00\x00"), 0, 0, 0 },
		{ SKIP, BYTES("\xcb\x40\x08\0\0\0\0\0"), 0, -ERR_TRUNCATED, 0 },
		{ SKIP,
		    BYTES("\xd8\x01"
			  "0123456789abcdef"),
		    0, 0, 0 },
		{ SKIP,
		    BYTES("\xd8\x01"
			  "0123456789abcde"),
		    0, -ERR_TRUNCATED, 0 },
		{ SKIP, BYTES("\xc7\x00\x05"), 0, 0, 0 },
		{ SKIP, BYTES("\xc7\x00"), 0, -ERR_TRUNCATED, 0 },
		{ SKIP, BYTES("\xdd\xff\xff\xff\xff\0\0\0\0"), 0,
		    -ERR_TRUNCATED, 0 },
		{ SKIP,
		    BYTES("\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91"
			  "\x91\x91\x91\x91\x91\x01"),
		    0, 0, 0 },
		{ SKIP,
		    BYTES("\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91"
			  "\x91\x91\x91\x91\x91\x91\x01"),
		    0, -ERR_LIMIT, 0 },
	};
	uint64_t v;
	size_t i;
	int r;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		r = get(
		    rows[i].what, rows[i].in.p, rows[i].in.n, rows[i].max, &v);
		ck_assert_msg(r == rows[i].err, "row %zu: %d", i, r);
		ck_assert_msg(
		    v == rows[i].v, "row %zu: %llu", i, (unsigned long long)v);
	}
}
END_TEST

START_TEST(writers_stop_at_the_maximum_with_whole_heads)
{
	struct buf b;
	char text[40] = { 0 };
	size_t max;

	for (max = 0; max < 60; max++) {
		buf_init(&b, max);
		pack_put_str(&b, text, 31);
		ck_assert(b.len == (max >= 32 ? 32 : 0));
		buf_clear(&b);
		pack_put_str(&b, text, 32);
		ck_assert(b.len == (max >= 34 ? 34 : 0));
		ck_assert(b.overflow == (max < 34));
		buf_clear(&b);
		pack_put_bin(&b, text, 40);
		ck_assert(b.len == (max >= 42 ? 42 : 0));
		buf_fini(&b);
	}
	buf_init(&b, 100);
	pack_put_str(&b, NULL, (size_t)UINT32_MAX + 1);
	ck_assert(b.overflow && b.len == 0);
	buf_clear(&b);
	pack_put_int(&b, 5);
	pack_put_uint(&b, 5);
	pack_put_int(&b, -1);
	ck_assert_mem_eq(b.data, "\5\5\377", 3);
	buf_fini(&b);
}
END_TEST

UNIT_SUITE(pack)
{
	Suite *s = suite_create("pack");
	TCase *tc = tcase_create("pack");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, written_values_are_read_alike_by_both);
	tcase_add_test(tc, random_bytes_are_read_alike_by_both);
	tcase_add_test(tc, types_and_limits);
	tcase_add_test(tc, writers_stop_at_the_maximum_with_whole_heads);
	suite_add_tcase(s, tc);
	return s;
}
