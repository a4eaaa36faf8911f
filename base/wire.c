#include "config.h"

#include <string.h>

#include "base/err.h"
#include "base/wire.h"

int
rd_fail(struct rd *r, int code)
{
	if (r->err == 0)
		r->err = code;
	r->p = r->end;
	return r->err;
}

/* Consumes N bytes (N at least 1); NULL with the error set on failure. */
static inline const uint8_t *
rd_take(struct rd *r, size_t n)
{
	const uint8_t *p = r->p;

	if (unlikely(n > (size_t)(r->end - p))) {
		rd_fail(r, -ERR_TRUNCATED);
		return NULL;
	}
	r->p = p + n;
	return p;
}

static inline uint32_t
get_u32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	       (uint32_t)p[2] << 8 | p[3];
}

uint8_t
rd_short(struct rd *r)
{
	(void)rd_fail(r, -ERR_TRUNCATED);
	return 0;
}

uint16_t
rd_u16(struct rd *r)
{
	const uint8_t *p = rd_take(r, 2);

	return p == NULL ? 0 : (uint16_t)(p[0] << 8 | p[1]);
}

uint32_t
rd_u32(struct rd *r)
{
	const uint8_t *p = rd_take(r, 4);

	return p == NULL ? 0 : get_u32(p);
}

uint64_t
rd_u64(struct rd *r)
{
	const uint8_t *p = rd_take(r, 8);

	return p == NULL ? 0 : (uint64_t)get_u32(p) << 32 | get_u32(p + 4);
}

/* RFC 9000 section 16: the two high bits of the first byte give the length. */
uint64_t
rd_varint(struct rd *r)
{
	const uint8_t *p;
	uint64_t v;
	size_t i, n;

	if ((p = rd_take(r, 1)) == NULL)
		return 0;
	n = (size_t)1 << (*p >> 6);
	v = *p & 0x3f;
	if (n == 1)
		return v;
	if ((p = rd_take(r, n - 1)) == NULL)
		return 0;
	for (i = 0; i < n - 1; i++)
		v = v << 8 | p[i];
	return v;
}

const uint8_t *
rd_bytes(struct rd *r, size_t n)
{
	static const uint8_t none[1] = { 0 };

	if (n == 0)
		return r->err != 0 ? NULL : r->p == NULL ? none : r->p;
	return rd_take(r, n);
}

void
rd_copy(struct rd *r, void *out, size_t n)
{
	const uint8_t *p;

	if (n == 0)
		return;
	if ((p = rd_take(r, n)) == NULL)
		memset(out, 0, n);
	else
		memcpy(out, p, n);
}

int
rd_done(const struct rd *r)
{
	if (r->err != 0)
		return r->err;
	return r->p == r->end ? 0 : -ERR_PEER;
}

void
wr_init(struct wr *w, void *p, size_t cap)
{
	w->start = w->p = p;
	w->end = cap == 0 ? w->p : w->p + cap;
	w->err = 0;
}

size_t
wr_len(const struct wr *w)
{
	return (size_t)(w->p - w->start);
}

size_t
wr_left(const struct wr *w)
{
	return (size_t)(w->end - w->p);
}

/* Reserves N bytes (N at least 1); NULL with the error set on failure. */
static inline uint8_t *
wr_take(struct wr *w, size_t n)
{
	uint8_t *p = w->p;

	if (unlikely(w->err != 0))
		return NULL;
	if (unlikely(n > (size_t)(w->end - p))) {
		w->err = -ERR_LIMIT;
		return NULL;
	}
	w->p = p + n;
	return p;
}

/* Writes the low N bytes of V in big-endian order. */
static inline void
wr_be(struct wr *w, uint64_t v, size_t n)
{
	uint8_t *p = wr_take(w, n);
	size_t i;

	if (p == NULL)
		return;
	for (i = 0; i < n; i++)
		p[i] = (uint8_t)(v >> (8 * (n - 1 - i)));
}

void
wr_u8(struct wr *w, uint8_t v)
{
	wr_be(w, v, 1);
}

void
wr_u16(struct wr *w, uint16_t v)
{
	wr_be(w, v, 2);
}

void
wr_u32(struct wr *w, uint32_t v)
{
	wr_be(w, v, 4);
}

void
wr_u64(struct wr *w, uint64_t v)
{
	wr_be(w, v, 8);
}

size_t
wire_varint_len(uint64_t v)
{
	return v < 1u << 6 ? 1 : v < 1u << 14 ? 2 : v < 1u << 30 ? 4 : 8;
}

void
wr_varint(struct wr *w, uint64_t v)
{
	size_t n = wire_varint_len(v);
	uint64_t log2 = n == 1 ? 0 : n == 2 ? 1 : n == 4 ? 2 : 3;

	bug_assert(v <= WIRE_VARINT_MAX);
	wr_be(w, v | log2 << (8 * n - 2), n);
}

void
wr_bytes(struct wr *w, const void *p, size_t n)
{
	uint8_t *to;

	if (n == 0)
		return;
	if ((to = wr_take(w, n)) != NULL)
		memcpy(to, p, n);
}
