/*
 * base/wire.h - bounded big-endian reader and writer with a sticky error.
 *
 * Purpose:   every decoder of outside bytes reads through struct rd, every
 *            fixed-size encoder writes through struct wr.
 * Ownership: both point into the caller's memory.
 * Units:     bytes, big-endian; varints are QUIC's (RFC 9000 section 16):
 *            1, 2, 4 or 8 bytes, at most 2^62-1.
 * Errors:    A read past the end returns 0 and sets err to -ERR_TRUNCATED; a
 *            write past the end writes nothing and sets -ERR_LIMIT.  After an
 *            error, reads return 0, rd_left returns 0 (so that loops end) and
 *            writes do nothing.  Check err once at the end.
 * Tests:     regress/unit/check_wire.c
 */
#ifndef BASE_WIRE_H
#define BASE_WIRE_H

#include <stdbool.h>

#include "base/compiler.h"

struct rd {
	const uint8_t *p;
	const uint8_t *end;
	int err; /* 0, or the first error */
};

struct wr {
	uint8_t *start;
	uint8_t *p;
	uint8_t *end;
	int err; /* 0, or the first error */
};

#define WIRE_VARINT_MAX ((UINT64_C(1) << 62) - 1)

static inline void
rd_init(struct rd *r, const void *p, size_t n)
{
	r->p = p;
	r->end = n == 0 ? r->p : r->p + n;
	r->err = 0;
}

static inline size_t
rd_left(const struct rd *r)
{
	return (size_t)(r->end - r->p);
}

/* Sets err to -ERR_TRUNCATED; returns 0. */
uint8_t rd_short(struct rd *r);

static inline uint8_t
rd_u8(struct rd *r)
{
	return likely(r->p != r->end) ? *r->p++ : rd_short(r);
}

uint16_t rd_u16(struct rd *r);
uint32_t rd_u32(struct rd *r);
uint64_t rd_u64(struct rd *r);
uint64_t rd_varint(struct rd *r);

/* Returns the next N bytes in place, or NULL with err set. */
const uint8_t *rd_bytes(struct rd *r, size_t n);

/* Copies N bytes to OUT; zeroes OUT and sets err if fewer are left. */
void rd_copy(struct rd *r, void *out, size_t n);

/* Sets err to CODE (negative) unless an error is set; returns err. */
int rd_fail(struct rd *r, int code);

/*
 * Returns 0 if nothing failed and every byte was used, else the error
 * (-ERR_PEER for unused bytes).
 */
int rd_done(const struct rd *r);

void wr_init(struct wr *w, void *p, size_t cap);
size_t wr_len(const struct wr *w);
size_t wr_left(const struct wr *w);
void wr_u8(struct wr *w, uint8_t v);
void wr_u16(struct wr *w, uint16_t v);
void wr_u32(struct wr *w, uint32_t v);
void wr_u64(struct wr *w, uint64_t v);
void wr_varint(struct wr *w, uint64_t v);
void wr_bytes(struct wr *w, const void *p, size_t n);

/* Returns the length of V as a varint: 1, 2, 4 or 8 bytes. */
size_t wire_varint_len(uint64_t v);

#endif
