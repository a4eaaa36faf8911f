/*
 * base/pack.h - msgpack with limits.
 *
 * Purpose:   reads untrusted msgpack in place; writes msgpack through
 *            msgpack-c's packer into a struct buf.
 * Ownership: readers return strings and bins in place, in the caller's bytes;
 *            writers append to the caller's buffer.
 * Units:     bytes; counts are elements (array) or pairs (map).
 * Errors:    sticky in struct rd: -ERR_TYPE (unexpected type), -ERR_TRUNCATED,
 *            -ERR_LIMIT (depth, count or length over a limit).  A count larger
 *            than the bytes left (two for each pair) fails before anything is
 *            read, so that no caller allocates by a hostile prefix.  The unused
 *            byte 0xc1 is -ERR_TYPE.  Integers are read in any width and
 *            signedness, strings with any bytes (the caller calls utf8_valid).
 *            Writers return nothing: check the buffer's `overflow` once at the
 *            end.
 * Source:    msgpack specification; the writer is msgpack-c's pack_template.h.
 * Tests:     regress/unit/check_pack.c (msgpack-c's unpacker as the oracle)
 */
#ifndef BASE_PACK_H
#define BASE_PACK_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/wire.h"

#define PACK_DEPTH_MAX 16

enum pack_type {
	PACK_NONE, /* end of input, or an error */
	PACK_NIL,
	PACK_BOOL,
	PACK_INT, /* any integer */
	PACK_FLOAT,
	PACK_STR,
	PACK_BIN,
	PACK_ARRAY,
	PACK_MAP,
	PACK_EXT,
};

/* Returns the type of the next value without consuming it. */
enum pack_type pack_peek(const struct rd *r);

/*
 * Reads one integer; returns 0 on error.  -ERR_RANGE: below 0 or over MAX for
 * uint, above INT64_MAX for int.
 */
uint64_t pack_get_uint(struct rd *r, uint64_t max);
int64_t pack_get_int(struct rd *r);

/*
 * Returns the bytes of the next str and sets *len; NULL on error or if it is
 * longer than MAX bytes.
 */
const char *pack_get_str(struct rd *r, size_t max, size_t *len);

/* The same for a bin. */
const uint8_t *pack_get_bin(struct rd *r, size_t max, size_t *len);

/*
 * Reads the header of an array or map.  Returns its count, or 0 on error or if
 * it exceeds MAX.
 */
uint32_t pack_get_array(struct rd *r, uint32_t max);
uint32_t pack_get_map(struct rd *r, uint32_t max);

/*
 * Skips one value of any type with its contents.  Arrays and maps may be nested
 * PACK_DEPTH_MAX deep; deeper is -ERR_LIMIT.
 */
void pack_skip(struct rd *r);

/*
 * Append one value in its shortest form (put_int of 5 and put_uint of 5 write
 * the same byte).  The caller appends the COUNT elements of an array or the
 * COUNT pairs of a map.
 */
void pack_put_uint(struct buf *b, uint64_t v);
void pack_put_int(struct buf *b, int64_t v);
void pack_put_str(struct buf *b, const char *s, size_t len);
void pack_put_cstr(struct buf *b, const char *s);
void pack_put_bin(struct buf *b, const void *p, size_t len);
void pack_put_array(struct buf *b, uint32_t count);
void pack_put_map(struct buf *b, uint32_t count);

#endif
