#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

#define BUF_ALLOC_MIN 64 /* bytes; smaller blocks waste their headers */

void
buf_init(struct buf *b, size_t max)
{
	memset(b, 0, sizeof(*b));
	b->max = MIN_OF(max, BUF_MAX);
}

/* Bytes allocated before the first unread one. */
static size_t
buf_offset(const struct buf *b)
{
	return b->base == NULL ? 0 : (size_t)(b->data - b->base);
}

/* Wipes the memory before and after the contents. */
static void
buf_wipe_free(struct buf *b)
{
	size_t end = buf_offset(b) + b->len;

	mem_wipe(b->base, buf_offset(b));
	if (b->cap > end)
		mem_wipe(b->base + end, b->cap - end);
}

void
buf_secret(struct buf *b, bool on)
{
	if (b->secret && !on)
		buf_wipe_free(b);
	b->secret = on;
}

void
buf_fini(struct buf *b)
{
	if (b->secret)
		mem_wipe(b->base, b->cap);
	mem_free(b->base);
	buf_init(b, b->max);
}

void
buf_clear(struct buf *b)
{
	if (b->secret)
		mem_wipe(b->data, b->len);
	b->data = b->base;
	b->len = 0;
	b->overflow = false;
}

/* Moves the contents to an allocation that has room for NEED bytes. */
static void
buf_grow(struct buf *b, size_t need)
{
	/*
	 * Allocate up to a quarter more than the maximum, so that a full buffer
	 * that is consumed and refilled in small steps is not moved at each
	 * step.
	 */
	size_t limit = b->max + b->max / 4 + BUF_ALLOC_MIN;
	size_t cap = MIN_OF(MAX_OF(need * 2, BUF_ALLOC_MIN), limit);
	uint8_t *p;

	if (b->data == b->base && !b->secret) {
		p = mem_resize(b->base, cap, 1);
	} else {
		p = mem_alloc(cap);
		if (b->len > 0)
			memcpy(p, b->data, b->len);
		if (b->secret)
			mem_wipe(b->base, b->cap);
		mem_free(b->base);
	}
	b->base = b->data = p;
	b->cap = cap;
}

int
buf_reserve(struct buf *b, size_t n, uint8_t **p)
{
	size_t off, need;

	if (n > b->max - b->len) {
		b->overflow = true;
		return -ERR_LIMIT;
	}
	off = buf_offset(b);
	need = b->len + n + 1; /* one more for the NUL of buf_cstr */
	if (need > b->cap - off || b->base == NULL) {
		if (off > 0 && off >= b->len && need <= b->cap) {
			memmove(b->base, b->data, b->len);
			b->data = b->base;
			if (b->secret)
				buf_wipe_free(b);
		} else {
			buf_grow(b, need);
		}
	}
	*p = b->data + b->len;
	return 0;
}

void
buf_commit(struct buf *b, size_t n)
{
	bug_assert(n == 0 || n < b->cap - buf_offset(b) - b->len);
	b->len += n;
}

int
buf_add(struct buf *b, const void *p, size_t n)
{
	uint8_t *to;
	int r;

	if (n == 0)
		return 0;
	if ((r = buf_reserve(b, n, &to)) != 0)
		return r;
	memcpy(to, p, n);
	b->len += n;
	return 0;
}

int
buf_add_str(struct buf *b, const char *s)
{
	return buf_add(b, s, strlen(s));
}

int
buf_addf(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	uint8_t *to = NULL;
	size_t room = 0;
	int n, r;

	/* Mostly it fits. */
	if (b->base != NULL && !b->secret) {
		room = MIN_OF(
		    b->cap - buf_offset(b) - b->len, b->max - b->len + 1);
		to = b->data + b->len;
	}
	va_start(ap, fmt);
	n = vsnprintf((char *)to, room, fmt, ap);
	va_end(ap);
	bug_assert(n >= 0);
	if ((size_t)n < room) {
		b->len += (size_t)n;
		return 0;
	}
	if ((r = buf_reserve(b, (size_t)n, &to)) != 0)
		return r;
	va_start(ap, fmt);
	vsnprintf((char *)to, (size_t)n + 1, fmt, ap);
	va_end(ap);
	b->len += (size_t)n;
	return 0;
}

int
buf_add_uint(struct buf *b, uint64_t v)
{
	char digits[20], *p = digits + sizeof(digits);

	do {
		*--p = (char)('0' + v % 10);
		v /= 10;
	} while (v > 0);
	return buf_add(b, p, (size_t)(digits + sizeof(digits) - p));
}

void
buf_consume(struct buf *b, size_t n)
{
	bug_assert(n <= b->len);
	if (b->secret)
		mem_wipe(b->data, n);
	if (n == b->len) {
		b->data = b->base;
		b->len = 0;
	} else {
		b->data += n;
		b->len -= n;
	}
}

void
buf_truncate(struct buf *b, size_t n)
{
	bug_assert(n <= b->len);
	if (b->secret)
		mem_wipe(b->data + n, b->len - n);
	b->len = n;
}

const char *
buf_cstr(struct buf *b)
{
	if (b->base == NULL)
		return "";
	b->data[b->len] = '\0';
	return (const char *)b->data;
}

char *
buf_steal(struct buf *b, size_t *len)
{
	char *s;

	if (len != NULL)
		*len = b->len;
	if (b->base == NULL) {
		b->overflow = false;
		return mem_strdup("");
	}
	if (b->data != b->base) {
		memmove(b->base, b->data, b->len);
		b->data = b->base;
	}
	if (b->secret)
		buf_wipe_free(b);
	b->base[b->len] = '\0';
	s = (char *)b->base;
	buf_init(b, b->max);
	return s;
}
