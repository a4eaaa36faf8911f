/*
 * base/buf.h - a growing byte buffer with a hard maximum.
 *
 * Purpose:   collects output; the front can be consumed.
 * Ownership: the caller owns struct buf; buf_fini frees the bytes.
 * Units:     bytes.
 * Errors:    -ERR_LIMIT when an append would exceed the maximum.  The buffer
 *            then keeps its contents and sets `overflow`, which stays set until
 *            buf_clear, so that a caller can append many times and check once.
 *            A later append that fits still succeeds: a caller that needs all
 *            or nothing stops at the first error, or discards the contents.
 *            BUF_MAX limits every maximum.
 * Source:    OpenSSH's sshbuf.h for the hard maximum.
 * Tests:     regress/unit/check_buf.c
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stdbool.h>

#include "base/compiler.h"

#define BUF_MAX (SIZE_MAX / 8) /* bytes; keeps all size sums in range */

struct buf {
	uint8_t *data; /* first unread byte; NULL before the first allocation */
	size_t len;    /* unread bytes */
	size_t cap;    /* bytes allocated from `base` */
	size_t max;    /* hard limit of `len` */
	uint8_t *base; /* start of the allocation */
	bool overflow;
	bool secret; /* see buf_secret */
};

/* Makes B an empty buffer of at most MAX bytes; allocates nothing. */
void buf_init(struct buf *b, size_t max);

/* Frees the memory; B is then empty and may be used again. */
void buf_fini(struct buf *b);

/* Empties B and keeps its memory. */
void buf_clear(struct buf *b);

/*
 * ON: the contents are secret.  From then on B wipes bytes that it drops,
 * moves or frees.  Off: wipes all memory but the contents, once.  buf_fini
 * makes B ordinary again.
 */
void buf_secret(struct buf *b, bool on);

/* Reserves N bytes after the contents; *P is valid until the next call. */
int buf_reserve(struct buf *b, size_t n, uint8_t **p);

/*
 * Appends the first N bytes that the caller wrote to the reserved space.  N is
 * at most the number of bytes reserved.
 */
void buf_commit(struct buf *b, size_t n);

/* Appends N bytes (not from B itself), a string, a byte, or formatted text. */
int buf_add(struct buf *b, const void *p, size_t n);
int buf_add_str(struct buf *b, const char *s);
static inline int
buf_add_u8(struct buf *b, uint8_t v)
{
	/* Keep one byte free for the NUL of buf_cstr. */
	if (likely(b->cap > 0 && b->len < b->max &&
		   (size_t)(b->data - b->base) + b->len + 1 < b->cap)) {
		b->data[b->len++] = v;
		return 0;
	}
	return buf_add(b, &v, 1);
}
int buf_addf(struct buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Appends V in decimal. */
int buf_add_uint(struct buf *b, uint64_t v);

/* Drops the first N bytes (N <= len). */
void buf_consume(struct buf *b, size_t n);

/* Cuts to the first N bytes (N <= len). */
void buf_truncate(struct buf *b, size_t n);

/*
 * Returns the contents as a string, valid until the next call that changes B.
 * `len` does not count the NUL.
 */
const char *buf_cstr(struct buf *b);

/*
 * Gives the bytes, NUL-terminated, to the caller (mem_free) and empties B.
 * Out: *len  their number; LEN may be NULL.
 */
char *buf_steal(struct buf *b, size_t *len);

#endif
