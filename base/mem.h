/*
 * base/mem.h - allocation that does not fail.
 *
 * Purpose:   heap memory; running out of it or overflowing a size aborts, so
 *            callers never check.  Every size driven by input has a maximum
 *            elsewhere, so hostile input cannot reach that abort.
 * Ownership: the caller frees with mem_free (NULL is fine).
 * Units:     bytes.
 * Errors:    none; aborts.
 * Source:    the xmalloc habit of BSD programs.
 * Tests:     regress/unit/check_mem.c
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stdarg.h>

#include "base/compiler.h"

/* N bytes, not cleared; N = 0 gives a valid pointer. */
void *mem_alloc(size_t n) MALLOC_LIKE;

/* N bytes of zeros. */
void *mem_zalloc(size_t n) MALLOC_LIKE;

/* COUNT * SIZE zeroed bytes, checked for overflow. */
void *mem_calloc(size_t count, size_t size) MALLOC_LIKE;

/* P resized to COUNT * SIZE bytes, checked for overflow; P may be NULL. */
void *mem_resize(void *p, size_t count, size_t size)
    __attribute__((returns_nonnull, warn_unused_result));

/* A copy of the N bytes at P; P may be NULL if N is 0. */
void *mem_dup(const void *p, size_t n) MALLOC_LIKE;

char *mem_strdup(const char *s) MALLOC_LIKE;

/* The first N bytes of S (or fewer, up to its NUL), NUL-terminated. */
char *mem_strndup(const char *s, size_t n) MALLOC_LIKE;

char *mem_printf(const char *fmt, ...) MALLOC_LIKE PRINTF_LIKE(1, 2);
char *mem_vprintf(const char *fmt, va_list ap) MALLOC_LIKE PRINTF_LIKE(1, 0);

void mem_free(void *p);

/* Wipes N bytes in a way the compiler may not leave out. */
void mem_wipe(void *p, size_t n);

/* Wipes and frees. */
void mem_free_wiped(void *p, size_t n);

#endif
