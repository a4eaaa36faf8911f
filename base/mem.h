/*
 * base/mem.h - allocation that does not fail.
 *
 * Purpose:   heap memory.  Running out of memory or overflowing a size aborts,
 *            so callers never check.  Every size that input controls has a
 *            maximum elsewhere, so hostile input cannot cause that abort.
 * Ownership: the caller frees with mem_free (NULL is fine).
 * Units:     bytes.
 * Errors:    none; aborts.
 * Source:    the xmalloc of BSD programs.
 * Tests:     regress/unit/check_mem.c
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stdarg.h>

#include "base/compiler.h"

/* Allocates N bytes, not cleared; N = 0 gives a valid pointer. */
void *mem_alloc(size_t n) MALLOC_LIKE;

/* Allocates N zeroed bytes. */
void *mem_zalloc(size_t n) MALLOC_LIKE;

/* Allocates COUNT * SIZE zeroed bytes; aborts on overflow. */
void *mem_calloc(size_t count, size_t size) MALLOC_LIKE;

/* Resizes P (may be NULL) to COUNT * SIZE bytes; aborts on overflow. */
void *mem_resize(void *p, size_t count, size_t size)
    __attribute__((returns_nonnull, warn_unused_result));

/* Copies the N bytes at P; P may be NULL if N is 0. */
void *mem_dup(const void *p, size_t n) MALLOC_LIKE;

char *mem_strdup(const char *s) MALLOC_LIKE;

/* Copies at most N bytes of S, up to its NUL, and terminates them. */
char *mem_strndup(const char *s, size_t n) MALLOC_LIKE;

char *mem_printf(const char *fmt, ...) MALLOC_LIKE PRINTF_LIKE(1, 2);
char *mem_vprintf(const char *fmt, va_list ap) MALLOC_LIKE PRINTF_LIKE(1, 0);

void mem_free(void *p);

/* Wipes N bytes; the compiler cannot remove the stores. */
void mem_wipe(void *p, size_t n);

/* Wipes and frees. */
void mem_free_wiped(void *p, size_t n);

#endif
