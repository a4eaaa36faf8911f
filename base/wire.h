/*
 * base/wire.h - bounded big-endian reader and writer with a sticky error.
 *
 * Purpose:   every decoder of outside bytes reads through struct rd, every
 *            fixed-size encoder writes through struct wr.
 * Ownership: both only point into the caller's memory.
 * Units:     bytes, big-endian; varints are QUIC's (RFC 9000 section 16):
 *            1, 2, 4 or 8 bytes, at most 2^62-1.
 * Errors:    a read past the end yields 0 and sets err to -ERR_TRUNCATED; a
 *            write past the end writes nothing and sets -ERR_LIMIT.  Check err
 *            once at the end.  After an error every read yields 0 and nothing
 *            is left (so loops over rd_left end), and every write is dropped.
 * Source:    our own.
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

void rd_init(struct rd *r, const void *p, size_t n);
size_t rd_left(const struct rd *r);
uint8_t rd_u8(struct rd *r);
uint16_t rd_u16(struct rd *r);
uint32_t rd_u32(struct rd *r);
uint64_t rd_u64(struct rd *r);
uint64_t rd_varint(struct rd *r);

/* The next N bytes in place, or NULL (err set) when fewer are left. */
const uint8_t *rd_bytes(struct rd *r, size_t n);

/* Copies N bytes to OUT; zero-fills OUT and sets err when fewer are left. */
void rd_copy(struct rd *r, void *out, size_t n);

/* Sets err to CODE (negative) if no error is set yet; returns err. */
int rd_fail(struct rd *r, int code);

/* 0 if nothing failed and every byte was used, else the error (-ERR_PEER). */
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

/* Bytes that wr_varint uses for V: 1, 2, 4 or 8. */
size_t wire_varint_len(uint64_t v);

#endif
