#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

NORETURN static void
mem_out(size_t n)
{
	fprintf(stderr, "rmux: out of memory (%zu bytes asked)\n", n);
	abort();
}

void
bug_failed(const char *expr, const char *file, int line)
{
	fprintf(
	    stderr, "rmux: bug: %s does not hold (%s:%d)\n", expr, file, line);
	abort();
}

void *
mem_alloc(size_t n)
{
	void *p;

	p = malloc(n == 0 ? 1 : n);
	if (p == NULL)
		mem_out(n);
	return p;
}

void *
mem_zalloc(size_t n)
{
	return mem_calloc(1, n);
}

void *
mem_calloc(size_t count, size_t size)
{
	void *p;

	if (count == 0 || size == 0)
		count = size = 1;
	p = calloc(count, size);
	if (p == NULL)
		mem_out(count * size);
	return p;
}

void *
mem_resize(void *p, size_t count, size_t size)
{
	size_t n;

	if (__builtin_mul_overflow(count, size, &n))
		mem_out(SIZE_MAX);
	p = realloc(p, n == 0 ? 1 : n);
	if (p == NULL)
		mem_out(n);
	return p;
}

void *
mem_dup(const void *p, size_t n)
{
	void *q;

	q = mem_alloc(n);
	if (n > 0)
		memcpy(q, p, n);
	return q;
}

char *
mem_strdup(const char *s)
{
	return mem_dup(s, strlen(s) + 1);
}

char *
mem_strndup(const char *s, size_t n)
{
	char *q;

	n = strnlen(s, n);
	q = mem_alloc(n + 1);
	memcpy(q, s, n);
	q[n] = '\0';
	return q;
}

char *
mem_vprintf(const char *fmt, va_list ap)
{
	va_list again;
	char *s;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	bug_assert(n >= 0);
	s = mem_alloc((size_t)n + 1);
	vsnprintf(s, (size_t)n + 1, fmt, ap);
	return s;
}

char *
mem_printf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = mem_vprintf(fmt, ap);
	va_end(ap);
	return s;
}

void
mem_free(void *p)
{
	free(p);
}

void
mem_wipe(void *p, size_t n)
{
	if (n == 0)
		return;
	memset(p, 0, n);
	__asm__ __volatile__("" : : "r"(p) : "memory");
}

void
mem_free_wiped(void *p, size_t n)
{
	if (p != NULL)
		mem_wipe(p, n);
	free(p);
}
