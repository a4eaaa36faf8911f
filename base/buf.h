/*
 * base/buf.h - a growing byte buffer with a hard maximum.
 *
 * Purpose:   collects output; can be consumed from the front.
 * Ownership: the caller owns struct buf; buf_fini frees the bytes.
 * Units:     bytes.
 * Errors:    -ERR_LIMIT when the maximum would be passed; the buffer is then
 *            unchanged and its `overflow` flag set (sticky until buf_clear), so
 *            a run of appends can be checked once at its end.  A later append
 *            that fits does succeed: who needs all or nothing stops at the
 *            first error or throws the contents away.  BUF_MAX bounds every
 *            maximum asked for.
 * Source:    sshbuf.h of OpenSSH for the idea of the hard maximum.
 * Tests:     regress/unit/check_buf.c
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stdbool.h>

#include "base/compiler.h"

#define BUF_MAX (SIZE_MAX / 8) /* bytes; keeps all size sums in range */

struct buf {
	uint8_t *data; /* first unread byte; NULL while nothing is held */
	size_t len;    /* unread bytes */
	size_t cap;    /* bytes allocated from `base` */
	size_t max;    /* hard limit of `len` */
	uint8_t *base; /* start of the allocation */
	bool overflow;
};

/* An empty buffer that may hold MAX bytes; allocates nothing yet. */
void buf_init(struct buf *b, size_t max);

/* Frees the memory; B is then empty and may be used again. */
void buf_fini(struct buf *b);

/* Forgets the contents, keeps the memory. */
void buf_clear(struct buf *b);

/* Room for N more bytes at the end: *P points at it until the next call. */
int buf_reserve(struct buf *b, size_t n, uint8_t **p);

/*
 * Takes N bytes, just written where buf_reserve said (N at most what was
 * reserved), into the buffer.
 */
void buf_commit(struct buf *b, size_t n);

/* Appends N bytes (not from B itself), a string, a byte, or formatted text. */
int buf_add(struct buf *b, const void *p, size_t n);
int buf_add_str(struct buf *b, const char *s);
static inline int
buf_add_u8(struct buf *b, uint8_t v)
{
	/* One more stays free for the NUL of buf_cstr. */
	if (likely(b->cap > 0 && b->len < b->max &&
		   (size_t)(b->data - b->base) + b->len + 1 < b->cap)) {
		b->data[b->len++] = v;
		return 0;
	}
	return buf_add(b, &v, 1);
}
int buf_addf(struct buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Drops the first N bytes (N <= len). */
void buf_consume(struct buf *b, size_t n);

/* Cuts to the first N bytes (N <= len). */
void buf_truncate(struct buf *b, size_t n);

/*
 * The contents as a NUL-terminated string (the NUL is not counted); valid
 * until the next call that changes B.
 */
const char *buf_cstr(struct buf *b);

/*
 * Hands the bytes to the caller (mem_free), NUL-terminated, and empties B.
 * Out: *len their number, if LEN is not NULL.
 */
char *buf_steal(struct buf *b, size_t *len);

#endif
