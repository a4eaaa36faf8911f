#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"

#define ARENA_BLOCK_MIN 4096  /* bytes; the first block */
#define ARENA_BLOCK_MAX 65536 /* bytes; blocks double up to here */

struct arena_block {
	struct arena_block *next; /* the one before it in time */
	size_t size;
	size_t used; /* always a multiple of the alignment */
	_Alignas(max_align_t) uint8_t data[];
};

void
arena_init(struct arena *a)
{
	a->blocks = NULL;
	a->used = 0;
}

void
arena_fini(struct arena *a)
{
	struct arena_block *b;

	while ((b = a->blocks) != NULL) {
		a->blocks = b->next;
		mem_free(b);
	}
	a->used = 0;
}

void
arena_reset(struct arena *a)
{
	struct arena_block *b;

	while ((b = a->blocks) != NULL && b->next != NULL) {
		a->blocks = b->next;
		mem_free(b);
	}
	if (b != NULL)
		b->used = 0;
	a->used = 0;
}

/* Puts a block with room for N bytes in front. */
static struct arena_block *
arena_grow(struct arena *a, size_t n)
{
	struct arena_block *b;
	size_t size = ARENA_BLOCK_MIN;

	if (a->blocks != NULL)
		size = MIN_OF(a->blocks->size * 2, ARENA_BLOCK_MAX);
	size = MAX_OF(size, n);
	/* One call, and the sum is checked for overflow. */
	bug_assert(size <= SIZE_MAX - sizeof(*b));
	b = mem_alloc(sizeof(*b) + size);
	b->next = a->blocks;
	b->size = size;
	b->used = 0;
	a->blocks = b;
	return b;
}

void *
arena_alloc(struct arena *a, size_t n)
{
	struct arena_block *b = a->blocks;
	size_t align = _Alignof(max_align_t), size;
	void *p;

	bug_assert(n <= SIZE_MAX / 4);
	size = (MAX_OF(n, 1) + align - 1) / align * align;
	if (b == NULL || size > b->size - b->used)
		b = arena_grow(a, size);
	p = b->data + b->used;
	b->used += size;
	a->used += size;
	return p;
}

void *
arena_zalloc(struct arena *a, size_t n)
{
	return memset(arena_alloc(a, n), 0, n);
}

char *
arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *
arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *q;

	n = strnlen(s, n);
	q = arena_alloc(a, n + 1);
	memcpy(q, s, n);
	q[n] = '\0';
	return q;
}

char *
arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *s;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	bug_assert(n >= 0);
	s = arena_alloc(a, (size_t)n + 1);
	va_start(ap, fmt);
	vsnprintf(s, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return s;
}

size_t
arena_used(const struct arena *a)
{
	return a->used;
}
