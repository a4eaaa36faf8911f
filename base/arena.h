/*
 * base/arena.h - bump allocator for data that dies together.
 *
 * Purpose:   parse trees, format expansion, the building of one view.
 * Ownership: the arena owns all it hands out; arena_fini or arena_reset frees
 *            everything at once.
 * Units:     bytes; results are aligned for any type.
 * Errors:    arena_alloc aborts when out of memory, as base/mem does; callers
 *            bound what input can ask for (arena_used tells).
 * Source:    our own.
 * Tests:     regress/unit/check_arena.c
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>

#include "base/compiler.h"

struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first */
	size_t used;                /* bytes handed out since the last reset */
};

void arena_init(struct arena *a);
void arena_fini(struct arena *a);

/* Frees all but the first block and starts again. */
void arena_reset(struct arena *a);

void *arena_alloc(struct arena *a, size_t n) MALLOC_LIKE;
void *arena_zalloc(struct arena *a, size_t n) MALLOC_LIKE;
char *arena_strdup(struct arena *a, const char *s) MALLOC_LIKE;
char *arena_strndup(struct arena *a, const char *s, size_t n) MALLOC_LIKE;
char *arena_printf(struct arena *a, const char *fmt, ...) MALLOC_LIKE
    PRINTF_LIKE(2, 3);
size_t arena_used(const struct arena *a);

#endif
